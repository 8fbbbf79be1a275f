"""The report of a comparison: the answer, how large it is, by contract, by seat, and how well it was seen."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from shanghai_sim.inference.verdicts import verdict as verdict_of
from shanghai_sim.reporting.run_report import context_lines
from shanghai_sim.reporting.tables import table_lines

Rows = Sequence[Mapping[str, Any]]
_WIDTH = 100
#: Letters of a name above which a column's head does not repeat it.
_LONG = 16


class _Figures:
    """Look-up in the rows of a comparison (keys: simulation.question_columns.COMPARISON)."""

    def __init__(self, rows: Rows) -> None:
        self._rows = {(row["part"], row["metric"]): row for row in rows if row["part"] in ("game", "size")}
        self.by = {part: [row for row in rows if row["part"] == part] for part in ("deal", "seat")}

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._rows and not isnan(self._rows[key]["estimate"])

    def row(self, part: str, metric: str) -> Mapping[str, Any]:
        return self._rows[part, metric]

    def value(self, metric: str) -> float:
        return float(self._rows["size", metric]["estimate"])


def compare_report(verdict: str, context: Mapping[str, Any], about: Mapping[str, Any], rows: Rows) -> str:
    """Return the report as text, at most 100 columns wide but for the answer and long names.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked.
    about : mapping
        The difference and what it means: names of the sides, margins, when it was to stop.
    rows : sequence of mappings
        Figures (keys: simulation.question_columns.COMPARISON).
    """
    figures = _Figures(rows)
    policies = about["kind"] == "policies"
    parts = [
        [verdict],
        [*_game(figures, about, context), *(_beside(figures, about) if policies else [])],
        _paragraph(_sizes(figures, about, context)) if figures.value("games_differing") > 0 else [],
        _by(figures, about, context, "deal"),
        _by(figures, about, context, "seat"),
        _paragraph(_how_well(figures, about)),
        [*_paragraph(_how_to_read(about, context)), *context_lines(context)],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _paragraph(sentences: Sequence[str]) -> list[str]:
    return textwrap.wrap(" ".join(sentences), _WIDTH, break_on_hyphens=False)


def _shown(row: Mapping[str, Any], digits: int = 1, scale: float = 1) -> str:
    """Return ``estimate ± half-width``."""
    # Adding 0 makes -0 a plain 0.
    text = f"{round(scale * row['estimate'], digits) + 0.0:.{digits}f}"
    half = scale * (row["high"] - row["low"]) / 2
    return text if isnan(half) else f"{text} ± {half:.{digits}f}"


def _range(row: Mapping[str, Any], digits: int = 0) -> str:
    """Return ``low to high``, as far as they are known."""
    low, high = (None if isnan(row[key]) else f"{row[key]:,.{digits}f}" for key in ("low", "high"))
    if low is None:
        return "no interval" if high is None else f"up to {high}"
    return f"{low} or more" if high is None else f"{low} to {high}"


def _heads(about: Mapping[str, Any]) -> tuple[str, str, str]:
    first, second = about["variant"], about["baseline"]
    name = first if len(first) <= _LONG else "the first"
    return first, second, f"{name} better by" if about["kind"] == "policies" else "change"


def _game(figures: _Figures, about: Mapping[str, Any], context: Mapping[str, Any]) -> list[str]:
    """Return the table of the whole game."""
    points = "points a game" if context["deals"] == "all" else "points over these deals"
    names = {
        "points": (points, 1, 1),
        "win_share": ("% of wins", 1, 100),
        "winner_points": ("points of the winner", 1, 1),
        "turns": ("turns of all seats", 1, 1),
        "buys": ("buys of a player", 2, 1),
    }
    shown = (
        ("points", "win_share")
        if about["kind"] == "policies"
        else ("points", "winner_points", "turns", "buys")
    )
    first, second, last = _heads(about)
    rows = []
    for metric in shown:
        name, digits, scale = names[metric]
        row = figures.row("game", metric)
        sides = (f"{scale * row[side]:.{digits}f}" for side in ("variant", "baseline"))
        rows.append(
            {"": name} | dict(zip((first, second), sides, strict=True)) | {last: _shown(row, digits, scale)}
        )
    return table_lines(rows, left=[""])


def _beside(figures: _Figures, about: Mapping[str, Any]) -> list[str]:
    first, second = about["variant"], about["baseline"]
    wins = figures.row("game", "win_share")
    low, high, margin = wins["low"], wins["high"], about["margin_win_share"]
    judged = "" if isnan(low) else f"Judged by wins alone: {verdict_of(low, high, margin)}. "
    buys, turns, winner = (figures.row("game", metric) for metric in ("buys", "turns", "winner_points"))
    return _paragraph(
        [
            judged
            + f"{first} buys {buys['variant']:.1f} cards a game, {second} {buys['baseline']:.1f}; a game",
            f"with {first} takes {turns['variant']:.0f} turns of all seats and its winner has "
            f"{winner['variant']:.0f} points, with {second} {turns['baseline']:.0f} and {winner['baseline']:.0f}.",
        ]
    )


def _sizes(figures: _Figures, about: Mapping[str, Any], context: Mapping[str, Any]) -> list[str]:
    """Return how large the difference is in units that people feel."""
    sentences = []
    game = "game" if context["deals"] == "all" else "such game"
    evenings = figures.row("size", "per_100_evenings")
    sentences.append(
        f"Over 100 evenings of one {game} that is {abs(evenings['estimate']):,.0f} points a player"
        + (f" ({_evenings(evenings)})." if not isnan(evenings["low"]) else ".")
    )
    if ("size", "d") in figures:
        sentences.append(
            f"In standard deviations of one player's game: d = {_shown(figures.row('size', 'd'), 2)}."
        )
    if about["kind"] != "policies":
        return sentences
    beats = _shown(figures.row("size", "beats"), 1, 100)
    sentences.append(
        f"In the same seat with the same luck {about['variant']} has fewer points than {about['baseline']} in "
        f"{beats} % of games (equal ones count half)."
    )
    notice = figures.row("size", "games_to_notice")
    if not isnan(notice["low"]):
        needs = f"{notice['estimate']:,.0f} games of each kind ({_range(notice)})"
        if isnan(notice["high"]):
            # With 0 within the interval there may be nothing to notice.
            needs = f"at least {notice['low']:,.0f} games of each kind"
        sentences.append(f"Whoever keeps score needs {needs} until the better one is ahead with 95 % chance.")
    for side in ("variant", "baseline"):
        share, elo = (figures.row("size", f"{metric}_{side}") for metric in ("wins", "table_elo"))
        # Who plays as all others do wins as often as they: nothing to tell.
        if share["low"] != share["high"] and not isnan(elo["estimate"]):
            sentences.append(
                f"{about[side]} has {_shown(share, 1, 100)} % of the wins: table Elo {_shown_elo(elo)}."
            )
    return sentences


def _evenings(row: Mapping[str, Any]) -> str:
    low, high = row["low"], row["high"]
    if low * high >= 0:
        near, far = sorted((abs(low), abs(high)))
        return f"{near:,.0f} to {far:,.0f}"
    return f"from {min(low, high):,.0f} to {max(low, high):,.0f}"


def _shown_elo(row: Mapping[str, Any]) -> str:
    return f"{row['estimate'] + 0.0:+.0f} ({_range(row)})"


def _by(figures: _Figures, about: Mapping[str, Any], context: Mapping[str, Any], part: str) -> list[str]:
    """Return the table by contract or by seat."""
    first, second, last = _heads(about)
    rows = []
    for row in figures.by[part]:
        line: dict[str, Any] = {part: row["number"]}
        if part == "deal":
            line["contract"] = row["contract"]
        line |= {name: f"{row[side]:.1f}" for name, side in ((first, "variant"), (second, "baseline"))}
        rows.append(line | {last: _shown(row)})
    sums = " (all of them add up to the game)" if about["all_deals"] and context["deals"] == "all" else ""
    what = f"contract{sums}" if part == "deal" else "seat (seat 0 deals first)"
    return [f"Points by {what}; each ± holds for all of them at once:", *table_lines(rows, left=["contract"])]


def _how_well(figures: _Figures, about: Mapping[str, Any]) -> list[str]:
    """Return how well the difference was seen, and what more games would bring."""
    differing, blocks = figures.value("games_differing"), figures.value("blocks_differing")
    sentences = [
        f"{_percent(differing)} of the games of {about['variant']} differ in anything from those of "
        f"{about['baseline']} on the same cards, in {_percent(blocks)} of the blocks."
    ]
    if ("size", "correlation") in figures:
        sentences.append(f"Correlation of the two sides: {figures.value('correlation'):.2f}.")
    if ("size", "variance_reduction") in figures:
        factor = figures.value("variance_reduction")
        sentences.append(f"Without common cards and seats it would have taken {factor:.1f} times the games.")
        if factor < 1:
            sentences.append("WARNING: below 1 the common cards cost games instead of saving them.")
    if ("size", "luck_worth") in figures:
        sentences.append(_luck(figures.value("luck_worth"), figures.value("luck_out") > 0))
    if ("size", "smallest_effect") in figures:
        effect = figures.value("smallest_effect")
        sentences.append(f"A run like this shows a true difference of {effect:.1f} points with 80 % chance.")
    if ("size", "blocks_needed") in figures and (needed := figures.value("blocks_needed")) > 0:
        sentences.append(f"To know better takes about {needed:,.0f} more blocks.")
    return sentences


def _luck(worth: float, out: bool) -> str:
    """Return what taking the luck of the draws out was worth, or would have been."""
    if out:
        return f"The luck of the draws is taken out of the difference, which was worth {worth:.2f} times the blocks."
    return (
        "The luck of the draws is left in the difference: taking it out would have been worth "
        f"{worth:.2f} times the blocks, which is not clearly more than 1."
    )


def _percent(share: float) -> str:
    text = f"{100 * share:.1f}"
    # A share that rounds to all or nothing, and is not, says so.
    if text == "100.0" and share < 1:
        text = "almost 100"
    elif text == "0.0" and share > 0:
        text = "less than 0.1"
    return f"{text.removesuffix('.0')} %"


def _how_to_read(about: Mapping[str, Any], context: Mapping[str, Any]) -> list[str]:
    points = f"{about['margin']:g} points"
    if context["deals"] != "all":
        points += " (2 in a whole game, in proportion to the deals played)"
    count = f"Less than {points}"
    if about["kind"] == "policies":
        count += f" or {100 * about['margin_win_share']:g} percentage points of the wins"
    sentences = ["Fewer points are better.", f"{count} count as practically equal."]
    if about["until"] == "games":
        sentences.append("± is half of a 95 % interval, from blocks; the number of games was fixed before.")
    else:
        sentences.append(
            "± is half of a 95 % interval, from blocks, that holds however often one looks: the run could stop at "
            f"any look, and would have at {about['most_blocks']:,} blocks."
        )
    if about["kind"] == "rules":
        sentences.append("The same policy plays under both rules: it is not tuned anew for either.")
    return [*sentences, "All of it holds for these rules and these players only:"]


def plan_report(verdict: str, context: Mapping[str, Any], spread: float, rows: Rows) -> str:
    """Return what a comparison would take, as text.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked; games and blocks are those of the pilot run.
    spread : float
        Standard deviation of block values in the pilot run.
    rows : sequence of mappings
        `way`, `blocks`, `games` and `minutes` of each way to play.
    """
    if spread == 0:
        return "\n\n".join([verdict, "\n".join(context_lines(context))])
    shown = [
        {key: f"{row[key]:,}" if key in ("blocks", "games") else row[key] for key in row} for row in rows
    ]
    about = [
        f"From a pilot run, in which blocks differed with a standard deviation of {spread:.1f} points; so the numbers "
        "are right to about an eighth. Minutes are of this machine, now. What the pilot run was:"
    ]
    lines = [*_paragraph(about), *context_lines(context)]
    return "\n\n".join([verdict, "\n".join(table_lines(shown, left=["way"])), "\n".join(lines)])
