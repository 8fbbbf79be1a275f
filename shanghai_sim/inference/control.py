"""Luck taken out of differences: regression on features whose mean is known to be 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shanghai_sim.inference.blocks import FloatArray, Moments
from shanghai_sim.inference.intervals import mean_interval


@dataclass(frozen=True, eq=False)
class Adjusted:
    """Block values without the luck that the features explain.

    Parameters
    ----------
    values : float64[n]
        ``D_b - theta' l_b``; the same mean in expectation, for the same intervals.
    gain : float
        Variance before over variance after: how many times the blocks it is worth. Below 1 it was of no use; NaN
        where nothing varied.
    slopes : float64[2, q]
        theta of either half of the blocks (even, odd numbers), as used on the other half.
    real : bool
        Whether the variance is lower beyond doubt: squared deviations fell by more than their 95 % interval.
    """

    values: FloatArray
    gain: float
    slopes: FloatArray
    real: bool


def adjust_for_luck(values: FloatArray, luck: FloatArray) -> Adjusted:
    """Return block values less their regression on luck features, cross-fitted in two halves.

    Control variates (Lavenberg and Welch 1981) with ``theta = S_ll^{-1} S_lD``. A slope fitted to a block's own
    luck would tie it to its own noise and bias the mean; the slope from the other half is independent of it, so
    ``D_b - theta' l_b`` keeps its mean exactly, whatever the slope.

    Parameters
    ----------
    values : float64[n]
        Block values D_b in index order.
    luck : float64[n, q]
        Differences of luck features, variant minus baseline, each of mean exactly 0. n is at least ``2 (q + 2)``.
        Features that say the same thing twice share their slope.
    """
    n, q = luck.shape
    if values.shape != (n,) or n < 2 * (q + 2):
        raise ValueError(f"{q} luck features need values of {2 * (q + 2)} blocks or more, not {values.shape}")
    both = np.column_stack([luck, values])
    # Even and odd numbers: halves of the same age, that stay what they are while a run grows.
    slopes = np.stack([_slope(Moments.of(both[half::2]).covariance) for half in (0, 1)])
    adjusted = values.copy()
    for half in (0, 1):
        adjusted[half::2] -= np.einsum("bq,q->b", luck[half::2], slopes[1 - half])
    before, after = values.var(ddof=1), adjusted.var(ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Adjusted(adjusted, float(before / after), slopes, _is_real(values, adjusted))


def _is_real(values: FloatArray, adjusted: FloatArray) -> bool:
    """Return whether the squared deviations of the adjusted values are lower beyond doubt."""
    fell = (values - values.mean()) ** 2 - (adjusted - adjusted.mean()) ** 2
    found = mean_interval(Moments.of(fell[:, None]))
    return bool(found.low[0] > 0)


def _slope(covariance: FloatArray) -> FloatArray:
    """Return theta from the covariance matrix of features and value (last); the shortest where it is not unique."""
    ll, ld = covariance[:-1, :-1], covariance[:-1, -1]
    # In units of each feature's own spread, or features of small numbers would be cut off as rounding.
    unit = np.sqrt(np.diagonal(ll))
    unit = np.where(unit > 0, unit, 1.0)
    inverse = np.linalg.pinv(ll / np.outer(unit, unit), rcond=1e-10, hermitian=True)
    return np.asarray(inverse @ (ld / unit) / unit)
