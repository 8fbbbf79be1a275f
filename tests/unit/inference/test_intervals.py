"""Moments that merge, and intervals that cover."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from shanghai_sim.inference.blocks import Moments, from_arrays, merge_all, to_arrays
from shanghai_sim.inference.intervals import (
    contrast_interval,
    exact_interval,
    mean_interval,
    p_values,
    ratio_interval,
    t_quantile,
)


@pytest.fixture
def values():
    return np.random.default_rng(1).normal(5, 3, (700, 2, 4)) + np.arange(4)


def test_moments_agree_with_numpy(values):
    found = Moments.of(values)
    assert found.mean == pytest.approx(values.mean(axis=0))
    for cell in range(2):
        assert found.covariance[cell] == pytest.approx(np.cov(values[:, cell].T))


def test_merged_pieces_agree_with_the_whole(values):
    pieces = [Moments.of(values[i : i + 130]) for i in range(0, 700, 130)]
    whole, merged = Moments.of(values), merge_all(pieces)
    assert merged.n == 700
    assert merged.mean == pytest.approx(whole.mean)
    assert merged.comoment == pytest.approx(whole.comoment)
    again = merge_all(from_arrays(to_arrays({"x": piece}))["x"] for piece in pieces)
    assert np.array_equal(again.comoment, merged.comoment)


def test_quantiles_are_those_of_the_tables():
    assert t_quantile(0.95, 10) == pytest.approx(2.228, abs=5e-4)
    assert t_quantile(0.95, 10**6) == pytest.approx(1.960, abs=5e-4)


def test_one_block_gives_no_interval():
    found = mean_interval(Moments.of(np.ones((1, 3))))
    assert np.isnan(found.low).all()
    assert found.estimate.tolist() == [1, 1, 1]


def test_p_values_are_those_of_a_t_test(values):
    flat = values.reshape(700, -1)[:20] - 5
    expected = ttest_1samp(flat, 0).pvalue
    assert p_values(mean_interval(Moments.of(flat))) == pytest.approx(expected)
    constant = np.stack([np.zeros(5), np.ones(5)], axis=1)
    assert p_values(mean_interval(Moments.of(constant))).tolist() == [1, 0]
    assert np.isnan(p_values(mean_interval(Moments.of(np.ones((1, 2)))))).all()


def test_a_contrast_uses_the_covariance():
    rng = np.random.default_rng(2)
    common = rng.normal(0, 10, 400)
    values = np.stack([common + rng.normal(0, 1, 400), common + rng.normal(0, 1, 400)], axis=1)
    found = contrast_interval(Moments.of(values), [1, -1])
    alone = values[:, 0] - values[:, 1]
    assert found.estimate == pytest.approx(alone.mean())
    half = t_quantile(0.95, 399) * alone.std(ddof=1) / 20
    assert found.high - found.estimate == pytest.approx(half)


def test_intervals_cover_at_their_level():
    """Means and ratios of skewed block values: 95 % within the binomial margin of 2,000 trials."""
    rng = np.random.default_rng(3)
    n, trials = 200, 2_000
    m = rng.poisson(3, (trials, n)) + 0.0
    values = np.stack([rng.gamma(2.0, 1.0, (trials, n)) * m, m], axis=-1)
    truth = 2.0
    hits_ratio = hits_mean = 0
    for block_values in values:
        moments = Moments.of(block_values)
        ratio = ratio_interval(moments, 0, 1)
        hits_ratio += ratio.low <= truth <= ratio.high
        mean = mean_interval(moments)
        hits_mean += mean.low[1] <= 3 <= mean.high[1]
    margin = 3.3 * np.sqrt(0.95 * 0.05 / trials)
    assert abs(hits_ratio / trials - 0.95) < margin + 0.01  # the delta method is first order in 1/n
    assert abs(hits_mean / trials - 0.95) < margin


def test_a_ratio_without_cases_is_no_number():
    found = ratio_interval(Moments.of(np.zeros((5, 2))), 0, 1)
    assert np.isnan(found.estimate)


def test_the_exact_interval_is_that_of_the_tables():
    """Clopper and Pearson: 3 of 20 at 95 %; the rule of three at none."""
    assert exact_interval(3, 20) == pytest.approx((0.0321, 0.3789), abs=5e-5)
    assert exact_interval(0, 100) == pytest.approx((0, 1 - 0.025**0.01))
    assert exact_interval(100, 100) == pytest.approx((0.025**0.01, 1))
