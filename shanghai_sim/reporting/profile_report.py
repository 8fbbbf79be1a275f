"""The portrait of a policy as text: the answer first, then the whole game, then contract by contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shanghai_sim.reporting.run_report import Figures, Rows, by_policy, footer
from shanghai_sim.reporting.tables import table_lines

#: Own turns that the table of lay-downs shows.
_TURNS = (2, 4, 6, 8, 10, 12, 16, 20)


def profile_report(verdict: str, context: Mapping[str, Any], groups: Sequence[str], rows: Rows) -> str:
    """Return the report as text, at most 100 columns wide but for the answer and long names.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked.
    groups : sequence of str
        The policy, and the others at its table.
    rows : sequence of mappings
        Figures (keys: simulation.columns.PROFILE).
    """
    here = [row for row in rows if row["table"] == rows[0]["table"]]
    figures = Figures([row for row in here if row["turn"] == 0])
    contracts = {row["deal"]: row["contract"] for row in here if row["deal"] > 0}
    first, others = groups
    parts = [
        [verdict],
        [f"One {first} among {context['players'] - 1} of {others}:", *by_policy(figures, groups)],
        _other_way(context, groups, [row for row in rows if row["table"] != rows[0]["table"]]),
        _points(figures, groups, contracts),
        _buys(figures, groups, contracts),
        _wilds(figures, groups, contracts),
        _curve(first, here, contracts),
        footer(context),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _other_way(context: Mapping[str, Any], groups: Sequence[str], rows: Rows) -> list[str]:
    """Return how one of the others does among players of the policy, where that was played."""
    if not rows:
        return []
    first, others = groups
    figures = Figures(rows)
    gap = f"{others} minus {first}"
    verb, word = ("loses", "to") if figures.value(gap, 0, "points") > 0 else ("wins", "from")
    points = figures.text(gap, 0, "points").removeprefix("-")
    wins = figures.text(others, 0, "win_share", scale=100)
    return [
        f"The other way round, in as many games, one {others} among {context['players'] - 1} of {first} {verb}",
        f"{points} points a game {word} them, and has {wins} % of the wins.",
    ]


def _line(deal: int, contracts: Mapping[int, str]) -> dict[str, Any]:
    return {"deal": deal or "all", "contract": contracts.get(deal, "")}


def _points(figures: Figures, groups: Sequence[str], contracts: Mapping[int, str]) -> list[str]:
    first, others = groups
    rows = [
        _line(deal, contracts)
        | {
            "points": figures.text(first, deal, "points"),
            "others": figures.plain(others, deal, "points"),
            "difference": figures.text(f"{first} minus {others}", deal, "points"),
            "% laid down": figures.text(first, deal, "laid_down", scale=100),
            "others ": figures.plain(others, deal, "laid_down", scale=100),
            "half by turn": figures.interval(first, deal, "median_lay_down"),
            "others  ": figures.interval(others, deal, "median_lay_down"),
        }
        for deal in contracts
    ]
    title = "Points a deal, and the own turn by which half of the contracts are down if nobody else goes out:"
    return [title, *table_lines(rows, left=["contract"])]


def _buys(figures: Figures, groups: Sequence[str], contracts: Mapping[int, str]) -> list[str]:
    first, others = groups
    rows = [
        _line(deal, contracts)
        | {
            "% of buys": figures.text(first, deal, "buy_rate", scale=100),
            "others": figures.text(others, deal, "buy_rate", scale=100),
            "buys a deal": figures.text(first, deal, "buys", 2) if deal else None,
            "others ": figures.plain(others, deal, "buys", 2) if deal else None,
            "% of discards": figures.text(first, deal, "take_rate", scale=100),
            "others  ": figures.plain(others, deal, "take_rate", scale=100),
        }
        for deal in (*contracts, 0)
    ]
    title = "Buys, of 100 offered and a deal, and turns of 100 that began with the discard:"
    return [title, *table_lines(rows, left=["contract"])]


def _wilds(figures: Figures, groups: Sequence[str], contracts: Mapping[int, str]) -> list[str]:
    first, others = groups
    rows = [
        _line(deal, contracts)
        | {
            "held": figures.plain(first, deal, "wilds_held", 2) if deal else None,
            "turns in hand": figures.text(first, deal, "wild_age", 2),
            "others": figures.text(others, deal, "wild_age", 2),
            "% stuck": figures.text(first, deal, "wilds_left_share", scale=100),
            "others ": figures.plain(others, deal, "wilds_left_share", scale=100),
            "% thrown": figures.text(first, deal, "wilds_discarded_share", scale=100),
            "others  ": figures.plain(others, deal, "wilds_discarded_share", scale=100),
        }
        for deal in (*contracts, 0)
    ]
    title = "Wilds: how many own turns one stays in hand, and how many are stuck there at the end or thrown:"
    return [title, *table_lines(rows, left=["contract"])]


def _curve(first: str, here: Rows, contracts: Mapping[int, str]) -> list[str]:
    """Return the table of the share down by some own turns, as far as it is known."""
    by_turn: dict[int, list[Mapping[str, Any]]] = {}
    for row in here:
        if row["group"] == first and row["turn"] in _TURNS:
            by_turn.setdefault(row["turn"], []).append(row)
    if not by_turn:
        return []
    curves = {turn: Figures(points) for turn, points in by_turn.items()}

    def cell(turn: int, deal: int) -> str | None:
        known = any(row["deal"] == deal for row in by_turn[turn])
        return curves[turn].text(first, deal, "down_by_turn", 0, 100) if known else None

    rows = [
        _line(deal, contracts) | {f"turn {turn}": cell(turn, deal) for turn in sorted(curves)}
        for deal in (*contracts, 0)
    ]
    return [
        f"Contracts of {first} that are down by its own turn, in %, if nobody else ends the deal:",
        *table_lines(rows, left=["contract"]),
    ]
