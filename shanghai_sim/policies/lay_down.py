"""Whether to lay down a contract that the hand holds."""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.policies.features import need_of_view
from shanghai_sim.policies.parameters import (
    LAY_DOWN_FROM_TURN,
    LAY_DOWN_MAX_LEFT,
    LAY_DOWN_UNTIL_TURN,
    LAY_DOWN_WHEN,
    WILD_HOLD_UNTIL_TURN,
    WILD_USE,
)
from shanghai_sim.policies.view import FITS, RULES
from shanghai_sim.policies.weigh import live_copies
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, remove_mask
from shanghai_sim.rules.distance import distance_within, hand_distance
from shanghai_sim.rules.kernel_rules import KEEP, LAY_OFF_AT_ONCE
from shanghai_sim.rules.outs import outs_of

# Places of the words of lay_down.when.
_AT_ONCE, _WHEN_HAND_SMALL, _WHEN_OUT = range(3)


@kernel
def _stuck(view, table, left):
    """Return how many of the cards left over (`left`) fit no meld on the table; below 0: more than those left fit.

    Of a card that fits some meld one copy is set aside for it, where the others still hold the contract.
    """
    fitting = view.b1 & table[FITS] & ~view.wild_mask
    if fitting == 0:
        return left
    b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, fitting)
    holds = distance_within(b1, b2, b3, view.jokers, 0, need_of_view(view))
    return left - popcount(fitting) if holds else left


@kernel
def _goes_out(view, table, left):
    """Return whether the seat goes out if it lays down: no more is left over than it discards, or fits at once."""
    return left <= 0 or (table[RULES + LAY_OFF_AT_ONCE] == 1 and _stuck(view, table, left) <= 0)


@kernel
def _naturals_may_come(view, table):
    """Return whether the contract takes a wild now in whose place a natural may still come."""
    need = need_of_view(view)
    naturals = ALL_CARDS & ~view.wild_mask
    b1, b2, b3 = view.b1 & naturals, view.b2 & naturals, view.b3 & naturals
    distance = hand_distance(b1, b2, b3, 0, need)
    if distance == 0:
        return False
    return live_copies(view, table, outs_of(b1, b2, b3, 0, distance, need) & naturals) > 0


@kernel
def _holds_without_wilds(view):
    naturals = ALL_CARDS & ~view.wild_mask
    return distance_within(
        view.b1 & naturals, view.b2 & naturals, view.b3 & naturals, 0, 0, need_of_view(view)
    )


@kernel
def lays_down(view, table, parameters):
    """Return whether to lay down now. A contract that takes the whole hand ends the deal: it never waits."""
    if view.terms & tm.WHOLE_HAND != 0 or view.turn >= parameters[LAY_DOWN_UNTIL_TURN]:
        return True
    if view.turn < parameters[LAY_DOWN_FROM_TURN]:
        return False
    left = view.size - view.slots - table[RULES + KEEP]
    if parameters[LAY_DOWN_WHEN] == _WHEN_OUT and not _goes_out(view, table, left):
        return False
    if parameters[LAY_DOWN_WHEN] == _WHEN_HAND_SMALL:
        most = parameters[LAY_DOWN_MAX_LEFT]
        if left > most and _stuck(view, table, left) > most:
            return False
    if view.turn < parameters[WILD_HOLD_UNTIL_TURN] and not _holds_without_wilds(view):
        return False
    return parameters[WILD_USE] == 0.0 or not _naturals_may_come(view, table)
