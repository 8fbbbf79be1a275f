"""``shanghai-sim replay``: show one game, move by move."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from shanghai_sim import defaults
from shanghai_sim.cli import options
from shanghai_sim.cli.seating import plan_of
from shanghai_sim.errors import InputError


@click.command("replay", short_help="Show one game of a run, move by move.")
@options.rules
@options.changes
@options.players
@options.policy
@options.against
@options.policies
@click.option("--compare", "sides", metavar="A,B",
              help="Instead of --policy: show a game of a comparison; A's games of a block come first.")  # fmt: skip
@click.option("--game", type=click.IntRange(0, defaults.MAX_GAMES - 1), metavar="G", default=0, show_default=True,
              help="The number of the game in its run, from 0.")  # fmt: skip
@options.deals
@options.seed
@options.namespace
@options.coupling
@options.output_format("text", "jsonl")
def command(
    fmt: str, game: int, policy: str | None, policies: str | None, sides: str | None, **asked: Any
) -> None:
    """Show one game of a run, move by move, everything face up.

    The same rules, policies and seed as in `run` give the game that was played there; without a policy all
    play `balanced`. With --compare the game is one of `compare A B`.
    """
    if sides is not None:
        if policy is not None or policies is not None:
            raise InputError("--compare A,B names the policies itself: leave out --policy and --policies")
        events = _of_comparison(sides, game, **asked)
    else:
        if policy is None and policies is None:
            policy = defaults.AGAINST
        plan = plan_of(policy=policy, policies=policies, **asked)
        from shanghai_sim.experiments.replay import replay_plan

        events = replay_plan(plan, game)
    if fmt == "jsonl":
        for event in events:
            click.echo(json.dumps(event, ensure_ascii=False, separators=(",", ":")))
        return
    from shanghai_sim.reporting.replay_text import replay_text

    click.echo(replay_text(events, _style()))


def _of_comparison(sides: str, game: int, *, rules_name: str, changes: tuple[str, ...], **rest: Any) -> Any:
    from shanghai_sim.experiments.questions import question_of
    from shanghai_sim.experiments.replay import replay_question

    names = sides.split(",")
    if len(names) != 2:
        raise InputError(f"--compare {sides}: two policies with a comma between, the variant first")
    question = question_of(
        names[0], names[1], rules=rules_name, overrides=changes, rules_b=None, overrides_b=(), **rest
    )
    return replay_question(question, game)


def _style() -> Any:
    """Return how cards are written: symbols where the output can hold them, colour on a terminal."""
    from shanghai_sim.reporting.replay_text import CardStyle

    try:
        "♠♥♦♣".encode(sys.stdout.encoding or "ascii")
        symbols = True
    except (UnicodeEncodeError, LookupError):
        symbols = False
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return CardStyle(symbols=symbols)

    def paint(text: str, colour: str) -> str:
        return click.style(text, bold=True) if colour == "bold" else click.style(text, fg=colour)

    return CardStyle(symbols=symbols, paint=paint)
