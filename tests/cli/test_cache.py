"""`shanghai-sim cache`: what is kept between calls."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from shanghai_sim import _jit
from shanghai_sim.cli import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a cache with two kernels in it, and a folder that is none of ours."""
    for stamp, module in (("0123456789abcdef", "rules_1"), ("fedcba9876543210", "engine_1")):
        (tmp_path / stamp / module).mkdir(parents=True)
        (tmp_path / stamp / module / "x.f-1.py311.nbi").write_bytes(b"i" * 1000)
        (tmp_path / stamp / module / "x.f-1.py311.1.nbc").write_bytes(b"c" * 999_000)
    (tmp_path / "photos").mkdir()
    for room in (_jit, _jit.cache):
        monkeypatch.setattr(room, "cache_root", lambda: tmp_path)
    return tmp_path


def call(*args, code=0):
    result = CliRunner().invoke(cli, ["cache", *args])
    assert result.exit_code == code, result.output
    return result.stdout


def fresh(*args, **environment):
    """Call the command in a fresh Python, with warnings as errors."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SHANGHAI_SIM_JIT", "NUMBA_DISABLE"))}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "shanghai_sim", "cache", *args],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=True,
    )


def test_info(folder):
    lines = call("info").splitlines()
    assert lines[:3] == ["caching: on", f"folder:  {folder}", "kernels: 2, 2.0 MB"]
    assert all(f"SHANGHAI_SIM_{name}" in "".join(lines[3:]) for name in ("CACHE_DIR=", "CACHE=0", "JIT=0"))
    facts = json.loads(call("info", "--format", "json"))
    assert facts == {
        "compiles": _jit.JIT,
        "caching": True,
        "folder": str(folder),
        "kernels": 2,
        "bytes": 2_000_000,
    }


def test_clear_deletes_kernels_and_nothing_else(folder):
    assert call("clear") == f"2.0 MB freed in {folder}\n"
    assert [path.name for path in folder.iterdir()] == ["photos"]
    assert "kernels: 0, 0.0 MB" in call("info")


@pytest.mark.parametrize(
    ("switch", "why"),
    [("SHANGHAI_SIM_CACHE", "SHANGHAI_SIM_CACHE=0"), ("SHANGHAI_SIM_JIT", "nothing is compiled")],
)
def test_without_a_cache_all_three_say_so(switch, why):
    for name in ("info", "warm", "clear"):
        ran = fresh(name, **{switch: "0"})
        assert "caching" in ran.stdout
        assert "off, " in ran.stdout
        assert why in ran.stdout
        assert ran.stderr == ""
    assert json.loads(fresh("info", "--format", "json", **{switch: "0"}).stdout)["folder"] is None


def test_after_warm_nothing_is_left_to_compile():
    """In the folder that the tests use, where little or nothing is left to do."""
    fresh("warm", "--quiet")
    again = fresh("warm")
    assert again.stdout.startswith("all kernels were there, and load in ")
    assert again.stderr == ""
    code = (
        "import shanghai_sim as ss\n"
        "from shanghai_sim.engine.batch import Setup, play_blocks\n"
        "from shanghai_sim.engine.transcript import transcript\n"
        "from shanghai_sim.policies.policy import load_policy\n"
        "from shanghai_sim.rules.ruleset import load_ruleset\n"
        "policies, others = [load_policy('no-buy')], [load_policy('random')]\n"
        "setup = Setup(load_ruleset('finnish'), 5, policies, others, seed=2)\n"
        "play_blocks(setup, 7, 2)\n"
        "assert transcript(setup, 3)[-1]['event'] == 'game-end'\n"
        "assert ss.contract_distance('7H', 'R7') == 6\n"
        "assert ss.find_contract('7H 7D 8S', 'S3 R4') is None\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
