"""What the blocks of a trial say: its effect with an interval, how often it matters, and the verdict in words.

All verdicts of a court hold together: an error of 5 % is shared by all trials that are judged, half of it for the
screen, whose number of blocks is fixed, and half for the fresh blocks after it, which are looked at as they come in.
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
from attrs import frozen

from shanghai_sim.experiments.tips.trial import ANY, DIFFERING, GAIN, N_GAME, WIN, Trial
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import MIN_BLOCKS_FOR_VERDICT, Interval, exact_interval, mean_interval
from shanghai_sim.inference.multiplicity import bonferroni_level
from shanghai_sim.inference.sequential import FIRST_LOOK, sequence_interval
from shanghai_sim.inference.verdicts import Verdict, judge, verdict

#: Coverage of all verdicts together in each of the two stages.
STAGE_LEVEL = 0.975
LEVEL = 0.95
#: A tip hardly ever matters if surely fewer games than this share come out otherwise for it.
RARE = 0.01
#: Blocks that must have differed before means over blocks are taken for normal.
_COMMON = 20


class Word(StrEnum):
    """The verdicts, from the best to the worst for the advice."""

    TRUE = "true"
    SMALL = "true but small"
    DEPENDS = "depends"
    NONE = "makes no difference"
    RARE = "hardly ever matters"
    OPEN = "not decided"
    FALSE = "false"
    UNTRIED = "cannot be tried"


_WORDS = {
    Verdict.MUCH_BETTER: Word.TRUE,
    Verdict.BETTER: Word.SMALL,
    Verdict.EQUAL: Word.NONE,
    Verdict.UNDECIDED: Word.OPEN,
    Verdict.WORSE: Word.FALSE,
    Verdict.MUCH_WORSE: Word.FALSE,
}


@frozen
class Ruling:
    """What was found for a trial.

    Attributes
    ----------
    trial : Trial
    stage : str
        "screen", "final" or "cell": which blocks it rests on.
    moments : Moments
        Of what is kept of the blocks (`trial.Trial.kept`).
    gain : Interval
        Points a game by which following is better than ignoring.
    level : float
        Coverage of that interval alone.
    share : tuple of float
        Share of games that come out otherwise in anything, with its interval.
    word : Word or None
        The verdict; None of a trial at another table.
    done : bool
        Whether more blocks would add nothing that was asked for.
    vouched : bool
        Whether so many blocks differ that the interval can be relied on.
    n_opt : float
        The number of blocks that fresh ones were planned for.
    """

    trial: Trial
    stage: str
    moments: Moments
    gain: Interval
    level: float
    share: tuple[float, float, float]
    word: Word | None
    done: bool
    vouched: bool
    n_opt: float = 0.0

    @property
    def blocks(self) -> int:
        """Blocks behind it."""
        return self.moments.n

    @property
    def games(self) -> int:
        """Games of both sides behind it."""
        return self.moments.n * self.trial.question.games_per_block

    @property
    def sign(self) -> int:
        """1: the interval is above 0, -1: below, 0: it holds 0, or cannot be relied on."""
        return (int(self.gain.low > 0) - int(self.gain.high < 0)) * int(self.vouched)

    @property
    def win_gain(self) -> float:
        """By how much the share of the wins is larger; NaN where only some deals were played."""
        whole = len(self.trial.deals) == self.trial.question.variant.plan.ruleset.n_deals
        return float(self.moments.mean[WIN]) if whole else math.nan

    @property
    def deals(self) -> Interval:
        """The gain in each deal played; the intervals of all deals hold together."""
        level = bonferroni_level(LEVEL, len(self.trial.deals))
        if self.stage == "final":
            found = sequence_interval(self.moments, self.n_opt, level)
        else:
            found = mean_interval(self.moments, level)
        return Interval(found.estimate[N_GAME:], found.low[N_GAME:], found.high[N_GAME:], found.n_blocks)


def screened(trial: Trial, moments: Moments, family: int) -> Ruling:
    """Return what the screen says of one of so many trials: settled only if it surely matters to nobody."""
    level = bonferroni_level(STAGE_LEVEL, family)
    gain = _at(mean_interval(moments, level), GAIN)
    share = share_interval(moments, level)
    found = verdict(float(gain.low), float(gain.high), trial.tip.margin)
    rare = share[2] < RARE
    enough = _common(moments) and moments.n >= MIN_BLOCKS_FOR_VERDICT
    word = Word.RARE if rare else _WORDS[found] if enough else Word.OPEN
    return Ruling(
        trial, "screen", moments, gain, level, share, word, rare or word is Word.NONE, vouched=enough
    )


def watched(trial: Trial, moments: Moments, n_opt: float, family: int, *, last: bool) -> Ruling:
    """Return what the fresh blocks say so far of one of so many trials; `last`: no more will be played."""
    level = bonferroni_level(STAGE_LEVEL, family)
    gain = _at(sequence_interval(moments, n_opt, level), GAIN)
    enough = _common(moments) and moments.n >= FIRST_LOOK
    if enough:
        found = judge(float(gain.low), float(gain.high), trial.tip.margin, moments.n)
        share, word, done = share_interval(moments, LEVEL), _WORDS[found.verdict], found.stop or last
    else:
        # So few blocks differ that their mean is not yet normal: nothing is said but how few they are.
        share, done = share_interval(moments, level), last
        word = Word.RARE if last and share[2] < RARE else Word.OPEN
    return Ruling(trial, "final", moments, gain, level, share, word, done, enough, n_opt)


def beside(trial: Trial, moments: Moments, cells: int) -> Ruling:
    """Return what another table says: the intervals of so many tables of a tip hold together."""
    level = bonferroni_level(LEVEL, cells)
    gain = _at(mean_interval(moments, level), GAIN)
    share = share_interval(moments, LEVEL)
    return Ruling(trial, "cell", moments, gain, level, share, None, done=True, vouched=_common(moments))


def share_interval(moments: Moments, level: float) -> tuple[float, float, float]:
    """Return the share of games that come out otherwise, with its interval.

    A t interval over blocks. Where few blocks have any such game, or all are alike, it would be too short: then the
    exact one (Clopper and Pearson 1934) of the share of blocks with such a game, which no share of games is above.
    """
    found = _at(mean_interval(moments, level), DIFFERING)
    estimate, low, high = (float(end) for end in (found.estimate, found.low, found.high))
    if _common(moments) and low < high:
        return estimate, max(low, 0.0), min(high, 1.0)
    different = _different(moments)
    lower, upper = exact_interval(different, moments.n, level)
    per_block = estimate / float(moments.mean[ANY]) if different else 1.0
    return estimate, lower * per_block, upper


def _different(moments: Moments) -> int:
    """Return how many blocks have a game that comes out otherwise."""
    return round(float(moments.mean[ANY]) * moments.n)


def _common(moments: Moments) -> bool:
    return _different(moments) >= _COMMON


def _at(found: Interval, place: int) -> Interval:
    return Interval(
        np.asarray(found.estimate[place]), np.asarray(found.low[place]), np.asarray(found.high[place]),
        found.n_blocks,
    )  # fmt: skip
