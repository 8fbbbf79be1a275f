"""Intervals for a number of blocks fixed in advance: means, contrasts, ratios.

All of them are Student t intervals on block values. With fewer than two blocks there is none: its ends are
NaN, and whoever prints them says so (`MIN_BLOCKS`); a verdict in words needs `MIN_BLOCKS_FOR_VERDICT`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shanghai_sim.inference.blocks import FloatArray, Moments

#: Blocks that any interval needs.
MIN_BLOCKS = 2
#: Blocks below which nothing is claimed in words.
MIN_BLOCKS_FOR_VERDICT = 200


@dataclass(frozen=True, eq=False)
class Interval:
    """Estimates with their intervals, arrays of one shape.

    Parameters
    ----------
    estimate, low, high : float64[...]
        NaN ends: too few blocks for an interval. NaN estimate: nothing to estimate from (a share of no
        cases).
    n_blocks : int
        Blocks behind them.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    n_blocks: int


def t_quantile(level: float, degrees: int) -> float:
    """Return the two-sided Student t quantile: half-width in standard errors of an interval at `level`.

    Parameters
    ----------
    level : float
        Coverage, between 0 and 1, e.g. 0.95.
    degrees : int
        Degrees of freedom, 1 or more.
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2))


def p_values(found: Interval, level: float = 0.95) -> FloatArray:
    """Return the two-sided p-values of "it is 0" of t intervals at `level`; NaN where there is no interval.

    1 for an estimate of 0, and 0 for another one without spread.
    """
    from scipy.special import stdtr

    degrees = max(found.n_blocks - 1, 1)
    error = (found.high - found.low) / 2 / t_quantile(level, degrees)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(degrees, -np.abs(found.estimate) / error)
    return np.where(np.isnan(error), np.nan, np.where(found.estimate == 0, 1.0, p))


def _around(estimate: FloatArray, variance: FloatArray, n: int, level: float) -> Interval:
    """Return estimate +- t * sqrt(variance / n); `variance` is that of one block value."""
    if n < MIN_BLOCKS:
        nothing = np.full_like(estimate, np.nan)
        return Interval(estimate, nothing, nothing, n)
    # Rounding can leave a variance of -1e-20 where the true one is nought.
    half = t_quantile(level, n - 1) * np.sqrt(np.maximum(variance, 0.0) / n)
    return Interval(estimate, estimate - half, estimate + half, n)


def mean_interval(moments: Moments, level: float = 0.95) -> Interval:
    """Return the mean of every component with its t interval, arrays of shape [..., k]."""
    variance = np.diagonal(moments.covariance, axis1=-2, axis2=-1)
    return _around(moments.mean, variance, moments.n, level)


def contrast_interval(moments: Moments, weights: ArrayLike, level: float = 0.95) -> Interval:
    """Return a weighted sum of the components with its t interval, arrays of shape [...].

    The variance takes in the covariances: a difference of two groups at one table (weights 1 and -1) is as
    sharp as their common luck makes it.

    Parameters
    ----------
    moments : Moments
        Vectors of k components.
    weights : array_like of float, shape [k]
        Weight of each component.
    level : float
        Coverage.
    """
    w = np.asarray(weights, dtype=np.float64)
    variance = np.einsum("i,...ij,j->...", w, moments.covariance, w)
    return _around(np.asarray(moments.mean @ w), variance, moments.n, level)


def ratio_interval(moments: Moments, numerator: int, denominator: int, level: float = 0.95) -> Interval:
    """Return the ratio of two components' means with its t interval, arrays of shape [...].

    For rates whose number of cases differs from block to block, e.g. per deal laid down:
    ``r = sum N / sum M`` with variance ``var(N - r M) / (n Mbar^2)`` (the linearised, or delta-method, form).

    Parameters
    ----------
    moments : Moments
        Vectors of k components.
    numerator, denominator : int
        Their indices. Where no block has a case (mean denominator 0) the estimate is NaN.
    level : float
        Coverage.
    """
    n_bar, m_bar = moments.mean[..., numerator], moments.mean[..., denominator]
    cases = m_bar != 0
    safe = np.where(cases, m_bar, 1.0)
    ratio = np.where(cases, n_bar / safe, np.nan)
    cov = moments.covariance
    spread = (
        cov[..., numerator, numerator]
        - 2 * ratio * cov[..., numerator, denominator]
        + ratio**2 * cov[..., denominator, denominator]
    )
    return _around(ratio, spread / safe**2, moments.n, level)


def exact_interval(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson (1934) for a chance: `count` of `n` independent cases.

    It covers at least at `level` however rare the cases are; 0 of n and n of n have intervals too.
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, n - count + 1, tail))
    high = 1.0 if count == n else float(betaincinv(count + 1, n - count, 1 - tail))
    return low, high
