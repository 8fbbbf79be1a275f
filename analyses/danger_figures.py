"""Figures of the danger of discards: a row for each kind of card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from analyses.danger_kinds import TYPES
from analyses.positions import LEAST
from shanghai_sim.reporting import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Contracts: colour, mark and name.
_LOOKS = {
    "sets": (figures.ORANGE, "o", "contracts of sets"),
    "mixed": ("#56B4E9", "s", "contracts of sets and runs"),
    "runs": (figures.BLUE, "D", "contracts of runs"),
}
_SAYS = {"above": figures.ORANGE, "below": figures.BLUE}
_TICKS = (-80, -40, -20, -10, -5, 0, 5, 10, 20, 40, 80)
#: Letters in a line of a title.
_LINE = 76


def danger_figure(kinds: pd.DataFrame) -> Figure:
    """Return the chances that somebody takes a card, by kind and contract, the most dangerous on top."""
    from matplotlib.figure import Figure

    rows = kinds[kinds["chance_cases"] >= LEAST].iloc[::-1].reset_index(drop=True)
    with figures.style():
        figure = Figure(figsize=(10, 1.7 + 0.36 * len(rows)), layout="constrained")
        axes = figure.subplots()
        for i, name in enumerate(TYPES):
            colour, mark, words = _LOOKS[name]
            known = rows[rows[f"{name}_cases"] >= LEAST]
            y = known.index.to_numpy() + 0.2 * (1 - i)
            axes.hlines(y, 100 * known[f"{name}_low"], 100 * known[f"{name}_high"], color=colour, lw=2)
            axes.plot(100 * known[name], y, mark, color=colour, ms=5, label=words)
        axes.set_yticks(range(len(rows)), rows["words"])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlim(0, 103)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:.0f} %")
        axes.set_xlabel("chance that somebody takes the card when it is thrown (95 % intervals)")
        axes.legend(loc="lower right", frameon=True, edgecolor="none")
        figures.title(figure, _chances(rows), _LINE)
    return figure


def _chances(rows: pd.DataFrame) -> str:
    if rows.empty:
        return "Too few cards were thrown"
    first, last = rows.iloc[-1], rows.iloc[0]
    return (
        f"Taken most often: {first['words']} ({100 * first['chance']:.0f}\u00a0%); "
        f"least often: {last['words']} ({100 * last['chance']:.0f}\u00a0%)"
    )


def pairs_figure(pairs: pd.DataFrame) -> Figure:
    """Return by how much likelier a card is taken for what can be seen of it, the most dangerous on top."""
    from matplotlib.figure import Figure

    rows = pairs[pairs["says"] != "few"].iloc[::-1].reset_index(drop=True)
    with figures.style():
        figure = Figure(figsize=(10, 1.7 + 0.36 * len(rows)), layout="constrained")
        axes = figure.subplots()
        for y, row in rows.iterrows():
            colour = _SAYS.get(row["says"], figures.GREY)
            axes.hlines(y, 100 * row["low"], 100 * row["high"], color=colour, lw=2)
            axes.plot(100 * row["estimate"], y, "o", color=colour, ms=5)
        axes.axvline(0, color="black", lw=0.8)
        axes.set_yticks(range(len(rows)), rows["words"])
        axes.grid(axis="y", visible=False)
        # What is seen of a card is worth a few points, or nearly all of them.
        axes.set_xscale("symlog", linthresh=10)
        ends = axes.get_xlim()
        axes.set_xticks([tick for tick in _TICKS if ends[0] <= tick <= ends[1]], minor=False)
        axes.minorticks_off()
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:+.0f}" if x else "0")
        axes.set_xlabel("percentage points likelier to be taken (grey: not clear)")
        figures.title(figure, _tells(rows), _LINE)
    return figure


def _tells(rows: pd.DataFrame) -> str:
    shown = rows[rows["shown"]]
    worst, best = shown[shown["says"] == "above"], shown[shown["says"] == "below"]
    parts = [f"likelier taken when {worst['words'].iloc[-1]}"] if len(worst) else []
    parts += [f"less likely when {best['words'].iloc[0]}"] if len(best) else []
    return f"A card is {'; '.join(parts)}" if parts else "Nothing that is seen of a card clearly matters"
