"""Who sits at the table: from the options of a command to a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from shanghai_sim.cli import options
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from shanghai_sim.simulation.plan import Plan


def plan_of(
    *,
    rules_name: str,
    changes: Sequence[str],
    players: int | None,
    policy: str | None,
    against: str,
    policies: str | None,
    seed: int,
    namespace: str,
    coupling: str,
    deals: Sequence[int] | None,
    games: int = 1,
) -> Plan:
    """Return the plan that the options ask for.

    Raises
    ------
    InputError
        With one line for everything that is wrong.
    """
    if (policy is None) == (policies is None):
        from shanghai_sim.policies.policy import preset_names

        names = ", ".join(preset_names())
        raise InputError(
            f"give either --policy P (one seat, the others hold --against) or --policies A,B,C,D; there are {names}"
        )
    context = click.get_current_context(silent=True)
    said = (
        context is not None
        and context.get_parameter_source("against") is click.core.ParameterSource.COMMANDLINE
    )
    if policies is not None and said:
        raise InputError("--against goes with --policy; --policies fills all seats")
    problems: list[str] = []
    loaded = []
    for text in (policy or policies or "", against if policy is not None else ""):
        try:
            loaded.append(options.load_policies(text) if text else ())
        except InputError as error:
            problems += error.problems
    from shanghai_sim.rules.ruleset import load_ruleset

    try:
        ruleset = load_ruleset(rules_name, changes)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(*problems)
    from shanghai_sim.simulation.plan import make_plan

    if policies is not None and players is None:
        players = len(loaded[0])
    return make_plan(
        ruleset,
        loaded[0],
        against=loaded[1],
        players=options.number_of_players(ruleset, players),
        games=games,
        seed=seed,
        namespace=namespace,
        coupling=coupling,
        deals=deals,
    )
