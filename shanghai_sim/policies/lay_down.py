"""Whether to lay down a contract that the hand holds."""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.policies.features import need_of_view
from shanghai_sim.policies.parameters import (
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
def _goes_out(view, table, left):
    """Return whether the seat goes out if it lays down: no more is left over than it discards, or fits at once.

    Of a card that fits some meld one copy is set aside for it, and the contract is looked for in the others.
    """
    if left <= 0:
        return True
    if table[RULES + LAY_OFF_AT_ONCE] == 0:
        return False
    fitting = view.b1 & table[FITS] & ~view.wild_mask
    if popcount(fitting) < left:
        return False
    b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, fitting)
    return distance_within(b1, b2, b3, view.jokers, 0, need_of_view(view))


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
    left = view.size - view.slots - table[RULES + KEEP]
    if parameters[LAY_DOWN_WHEN] == _WHEN_OUT and not _goes_out(view, table, left):
        return False
    if parameters[LAY_DOWN_WHEN] == _WHEN_HAND_SMALL and left > parameters[LAY_DOWN_MAX_LEFT]:
        return False
    if view.turn < parameters[WILD_HOLD_UNTIL_TURN] and not _holds_without_wilds(view):
        return False
    return parameters[WILD_USE] == 0.0 or not _naturals_may_come(view, table)
