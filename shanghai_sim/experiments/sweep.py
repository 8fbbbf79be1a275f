"""Sweep: what a parameter of a policy, or an option of the rules, does, value by value, on the same blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from shanghai_sim.defaults import AGAINST
from shanghai_sim.experiments.bands import simultaneous
from shanghai_sim.experiments.grid import RULES, read_axes
from shanghai_sim.experiments.moments import Progress
from shanghai_sim.experiments.saving import save_result
from shanghai_sim.experiments.sweep_request import Request, request
from shanghai_sim.experiments.sweep_words import Words
from shanghai_sim.inference.blocks import FloatArray, Moments
from shanghai_sim.inference.intervals import MIN_BLOCKS_FOR_VERDICT, mean_interval
from shanghai_sim.inference.resampling import rank_sets
from shanghai_sim.simulation.arms import Arm, Played, play_arms

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

Row = dict[str, Any]
#: Figures of a grid point where parameters are varied, and where rules are.
OF_POLICY = ("points", "win_share", "buys", "turns")
OF_RULES = ("points", "buys", "turns", "winner_points", "margin")


@frozen(slots=False)
class Sweep:
    """What came out of a sweep.

    Attributes
    ----------
    asked : Request
        What was asked.
    rows : tuple of dict
        A row a grid point: the values varied, then the keys of simulation.question_columns.SWEEP.
    """

    asked: Request
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """What is varied."""
        return tuple(axis.key for axis in self.asked.axes)

    @property
    def context(self) -> dict[str, Any]:
        """What every output names."""
        return self.asked.context()

    @cached_property
    def _words(self) -> Words:
        asked = self.asked
        per = "a game" if asked.plans[0].deals is None else "over these deals"
        return Words(
            self.keys, self.rows, of_rules=asked.of_rules, games=asked.blocks * asked.games_a_block,
            least_games=MIN_BLOCKS_FOR_VERDICT * asked.games_a_block, per=per,
        )  # fmt: skip

    @property
    def verdict(self) -> str:
        """The answer in words: which value is best, or what the rule changes, and how sure that is."""
        return self._words.verdict()

    @property
    def finding(self) -> str:
        """The same in a few words."""
        return self._words.finding()

    def to_frame(self) -> pd.DataFrame:
        """Return the grid points, one a row."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def save(self, folder: str | Path) -> None:
        """Write ``sweep.csv`` and ``sweep.json`` (what was asked, and the answer) into a folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
        """
        plan = self.asked.plans[self.asked.baseline]
        about = {"verdict": self.verdict, "context": self.context, "baseline": plan.request()}
        save_result(folder, "sweep", self.rows, about)


def play_request(asked: Request, *, workers: int | None = None, progress: Progress | None = None) -> Sweep:
    """Play a sweep.

    Parameters
    ----------
    asked : Request
        What to play.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of all grid points.
    """
    arms = asked.arms
    pieces = [
        np.stack([_values(arm, played, asked.of_rules) for arm, played in zip(arms, stretch, strict=True)], 1)
        for _, stretch in play_arms(arms, asked.blocks, workers=workers, progress=progress)
    ]
    return Sweep(asked, tuple(_rows(asked, np.concatenate(pieces))))


def _values(arm: Arm, played: Played, of_rules: bool) -> FloatArray:
    """Return the figures of an arm in each block, float64[blocks, figures]."""
    points = arm.by_seat(played.points)
    turns, buys = played.turns.mean(axis=1), arm.by_seat(played.buys).mean(axis=1)
    if of_rules:
        best, second = np.sort(points, axis=1)[:, :2].T
        return np.stack([points.mean(axis=1), buys, turns, best, second - best], 1)
    return np.stack([points.mean(axis=1), arm.by_seat(played.win).mean(axis=1), buys, turns], 1)


def _rows(asked: Request, values: FloatArray) -> list[Row]:
    """Return a row a grid point, from values of shape [blocks, points, figures]."""
    n, k, _ = values.shape
    seed, base = asked.plans[0].seed, asked.baseline
    names = OF_RULES if asked.of_rules else OF_POLICY
    rows: list[Row] = [
        dict(zip((axis.key for axis in asked.axes), point.texts, strict=True)) | {"baseline": point.baseline}
        for point in asked.points
    ]
    if not asked.of_rules:
        ranks = rank_sets(-values[:, :, names.index("points")], seed)
        for row, low in zip(rows, ranks.low, strict=True):
            row["may_be_best"] = bool(low == 1)
    others = [i for i in range(k) if i != base]
    for f, name in enumerate(names):
        each = mean_interval(Moments.of(values[:, :, f]))
        apart = simultaneous(values[:, others, f] - values[:, base, f][:, None], seed)
        for i, row in enumerate(rows):
            row[name] = float(each.estimate[i])
            row[f"{name}_low"], row[f"{name}_high"] = float(each.low[i]), float(each.high[i])
            ends = (0.0, 0.0, 0.0)
            if i != base:
                at = others.index(i)
                ends = (float(apart.estimate[at]), float(apart.low[at]), float(apart.high[at]))
            row[f"{name}_difference"], row[f"{name}_difference_low"], row[f"{name}_difference_high"] = ends
    return [row | {"n_blocks": n} for row in rows]


def sweep(
    policy: str | Policy,
    vary: Mapping[str, Sequence[Any]],
    *,
    against: str | Sequence[str | Policy] | None = None,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    players: int | None = None,
    games: int = 20_000,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    deals: Sequence[int] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Vary parameters of a policy, or options of the rules, and return what each value does.

    Parameters
    ----------
    policy : str or Policy
        As given it is the baseline.
    vary : mapping of str to sequence
        Parameters of the policy, or options of the rules, each with the values to play; every combination of them
        is a grid point. Texts are read as on the command line.
    against : str or sequence, optional
        Who sits in the other seats, by default ``balanced``; where rules are varied everybody plays the policy.
    rules, overrides, players, seed, namespace, coupling, deals
        As of `run`.
    games : int
        Games of all grid points together, rounded up to whole blocks.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of all grid points.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError
        If something asked for is wrong.
    """
    from shanghai_sim.policies.policy import Policy, load_policy
    from shanghai_sim.rules.ruleset import Ruleset, load_ruleset

    def load(items: str | Sequence[str | Policy]) -> list[Policy]:
        each = items.split(",") if isinstance(items, str) else items
        return [item if isinstance(item, Policy) else load_policy(item.strip()) for item in each]

    given = load([policy])[0]
    ruleset = rules if isinstance(rules, Ruleset) else load_ruleset(rules, overrides)
    if against is None and not any(axis.where == RULES for axis in read_axes(vary, given, ruleset)):
        against = AGAINST
    asked = request(
        given,
        ruleset,
        vary,
        against=None if against is None else load(against),
        players=players,
        games=games,
        seed=seed,
        namespace=namespace,
        coupling=coupling,
        deals=deals,
    )
    return play_request(asked, workers=workers, progress=progress)
