"""Resamples of blocks: means, quantiles, ranks."""

from __future__ import annotations

import numpy as np
import pytest

from shanghai_sim.inference.resampling import quantile_intervals, rank_intervals, rank_sets, resampled_means
from shanghai_sim.inference.weighted_sums import generator, resampling_weights
from tests.reference import slow_inference as slow


def test_resampled_means_are_means_of_resamples():
    values = np.random.default_rng(1).normal(100, 5, (80, 3))
    found = resampled_means(values, seed=2, draws=25)
    for row, times in zip(found, resampling_weights(generator(2), 25, 80), strict=True):
        assert row == pytest.approx(np.repeat(values, times.astype(int), axis=0).mean(axis=0), abs=1e-4)
    with pytest.raises(ValueError, match="block values need the shape"):
        resampled_means(np.zeros((0, 2)), 1)


def test_resampled_means_spread_as_their_standard_error():
    values = np.random.default_rng(2).gamma(1.0, 1.0, (2_000, 1))
    found = resampled_means(values, seed=3).std()
    # The spread of 2,000 draws is known to 1 / sqrt(2 * 2000) = 1.6 %.
    assert found == pytest.approx(values.std() / np.sqrt(2_000), rel=0.08)


def test_quantiles_agree_with_sorting():
    rng = np.random.default_rng(3)
    for seed in range(20):
        n, m = int(rng.integers(2, 30)), int(rng.integers(1, 5))
        blocks = rng.poisson(4, (n, m)).astype(float)
        blocks[rng.random((n, m)) < 0.2] = np.nan
        blocks[0, 0] = 3.0
        p = np.array([0.07, 0.5, 0.9, 1.0])
        found = quantile_intervals(blocks, p, seed, level=0.8, draws=40)
        times = resampling_weights(generator(seed), 40, n).astype(int)
        there = [row for row in times if (row * (~np.isnan(blocks)).sum(axis=1)).sum() > 0]
        drawn = [[slow.quantile(blocks.tolist(), row.tolist(), x) for x in p] for row in there]
        assert found.estimate.tolist() == [slow.quantile(blocks.tolist(), [1] * n, x) for x in p]
        assert found.low.tolist() == np.quantile(drawn, 0.1, axis=0, method="inverted_cdf").tolist()
        assert found.high.tolist() == np.quantile(drawn, 0.9, axis=0, method="inverted_cdf").tolist()


def test_quantiles_of_what_is_equal_within_blocks_are_as_unsure_as_the_blocks():
    """A hundred equal observations in each block are worth one."""
    one = np.random.default_rng(4).normal(size=60)
    single = quantile_intervals(one, np.array([0.5]), 5)
    many = quantile_intervals(np.repeat(one[:, None], 100, axis=1), np.array([0.5]), 5)
    assert (single.low, single.high) == (many.low, many.high)
    assert single.low < single.estimate < single.high


def test_a_share_that_rounds_up_asks_for_no_more_observations():
    """In floating point, 0.07 * 100 is above 7."""
    assert quantile_intervals(np.arange(1.0, 101.0), np.array([0.07]), 1, draws=10).estimate == [7]


def test_wrong_quantiles_are_refused():
    for p in (0.0, 1.1, -0.5):
        with pytest.raises(ValueError, match="probabilities are"):
            quantile_intervals(np.ones(5), np.array([p]), 1)
    with pytest.raises(ValueError, match="no observations"):
        quantile_intervals(np.full(5, np.nan), np.array([0.5]), 1)


def test_ranks_agree_with_counting():
    rng = np.random.default_rng(5)
    for seed in range(10):
        values = rng.normal(size=(50, 5)) + rng.normal(size=5) * 0.2
        found = rank_intervals(values, seed, level=0.9, draws=60)
        assert found.rank.tolist() == slow.ranks(values.mean(axis=0).tolist())
        drawn = np.array([slow.ranks(row.tolist()) for row in resampled_means(values, seed, 60)])
        assert found.low.tolist() == np.quantile(drawn, 0.05, axis=0, method="inverted_cdf").tolist()
        assert found.high.tolist() == np.quantile(drawn, 0.95, axis=0, method="inverted_cdf").tolist()
        assert found.best == pytest.approx((drawn == 1).mean(axis=0))


def test_a_tie_shares_first_place():
    values = np.random.default_rng(6).normal(size=(200, 3))
    values[:, 1] = values[:, 0]
    values[:, 2] -= 5
    for ranks in (rank_intervals(values, 1), rank_sets(values, 1)):
        assert ranks.rank.tolist() == [1, 1, 3]
        assert ranks.best.tolist() == [0.5, 0.5, 0]
        assert ranks.high[2] == ranks.low[2] == 3


def test_rank_sets_hold_the_ranks_found_and_tell_clear_from_unclear():
    rng = np.random.default_rng(7)
    values = rng.normal(size=(1_000, 5)) + np.array([1.0, 0.0, 0.01, -1.0, 0.02])
    found = rank_sets(values, 1)
    assert (found.low <= found.rank).all()
    assert (found.rank <= found.high).all()
    assert found.low.tolist() == [1, 2, 2, 5, 2]
    assert found.high.tolist() == [1, 4, 4, 5, 4]
    alone = rank_sets(values[:, :1], 1)
    assert (alone.low, alone.high, alone.best) == ([1], [1], [1])


def test_two_competitors_are_told_apart_just_when_their_difference_is():
    rng = np.random.default_rng(8)
    seen = set()
    for seed in range(20):
        values = rng.normal(size=(100, 2)) + np.array([0.3, 0.0])
        means = resampled_means(values, seed)
        clear = np.mean(means[:, 0] > means[:, 1]) >= 0.975
        found = rank_intervals(values, seed)
        assert (found.high[0] == 1) == clear
        seen.add(bool(clear))
    assert seen == {True, False}
