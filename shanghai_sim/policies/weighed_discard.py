"""The discard of a policy that weighs cards: points, distance, outs, danger, what else stands beside a card in hand."""

from __future__ import annotations

from typing import NamedTuple

from shanghai_sim._jit import kernel, lowest_bit, popcount, scratch
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import need_of_view
from shanghai_sim.policies.opponents import (
    NOBODY,
    RIVALS,
    caution,
    danger,
    end_is_near,
    fewest_cards_down,
    rivals,
)
from shanghai_sim.policies.parameters import (
    BY_KEY,
    DISCARD_DANGER,
    DISCARD_DISTANCE,
    DISCARD_KEEP_CONNECTED,
    DISCARD_KEEP_PAIRS,
    DISCARD_OUTS,
    DISCARD_POINTS,
    DISCARD_POINTS_FROM_TURN,
    DISCARD_POINTS_NEAR_OUT,
    DISCARD_POINTS_ONCE_DOWN,
    DISCARD_PREFER,
    PLAN_BREAK_SETS,
    PLAN_SETS_FIRST,
)
from shanghai_sim.policies.plan import breakable, first_part, worth_for_plan
from shanghai_sim.policies.relatives import connected, kinship, relatives
from shanghai_sim.policies.weigh import outs_lost, own_places
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import rank_count, remove_mask
from shanghai_sim.rules.distance import distance_within
from shanghai_sim.rules.kernel_rules import POINTS
from shanghai_sim.rules.outs import alike, outs_limit

_DISTANCE_ABOVE_ALL = BY_KEY["discard.distance"].default
_MANY = 1 << 30
_LITTLE = -1e300


class Weights(NamedTuple):
    """What the properties of a card count in one decision, in points; all float64."""

    points: float  #: a penalty point
    danger: float
    outs: float  #: a live copy of an out; 0: they are not looked at
    pairs: float
    connected: float
    first: float  #: plan.first_part
    kin: int  #: relatives.kinship
    rivals: int  #: opponents.rivals


@kernel
def weighs(parameters):
    """Return whether a policy weighs its discards; else the dearest or the cheapest of equal ones goes."""
    return (
        parameters[DISCARD_OUTS] > 0.0
        or parameters[DISCARD_DANGER] > 0.0
        or parameters[DISCARD_DISTANCE] < _DISTANCE_ABOVE_ALL
        or parameters[DISCARD_KEEP_PAIRS] > 0.0
        or parameters[DISCARD_KEEP_CONNECTED] > 0.0
        or parameters[DISCARD_POINTS_FROM_TURN] > 0.0
        or parameters[PLAN_SETS_FIRST] != 0.0
        or parameters[PLAN_BREAK_SETS] > 0.0
    )


@kernel
def _free_of(view, naturals, limit, in_sets, in_runs):
    """Return the board of those naturals without which the distance is at most `limit`.

    Those that have no place in the own plans (`weigh.own_places`) are free unasked.
    """
    need = need_of_view(view)
    free = naturals & ~(in_sets | in_runs)
    todo = naturals & (in_sets | in_runs)
    while todo != 0:
        bit = todo & -todo
        same = alike(bit, todo, in_runs)
        todo &= ~same
        b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, bit)
        if distance_within(b1, b2, b3, view.jokers, limit, need):
            free |= same
    return free


@kernel
def _weight_of_points(view, table, parameters):
    """Return how much a penalty point counts now, the standing in the game aside."""
    if view.turn < parameters[DISCARD_POINTS_FROM_TURN]:
        return 0.0
    weight = parameters[DISCARD_POINTS]
    fewest = fewest_cards_down(view, table)
    if fewest < NOBODY:
        weight *= parameters[DISCARD_POINTS_ONCE_DOWN]
    if end_is_near(view, table, parameters, fewest):
        weight *= parameters[DISCARD_POINTS_NEAR_OUT]
    return -weight if parameters[DISCARD_PREFER] == 1.0 else weight


@kernel
def _weights(view, table, parameters, outs, rows):
    """Return what counts now, and write the `opponents.rivals`; `outs` says whether outs count."""
    safety = caution(view, table, parameters)
    danger_counts = parameters[DISCARD_DANGER] > 0.0
    return Weights(
        safety * _weight_of_points(view, table, parameters),
        safety * parameters[DISCARD_DANGER],
        parameters[DISCARD_OUTS] if outs else 0.0,
        parameters[DISCARD_KEEP_PAIRS],
        parameters[DISCARD_KEEP_CONNECTED],
        first_part(view, parameters),
        kinship(view.terms),
        rivals(view, table, parameters, rows) if danger_counts else 0,
    )


@kernel
def _worth(view, table, weights, rows, code, least):
    """Return what the loss of a natural is worth, in points, its distance and its outs aside.

    Everything but points counts against a card: where they alone are worth less than `least`, the rest is not
    looked at.
    """
    worth = weights.points * table[v.RULES + POINTS + code]
    if worth < least:
        return worth
    if weights.danger > 0.0:
        related = relatives(view.terms, weights.kin, code)
        worth -= weights.danger * danger(rows, weights.rivals, table[v.FITS], related, code)
    if weights.pairs > 0.0:
        worth -= weights.pairs * (rank_count(view.b1, view.b2, view.b3, code % 16) - 1)
    if weights.connected > 0.0:
        worth -= weights.connected * popcount(view.b1 & connected(view, code))
    if weights.first != 0.0:
        worth -= worth_for_plan(view, code, weights.first)
    return worth


@kernel
def _first_of(code, worth, best, best_worth):
    """Return the card of more worth and that worth; of equal ones the first in code order (`best` -1: none yet)."""
    if best < 0 or worth > best_worth or (worth == best_worth and code < best):
        return code, worth
    return best, best_worth


@kernel
def _heaviest_costly(view, table, parameters, weights, rows, costly, best, best_worth):
    """Return the best of a card and of those that cost distance."""
    broken = costly & breakable(view, parameters)
    while costly != 0:
        code = lowest_bit(costly)
        costly &= costly - 1
        cost = parameters[DISCARD_DISTANCE]
        if (broken >> code) & 1:
            cost = max(0.0, cost - parameters[PLAN_BREAK_SETS])
        worth = _worth(view, table, weights, rows, code, best_worth + cost) - cost
        best, best_worth = _first_of(code, worth, best, best_worth)
    return best


@kernel
def _heaviest_with_outs(view, table, weights, rows, cards, possible, in_runs, best, best_worth):
    """Return the best of a card and of those that may cost outs, and its worth.

    The most promising comes first: what it is worth spares the others the search for their outs.
    """
    outs = none = 0
    promising = -1
    its_worth = _LITTLE
    todo = cards
    while todo != 0:
        code = lowest_bit(todo)
        todo &= todo - 1
        worth = _worth(view, table, weights, rows, code, best_worth)
        if worth < best_worth:
            cards ^= 1 << code
        elif worth > its_worth:
            promising, its_worth = code, worth
    code = promising
    while cards != 0:
        cards ^= 1 << code
        worth = its_worth if code == promising else _worth(view, table, weights, rows, code, best_worth)
        if worth >= best_worth:
            most = int((worth - best_worth) / weights.outs + 1e-6) if best >= 0 else _MANY
            near = possible & relatives(view.terms, weights.kin, code)
            lost, outs, none = outs_lost(view, table, code, near, in_runs, outs, none, most)
            best, best_worth = _first_of(code, worth - weights.outs * lost, best, best_worth)
        code = lowest_bit(cards) if cards != 0 else -1
    return best, best_worth


@kernel
def _heaviest(view, table, parameters, weights, rows, free, costly, in_sets, in_runs):
    """Return the card whose loss is worth most: of `free` ones, not none, and of those that cost distance."""
    several = free & (free - 1) != 0
    has_outs = outs_limit(view.size, view.distance, need_of_view(view)) >= 0
    possible = in_sets | in_runs if weights.outs > 0.0 and several and has_outs else 0
    best = -1
    best_worth = _LITTLE
    later = 0
    while free != 0:
        code = lowest_bit(free)
        free &= free - 1
        if possible != 0 and possible & relatives(view.terms, weights.kin, code) != 0:
            later |= 1 << code
            continue
        worth = _worth(view, table, weights, rows, code, best_worth)
        best, best_worth = _first_of(code, worth, best, best_worth)
    if later != 0:
        best, best_worth = _heaviest_with_outs(
            view, table, weights, rows, later, possible, in_runs, best, best_worth
        )
    if costly != 0:
        best = _heaviest_costly(view, table, parameters, weights, rows, costly, best, best_worth)
    return best


@kernel
def heaviest(view, table, parameters, candidates):
    """Return the candidate whose loss is worth most, outs aside: they no longer count, or all cost distance."""
    if candidates & (candidates - 1) == 0:
        return lowest_bit(candidates)
    rows = scratch(RIVALS)
    weights = _weights(view, table, parameters, False, rows)
    return _heaviest(view, table, parameters, weights, rows, candidates, 0, 0, 0)


@kernel
def weighed_discard(view, table, parameters, naturals):
    """Return the heaviest discard, all things counted, with what it does to the distance where this is known."""
    whole = view.terms & tm.WHOLE_HAND != 0
    # In a whole hand one card less to place lowers the distance by one, or leaves it, or raises it by one.
    limit = max(0, view.distance - 1) if whole else view.distance
    in_sets, in_runs = own_places(view)
    free = _free_of(view, naturals, limit, in_sets, in_runs)
    if whole and free == 0:
        free = _free_of(view, naturals, view.distance, in_sets, in_runs)
    if free == 0:
        code = heaviest(view, table, parameters, naturals)
        return code if whole else code | v.DISTANCE_RAISED
    rows = scratch(RIVALS)
    weights = _weights(view, table, parameters, True, rows)
    code = _heaviest(view, table, parameters, weights, rows, free, naturals & ~free, in_sets, in_runs)
    if whole:
        return code
    return code | (v.DISTANCE_KEPT if (free >> code) & 1 else v.DISTANCE_RAISED)
