"""The report of a sweep: the answer, then a row a grid point."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from shanghai_sim.reporting.tables import table_lines

Rows = Sequence[Mapping[str, Any]]


def sweep_report(
    verdict: str, context: Mapping[str, Any], keys: Sequence[str], rows: Rows, of_rules: bool
) -> str:
    """Return the report as text.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked.
    keys : sequence of str
        What is varied.
    rows : sequence of mappings
        The grid points (keys: simulation.question_columns.SWEEP).
    of_rules : bool
        Whether rules are varied.
    """
    table = [
        {key: row[key] for key in keys} | (_of_rules(row) if of_rules else _of_policy(row)) for row in rows
    ]
    marked = [
        line | {"": "as given" if row["baseline"] else ""} for line, row in zip(table, rows, strict=True)
    ]
    parts = [[verdict], table_lines(marked, left=["", "95 % interval"]), _footer(context, of_rules)]
    return "\n\n".join("\n".join(part) for part in parts)


def _of_policy(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "points a game": _with_half(row, "points"),
        "points better": _difference(row, "points", sign=-1),
        "95 % interval": _ends(row, "points", sign=-1),
        "may be best": "yes" if row["may_be_best"] else "no",
        "% of wins": _with_half(row, "win_share", 100),
        "buys a game": _with_half(row, "buys"),
        "blocks": f"{row['n_blocks']:,}",
    }


def _of_rules(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "points a game": _with_half(row, "points"),
        "more points": _difference(row, "points"),
        "95 % interval": _ends(row, "points"),
        "winner's points": _with_half(row, "winner_points"),
        "margin": _with_half(row, "margin"),
        "buys": _with_half(row, "buys"),
        "turns": _with_half(row, "turns"),
        "blocks": f"{row['n_blocks']:,}",
    }


def _with_half(row: Mapping[str, Any], metric: str, scale: float = 1) -> str:
    half = scale * (row[f"{metric}_high"] - row[f"{metric}_low"]) / 2
    shown = f"{scale * row[metric]:.1f}"
    return shown if isnan(half) else f"{shown} ± {half:.1f}"


def _difference(row: Mapping[str, Any], metric: str, sign: int = 1) -> str | None:
    return None if row["baseline"] else f"{sign * row[f'{metric}_difference'] + 0.0:.1f}"


def _ends(row: Mapping[str, Any], metric: str, sign: int = 1) -> str | None:
    ends = sorted(sign * row[f"{metric}_difference_{end}"] + 0.0 for end in ("low", "high"))
    return None if row["baseline"] or isnan(ends[0]) else f"{ends[0]:.1f} to {ends[1]:.1f}"


def _footer(context: Mapping[str, Any], of_rules: bool) -> list[str]:
    named = {key.replace("_", " "): value for key, value in context.items()}
    items = [
        f"{key} {value:,}" if key in ("games", "blocks") else f"{key} {value}" for key, value in named.items()
    ]
    if of_rules:
        how = "More points: than with the rules as given, a game and player"
        holds = "these policies"
    else:
        how = "Points better: fewer than the policy as given, a game"
        holds = "these rules and these opponents"
    text = (
        f"Fewer points are better. {how}, on the same blocks; their intervals hold for all rows together. ± is half of "
        f"a 95 % interval of one figure. All of it holds for {holds} only:"
    )
    return [
        *textwrap.wrap(text, 100, break_on_hyphens=False),
        *textwrap.wrap(" · ".join(items), 100, break_on_hyphens=False),
    ]
