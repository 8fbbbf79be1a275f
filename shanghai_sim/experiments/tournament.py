"""Tournament: which of several policies does best at tables of all of them, and what follows for choosing one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from shanghai_sim.experiments.choosing import Choosing, choosing
from shanghai_sim.experiments.entry import Entry, enter
from shanghai_sim.experiments.moments import Progress
from shanghai_sim.experiments.saving import save_result
from shanghai_sim.experiments.standings import Row, Standings, standings, values_of
from shanghai_sim.experiments.summary import summary_csv
from shanghai_sim.experiments.tournament_words import Ranking, finding, ranked, verdict
from shanghai_sim.simulation.sittings import Seated, play_sittings, together
from shanghai_sim.simulation.store import RunFolder

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


@frozen(slots=False)
class Tournament:
    """What came out of a tournament.

    Attributes
    ----------
    entry : Entry
        What was asked.
    standings : Standings
        Policies against the field.
    choosing : Choosing
        The choice of a policy as a game.
    """

    entry: Entry
    standings: Standings = field(repr=False)
    choosing: Choosing = field(repr=False)

    @property
    def rows(self) -> list[Row]:
        """The figures as plain rows (keys: simulation.question_columns.TOURNAMENT)."""
        return [*self.standings.rows, *self.choosing.rows]

    @property
    def context(self) -> dict[str, Any]:
        """What every output names."""
        return self.entry.context()

    @property
    def full(self) -> bool:
        """Whether all compositions of the table were played, not a balanced choice of them."""
        return self.entry.design.full

    @cached_property
    def ranking(self) -> Ranking:
        """The policies from first to last."""
        lead = {
            row["policy"]: row["estimate"]
            for row in self.standings.rows
            if row["part"] == "field" and row["metric"] == "points_better"
        }
        labels = self.entry.labels
        found = self.standings
        return ranked(labels, np.array([lead[label] for label in labels]), found.pairs_low, found.pairs_high)

    @property
    def verdict(self) -> str:
        """The answer in words: who wins, by how much to the second, who cannot be told apart."""
        entry, design = self.entry, self.entry.design
        return verdict(self.ranking, design.units, design.games, entry.least_games, entry.per)

    @property
    def finding(self) -> str:
        """The same in a few words."""
        return finding(self.ranking, self.entry.design.units, self.entry.per)

    def dominated(self) -> list[tuple[str, str, bool]]:
        """Return pairs (better, worse, surely): the first strictly dominates the second by the means found."""
        labels, found = self.entry.labels, self.choosing
        return [
            (labels[i], labels[j], bool(found.surely[i, j]))
            for i in range(len(labels))
            for j in range(len(labels))
            if found.dominates[i, j]
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return the figures, one a row."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def save(self, folder: str | Path) -> None:
        """Write ``tournament.csv`` and ``tournament.json`` (what was asked, and the answer) into a folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
        """
        about = {"verdict": self.verdict, "context": self.context, "request": self.entry.request()}
        save_result(folder, "tournament", self.rows, about)


def play_entry(
    entry: Entry,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    out: Path | None = None,
    resume: bool = False,
) -> Tournament:
    """Play a tournament.

    Parameters
    ----------
    entry : Entry
        What to play.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of all tables.
    out : Path, optional
        A folder to keep what has been played in, and the figures.
    resume : bool
        Whether to go on with the tournament that stands in the folder.
    """
    plan, policies, parts = entry.plan, entry.policies, entry.design.parts

    def play(done: Iterable[int] = ()) -> Iterable[tuple[int, Seated]]:
        return play_sittings(plan, policies, parts, done=set(done), workers=workers, progress=progress)

    if out is None:
        return _judged(entry, [seated for _, seated in play()])
    with RunFolder(out, entry, (), resume=resume) as folder:
        if folder.finished:
            return _judged(entry, [seated for _, seated in play()])
        for part, seated in play(folder.done()):
            folder.add(part, {}, seated.arrays())
        found = _judged(entry, [Seated(**values) for values in folder.values()])
        folder.finish(summary_csv(found.rows))
    return found


def _judged(entry: Entry, pieces: Sequence[Seated]) -> Tournament:
    values = values_of(entry.design, together(pieces), len(entry.policies))
    seed = entry.plan.seed
    return Tournament(
        entry,
        standings(values, entry.labels, entry.field_blocks, seed),
        choosing(values, entry.labels, seed),
    )


def tournament(
    policies: Sequence[str | Policy],
    *,
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
) -> Tournament:
    """Play policies at tables of all of them and return who does best.

    Parameters
    ----------
    policies : sequence of str or Policy
        Two or more.
    rules, overrides, seed, namespace, coupling, deals
        As of `run`.
    players : int, optional
        By default 4, or the nearest number that the rules allow.
    games : int
        Games in all, rounded up to whole blocks. Where they are enough for 50 blocks of every composition of the
        table, all of them are played, otherwise a balanced choice.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of all tables.

    Returns
    -------
    Tournament

    Raises
    ------
    InputError
        If something asked for is wrong.
    """
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import Ruleset, load_ruleset

    entry = enter(
        [load_policy(policy) if isinstance(policy, str) else policy for policy in policies],
        rules if isinstance(rules, Ruleset) else load_ruleset(rules, overrides),
        players=players,
        games=games,
        seed=seed,
        namespace=namespace,
        coupling=coupling,
        deals=deals,
    )
    return play_entry(entry, workers=workers, progress=progress)
