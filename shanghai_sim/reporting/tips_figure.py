"""The figure of a court: every tip with what it is worth, or one tip with its ways and tables."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from shanghai_sim.reporting import figures
from shanghai_sim.reporting.tips_report import MARKS, ordered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = Mapping[str, Any]
#: Colour and mark of each verdict: they keep apart without colour too.
LOOKS = {
    "true": (figures.BLUE, "o"),
    "true but small": ("#56B4E9", "o"),
    "makes no difference": ("#7F7F7F", "s"),
    "hardly ever matters": ("#7F7F7F", "D"),
    "not decided": ("#7F7F7F", "x"),
    "depends": ("#882255", "d"),
    "false": (figures.ORANGE, "v"),
}
_SIGNS = {1: "true", -1: "false", 0: "not decided"}
_WIDEST = 54


def tips_figure(finding: str, context: Mapping[str, Any], rows: Sequence[Row]) -> Figure:
    """Return the figure.

    Parameters
    ----------
    finding : str
        The title.
    context : mapping
        What was asked.
    rows : sequence of mappings
        Figures (keys: simulation.question_columns.TIPS).
    """
    from matplotlib.figure import Figure

    numbers = ordered(rows)
    heads = {row["tip"]: row for row in rows if row["part"] == "tip"}
    if len(numbers) > 1:
        drawn = [heads[number] for number in numbers if not isnan(heads[number]["estimate"])]
        lines = [(f"{row['tip']}  {row['advice']}", row, row["verdict"]) for row in drawn]
    else:
        lines = [_line(row) for row in rows if row["part"] not in ("tip", "deal") and not row["reason"]]
    with figures.style():
        figure = Figure(figsize=(10.5, 1.9 + 0.36 * len(lines)), layout="constrained")
        _draw(figure.subplots(), lines)
        figures.title(figure, finding, 76)
        figure.supxlabel(_note(context), x=0.01, ha="left", fontsize=figures.NOTE_SIZE, color="#555555")
    return figure


def _line(row: Row) -> tuple[str, Row, str]:
    name = f"followed by {row['cell']}" if row["part"] == "policy" else row["cell"]
    return textwrap.shorten(name, 2 * _WIDEST, placeholder=" ..."), row, row["verdict"] or _SIGNS[row["sign"]]


def _draw(axes: Axes, lines: Sequence[tuple[str, Row, str]]) -> None:
    for y, (_, row, word) in enumerate(reversed(lines)):
        colour, mark = LOOKS[word]
        axes.plot([row["low"], row["high"]], [y, y], color=colour, lw=2.2, solid_capstyle="butt")
        axes.plot(row["estimate"], y, mark, color=colour, ms=6)
        # A cell has a sign and no verdict.
        said = word if row["verdict"] else MARKS[row["sign"]]
        if row["said"] and row["said"] != word:
            said = f"{word};\nas said {row['said']}"
        axes.annotate(
            said, (1.01, y), xycoords=("axes fraction", "data"), va="center", fontsize=9, color=colour
        )
    margins = {row["margin"] for _, row, _ in lines}
    if len(margins) == 1:
        axes.axvspan(-min(margins), min(margins), color="#DDDDDD", zorder=0)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(range(len(lines)), [textwrap.fill(name, _WIDEST) for name, _, _ in reversed(lines)])
    axes.set_ylim(-0.7, len(lines) - 0.3)
    figures.effect_axis(axes, min(row["low"] for _, row, _ in lines), max(row["high"] for _, row, _ in lines))
    axes.set_xlabel("points a game that following it saves; left of the line it costs")
    axes.grid(axis="y", visible=False)
    figures.without_frame(axes)


def _note(context: Mapping[str, Any]) -> str:
    return (
        f"Rules {context['rules']}, {context['players']} players, {context['policies']}, seed {context['seed']}, "
        f"{context['games']:,} games. Verdicts hold together with 95 %; grey band: too small to matter."
    )
