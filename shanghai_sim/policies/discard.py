"""Which card to discard."""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit
from shanghai_sim.cards import JOKER
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import (
    card_is_wild,
    distinct_cards,
    need_of_view,
    nth_card,
    random_below,
    strays,
    wild_held,
)
from shanghai_sim.policies.parameters import DISCARD_PREFER, NOISE, WILD_DUMP, WILD_DUMP_FROM_TURN
from shanghai_sim.policies.weighed_discard import heaviest, weighed_discard, weighs
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, remove_mask
from shanghai_sim.rules.distance import distance_within
from shanghai_sim.rules.kernel_rules import CLASSES, N_CLASSES


@kernel
def _first_of(view, table, cheapest, candidates):
    """Return the dearest (or cheapest) card of a board, the first in code order of equal ones; -1: none."""
    n = table[v.RULES + N_CLASSES]
    for i in range(n):
        same = candidates & table[v.RULES + CLASSES + (n - 1 - i if cheapest else i)]
        if same != 0:
            return lowest_bit(same)
    return -1


@kernel
def _free_discard(view, table, cheapest, naturals, limit):
    """Return the dearest (or cheapest) natural without which the distance is at most `limit`, or -1."""
    need = need_of_view(view)
    n = table[v.RULES + N_CLASSES]
    for i in range(n):
        same = naturals & table[v.RULES + CLASSES + (n - 1 - i if cheapest else i)]
        while same != 0:
            bit = same & -same
            same ^= bit
            b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, bit)
            if distance_within(b1, b2, b3, view.jokers, limit, need):
                return lowest_bit(bit)
    return -1


@kernel
def _least_distance(view, table, cheapest, naturals):
    """Return the natural without which the distance is least, where the contract takes the whole hand.

    One card less to place lowers the distance by one, or leaves it, or raises it by one.
    """
    for limit in range(max(0, view.distance - 1), view.distance + 1):
        code = _free_discard(view, table, cheapest, naturals, limit)
        if code >= 0:
            return code
    return _first_of(view, table, cheapest, naturals)


@kernel
def _dumps_wild(view, table, parameters, naturals):
    """Return whether a wild is to be discarded from now on: any, or one that costs no more distance than all else."""
    if view.turn < parameters[WILD_DUMP_FROM_TURN]:
        return False
    wild = wild_held(view, table)
    if wild < 0 or parameters[WILD_DUMP] == 0.0:
        return wild >= 0
    b1, b2, b3, jokers = view.b1, view.b2, view.b3, view.jokers
    if wild == JOKER:
        jokers -= 1
    else:
        b1, b2, b3 = remove_mask(b1, b2, b3, 1 << wild)
    if distance_within(b1, b2, b3, jokers, view.distance, need_of_view(view)):
        return True
    return _free_discard(view, table, False, naturals, view.distance) < 0


@kernel
def discard(view, table, parameters):
    """Return the card to discard, with what that does to the distance where this is known.

    Before the own contract is down: the dearest natural that costs no distance, else the dearest natural; a
    wild only where nothing else is held, or where it is to be dumped. Afterwards: the dearest natural, first among
    those that fit no meld. Where a policy weighs cards, the heaviest takes the place of the dearest.
    """
    if strays(view, parameters[NOISE]):
        n = distinct_cards(view.b1, view.jokers)
        return nth_card(view.b1, view.jokers, random_below(view, n, 0))
    cheapest = parameters[DISCARD_PREFER] == 1.0
    weighing = weighs(parameters)
    naturals = view.b1 & ALL_CARDS & ~view.wild_mask
    if view.jokers > 0 and not card_is_wild(view, JOKER):
        # A dead joker fits nowhere: no natural is a better discard.
        return JOKER | v.DISTANCE_KEPT
    if naturals == 0:
        return wild_held(view, table)
    if view.down != 0:
        stuck = naturals & ~table[v.FITS]
        if stuck == 0:
            stuck = naturals
        if weighing:
            return heaviest(view, table, parameters, stuck)
        return _first_of(view, table, cheapest, stuck)
    if _dumps_wild(view, table, parameters, naturals):
        return wild_held(view, table)
    if weighing:
        return weighed_discard(view, table, parameters, naturals)
    if view.terms & tm.WHOLE_HAND != 0:
        return _least_distance(view, table, cheapest, naturals)
    code = _free_discard(view, table, cheapest, naturals, view.distance)
    if code >= 0:
        return code | v.DISTANCE_KEPT
    return _first_of(view, table, cheapest, naturals) | v.DISTANCE_RAISED
