"""``shanghai-sim rules``: list, show and check rulesets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim.cli import options
from shanghai_sim.cli.tables import echo_rows
from shanghai_sim.errors import RulesError

if TYPE_CHECKING:
    from shanghai_sim.rules.contradictions import Feasibility
    from shanghai_sim.rules.feasibility import DealFeasibility
    from shanghai_sim.rules.model import Ruleset

_NAME = click.argument("name", metavar="NAME|FILE.toml")


@click.group("rules", context_settings={"max_content_width": 100})
def command() -> None:
    """List, show and check rulesets."""


@command.command("list", short_help="List the rulesets that ship.")
@options.output_format()
def list_(fmt: str) -> None:
    """List the rulesets that ship."""
    from shanghai_sim.rules.ruleset import load_ruleset, preset_names

    rows = []
    for name in preset_names():
        ruleset = load_ruleset(name)
        players = f"{ruleset.players.min}-{ruleset.players.max}"
        rows.append({"name": name, "players": players, "deals": ruleset.n_deals, "title": ruleset.title})
    echo_rows(rows, fmt)


@command.command(short_help="Show every option of a ruleset.")
@_NAME
@options.changes
@options.output_format("toml", "json")
@click.option(
    "--explain", is_flag=True, help="Say above each option what it means, as a comment in the TOML."
)
def show(name: str, changes: tuple[str, ...], fmt: str, explain: bool) -> None:
    """Show every option of a ruleset, in a form that can be saved, changed and loaded again."""
    from shanghai_sim.rules.ruleset import load_ruleset
    from shanghai_sim.rules.toml_text import ruleset_toml

    if explain and fmt != "toml":
        raise click.UsageError("--explain is for --format toml: JSON holds no comments")
    ruleset = load_ruleset(name, changes)
    if fmt == "json":
        click.echo(json.dumps(ruleset.to_options(), indent=2, ensure_ascii=False))
    else:
        click.echo(ruleset_toml(ruleset, explain=explain), nl=False)


@command.command(short_help="Check a ruleset and say what follows from it.")
@_NAME
@options.changes
@options.players
@options.output_format()
def check(name: str, changes: tuple[str, ...], players: int | None, fmt: str) -> None:
    """Check a ruleset: can every contract be made, with how many buys, and what else follows from it.

    In the table, "needed" is the least number of buys with which the contract can be laid down, "to go out"
    the least with which a player can go out in the turn of laying down, and "in turn 1" the same for that
    player's first turn; a dash means never.
    """
    from shanghai_sim.rules.contradictions import check_feasibility
    from shanghai_sim.rules.playable import check_players
    from shanghai_sim.rules.ruleset import load_ruleset

    ruleset = load_ruleset(name, changes)
    number = options.number_of_players(ruleset, players)
    check_players(ruleset, number)
    found = check_feasibility(ruleset, number)
    if fmt == "csv":
        echo_rows([_record(ruleset, deal) for deal in found.deals], fmt)
        return
    not_playable = [
        line for line in _not_playable(ruleset, number) if not (found.short and found.short in line)
    ]
    if fmt == "json":
        click.echo(json.dumps(_as_json(ruleset, found, not_playable), indent=2, ensure_ascii=False))
        return
    for line in _answer(ruleset, found):
        click.echo(line)
    click.echo(f"\nWith {number} players:")
    echo_rows([_row(ruleset, deal) for deal in found.deals], fmt)
    notes = [finding.message for finding in found.warnings] + not_playable
    for place, note in enumerate(notes):
        click.echo(f"{'' if place else chr(10)}Note: {note}")


def _not_playable(ruleset: Ruleset, players: int) -> list[str]:
    """Return what stands in the way of playing, a line each."""
    from shanghai_sim.rules.playable import check_playable

    try:
        check_playable(ruleset, players)
    except RulesError as error:
        return list(error.problems)
    return []


def _row(ruleset: Ruleset, deal: DealFeasibility) -> dict[str, Any]:
    """Return one line of the table for people."""
    return {
        "deal": deal.deal if deal.deal <= ruleset.n_deals else "sudden death",
        "contract": str(deal.contract),
        "cards": deal.contract.cards,
        "hand": deal.hand_size,
        "buys allowed": "unlimited" if deal.buys_allowed is None else deal.buys_allowed,
        "needed": deal.buys_needed,
        "to go out": deal.one_turn_buys,
        "in turn 1": deal.first_turn_buys,
        "lay-down ends deal": "yes" if deal.lay_down_ends_deal else "no",
    }


def _answer(ruleset: Ruleset, found: Feasibility) -> list[str]:
    """Return the answer in words, a line for each contract that can never be made."""
    lines = [found.short] if found.short else []
    for deal in found.deals:
        if deal.never:
            which = (
                f"contract {deal.deal}" if deal.deal <= ruleset.n_deals else "the contract of sudden death"
            )
            lines.append(f"{which} ({deal.contract}) can never be made: {deal.never}")
    if not lines:
        lines.append(f"every contract can be made; {_buys_needed(ruleset, found)}")
    return [f"{ruleset.name}: {line}" for line in lines]


def _buys_needed(ruleset: Ruleset, found: Feasibility) -> str:
    """Return in words which deals need buys."""
    by_buys: dict[int, list[str]] = {}
    for deal in found.deals:
        if deal.buys_needed:
            name = str(deal.deal) if deal.deal <= ruleset.n_deals else "sudden death"
            by_buys.setdefault(deal.buys_needed, []).append(name)
    if not by_buys:
        return "none needs a buy"
    parts = []
    for buys, names in sorted(by_buys.items()):
        *most, last = names
        which = f"contracts {', '.join(most)} and {last} need" if most else f"contract {last} needs"
        parts.append(f"{which} {buys} buy{'s' * (buys > 1)}")
    return ", ".join(parts)


def _record(ruleset: Ruleset, deal: DealFeasibility) -> dict[str, Any]:
    """Return what is known of one deal, for programs."""
    return {
        "deal": deal.deal,
        "sudden_death": deal.deal > ruleset.n_deals,
        "contract": str(deal.contract),
        "contract_cards": deal.contract.cards,
        "hand_size": deal.hand_size,
        "buys_allowed": deal.buys_allowed,
        "buys_needed": deal.buys_needed,
        "never": deal.never,
        "one_turn_buys": deal.one_turn_buys,
        "first_turn_buys": deal.first_turn_buys,
        "lay_down_ends_deal": deal.lay_down_ends_deal,
    }


def _as_json(ruleset: Ruleset, found: Feasibility, not_playable: list[str]) -> dict[str, Any]:
    return {
        "rules": ruleset.name,
        "players": found.players,
        "answer": _answer(ruleset, found),
        "deals": [_record(ruleset, deal) for deal in found.deals],
        "warnings": [{"keys": list(finding.keys), "message": finding.message} for finding in found.warnings],
        "not_playable": not_playable,
    }
