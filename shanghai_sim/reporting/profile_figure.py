"""The portrait of a policy as a figure: buys, lay-downs, wilds and points, contract by contract."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from shanghai_sim.reporting import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]
#: Marks and lines of the policy and of the others.
_MARKS: Any = (("o", "-"), ("D", ":"))
#: Contracts in the panel of curves.
_CURVES = 3
#: A curve is drawn while its interval is this narrow, and up to this turn.
_WIDEST, _LAST_TURN = 0.2, 30
#: Nor is it drawn on where it can rise no more.
_ALL = 0.995
#: Two rows of a contract: the policy's mark above the others'.
_SHIFT = 0.15


class _Data(NamedTuple):
    """Rows of one table, looked up."""

    cells: dict[tuple[str, int, str, int], Mapping[str, Any]]
    groups: tuple[str, str]
    contracts: dict[int, str]

    def row(self, group: str, deal: int, metric: str, turn: int = 0) -> Mapping[str, Any]:
        return self.cells[group, deal, metric, turn]


def profile_figure(finding: str, context: Mapping[str, Any], groups: Sequence[str], rows: Rows) -> Figure:
    """Return the figure.

    Parameters
    ----------
    finding : str
        The answer in a few words: the title.
    context : mapping
        What was asked.
    groups : sequence of str
        The policy, and the others at its table.
    rows : sequence of mappings
        Figures (keys: simulation.columns.PROFILE).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    data = _looked_up(groups, rows)
    with figures.style():
        title = textwrap.wrap(finding, 92, break_on_hyphens=False)
        # In inches, so that letters never meet, however few contracts there are.
        head, foot, between = 0.9 + 0.27 * len(title), 0.65, 1.1
        panel = 0.6 + 0.33 * max(5, len(data.contracts))
        height = head + 2 * panel + between + foot
        figure = Figure(figsize=(12, height))
        FigureCanvasAgg(figure)
        panels = figure.subplots(2, 2)
        figure.subplots_adjust(
            left=0.105, right=0.89, wspace=0.38, hspace=between / panel, top=1 - head / height,
            bottom=foot / height,
        )  # fmt: skip
        figure.text(
            0.015,
            1 - 0.15 / height,
            "\n".join(title),
            fontsize=figures.TITLE_SIZE,
            fontweight="bold",
            va="top",
        )
        _dots(panels[0, 0], data, "buy_rate", "Buys taken of those offered (%)", 100)
        _curves(panels[0, 1], data, panel)
        _dots(panels[1, 0], data, "points", "Points a deal (fewer are better)")
        _dots(panels[1, 1], data, "wild_age", "Own turns that a wild stays in hand", side=_stuck)
        _names(figure, data, 1 - (head - 0.78) / height)
        figure.text(0.015, 0.12 / height, _note(context), fontsize=figures.NOTE_SIZE, color="#555555")
    return figure


def _looked_up(groups: Sequence[str], rows: Rows) -> _Data:
    seating = rows[0]["table"]
    here = [row for row in rows if row["table"] == seating]
    return _Data(
        {(row["group"], row["deal"], row["metric"], row["turn"]): row for row in here},
        (groups[0], groups[1]),
        {row["deal"]: row["contract"] for row in here if row["deal"] > 0},
    )


def _note(context: Mapping[str, Any]) -> str:
    named = [
        f"{key.replace('_', ' ')} {context[key]:,}"
        if key == "games"
        else f"{key.replace('_', ' ')} {context[key]}"
        for key in ("rules", "players", "games", "deals", "seed", "engine_version")
    ]
    return "Bars and bands are 95 % intervals, from blocks.   " + " · ".join(named)


def _names(figure: Figure, data: _Data, top: float) -> None:
    """Write who is who above the panels."""
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], color=colour, marker=marker, linestyle=line, markersize=7, linewidth=2, label=label)
        for label, colour, (marker, line) in zip(
            data.groups, figures.two_colours(*data.groups), _MARKS, strict=True
        )
    ]
    figure.legend(
        handles=marks, loc="upper left", bbox_to_anchor=(0.005, top), ncols=2, fontsize=11, handlelength=2.6
    )


def _dots(
    axes: Axes, data: _Data, metric: str, title: str, scale: float = 1,
    side: Callable[[Axes, _Data], None] | None = None,
) -> None:  # fmt: skip
    """Draw a figure by contract: a mark with its interval for the policy and one for the others."""
    places = {deal: -i for i, deal in enumerate(data.contracts)}
    for group, colour, marker, shift in zip(
        data.groups, figures.two_colours(*data.groups), "oD", (_SHIFT, -_SHIFT), strict=True
    ):
        for deal, place in places.items():
            row = data.row(group, deal, metric)
            if isnan(row["estimate"]):
                continue
            estimate, low, high = (scale * row[key] for key in ("estimate", "low", "high"))
            axes.plot([low, high], [place + shift] * 2, color=colour, linewidth=2, solid_capstyle="butt")
            axes.plot(estimate, place + shift, color=colour, marker=marker, markersize=6)
    axes.set_title(title)
    axes.set_yticks(list(places.values()), [f"{text}  {deal:>2}" for deal, text in data.contracts.items()])
    axes.set_ylim(min(places.values()) - 0.6, 0.6)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, -0.03 * high), max(high, 0.01))
    axes.grid(visible=False, axis="y")
    figures.without_frame(axes)
    if side is not None:
        side(axes, data)


def _stuck(axes: Axes, data: _Data) -> None:
    """Write beside each contract which share of the wilds is stuck in hand at the end of the deal."""
    across = axes.get_yaxis_transform()
    axes.text(
        1.02,
        0.68,
        "wilds stuck in\nhand at the end",
        transform=across,
        va="bottom",
        fontsize=9,
        color="#555555",
    )
    colours = figures.two_colours(*data.groups)
    for i, deal in enumerate(data.contracts):
        for group, colour, left in zip(data.groups, colours, (1.02, 1.14), strict=True):
            share = data.row(group, deal, "wilds_left_share")["estimate"]
            text = "-" if isnan(share) else f"{share:.0%}".replace("%", " %")
            axes.text(left, -i, text, transform=across, va="center", fontsize=9, color=colour)


def _curves(axes: Axes, data: _Data, height: float) -> None:
    """Draw for some contracts the share that is down by each own turn."""
    from matplotlib.ticker import MaxNLocator

    ends: list[tuple[float, int, str]] = []
    last = 1
    for deal in _chosen(data):
        for group, colour, line in zip(data.groups, figures.two_colours(*data.groups), "-:", strict=True):
            points = _points(data, group, deal)
            if not points:
                continue
            turns, shares, lows, highs = zip(*points, strict=True)
            own = group == data.groups[0]
            axes.plot(turns, shares, color=colour, linestyle=line, linewidth=2 if own else 1.8)
            axes.fill_between(turns, lows, highs, color=colour, alpha=0.2, linewidth=0)
            last = max(last, turns[-1])
            if not own:
                axes.text(turns[-1] + 0.15, shares[-1], str(deal), color=colour, fontsize=9, va="center")
            else:
                ends.append((shares[-1], turns[-1], f"{deal}  {data.contracts[deal]}"))
    places = _apart([end[0] for end in ends], gap=18 / height)
    for (share, turn, text), place in zip(ends, places, strict=True):
        axes.annotate(
            text, (turn, share), (last + 0.8, place), va="center", fontsize=9.5,
            color=figures.colour(data.groups[0]), annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": "#C0C0C0", "linewidth": 0.8, "shrinkA": 1, "shrinkB": 2},
        )  # fmt: skip
    axes.set_title("Contract down by own turn (%)")
    axes.set_xlim(0.5, last + 0.5)
    axes.set_ylim(0, 101)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("own turn, as if nobody else ended the deal")


def _chosen(data: _Data) -> list[int]:
    """Return deals from the easiest contract to the hardest, evenly spread, none twice."""
    easy = sorted(data.contracts, key=lambda deal: -data.row(data.groups[1], deal, "laid_down")["estimate"])
    different = list({data.contracts[deal]: deal for deal in reversed(easy)}.values())[::-1]
    n = min(_CURVES, len(different))
    return [different[round(i * (len(different) - 1) / max(1, n - 1))] for i in range(n)]


def _points(data: _Data, group: str, deal: int) -> list[tuple[int, float, float, float]]:
    """Return turn, share and the ends of its interval, in percent, as far as they are known well."""
    points: list[tuple[int, float, float, float]] = []
    for turn in range(1, _LAST_TURN + 1):
        row = data.cells.get((group, deal, "down_by_turn", turn))
        if row is None or not row["high"] - row["low"] <= _WIDEST:
            break
        points.append((turn, 100 * row["estimate"], 100 * row["low"], 100 * row["high"]))
        if row["low"] > _ALL:
            break
    return points


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Return heights at which labels do not overlap, as near to the given ones as may be."""
    order = sorted(range(len(heights)), key=lambda i: -heights[i])
    places = [0.0] * len(heights)
    above = 101.0 + gap
    for i in order:
        above = places[i] = min(heights[i], above - gap)
    return places
