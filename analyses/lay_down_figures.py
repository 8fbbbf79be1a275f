"""The figures of what waiting with a contract costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.buy_figures import number
from shanghai_sim.reporting import figures
from shanghai_sim.reporting.heat_map import heat_map

if TYPE_CHECKING:
    import pandas as pd

_DOWN = {0: "nobody else is down", 1: "one other is down"}
_SAYS = {"better": figures.BLUE, "worse": figures.ORANGE}


def cells(table: pd.DataFrame) -> Any:
    """Return what waiting a turn costs in each cell: a panel by others down, a row a contract, a column a span."""
    from matplotlib.figure import Figure

    deals, turns = sorted(table["deal"].unique()), sorted(table["turn"].unique())
    contracts = table.drop_duplicates("deal").set_index("deal")["contract"]
    spans = table.drop_duplicates("turn").set_index("turn")["turns"]
    downs = sorted(table["others_down"].unique())
    rows = {(row.deal, row.turn, row.others_down): row for row in table.itertuples()}
    shown = [[rows.get((d, t, o)) for o in downs for t in turns] for d in deals]
    with figures.style():
        figure = Figure(figsize=(10.5, 5.6), layout="constrained")
        axes = figure.subplots()
        values = [[np.nan if _silent(row) else row.difference for row in line] for line in shown]
        heat_map(axes, values, [["" if _silent(row) else _text(row) for row in line] for line in shown], 9)
        axes.set_yticks(range(len(deals)), [f"{deal}   {contracts[deal]}" for deal in deals])
        axes.set_ylabel("contract")
        axes.set_xticks(range(len(downs) * len(turns)), [spans[t] for _ in downs for t in turns])
        axes.set_xlabel(
            "own turn\nPoints of the deal that waiting one turn costs (below nought: waiting pays). "
            "In brackets: not clear. Empty: too few such positions.",
            fontsize=figures.NOTE_SIZE,
        )
        for i, others in enumerate(downs):
            words = _DOWN.get(int(others), "more are down")
            axes.text((i + 0.5) * len(turns) - 0.5, -0.65, words, ha="center", va="bottom", fontsize=10.5)
            if i:
                axes.axvline(i * len(turns) - 0.5, color="black", lw=1.2)
        figures.title(figure, _found(table))
    return figure


def _silent(row: Any) -> bool:
    return row is None or row.says == "few"


def _text(row: Any) -> str:
    text = number(row.difference)
    return f"({text})" if row.says == "unclear" else text


def _found(table: pd.DataFrame) -> str:
    pays, costs = (int((table["says"] == word).sum()) for word in ("worse", "better"))
    spoken = int((table["says"] != "few").sum())
    return (
        f"Waiting clearly costs points in {costs} of {spoken} kinds of positions, "
        f"and clearly pays in {pays or 'none'}"
    )


def contracts(table: pd.DataFrame) -> Any:
    """Return what waiting a turn costs in each contract, with intervals."""
    from matplotlib.figure import Figure

    with figures.style():
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.subplots()
        for place, row in enumerate(table.itertuples()):
            colour = _SAYS.get(str(row.says), figures.GREY)
            axes.plot([row.low, row.high], [place, place], color=colour, lw=2, solid_capstyle="butt")
            axes.plot(row.difference, place, "o", color=colour, ms=5)
        axes.axvline(0, color="black", lw=0.8)
        axes.set_yticks(range(len(table)), [f"{row.deal}   {row.contract}" for row in table.itertuples()])
        axes.invert_yaxis()
        axes.set_ylabel("contract")
        axes.locator_params(axis="x", integer=True)
        axes.xaxis.set_major_formatter(lambda x, _: number(x, 0))
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("points of the deal that waiting one turn costs (95 % intervals; grey: not clear)")
        most = table.loc[table["difference"].idxmax()]
        figures.title(
            figure, f"Waiting costs most in contract {most['deal']}: {most['difference']:.0f} points"
        )
    return figure
