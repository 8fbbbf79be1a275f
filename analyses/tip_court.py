"""Which advice is true?

Question
    Players hand advice on: save your buys, never hold a joker, lay down at once. Which of it is true?
Design
    Every tip as a player who follows it beside one who ignores it, in each seat, on the same cards, among players of
    `balanced` (`tips`): a screen of all ways to follow all tips, fresh blocks until each is decided, another player of
    a different mind, and other tables, numbers of players and rules. All verdicts hold together with 95 %.
Answer
    In reports/tip_court.
"""

from __future__ import annotations

from pathlib import Path

import click
import pandas as pd

import shanghai_sim as ss
from analyses.report import KEPT, Report
from shanghai_sim.cli.progress import Stages
from shanghai_sim.experiments.tips.court import FULL
from shanghai_sim.experiments.tips.ruling import LEVEL
from shanghai_sim.reporting.tips_figure import tips_figure

#: Parts of the cards that are other tables.
TABLES = ("players", "field", "rules")


def verdicts(court: ss.Court) -> pd.DataFrame:
    """Return a row a tip, the best advice first: its verdict, and the other tables by what they say."""
    rows = court.to_frame()
    heads = rows[rows.part == "tip"].set_index("tip")
    heads["reading"] = pd.Series({card.tip.number: card.tip.reading for card in court.cards})
    cells = rows[rows.part.isin(TABLES) & (rows.reason == "")]
    own = cells.tip.map(heads.sign)
    for name, chosen in {
        "same": (cells.sign == own) & (own != 0),
        "turn": cells.turned == 1,
        "pay": (cells.sign == 1) & (own == 0),
        "cost": (cells.sign == -1) & (own == 0),
        "open": cells.sign == 0,
    }.items():
        heads[name] = cells[chosen].groupby("tip").cell.apply(", ".join).reindex(heads.index).fillna("")
    return heads.sort_values("estimate", ascending=False, kind="stable").reset_index()


def write(report: Report, court: ss.Court) -> None:
    """Write tables, figure and page."""
    report.table("tips", court.to_frame())
    report.table("verdicts", verdicts(court))
    seating = court.docket.seating
    report.scope(
        rules=seating.ruleset.name, players=seating.players, policy=seating.policy.label,
        second="none" if court.docket.second is None else court.docket.second.label, seed=seating.seed,
        trials=len(court.found.family), screen=court.budget.screen, most=court.budget.most, cell=court.budget.cell,
        asked=court.budget.asked, games=court.context["games"], coupling=seating.coupling, level=LEVEL,
        margin=court.cards[0].tip.margin,
    )  # fmt: skip
    report.figure("tips", tips_figure(court.finding, court.context, court.rows))
    report.page()


@click.command()
@click.option("--games", default=30_000, show_default=True, help="Fresh games of a trial at the most.")
@click.option("--screen", default=1_200, show_default=True, help="Blocks of the screen.")
@click.option("--cell", default=400, show_default=True, help="Blocks at each other table.")
@click.option(
    "--asked", default=FULL.asked, show_default=True, help="Games in which decisions are asked for."
)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Another folder than reports/tip_court."
)
@click.option(
    "--kept",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where what is played is kept, so that a run can go on. By default build/reports/tip_court, "
    "with --out nowhere.",
)
def main(
    games: int, screen: int, cell: int, asked: int, seed: int, out: Path | None, kept: Path | None
) -> None:
    """Try every tip and write the report."""
    if kept is None and out is None:
        kept = KEPT / "tip_court"
    # A block of the usual table is one game of all and one in each seat.
    budget = {"screen": screen, "most": max(500, games // 5), "cell": cell, "asked": asked}
    stages = Stages(quiet=False)
    try:
        court = ss.tips(
            budget=budget,
            seed=seed,
            out=kept,
            resume=kept is not None and (kept / "tips.json").exists(),
            progress=stages,
            note=lambda text: click.echo(text, err=True),
        )
    except ss.InputError as error:
        raise click.ClickException(str(error)) from None
    finally:
        stages.close()
    write(Report("tip_court", out), court)


if __name__ == "__main__":
    main()
