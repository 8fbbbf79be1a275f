"""``policies show --profile``: the portrait of how a policy plays, as table and figure."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim.cli import options
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.experiments.profile import Profile

FORMATS = ("table", "json", "csv")
GAMES = 4_000
#: What only a portrait takes.
_ITS_OWN = (
    click.option(
        "--plot",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE.svg|.png|.pdf",
        help="With --profile: write the portrait as a figure too.",
    ),
    options.rules,
    options.changes,
    options.players,
    options.against,
    options.games(GAMES),
    options.deals,
    options.seed,
    options.workers,
    options.quiet,
)

_NAMES = {"plot", "rules_name", "changes", "players", "against", "games", "deals", "seed", "workers", "quiet"}


def portrait_options(function: Any) -> Any:
    """Add the options of a portrait to a command."""
    for option in reversed(_ITS_OWN):
        function = option(function)
    return click.option(
        "--profile",
        is_flag=True,
        help="Play games and show how it plays instead: what it wins, contract by contract.",
    )(function)


def refuse_without_profile(context: click.Context) -> None:
    """Raise a usage error if an option of portraits was given."""
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in _NAMES
        and context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{', '.join(given)}: goes with --profile, which plays games")


def check_plot(path: Path) -> str:
    """Return the ending of the figure's file, before anything is played.

    Raises
    ------
    InputError
        If it cannot be written there, or is no kind of figure.
    """
    from shanghai_sim.reporting.figures import check_kind

    ending = check_kind(path)
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InputError(f"--plot {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise InputError(f"--plot {path}: the folder {folder} cannot be written to")
    return ending


def echo_portrait(
    spec: str, fmt: str, *, plot: Path | None, workers: int | None, quiet: bool, **asked: Any
) -> None:
    """Play, print the portrait, and write the figure if one is asked for."""
    ending = check_plot(plot) if plot is not None else ""
    from shanghai_sim.cli.seating import plan_of

    plan = plan_of(policy=spec, policies=None, namespace="final", coupling="seat", **asked)
    from shanghai_sim.cli.progress import Progress
    from shanghai_sim.experiments.profile import profile_plan

    progress = Progress(quiet=quiet)
    try:
        found = profile_plan(plan, workers=workers, progress=progress)
    finally:
        progress.close()
    if plot is not None:
        _draw(found, plot, ending)
        if not quiet:
            click.echo(f"the figure is in {plot}", err=True)
    click.echo(_shown(found, fmt))
    if fmt == "csv" and not quiet:
        click.echo(" · ".join(f"{key} {value}" for key, value in found.context.items()), err=True)


def _draw(found: Profile, path: Path, ending: str) -> None:
    from shanghai_sim.files import written
    from shanghai_sim.reporting.figures import write_figure
    from shanghai_sim.reporting.profile_figure import profile_figure

    figure = profile_figure(found.finding, found.context, found.plan.group_labels, found.rows)
    with written(path) as file:
        write_figure(figure, file, ending)


def _shown(found: Profile, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.profile_report import profile_report
    from shanghai_sim.reporting.run_report import run_json

    if fmt == "csv":
        return summary_csv(found.rows).rstrip("\n")
    if fmt == "json":
        return run_json(found.verdict, found.context, found.rows)
    return profile_report(found.verdict, found.context, found.plan.group_labels, found.rows)
