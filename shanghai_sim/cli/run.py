"""``shanghai-sim run``: play games and say how the policies did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim.cli import options
from shanghai_sim.cli.seating import plan_of
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.experiments.run import Result


@click.command("run", short_help="Play games and report how a policy does at its table.")
@options.rules
@options.changes
@options.players
@options.policy
@options.against
@options.policies
@options.games(10_000)
@options.deals
@options.seed
@options.namespace
@options.coupling
@options.workers
@options.out
@click.option("--save-deals", is_flag=True, help="Also keep a row per deal and seat in --out.")
@click.option("--resume", is_flag=True, help="Go on with the interrupted run in --out.")
@options.output_format("table", "json", "csv")
@options.quiet
def command(
    fmt: str, out: Path | None, save_deals: bool, resume: bool, workers: int | None, quiet: bool, **asked: Any
) -> None:
    """Play games and report how a policy does at its table.

    The first line answers: who does better, by how many points a game. Lower is better. The policy plays in
    every seat in turn,
    on the same cards, so that seats and luck of the deal cancel; the same command gives the same numbers.
    """
    if out is None and (save_deals or resume):
        raise InputError(f"--{'resume' if resume else 'save-deals'} needs --out DIR")
    plan = plan_of(**asked)
    from shanghai_sim.cli.progress import Progress, what_is_kept
    from shanghai_sim.experiments.run import run_plan

    progress = Progress(quiet=quiet)
    try:
        result = run_plan(
            plan, workers=workers, out=out, save_deals=save_deals, resume=resume, progress=progress
        )
    except KeyboardInterrupt:
        progress.close()
        click.echo(what_is_kept(out), err=True)
        raise
    finally:
        progress.close()
    click.echo(_shown(result, fmt))
    if fmt == "csv" and not quiet:
        context = result.plan.context().items()
        click.echo(" · ".join(f"{key} {value}" for key, value in context), err=True)


def _shown(result: Result, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.run_report import run_json, run_report

    plan = result.plan
    if fmt == "csv":
        return summary_csv(result.rows).rstrip("\n")
    if fmt == "json":
        return run_json(result.verdict, plan.context(), result.rows)
    contracts = {deal: str(plan.ruleset.contract_in(deal)) for deal in plan.deal_numbers}
    return run_report(result.verdict, plan.context(), plan.group_labels, contracts, result.rows)
