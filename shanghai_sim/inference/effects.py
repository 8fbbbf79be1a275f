"""The size of a difference in units that people can feel, and what pairing the games has gained."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shanghai_sim.inference.blocks import FloatArray, Moments
from shanghai_sim.inference.intervals import Interval, mean_interval


def standardised(interval: Interval, sd_game: float) -> Interval:
    """Return a difference in standard deviations of a single game's score (d; after Cohen 1988).

    Parameters
    ----------
    interval : Interval
        Difference per game.
    sd_game : float
        Standard deviation of one seat's score in one game, in the same unit, above 0. Not that of block values:
        it is the luck of a single game that people feel.
    """
    if not 0 < sd_game < math.inf:
        raise ValueError(f"the standard deviation of a game's score must be above 0, not {sd_game}")
    return _scaled(interval, 1 / sd_game)


def per_evenings(interval: Interval, evenings: int = 100, games: float = 1.0) -> Interval:
    """Return a difference per game as one per so many evenings of so many games each (both above 0)."""
    if not (evenings > 0 and games > 0):
        raise ValueError(f"evenings and games must be above 0, not {evenings} and {games}")
    return _scaled(interval, evenings * games)


def table_elo(share: Interval, players: int) -> Interval:
    """Return a win share as "table Elo": ``400 log10(w (P - 1) / (1 - w))``, 0 for a share of 1/P.

    The logit on Elo's scale, with odds against P - 1 equal others; two players give the usual Elo difference.
    The interval is that of the share, transformed, so it is not symmetric.

    Parameters
    ----------
    share : Interval
        Win shares; an end of 0 or less becomes minus infinity, one of 1 or more infinity.
    players : int
        P, 2 or more.
    """
    if players < 2:
        raise ValueError(f"a table has two players or more, not {players}")

    def transformed(w: FloatArray) -> FloatArray:
        w = np.clip(w, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(400 * (np.log10(w * (players - 1)) - np.log10(1 - w)))

    return Interval(
        transformed(share.estimate), transformed(share.low), transformed(share.high), share.n_blocks
    )


def chance_to_beat(variant: FloatArray, baseline: FloatArray, level: float = 0.95) -> Interval:
    """Return the probability that the variant does better than the baseline with the same luck; ties count half.

    The paired form of the probability of superiority (Vargha and Delaney 2000), with a t interval from blocks,
    kept within 0 and 1.

    Parameters
    ----------
    variant, baseline : float64[n] or float64[n, g]
        Outcomes of n blocks with g paired games each (a seat's game with the change and without), higher is
        better.
    level : float
        Coverage.
    """
    found = mean_interval(Moments.of(paired_wins(variant, baseline)[:, None]), level)
    return Interval(
        found.estimate[0],
        np.clip(found.low[0], 0.0, 1.0),
        np.clip(found.high[0], 0.0, 1.0),
        found.n_blocks,
    )


def paired_wins(variant: FloatArray, baseline: FloatArray) -> FloatArray:
    """Return the block values whose mean `chance_to_beat` is, float64[n]: for intervals of another kind."""
    if variant.shape != baseline.shape:
        raise ValueError(f"paired outcomes have one shape, not {variant.shape} and {baseline.shape}")
    wins = (variant > baseline) + 0.5 * (variant == baseline)
    return np.asarray(wins.reshape(len(wins), -1).mean(axis=1))


def arm_correlation(variant: FloatArray, baseline: FloatArray) -> float:
    """Return the correlation of two arms' block means (float64[n] each); NaN where an arm does not vary."""
    if variant.shape != baseline.shape or variant.ndim != 1:
        raise ValueError(f"arms need one value a block each, not {variant.shape} and {baseline.shape}")
    cov = Moments.of(np.stack([variant, baseline], axis=1)).covariance
    spread = math.sqrt(cov[0, 0] * cov[1, 1])
    return float(cov[0, 1] / spread) if spread > 0 else math.nan


@dataclass(frozen=True)
class VarianceReduction:
    """What common luck and rotation have gained.

    Parameters
    ----------
    factor : float
        How many times the games an unpaired design would have needed, 0 or more; infinite where the paired
        differences do not vary at all.
    """

    factor: float

    @property
    def hurts(self) -> bool:
        """Whether the design needs more games than unpaired ones would: warn."""
        return self.factor < 1


def variance_reduction(
    variance_variant: float, variance_baseline: float, n_games: int, standard_error: float
) -> VarianceReduction:
    """Return the variance of an unpaired design with as many games over that of this one.

    ``((v_A + v_B) / (N / 2)) / SE^2``: the unpaired design plays N / 2 games with the variant and N / 2 with the
    baseline and takes one seat's outcome of each.

    Parameters
    ----------
    variance_variant, variance_baseline : float
        Variances from game to game of a single seat's outcome, 0 or more; not both 0.
    n_games : int
        All games played, 1 or more.
    standard_error : float
        That of the mean difference found, 0 or more.
    """
    total = variance_variant + variance_baseline
    if min(variance_variant, variance_baseline, standard_error) < 0 or total == 0 or n_games < 1:
        raise ValueError(
            f"no variance reduction from variances {variance_variant} and {variance_baseline}, "
            f"{n_games} games, standard error {standard_error}"
        )
    if standard_error == 0:
        return VarianceReduction(math.inf)
    return VarianceReduction(total / (n_games / 2) / standard_error**2)


def _scaled(interval: Interval, factor: float) -> Interval:
    """Return an interval in another unit; `factor` is above 0."""
    return Interval(
        interval.estimate * factor, interval.low * factor, interval.high * factor, interval.n_blocks
    )
