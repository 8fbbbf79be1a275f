"""The difference between two sides with the luck of the draws taken out, where that is of use (STATISTICS 4)."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from shanghai_sim.experiments.estimands import Blocks, Question
from shanghai_sim.inference.control import adjust_for_luck

#: Blocks that the regression takes at least: two halves in which a slope means something.
LEAST_BLOCKS = 100


@frozen
class Gain:
    """Block values of the difference in points, the better the higher.

    Attributes
    ----------
    values : float64[n]
        As they came, or with the luck of the draws taken out where that was asked for and of use.
    worth : float or None
        How many times the blocks it would be worth to take the luck out; None where it was not asked for, or there
        are too few blocks.
    used : bool
        Whether it was taken out: it makes the differences vary less beyond doubt.
    """

    values: NDArray[np.float64]
    worth: float | None = None
    used: bool = False


def gain_of(question: Question, values: Blocks, sign: float) -> Gain:
    """Return the block values of the difference in points, variant minus baseline, times a sign."""
    raw = values.gain(sign)
    if not question.luck or len(values) < LEAST_BLOCKS:
        return Gain(raw)
    adjusted = adjust_for_luck(raw, values.luck[:, 0] - values.luck[:, 1])
    if not np.isfinite(adjusted.gain):
        return Gain(raw)
    return Gain(adjusted.values if adjusted.real else raw, adjusted.gain, adjusted.real)
