"""The result of a sweep as a figure: a line with its band for one thing varied, a heat map for two."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from shanghai_sim.errors import InputError
from shanghai_sim.reporting import figures
from shanghai_sim.reporting.heat_map import heat_map, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]
_WIDTH = 9.5
#: A positive range this wide is shown by its logarithm, if no step is more than so many times as large as another;
#: values with gaps of more than so many times the least gap stand side by side.
_WIDE, _EVEN, _STEPS = 10, 1.5, 12


def check_axes(n: int) -> None:
    """Raise an error if so many things varied cannot be drawn.

    Raises
    ------
    InputError
        With more than two.
    """
    if n > 2:
        raise InputError(f"--plot shows one or two things varied, not {n}: leave it out for the table alone")


def sweep_figure(
    finding: str, context: Mapping[str, Any], keys: Sequence[str], rows: Rows, of_rules: bool
) -> Figure:
    """Return the figure.

    Parameters
    ----------
    finding : str
        The answer in a few words: the title.
    context : mapping
        What was asked.
    keys : sequence of str
        What is varied: one or two.
    rows : sequence of mappings
        The grid points (keys: simulation.question_columns.SWEEP).
    of_rules : bool
        Whether rules are varied.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    check_axes(len(keys))
    with figures.style():
        title = textwrap.wrap(finding, 80, break_on_hyphens=False)
        note = textwrap.wrap(_note(context, len(keys), of_rules), 140, break_on_hyphens=False)
        rows_of_map = len(dict.fromkeys(row[keys[0]] for row in rows))
        panel = 4.0 if len(keys) == 1 else max(2.4, 0.55 * rows_of_map)
        head, foot = 0.65 + 0.27 * len(title), 0.85 + 0.16 * len(note)
        height = head + panel + foot
        figure = Figure(figsize=(_WIDTH, height))
        FigureCanvasAgg(figure)
        letters = max(len(str(row[keys[0]])) for row in rows) if len(keys) == 2 else 6
        left = 0.6 + 0.085 * min(letters, 30)
        axes = figure.add_axes(
            (left / _WIDTH, foot / height, (_WIDTH - left - 0.35) / _WIDTH, panel / height)
        )
        figure.text(
            0.15 / _WIDTH, 1 - 0.15 / height, "\n".join(title), fontsize=figures.TITLE_SIZE, fontweight="bold",
            va="top",
        )  # fmt: skip
        (_line if len(keys) == 1 else _map)(axes, keys, rows, of_rules)
        figure.text(0.15 / _WIDTH, 0.1 / height, "\n".join(note), fontsize=figures.NOTE_SIZE, color="#555555")
    return figure


def _change(row: Mapping[str, Any], of_rules: bool) -> tuple[float, float, float]:
    """Return what is drawn of a grid point: points better, or more where rules are varied, with its interval."""
    sign = 1 if of_rules else -1
    low, high = sorted(sign * row[f"points_difference_{end}"] + 0.0 for end in ("low", "high"))
    return sign * row["points_difference"] + 0.0, low, high


def _what(of_rules: bool) -> str:
    return "Points a game more than as given" if of_rules else "Points a game better than as given"


def _line(axes: Axes, keys: Sequence[str], rows: Rows, of_rules: bool) -> None:
    texts = [str(row[keys[0]]) for row in rows]
    scale, places = _scale(texts)
    order = sorted(range(len(rows)), key=lambda i: places[i])
    across = [places[i] for i in order]
    changes = [_change(rows[i], of_rules) for i in order]
    estimates, lows, highs = zip(*changes, strict=True)
    colour = figures.COLOURS["no-buy"]
    if not isnan(lows[-1]) or not isnan(lows[0]):
        axes.fill_between(across, lows, highs, color=colour, alpha=0.2, linewidth=0)
        axes.vlines(across, lows, highs, color=colour, linewidth=2)
    axes.plot(across, estimates, color=colour, marker="o", linewidth=1.6)
    axes.axhline(0, color="#808080", linewidth=1, zorder=0.5)
    base = next(i for i, row in enumerate(rows) if row["baseline"])
    axes.plot(
        places[base],
        0,
        marker="D",
        markersize=9,
        markerfacecolor="white",
        markeredgecolor="#202020",
        zorder=3,
    )
    axes.annotate(
        f"as given: {texts[base]}", (places[base], 0), (0, 11), textcoords="offset points", ha="center",
        color="#202020", fontsize=10,
    )  # fmt: skip
    if scale == "log":
        axes.set_xscale("log")
    axes.set_xticks(across, [texts[i] for i in order])
    axes.minorticks_off()
    axes.margins(x=0.08, y=0.12)
    figures.ticks_within(axes.yaxis)
    axes.set_xlabel(keys[0])
    axes.set_title(_what(of_rules))
    axes.grid(visible=False, axis="x")


def _scale(texts: Sequence[str]) -> tuple[str, list[float]]:
    """Return a kind of scale, and where on it each value stands."""
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        return "place", [float(i) for i in range(len(texts))]
    rising = sorted(numbers)
    if rising[0] > 0 and rising[-1] / rising[0] >= _WIDE:
        ratios = [b / a for a, b in pairwise(rising)]
        if max(ratios) <= _EVEN * min(ratios):
            return "log", numbers
    if rising[-1] - rising[0] <= _STEPS * min(b - a for a, b in pairwise(rising)):
        return "number", numbers
    return "place", [float(rising.index(number)) for number in numbers]


def _map(axes: Axes, keys: Sequence[str], rows: Rows, of_rules: bool) -> None:
    first, second = ([*dict.fromkeys(str(row[key]) for row in _in_grid(keys, rows))] for key in keys)
    at = {(str(row[keys[0]]), str(row[keys[1]])): row for row in rows}
    values = [[_change(at[a, b], of_rules)[0] if (a, b) in at else nan for b in second] for a in first]
    texts = [[_cell(at[a, b], of_rules) if (a, b) in at else "" for b in second] for a in first]
    heat_map(axes, values, texts, 10)
    best = max(_in_grid(keys, rows), key=lambda row: _change(row, of_rules)[0])
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            row = at.get((a, b))
            if row is None:
                continue
            if not of_rules and row["may_be_best"] and row is not best:
                _box(axes, i, j, linestyle=":", linewidth=2.2, edgecolor="#202020")
            if not of_rules and row is best:
                _box(axes, i, j, linewidth=3, edgecolor="#202020")
    axes.set_xticks(range(len(second)), second)
    axes.set_yticks(range(len(first)), first)
    axes.set_xlabel(keys[1])
    axes.set_ylabel(keys[0])
    axes.set_title(_what(of_rules))


def _in_grid(keys: Sequence[str], rows: Rows) -> list[Mapping[str, Any]]:
    """Return the rows of the grid, without a baseline that stands beside it."""
    rest = [row for row in rows if not row["baseline"]]
    base = next(row for row in rows if row["baseline"])
    inside = all(any(row[key] == base[key] for row in rest) for key in keys) or len(rest) + 1 < len(rows)
    return [row for row in rows if inside or not row["baseline"]]


def _cell(row: Mapping[str, Any], of_rules: bool) -> str:
    if row["baseline"]:
        return "as given"
    estimate, low, high = _change(row, of_rules)
    half = "" if isnan(low) else f" ± {(high - low) / 2:.0f}"
    return signed(estimate) + half


def _box(axes: Axes, i: int, j: int, **look: Any) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((j - 0.47, i - 0.47), 0.94, 0.94, fill=False, **look))


def _note(context: Mapping[str, Any], varied: int, of_rules: bool) -> str:
    named = [
        f"{key.replace('_', ' ')} {context[key]:,}"
        if key in ("games", "blocks")
        else f"{key.replace('_', ' ')} {context[key]}"
        for key in ("rules", "players", "policies", "games", "blocks", "deals", "seed", "engine_version")
    ]
    how = "95 % intervals that hold for all values together. "
    if varied == 2 and not of_rules:
        how += "Framed: the best found; dotted frame: not clearly worse. "
    return how + " · ".join(named)
