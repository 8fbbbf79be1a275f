"""``shanghai-sim tips``: whether folk advice is true, under these rules and against these players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim import defaults
from shanghai_sim.cli import options
from shanghai_sim.cli.plots import check_plot, echo_context, plot, write_plot
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.experiments.tips.cards import Court

_BLOCKS = click.IntRange(2, 1_000_000)


@click.command("tips", short_help="Say which advice is true, under your rules.")
@click.argument("asked", metavar="[TIP]...", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="List the tips, and play nothing.")
@options.rules
@options.changes
@options.players
@click.option("--policy", metavar="P", default=defaults.AGAINST, show_default=True,
              help="The player who follows a tip, or ignores it.")  # fmt: skip
@click.option("--second", metavar="P", default="usual",
              help="A player of another mind who does so as well; none: nobody.  "
              "[default: points-dumper; quick: none]")  # fmt: skip
@click.option("--against", metavar="A[,B...]",
              help="Who sits in the other seats; several: a mixture, drawn anew for every block.  "
              "[default: the policy itself]")  # fmt: skip
@click.option("--quick", is_flag=True,
              help="A first impression: few blocks, the readings of each tip alone, no second player, "
              "no other rules.")  # fmt: skip
@click.option("--screen", type=_BLOCKS, metavar="N",
              help="Blocks of the screen that all tips go through.  [default: 4000; quick: 200]")  # fmt: skip
@click.option("--blocks", "most", type=_BLOCKS, metavar="N",
              help="Fresh blocks of a tip at the most.  [default: 40000; quick: 500]")  # fmt: skip
@click.option("--cell", type=_BLOCKS, metavar="N",
              help="Blocks at each other table.  [default: 2000; quick: 100]")  # fmt: skip
@options.seed
@options.coupling
@options.workers
@options.out
@click.option("--resume", is_flag=True, help="Go on with the interrupted court in --out.")
@plot
@options.output_format("table", "json", "csv")
@options.quiet
def command(
    asked: tuple[str, ...],
    only_list: bool,
    fmt: str,
    plot_file: Path | None,
    screen: int | None,
    most: int | None,
    cell: int | None,
    quiet: bool,
    **rest: Any,
) -> None:
    """Try pieces of advice and print a verdict card for each.

    TIP is a number, a short name (--list shows them) or a TOML file that holds a tip; without any all are tried. A
    player who follows a tip is compared with one who ignores it, in the same seat and on the same cards. The first
    line says which advice is true and which is false.
    """
    if only_list:
        _list(asked, fmt)
        return
    if rest["resume"] and rest["out"] is None:
        raise InputError("--resume needs --out DIR")
    ending = check_plot(plot_file) if plot_file is not None else ""
    budget = {"screen": screen, "most": most, "cell": cell}
    found = _held(asked, {key: n for key, n in budget.items() if n is not None}, quiet=quiet, **rest)
    if plot_file is not None:
        from shanghai_sim.reporting.tips_figure import tips_figure

        write_plot(tips_figure(found.finding, found.context, found.rows), plot_file, ending, quiet=quiet)
    click.echo(_shown(found, fmt))
    if fmt == "csv" and not quiet:
        echo_context(found.context)


def _list(asked: tuple[str, ...], fmt: str) -> None:
    from shanghai_sim.cli.tables import echo_rows
    from shanghai_sim.experiments.tips.tip import find_tips

    rows = [
        {"tip": tip.number, "name": tip.name, "ways": len(tip.ways), "advice": tip.advice}
        for tip in find_tips(asked)
    ]
    echo_rows(rows, fmt)


def _held(
    asked: tuple[str, ...],
    budget: dict[str, int],
    *,
    quiet: bool,
    rules_name: str,
    changes: tuple[str, ...],
    second: str,
    out: Path | None,
    **rest: Any,
) -> Court:
    from shanghai_sim.cli.progress import Stages, what_is_kept
    from shanghai_sim.experiments.tips.hold import tips

    progress = Stages(quiet=quiet, words=_STAGES)
    try:
        return tips(
            asked,
            rules=rules_name,
            overrides=changes,
            second=None if second == "none" else second,
            budget=budget,
            out=out,
            progress=progress,
            note=None if quiet else lambda text: click.echo(text, err=True),
            **rest,
        )
    except KeyboardInterrupt:
        progress.close()
        click.echo(what_is_kept(out), err=True)
        raise
    finally:
        progress.close()


_STAGES = {
    "screen": "games of the screen",
    "final": "games until decided, at most",
    "cells": "games at other tables",
    "decisions": "games in which decisions are asked for",
}


def _shown(found: Court, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.run_report import run_json
    from shanghai_sim.reporting.tips_report import tips_report

    if fmt == "csv":
        return summary_csv(found.rows).rstrip("\n")
    if fmt == "json":
        return run_json(found.verdict, found.context, found.rows)
    readings = {tip.number: tip.reading for tip in found.docket.tips}
    return tips_report(found.verdict, found.context, found.rows, readings)
