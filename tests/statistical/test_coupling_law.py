"""Both couplings have the same law: ten figures, Holm; a planted fault is found."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from shanghai_sim import _jit
from tests.statistical.law import figures, holm, p_values

LEVEL = 0.01
BLOCKS = 1_500


def test_pile_and_seat_have_the_same_law():
    """60,000 deals of each, on different seeds."""
    assert holm(p_values(figures("pile", 101, BLOCKS), figures("seat", 102, BLOCKS)), LEVEL) == []


@pytest.mark.full
def test_pile_and_seat_have_the_same_law_over_a_million_deals_each():
    assert holm(p_values(figures("pile", 201, 25_000), figures("seat", 202, 25_000)), LEVEL) == []


def with_honest_rules_and_policies(folder):
    """Return a folder for kernels that has those which draw no card, so that the others alone are compiled anew."""
    root = _jit.cache_root()
    for rooms in ((), ("rules",), ("rules", "policies")):
        kept = root / _jit.cache_stamp(rooms) if root else None
        if kept and kept.is_dir():
            shutil.copytree(kept, folder / kept.name)
    return folder


def test_a_penalty_card_from_the_wrong_order_is_found(tmp_path):
    """The very same comparison tells when penalty cards come in card order."""
    command = [sys.executable, "-m", "tests.statistical.law", "seat", "102", str(BLOCKS), "fault"]
    # Its kernels must not be kept: the sources that name the cache folder are the honest ones.
    env = os.environ | {"SHANGHAI_SIM_CACHE_DIR": str(with_honest_rules_and_policies(tmp_path))}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True, timeout=400)
    faulty = np.array(json.loads(done.stdout))
    honest = figures("pile", 101, BLOCKS)
    assert holm(p_values(honest, faulty), LEVEL) != []
