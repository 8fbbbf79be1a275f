"""What is asked for help must answer at once: no heavy library is loaded for it."""

import subprocess
import sys

import pytest

HEAVY = ("numba", "numpy", "pandas", "scipy", "pyarrow", "matplotlib")


def loaded_after(code, modules):
    """Return the modules of a list that a fresh Python has loaded after some code."""
    code += f"\nimport sys; print('loaded:', *(m for m in {modules!r} if m in sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()[-1].split()[1:]


def command(*args):
    return (
        f"from shanghai_sim.cli import main\ntry: main({list(args)!r})\n"
        "except SystemExit as end: assert not end.code, end"
    )


def test_help_loads_click_alone():
    assert loaded_after(command("--help"), (*HEAVY, "attrs", "cattrs", "tomllib")) == []
    assert loaded_after(command("--version"), (*HEAVY, "attrs", "cattrs", "tomllib")) == []


@pytest.mark.parametrize(
    "args",
    [
        ["rules", "--help"], ["rules", "list"], ["rules", "show", "finnish"], ["rules", "check", "shanghai"],
        ["compare", "--help"], ["policies", "show", "--help"], ["policies", "show", "balanced"],
    ],
)  # fmt: skip
def test_rules_and_policies_need_nothing_heavy(args):
    assert loaded_after(command(*args), HEAVY) == []


def test_policies_are_data_and_light():
    code = (
        "from shanghai_sim.policies.policy import load_policy\n"
        "load_policy('plain+buy.max_buys=1/2').to_dict()"
    )
    assert loaded_after(code, HEAVY) == []
