"""Outs: the cards one more of which brings a hand nearer to its contract."""

from __future__ import annotations

from shanghai_sim._jit import entry, kernel, popcount
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, LANE, add_mask, count_cards, rank_counts
from shanghai_sim.rules.cover import naturals_placed
from shanghai_sim.rules.distance import distance_within, usable_wilds
from shanghai_sim.rules.runs import WINDOWS, first_window

#: A meld of a choice may hold nothing: whatever comes fits there.
ANY_CARD = -1


@kernel
def _ranks_with(c1, c2, c3, least):
    """Return the 13-bit mask of the ranks of which at least so many cards (1-3) are held."""
    p0, p1, p2, p3 = rank_counts(c1, c2, c3)
    high = p2 | p3
    if least == 1:
        return p0 | p1 | high
    if least == 2:
        return p1 | high
    return (p0 & p1) | high


@kernel
def _in_windows(c1, table, least):
    """Return the board of the cards of all windows that hold at least so many naturals."""
    board = 0
    for shift in range(0, 64, 16):
        lane = (c1 >> shift) & LANE
        if popcount(lane) < least:
            continue
        reached = 0
        i = first_window(table)
        while WINDOWS[i] != 0:
            if popcount(lane & WINDOWS[i]) >= least:
                reached |= WINDOWS[i]
            i += 1
        board |= reached << shift
    return board


@kernel
def _placing(c1, c2, c3, placed, need):
    """Return the board of the ranks and windows of choices that place so many naturals; ANY_CARD: all cards.

    For the fast path. In such a choice each meld holds at least what is placed less the most that the other melds
    hold without it: a rank, or a window, that holds less is in none of them. An out takes a free slot of one.
    """
    board = 0
    if need.sets > 0:
        least = placed - naturals_placed(c1, c2, c3, need.sets - 1, need.runs, need.table, 0, placed)
        if least <= 0:
            return ANY_CARD
        if least <= 3:
            ranks = _ranks_with(c1, c2, c3, least)
            for suit in range(4):
                board |= ranks << (16 * suit)
    if need.runs > 0:
        least = placed - naturals_placed(c1, c2, c3, need.sets, need.runs - 1, need.table, 0, placed)
        if least <= 0:
            return ANY_CARD
        board |= _in_windows(c1, need.table, least)
    return board


@kernel
def outs_among(b1, b2, b3, jokers, candidates, limit, need):
    """Return those of some cards one more of which brings the contract distance to `limit` at most.

    Parameters
    ----------
    b1, b2, b3, jokers : int64
        The whole hand.
    candidates : int64
        Board of the cards asked about; those held three times are left out.
    limit : int64
        0 or more.
    need : Need
        The contract and the wilds.
    """
    outs = 0
    todo = candidates & ~b3
    while todo != 0:
        bit = todo & -todo
        todo ^= bit
        c1, c2, c3 = add_mask(b1, b2, b3, bit)
        if distance_within(c1, c2, c3, jokers, limit, need):
            outs |= bit
    return outs


@kernel
def outs_limit(size, distance, need):
    """Return the contract distance that an out brings a hand of `size` cards to; below 0: it has no outs.

    One less than now. But a hand that the contract takes whole has to place each card that it gains: there one that
    leaves the distance as it is will do, for another card then goes.
    """
    whole = need.terms & tm.WHOLE_HAND != 0 and size >= need.slots
    return distance if whole else distance - 1


@kernel
def best_places(b1, b2, b3, jokers, distance, need):
    """Return the board of all naturals that have a place in some choice of melds by which the hand is so near.

    A natural held that is not on it can go without raising the distance, and one not on it is no out. The board may
    hold more than these; it costs two evaluations, where each card that it leaves out would have cost one.
    """
    naturals = ALL_CARDS & ~need.wild_mask
    if need.terms & tm.GENERAL != 0:
        return naturals
    placed = need.slots - usable_wilds(b1, b2, b3, jokers, need) - distance
    board = _placing(b1 & naturals, b2 & naturals, b3 & naturals, placed, need)
    return naturals if board == ANY_CARD else board & naturals


@kernel
def outs_of(b1, b2, b3, jokers, distance, need):
    """Return the board of the cards, jokers aside, one more of which brings the hand to its `outs_limit`.

    Cards held three times are left out.
    """
    limit = outs_limit(count_cards(b1, b2, b3, jokers), distance, need)
    if limit < 0:
        return 0
    if need.terms & tm.GENERAL != 0:
        return outs_among(b1, b2, b3, jokers, ALL_CARDS, limit, need)
    outs = outs_among(b1, b2, b3, jokers, best_places(b1, b2, b3, jokers, distance, need), limit, need)
    if need.terms & tm.NATURAL_ONLY == 0:
        # A wild fills any gap.
        outs |= need.wild_mask & ~b3
    return outs


@kernel
def joker_is_out(b1, b2, b3, jokers, distance, need):
    """Return whether one more joker brings the hand to its `outs_limit`."""
    limit = outs_limit(count_cards(b1, b2, b3, jokers), distance, need)
    return limit >= 0 and distance_within(b1, b2, b3, jokers + 1, limit, need)


@entry
def outs_of_hands(hands, distances, need, boards, jokers_out):
    """Write for each hand (int64[n, 4], as in distance.distances) its outs: a board, and 1 where a joker is one."""
    for i in range(hands.shape[0]):
        b1, b2, b3, jokers = hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3]
        boards[i] = outs_of(b1, b2, b3, jokers, distances[i], need)
        jokers_out[i] = 1 if joker_is_out(b1, b2, b3, jokers, distances[i], need) else 0
