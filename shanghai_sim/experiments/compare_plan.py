"""How many games a comparison would take, from a pilot run; nothing else is played."""

from __future__ import annotations

import time
from typing import Any

from attrs import frozen

from shanghai_sim.errors import InputError
from shanghai_sim.experiments.compare import PILOT_BLOCKS, pilot_of, pilot_spread
from shanghai_sim.experiments.estimands import Question
from shanghai_sim.experiments.moments import Progress
from shanghai_sim.inference import power


@frozen
class ComparisonPlan:
    """What seeing an effect would take.

    Attributes
    ----------
    question : Question
        What is asked.
    effect : float
        The true difference in points that should be seen.
    spread : float
        Standard deviation of block values in the pilot.
    seconds : float
        Seconds a block takes on this machine.
    """

    question: Question
    effect: float
    spread: float
    seconds: float

    @property
    def blocks(self) -> power.Plan:
        """Numbers of blocks."""
        return power.plan_blocks(self.effect, self.spread)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each way to play: `way`, `blocks`, `games`, `minutes`."""
        plan = self.blocks
        ways = {
            "games fixed before, 80 % chance to see which is better": plan.n_opt,
            "looked at as it goes on, until that is clear: on average": plan.expected,
            "the same, if the difference is twice as large": plan.expected_if_twice,
            "the same, at the most": plan.budget,
        }
        return [
            {
                "way": way,
                "blocks": blocks,
                "games": blocks * self.question.games_per_block,
                "minutes": round(blocks * self.seconds / 60, 1),
            }
            for way, blocks in ways.items()
        ]

    @property
    def verdict(self) -> str:
        """The answer in words; times are left to the rows, since they are this machine's."""
        first, second = self.question.names
        if self.spread == 0:
            return (
                f"In a pilot of {PILOT_BLOCKS} blocks {first} and {second} did exactly the same: "
                "how rarely they differ, and how much, it cannot tell."
            )
        fixed = self.rows[0]
        return (
            f"To see a difference of {self.effect:g} points between {first} and {second} takes "
            f"{fixed['games']:,} games ({fixed['blocks']:,} blocks)."
        )

    @property
    def context(self) -> dict[str, Any]:
        """What every output names; games and blocks are those of the pilot."""
        return pilot_of(self.question).context(PILOT_BLOCKS)


def plan_question(
    question: Question,
    effect: float | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ComparisonPlan:
    """Play the pilot of a comparison and return what the comparison would take.

    Parameters
    ----------
    question : Question
        What is asked.
    effect : float, optional
        The true difference that should be seen, in points; by default the least that counts.
    workers : int, optional
        Threads.
    progress : callable, optional
        Called with the games played and the games of the pilot.

    Raises
    ------
    InputError
        If the effect is 0.
    """
    effect = question.margin if effect is None else abs(effect)
    if effect == 0:
        raise InputError("--effect 0: no number of games shows a difference of nothing")
    from shanghai_sim.engine.batch import compile_kernels

    compile_kernels()
    begin = time.perf_counter()
    spread = pilot_spread(question, workers, progress)
    return ComparisonPlan(question, effect, spread, (time.perf_counter() - begin) / PILOT_BLOCKS)
