"""From what callers may write to the table of a court, its budget, and the request in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve

from shanghai_sim.errors import InputError
from shanghai_sim.experiments.tips.court import Budget
from shanghai_sim.experiments.tips.docket import Docket
from shanghai_sim.experiments.tips.trial import Seating
from shanghai_sim.simulation.plan import canonical_json, make_plan

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


def budget_of(usual: Budget, changes: Mapping[str, int] | None) -> Budget:
    """Return a budget with some numbers changed.

    Raises
    ------
    InputError
        If there is no such number, or it cannot be.
    """
    known = asdict(usual)
    for key, value in (changes or {}).items():
        if key not in known:
            raise InputError(f"budget: {key!r} is not one of {', '.join(known)}")
        if not isinstance(value, int) or value < 2:
            raise InputError(f"budget: {key}: {value} is not a whole number from 2 on")
    return evolve(usual, **dict(changes or {}))


def table_of(
    rules: str | Path | Ruleset,
    overrides: Mapping[str, object] | Sequence[str],
    players: int | None,
    policy: str | Policy,
    second: str | Policy | None,
    against: str | Sequence[str | Policy] | None,
    seed: int,
    coupling: str,
) -> tuple[Seating, Policy | None]:
    """Return the table that is asked for and the second policy, or raise with all that is wrong."""
    from shanghai_sim.policies.policy import Policy, load_policy
    from shanghai_sim.rules.ruleset import ruleset_of

    problems: list[str] = []

    def tried(load: Callable[[], Any]) -> Any:
        try:
            return load()
        except InputError as error:
            problems.extend(line for line in error.problems if line not in problems)
            return None

    def loaded(item: str | Policy) -> Any:
        return item if isinstance(item, Policy) else tried(lambda: load_policy(item.strip()))

    ruleset = tried(lambda: ruleset_of(rules, overrides))
    player = loaded(policy)
    other = None if second is None else loaded(second)
    others = [policy] if against is None else against.split(",") if isinstance(against, str) else against
    field = tuple(loaded(item) for item in others)
    if problems:
        raise InputError(*problems)
    # What cannot be played is refused here, before anything is.
    plan = make_plan(ruleset, [player], against=field, players=players, seed=seed, coupling=coupling)
    return Seating(ruleset, plan.players, player, field, seed, coupling), other


def request_of(docket: Docket, budget: Budget) -> dict[str, Any]:
    """Return what is asked, in full and ready for JSON."""
    seating = docket.seating
    policies = {
        "policy": seating.policy.to_dict(),
        "second": None if docket.second is None else docket.second.to_dict(),
        "against": [policy.to_dict() for policy in seating.against],
    }
    trials = [*docket.family, *docket.cells]
    return {
        "tips": [asdict(tip) for tip in docket.tips],
        "trials": [f"{trial.tip.number} {trial.part}: {trial.cell}" for trial in trials],
        # All that is played, policies and rules of other tables too, without writing them out.
        "questions": sha256(
            canonical_json({"all": [trial.question.request() for trial in trials]}).encode()
        ).hexdigest(),
        "rules": seating.ruleset.to_options(),
        "players": seating.players,
        "seed": seating.seed,
        "coupling": seating.coupling,
        "budget": asdict(budget),
        **policies,
    }
