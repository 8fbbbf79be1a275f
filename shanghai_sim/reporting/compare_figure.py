"""A comparison as a figure: what was known as it went on, and the difference contract by contract."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from shanghai_sim.reporting import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]
Looks = Sequence[tuple[int, float, float, float]]
#: Colours of the region of practical equivalence, and of the line at 0.
_EQUAL, _LINE = "#DDE8DD", "#4D4D4D"
#: Points that the panel of contracts shows at the least on either side: less is noise to the eye.
_LEAST = 0.5
#: Letters of a name above which an axis does not name it.
_LONG = 24


def compare_figure(
    finding: str, context: Mapping[str, Any], about: Mapping[str, Any], looks: Looks, rows: Rows
) -> Figure:
    """Return the figure.

    Parameters
    ----------
    finding : str
        The answer in a few words: the title.
    context : mapping
        What was asked.
    about : mapping
        The difference and what it means.
    looks : sequence of tuple
        Blocks, difference, and the ends of its interval, look by look.
    rows : sequence of mappings
        Figures (keys: simulation.question_columns.COMPARISON).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    deals = [row for row in rows if row["part"] == "deal"]
    with figures.style():
        title = textwrap.wrap(finding, 92, break_on_hyphens=False)
        # In inches, so that letters never meet, however few contracts there are.
        head, foot, panel = 0.7 + 0.27 * len(title), 1.0, 0.6 + 0.33 * max(8, len(deals))
        height = head + panel + foot
        figure = Figure(figsize=(12, height))
        FigureCanvasAgg(figure)
        left, right = figure.subplots(1, 2)
        # The contracts are written to the left of the right panel.
        longest = max(len(row["contract"]) for row in deals)
        figure.subplots_adjust(
            left=0.065,
            right=0.975,
            wspace=0.17 + 0.016 * longest,
            top=1 - head / height,
            bottom=foot / height,
        )
        figure.text(
            0.015,
            1 - 0.15 / height,
            "\n".join(title),
            fontsize=figures.TITLE_SIZE,
            fontweight="bold",
            va="top",
        )
        _path(left, about, looks)
        _contracts(right, about, deals)
        figure.text(0.015, 0.12 / height, _note(context, about), fontsize=figures.NOTE_SIZE, color="#555555")
    return figure


def _better(about: Mapping[str, Any]) -> str:
    """Return what a difference above 0 means."""
    kind, name = about["kind"], about["variant"]
    if len(name) > _LONG:
        name = {"rules": "the first rules", "tables": "the first table"}.get(kind, "the first one")
    if kind == "policies":
        return f"points by which {name} is better"
    return f"points more {'under' if kind == 'rules' else 'at'} {name}"


def _path(axes: Axes, about: Mapping[str, Any], looks: Looks) -> None:
    """Draw the difference and its band as blocks accumulate, and where it stopped."""
    margin = about["margin"]
    colour = figures.colour(about["variant"])
    axes.axhspan(-margin, margin, color=_EQUAL, linewidth=0, zorder=0)
    axes.axhline(0, color=_LINE, linewidth=1)
    known = [look for look in looks if not isnan(look[2])]
    if known:
        blocks, estimates, lows, highs = zip(*known, strict=True)
        axes.fill_between(blocks, lows, highs, color=colour, alpha=0.22, linewidth=0)
        axes.plot(blocks, estimates, color=colour, linewidth=2)
    last, low, high = looks[-1][0], about["low"], about["high"]
    axes.plot(last, about["difference"], "o", color=colour, markersize=7)
    if not isnan(low):
        axes.plot([last, last], [low, high], color=colour, linewidth=2.5, solid_capstyle="butt")
    axes.set_xscale("log")
    first = looks[0][0]
    span = last / first
    # A single look stands in the middle.
    axes.set_xlim(*((first / span**0.05, last * span**0.12) if span > 1 else (first / 3, first * 3)))
    left, right = axes.get_xlim()
    round_ = [figure * 10**power for power in range(7) for figure in (1, 2, 5)]
    ticks = [number for number in round_ if left <= number <= right]
    axes.set_xticks(ticks, [f"{number:,}" for number in ticks])
    axes.set_xticks([], minor=True)
    low_y, high_y = axes.get_ylim()
    room = 0.1 * (high_y - low_y)
    axes.set_ylim(min(low_y, -1.3 * margin) - room, max(high_y, 1.3 * margin) + room)
    figures.ticks_within(axes.yaxis)
    axes.set_title("What was known as it went on")
    axes.set_xlabel(f"blocks played; {_why(about, last)}")
    axes.set_ylabel(_better(about))


def _why(about: Mapping[str, Any], last: int) -> str:
    if about["until"] == "games":
        return f"{last:,} were fixed before"
    if last >= about["most_blocks"]:
        return f"{last:,} were the most allowed"
    return f"stopped by itself at {last:,}"


def _contracts(axes: Axes, about: Mapping[str, Any], deals: Rows) -> None:
    """Draw the difference by contract with its simultaneous bands."""
    colour = figures.colour(about["variant"])
    axes.axvline(0, color=_LINE, linewidth=1)
    labels = []
    for i, row in enumerate(deals):
        if not isnan(row["low"]):
            axes.plot([row["low"], row["high"]], [-i, -i], color=colour, linewidth=2, solid_capstyle="butt")
        axes.plot(row["estimate"], -i, "o", color=colour, markersize=6)
        labels.append(f"{row['contract']}  {row['number']:>2}")
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, -_LEAST), max(high, _LEAST))
    figures.ticks_within(axes.xaxis)
    axes.set_yticks([-i for i in range(len(deals))], labels)
    axes.set_ylim(-len(deals) + 0.4, 0.6)
    axes.grid(visible=False, axis="y")
    figures.without_frame(axes)
    axes.set_title("By contract")
    axes.set_xlabel(_better(about))


def _note(context: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    named = [
        f"{key.replace('_', ' ')} {context[key]:,}"
        if key in ("games", "blocks")
        else f"{key.replace('_', ' ')} {context[key]}"
        for key in ("rules", "players", "policies", "games", "blocks", "deals", "seed", "engine_version")
    ]
    lines = [
        f"Green: less than {about['margin']:g} points either way counts as practically equal. Left: 95 % band that "
        "holds at all looks at once, bar: 95 % interval of the result; right: 95 % for all contracts at once.",
        *textwrap.wrap(" · ".join(named), 170, break_on_hyphens=False),
    ]
    return "\n".join(lines)
