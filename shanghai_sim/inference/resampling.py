"""Intervals by resampling blocks, for what has no formula: quantiles, and ranks of competitors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.multiplicity import DRAWS, max_t
from shanghai_sim.inference.weighted_sums import generator, resampling_weights, weighted_sums


def resampled_means(values: FloatArray, seed: int, draws: int = DRAWS) -> FloatArray:
    """Return the means of k columns in many resamples of whole blocks, float64[draws, k].

    The bootstrap of Efron (1979) with the block as the unit, so that columns keep their dependence.

    Parameters
    ----------
    values : float64[n, k]
        Block values, n of 1 or more. A column with a NaN has NaN means, and harms no other.
    seed : int
        Seed of the resamples, 0 or more: the same seed gives the same bits.
    draws : int
        Resamples.
    """
    if values.ndim != 2 or len(values) == 0:
        raise ValueError(f"block values need the shape (n, k) with n of 1 or more, not {values.shape}")
    mean = _means(values)
    return mean + weighted_sums(resampling_weights, values - mean, draws, seed) / len(values)


def quantile_intervals(
    values: FloatArray, probabilities: FloatArray, seed: int, level: float = 0.95, draws: int = DRAWS
) -> Interval:
    """Return quantiles of the pooled observations with percentile intervals from resampled blocks, shape [q].

    A quantile is the smallest observation that at least a share p of them does not exceed, so the median of whole
    numbers is a whole number.

    Parameters
    ----------
    values : float64[n] or float64[n, m]
        Up to m observations in each of n blocks; NaN where a block has fewer.
    probabilities : float64[q]
        p, above 0 to 1.
    seed, draws : int
        As in `resampled_means`.
    level : float
        Coverage of each interval.
    """
    if not ((probabilities > 0) & (probabilities <= 1)).all():
        raise ValueError(f"probabilities are above 0, at most 1, not {probabilities}")
    n = len(values)
    table = values.reshape(n, -1)
    block, column = np.nonzero(~np.isnan(table))
    if len(block) == 0:
        raise ValueError("no observations")
    pooled = table[block, column]
    order = np.argsort(pooled, kind="stable")
    pooled, block = pooled[order], block[order]

    def quantiles(times: FloatArray) -> FloatArray:
        """Return the quantiles where block b comes up ``times[b]`` times; NaN if nothing was observed."""
        reached = np.cumsum(times[block])
        if reached[-1] == 0:
            return np.full(len(probabilities), np.nan)
        # 0.07 * 100 is above 7 in floating point; counts are whole, so a hair less asks for the same.
        return np.asarray(pooled[np.searchsorted(reached, probabilities * reached[-1] * (1 - 1e-12))])

    rng = generator(seed)
    drawn = np.array([quantiles(resampling_weights(rng, 1, n)[0]) for _ in range(draws)])
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    return Interval(quantiles(np.ones(n)), low, high, n)


@dataclass(frozen=True, eq=False)
class Ranks:
    """Ranks of k competitors, 1 for the best; equal means share the better rank.

    Parameters
    ----------
    rank : int64[k]
        By the means found.
    low, high : int64[k]
        Interval of each rank.
    best : float64[k]
        Share of the resamples in which it has the best mean; those that share a first place share it evenly.
    """

    rank: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    best: FloatArray


def rank_intervals(values: FloatArray, seed: int, level: float = 0.95, draws: int = DRAWS) -> Ranks:
    """Return ranks with percentile intervals over resamples of blocks.

    They show how stable a ranking is. They are no confidence intervals among competitors that are about equal,
    where the bootstrap of a rank is inconsistent; `rank_sets` are.

    Parameters
    ----------
    values : float64[n, k]
        Block values of k competitors on the same blocks, higher is better.
    seed, draws : int
        As in `resampled_means`.
    level : float
        Share of the resamples within each interval.
    """
    means = resampled_means(values, seed, draws)
    drawn = _ranks(means)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    first = drawn == 1
    best = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return Ranks(_found_ranks(values), low.astype(np.int64), high.astype(np.int64), best)


def rank_sets(values: FloatArray, seed: int, level: float = 0.95, draws: int = DRAWS) -> Ranks:
    """Return ranks with intervals that hold the true ranks of all competitors together with chance `level`.

    A competitor's rank is at least one more than the number of those that are clearly better, and at most k less
    the number of those clearly worse; "clearly" by simultaneous max-t bands of all pairwise differences (Mogstad,
    Romano, Shaikh and Wilhelm 2024, *Inference for ranks*). Parameters as in `rank_intervals`.
    """
    k = values.shape[1]
    better = np.zeros((k, k), dtype=np.int64)  # [i, j]: i is clearly better than j
    if k > 1:
        pairs = np.array(list(combinations(range(k), 2)))
        found = max_t(values[:, pairs[:, 0]] - values[:, pairs[:, 1]], seed, draws).bands(level)
        better[pairs[:, 0], pairs[:, 1]] = found.low > 0
        better[pairs[:, 1], pairs[:, 0]] = found.high < 0
    best = rank_intervals(values, seed, level, draws).best
    return Ranks(_found_ranks(values), 1 + better.sum(axis=0), k - better.sum(axis=1), best)


def _means(values: FloatArray) -> FloatArray:
    # Column by column, so that equal columns have equal means to the last bit.
    return np.array([np.ascontiguousarray(column).mean() for column in values.T])


def _found_ranks(values: FloatArray) -> NDArray[np.int64]:
    return np.asarray(_ranks(_means(values)[None, :])[0])


def _ranks(means: FloatArray) -> NDArray[np.int64]:
    """Return one more than how many are strictly better, row by row: int64[rows, k] from float64[rows, k]."""
    return np.asarray(1 + (means[:, None, :] > means[:, :, None]).sum(axis=2), dtype=np.int64)
