"""What a comparison asks: which games are played in a block, and which numbers of the block are kept.

Three questions: what would change for a player who changed policy, the others staying as they are; what if everybody
at the table did; and what would change for all players under other rules. Each has two sides, the variant and the
baseline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, fields, frozen
from numpy.typing import NDArray

from shanghai_sim.errors import InputError
from shanghai_sim.simulation.arms import Arm, Played, everybody, rotating
from shanghai_sim.simulation.plan import make_plan

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

#: Differences below this are of no practical importance: points in a whole game, and share of the wins.
MARGIN_POINTS, MARGIN_WINS = 2.0, 0.005


@frozen
class Question:
    """A comparison, checked; make one with `policy_question` or `rules_question`.

    Attributes
    ----------
    kind : str
        "policies": one player changes; "tables": everybody does; "rules": the rules do.
    variant, baseline : Arm
        The two sides.
    names : tuple of str
        What the sides are called, different from each other.
    """

    kind: str
    variant: Arm
    baseline: Arm
    names: tuple[str, str]

    @property
    def luck(self) -> bool:
        """Whether the luck of the draws is to be taken out, where that is of use."""
        return self.variant.luck

    def without_luck(self) -> Question:
        """Return the same question with the luck of the draws recorded, to be taken out."""
        return evolve(
            self, variant=evolve(self.variant, luck=True), baseline=evolve(self.baseline, luck=True)
        )

    @property
    def arms(self) -> tuple[Arm, Arm]:
        """Variant and baseline."""
        return self.variant, self.baseline

    @property
    def players(self) -> int:
        """Players at the table."""
        return self.variant.plan.players

    @property
    def games_per_block(self) -> int:
        """Games that are played in each block."""
        return self.variant.rotations + self.baseline.rotations

    @property
    def deals(self) -> tuple[int, ...]:
        """Numbers of the deals that both sides play. Sudden death is left out: it adds nothing to the totals."""
        ours, theirs = (arm.plan.deal_numbers[:-1] for arm in self.arms)
        return tuple(deal for deal in ours if deal in theirs)

    @property
    def contracts(self) -> tuple[str, ...]:
        """The contract of each of `deals`; both, where the rules differ in it."""
        a, b = (arm.plan.ruleset for arm in self.arms)
        pairs = [(str(a.contract_in(deal)), str(b.contract_in(deal))) for deal in self.deals]
        return tuple(first if first == second else f"{first} / {second}" for first, second in pairs)

    @property
    def margin(self) -> float:
        """Half of the region of practical equivalence, in points; in proportion where only some deals are played."""
        plan = self.variant.plan
        return MARGIN_POINTS * (len(plan.deal_numbers) - 1) / plan.ruleset.n_deals

    def in_namespace(self, namespace: str) -> Question:
        """Return the same question in another seed space."""
        variant, baseline = (evolve(arm, plan=evolve(arm.plan, namespace=namespace)) for arm in self.arms)
        return evolve(self, variant=variant, baseline=baseline)

    def request(self) -> dict[str, Any]:
        """Return what is asked, in full and ready for JSON."""
        sides = {}
        for side, arm in zip(("variant", "baseline"), self.arms, strict=True):
            asked = arm.plan.request()
            # How many games there are is up to whoever plays them.
            sides[side] = {key: asked[key] for key in asked if key not in ("games", "blocks")}
        return {"kind": self.kind, "names": list(self.names), "luck": self.luck, **sides}

    def context(self, blocks: int) -> dict[str, str | int]:
        """Return what every output names."""
        plan = self.variant.plan
        named = plan.context() | {"games": blocks * self.games_per_block, "blocks": blocks}
        if self.kind == "rules":
            return named | {
                "rules": " and ".join(self.names),
                "policies": f"{plan.policies[0].label} in all seats",
            }
        if self.kind == "tables":
            labels = [arm.plan.policies[0].label for arm in self.arms]
            return named | {"policies": f"{' or '.join(labels)} in all seats"}
        return named | {"policies": f"{' or '.join(self.names)} against {plan.against_label}"}

    def read(self, played: Sequence[Played]) -> Blocks:
        """Return the numbers that are kept of a stretch of blocks, an arm each."""
        sides = [_side(arm, part, self.deals) for arm, part in zip(self.arms, played, strict=True)]
        values = {name: np.stack([side[name] for side in sides], axis=1) for name in sides[0]}
        # One game of all stands for every rotation of the other side.
        differing = (played[0].mark != played[1].mark).sum(axis=1).astype(np.int32)
        return Blocks(**values, differing=differing)


@frozen
class Blocks:
    """What is kept of n consecutive blocks; sides: the variant, the baseline.

    Attributes
    ----------
    points : int32[n, 2, seats]
        Points of the game of whoever sits in each seat and is looked at.
    win : float64[n, 2, seats]
        Share of the win.
    deals : float64[n, 2, deals]
        Points of each deal, on the mean of the seats.
    buys, turns, winner : float64[n, 2]
        Cards bought by whoever is looked at, turns of all seats, points of the winner; on the mean of the games.
    differing : int32[n]
        Games of the variant of which anything recorded differs from that of the baseline.
    luck : float64[n, 2, measures]
        What the stock gave whoever is looked at beyond its mean, on the mean of the seats (engine.luck).
    """

    points: NDArray[np.int32]
    win: NDArray[np.float64]
    deals: NDArray[np.float64]
    buys: NDArray[np.float64]
    turns: NDArray[np.float64]
    winner: NDArray[np.float64]
    differing: NDArray[np.int32]
    luck: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.differing)

    def first(self, n: int) -> Blocks:
        """Return the first n blocks."""
        return Blocks(**{name: array[:n] for name, array in self.arrays().items()})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name."""
        return {item.name: getattr(self, item.name) for item in fields(Blocks)}

    @property
    def point_means(self) -> NDArray[np.float64]:
        """Points of a game on the mean of the seats, float64[n, 2]."""
        return np.asarray(self.points.mean(axis=2))

    def gain(self, sign: float) -> NDArray[np.float64]:
        """Return the block values of the difference in points, variant minus baseline, times a sign, float64[n]."""
        means = self.point_means
        return np.asarray(sign * (means[:, 0] - means[:, 1]))


def joined(pieces: Sequence[Blocks]) -> Blocks:
    """Return several stretches as one."""
    arrays = [piece.arrays() for piece in pieces]
    # In one order in memory, whether played or read from a file: sums depend on it in their last bits.
    return Blocks(
        **{
            name: np.ascontiguousarray(np.concatenate([piece[name] for piece in arrays]))
            for name in arrays[0]
        }
    )


def _side(arm: Arm, played: Played, deals: Sequence[int]) -> dict[str, NDArray[Any]]:
    numbers = arm.plan.deal_numbers
    slots = [numbers.index(deal) for deal in deals]
    winners = played.win > 0
    winner = np.where(winners, played.points, 0).sum(axis=2) / winners.sum(axis=2)
    return {
        "points": arm.by_seat(played.points),
        "win": arm.by_seat(played.win),
        "deals": arm.by_seat(played.deal_points).mean(axis=1)[:, slots],
        "buys": arm.by_seat(played.buys).mean(axis=1),
        "turns": played.turns.mean(axis=1),
        "winner": winner.mean(axis=1),
        "luck": arm.by_seat(played.luck).mean(axis=1),
    }


def policy_question(
    ruleset: Ruleset, variant: Policy, baseline: Policy, *, against: Sequence[Policy], **rest: Any
) -> Question:
    """Return "does a player do better with the variant than with the baseline, the others being as they are?".

    Parameters
    ----------
    ruleset : Ruleset
    variant, baseline : Policy
        The two policies; each sits in every seat in turn.
    against : sequence of Policy
        Who sits in the other seats. Where it is the baseline, one game of all is its side.
    **rest
        Players, seed, namespace, coupling and deals, as in `simulation.plan.make_plan`.
    """
    ours, theirs = (make_plan(ruleset, [policy], against=against, **rest) for policy in (variant, baseline))
    alone = tuple(against) == (baseline,)
    names = (variant.label, baseline.label)
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    return Question("policies", rotating(ours), everybody(theirs) if alone else rotating(theirs), names)


def tables_question(ruleset: Ruleset, variant: Policy, baseline: Policy, **rest: Any) -> Question:
    """Return "what if the whole table played the variant, and not the baseline?".

    Parameters
    ----------
    ruleset : Ruleset
    variant, baseline : Policy
        Each in all seats of its table.
    **rest
        As in `policy_question`.
    """
    ours, theirs = (make_plan(ruleset, [policy], against=[policy], **rest) for policy in (variant, baseline))
    names = (f"a table of {variant.label}", f"a table of {baseline.label}")
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    return Question("tables", everybody(ours), everybody(theirs), names)


def rules_question(
    rules: tuple[Ruleset, Ruleset], names: tuple[str, str], policy: Policy, **rest: Any
) -> Question:
    """Return "what changes under the first rules against the second, all players playing alike?".

    Parameters
    ----------
    rules : tuple of Ruleset
    names : tuple of str
        What they are called.
    policy : Policy
        The policy in all seats.
    **rest
        As in `policy_question`.
    """
    if rest.get("players") is None:
        usual = {ruleset.usual_players for ruleset in rules}
        if len(usual) > 1:
            raise InputError(
                f"--players: {names[0]} and {names[1]} are not usually played by as many; say how many play"
            )
    ours, theirs = (make_plan(ruleset, [policy], against=[policy], **rest) for ruleset in rules)
    if not set(ours.deal_numbers[:-1]) & set(theirs.deal_numbers[:-1]):
        raise InputError(f"{names[0]} and {names[1]} have no deal in common")
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    return Question("rules", everybody(ours), everybody(theirs), names)
