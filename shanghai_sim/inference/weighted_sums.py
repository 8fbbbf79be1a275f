"""Sums over blocks under many random weightings, the same bit for bit on every machine and thread count.

A bootstrap needs ``weights @ values`` for thousands of rows of weights. A matrix product is the only fast way, but
how it orders its additions depends on the library, the processor and the number of threads, and so do the last
bits of the result. Here both factors are first rounded to whole numbers of some unit, so few of them that no
partial sum exceeds what a double holds exactly: then all orders give the same bits. What the rounding costs
(values to 2**-23 of the column's largest, weights to 2**-14) is far below the noise of any bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shanghai_sim.inference.blocks import FloatArray

# PIECE products of a weight up to 2**5 (no normal number in double precision reaches 9, and a block comes up more
# than 32 times in a resample with chance 1e-36) and a value up to 1: 13 + 5 + 13 + 22 = 53 bits, what a double holds.
PIECE = 1 << 13
WEIGHT_UNIT = 2.0**-13
VALUE_UNIT = 2.0**-22
# Numbers held in one matrix of weights (32 MB), whatever the number of blocks.
_AT_ONCE = 1 << 22


def generator(seed: int) -> np.random.Generator:
    """Return the generator behind every random figure of this room: Philox, keyed by a seed of 0 or more."""
    return np.random.Generator(np.random.Philox(seed))


def gaussian_weights(rng: np.random.Generator, draws: int, n: int) -> FloatArray:
    """Return independent standard normal weights, float64[draws, n]."""
    return rng.standard_normal((draws, n))


def resampling_weights(rng: np.random.Generator, draws: int, n: int) -> FloatArray:
    """Return how often each of n blocks comes up in n draws with replacement, float64[draws, n]."""
    counts = np.empty((draws, n))
    for row in counts:
        row[:] = np.bincount(rng.integers(0, n, n), minlength=n)
    return counts


def weighted_sums(
    weights: Callable[[np.random.Generator, int, int], FloatArray],
    values: FloatArray,
    draws: int,
    seed: int,
) -> FloatArray:
    """Return ``sum_b w_b values[b]`` for many random rows of weights.

    Parameters
    ----------
    weights : callable
        `gaussian_weights` or `resampling_weights`; rows must not depend on how many are asked for at once.
    values : float64[n, k]
        Values of n blocks; centred ones lose least to the rounding.
    draws : int
        Rows of weights.
    seed : int
        Seed of the weights, 0 or more.

    Returns
    -------
    float64[draws, k]
    """
    n, k = values.shape
    scale = _power_of_two_above(values)
    whole = np.rint(values / (scale * VALUE_UNIT))
    rng = generator(seed)
    sums = np.zeros((draws, k))
    step = max(1, _AT_ONCE // n)
    for first in range(0, draws, step):
        batch = sums[first : first + step]
        w = weights(rng, len(batch), n)
        np.rint(np.multiply(w, 1 / WEIGHT_UNIT, out=w), out=w)
        for start in range(0, n, PIECE):
            batch += w[:, start : start + PIECE] @ whole[start : start + PIECE]
    return np.asarray(sums * (scale * VALUE_UNIT * WEIGHT_UNIT))


def _power_of_two_above(values: FloatArray) -> FloatArray:
    """Return per column a power of two not below its largest absolute value (1 for a column of zeros)."""
    largest = np.abs(values).max(axis=0)
    return np.where(largest > 0, np.ldexp(1.0, np.frexp(largest)[1]), 1.0)
