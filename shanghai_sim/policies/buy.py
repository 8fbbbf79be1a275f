"""Whether to buy the top discard out of turn."""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import helps, random_below, strays
from shanghai_sim.policies.opponents import caution, danger_of_upcard
from shanghai_sim.policies.parameters import (
    BUY_DENY,
    BUY_FROM_DEAL,
    BUY_KEEP,
    BUY_MAX_BUYS,
    BUY_MIN_OUTS,
    BUY_RESERVE,
    BUY_UNTIL_TURN,
    BUY_WHEN,
    NOISE,
)
from shanghai_sim.policies.weigh import gains_outs
from shanghai_sim.rules.kernel_rules import DEAL, GAME_BUYS, KEEP

# Places of the words of buy.when.
_NEVER, _ONLY_IF_SHORT, _IF_IT_HELPS, _IF_OUTS_GROW, _ALWAYS = range(5)


@kernel
def _least_outs(view, table, parameters):
    """Return how many live outs more a card must bring: more of them with a lead that is to be kept."""
    return max(1, int(parameters[BUY_MIN_OUTS] * caution(view, table, parameters) + 0.5))


@kernel
def _in_reserve(view, table, parameters):
    """Return whether all buys that the limit per game still allows are left for later deals."""
    bought = table[v.SEATS + view.seat * v.SEAT_WIDTH + v.GAME_BUYS]
    return table[v.RULES + GAME_BUYS] - bought <= parameters[BUY_RESERVE]


@kernel
def buy(view, table, parameters):
    """Return YES or NO. The built-in policies buy only until their own contract is down."""
    if strays(view, parameters[NOISE]):
        return random_below(view, 2, 0)
    when = parameters[BUY_WHEN]
    bought = table[v.SEATS + view.seat * v.SEAT_WIDTH + v.BUYS]
    if (
        when == _NEVER
        or view.down != 0
        or bought >= parameters[BUY_MAX_BUYS]
        or view.turn > parameters[BUY_UNTIL_TURN]
        or table[v.RULES + DEAL] < parameters[BUY_FROM_DEAL]
        or _in_reserve(view, table, parameters)
    ):
        return v.NO
    spare = view.buys_left > parameters[BUY_KEEP]
    if when == _ALWAYS and spare:
        return v.YES
    # Short: even with the card drawn on the own turn the hand is too small for the contract.
    if when == _ONLY_IF_SHORT and view.size + 1 >= view.slots + table[v.RULES + KEEP]:
        return v.NO
    if helps(view, view.upcard):
        return v.YES
    if not spare:
        return v.NO
    if when == _IF_OUTS_GROW and gains_outs(view, table, view.upcard, _least_outs(view, table, parameters)):
        return v.YES
    deny = parameters[BUY_DENY]
    return v.YES if deny > 0.0 and danger_of_upcard(view, table, parameters) >= deny else v.NO
