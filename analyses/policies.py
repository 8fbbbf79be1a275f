"""Who plays well, and what is each part of good play worth?

Question
    Which of the policies that ship plays best, what does each feature of `balanced` earn it, and which levers matter?
Design
    Every policy in the place of `balanced`, in each seat, among players of `balanced`, on the same cards
    (`compare`, one-vs-field); `balanced` and `plain` also the other way round. Each feature switched off alone, and
    each lever set to one value that a player might choose. How many decisions change is counted in the positions that
    `balanced` meets. Intervals are over blocks; the p-values of a table are corrected for their number (Holm).
Answer
    In reports/policies.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pandas as pd

import shanghai_sim as ss
from analyses.differences import EQUAL, LEVEL, difference, ranked
from analyses.report import Report, progress_of
from shanghai_sim.policies.policy import preset_names
from shanghai_sim.reporting import figures

#: A feature of `balanced`, and what switches it off.
FEATURES = {
    "live outs in the discard": "discard.outs=0",
    "danger of the discard": "discard.danger=0",
    "points of the discard": "discard.points=0",
    "buying what helps": "buy.when=never",
    "buying for more outs": "buy.when=if-it-helps",
    "keeping two buys for what helps": "buy.keep=0",
    "memory of the others": "opponents.memory=0",
    "leaving a discard that does not help": "draw.min_gain=0",
    "laying off": "lay_off.when=never",
    "swapping for wilds": "swap.use=never",
}
#: A value of each lever that a player might choose.
LEVERS = (
    "draw.min_gain=0", "draw.deny=0.6", "plan.sets_first=2", "plan.sets_first=-2", "plan.break_sets=1000",
    "buy.when=never", "buy.when=only-if-short", "buy.when=if-it-helps", "buy.when=always+buy.keep=0",
    "buy.min_outs=14", "buy.max_buys=1", "buy.from_deal=7", "buy.until_turn=4", "buy.deny=0.4", "buy.keep=0",
    "lay_down.when=when-hand-small+lay_down.max_left=2+lay_down.until_turn=8",
    "lay_down.when=when-out+lay_down.until_turn=8", "wild.hold_until_turn=5", "wild.use=last+lay_down.until_turn=8",
    "wild.dump_from_turn=7", "wild.dump_from_turn=7+wild.dump=when-free", "lay_off.when=never",
    "lay_off.keep_one=true", "swap.use=never", "swap.use=always", "discard.prefer=cheapest", "discard.distance=20",
    "discard.outs=0", "discard.outs=8", "discard.danger=0", "discard.danger=6", "discard.points=0",
    "discard.points=2", "discard.points_from_turn=5", "discard.points_once_down=3", "discard.points_near_out=5",
    "discard.points_near_out=5+opponents.near_out=6", "discard.keep_pairs=2", "discard.keep_connected=2",
    "opponents.memory=0", "opponents.memory=1", "opponents.memory=3", "opponents.block_leader=3", "score.risk=1",
    "score.risk=-1", "noise=0.02",
)  # fmt: skip


def cast(games: int, seed: int) -> pd.DataFrame:
    """Return how every named policy does in the place of `balanced`."""
    rows = []
    with progress_of([name for name in preset_names() if name != "balanced"], "policies") as names:
        for name in names:
            rows.append(
                {"policy": name, "title": ss.load_policy(name).title}
                | difference(name, "balanced", games, seed)
            )
    return ranked(rows)


def strength(games: int, seed: int) -> pd.DataFrame:
    """Return `balanced` beside `plain` among players of either kind."""
    return pd.DataFrame(
        {"policy": "balanced", "than": "plain", "among": among}
        | difference("balanced", "plain", games, seed, against=among)
        for among in ("plain", "balanced")
    )


def features(games: int, seed: int) -> pd.DataFrame:
    """Return what each feature of `balanced` is worth: what it loses without it."""
    rows = []
    with progress_of(list(FEATURES.items()), "features") as items:
        for feature, change in items:
            found = difference("balanced", f"balanced+{change}", games, seed, against="balanced")
            rows.append({"feature": feature, "change": change} | found)
    return ranked(rows)


def levers(games: int, asked: int, seed: int) -> pd.DataFrame:
    """Return what each lever does to points, and how many decisions it changes."""
    rows = []
    with progress_of(LEVERS, "levers") as changes:
        for change in changes:
            other = f"balanced+{change}"
            changed = ss.changed_decisions("balanced", other, games=asked, seed=seed).to_frame().iloc[-1]
            shares = {"changed": changed.share, "changed_low": changed.low, "changed_high": changed.high}
            rows.append({"lever": change} | difference(other, "balanced", games, seed) | shares)
    return ranked(rows)


def drawn(table: pd.DataFrame, names: str, title: str, axis: str) -> Any:
    """Return a figure of differences with their intervals, a row each, the best on top."""
    from matplotlib.figure import Figure

    with figures.style():
        figure = Figure(figsize=(9, 1.6 + 0.3 * len(table)), layout="constrained")
        axes = figure.subplots()
        rows = table.iloc[::-1].reset_index(drop=True)
        for y, row in rows.iterrows():
            colour = {"better": figures.BLUE, "worse": figures.ORANGE}.get(row["says"], figures.GREY)
            axes.plot([row["low"], row["high"]], [y, y], color=colour, lw=2, solid_capstyle="butt")
            axes.plot(row["difference"], y, "o", color=colour, ms=5)
        axes.axvline(0, color="black", lw=0.8)
        axes.axvspan(-EQUAL, EQUAL, color="#DDDDDD", zorder=0)
        axes.set_yticks(range(len(rows)), rows[names])
        figures.effect_axis(axes, rows["low"].min(), rows["high"].max())
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"{axis} (95 % intervals; grey: no difference to speak of)")
        figures.title(figure, title)
    return figure


@click.command()
@click.option("--games", default=20_000, show_default=True, help="Games of each comparison.")
@click.option("--asked", default=100, show_default=True, help="Games in which decisions are asked for.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Another folder than reports/policies."
)
def main(games: int, asked: int, seed: int, out: Path | None) -> None:
    """Compare the policies that ship, the features of balanced, and the levers; write the report."""
    report = Report("policies", out)
    tables = {
        "strength": strength(games, seed),
        "cast": cast(games, seed),
        "features": features(games, seed),
        "levers": levers(games, asked, seed),
    }
    for name, table in tables.items():
        report.table(name, table)
    report.scope(rules="shanghai", players=4, seed=seed, games=games, asked=asked, equal=EQUAL, level=LEVEL)
    ahead = tables["cast"].query("says == 'better'")["policy"].tolist()
    title = f"{', '.join(ahead)} beats balanced" if ahead else "No policy beats balanced"
    axis = "points a game better than balanced in the same seat"
    report.figure("cast", drawn(tables["cast"], "policy", title, axis))
    best = tables["features"].iloc[0]["feature"]
    title = f"What balanced loses without each of its parts: most without {best}"
    report.figure("features", drawn(tables["features"], "feature", title, "points a game lost without it"))
    report.page()


if __name__ == "__main__":
    main()
