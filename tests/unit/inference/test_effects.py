"""Effect sizes, and what pairing gained."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.effects import (
    arm_correlation,
    chance_to_beat,
    per_evenings,
    standardised,
    table_elo,
    variance_reduction,
)
from shanghai_sim.inference.intervals import Interval, mean_interval


def _interval(estimate, low, high):
    return Interval(np.array(estimate), np.array(low), np.array(high), 1_000)


def test_units():
    found = standardised(_interval(5.0, 2.5, 10.0), 50.0)
    assert (found.estimate, found.low, found.high, found.n_blocks) == (0.1, 0.05, 0.2, 1_000)
    found = per_evenings(_interval(0.02, -0.01, 0.05), 100, 2)
    assert (found.estimate, found.low, found.high) == pytest.approx((4, -2, 10))
    with pytest.raises(ValueError, match="deviation"):
        standardised(_interval(1.0, 1.0, 1.0), 0)
    with pytest.raises(ValueError, match="evenings"):
        per_evenings(_interval(1.0, 1.0, 1.0), 0)


def test_table_elo():
    # Two players at 10 to 1 odds: 400 by definition. A fair share of any table: 0.
    assert table_elo(_interval(10 / 11, 0.5, 1.0), 2).estimate == pytest.approx(400)
    assert table_elo(_interval(10 / 11, 0.5, 1.0), 2).high == math.inf
    for players in range(2, 9):
        assert table_elo(_interval(1 / players, 0.0, 0.9), players).estimate == pytest.approx(0, abs=1e-9)
    found = table_elo(_interval([0.3, 0.5], [-0.1, 0.4], [0.4, 1.1]), 4)
    assert found.estimate[0] == pytest.approx(400 * math.log10(0.3 * 3 / 0.7))
    assert found.low[0] == -math.inf
    assert found.high[1] == math.inf
    assert (found.low <= found.estimate).all()
    with pytest.raises(ValueError, match="two players"):
        table_elo(_interval(0.5, 0.4, 0.6), 1)


def test_chance_to_beat_agrees_with_counting():
    rng = np.random.default_rng(1)
    for shape in ((40,), (40, 3)):
        a, b = rng.integers(0, 5, shape).astype(float), rng.integers(0, 5, shape).astype(float)
        found = chance_to_beat(a, b)
        counted = [
            np.mean([1.0 if x > y else 0.5 if x == y else 0.0 for x, y in zip(xs, ys, strict=True)])
            for xs, ys in zip(a.reshape(40, -1), b.reshape(40, -1), strict=True)
        ]
        plain = mean_interval(Moments.of(np.array(counted)[:, None]))
        assert found.estimate == pytest.approx(plain.estimate[0])
        assert (found.low, found.high) == (pytest.approx(plain.low[0]), pytest.approx(plain.high[0]))
        turned = chance_to_beat(b, a)
        assert turned.estimate == pytest.approx(1 - found.estimate)
        assert turned.low == pytest.approx(1 - found.high)


def test_chance_to_beat_stays_within_0_and_1():
    a = np.zeros(10)
    a[0] = -1.0
    found = chance_to_beat(np.ones(10), a + 1)
    assert found.low >= 0
    assert chance_to_beat(np.ones(10), np.r_[2.0, np.zeros(9)]).high == 1
    assert chance_to_beat(a, a).estimate == 0.5
    with pytest.raises(ValueError, match="one shape"):
        chance_to_beat(np.ones(3), np.ones(4))


def test_correlation_of_arms():
    rng = np.random.default_rng(2)
    for _ in range(20):
        a = rng.normal(size=50)
        b = rng.uniform(-1, 1) * a + rng.normal(size=50)
        assert arm_correlation(a, b) == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert math.isnan(arm_correlation(a, np.ones(50)))
    with pytest.raises(ValueError, match="one value a block"):
        arm_correlation(np.ones((3, 2)), np.ones((3, 2)))


def test_variance_reduction_of_a_design_of_known_gain():
    """Pairs of games with correlation rho: the variance falls to (1 - rho) of it, for as many games."""
    n, rho, sd = 5_000, 0.75, 30.0
    se = math.sqrt(2 * sd**2 * (1 - rho) / n)
    found = variance_reduction(sd**2, sd**2, 2 * n, se)
    assert found.factor == pytest.approx(1 / (1 - rho))
    assert not found.hurts
    assert variance_reduction(sd**2, sd**2, 2 * n, 2 * math.sqrt(2 * sd**2 / n)).hurts
    assert variance_reduction(1.0, 0.0, 10, 0.0).factor == math.inf
    for wrong in ((0, 0, 10, 1), (-1, 2, 10, 1), (1, 1, 0, 1), (1, 1, 10, -1)):
        with pytest.raises(ValueError, match="no variance reduction"):
            variance_reduction(*wrong)
