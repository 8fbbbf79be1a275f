"""The Kaplan-Meier estimate of when something happens, with errors from parts of the blocks.

Whether and when a contract would be laid down is cut off when somebody else goes out. Those who were still at
it then count as long as they were at it (Kaplan and Meier 1958, *Nonparametric estimation from incomplete
observations*). That is the curve of a deal which nobody else ends, if being cut off tells nothing about how
near one was. Errors are those of the jackknife over parts of whole blocks, since seats and games of a block
are not independent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.intervals import MIN_BLOCKS, Interval, t_quantile

#: Cases at risk below which a curve is not drawn on: a few last ones would send it anywhere.
MIN_AT_RISK = 20


def kaplan_meier(
    events: NDArray[np.integer], censored: NDArray[np.integer], least: int = MIN_AT_RISK
) -> FloatArray:
    """Return the share of cases to which the event has happened by each time.

    Parameters
    ----------
    events, censored : int[..., times]
        Cases that end at each time with the event, and without it. The latter were at risk at that time too.
    least : int
        Cases, 1 or more.

    Returns
    -------
    float64[..., times]
        NaN from where on fewer than `least` are at risk.
    """
    leaving = events + censored
    at_risk = np.cumsum(leaving[..., ::-1], axis=-1)[..., ::-1]
    left = np.where(at_risk >= least, 1 - events / np.maximum(at_risk, 1), np.nan)
    return np.asarray(1 - np.cumprod(left, axis=-1))


def curve_interval(
    events: NDArray[np.integer], censored: NDArray[np.integer], n_blocks: int, level: float = 0.95
) -> Interval:
    """Return the estimate with its interval at each time, arrays of shape [..., times].

    Parameters
    ----------
    events, censored : int[parts, ..., times]
        See `kaplan_meier`; apart for each of some parts of the blocks.
    n_blocks : int
        Blocks in all.
    level : float
        Coverage, time by time.
    """
    all_events, all_censored = events.sum(axis=0), censored.sum(axis=0)
    estimate = kaplan_meier(all_events, all_censored)
    parts = len(events)
    if parts < MIN_BLOCKS:
        nothing = np.full_like(estimate, np.nan)
        return Interval(estimate, nothing, nothing, n_blocks)
    without = kaplan_meier(all_events - events, all_censored - censored, 1)
    variance = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (parts - 1) / parts
    half = t_quantile(level, parts - 1) * np.sqrt(variance)
    low, high = (np.clip(estimate + sign * half, 0.0, 1.0) for sign in (-1, 1))
    return Interval(estimate, low, high, n_blocks)


def median_interval(curve: Interval) -> Interval:
    """Return the first time by which the event has happened to half of the cases; NaN where it never has.

    Its interval holds the times at which the interval of the curve takes in one half (Brookmeyer and Crowley
    1982); an end is NaN where the curve does not get there.
    """
    return Interval(_reached(curve.estimate), _reached(curve.high), _reached(curve.low), curve.n_blocks)


def _reached(shares: FloatArray) -> FloatArray:
    """Return the first index at which a share is one half or more."""
    enough = shares >= 0.5
    return np.where(enough.any(axis=-1), enough.argmax(axis=-1), np.nan)
