"""Many comparisons in one report: error rates and intervals that hold for all of them together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.weighted_sums import gaussian_weights, weighted_sums

#: Draws of a bootstrap.
DRAWS = 2_000


def holm(p_values: FloatArray) -> FloatArray:
    """Return Holm's adjusted p-values, float64[k]: those at most alpha are rejected at family-wise error alpha.

    The j-th smallest of k is ``max over i <= j of (k - i + 1) p_(i)``, at most 1 (Holm 1979, *A simple
    sequentially rejective multiple test procedure*); valid whatever the dependence.

    Parameters
    ----------
    p_values : float64[k]
        One per comparison of the family, from 0 to 1.
    """
    if p_values.ndim != 1 or not ((p_values >= 0) & (p_values <= 1)).all():
        raise ValueError(f"p-values are a row of numbers from 0 to 1, not {p_values}")
    k = len(p_values)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(k)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * np.arange(k, 0, -1)))
    return adjusted


@dataclass(frozen=True, eq=False)
class MaxT:
    """The law of the largest of k studentised means, all of them centred, from shared blocks.

    Parameters
    ----------
    mean, error : float64[k]
        Means of the columns and their standard errors.
    largest : float64[draws]
        Bootstrap draws of ``max_k |t_k|``, in rising order.
    n_blocks : int
        Blocks behind them.
    """

    mean: FloatArray
    error: FloatArray
    largest: FloatArray
    n_blocks: int

    def critical_value(self, level: float = 0.95) -> float:
        """Return the half-width, in standard errors, of simultaneous intervals at `level`; 0 without spread."""
        return float(np.quantile(self.largest, level, method="inverted_cdf"))

    def bands(self, level: float = 0.95) -> Interval:
        """Return the means with intervals that all hold together with chance `level`, arrays of shape [k].

        A column that does not vary has an interval of no width.
        """
        half = self.critical_value(level) * self.error
        return Interval(self.mean, self.mean - half, self.mean + half, self.n_blocks)

    def p_values(self) -> FloatArray:
        """Return p-values of "the mean is 0" adjusted for all columns, float64[k], above 0.

        Single-step: the share of draws whose largest is at least the column's own absolute t, with the observation
        counted in. 1 for a column of zeros.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(self.mean == 0, 0.0, np.abs(self.mean) / self.error)
        beyond = len(self.largest) - np.searchsorted(self.largest, t, side="left")
        return np.asarray((beyond + 1) / (len(self.largest) + 1))


def max_t(values: FloatArray, seed: int, draws: int = DRAWS) -> MaxT:
    """Return the max-t multiplier bootstrap of the means of k columns on shared blocks.

    A draw is ``max_k |sum_b g_b (D_bk - Dbar_k)| / (s_k sqrt n)`` with independent standard normal g_b
    (Chernozhukov, Chetverikov and Kato 2013, *Gaussian approximations and multiplier bootstrap for maxima of sums
    of high-dimensional random vectors*). One g per block keeps the dependence of the columns, which is what makes
    it narrower than Bonferroni.

    Parameters
    ----------
    values : float64[n, k]
        Block values of k comparisons on the same n blocks, 2 or more.
    seed : int
        Seed of the multipliers, 0 or more: the same seed gives the same bits.
    draws : int
        Bootstrap draws.

    Notes
    -----
    Needs memory for a few copies of `values` and some 100 MB, and the time of ``draws * n`` normal numbers and a
    matrix product.
    """
    if values.ndim != 2 or values.shape[0] < 2 or values.shape[1] < 1:
        raise ValueError(f"block values need the shape (n, k) with n of 2 or more, not {values.shape}")
    n = len(values)
    mean = values.mean(axis=0)
    # Rounding leaves the mean of equal values a last bit off: no spread must be 0, not 1e-17.
    varies = (values != values[0]).any(axis=0)
    centred = np.where(varies, values - mean, 0.0)
    sd = np.sqrt((centred**2).sum(axis=0) / (n - 1))
    studentised = centred / np.where(varies, sd, 1.0)
    sums = weighted_sums(gaussian_weights, studentised, draws, seed)
    largest = np.sort(np.abs(sums).max(axis=1) / np.sqrt(n))
    return MaxT(mean, sd / np.sqrt(n), largest, n)


def bonferroni_level(level: float, k: int) -> float:
    """Return the level of each of k intervals that are to hold together at `level` (k of 1 or more).

    The way to simultaneous confidence sequences, which no bootstrap at one number of blocks can give.
    """
    if k < 1:
        raise ValueError(f"a family has one comparison or more, not {k}")
    return 1 - (1 - level) / k
