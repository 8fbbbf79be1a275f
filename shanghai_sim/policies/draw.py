"""The choice between the top of the discard pile and the stock."""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import fits_table, random_below, strays, worth_drawing
from shanghai_sim.policies.opponents import danger_of_upcard
from shanghai_sim.policies.parameters import DRAW_DENY, DRAW_MIN_GAIN, NOISE
from shanghai_sim.rules.kernel_rules import DRAW_WHEN_DOWN


@kernel
def draw(view, table, parameters):
    """Return FROM_PILE or FROM_STOCK.

    Before the own contract is down the discard is taken if it lowers the distance enough, or to deny it to others;
    afterwards if it can be laid off.
    """
    if view.down != 0 and table[v.RULES + DRAW_WHEN_DOWN] == 0:
        return v.FROM_STOCK
    if strays(view, parameters[NOISE]):
        return random_below(view, 2, 0)
    if view.down != 0:
        return v.FROM_PILE if fits_table(view, table, view.upcard) else v.FROM_STOCK
    if parameters[DRAW_MIN_GAIN] <= 0.0 or worth_drawing(view, view.upcard):
        return v.FROM_PILE
    deny = parameters[DRAW_DENY]
    return v.FROM_PILE if deny > 0.0 and danger_of_upcard(view, table, parameters) >= deny else v.FROM_STOCK
