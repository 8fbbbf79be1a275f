"""``shanghai-sim sweep``: what a parameter of a policy, or an option of the rules, does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim.cli import options
from shanghai_sim.cli.plots import check_plot, echo_context, plot, write_plot
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.experiments.sweep import Sweep
    from shanghai_sim.experiments.sweep_request import Request


@click.command("sweep", short_help="Vary parameters or rules and say which value is best.")
@click.option("--policy", metavar="P", required=True, help="The policy as given: the baseline.")
@click.option(
    "--vary",
    metavar="KEY=V,V,...",
    multiple=True,
    required=True,
    help="A parameter of the policy, or an option of the rules, and the values to play; may be given several times.",
)
@options.against
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
@options.output_format("table", "json", "csv")
@options.quiet
def command(fmt: str, plot_file: Path | None, workers: int | None, quiet: bool, **asked: Any) -> None:
    """Vary a policy's parameters, or the rules, and say which value is best, on the same cards.

    Where parameters are varied the policy sits in one seat, and rotates through all of them, among the others of
    --against. Where rules are, everybody plays the policy. Several --vary: every combination of their values.
    'policy:' or 'rules:' before a key says where it belongs.
    """
    ending = check_plot(plot_file) if plot_file is not None else ""
    if plot_file is not None:
        from shanghai_sim.reporting.sweep_figure import check_axes

        check_axes(len(asked["vary"]))
    request = _request(**asked)
    from shanghai_sim.cli.progress import Progress
    from shanghai_sim.experiments.sweep import play_request

    progress = Progress(quiet=quiet)
    try:
        found = play_request(request, workers=workers, progress=progress)
    finally:
        progress.close()
    if plot_file is not None:
        write_plot(_figure(found), plot_file, ending, quiet=quiet)
    click.echo(_shown(found, fmt))
    if fmt == "csv" and not quiet:
        echo_context(found.context)


def _request(
    *, policy: str, vary: Sequence[str], against: str, rules_name: str, changes: Sequence[str], **rest: Any
) -> Request:
    """Return what is to be played, before anything is, or raise with a line for everything that is wrong."""
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import load_ruleset

    problems: list[str] = []
    loaded: list[Any] = []
    for load in (
        lambda: load_policy(policy), lambda: options.load_policies(against), lambda: load_ruleset(rules_name, changes)
    ):  # fmt: skip
        try:
            loaded.append(load())
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    from shanghai_sim.experiments.grid import RULES, read_axes, read_vary
    from shanghai_sim.experiments.sweep_request import request

    given, others, ruleset = loaded
    varied = read_vary(vary)
    of_rules = any(axis.where == RULES for axis in read_axes(varied, given, ruleset))
    source = click.get_current_context().get_parameter_source("against")
    if of_rules and source is not click.core.ParameterSource.COMMANDLINE:
        others = None
    return request(given, ruleset, varied, against=others, **rest)


def _figure(found: Sweep) -> Any:
    from shanghai_sim.reporting.sweep_figure import sweep_figure

    return sweep_figure(found.finding, found.context, found.keys, found.rows, found.asked.of_rules)


def _shown(found: Sweep, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.run_report import run_json
    from shanghai_sim.reporting.sweep_report import sweep_report

    if fmt == "csv":
        return summary_csv(found.rows).rstrip("\n")
    if fmt == "json":
        return run_json(found.verdict, found.context, found.rows)
    return sweep_report(found.verdict, found.context, found.keys, found.rows, found.asked.of_rules)
