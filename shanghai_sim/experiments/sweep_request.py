"""What a sweep is asked to play, checked before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from shanghai_sim.errors import InputError, PolicyError, RulesError
from shanghai_sim.experiments.grid import RULES, Axis, Point, grid, read_axes
from shanghai_sim.inference.intervals import MIN_BLOCKS
from shanghai_sim.simulation.arms import Arm, everybody, rotating
from shanghai_sim.simulation.plan import Plan, make_plan

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


@frozen
class Request:
    """What is to be played; make one with `request`.

    Attributes
    ----------
    axes : tuple of Axis
        What is varied.
    points : tuple of Point
        The grid, with the baseline.
    plans : tuple of Plan
        The table of each point.
    blocks : int
        Blocks, the same for all.
    """

    axes: tuple[Axis, ...]
    points: tuple[Point, ...] = field(repr=False)
    plans: tuple[Plan, ...] = field(repr=False)
    blocks: int

    @property
    def of_rules(self) -> bool:
        """Whether rules are varied."""
        return self.axes[0].where == RULES

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms: one game read from all seats where all play alike."""
        return tuple(everybody(plan) if _alike(plan) else rotating(plan) for plan in self.plans)

    @property
    def games_a_block(self) -> int:
        """Games of all points in a block."""
        return sum(arm.rotations for arm in self.arms)

    @property
    def baseline(self) -> int:
        """Number of the point that is as given."""
        return next(i for i, point in enumerate(self.points) if point.baseline)

    def context(self) -> dict[str, Any]:
        """Return what every output names."""
        varied = "; ".join(f"{axis.key}={','.join(axis.texts)}" for axis in self.axes)
        named = self.plans[self.baseline].context()
        if self.of_rules:
            named["policies"] = f"{self.points[0].policy.label} in all seats"
        return named | {"games": self.blocks * self.games_a_block, "blocks": self.blocks, "varied": varied}


def _alike(plan: Plan) -> bool:
    """Return whether all seats play the same."""
    first, *rest = (*plan.policies, *plan.against)
    return all(policy.parameters == first.parameters for policy in rest)


def request(
    policy: Policy,
    ruleset: Ruleset,
    vary: Mapping[str, Sequence[Any]],
    *,
    against: Sequence[Policy] | None = None,
    players: int | None = None,
    games: int = 20_000,
    **rest: Any,
) -> Request:
    """Check what is asked and return it.

    Parameters
    ----------
    policy, ruleset
        As given: the baseline.
    vary : mapping
        See `grid.read_axes`.
    against : sequence of Policy, optional
        Who sits in the other seats; not where rules are varied, where everybody plays the policy.
    players, games, **rest
        As of `simulation.plan.make_plan`; games of all grid points together.

    Raises
    ------
    InputError
        With a line for each thing that is wrong.
    """
    axes = read_axes(vary, policy, ruleset)
    of_rules = axes[0].where == RULES
    if of_rules and against is not None:
        raise InputError("where rules are varied everybody plays the policy: nobody can be against it")
    points = grid(axes, policy, ruleset)
    if len(points) < 2:
        raise InputError("the one value named is the one as given: name another to compare it with")
    plans, problems = [], []
    for point in points:
        others = (point.policy,) if of_rules else against or ()
        try:
            for each in (point.policy, *others):
                each.rows(point.ruleset.n_deals)
            plans.append(
                make_plan(point.ruleset, [point.policy], against=others, players=players, games=games, **rest)
            )
        except (PolicyError, RulesError) as error:
            values = ", ".join(f"{axis.key}={text}" for axis, text in zip(axes, point.texts, strict=True))
            problems += [f"--vary {values}: {problem}" for problem in error.problems]
    if problems:
        raise InputError(*dict.fromkeys(problems))
    found = Request(axes, points, tuple(plans), 1)
    return Request(axes, points, tuple(plans), max(MIN_BLOCKS, -(-games // found.games_a_block)))
