"""Trials: a way to follow a tip and a way to ignore it, at a table, as a comparison that can be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from shanghai_sim.errors import InputError
from shanghai_sim.experiments.estimands import Question, policy_question
from shanghai_sim.experiments.tips.tip import Tip, Way
from shanghai_sim.simulation.arms import Arm, Played

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

#: What is kept of a block, before the gain in each deal.
GAIN, WIN, DIFFERING, ANY = range(4)
N_GAME = 4


@frozen
class Seating:
    """Where a trial is played.

    Attributes
    ----------
    ruleset : Ruleset
    players : int
    policy : Policy
        The player who follows the tip or ignores it.
    against : tuple of Policy
        The others.
    seed : int
    coupling : str
    """

    ruleset: Ruleset
    players: int
    policy: Policy
    against: tuple[Policy, ...]
    seed: int
    coupling: str


@frozen
class Trial:
    """A comparison of following with ignoring.

    Attributes
    ----------
    tip : Tip
    way : Way
    part : str
        "way"; "policy": the first way, by another policy; or what the table differs in from that of the verdict:
        "players", "field", "rules".
    cell : str
        In words: the way's title, or the table's difference.
    question : Question
        The two sides.
    follows : int
        Which side follows the tip: 0 the variant, 1 the baseline.
    sides : tuple of Policy
        Who follows and who ignores, in the deals in which the tip applies; in others both play as they are.
    """

    tip: Tip
    way: Way
    part: str
    cell: str
    question: Question
    follows: int
    sides: tuple[Policy, Policy]

    @property
    def is_main(self) -> bool:
        """Whether it may be judged as the tip: a reading of it, under the very rules of the court."""
        return self.part == "way" and self.way.judged and not self.way.rules

    @property
    def deals(self) -> tuple[int, ...]:
        """Numbers of the deals played."""
        return self.question.deals

    def arms(self, namespace: str) -> tuple[Arm, Arm]:
        """Return both sides in a seed space."""
        return self.question.in_namespace(namespace).arms

    def kept(self, played: Sequence[Played]) -> NDArray[np.float64]:
        """Return what is kept of a stretch of blocks, float64[n, 4 + deals].

        By how many points a game following is better; by how much its share of the wins is larger; the share of
        games that differ in anything; whether any did; and the gain in each deal.
        """
        values = self.question.read(played)
        sign = 1.0 if self.follows == 1 else -1.0
        win = values.win.mean(axis=2)
        rotations = self.question.players
        return np.column_stack(
            [
                values.gain(sign),
                -sign * (win[:, 0] - win[:, 1]),
                values.differing / rotations,
                values.differing > 0,
                sign * (values.deals[:, 0] - values.deals[:, 1]),
            ]
        )


def make_trial(tip: Tip, way: Way, seating: Seating, part: str = "way", cell: str = "") -> Trial:
    """Return the trial of a way at a table.

    Raises
    ------
    InputError
        If it cannot be tried there: the reason in one line.
    """
    from shanghai_sim.rules.ruleset import changed_ruleset

    ruleset = changed_ruleset(seating.ruleset, way.rules) if way.rules else seating.ruleset
    deals = deals_of(way.deals, ruleset, seating.players)
    follow, ignore = (_plain(seating.policy.changed(side), seating) for side in (way.follow, way.ignore))
    for side in (follow, ignore):
        side.rows(ruleset.n_deals)
    asked: dict[str, Any] = {
        "against": seating.against,
        "players": seating.players,
        "seed": seating.seed,
        "coupling": seating.coupling,
    }
    if follow.parameters == ignore.parameters:
        raise InputError(f"{seating.policy.label} plays alike on both sides")
    question = _question(ruleset, follow, ignore, asked)
    sides = (follow, ignore)
    if deals != question.deals:
        within = [_in_deals(side, seating.policy, deals, ruleset.n_deals) for side in sides]
        sides = (_plain(within[0], seating), _plain(within[1], seating))
        apart = all(arm.plan.deals_apart for arm in question.arms)
        question = _question(ruleset, *sides, asked | ({"deals": deals} if apart else {}))
    follows = 1 if question.variant.plan.policies[0] == sides[1] else 0
    return Trial(tip, way, part, cell or way.title, question, follows, sides)


def _question(ruleset: Ruleset, follow: Policy, ignore: Policy, asked: Mapping[str, Any]) -> Question:
    """Return the question with that side as the baseline that the others at the table play too."""
    pair = (ignore, follow) if asked["against"] == (follow,) else (follow, ignore)
    return policy_question(ruleset, *pair, **asked)


def deals_of(word: str, ruleset: Ruleset, players: int) -> tuple[int, ...]:
    """Return the numbers of the deals that a word of a tip names under rules.

    Raises
    ------
    InputError
        If there are none: why.
    """
    from shanghai_sim.rules.feasibility import check_deals

    numbers = range(1, ruleset.n_deals + 1)
    if word == "all":
        return tuple(numbers)
    if word == "mixed":
        found = [n for n in numbers if len({meld.kind for meld in ruleset.contract_in(n).melds}) == 2]
        why = "has no contract of sets and runs"
    elif word in ("one-turn", "first-turn"):
        deals = check_deals(ruleset, players)[: ruleset.n_deals]
        found = [
            deal.deal
            for deal in deals
            if (deal.one_turn_buys if word == "one-turn" else deal.first_turn_buys) is not None
        ]
        turn = "the turn of laying down" if word == "one-turn" else "the first turn"
        why = f"has no deal in which a player can go out in {turn}"
    else:
        first, _, last = word.partition("-")
        found = [n for n in numbers if int(first) <= n <= int(last or first)]
        why = f"has {ruleset.n_deals} deals, none of {word}"
    if not found:
        raise InputError(f"{ruleset.name} {why}")
    return tuple(found)


def _plain(side: Policy, seating: Seating) -> Policy:
    """Return the policy itself, or one of the others, where a side plays just like it.

    So a table at which all play alike is recognised as such.
    """
    for known in (seating.policy, *seating.against):
        if side.parameters == known.parameters:
            return known
    return side


def _in_deals(side: Policy, elsewhere: Policy, deals: Sequence[int], n_deals: int) -> Policy:
    """Return the policy that plays like a side in some deals, and like another policy in all others."""

    def each(policy: Policy, key: str) -> tuple[Any, ...]:
        value = policy.parameters[key]
        return value if isinstance(value, tuple) else (value,) * n_deals

    parameters = dict(side.parameters)
    for key in parameters:
        if side.parameters[key] != elsewhere.parameters[key]:
            pairs = zip(each(side, key), each(elsewhere, key), strict=True)
            parameters[key] = tuple(here if n in deals else there for n, (here, there) in enumerate(pairs, 1))
    return evolve(side, parameters=parameters, label=f"{side.label} in deals {_spelled(deals)}")


def _spelled(deals: Sequence[int]) -> str:
    if len(deals) > 2 and list(deals) == list(range(deals[0], deals[-1] + 1)):
        return f"{deals[0]}-{deals[-1]}"
    return ",".join(map(str, deals))
