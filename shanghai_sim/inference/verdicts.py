"""What an interval says about a difference, given how small a difference is of no practical importance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The answers; those with two directions are one answer and its mirror."""

    MUCH_BETTER = "meaningfully better"
    MUCH_WORSE = "meaningfully worse"
    BETTER = "better, size small or unclear"
    WORSE = "worse, size small or unclear"
    EQUAL = "practically equal"
    UNDECIDED = "not decided"


@dataclass(frozen=True)
class Judgement:
    """A verdict and what follows from it for the run.

    Parameters
    ----------
    verdict : Verdict
    stop : bool
        More blocks would add nothing that was asked for.
    blocks_needed : int or None
        About how many more blocks it takes until the run stops or, undecided, has a verdict, if the estimate
        stays where it is; 0 after `stop`, None where there is no interval to tell from.
    """

    verdict: Verdict
    stop: bool
    blocks_needed: int | None


def verdict(low: float, high: float, margin: float) -> Verdict:
    """Return what the interval [low, high] of a difference says; the first that holds.

    Above `margin`: meaningfully better; above 0: better; within `margin` of 0: practically equal; or else not
    decided. Likewise for worse.

    Parameters
    ----------
    low, high : float
        Ends of the interval, ``low <= high``; higher is better for the variant. NaN ends decide nothing; an
        interval without width is as good as any (a policy against itself: 0 in every block).
    margin : float
        Half of the region of practical equivalence, in the same unit, above 0 (Kruschke 2018, *Rejecting or
        accepting parameter values in Bayesian estimation*, for the idea).
    """
    if not margin > 0:
        raise ValueError(f"the margin of practical equivalence must be above 0, not {margin}")
    if low > high:
        raise ValueError(f"the ends of an interval must be in order, not {low} and {high}")
    if low > margin:
        return Verdict.MUCH_BETTER
    if high < -margin:
        return Verdict.MUCH_WORSE
    if low > 0:
        return Verdict.BETTER
    if high < 0:
        return Verdict.WORSE
    if -margin < low and high < margin:
        return Verdict.EQUAL
    return Verdict.UNDECIDED


def judge(low: float, high: float, margin: float, n: int) -> Judgement:
    """Return verdict, whether to stop, and the blocks still needed.

    A run stops at "meaningfully better", "meaningfully worse" and "practically equal"; after "size small or
    unclear" it goes on until the half-width is at most half the margin. Blocks still needed are
    ``n ((h / target)^2 - 1)``, as half-widths shrink with the root of n. The target is the half-width at which
    it would stop with the estimate m of now: for "small or unclear" ``max(margin / 2, |m| - margin)``;
    undecided ``max(|m|, margin - |m|)``, where 0 is left out or equality is shown.

    Parameters
    ----------
    low, high, margin : float
        As in `verdict`; the estimate is their middle.
    n : int
        Blocks behind the interval, 1 or more.

    Notes
    -----
    An interval of a confidence sequence may be judged at every look, a t interval only once. Blocks in which
    nothing differed narrow the interval as all others do, so an effect that comes up in few blocks needs its
    first look late enough to have met it.
    """
    found = verdict(low, high, margin)
    middle, half = abs(low + high) / 2, (high - low) / 2
    if found in (Verdict.MUCH_BETTER, Verdict.MUCH_WORSE, Verdict.EQUAL):
        return Judgement(found, True, 0)
    if found is Verdict.UNDECIDED:
        if not math.isfinite(half):
            return Judgement(found, False, None)
        return Judgement(found, False, max(1, more_blocks(n, half, max(middle, margin - middle))))
    if half <= margin / 2:
        return Judgement(found, True, 0)
    return Judgement(found, False, max(1, more_blocks(n, half, max(margin / 2, middle - margin))))


def more_blocks(n: int, half: float, target: float) -> int:
    """Return how many blocks beyond n it takes to bring a half-width down to a target, rounded up.

    Parameters
    ----------
    n : int
        Blocks so far, 1 or more.
    half, target : float
        Half-width now and wanted, in one unit; `target` above 0.
    """
    if not target > 0:
        raise ValueError(f"the half-width wanted must be above 0, not {target}")
    return math.ceil(n * max(0.0, (half / target) ** 2 - 1))
