"""The discard of a policy that weighs cards: points, outs, danger, what else stands beside a card in hand."""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit, popcount
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import need_of_view
from shanghai_sim.policies.parameters import (
    DISCARD_DANGER,
    DISCARD_KEEP_CONNECTED,
    DISCARD_KEEP_PAIRS,
    DISCARD_OUTS,
    DISCARD_POINTS,
    DISCARD_POINTS_FROM_TURN,
    DISCARD_POINTS_ONCE_DOWN,
    DISCARD_PREFER,
)
from shanghai_sim.policies.weigh import connected, danger, outs_lost, own_outs, somebody_is_down
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import rank_count, remove_mask
from shanghai_sim.rules.distance import distance_within
from shanghai_sim.rules.kernel_rules import POINTS


@kernel
def weighs(parameters):
    """Return whether a policy weighs its discards; else the dearest or the cheapest of equal ones goes."""
    return (
        parameters[DISCARD_OUTS] > 0.0
        or parameters[DISCARD_DANGER] > 0.0
        or parameters[DISCARD_KEEP_PAIRS] > 0.0
        or parameters[DISCARD_KEEP_CONNECTED] > 0.0
        or parameters[DISCARD_POINTS_FROM_TURN] > 0.0
    )


@kernel
def _free_of(view, naturals, limit):
    """Return the board of those naturals without which the distance is at most `limit`."""
    need = need_of_view(view)
    free = 0
    while naturals != 0:
        bit = naturals & -naturals
        naturals ^= bit
        b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, bit)
        if distance_within(b1, b2, b3, view.jokers, limit, need):
            free |= bit
    return free


@kernel
def _weight_of_points(view, table, parameters):
    """Return how much a penalty point counts now."""
    if view.turn < parameters[DISCARD_POINTS_FROM_TURN]:
        return 0.0
    weight = parameters[DISCARD_POINTS]
    if somebody_is_down(view, table):
        weight *= parameters[DISCARD_POINTS_ONCE_DOWN]
    return -weight if parameters[DISCARD_PREFER] == 1.0 else weight


@kernel
def _worth(view, table, parameters, code, outs, weight):
    """Return what the loss of a natural is worth, in points."""
    worth = weight * table[v.RULES + POINTS + code]
    if outs != 0:
        worth -= parameters[DISCARD_OUTS] * outs_lost(view, table, code, outs)
    if parameters[DISCARD_DANGER] > 0.0:
        worth -= parameters[DISCARD_DANGER] * danger(view, table, code)
    if parameters[DISCARD_KEEP_PAIRS] > 0.0:
        worth -= parameters[DISCARD_KEEP_PAIRS] * (rank_count(view.b1, view.b2, view.b3, code % 16) - 1)
    if parameters[DISCARD_KEEP_CONNECTED] > 0.0:
        worth -= parameters[DISCARD_KEEP_CONNECTED] * popcount(view.b1 & connected(view, code))
    return worth


@kernel
def _heaviest(view, table, parameters, candidates, outs):
    """Return the candidate whose loss is worth most, the first in code order of equal ones."""
    if candidates & (candidates - 1) == 0:
        return lowest_bit(candidates)
    weight = _weight_of_points(view, table, parameters)
    best = -1
    best_worth = 0.0
    while candidates != 0:
        code = lowest_bit(candidates)
        candidates &= candidates - 1
        worth = _worth(view, table, parameters, code, outs, weight)
        if best < 0 or worth > best_worth:
            best, best_worth = code, worth
    return best


@kernel
def heaviest(view, table, parameters, candidates):
    """Return the candidate whose loss is worth most, outs aside: they no longer count, or all cost distance."""
    return _heaviest(view, table, parameters, candidates, 0)


@kernel
def _heaviest_free(view, table, parameters, free):
    """Return the heaviest of naturals that cost no distance, outs included."""
    outs = 0
    if parameters[DISCARD_OUTS] > 0.0 and free & (free - 1) != 0:
        outs = own_outs(view)
    return _heaviest(view, table, parameters, free, outs)


@kernel
def weighed_discard(view, table, parameters, naturals):
    """Return the heaviest discard of those that cost the least distance, with what it does to it."""
    if view.terms & tm.WHOLE_HAND != 0:
        # One card less to place lowers the distance by one, or leaves it, or raises it by one.
        for limit in range(max(0, view.distance - 1), view.distance + 1):
            free = _free_of(view, naturals, limit)
            if free != 0:
                return _heaviest_free(view, table, parameters, free)
        return heaviest(view, table, parameters, naturals)
    free = _free_of(view, naturals, view.distance)
    if free != 0:
        return _heaviest_free(view, table, parameters, free) | v.DISTANCE_KEPT
    return heaviest(view, table, parameters, naturals) | v.DISTANCE_RAISED
