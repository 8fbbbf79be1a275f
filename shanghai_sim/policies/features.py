"""What the built-in decisions measure on a hand."""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.policies import view as v
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import add_mask
from shanghai_sim.rules.distance import Need, distance_within
from shanghai_sim.rules.kernel_rules import JOKER_WILD, WILD_MASK
from shanghai_sim.rules.outs import outs_limit

_NOISE_BITS = 20


@kernel
def need_of_view(view):
    """Return the contract as the evaluation reads it."""
    return Need(
        view.sets,
        view.runs,
        view.table,
        view.slots,
        view.wild_mask,
        view.joker_wild,
        view.terms,
    )


@kernel
def card_is_wild(view, code):
    """Return whether a card is wild."""
    if code == JOKER:
        return view.joker_wild == 1
    return (view.wild_mask >> code) & 1 == 1


@kernel
def helps(view, code):
    """Return whether a card would lower the own contract distance."""
    return view.distance > 0 and within_after(view, code, view.distance - 1)


@kernel
def within_after(view, code, limit):
    """Return whether the own contract distance, one card more in hand, would be at most `limit` (0 or more).

    `limit` is below the distance now, or the contract takes the whole hand.
    """
    if view.down != 0:
        return False
    if view.terms & tm.GENERAL == 0:
        # A wild fills any gap, and a dead joker none.
        if card_is_wild(view, code):
            return view.terms & tm.NATURAL_ONLY == 0
        if code == JOKER:
            return False
    b1, b2, b3, jokers = view.b1, view.b2, view.b3, view.jokers
    if code == JOKER:
        jokers += 1
    else:
        b1, b2, b3 = add_mask(b1, b2, b3, 1 << code)
    return distance_within(b1, b2, b3, jokers, limit, need_of_view(view))


@kernel
def worth_drawing(view, code):
    """Return whether a card is an out of the own hand (rules.outs.outs_limit)."""
    limit = outs_limit(view.size, view.distance, need_of_view(view))
    return limit >= 0 and within_after(view, code, limit)


@kernel
def fits_table(view, table, code):
    """Return whether a card can be laid off on some meld."""
    if card_is_wild(view, code):
        return table[v.WILD_FITS] == 1
    return code != JOKER and (table[v.FITS] >> code) & 1 == 1


@kernel
def strays(view, share):
    """Return whether this decision is a random one, `share` (0-1) being the share of those that are."""
    return share > 0.0 and (view.noise & ((1 << _NOISE_BITS) - 1)) < share * (1 << _NOISE_BITS)


@kernel
def random_below(view, n, skip):
    """Return a number in 0 .. n-1 (n at most 256) from the decision's own random bits.

    `skip` (0 or 1) picks other bits, for a second number; neither uses those of `strays`.
    """
    return (((view.noise >> (_NOISE_BITS + 16 * skip)) & 0xFFFF) * n) >> 16


@kernel
def nth_card(b1, jokers, n):
    """Return the n-th distinct card of a hand, in code order, a joker last."""
    for _ in range(n):
        b1 &= b1 - 1
    return lowest_bit(b1) if b1 != 0 else JOKER


@kernel
def distinct_cards(b1, jokers):
    """Return how many different cards a hand holds."""
    return popcount(b1) + (1 if jokers > 0 else 0)


@kernel
def wild_held(view, table):
    """Return a wild of the own hand (a joker before others), or -1."""
    if table[v.RULES + JOKER_WILD] == 1 and view.jokers > 0:
        return JOKER
    wilds = view.b1 & table[v.RULES + WILD_MASK]
    return lowest_bit(wilds) if wilds != 0 else -1
