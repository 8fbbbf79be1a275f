"""The report of a tournament: the answer, the policies against the field, the matrix, and the choice of a policy."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from shanghai_sim.reporting.tables import table_lines

Rows = Sequence[Mapping[str, Any]]
_WIDTH = 100
#: Policies up to which the matrix has intervals in its cells.
_FEW = 5


class Cells:
    """Look-up in the rows of a tournament (keys: simulation.question_columns.TOURNAMENT)."""

    def __init__(self, rows: Rows) -> None:
        self._rows = {(row["part"], row["policy"], row["against"], row["metric"]): row for row in rows}

    def row(self, part: str, policy: str, metric: str, against: str = "") -> Mapping[str, Any]:
        """Return a row."""
        return self._rows[part, policy, against, metric]

    def value(self, part: str, policy: str, metric: str, against: str = "") -> float:
        """Return an estimate."""
        return float(self.row(part, policy, metric, against)["estimate"])

    def text(
        self, part: str, policy: str, metric: str, against: str = "", digits: int = 1, scale: float = 1
    ) -> str:
        """Return ``estimate ± half-width``."""
        row = self.row(part, policy, metric, against)
        half = scale * (row["high"] - row["low"]) / 2
        shown = f"{scale * row['estimate'] + 0.0:.{digits}f}"
        return shown if isnan(half) else f"{shown} ± {half:.{digits}f}"


def tournament_report(
    verdict: str,
    context: Mapping[str, Any],
    ranked: Sequence[str],
    rows: Rows,
    dominated: Sequence[tuple[str, str, bool]],
    full: bool,
) -> str:
    """Return the report as text.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked.
    ranked : sequence of str
        The policies from first to last.
    rows : sequence of mappings
        Figures (keys: simulation.question_columns.TOURNAMENT).
    dominated : sequence of (str, str, bool)
        Which policy strictly dominates which, and whether surely.
    full : bool
        Whether all compositions of the table were played.
    """
    cells = Cells(rows)
    parts = [
        [verdict],
        _against_the_field(cells, ranked, full),
        _matrix(cells, ranked, int(context["players"])),
        _choice(cells, ranked, dominated, full, int(context["players"])),
        _footer(context),
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def _against_the_field(cells: Cells, ranked: Sequence[str], full: bool) -> list[str]:
    rows = []
    for policy in ranked:
        rank = cells.row("field", policy, "rank")
        ends = f"{rank['low']:.0f}-{rank['high']:.0f}" if rank["low"] < rank["high"] else f"{rank['low']:.0f}"
        rows.append(
            {
                "rank": f"{rank['estimate']:.0f}",
                "policy": policy,
                "points better": cells.text("field", policy, "points_better"),
                "% of wins": cells.text("field", policy, "win_share", scale=100),
                "rank, 95 %": ends,
                "blocks": f"{cells.row('field', policy, 'points_better')['n_blocks']:,}",
            }
        )
    where = "all compositions of the table" if full else "a balanced choice of tables"
    return [
        f"Points a game better than the others at its table, over {where}:",
        *table_lines(rows, left=["policy"]),
    ]


def _matrix(cells: Cells, ranked: Sequence[str], players: int) -> list[str]:
    blocks = cells.row("matrix", ranked[0], "points_better", ranked[1])["n_blocks"]
    few = len(ranked) <= _FEW
    numbers = [str(i + 1) for i in range(len(ranked))]

    def cell(one: str, other: str) -> str | None:
        if one == other:
            return None
        if few:
            return cells.text("matrix", one, "points_better", other)
        row = cells.row("matrix", one, "points_better", other)
        unsure = not (row["low"] > 0 or row["high"] < 0)
        return f"{row['estimate'] + 0.0:.0f}{'?' if unsure else ''}"

    heads = ranked if few else numbers
    rows: list[dict[str, str | None]] = []
    for number, one in zip(numbers, ranked, strict=True):
        first: dict[str, str | None] = {"one of": one if few else f"{number} {one}"}
        rows.append(first | {head: cell(one, other) for head, other in zip(heads, ranked, strict=True)})
    among = "the other seat" if players == 2 else f"the other {players - 1} seats"
    how = "" if few else "; ?: not clearly other than 0"
    return [
        f"One among others, points a game better (row: the one, column: {among}; {blocks:,} blocks a cell{how}):",
        *table_lines(rows, left=["one of"]),
    ]


def _choice(
    cells: Cells, ranked: Sequence[str], dominated: Sequence[tuple[str, str, bool]], full: bool, players: int
) -> list[str]:
    """Return what follows for the choice of a policy."""
    n = cells.row("metagame", "", "regret")["n_blocks"]
    if full:
        lines = [f"Choosing a policy, from all compositions of the table ({n:,} blocks each)."]
    else:
        others = "the other seat" if players == 2 else f"all {players - 1} other seats"
        lines = [
            f"Choosing a policy. Not all compositions of the table were played, so its equilibrium cannot be computed. "
            f"Instead, from the matrix ({n:,} blocks a cell), a game of two: one chooses for a single seat, the other "
            f"one policy for {others}, and what counts is the points that the single seat is better.",
        ]
    regret = cells.row("metagame", "", "regret")
    lines.append(
        f"Equilibrium, a mixture that nobody gains by leaving: {_shares(cells, ranked, 'equilibrium')}. Its regret is "
        f"{regret['estimate']:.2f} points a game, in 95 % of the resamples at most {regret['high']:.1f}."
    )
    lines.append(
        f"Alpha-rank, time that a population that copies the successful spends with each: "
        f"{_shares(cells, ranked, 'alpha_rank')}."
    )
    lines.append(
        _dominance(
            ranked, dominated, "whoever else sits there" if full else "whichever policy has the other seats"
        )
    )
    return [piece for line in lines for piece in textwrap.wrap(line, _WIDTH, break_on_hyphens=False)]


def _shares(cells: Cells, ranked: Sequence[str], metric: str) -> str:
    """Return the policies with a share above nought, the largest first, with intervals in percent."""
    shown = []
    for policy in sorted(ranked, key=lambda policy: -cells.value("metagame", policy, metric)):
        row = cells.row("metagame", policy, metric)
        share, low, high = (round(100 * row[key]) for key in ("estimate", "low", "high"))
        if share or high:
            shown.append(f"{policy} {share} %" + (f" ({low}-{high})" if low < high else ""))
    return ", ".join(shown)


def _dominance(ranked: Sequence[str], dominated: Sequence[tuple[str, str, bool]], always: str) -> str:
    """Return which policies are strictly dominated."""
    if not dominated:
        return f"No policy is worse than another {always}."
    worse = []
    for policy in ranked:
        sure = [better for better, other, surely in dominated if other == policy and surely]
        maybe = [better for better, other, surely in dominated if other == policy and not surely]
        if sure or maybe:
            by = max(sure or maybe, key=lambda better: -ranked.index(better))
            worse.append(f"{policy} (by {by}{'' if sure else ', by the means alone'})")
    return f"Worse than another {always}: {', '.join(worse)}."


def _footer(context: Mapping[str, Any]) -> list[str]:
    named = {key.replace("_", " "): value for key, value in context.items()}
    named["policies"] = str(named["policies"]).replace(",", ", ")
    items = [
        f"{key} {value:,}" if key in ("games", "blocks") else f"{key} {value}" for key, value in named.items()
    ]
    return [
        "± is half of a 95 % interval from blocks; those of a table hold all together. All of it holds for",
        "these rules and these policies only:",
        *textwrap.wrap(" · ".join(items), _WIDTH, break_on_hyphens=False),
    ]
