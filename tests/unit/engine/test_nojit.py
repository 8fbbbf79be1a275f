"""The same games with kernels in plain Python and compiled."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shanghai_sim._jit import JIT
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset

ROOT = Path(__file__).parents[3]
#: rules, changes, policies, coupling, deals.
CASES = (
    ("shanghai", (), ("plain", "aggressive-buy", "random"), "seat", (2, 9)),
    ("finnish", (), ("plain+swap.use=always", "aggressive-buy"), "pile", (1, 6)),
    ("shanghai-wild-twos", ("stock.turn_limit=15",), ("random", "plain+noise=0.2", "no-buy"), "seat", (5,)),
    ("shanghai-growing", ("deal.hand_size=20",), ("aggressive-buy",) * 5, "pile", (8,)),
)


def digest() -> str:
    """Return a hash of everything that happens in a few games, event by event, and of their records."""
    hashed = hashlib.sha256()
    for rules, changes, policies, coupling, deals in CASES:
        setup = Setup(
            load_ruleset(rules, changes), len(policies), [load_policy(policy) for policy in policies], seed=13,
            coupling=coupling, deals=deals,
        )  # fmt: skip
        hashed.update(json.dumps(transcript(setup, 1)).encode())
        for array in play_blocks(setup, 0, 1):
            hashed.update(array.tobytes())
    return hashed.hexdigest()


@pytest.mark.skipif(not JIT, reason="compares compiled kernels with those in plain Python")
def test_plain_python_plays_the_very_same_games():
    env = os.environ | {"SHANGHAI_SIM_JIT": "0", "PYTHONHASHSEED": "5", "PYTHONPATH": str(ROOT)}
    command = [
        sys.executable,
        "-W",
        "error",
        "-c",
        f"from {__name__} import JIT, digest; print(JIT, digest())",
    ]
    ran = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == f"False {digest()}"


@pytest.mark.nojit
def test_a_game_in_plain_python_is_the_loops_own():
    """Also without the compiler the stepper and the loop agree; with it this is another pair of doors."""
    setup = Setup(load_ruleset("finnish"), 2, [load_policy("plain")] * 2, seed=4, deals=(1, 2))
    end = transcript(setup, 1)[-1]
    assert end["totals"] == play_blocks(setup, 0, 1).totals[1].tolist()
