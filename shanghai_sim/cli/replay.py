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


@click.command("replay", short_help="Show one game of a run, move by move.")
@options.rules
@options.changes
@options.players
@options.policy
@options.against
@options.policies
@click.option("--game", type=click.IntRange(0, defaults.MAX_GAMES - 1), metavar="G", default=0, show_default=True,
              help="The number of the game in its run, from 0.")  # fmt: skip
@options.deals
@options.seed
@options.namespace
@options.coupling
@options.output_format("text", "jsonl")
def command(fmt: str, game: int, policy: str | None, policies: str | None, **asked: Any) -> None:
    """Show one game of a run, move by move, everything face up.

    The same rules, policies and seed as in `run` give the game that was played there; without a policy all
    play `plain`.
    """
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
