"""What weighs in a decision beside the distance: live outs, the points of a card, what it is worth to others."""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import card_is_wild, need_of_view
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, ALL_SUITS, LANE, add_mask, remove_mask
from shanghai_sim.rules.kernel_rules import BUY_WHEN_DOWN, BUYS, DRAW_WHEN_DOWN, PACKS, PLAYERS
from shanghai_sim.rules.outs import outs_among, outs_limit, outs_of

#: Cards of a run farther apart than this are no relatives.
_REACH = 4


@kernel
def live_copies(view, table, board):
    """Return how many copies of the cards of a board may still be drawn: not held, and not lying face up."""
    copies = table[v.RULES + PACKS] * popcount(board)
    copies -= popcount(board & view.b1) + popcount(board & view.b2) + popcount(board & view.b3)
    copies -= popcount(board & table[v.OPEN])
    return copies - popcount(board & table[v.OPEN + 1]) - popcount(board & table[v.OPEN + 2])


@kernel
def own_outs(view):
    """Return the board of the cards that would lower the own contract distance."""
    return outs_of(view.b1, view.b2, view.b3, view.jokers, view.distance, need_of_view(view))


@kernel
def outs_lost(view, table, code, outs):
    """Return how many live copies of the own outs are none any more without a natural held.

    Only its relatives are looked at: they are what it can help to a meld.
    """
    near = outs & relatives(view, code)
    need = need_of_view(view)
    limit = outs_limit(view.size, view.distance, need)
    if near == 0 or limit < 0:
        return 0
    b1, b2, b3 = remove_mask(view.b1, view.b2, view.b3, 1 << code)
    kept = outs_among(b1, b2, b3, view.jokers, near, limit, need)
    return live_copies(view, table, near & ~kept)


@kernel
def outs_gained(view, table, code):
    """Return how many live copies of its relatives a natural makes outs; 0 for other cards."""
    need = need_of_view(view)
    limit = outs_limit(view.size, view.distance, need)
    if limit < 0 or code == JOKER or card_is_wild(view, code) or (view.b3 >> code) & 1:
        return 0
    b1, b2, b3 = add_mask(view.b1, view.b2, view.b3, 1 << code)
    after = outs_among(b1, b2, b3, view.jokers, relatives(view, code), limit, need)
    if after == 0:
        return 0
    before = outs_among(view.b1, view.b2, view.b3, view.jokers, after, limit, need)
    return live_copies(view, table, after & ~before)


@kernel
def _near_in_suit(view, code, reach):
    """Return the board of the cards of a suit at most so many places away from a card, itself included."""
    suit, rank = code // 16, code % 16
    first, last = tm.first_position(view.terms), tm.last_position(view.terms)
    allowed = ((1 << last) - 1) & ~((1 << (first - 1)) - 1)
    # Bit p - 1 is position p; the ace stands at both ends.
    places = (1 << rank | (1 << 13 if rank == 0 else 0)) & allowed
    near = places
    for k in range(1, reach + 1):
        near |= places << k | places >> k
    near &= allowed
    return ((near & LANE) | near >> 13) << (16 * suit)


@kernel
def connected(view, code):
    """Return the board of the cards of a suit at most two places away from a card, itself left out."""
    return _near_in_suit(view, code, 2) & ~(1 << code)


@kernel
def relatives(view, code):
    """Return the board of the cards that could stand in a meld of the contract beside a natural.

    In a set those of its rank; in a run those of its suit that are no farther than its length allows, nor than four
    places.
    """
    reach = sets = 0
    for i in range(tm.n_melds(view.terms)):
        if tm.is_run(view.terms, i):
            reach = max(reach, min(tm.meld_size(view.terms, i) - 1, _REACH))
        else:
            sets = 1
    board = ALL_SUITS << (code % 16) if sets > 0 else 0
    if reach > 0:
        board |= _near_in_suit(view, code, reach)
    return board


@kernel
def somebody_is_down(view, table):
    """Return whether another player's contract is down."""
    for seat in range(table[v.RULES + PLAYERS]):
        if seat != view.seat and table[v.SEATS + seat * v.SEAT_WIDTH + v.DOWN] != 0:
            return True
    return False


@kernel
def _use_of(view, table, seat, related, code):
    """Return how much a seat would like a card, from 0 on, by what it took, threw, and can lay off."""
    row = v.SEATS + seat * v.SEAT_WIDTH
    if table[row + v.DOWN] != 0:
        if table[v.RULES + DRAW_WHEN_DOWN] == 0 and table[v.RULES + BUY_WHEN_DOWN] == 0:
            return 0.0
        return 1.0 if (table[v.FITS] >> code) & 1 else 0.0
    taken = popcount(table[row + v.TAKEN] & related & ALL_CARDS)
    thrown = popcount(table[row + v.DISCARDED] & related & ALL_CARDS)
    return max(0.0, 0.5 + 0.5 * taken - 0.2 * thrown)


@kernel
def danger(view, table, code):
    """Return how useful a natural, discarded now, would be to the other players: the next counts whole.

    The others have to buy it, and count half, as long as they have buys left in the deal.
    """
    if code == JOKER or card_is_wild(view, code):
        return 2.0
    players = table[v.RULES + PLAYERS]
    related = relatives(view, code)
    total = 0.0
    for k in range(1, players):
        seat = (view.seat + k) % players
        weight = 1.0
        if k > 1:
            row = v.SEATS + seat * v.SEAT_WIDTH
            may_buy = table[row + v.BUYS] < table[v.RULES + BUYS]
            weight = 0.5 if may_buy and table[row + v.DOWN] == 0 else 0.0
        if weight > 0.0:
            total += weight * _use_of(view, table, seat, related, code)
    return total
