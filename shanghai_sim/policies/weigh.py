"""What a card does to the own outs, counted in copies that may still be drawn."""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import card_is_wild, need_of_view
from shanghai_sim.policies.relatives import kinship, relatives
from shanghai_sim.rules.boards import add_mask, remove_mask
from shanghai_sim.rules.distance import distance_within
from shanghai_sim.rules.kernel_rules import PACKS
from shanghai_sim.rules.outs import alike, best_places, outs_limit


@kernel
def live_copies(view, table, board):
    """Return how many copies of the cards of a board may still be drawn: not held, and not lying face up."""
    copies = table[v.RULES + PACKS] * popcount(board)
    copies -= popcount(board & view.b1) + popcount(board & view.b2) + popcount(board & view.b3)
    copies -= popcount(board & table[v.OPEN])
    return copies - popcount(board & table[v.OPEN + 1]) - popcount(board & table[v.OPEN + 2])


@kernel
def own_places(view):
    """Return the boards of the naturals that have a place in sets, and in runs, of the own plans (`best_places`)."""
    return best_places(view.b1, view.b2, view.b3, view.jokers, view.distance, need_of_view(view))


@kernel
def outs_lost(view, table, code, near, in_runs, outs, none, most):
    """Return how many live copies of some own outs are none any more without a natural held; and what is known.

    Parameters
    ----------
    view, table
        As a policy gets them; the hand has outs (`outs_limit` of 0 or more).
    code : int64
        The natural.
    near : int64
        Board of the cards looked at.
    in_runs : int64
        Board of the cards that have a place in runs of the own plans.
    outs, none : int64
        Boards of the cards known to be outs of the whole hand, or none.
    most : int64
        Once more are lost the search ends.

    Returns
    -------
    lost, outs, none : int64
    """
    need = need_of_view(view)
    limit = outs_limit(view.size, view.distance, need)
    b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, 1 << code)
    lost = 0
    near &= ~(none | view.b3)
    while near != 0:
        bit = near & -near
        same = alike(bit, near, in_runs)
        near &= ~same
        copies = live_copies(view, table, same)
        if copies <= 0:
            continue
        if outs & bit == 0:
            c1, c2, c3 = add_mask(view.b1, view.b2, view.b3, bit)
            if not distance_within(c1, c2, c3, view.jokers, limit, need):
                none |= same
                continue
            outs |= same
        c1, c2, c3 = add_mask(b1, b2, b3, bit)
        if not distance_within(c1, c2, c3, view.jokers, limit, need):
            lost += copies
            if lost > most:
                break
    return lost, outs, none


@kernel
def gains_outs(view, table, code, least):
    """Return whether a natural makes outs of relatives of which so many live copies are left (1 or more)."""
    need = need_of_view(view)
    limit = outs_limit(view.size, view.distance, need)
    if limit < 0 or code == JOKER or card_is_wild(view, code) or (view.b3 >> code) & 1:
        return False
    b1, b2, b3 = add_mask(view.b1, view.b2, view.b3, 1 << code)
    todo = relatives(view.terms, kinship(view.terms), code) & ~view.b3 & ~b3
    left = live_copies(view, table, todo)
    found = 0
    while todo != 0 and found < least <= found + left:
        bit = todo & -todo
        todo ^= bit
        copies = live_copies(view, table, bit)
        left -= copies
        if copies <= 0:
            continue
        c1, c2, c3 = add_mask(b1, b2, b3, bit)
        if not distance_within(c1, c2, c3, view.jokers, limit, need):
            continue
        c1, c2, c3 = add_mask(view.b1, view.b2, view.b3, bit)
        if not distance_within(c1, c2, c3, view.jokers, limit, need):
            found += copies
    return found >= least
