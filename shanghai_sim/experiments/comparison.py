"""What came out of a comparison: the answer in words, the figures, and the values behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from shanghai_sim.experiments import stopping
from shanghai_sim.experiments.compare_rows import Row, sign_of
from shanghai_sim.experiments.compare_words import Words
from shanghai_sim.experiments.estimands import MARGIN_WINS, Blocks, Question
from shanghai_sim.experiments.luck import gain_of
from shanghai_sim.experiments.replay import replay_question
from shanghai_sim.experiments.stopping import Look, Precision, Until
from shanghai_sim.experiments.summary import summary_csv
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.gate import GateOutcome
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.verdicts import verdict
from shanghai_sim.simulation.block_store import BlockFolder

if TYPE_CHECKING:
    import pandas as pd


@frozen
class Comparison:
    """What came out of a comparison.

    Attributes
    ----------
    question : Question
        What was asked.
    until : Until
        When it was to stop.
    most_blocks : int
        Blocks at which it would have stopped at the latest.
    precision : Precision
        How intervals are made.
    values : Blocks
        What is kept of each block that counts.
    path : tuple of Look
        What was known look by look.
    rows : tuple of dict
        The figures (keys: simulation.question_columns.COMPARISON); NaN: no figure.
    """

    question: Question
    until: Until
    most_blocks: int
    precision: Precision
    values: Blocks = field(repr=False)
    path: tuple[Look, ...] = field(repr=False)
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def verdict(self) -> str:
        """The answer in words: which is better, by how much, how sure, from how many games."""
        return self._words().verdict()

    @property
    def finding(self) -> str:
        """The same in a few words."""
        return self._words().finding()

    @property
    def difference(self) -> float:
        """Points a game by which A is better than B, below 0: worse; with rules, points more under the first."""
        return float(self.rows[0]["estimate"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference."""
        return float(self.rows[0]["low"]), float(self.rows[0]["high"])

    @property
    def p(self) -> float:
        """The two-sided p-value of "no difference"; it holds at whichever look the run has stopped."""
        return self.precision.p_value(self._gain)

    @property
    def blocks(self) -> int:
        """Blocks played."""
        return len(self.values)

    @property
    def games(self) -> int:
        """Games played, of both sides."""
        return self.blocks * self.question.games_per_block

    @property
    def gate(self) -> str | None:
        """What the gate says: "pass", "fail" or "undecided"; None without one."""
        outcome = self._gate()
        return None if outcome is None else outcome.name.lower().replace("go_on", "undecided")

    @property
    def context(self) -> dict[str, Any]:
        """What every output names."""
        return self.question.context(self.blocks)

    @property
    def about(self) -> dict[str, Any]:
        """The difference and what it means, ready for JSON."""
        low, high = self.interval
        return {
            "kind": self.question.kind,
            "variant": self.question.names[0],
            "baseline": self.question.names[1],
            "difference": self.difference,
            "low": low,
            "high": high,
            "p": self.p,
            "verdict": str(verdict(low, high, self.question.margin)),
            "margin": self.question.margin,
            "margin_win_share": MARGIN_WINS,
            "until": self.until.kind,
            "most_blocks": self.most_blocks,
            "planned_blocks": self.precision.n_opt,
            "gate": self.gate,
            "all_deals": all(
                len(arm.plan.deal_numbers) - 1 == len(self.question.deals) for arm in self.question.arms
            ),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the figures, one a row (columns: simulation.question_columns.COMPARISON)."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def block_frame(self) -> pd.DataFrame:
        """Return a row a block: the values behind the intervals (columns: simulation.question_columns.BLOCKS)."""
        import pandas as pd

        points, win = self.values.point_means, self.values.win.mean(axis=2)
        return pd.DataFrame(
            {
                "block": np.arange(self.blocks),
                "variant": points[:, 0],
                "baseline": points[:, 1],
                "difference": self._gain,
                "win_difference": win[:, 0] - win[:, 1],
                "games_differing": self.values.differing,
            }
        )

    def replay(self, game: int) -> list[dict[str, Any]]:
        """Return the events of a game, numbered block by block from 0, the variant's games before the baseline's."""
        return replay_question(self.question, game)

    def save(self, folder: str | Path) -> None:
        """Write the figures, the block values and what was asked into a new folder.

        Raises
        ------
        InputError
            If the folder cannot be written or holds something else.
        """
        with BlockFolder(Path(folder), request_of(self.question, self.until, self.most_blocks)) as out:
            out.finish(summary_csv(self.rows), self.values.arrays())

    @property
    def _gain(self) -> NDArray[np.float64]:
        return gain_of(self.question, self.values, sign_of(self.question)).values

    def _gate(self) -> GateOutcome | None:
        if self.until.gate is None:
            return None
        return stopping.gate_outcome(self.until.gate, Moments.of(self._gain[:, None]))

    def _words(self) -> Words:
        row = self.rows[0]
        estimate, low, high = (np.array(row[key]) for key in ("estimate", "low", "high"))
        found = Interval(estimate, low, high, self.blocks)
        return Words(self.question, self.until, found, int(self.values.differing.sum()), self._gate())


def request_of(question: Question, until: Until, blocks: int) -> dict[str, Any]:
    """Return what is asked, in full and ready for JSON; equal requests give equal results."""
    return question.request() | {"until": until.request(), "blocks": blocks}
