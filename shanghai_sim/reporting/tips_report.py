"""Verdict cards as text: the answer, all tips in a table, and a card for each."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from shanghai_sim.reporting.run_report import context_lines
from shanghai_sim.reporting.tables import table_lines

Row = Mapping[str, Any]
_WIDTH = 100
#: Of the signs.
MARKS = {1: "+", -1: "-", 0: "?"}
#: Contracts that a card names.
_MOST_CONTRACTS = 3
_INDENT = "    "
_TABLES = ("players", "field", "rules")


def tips_report(
    verdict: str, context: Mapping[str, Any], rows: Sequence[Row], readings: Mapping[int, str]
) -> str:
    """Return the report as text, at most 100 columns wide but for long names.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked.
    rows : sequence of mappings
        Figures (keys: simulation.question_columns.TIPS).
    readings : mapping
        How each tip is understood, by its number.
    """
    numbers = ordered(rows)
    parts = [[verdict]]
    if len(numbers) > 1:
        parts.append(list(_overview(rows, numbers)))
    for number in numbers:
        parts.append(list(_card([row for row in rows if row["tip"] == number], readings.get(number, ""))))
    parts.append([*_wrapped(_HOW), *context_lines(context)])
    return "\n\n".join("\n".join(lines) for lines in parts)


_HOW = (
    "Points a game that following the advice saves the player who follows it, beside ignoring it, on the same cards; "
    "the intervals of all verdicts hold together with 95 %. At other tables a sign alone is given: + where it pays "
    "there, - where it costs, as far as its interval tells; ? where that is open."
)


def ordered(rows: Sequence[Row]) -> list[int]:
    """Return the numbers of the tips, the best advice first, and last those that could not be tried."""
    heads = [row for row in rows if row["part"] == "tip"]
    known = sorted(
        (row for row in heads if not isnan(row["estimate"])), key=lambda row: (-row["estimate"], row["tip"])
    )
    return [row["tip"] for row in (*known, *(row for row in heads if isnan(row["estimate"])))]


def _overview(rows: Sequence[Row], numbers: Sequence[int]) -> Iterator[str]:
    heads = {row["tip"]: row for row in rows if row["part"] == "tip"}
    table = []
    for number in numbers:
        head = heads[number]
        known = not isnan(head["estimate"])
        table.append(
            {
                "tip": number,
                "advice": textwrap.shorten(head["advice"], 52, placeholder=" ..."),
                "verdict": _verdict(head),
                "points": _points(head["estimate"]) if known else "",
                "interval": _interval(head) if known else "",
            }
        )
    yield from table_lines(table, left=("advice", "verdict"))


def _verdict(head: Row) -> str:
    """Return a tip's verdict; where it depends, with what it is as it is said."""
    return f"{head['verdict']}; as said {head['said']}" if head["verdict"] == "depends" else head["verdict"]


def _interval(row: Row) -> str:
    return f"{_points(row['low'])} to {_points(row['high'])}"


def _points(value: float) -> str:
    """Return points with a sign, with a digit more where they are next to nothing."""
    return f"{value:+.2f}" if abs(value) < 0.095 else f"{value:+.1f}"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)


def _card(rows: Sequence[Row], reading: str) -> Iterator[str]:
    head = rows[0]
    title = f"{head['tip']:2}  {head['advice']}"
    yield f"{title}  {_verdict(head).upper():>{max(0, _WIDTH - len(title) - 2)}}"
    if not isnan(head["estimate"]):
        yield from _wrapped(_finding(head), _INDENT)
        yield from _wrapped(_how_often(head), _INDENT)
        if text := _contracts(rows):
            yield from _wrapped(text, _INDENT)
        yield from _ways(rows)
        if text := _elsewhere(rows):
            yield from _wrapped(text, _INDENT)
    for row in rows:
        if row["reason"]:
            yield from _wrapped(f"Not tried: {row['cell']}: {row['reason']}.", _INDENT)
    if reading:
        yield from _wrapped(f"How it is read: {reading}", _INDENT)


def _finding(head: Row) -> str:
    if head["sign"] == 0:
        return f"{_upper(head['cell'])}: {_points(head['estimate'])} points a game ({_interval(head)})."
    ends = sorted(abs(head[key]) for key in ("estimate", "low", "high"))
    low, size, high = (_points(end).lstrip("+") for end in ends)
    does = "saves" if head["sign"] > 0 else "costs"
    return f"{_upper(head['cell'])}: {does} {size} points a game ({low} to {high})."


def _how_often(head: Row) -> str:
    games = f"{100 * head['games_differing']:.3g} % of the games"
    played = f"({head['games']:,} games, {head['n_blocks']:,} blocks{_which(head)})"
    if isnan(head["decisions"]):
        return f"It changes {games} {played}."
    return f"It changes {100 * head['decisions']:.2g} % of the decisions and {games} {played}."


def _which(head: Row) -> str:
    return "" if head["stage"] == "final" else " of the screen"


def _contracts(rows: Sequence[Row]) -> str:
    """Return the contracts in which the tip does most, of those in which it does anything for sure."""
    clear = [row for row in rows if row["part"] == "deal" and row["sign"] != 0]
    clear.sort(key=lambda row: -abs(row["estimate"]))
    same = [row for row in clear if row["sign"] == rows[0]["sign"]][:_MOST_CONTRACTS]
    other = [row for row in clear if row["sign"] == -rows[0]["sign"]][:_MOST_CONTRACTS]
    texts = [f"Most of it in {_named(same)}"] if same else []
    texts += [f"{'the other way' if same else 'The other way'} in {_named(other)}"] if other else []
    return f"{'; '.join(texts)}." if texts else ""


def _named(deals: Sequence[Row]) -> str:
    listed = ", ".join(f"{row['deals']} ({row['cell']}) {_points(row['estimate'])}" for row in deals)
    return f"contract{'s' * (len(deals) > 1)} {listed}"


def _ways(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of the other ways to follow it, and of the other policy."""
    ways = [row for row in rows if row["part"] == "way" and row["cell"] != rows[0]["cell"]]
    others = [row for row in rows if row["part"] == "policy"]
    table = [
        {
            "": name,
            "points": _points(row["estimate"]),
            "interval": _interval(row),
            "verdict": row["verdict"] if row["judged"] else f"({row['verdict']})",
        }
        for row, name in [
            *((row, row["cell"]) for row in ways if not row["reason"]),
            *((row, f"followed by {row['cell']}") for row in others if not row["reason"]),
        ]
    ]
    if table:
        yield from (_INDENT + line for line in table_lines(table, left=("", "verdict")))


def _elsewhere(rows: Sequence[Row]) -> str:
    cells = [row for row in rows if row["part"] in _TABLES and not row["reason"]]
    if not cells:
        return ""
    marks = ", ".join(f"{row['cell']} {MARKS[row['sign']]}" for row in cells)
    flips = "; ".join(
        f"{row['cell']} {_points(row['estimate'])} ({_interval(row)})" for row in cells if row["turned"]
    )
    return f"At other tables: {marks}." + (f" It goes the other way with {flips}." if flips else "")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
