"""Does the number of players change the advice?

Question
    Advice comes from tables of four or five. Is it as good with three, and with eight?
Design
    Ten tips as a player who follows it beside one who ignores it, in each seat, on the same cards, among players of
    `balanced`, with 3 to 8 players (`compare`). The intervals of all cells hold together (Bonferroni).
Answer
    In reports/advice_by_table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

import shanghai_sim as ss
from analyses.differences import LEVEL, difference, half_together
from analyses.report import Report, progress_of
from shanghai_sim.experiments.tips.tip import find_tips
from shanghai_sim.experiments.tips.trial import Seating, make_trial
from shanghai_sim.reporting import figures

#: The tips that players argue about most.
TEN = (1, 2, 3, 5, 7, 11, 13, 16, 17, 22)
PLAYERS = (3, 4, 5, 6, 7, 8)
POLICY = "balanced"


def cell(number: int, players: int, games: int, seed: int) -> dict[str, Any]:
    """Return what a tip is worth at a table."""
    tip = find_tips([number])[0]
    policy = ss.load_policy(POLICY)
    seating = Seating(ss.load_rules("shanghai"), players, policy, (policy,), seed, "seat")
    trial = make_trial(tip, tip.main, seating)
    follow, ignore = trial.sides
    found = difference(follow, ignore, games, seed, against=POLICY, players=players, deals=trial.deals)
    return {"tip": tip.number, "name": tip.name, "advice": tip.advice, "players": players} | found


def together(frame: pd.DataFrame) -> pd.DataFrame:
    """Return cells with intervals that hold together, and with the mark of each."""
    half = half_together(frame)
    frame = frame.assign(low=frame.difference - half, high=frame.difference + half)
    frame["mark"] = np.select([frame.low > 0, frame.high < 0], ["+", "-"], "?")
    return frame


def summary(cells: pd.DataFrame) -> pd.DataFrame:
    """Return a row a tip: its worth at the smallest and the largest table, and whether its sign turns."""
    by = cells.groupby("tip", sort=False)
    tips = by[["name", "advice"]].first()
    tips["first"], tips["last"] = by.difference.first(), by.difference.last()
    tips["change"] = (tips["last"] - tips["first"]).abs()
    tips["turns"] = by.mark.agg(lambda marks: {"+", "-"} <= set(marks))
    tips["clear"] = by.mark.agg(lambda marks: marks.nunique() == 1 and "?" not in set(marks))
    return tips.reset_index()


def drawn(cells: pd.DataFrame, tips: pd.DataFrame) -> Any:
    """Return the figure: a panel a tip, points a game by number of players."""
    from matplotlib.figure import Figure

    with figures.style():
        figure = Figure(figsize=(11, 6.4), layout="constrained")
        panels = figure.subplots(2, -(-len(tips) // 2), sharex=True).flat
        for axes, tip in zip(panels, tips.itertuples(index=False), strict=False):
            rows = cells[cells.tip == tip.tip]
            for row in rows.itertuples(index=False):
                colour = {"+": figures.BLUE, "-": figures.ORANGE}.get(row.mark, figures.GREY)
                axes.plot([row.players] * 2, [row.low, row.high], color=colour, lw=2)
                axes.plot(
                    row.players, row.difference, {"+": "o", "-": "v"}.get(row.mark, "x"), color=colour, ms=6
                )
            axes.axhline(0, color="black", lw=0.8)
            axes.set_title(f"{tip.tip}. {tip.name}", fontsize=10)
            axes.set_xticks(sorted(cells.players.unique()))
            axes.margins(y=0.12)
        turned = tips[tips.turns].name.tolist()
        same = int(tips.clear.sum())
        title = f"{same} of {len(tips)} tips have one sign from {cells.players.min()} to {cells.players.max()} players"
        title += f"; {', '.join(turned)} turn" + "s" * (len(turned) == 1) if turned else ""
        figures.title(figure, title)
        figure.supxlabel("players", fontsize=10)
        figure.supylabel("points a game that following it saves", fontsize=10)
    return figure


@click.command()
@click.option("--games", default=5_000, show_default=True, help="Games of each comparison.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another folder than reports/advice_by_table.",
)
def main(games: int, seed: int, out: Path | None) -> None:
    """Compare ten tips at tables of three to eight and write the report."""
    report = Report("advice_by_table", out)
    with progress_of([(tip, players) for tip in TEN for players in PLAYERS], "tables") as steps:
        cells = together(pd.DataFrame([cell(tip, players, games, seed) for tip, players in steps]))
    tips = summary(cells)
    report.table("cells", cells)
    report.table("tips", tips)
    report.table("kept", tips[tips.clear])
    report.table("turned", tips[tips.turns])
    report.table("grows", tips[tips.clear].sort_values("change", ascending=False, kind="stable"))
    report.table("shares", pd.DataFrame({"players": sorted(cells.players.unique())}))
    packs = ss.load_rules("shanghai").cards.packs
    report.scope(
        rules="shanghai", policy=POLICY, seed=seed, games=games, level=LEVEL, more=max(n for n, _ in packs)
    )
    report.figure("tables", drawn(cells, tips))
    report.page()


if __name__ == "__main__":
    main()
