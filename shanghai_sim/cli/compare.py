"""``shanghai-sim compare``: whether one policy is better than another, or what other rules change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim import defaults
from shanghai_sim.cli import options
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.experiments.compare_plan import ComparisonPlan
    from shanghai_sim.experiments.comparison import Comparison
    from shanghai_sim.experiments.estimands import Question
    from shanghai_sim.experiments.stopping import Until

_UNTIL = "games=10000"


@click.command("compare", short_help="Compare two policies, or two sets of rules, on the same cards.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@options.rules
@options.changes
@click.option(
    "--rules-b", metavar="NAME|FILE.toml", help="Without B: other rules, to compare the rules with."
)
@click.option("--set-b", "changes_b", metavar="KEY=VALUE", multiple=True,
              help="Without B: change an option of the other rules (by default the same ones).")  # fmt: skip
@click.option(
    "--everybody", is_flag=True, help="What if the whole table changed: all seats play A, then all play B."
)
@options.players
@options.against
@options.deals
@click.option("--until", metavar="games=N|decided|width=X",
              help="When to stop: after so many games of both sides, once there is a verdict, or once the interval "
              f"is at most X points from end to end.  [default: {_UNTIL}]")  # fmt: skip
@click.option("--max-games", type=click.IntRange(1, defaults.MAX_GAMES), metavar="N",
              help="Games at which a run stops that has not stopped by itself, in steps of 500 blocks.  "
              "[default: those of 40,000 blocks]")  # fmt: skip
@click.option(
    "--gate",
    metavar="D0,D1",
    help="Pass once A is better by D1 points rather than by D0; fail once it is the other way round.",
)
@click.option(
    "--luck", is_flag=True, help="Take the luck of the draws out of the difference, where that is of use."
)
@click.option("--plan", "only_plan", is_flag=True,
              help="Play only a pilot run, and say how many games and minutes it would take.")  # fmt: skip
@click.option(
    "--effect", type=float, metavar="X", help="With --plan: the difference in points that should be seen."
)
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.svg|.png|.pdf",
              help="Write the result as a figure too.")  # fmt: skip
@options.seed
@options.namespace
@options.coupling
@options.workers
@options.out
@click.option("--resume", is_flag=True, help="Go on with the interrupted comparison in --out.")
@options.output_format("table", "json", "csv")
@options.quiet
@click.pass_context
def command(
    context: click.Context,
    /,
    fmt: str,
    until: str | None,
    gate: str | None,
    max_games: int | None,
    luck: bool,
    only_plan: bool,
    effect: float | None,
    plot: Path | None,
    workers: int | None,
    out: Path | None,
    resume: bool,
    quiet: bool,
    **asked: Any,
) -> None:
    """Say whether a player does better with policy A than with policy B, or what other rules change.

    A and then B sits in every seat in turn, on the same cards, while the others hold --against. The first line says
    which is better, by how many points a game (fewer are better), and how sure that is. With A alone and --rules-b or
    --set-b, A sits in all seats under both rules; with --everybody both policies sit in all seats of their tables.
    """
    if resume and out is None:
        raise InputError("--resume needs --out DIR")
    if effect is not None and not only_plan:
        raise InputError("--effect X goes with --plan, which says how many games seeing it would take")
    if only_plan:
        _refuse(context, "plan", "until", "gate", "luck", "max_games", "plot", "out")
    if gate is not None and until is not None:
        raise InputError("--gate says itself when to stop: leave out --until")
    from shanghai_sim.experiments import stopping

    rule = stopping.read_gate(gate) if gate is not None else stopping.read_until(until or _UNTIL)
    if max_games is not None and rule.fixed:
        raise InputError(
            "--max-games is for --until decided, --until width=X and --gate; here the games are fixed"
        )
    question = _question(context, **asked)
    if luck:
        question = question.without_luck()
    if only_plan:
        _echo_plan(question, effect, fmt, workers=workers, quiet=quiet)
        return
    ending = _check_plot(plot)
    found = _played(question, rule, max_games, workers=workers, out=out, resume=resume, quiet=quiet)
    if plot is not None:
        _draw(found, plot, ending)
        if not quiet:
            click.echo(f"the figure is in {plot}", err=True)
    click.echo(_shown(found, fmt))
    if fmt == "csv" and not quiet:
        click.echo(" · ".join(f"{key} {value}" for key, value in found.context.items()), err=True)


def _said(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _refuse(context: click.Context, with_: str, *names: str) -> None:
    given = [f"--{name.replace('_', '-')}" for name in names if _said(context, name)]
    if given:
        raise InputError(f"{', '.join(given)}: --{with_} plays a pilot run alone, leave out the rest")


def _question(
    context: click.Context,
    *,
    rules_name: str,
    changes: tuple[str, ...],
    rules_b: str | None,
    changes_b: tuple[str, ...],
    against: str,
    **rest: Any,
) -> Question:
    from shanghai_sim.experiments.questions import question_of

    return question_of(
        rules=rules_name,
        overrides=changes,
        rules_b=rules_b,
        overrides_b=changes_b,
        against=against if _said(context, "against") else None,
        **rest,
    )


def _check_plot(plot: Path | None) -> str:
    from shanghai_sim.cli.portrait import check_plot

    return "" if plot is None else check_plot(plot)


def _played(
    question: Question,
    until: Until,
    max_games: int | None,
    *,
    workers: int | None,
    out: Path | None,
    resume: bool,
    quiet: bool,
) -> Comparison:
    from shanghai_sim.cli.progress import Progress, what_is_kept
    from shanghai_sim.experiments.compare import compare_question

    progress = Progress(quiet=quiet, what="games" if until.fixed else "games at most")
    try:
        return compare_question(
            question, until, max_games=max_games, workers=workers, out=out, resume=resume, progress=progress
        )
    except KeyboardInterrupt:
        progress.close()
        click.echo(what_is_kept(out), err=True)
        raise
    finally:
        progress.close()


def _shown(found: Comparison, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.compare_report import compare_report
    from shanghai_sim.reporting.run_report import run_json

    if fmt == "csv":
        return summary_csv(found.rows).rstrip("\n")
    if fmt == "json":
        return run_json(found.verdict, found.context, found.rows, comparison=found.about)
    return compare_report(found.verdict, found.context, found.about, found.rows)


def _draw(found: Comparison, path: Path, ending: str) -> None:
    from shanghai_sim.files import written
    from shanghai_sim.reporting.compare_figure import compare_figure
    from shanghai_sim.reporting.figures import write_figure

    looks = [(look.blocks, look.estimate, look.low, look.high) for look in found.path]
    figure = compare_figure(found.finding, found.context, found.about, looks, found.rows)
    with written(path) as file:
        write_figure(figure, file, ending)


def _echo_plan(
    question: Question, effect: float | None, fmt: str, *, workers: int | None, quiet: bool
) -> None:
    from shanghai_sim.cli.progress import Progress
    from shanghai_sim.experiments.compare_plan import plan_question

    progress = Progress(quiet=quiet, what="games of the pilot run")
    try:
        found = plan_question(question, effect, workers=workers, progress=progress)
    finally:
        progress.close()
    click.echo(_plan_shown(found, fmt))


def _plan_shown(found: ComparisonPlan, fmt: str) -> str:
    from shanghai_sim.experiments.summary import summary_csv
    from shanghai_sim.reporting.compare_report import plan_report
    from shanghai_sim.reporting.run_report import run_json

    if fmt == "csv":
        return summary_csv(found.rows).rstrip("\n")
    if fmt == "json":
        return run_json(found.verdict, found.context, found.rows)
    return plan_report(found.verdict, found.context, found.spread, found.rows)
