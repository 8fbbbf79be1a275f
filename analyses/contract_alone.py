"""How fast a contract is made alone: one player, among others who only turn over cards.

The others draw from the stock, throw away the card that they drew, take nothing from the discard pile, buy nothing
and never lay down. So nobody ends the deal or wants what the player wants, and what there is to take and to buy
is random.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

import shanghai_sim as ss
from shanghai_sim.policies import view as v
from shanghai_sim.simulation.plan import Plan, make_plan

#: What the player leaves aside who has nobody to fear: what others do with a discard, and what cards cost.
ALONE = "discard.danger=0+discard.points=0"


def turns_alone(
    rules: ss.Ruleset, policy: str, players: int, deal: int, games: int, seed: int
) -> NDArray[np.float64]:
    """Return the own turn in which the player lays down, one a game; infinite where the deal ends before."""
    chosen = ss.load_policy(f"{policy}+{ALONE}")
    plan = make_plan(rules, [chosen] * players, games=games * players, seed=seed, deals=[deal])
    return np.array([_lay_down_turn(plan, block) for block in range(games)])


def _lay_down_turn(plan: Plan, block: int) -> float:
    """Play one deal until the player, who sits in another seat in each block, is down."""
    table = ss.Table(plan.setup(), block * plan.players)
    player = block % plan.players
    idle = {seat: Idle(table.hand(seat)) for seat in range(plan.players) if seat != player}
    while not table.deal_over:
        if table.seat != player:
            table.answer(idle[table.seat].answer(table))
            continue
        view = table.view()
        answer = table.built_in(view)
        table.answer(answer)
        if view.decision == v.PLAY and answer == v.LAY_DOWN:
            return view.turn
    return np.inf


class Idle:
    """One of the others: keeps the hand that was dealt."""

    def __init__(self, hand: list[int]) -> None:
        self._kept = Counter(hand)

    def answer(self, table: ss.Table) -> int:
        """Return this player's answer to the decision that is due."""
        if table.decision != v.DISCARD:
            return {v.DRAW: v.FROM_STOCK, v.BUY: v.NO, v.PLAY: v.DONE}[table.decision]
        drawn = Counter(table.hand(table.seat)) - self._kept
        # Without a card drawn (an extra card dealt, an empty stock) one of the hand has to go.
        card = next(iter(drawn or self._kept))
        if not drawn:
            self._kept[card] -= 1
        return card
