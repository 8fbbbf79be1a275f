"""The figures of what buys are worth, and of plans to spend them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shanghai_sim.reporting import figures
from shanghai_sim.reporting.heat_map import heat_map

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SAYS = {"better": figures.BLUE, "worse": figures.ORANGE}
_PLACES = {1: "first", 2: "second", 3: "third"}


def number(value: float, digits: int = 1) -> str:
    """Return a number with its sign; a minus sign is as wide as a digit."""
    text = f"{value:+.{digits}f}"
    return (text if float(text) else f"{0:.{digits}f}").replace("-", "\N{MINUS SIGN}")


def worth(table: pd.DataFrame) -> Any:
    """Return the worth of each buy of each contract, a row a contract."""
    from matplotlib.figure import Figure

    wide = table.pivot(index="deal", columns="buy", values="difference")
    texts = [[_cell(table, deal, buy) for buy in wide.columns] for deal in wide.index]
    contracts = table.drop_duplicates("deal").set_index("deal")["contract"]
    most = table.loc[table["difference"].idxmax()]
    with figures.style():
        figure = Figure(figsize=(8.2, 6.4), layout="constrained")
        axes = figure.subplots()
        heat_map(axes, wide.to_numpy(), texts, 9.5)
        axes.set_yticks(range(len(wide)), [f"{deal}   {contracts[deal]}" for deal in wide.index])
        axes.set_xticks(range(wide.shape[1]), [f"{_PLACES[buy]} buy" for buy in wide.columns])
        axes.xaxis.tick_top()
        axes.set_ylabel("contract")
        axes.set_xlabel(
            "Points of the deal that having this buy saves one player, with its 95 % interval. "
            "In brackets: not clear.",
            fontsize=figures.NOTE_SIZE,
        )
        figures.title(
            figure,
            f"The {_PLACES[most['buy']]} buy of contract {most['deal']} is worth most: "
            f"{most['difference']:.0f} points",
        )
    return figure


def _cell(table: pd.DataFrame, deal: int, buy: int) -> str:
    row = table[(table["deal"] == deal) & (table["buy"] == buy)].iloc[0]
    text = f"{number(row['difference'])}   {number(row['low'])} to {number(row['high'])}"
    return f"({text})" if row["says"] == "unclear" else text


def plans(table: pd.DataFrame, budget: int) -> Any:
    """Return what each plan gains over spending as one goes, the best on top."""
    from matplotlib.figure import Figure

    with figures.style():
        figure = Figure(figsize=(9, 1.6 + 0.34 * len(table)), layout="constrained")
        axes = figure.subplots()
        rows = table.iloc[::-1].reset_index(drop=True)
        for y, row in rows.iterrows():
            _dot(axes, row, y)
        axes.axvline(0, color="black", lw=0.8)
        axes.set_yticks(range(len(rows)), [name.replace(": ", ":\n") for name in rows["plan"]])
        axes.xaxis.set_major_formatter(lambda x, _: number(x, 0))
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("points a game better than buying as one goes\n(95 % intervals; grey: not clear)")
        best = table.iloc[0]
        gain = f"With {budget} buys a game a plan gains up to {best['difference']:.0f} points"
        ahead = best["says"] == "better"
        figures.title(figure, gain if ahead else f"With {budget} buys a game no plan clearly gains")
    return figure


def _dot(axes: Axes, row: pd.Series, y: Any) -> None:
    colour = _SAYS.get(row["says"], figures.GREY)
    axes.plot([row["low"], row["high"]], [y, y], color=colour, lw=2, solid_capstyle="butt")
    axes.plot(row["difference"], y, "o", color=colour, ms=5)


def budgets(table: pd.DataFrame) -> Any:
    """Return what the last buy of a budget is worth to one player, and the points of all who have the budget."""
    from matplotlib.figure import Figure

    with figures.style():
        figure = Figure(figsize=(9, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        _curve(left, table, "difference", ("low", "high"), figures.BLUE)
        left.set_title("One player: the last buy of the budget")
        left.set_ylabel("points a game that it saves")
        _curve(right, table, "points", ("points_low", "points_high"), "#4D4D4D")
        right.set_title("Everybody has the budget")
        right.set_ylabel("points a game of each player")
        for axes in (left, right):
            axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
            axes.set_xticks(table["budget"])
            axes.set_xlabel("buys a game that the rules allow (95 % intervals)")
        most = table.loc[table["difference"].idxmax()]
        figures.title(
            figure,
            f"One buy more is worth most with a budget of {most['budget']:.0f}: {most['difference']:.0f} points a game",
        )
    return figure


def _curve(axes: Axes, table: pd.DataFrame, what: str, ends: tuple[str, str], colour: str) -> None:
    low, high = (table[end] for end in ends)
    axes.errorbar(
        table["budget"], table[what], yerr=[table[what] - low, high - table[what]], fmt="o-", color=colour,
        lw=1.2, ms=5, capsize=3,
    )  # fmt: skip
