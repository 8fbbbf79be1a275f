"""Whether to lay down a contract that the hand holds."""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.policies.features import need_of_view
from shanghai_sim.policies.parameters import (
    LAY_DOWN_MAX_LEFT,
    LAY_DOWN_UNTIL_TURN,
    LAY_DOWN_WHEN,
    WILD_HOLD_UNTIL_TURN,
)
from shanghai_sim.policies.view import RULES
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS
from shanghai_sim.rules.distance import distance_within
from shanghai_sim.rules.kernel_rules import KEEP

# Places of the words of lay_down.when.
_AT_ONCE, _WHEN_HAND_SMALL, _WHEN_OUT = range(3)


@kernel
def lays_down(view, table, parameters):
    """Return whether to lay down now. A contract that takes the whole hand ends the deal: it never waits."""
    if view.terms & tm.WHOLE_HAND != 0 or view.turn >= parameters[LAY_DOWN_UNTIL_TURN]:
        return True
    left = view.size - view.slots - table[RULES + KEEP]
    if parameters[LAY_DOWN_WHEN] == _WHEN_OUT and left > 0:
        return False
    if parameters[LAY_DOWN_WHEN] == _WHEN_HAND_SMALL and left > parameters[LAY_DOWN_MAX_LEFT]:
        return False
    if view.turn < parameters[WILD_HOLD_UNTIL_TURN]:
        naturals = ALL_CARDS & ~view.wild_mask
        return distance_within(
            view.b1 & naturals, view.b2 & naturals, view.b3 & naturals, 0, 0, need_of_view(view)
        )
    return True
