"""Weighted sums whose last bits depend on nothing but the seed."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from shanghai_sim.inference import weighted_sums as ws

PROGRAM = """
import hashlib
import numpy as np
from shanghai_sim.inference.weighted_sums import gaussian_weights, resampling_weights, weighted_sums
values = np.random.default_rng(3).standard_t(3, (20_011, 7)) * 10.0 ** np.arange(-3, 4)
for weights in (gaussian_weights, resampling_weights):
    print(hashlib.sha256(weighted_sums(weights, values, 300, 5).tobytes()).hexdigest())
"""


@pytest.mark.parametrize("weights", [ws.gaussian_weights, ws.resampling_weights])
def test_sums_agree_with_plain_ones(weights):
    values = np.random.default_rng(1).standard_t(3, (3_001, 5)) * 10.0 ** np.arange(-2, 3)
    found = ws.weighted_sums(weights, values, 20, seed=9)
    w = weights(ws.generator(9), 20, 3_001)
    plain = np.array([[sum(w[d] * values[:, k]) for k in range(5)] for d in range(20)])
    # Roundings are independent: their sum is below 10 sd of sqrt(n) * (half a unit of value or of weight).
    unit = 2.0**-23 * np.abs(values).max(axis=0) * 2 + 2.0**-14 * values.std(axis=0)
    assert (np.abs(found - plain) < 10 * np.sqrt(3_001) * unit).all()


def test_every_partial_sum_is_exact():
    """Summing the rounded products in another order, with exact whole numbers, gives the same bits."""
    n = ws.PIECE + 100
    values = np.random.default_rng(2).normal(size=(n, 2))
    found = ws.weighted_sums(ws.gaussian_weights, values, 3, seed=4)
    scale = 2.0 ** np.ceil(np.log2(np.abs(values).max(axis=0)))
    whole = np.rint(values / (scale * ws.VALUE_UNIT)).astype(int)
    w = np.rint(ws.gaussian_weights(ws.generator(4), 3, n) / ws.WEIGHT_UNIT).astype(int)
    for d in range(3):
        for k in range(2):
            exact = sum(int(w[d, b]) * int(whole[b, k]) for b in range(n))
            assert found[d, k] == float(exact) * scale[k] * ws.VALUE_UNIT * ws.WEIGHT_UNIT


def test_no_partial_sum_can_exceed_what_a_double_holds():
    most_weight, most_value = 2**5 / ws.WEIGHT_UNIT, 1 / ws.VALUE_UNIT
    assert ws.PIECE * most_weight * most_value <= 2**53
    drawn = ws.resampling_weights(ws.generator(1), 500, 5_000)
    assert drawn.max() < 2**4  # 2.5 million Poisson counts: 16 or more of any has chance 5e-8


def test_bits_do_not_depend_on_threads_or_processor():
    outputs = set()
    for settings in (
        {"OPENBLAS_NUM_THREADS": "1"},
        {"OPENBLAS_NUM_THREADS": "4"},
        {"OPENBLAS_CORETYPE": "Nehalem"},
    ):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | settings,
            timeout=100,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == 2


def test_bits_do_not_depend_on_how_many_rows_are_drawn_at_once(monkeypatch):
    values = np.random.default_rng(1).normal(size=(1_000, 2))
    found = [
        ws.weighted_sums(weights, values, 50, 7) for weights in (ws.gaussian_weights, ws.resampling_weights)
    ]
    monkeypatch.setattr(ws, "_AT_ONCE", 3_000)
    again = [
        ws.weighted_sums(weights, values, 50, 7) for weights in (ws.gaussian_weights, ws.resampling_weights)
    ]
    assert np.array_equal(found, again)


def test_a_column_of_zeros_stays_zero():
    assert (ws.weighted_sums(ws.gaussian_weights, np.zeros((100, 2)), 10, 1) == 0).all()


def test_resamples_are_of_the_same_size():
    counts = ws.resampling_weights(ws.generator(1), 200, 50)
    assert (counts.sum(axis=1) == 50).all()
    assert len(np.unique(counts, axis=0)) == 200
    # Each block comes up once on average: 200 resamples, variance 49/50 each.
    assert (np.abs(counts.mean(axis=0) - 1) < 5 * np.sqrt(0.98 / 200)).all()
