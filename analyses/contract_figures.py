"""The figures of the atlas of contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from shanghai_sim.reporting import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Own turns that a panel of curves shows at most; panels beside one another.
LAST_TURN, COLUMNS = 15, 5
#: Least distance of two labels of curves, as a share of the panel.
APART = 0.1


def listed(items: Any) -> str:
    """Return things as a list in words: ``1, 2 and 3``."""
    *rest, last = map(str, items)
    return f"{', '.join(rest)} and {last}" if rest else last


def plural(deals: Any) -> str:
    """Return contracts by number: ``contract 8``, ``contracts 8 and 9``."""
    return f"contract{'s' * (len(deals) > 1)} {listed(deals)}"


def curves_figure(curves: pd.DataFrame, buys: pd.DataFrame, contracts: pd.DataFrame) -> Figure:
    """Return the share of players not yet down after each own turn, a panel a contract, a line a number of buys."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    labels = list(dict.fromkeys(buys["buys"]))
    shades = mpl.colormaps["Blues"](np.linspace(0.4, 1.0, len(labels)))
    colours = dict(zip(labels, shades if len(labels) > 1 else [figures.BLUE], strict=True))
    rows = -(-len(contracts) // COLUMNS)
    with figures.style():
        figure = Figure(figsize=(14, 1.3 + 2.9 * rows), layout="constrained")
        panels = figure.subplots(rows, COLUMNS, sharex=True, sharey=True, squeeze=False).ravel()
        for axes, row in zip(panels, contracts.to_dict("records"), strict=False):
            deal = row["deal"]
            _curves_panel(axes, curves[curves["deal"] == deal], colours)
            never = buys[(buys["deal"] == deal) & ~buys["made"]]["buys"]
            axes.set_title(f"{deal}:  {row['contract']}")
            if len(never):
                text = f"with {' or '.join(never)} buy{'s' * (list(never) != ['1'])}: never"
                axes.text(LAST_TURN + 3.5, 1.02, text, ha="right", va="bottom", fontsize=figures.NOTE_SIZE)
        for axes in panels[len(contracts) :]:
            axes.set_visible(False)
        panels[0].set_ylim(0, 1.12)
        panels[0].set_xlim(0, LAST_TURN + 3.5)
        panels[0].set_xticks([0, 5, 10, LAST_TURN])
        panels[0].set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        figure.supxlabel(
            "own turn (numbers at the lines: buys allowed to everybody; bands: 95 % intervals)", fontsize=10
        )
        figure.supylabel("players not yet down, if nobody else ended the deal", fontsize=10)
        figures.title(figure, _curves_title(buys))
    return figure


def _curves_panel(axes: Axes, curves: pd.DataFrame, colours: dict[str, Any]) -> None:
    ends = []
    for label, curve in curves[curves["turn"] <= LAST_TURN].groupby("buys", sort=False):
        start = {"turn": 0, "left": 1.0, "left_low": 1.0, "left_high": 1.0}
        drawn = pd.concat([pd.DataFrame([start]), curve])
        colour = colours[str(label)]
        axes.fill_between(
            drawn["turn"], drawn["left_low"], drawn["left_high"], step="post", color=colour, alpha=0.3, lw=0
        )
        axes.step(drawn["turn"], drawn["left"], where="post", color=colour, lw=1.8)
        ends.append((float(drawn["left"].iloc[-1]), float(drawn["turn"].iloc[-1]), str(label)))
    _label_lines(axes, ends, colours)


def _label_lines(axes: Axes, ends: list[tuple[float, float, str]], colours: dict[str, Any]) -> None:
    """Write beside a panel what its lines are, the most buys at the bottom, each tied to the end of its line."""
    place = -APART
    for y, x, label in reversed(ends):
        place = max(y, place + APART, APART / 3)
        at = LAST_TURN + 0.9
        axes.plot([x, at - 0.2], [y, place], color=figures.GREY, lw=0.6, ls=":")
        text = f"{label} buys" if label == ends[0][2] and label != "1" else label
        axes.text(at, place, text, color=_dark(colours[label]), fontsize=9, va="center", clip_on=False)


def _dark(colour: Any) -> Any:
    """Return a colour that can be read as letters on white."""
    from matplotlib.colors import to_rgb

    return tuple(0.8 * part for part in to_rgb(colour))


def _curves_title(buys: pd.DataFrame) -> str:
    """Return what is clear of fewer buys, and what cannot be made with them."""
    made = buys[buys["made"]]
    fewer = made[~made["own"]] if "says" in made else made.iloc[:0]
    least = fewer.groupby("deal").first() if len(fewer) else fewer
    clear = int((least["says"] == "more").sum()) if len(least) else 0
    parts = []
    if clear:
        which = (
            "every contract" if clear == buys["deal"].nunique() else f"{clear} contract{'s' * (clear > 1)}"
        )
        parts.append(f"Fewer buys make {which} harder")
    never = buys[~buys["made"]].groupby("buys", sort=False)["deal"].apply(list)
    if len(never):
        first = never.index[0]
        buys_words = {"0": "without a buy", "1": "with one buy"}.get(first, f"with {first} buys")
        parts.append(f"{buys_words} {plural(never.iloc[0])} cannot be made")
    title = ", and ".join(parts)
    return title[:1].upper() + title[1:] or "How soon each contract is down"


def ranking_figure(contracts: pd.DataFrame) -> Figure:
    """Return the contracts, the hardest on top: stuck with it, turns alone, cards missing as dealt."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    table = contracts.sort_values(["stuck", "deal"], kind="stable").reset_index(drop=True)
    places = np.arange(len(table))
    with figures.style():
        figure = Figure(figsize=(13, 1.7 + 0.42 * len(table)), layout="constrained")
        stuck, alone, lacks = figure.subplots(1, 3, sharey=True)
        _dots(stuck, places, table, "stuck", figures.BLUE, 100, "{:.0f} %")
        stuck.set_yticks(places, [f"{row.deal}:  {row.contract}" for row in table.itertuples()])
        stuck.set_title("Never get it down")
        stuck.set_xlabel("% of the players (95 % intervals)")
        _dots(alone, places, table, "alone_half", figures.BLUE, 1, "")
        _dots(alone, places, table, "alone_most", figures.ORANGE, 1, "")
        top = table.dropna(subset=["alone_half"]).index[-1]
        for name, text, colour in (
            ("alone_half", "half", figures.BLUE),
            ("alone_most", "nine of ten", figures.ORANGE),
        ):
            where = (table[name][top], top + 0.3)
            alone.text(*where, text, color=colour, ha="center", va="bottom", fontsize=9)
        alone.set_title("Are down when nobody disturbs them")
        alone.set_xlabel("by this own turn (95 % intervals)")
        alone.xaxis.set_major_locator(MaxNLocator(integer=True))
        _dots(lacks, places, table, "lacks", figures.BLUE, 1, "{:.1f}")
        lacks.set_title("Lack when the cards are dealt")
        lacks.set_xlabel("cards, on average (95 % intervals are within the dots)")
        for axes in (stuck, alone, lacks):
            axes.set_xlim(left=0)
            axes.margins(x=0.12)
            figures.without_frame(axes)
        stuck.set_ylim(-0.6, len(table) - 0.1)
        figures.title(figure, ranking_title(contracts))
    return figure


def _dots(
    axes: Axes, places: Any, table: pd.DataFrame, name: str, colour: str, scale: int, text: str
) -> None:
    low, high = (scale * table[f"{name}_{end}"] for end in ("low", "high"))
    axes.hlines(places, low, high, color=colour, lw=2)
    axes.plot(scale * table[name], places, "o", color=colour, ms=5)
    if text:
        for place, x, end in zip(places, scale * table[name], high, strict=True):
            axes.annotate(
                text.format(x), (end, place), (6, 0), textcoords="offset points", va="center", fontsize=9
            )


def ranking_title(contracts: pd.DataFrame) -> str:
    """Return which contracts may be the hardest and the easiest."""
    hardest = contracts[contracts["rank_low"] == 1]["deal"].tolist()
    easiest = contracts[contracts["rank_high"] == len(contracts)]["deal"].tolist()
    ends = [
        f"{plural(deals)} {'is' if len(deals) == 1 else 'are'} the {word}"
        for deals, word in ((hardest, "hardest"), (easiest, "easiest"))
    ]
    title = ", ".join(ends)
    return title[0].upper() + title[1:]
