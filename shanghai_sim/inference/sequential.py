"""Intervals that may be looked at again and again while a run goes on: confidence sequences.

A t interval holds at one number of blocks fixed in advance; whoever looks at sixty of them and stops when it
likes what it sees is wrong nearly half the time. The intervals of a confidence sequence all hold at once, at the
price of being about 1.6 times as wide.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import FloatArray, Moments
from shanghai_sim.inference.intervals import Interval

#: Blocks before the first look: the sequence of means leans on the central limit theorem.
FIRST_LOOK = 500
#: Looks are at multiples of so many blocks.
BATCH = 500
#: By how much the number of blocks grows from one look to the next, in percent.
GROWTH_PERCENT = 10


def look_grid(
    budget: int, first: int = FIRST_LOOK, batch: int = BATCH, growth_percent: int = GROWTH_PERCENT
) -> NDArray[np.int64]:
    """Return the numbers of blocks at which a run is looked at, in rising order.

    Each look is at the first multiple of `batch` that is at least `growth_percent` beyond the one before; the
    last one is at the budget.

    Parameters
    ----------
    budget : int
        Blocks at which the run ends at the latest, 1 or more; rounded up to a multiple of `batch`.
    first : int
        Blocks of the first look, 1 or more; rounded up likewise.
    batch : int
        Blocks that are played between two looks at the least, 1 or more.
    growth_percent : int
        Growth from look to look, 0 or more.

    Returns
    -------
    int64[looks]
    """
    if min(budget, first, batch) < 1 or growth_percent < 0:
        raise ValueError(f"no looks for {budget=}, {first=}, {batch=}, {growth_percent=}")
    end = math.ceil(budget / batch)
    looks = [min(end, math.ceil(first / batch))]
    while looks[-1] < end:
        # Whole numbers throughout: 1.1 * 5000 is above 5500 in floating point and would skip a look.
        grown = -(-looks[-1] * (100 + growth_percent) // 100)
        looks.append(min(end, max(grown, looks[-1] + 1)))
    return np.array(looks, dtype=np.int64) * batch


def mixture_parameter(n_opt: float, level: float = 0.95) -> float:
    """Return r, the variance of the normal mixture whose sequence is about tightest at `n_opt` blocks.

    ``r = (-2 ln alpha + ln(1 - 2 ln alpha)) / n_opt`` with ``alpha = 1 - level`` (Waudby-Smith, Arbour, Sinha,
    Kennedy and Ramdas 2021, *Time-uniform central limit theory and asymptotic confidence sequences*; after
    Howard, Ramdas, McAuliffe and Sekhon 2021).

    Parameters
    ----------
    n_opt : float
        Planned number of blocks, above 0; fixed before the run.
    level : float
        Coverage, between 0 and 1.
    """
    if not n_opt > 0:
        raise ValueError(f"n_opt must be above 0, not {n_opt}")
    log_alpha = math.log(_alpha(level))
    return (-2 * log_alpha + math.log(1 - 2 * log_alpha)) / n_opt


def half_width(n: int, sd: FloatArray | float, n_opt: float, level: float = 0.95) -> FloatArray:
    """Return the half-width at n blocks of the asymptotic confidence sequence of a mean.

    ``h_n = s_n sqrt(2 (n r + 1) / (n^2 r) * ln(sqrt(n r + 1) / alpha))`` (Waudby-Smith et al. 2021;
    the bound of a normal mixture, Robbins 1970).

    Parameters
    ----------
    n : int
        Blocks so far, 1 or more.
    sd : float64[...]
        Standard deviation of the block values so far, in the unit of the values; may be 0.
    n_opt : float
        Planned number of blocks.
    level : float
        Coverage at all looks together.
    """
    r = mixture_parameter(n_opt, level)
    grown = n * r + 1
    return np.asarray(sd * math.sqrt(2 * grown / (n**2 * r) * math.log(math.sqrt(grown) / _alpha(level))))


def sequence_interval(moments: Moments, n_opt: float, level: float = 0.95) -> Interval:
    """Return the mean of every component with its interval of the confidence sequence, arrays of shape [..., k].

    The counterpart of `intervals.mean_interval` for a run that is looked at as it goes on. The ends are NaN
    below two blocks; below `FIRST_LOOK` blocks the coverage is not vouched for.

    Parameters
    ----------
    moments : Moments
        Of the blocks played so far: the first n in index order, never whichever were finished first.
    n_opt : float
        Planned number of blocks.
    level : float
        Coverage at all looks together; ``1 - 0.05 / K`` for K comparisons at once.
    """
    sd = np.sqrt(np.maximum(np.diagonal(moments.covariance, axis1=-2, axis2=-1), 0.0))
    half = half_width(moments.n, sd, n_opt, level)
    return Interval(moments.mean, moments.mean - half, moments.mean + half, moments.n)


def running_intervals(
    values: FloatArray, looks: NDArray[np.int64], n_opt: float, level: float = 0.95
) -> list[Interval]:
    """Return the interval of the confidence sequence at each look, from the first blocks alone each time.

    Parameters
    ----------
    values : float64[n] or float64[n, k]
        Block values in index order.
    looks : int64[m]
        Rising numbers of blocks, from 1 to n; see `look_grid`.
    n_opt, level : float
        As in `sequence_interval`.

    Returns
    -------
    list of Interval
        m intervals of the shape of one block value.
    """
    if len(looks) == 0 or looks[0] < 1 or looks[-1] > len(values) or (np.diff(looks) <= 0).any():
        raise ValueError(f"looks must rise from 1 or more to {len(values)} or less, not {looks}")
    columns = values[:, None] if values.ndim == 1 else values
    found = []
    total = Moments.of(columns[: looks[0]])
    for i, look in enumerate(looks):
        if i > 0:
            total = total.merge(Moments.of(columns[looks[i - 1] : look]))
        interval = sequence_interval(total, n_opt, level)
        shape = values.shape[1:]
        found.append(
            Interval(
                interval.estimate.reshape(shape),
                interval.low.reshape(shape),
                interval.high.reshape(shape),
                int(look),
            )
        )
    return found


def bernstein_intervals(values: FloatArray, low: float, high: float, level: float = 0.95) -> Interval:
    """Return the mean's interval after every block by the empirical-Bernstein confidence sequence.

    For bounded values with few blocks or rare events, where the central limit theorem is no help: it holds at
    every number of blocks, from the first on (Waudby-Smith and Ramdas 2024, *Estimating means of bounded random
    variables by betting*, theorem 2). The blocks need not be alike, only of one mean.

    Parameters
    ----------
    values : float64[n] or float64[n, k]
        Block values in index order, within [low, high].
    low, high : float
        Bounds that hold for any value there could be, e.g. -1 and 1 for a difference of win shares.
    level : float
        Coverage at all numbers of blocks together.

    Returns
    -------
    Interval
        Arrays of the shape of `values`; row i is what is known after i + 1 blocks. The estimate is the weighted
        mean that the interval is centred on, and the ends are kept within [low, high].
    """
    if not low < high:
        raise ValueError(f"low must be below high, not {low} and {high}")
    if len(values) == 0 or not ((values >= low) & (values <= high)).all():
        raise ValueError(f"values must be one or more numbers within {low} and {high}")
    x = (values - low) / (high - low)
    i = np.arange(1, len(x) + 1, dtype=np.float64).reshape(-1, *[1] * (x.ndim - 1))
    log_term = math.log(2 / _alpha(level))
    mean = (0.5 + np.cumsum(x, axis=0)) / (i + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2, axis=0)) / (i + 1)
    # Bets use what was known before block i: the values of block i itself would spoil the martingale.
    mean_before = np.concatenate([np.full_like(x[:1], 0.5), mean[:-1]])
    variance_before = np.concatenate([np.full_like(x[:1], 0.25), variance[:-1]])
    bet = np.minimum(0.5, np.sqrt(2 * log_term / (variance_before * i * np.log1p(i))))
    psi = -np.log1p(-bet) - bet
    bets = np.cumsum(bet, axis=0)
    centre = np.cumsum(bet * x, axis=0) / bets
    half = (log_term + np.cumsum((x - mean_before) ** 2 * psi, axis=0)) / bets
    width = high - low
    return Interval(
        low + width * centre,
        low + width * np.clip(centre - half, 0.0, 1.0),
        low + width * np.clip(centre + half, 0.0, 1.0),
        len(x),
    )


def _alpha(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"a level is between 0 and 1, not {level}")
    return 1 - level
