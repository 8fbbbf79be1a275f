"""``shanghai-sim tournament``: which of several policies does best at tables of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim.cli import options
from shanghai_sim.cli.plots import check_plot, echo_context, plot, write_plot
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.experiments.entry import Entry
    from shanghai_sim.experiments.tournament import Tournament
    from shanghai_sim.policies.policy import Policy


@click.command("tournament", short_help="Play policies against one another and say which is best.")
@click.argument("specs", metavar="[P1 P2 ...]", nargs=-1)
@click.option("--all", "everyone", is_flag=True, help="All policies that ship, beside those named.")
@options.rules
@options.changes
@options.players
@options.games(20_000)
@options.deals
@options.seed
@options.namespace
@options.coupling
@options.workers
@plot
@options.out
@click.option("--resume", is_flag=True, help="Go on with the interrupted tournament in --out.")
@options.output_format("table", "json", "csv")
@options.quiet
def command(
    fmt: str,
    plot_file: Path | None,
    out: Path | None,
    resume: bool,
    workers: int | None,
    quiet: bool,
    **asked: Any,
) -> None:
    """Play policies against one another and say which is best, by how much, and which cannot be told apart.

    Points are those that a policy is better a game than the others at its table. Where the games are enough, every
    composition of the table is played, on the same cards; otherwise a balanced choice of tables, and beside them one
    of each policy among others of each other one.
    """
    if out is None and resume:
        raise InputError("--resume needs --out DIR")
    ending = check_plot(plot_file) if plot_file is not None else ""
    entry = _entry(**asked)
    from shanghai_sim.cli.progress import Progress
    from shanghai_sim.experiments.tournament import play_entry

    progress = Progress(quiet=quiet)
    try:
        found = play_entry(entry, workers=workers, progress=progress, out=out, resume=resume)
    except KeyboardInterrupt:
        progress.close()
        if out is not None:
            click.echo(
                f"what has been played is kept in {out}; the same command with --resume goes on", err=True
            )
        raise
    finally:
        progress.close()
    if plot_file is not None:
        write_plot(_figure(found), plot_file, ending, quiet=quiet)
    click.echo(_shown(found, fmt))
    if fmt == "csv" and not quiet:
        echo_context(found.context)


def _entry(
    *, specs: Sequence[str], everyone: bool, rules_name: str, changes: Sequence[str], **rest: Any
) -> Entry:
    """Return what is to be played, before anything is, or raise with one line for everything that is wrong."""
    from shanghai_sim.policies.policy import preset_names
    from shanghai_sim.rules.ruleset import load_ruleset

    names = [*specs, *(name for name in preset_names() if name not in specs)] if everyone else list(specs)
    if len(names) < 2:
        raise InputError(
            f"a tournament takes two policies or more, or --all; there are {', '.join(preset_names())}"
        )
    problems: list[str] = []
    loaded: list[Policy] = []
    for name in names:
        try:
            loaded.extend(options.load_policies(name))
        except InputError as error:
            problems += error.problems
    try:
        ruleset = load_ruleset(rules_name, changes)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(*dict.fromkeys(problems))
    from shanghai_sim.experiments.entry import enter

    return enter(loaded, ruleset, **rest)


def _figure(found: Tournament) -> Any:
    from shanghai_sim.reporting.tournament_figure import tournament_figure

    return tournament_figure(found.finding, found.context, found.ranking.labels, found.rows)


def _shown(found: Tournament, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.run_report import run_json
    from shanghai_sim.reporting.tournament_report import tournament_report

    if fmt == "csv":
        return summary_csv(found.rows).rstrip("\n")
    if fmt == "json":
        return run_json(found.verdict, found.context, found.rows)
    return tournament_report(
        found.verdict, found.context, found.ranking.labels, found.rows, found.dominated(), found.full
    )
