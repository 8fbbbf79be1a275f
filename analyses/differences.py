"""Differences between policies as rows of a table, and such tables as figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import shanghai_sim as ss
from shanghai_sim.inference.multiplicity import holm
from shanghai_sim.reporting import figures

#: Points a game within which a difference is called none.
EQUAL = 2.0
#: Coverage of the intervals of `compare`.
LEVEL = 0.95


def difference(a: str, b: str, games: int, seed: int, **rest: Any) -> dict[str, Any]:
    """Return how many points a game a policy is better than another, as a row of a table."""
    found = ss.compare(a, b, until=f"games={games}", seed=seed, **rest)
    low, high = found.interval
    return {
        "difference": found.difference,
        "low": low,
        "high": high,
        "p": found.p,
        "games": found.games,
        "blocks": found.blocks,
    }


def corrected(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as a frame, the best first, with p-values corrected for their number and what they say."""
    frame = pd.DataFrame(rows).sort_values("difference", ascending=False, kind="stable")
    frame["p"] = holm(frame["p"].to_numpy())
    clear = frame["p"] < 0.05
    equal = (frame["low"] > -EQUAL) & (frame["high"] < EQUAL)
    frame["says"] = np.select(
        [equal, clear & (frame["difference"] > 0), clear], ["equal", "better", "worse"], "unclear"
    )
    return frame


def drawn(table: pd.DataFrame, names: str, title: str, axis: str) -> Any:
    """Return a figure of differences with their intervals, a row each, the best on top."""
    from matplotlib.figure import Figure

    with figures.style():
        figure = Figure(figsize=(9, 1.6 + 0.3 * len(table)), layout="constrained")
        axes = figure.subplots()
        rows = table.iloc[::-1].reset_index(drop=True)
        for y, row in rows.iterrows():
            colour = {"better": "#0072B2", "worse": "#D55E00"}.get(row["says"], figures.GREY)
            axes.plot([row["low"], row["high"]], [y, y], color=colour, lw=2, solid_capstyle="butt")
            axes.plot(row["difference"], y, "o", color=colour, ms=5)
        axes.axvline(0, color="black", lw=0.8)
        axes.axvspan(-EQUAL, EQUAL, color="#DDDDDD", zorder=0)
        axes.set_yticks(range(len(rows)), rows[names])
        axes.set_xscale("symlog", linthresh=10)
        ticks = [-500, -100, -50, -20, -10, -5, 0, 5, 10, 20, 50, 100, 200]
        low, high = rows["low"].min() - EQUAL, max(rows["high"].max(), EQUAL) + EQUAL
        axes.set_xlim(low, high)
        axes.set_xticks([tick for tick in ticks if low <= tick <= high], minor=False)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:+.0f}" if x else "0")
        axes.minorticks_off()
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"{axis} (95 % intervals; grey: no difference to speak of)")
        figure.suptitle(title, x=0.01, ha="left", fontsize=figures.TITLE_SIZE, fontweight="bold")
    return figure
