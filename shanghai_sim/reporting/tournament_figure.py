"""The result of a tournament as a figure: policies against the field, and one of each among others of each."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from shanghai_sim.reporting import figures
from shanghai_sim.reporting.heat_map import heat_map, signed
from shanghai_sim.reporting.tournament_report import Cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]
#: Sizes in inches.
_ROW, _LEAST_PANEL = 0.34, 2.2
_COLUMN, _LEAST_MATRIX = 0.5, 3.6
#: At most one policy in so many is written, not drawn, and only if the others take less than this share of the scale.
_ONE_IN, _SMALL = 6, 0.6
_DOTS, _GAP, _RIGHT, _FOOT = 4.2, 0.6, 0.25, 0.85


def tournament_figure(finding: str, context: Mapping[str, Any], ranked: Sequence[str], rows: Rows) -> Figure:
    """Return the figure.

    Parameters
    ----------
    finding : str
        The answer in a few words: the title.
    context : mapping
        What was asked.
    ranked : sequence of str
        The policies from first to last.
    rows : sequence of mappings
        Figures (keys: simulation.question_columns.TOURNAMENT).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    cells, k = Cells(rows), len(ranked)
    names = [f"{name}  {i + 1:>2}" for i, name in enumerate(map(_short, ranked))]
    left = 0.45 + 0.085 * max(map(len, names))
    matrix = max(_LEAST_MATRIX, _COLUMN * k)
    width = left + _DOTS + _GAP + matrix + _RIGHT
    with figures.style():
        title = textwrap.wrap(finding, int(width * 8.2), break_on_hyphens=False)
        head = 0.6 + 0.27 * len(title)
        panel = max(_LEAST_PANEL, _ROW * k)
        height = head + panel + _FOOT
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        bottom = _FOOT / height
        dots = figure.add_axes((left / width, bottom, _DOTS / width, panel / height))
        square = figure.add_axes(
            ((left + _DOTS + _GAP) / width, bottom, matrix / width, panel / height), sharey=dots
        )
        figure.text(
            0.15 / width, 1 - 0.15 / height, "\n".join(title), fontsize=figures.TITLE_SIZE, fontweight="bold",
            va="top",
        )  # fmt: skip
        _matrix(square, cells, ranked, int(context["players"]))
        _dots(dots, cells, ranked, names)
        note = textwrap.wrap(_note(context), int(width * 14.5), break_on_hyphens=False)
        figure.text(0.15 / width, 0.1 / height, "\n".join(note), fontsize=figures.NOTE_SIZE, color="#555555")
    return figure


def _short(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"


def _dots(axes: Axes, cells: Cells, ranked: Sequence[str], names: Sequence[str]) -> None:
    """Draw the points of each policy against the field, with intervals."""
    found = [cells.row("field", policy, "points_better") for policy in ranked]
    shown = _shown(found)
    for i, (policy, row) in enumerate(zip(ranked, found, strict=True)):
        colour = figures.colour(policy)
        if i >= shown:
            text = f"\N{LEFTWARDS ARROW} {signed(row['estimate'])}"
            across = axes.get_yaxis_transform()
            axes.text(0.02, i, text, transform=across, va="center", color=colour, fontweight="bold")
            continue
        if not isnan(row["low"]):
            axes.plot([row["low"], row["high"]], [i, i], color=colour, linewidth=2.2, solid_capstyle="butt")
        axes.plot(row["estimate"], i, color=colour, marker="o", markersize=5.5)
    axes.axvline(0, color="#808080", linewidth=1, zorder=0.5)
    axes.set_title("Points a game better than the others")
    axes.set_yticks(range(len(ranked)), names)
    axes.set_ylim(len(ranked) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    figures.without_frame(axes)
    axes.tick_params(axis="y", which="both", length=0)


def _shown(found: Rows) -> int:
    """Return how many of the policies, from the first on, are drawn to scale: not a few far behind all others."""
    lead = [row["estimate"] for row in found]
    for left_out in range(1, len(lead) // _ONE_IN + 1):
        if lead[0] - lead[-1 - left_out] < (lead[0] - lead[-1]) * _SMALL:
            return len(lead) - left_out
    return len(lead)


def _matrix(axes: Axes, cells: Cells, ranked: Sequence[str], players: int) -> None:
    values, texts = [], []
    for one in ranked:
        found = [
            None if one == other else cells.row("matrix", one, "points_better", other) for other in ranked
        ]
        values.append([nan if row is None else row["estimate"] for row in found])
        texts.append(["" if row is None else _written(row) for row in found])
    heat_map(axes, values, texts, 8 if len(ranked) > 6 else 10)
    others = "the other" if players == 2 else f"{players - 1}"
    axes.set_title(f"One of the row among {others} of the column" if players > 2 else "Row against column")
    axes.set_xticks(range(len(ranked)), [str(i + 1) for i in range(len(ranked))])
    axes.tick_params(labelleft=False)


def _written(row: Mapping[str, Any]) -> str:
    """Return a number of points, in brackets if it is not clearly other than 0."""
    text = signed(row["estimate"])
    return text if row["low"] > 0 or row["high"] < 0 else f"({text})"


def _note(context: Mapping[str, Any]) -> str:
    named = [
        f"{key.replace('_', ' ')} {context[key]:,}"
        if key == "games"
        else f"{key.replace('_', ' ')} {context[key]}"
        for key in ("rules", "players", "games", "design", "deals", "seed", "engine_version")
    ]
    return (
        "Points a game better, from blocks; bars are 95 % intervals that hold together. In brackets: not clearly other "
        "than 0, all cells together. " + " · ".join(named)
    )
