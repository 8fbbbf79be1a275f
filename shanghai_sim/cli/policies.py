"""``shanghai-sim policies``: list, show and check policies."""

from __future__ import annotations

import json
from typing import Any

import click

from shanghai_sim.cli import options, portrait
from shanghai_sim.cli.tables import echo_rows

_NAME = click.argument("spec", metavar="NAME|FILE.toml[+key=value...]")
#: What the parameters are written in.
_FORMATS = ("toml", "json")


@click.group("policies", context_settings={"max_content_width": 100})
def command() -> None:
    """List, show and check policies."""


@command.command("list", short_help="List the policies that ship.")
@options.output_format()
def list_(fmt: str) -> None:
    """List the policies that ship, each with what a player of that kind does."""
    from shanghai_sim.policies.policy import load_policy, preset_names

    echo_rows([{"name": name, "a player who": load_policy(name).title} for name in preset_names()], fmt)


@command.command(short_help="Show every parameter of a policy, or with --profile how it plays.")
@_NAME
@click.option(
    "--format",
    "fmt",
    type=click.Choice((*_FORMATS, *(name for name in portrait.FORMATS if name not in _FORMATS))),
    help="The output.  [default: toml; with --profile: table, or json or csv]",
)
@click.option(
    "--explain", is_flag=True, help="Say above each parameter what it means, as a comment in the TOML."
)
@portrait.portrait_options
@click.pass_context
def show(
    ctx: click.Context, /, spec: str, fmt: str | None, explain: bool, profile: bool, **asked: Any
) -> None:
    """Show every parameter of a policy, in a form that can be saved, changed and loaded again.

    With --profile it plays instead: one of the policy among others of --against, and one of the others among
    players of the policy. The first line says how good it is and what kind of player.
    """
    allowed = portrait.FORMATS if profile else _FORMATS
    fmt = fmt or allowed[0]
    if fmt not in allowed:
        raise click.UsageError(
            f"--format {fmt}: {'with' if profile else 'without'} --profile it is {' or '.join(allowed)}"
        )
    if profile and explain:
        raise click.UsageError(
            "--explain is for the parameters, --profile for how it plays: give one of them"
        )
    if profile:
        portrait.echo_portrait(spec, fmt, **asked)
        return
    portrait.refuse_without_profile(ctx)
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.policies.toml_text import policy_toml

    if explain and fmt != "toml":
        raise click.UsageError("--explain is for --format toml: JSON holds no comments")
    policy = load_policy(spec)
    if fmt == "json":
        click.echo(json.dumps(policy.to_dict(), indent=2, ensure_ascii=False))
    else:
        click.echo(policy_toml(policy, explain=explain), nl=False)


@command.command(short_help="Check policies and say what each of them changes.")
@click.argument("specs", metavar="NAME|FILE.toml[+key=value...]...", nargs=-1, required=True)
@options.rules
@options.changes
def check(specs: tuple[str, ...], rules_name: str, changes: tuple[str, ...]) -> None:
    """Check policies: can each be read, do its values per deal fit the ruleset, what differs from the defaults."""
    from shanghai_sim.errors import PolicyError
    from shanghai_sim.policies.parameters import PARAMETERS
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import load_ruleset
    from shanghai_sim.rules.toml_text import toml_value

    ruleset = load_ruleset(rules_name, changes)
    problems: list[str] = []
    for spec in specs:
        try:
            policy = load_policy(spec)
            policy.rows(ruleset.n_deals)
        except PolicyError as error:
            problems += error.problems
            continue
        click.echo(f"{policy.label}: fine with {ruleset.name}. {policy.title}")
        for parameter in PARAMETERS:
            value = policy.parameters[parameter.key]
            if value != parameter.default:
                shown = toml_value(parameter.kind.write(value))
                click.echo(f"  {parameter.key} = {shown} (default {toml_value(parameter.default)})")
    if problems:
        raise PolicyError(*problems)
