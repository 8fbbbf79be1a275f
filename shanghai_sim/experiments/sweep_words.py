"""The result of a sweep in words: which value is best, or what a rule changes, and what is not clear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from shanghai_sim.experiments.tournament_words import listed
from shanghai_sim.inference.intervals import MIN_BLOCKS_FOR_VERDICT

Row = Mapping[str, Any]
#: Grid points that are named one by one.
_LISTED = 4


class Change(NamedTuple):
    """A difference to the baseline with the ends of its interval."""

    size: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether 0 is left out."""
        return self.low > 0 or self.high < 0


def better(row: Row) -> Change:
    """Return how many points a game fewer than the baseline a grid point has."""
    return Change(
        0.0 - row["points_difference"],
        0.0 - row["points_difference_high"],
        0.0 - row["points_difference_low"],
    )


def change(row: Row, metric: str) -> Change:
    """Return a difference to the baseline."""
    return Change(*(row[f"{metric}_difference{end}"] for end in ("", "_low", "_high")))


class Words:
    """What a sweep says.

    Parameters
    ----------
    keys : sequence of str
        What is varied.
    rows : sequence of mappings
        Its figures (keys: simulation.question_columns.SWEEP).
    of_rules : bool
        Whether rules are varied.
    games, least_games : int
        Games played, and from which on something is claimed.
    per : str
        What points are counted over, e.g. "a game".
    """

    def __init__(
        self,
        keys: Sequence[str],
        rows: Sequence[Row],
        *,
        of_rules: bool,
        games: int,
        least_games: int,
        per: str,
    ) -> None:
        self._keys = keys
        self._base = next(row for row in rows if row["baseline"])
        self._rows = [row for row in rows if not row["baseline"]]
        self._of_rules, self._games, self._least, self._per = of_rules, games, least_games, per

    def verdict(self) -> str:
        """Return the answer in a sentence."""
        if self._base["n_blocks"] < MIN_BLOCKS_FOR_VERDICT:
            return f"Too few games to tell: {self._games:,} were played; {self._least:,} games are the least."
        return self._rules_changed() if self._of_rules else self._best()

    def finding(self) -> str:
        """Return the same in a few words, for a title."""
        return self.verdict().split(" (95 % interval")[0].split(";")[0].rstrip(".")

    def _name(self, row: Row) -> str:
        return ", ".join(f"{key}={row[key]}" for key in self._keys)

    def _given(self) -> str:
        values = ", ".join(str(self._base[key]) for key in self._keys)
        return f"{values}, the {'rule' if self._of_rules else 'value'}{'s' if len(self._keys) > 1 else ''} as given"

    def _sure(self, found: Change) -> str:
        many = ", for all values at once" if len(self._rows) > 1 else ""
        return f"95 % interval {found.low:.1f} to {found.high:.1f}{many}; {self._games:,} games"

    def _best(self) -> str:
        same = [row for row in self._rows if better(row) == Change(0, 0, 0)]
        apart = [row for row in self._rows if row not in same]
        alike = f"; the very same points: {self._listed(same)}" if same else ""
        if not apart:
            return f"No value changes anything: all score exactly what {self._given()}, does ({self._games:,} games)."
        best = max(apart, key=lambda row: better(row).size)
        found = better(best)
        if found.low > 0:
            also = [row for row in self._rows if row["may_be_best"] and row is not best]
            more = f"; {self._listed(also)} may be as good" if also else ""
            return (
                f"Best is {self._name(best)}: {found.size:.1f} points {self._per} better than {self._given()} "
                f"({self._sure(found)}){more}{alike}."
            )
        worse = [row for row in self._rows if better(row).high < 0]
        which = f"; clearly worse: {self._listed(worse)}" if worse else ""
        if found.size < 0:
            nearest = f"the nearest, {self._name(best)}, is {-found.size:.1f} points {self._per} worse"
            sure = self._sure(Change(-found.size, -found.high, -found.low))
        else:
            nearest = f"{self._name(best)} is {found.size:.1f} points {self._per} better"
            sure = self._sure(found)
        return f"No value is clearly better than {self._given()}: {nearest} ({sure}){which}{alike}."

    def _listed(self, rows: Sequence[Row]) -> str:
        """Return grid points as a list, or only how many where they are many."""
        if len(rows) > _LISTED:
            return f"{len(rows)} of the {len(self._rows)} others"
        texts = [", ".join(str(row[key]) for key in self._keys) for row in rows]
        return listed(texts if len(self._keys) == 1 else [f"({text})" for text in texts], "and")

    def _rules_changed(self) -> str:
        most = max(self._rows, key=lambda row: abs(change(row, "points").size))
        points, turns = change(most, "points"), change(most, "turns")
        if not points.clear:
            return (
                f"No value clearly changes the points: most does {self._name(most)}, {_more(points, 'points')} "
                f"{self._per} for a player than with {self._given()} ({self._sure(_up(points))})."
            )
        longer = _up(turns)
        ends = "" if isnan(turns.low) else f" ({longer.low:.1f} to {longer.high:.1f})"
        return (
            f"{self._name(most)} changes most: a player scores {_more(points, 'points')} {self._per} than with "
            f"{self._given()} ({self._sure(_up(points))}); a game takes {_more(turns, 'turns')}{ends}."
        )


def _up(found: Change) -> Change:
    """Return the size of a change, whichever way it goes."""
    return found if found.size >= 0 else Change(-found.size, -found.high, -found.low)


def _more(found: Change, what: str) -> str:
    return f"{abs(found.size):.1f} {what} {'more' if found.size >= 0 else 'fewer'}"
