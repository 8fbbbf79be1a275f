"""Intervals that hold for all columns of a table together, fit for few blocks too."""

from __future__ import annotations

from itertools import combinations
from math import erfc, sqrt

import numpy as np

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.intervals import MIN_BLOCKS, Interval, t_quantile
from shanghai_sim.inference.multiplicity import max_t


def simultaneous(values: FloatArray, seed: int, level: float = 0.95) -> Interval:
    """Return the means of columns with intervals that all hold together with chance `level`.

    Max-t bands, whose multipliers are normal. With few blocks Student's t has longer tails than that, so the
    critical value is replaced by the quantile of t that leaves as much beyond it; with one column that is the usual
    t interval.

    Parameters
    ----------
    values : float64[n, k]
        Block values, n of 1 or more: with a single block the intervals are NaN.
    seed : int
        Seed of the multipliers.
    level : float
        Coverage of all together.
    """
    n = len(values)
    if n < MIN_BLOCKS:
        mean = values.mean(axis=0)
        return Interval(mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan), n)
    found = max_t(values, seed)
    beyond = erfc(found.critical_value(level) / sqrt(2))
    # Beyond 0: no spread anywhere, or a critical value past what a double tells from certainty.
    wide = t_quantile(1 - beyond, n - 1) if 0 < beyond < 1 else found.critical_value(level)
    half = wide * found.error
    return Interval(found.mean, found.mean - half, found.mean + half, n)


def all_pairs(values: FloatArray, seed: int, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return the ends of simultaneous intervals of all differences of columns, float64[k, k] each.

    Entry [i, j] is for column i minus column j; the diagonal is 0.

    Parameters
    ----------
    values, seed, level
        As in `simultaneous`, with two columns or more.
    """
    k = values.shape[1]
    first, second = np.array(list(combinations(range(k), 2))).T
    found = simultaneous(values[:, first] - values[:, second], seed, level)
    low, high = np.zeros((k, k)), np.zeros((k, k))
    low[first, second], high[first, second] = found.low, found.high
    low[second, first], high[second, first] = -found.high, -found.low
    return low, high
