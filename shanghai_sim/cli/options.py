"""The options that commands share, spelled the same everywhere (FORMATS, "Commands").

Each name here is a decorator, or makes one. What needs a ruleset or a policy to be understood is read by the
functions below them, which commands call.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from shanghai_sim import defaults
from shanghai_sim.errors import PolicyError

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.model import Ruleset

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


def read_deals(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Return the numbers in ``7-10``, ``1,3,5`` or a mixture, in ascending order, each once."""
    if value is None:
        return None
    deals: set[int] = set()
    for part in value.split(","):
        match = re.fullmatch(r"\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?", part)
        first = int(match[1]) if match else 0
        last = int(match[2] or first) if match else 0
        if not 1 <= first <= last:
            raise click.BadParameter(f"{value!r} is not a choice of deals, such as 7-10 or 1,3,5", ctx, param)
        deals.update(range(first, last + 1))
    return tuple(sorted(deals))


rules: Decorator[Any] = click.option(
    "--rules",
    "rules_name",
    metavar="NAME|FILE.toml",
    default="shanghai",
    show_default=True,
    help="The ruleset.",
)
changes: Decorator[Any] = click.option(
    "--set",
    "changes",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change an option of the ruleset, e.g. buy.per_deal=2; may be given several times.",
)
players: Decorator[Any] = click.option(
    "--players",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"How many play.  [default: {defaults.PLAYERS}, or the nearest number that the ruleset allows]",
)
policy: Decorator[Any] = click.option(
    "--policy",
    metavar="P",
    help="The policy to look at; it sits in one seat and rotates through all of them.",
)
against: Decorator[Any] = click.option(
    "--against",
    metavar="A[,B...]",
    default=defaults.AGAINST,
    show_default=True,
    help="Who sits in the other seats; several: a mixture, drawn anew for every block.",
)
policies: Decorator[Any] = click.option(
    "--policies", metavar="A,B,C,D", help="The policies of all seats, instead of --policy and --against."
)
deals: Decorator[Any] = click.option(
    "--deals", callback=read_deals, metavar="7-10|1,3,5", help="Play only these deals.  [default: all]"
)
seed: Decorator[Any] = click.option(
    "--seed",
    type=click.IntRange(0, defaults.MAX_SEED),
    metavar="N",
    default=1,
    show_default=True,
    help="The seed of all random words.",
)
workers: Decorator[Any] = click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many threads play.  [default: one a core]",
)
namespace: Decorator[Any] = click.option(
    "--namespace",
    type=click.Choice(defaults.NAMESPACES),
    default="final",
    show_default=True,
    help="Which family of random words to use.",
)
coupling: Decorator[Any] = click.option(
    "--coupling",
    type=click.Choice(defaults.COUPLINGS),
    default="seat",
    show_default=True,
    help="How the stock is drawn: each seat from its own order, or all from one pile.",
)
out: Decorator[Any] = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="A folder for the results.",
)
quiet: Decorator[Any] = click.option(
    "--quiet", is_flag=True, help="No progress and no notes on standard error."
)


def games(default: int) -> Decorator[Any]:
    """Return ``--games`` with a default."""
    return click.option(
        "--games",
        type=click.IntRange(1, defaults.MAX_GAMES),
        metavar="N",
        default=default,
        show_default=True,
        help="How many games; rounded up to whole blocks.",
    )


def output_format(*formats: str) -> Decorator[Any]:
    """Return ``--format`` with its choices, the default first."""
    choices = formats or ("table", "json", "csv")
    return click.option(
        "--format",
        "fmt",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="The output.",
    )


def number_of_players(ruleset: Ruleset, asked: int | None) -> int:
    """Return how many play: as asked, else 4 or the nearest number that the ruleset allows."""
    return ruleset.usual_players if asked is None else asked


def load_policies(text: str) -> tuple[Policy, ...]:
    """Return the policies of a list with commas; see `shanghai_sim.policies.policy.load_policy`.

    Raises
    ------
    PolicyError
        With one line for everything that is wrong with any of them.
    """
    from shanghai_sim.policies.policy import load_policy

    loaded: list[Policy] = []
    problems: list[str] = []
    for spec in text.split(","):
        try:
            loaded.append(load_policy(spec.strip()))
        except PolicyError as error:
            problems += (line for line in error.problems if line not in problems)
    if problems:
        raise PolicyError(*problems)
    return tuple(loaded)
