"""What a tournament is asked to play, checked before anything is played."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from shanghai_sim.errors import InputError, PolicyError
from shanghai_sim.experiments.design import Design, make_design
from shanghai_sim.experiments.tournament_words import LEAST_UNITS
from shanghai_sim.simulation.plan import Plan, make_plan

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

#: Policies in one tournament.
MOST = 40


@frozen(slots=False)
class Entry:
    """What is to be played; make one with `enter`.

    Attributes
    ----------
    plan : Plan
        Rules, players, seed and so on, with the games asked for.
    policies : tuple of Policy
        Who takes part.
    """

    plan: Plan
    policies: tuple[Policy, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The policies' names."""
        return tuple(policy.label for policy in self.policies)

    @cached_property
    def design(self) -> Design:
        """The tables."""
        return make_design(self.plan, len(self.policies))

    @property
    def parts(self) -> int:
        """How many parts it is played in."""
        return len(self.design.parts)

    @property
    def per(self) -> str:
        """What points are counted over."""
        return "a game" if self.plan.deals is None else "over these deals"

    @property
    def field_blocks(self) -> int:
        """Blocks behind each policy's figure against the field."""
        design, k = self.design, len(self.policies)
        return design.units if design.full else design.units * min(self.plan.players, k)

    @property
    def least_games(self) -> int:
        """Games from which on the result is put into words."""
        design = self.design
        if design.full:
            return LEAST_UNITS * design.games // design.units
        return 2 * LEAST_UNITS * len(self.policies) * self.plan.players

    def request(self) -> dict[str, Any]:
        """Return what was asked, in full and ready for JSON."""
        whole = evolve(self.plan, policies=self.policies, against=(), games=self.design.games).request()
        return whole | {"blocks": self.design.units, "experiment": "tournament"}

    def context(self) -> dict[str, Any]:
        """Return what every output names."""
        design = self.design
        named = evolve(self.plan, policies=self.policies, against=()).context()
        tables = len({tuple(sorted(sitting.table)) for part in design.parts for sitting in part})
        if design.full:
            text = f"all {tables} compositions of the table, {design.units} blocks each"
        else:
            text = (
                f"{design.units} rounds of {len(self.policies)} tables, one block each; "
                f"{design.cell_blocks} blocks in each cell of the matrix"
            )
        blocks = design.units if design.full else design.units * len(self.policies)
        return named | {"games": design.games, "blocks": blocks, "design": text}


def enter(policies: Sequence[Policy], ruleset: Ruleset, *, players: int | None = None, **rest: Any) -> Entry:
    """Check a request and return it as an entry.

    Parameters
    ----------
    policies : sequence of Policy
        Two or more, of different names.
    ruleset : Ruleset
        The rules.
    players : int, optional
        By default 4, or the nearest number that the rules allow.
    **rest
        As of `simulation.plan.make_plan`.

    Raises
    ------
    InputError
        With a line for each thing that is wrong.
    """
    labels = [policy.label for policy in policies]
    problems = [f"{label} is named twice" for label in dict.fromkeys(labels) if labels.count(label) > 1]
    if not 2 <= len(policies) <= MOST:
        problems.append(f"a tournament takes 2 to {MOST} policies, not {len(policies)}")
    for policy in policies:
        try:
            policy.rows(ruleset.n_deals)
        except PolicyError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    plan = make_plan(ruleset, policies[:1], against=policies[1:2], players=players, **rest)
    return Entry(plan, tuple(policies))
