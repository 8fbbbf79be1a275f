"""Screening of many ideas: e-values, and a bound on the share of false finds among the finds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import FloatArray


def log_e_values(mean: FloatArray, sd: FloatArray, n: int, r: float) -> FloatArray:
    """Return the logarithms of e-values of "the mean is 0", float64 of the shape of `mean`.

    ``E_n = (n r + 1)^(-1/2) exp(n^2 r Z^2 / (2 (n r + 1)))`` with ``Z = mean / sd``: the likelihood ratio of a
    normal mixture (Robbins 1970; Howard et al. 2021). It reaches 1/alpha just where the confidence sequence of the
    same r leaves out 0. In logarithms, since E itself overflows. Expectation at most 1 under the hypothesis, up to
    the estimate of sd.

    Parameters
    ----------
    mean, sd : float64[...]
        Mean and standard deviation of the block values. Without spread the evidence is infinite, or that of
        Z = 0 where the mean is 0 too.
    n : int
        Blocks, 2 or more; the same for all streams that are screened together.
    r : float
        Mixture parameter, above 0; see `sequential.mixture_parameter`.
    """
    if n < 2 or not r > 0:
        raise ValueError(f"e-values need two blocks or more and r above 0, not n={n}, r={r}")
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(np.asarray(mean) == 0, 0.0, mean / np.asarray(sd, dtype=np.float64))
    grown = n * r + 1
    return np.asarray(-0.5 * np.log(grown) + n**2 * r * z**2 / (2 * grown))


def e_bh(log_e: FloatArray, alpha: float = 0.10) -> NDArray[np.bool_]:
    """Return which hypotheses are rejected with a false discovery rate of at most `alpha`, bool[k].

    The k* with the largest e-values are rejected, k* being the largest j with ``e_(j) >= K / (alpha j)`` (Wang and
    Ramdas 2022, *False discovery rate control with e-values*). Valid whatever the dependence, at a stopping rule
    common to all streams and fixed in advance: e-values of one number of blocks, never each stream's largest.

    Parameters
    ----------
    log_e : float64[k]
        Logarithms of e-values.
    alpha : float
        Above 0, at most 1.
    """
    if log_e.ndim != 1 or np.isnan(log_e).any() or not 0 < alpha <= 1:
        raise ValueError(f"e-BH needs a row of e-values and alpha above 0 to 1, not {log_e}, {alpha}")
    k = len(log_e)
    falling = -np.sort(-log_e)
    passing = np.flatnonzero(falling >= np.log(k / (alpha * np.arange(1, k + 1))))
    if len(passing) == 0:
        return np.zeros(k, dtype=np.bool_)
    return np.asarray(log_e >= falling[passing[-1]])
