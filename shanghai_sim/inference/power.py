"""How long a run must be to see an effect, and how small an effect a run could see."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

from shanghai_sim.inference.sequential import half_width

#: Budget of a run that is looked at as it goes on, as a multiple of the fixed number of blocks.
BUDGET = 2.5
#: What such a run plays on average until zero is excluded or the budget is used up, as a multiple of the fixed
#: number: where the true effect is the one planned for (94 % of the runs then end decided), and where it is twice
#: that. From simulation, for normal values, a power of 80 % and the usual grid of looks; a test keeps them true.
SEQUENTIAL_AT_EFFECT = 1.20
SEQUENTIAL_AT_TWICE = 0.36


def normal_quantile(p: float) -> float:
    """Return the quantile of the standard normal law at p, between 0 and 1."""
    from scipy.special import ndtri

    return float(ndtri(p))


def blocks_for(effect: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return the number of blocks, fixed in advance, at which a two-sided test finds an effect.

    ``n = ((z_{1-alpha/2} + z_{power}) sd / effect)^2``, rounded up; the usual normal approximation.

    Parameters
    ----------
    effect : float
        True mean of the block values, in their unit, not 0; its sign does not matter.
    sd : float
        Standard deviation of the block values, from a pilot run of some 500 blocks; 0 or more.
    alpha : float
        Two-sided error rate, between 0 and 1.
    power : float
        Chance to find the effect, from 0.5 to below 1.
    """
    if effect == 0:
        raise ValueError("no number of blocks finds an effect of 0")
    return max(1, math.ceil((_span(alpha, power) * _spread(sd) / effect) ** 2))


def smallest_effect(n: int, sd: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest effect that n blocks would find with the given power (MDE); 0 where sd is 0.

    ``(z_{1-alpha/2} + z_{power}) sd / sqrt(n)``; parameters as in `blocks_for`, n of 1 or more.
    """
    if n < 1:
        raise ValueError(f"no effect can be seen in {n} blocks")
    return _span(alpha, power) * _spread(sd) / math.sqrt(n)


@dataclass(frozen=True)
class Plan:
    """Numbers of blocks for a run that is looked at as it goes on.

    Parameters
    ----------
    n_opt : int
        Planned number, at which the confidence sequence is tightest: that of a run of fixed length.
    budget : int
        Blocks to stop at, decided or not.
    expected : int
        Blocks until zero is excluded or the budget is used up, on average, if the true effect is the one planned
        for.
    expected_if_twice : int
        The same if it is twice as large.
    for_width : int
        Blocks at which the interval is as narrow as a t interval at `n_opt`, whatever the effect.
    """

    n_opt: int
    budget: int
    expected: int
    expected_if_twice: int
    for_width: int


def plan_blocks(effect: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> Plan:
    """Return the plan of a sequential run that is to find an effect; parameters as in `blocks_for`.

    The factors behind the expected numbers come from simulation at alpha 5 % and a power of 80 %; they are a guide
    for others.
    """
    n = blocks_for(effect, sd, alpha, power)
    budget, once, twice = (math.ceil(n * f) for f in (BUDGET, SEQUENTIAL_AT_EFFECT, SEQUENTIAL_AT_TWICE))
    return Plan(n, budget, once, twice, _for_width(n, alpha))


def _for_width(n: int, alpha: float) -> int:
    """Return the blocks at which a confidence sequence planned for n is as narrow as a fixed interval at n."""
    fixed = normal_quantile(1 - alpha / 2) / math.sqrt(n)
    return bisect_left(
        range(1_000 * n), True, lo=n, key=lambda m: bool(half_width(m, 1.0, n, 1 - alpha) <= fixed)
    )


def games_to_notice(effect: float, sd_game: float, chance: float = 0.95) -> float:
    """Return after how many games the better policy leads with the given chance (n95), a number of 0 or more.

    ``(z_chance sd / effect)^2``: the sum of n independent differences is normal with mean ``n effect``.

    Parameters
    ----------
    effect : float
        Difference per game; infinite games for 0.
    sd_game : float
        Standard deviation of the difference in a single game, not of a block.
    chance : float
        From 0.5 to below 1.
    """
    if not 0.5 <= chance < 1:
        raise ValueError(f"the chance to lead is from 0.5 to below 1, not {chance}")
    if effect == 0:
        return math.inf
    return (normal_quantile(chance) * _spread(sd_game) / effect) ** 2


def _span(alpha: float, power: float) -> float:
    """Return how many standard errors from 0 an effect must lie."""
    if not (0 < alpha < 1 and 0.5 <= power < 1):
        raise ValueError(f"alpha is between 0 and 1 and power from 0.5 to below 1, not {alpha} and {power}")
    return normal_quantile(1 - alpha / 2) + normal_quantile(power)


def _spread(sd: float) -> float:
    if not 0 <= sd < math.inf:
        raise ValueError(f"a standard deviation is a number of 0 or more, not {sd}")
    return sd
