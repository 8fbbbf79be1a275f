"""The door to numba: when kernels are compiled anew, where they are kept, how to do without."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import shanghai_sim

PACKAGE = Path(shanghai_sim.__file__).parent
ROOMS = {"rules": ("rules",), "engine": ("rules", "policies", "engine")}
STAMPS = (
    "import json; from shanghai_sim import _jit; "
    f"print(json.dumps({{name: _jit.cache_stamp(rooms) for name, rooms in {ROOMS!r}.items()}}))"
)
ROOT = "from shanghai_sim import _jit; print(_jit.cache_root())"
DISTANCE = (
    "import shanghai_sim as ss; from shanghai_sim import _jit; "
    "print(_jit.JIT, ss.contract_distance('7H 7D 8S JK 9S TS', 'S3 R4'))"
)


def run(code, *, check=True, place=PACKAGE.parent, **environment):
    """Run code in a fresh Python that has the package from a place; return what it printed, and its notes."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SHANGHAI_SIM_", "NUMBA_"))}
    ran = subprocess.run(
        [sys.executable, "-W", "default::UserWarning", "-c", code],
        env=kept | {"PYTHONPATH": str(place)} | {k: str(v) for k, v in environment.items()},
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or ran.returncode == 0, ran.stderr
    return ran.stdout.strip(), ran.stderr


def stamps(place=PACKAGE.parent, **environment):
    return json.loads(run(STAMPS, place=place, **environment)[0])


@pytest.fixture
def copy(tmp_path):
    """Return the place of a copy of the package, to be changed."""
    shutil.copytree(PACKAGE, tmp_path / "shanghai_sim", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def change(place, name):
    path = place / "shanghai_sim" / name
    path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("engine/turn.py", {"engine"}),
        ("policies/draw.py", {"engine"}),
        ("rules/runs.py", {"rules", "engine"}),
        ("cards.py", {"rules", "engine"}),
        ("cli/__init__.py", set()),
    ],
)
def test_kernels_are_compiled_anew_when_a_source_that_they_may_call_changes(copy, source, changed):
    before = stamps(copy)
    change(copy, source)
    after = stamps(copy)
    assert {room for room in ROOMS if before[room] != after[room]} == changed


def test_a_copy_elsewhere_has_the_same_stamps(copy):
    assert stamps(copy) == stamps()


@pytest.mark.parametrize("flag", [{"NUMBA_BOUNDSCHECK": 1}, {"NUMBA_OPT": 1}, {"NUMBA_CPU_NAME": "generic"}])
def test_flags_have_kernels_of_their_own(flag):
    before, after = stamps(), stamps(**flag)
    assert all(before[room] != after[room] for room in ROOMS)


def test_an_entry_is_kept_in_the_folder_of_its_stamp(tmp_path):
    code = (
        "from shanghai_sim import _jit; from shanghai_sim.rules.distance import distances as d; "
        "print(d.dispatcher._cache.cache_path); print(_jit.cache_stamp(('rules',)))"
    )
    # Making the dispatcher compiles what lies behind borders; a fresh folder would take seconds for that.
    path, stamp = run(code)[0].splitlines()
    assert Path(path).parent.name == stamp
    assert Path(path).is_dir()


def test_where_kernels_are_kept(tmp_path):
    asked = tmp_path / "asked"
    assert run(ROOT, SHANGHAI_SIM_CACHE_DIR=asked)[0] == str(asked)
    assert run(ROOT, SHANGHAI_SIM_CACHE=0)[0] == "None"
    assert run(ROOT, SHANGHAI_SIM_JIT=0)[0] == "None"


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    nowhere = {
        "SHANGHAI_SIM_CACHE_DIR": blocked / "a",
        "XDG_CACHE_HOME": blocked / "b",
        "HOME": blocked / "c",
    }
    root, notes = run(ROOT, TMPDIR=tmp_path, **nowhere)
    assert Path(root).parent == tmp_path
    assert Path(root).name.startswith("shanghai-sim-cache-")
    assert notes == ""


def test_without_any_folder_nothing_is_kept_and_that_is_said_once():
    code = f"from shanghai_sim import _jit; _jit.cache._writable = lambda folder: False; {ROOT}; _jit.cache_root()"
    root, notes = run(code)
    assert root == "None"
    assert notes.count("no folder for compiled kernels is writable; every start compiles anew") == 1


@pytest.mark.parametrize("switch", [{"SHANGHAI_SIM_JIT": 0}, {"NUMBA_DISABLE_JIT": 1}])
def test_kernels_run_in_plain_python(switch):
    assert run(DISTANCE, **switch) == ("False 1", "")


def test_compiled_and_plain_answers_agree():
    assert run(DISTANCE)[0] == "True 1"


def test_inner_kernels_cannot_allocate():
    """Numba still takes `_nrt=False` (undocumented for njit): then there is no run time to allocate with."""
    code = """
import numpy as np
from numba.core.errors import TypingError
from shanghai_sim import _jit

@_jit.kernel
def double(x):
    return 2 * x[0]

@_jit.kernel
def allocate(x):
    return np.zeros(x).sum()

use = _jit.entry(lambda x: double(x))
assert use(np.array([21])) == 42
try:
    _jit.entry(lambda x: allocate(x))(3)
except TypingError as error:
    assert "allocate" in str(error), error
else:
    raise SystemExit("an inner kernel allocated")
"""
    run(code, SHANGHAI_SIM_CACHE=0)


def test_bounds_are_checked_when_asked():
    code = """
import numpy as np
from shanghai_sim import _jit

@_jit.kernel
def third(x):
    return x[2]

try:
    _jit.entry(lambda x: third(x))(np.array([1, 2]))
except IndexError:
    print("caught")
"""
    assert run(code, SHANGHAI_SIM_CACHE=0, NUMBA_BOUNDSCHECK=1)[0] == "caught"
    assert run(code, SHANGHAI_SIM_JIT=0)[0] == "caught"
