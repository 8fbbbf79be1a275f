"""Outs: the cards one more of which brings a hand nearer to its contract."""

from __future__ import annotations

from shanghai_sim._jit import entry, kernel, lowest_bit, popcount
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, ALL_SUITS, LANE, add_mask, count_cards, rank_counts
from shanghai_sim.rules.cover import naturals_placed
from shanghai_sim.rules.distance import distance_within, usable_wilds
from shanghai_sim.rules.runs import WINDOWS, first_window


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
    """Return the boards of the ranks, and of the windows, of choices that place so many naturals, on the fast path.

    In such a choice each meld holds at least what is placed less the most that the other melds hold without it: a
    rank, or a window, that holds less is in none of them. An out takes a free slot of one.
    """
    in_sets = in_runs = 0
    if need.sets > 0:
        least = placed - naturals_placed(c1, c2, c3, need.sets - 1, need.runs, need.table, 0, placed)
        if least <= 0:
            in_sets = ALL_CARDS
        elif least <= 3:
            ranks = _ranks_with(c1, c2, c3, least)
            for suit in range(4):
                in_sets |= ranks << (16 * suit)
    if need.runs > 0:
        least = placed - naturals_placed(c1, c2, c3, need.sets, need.runs - 1, need.table, 0, placed)
        in_runs = ALL_CARDS if least <= 0 else _in_windows(c1, need.table, least)
    return in_sets, in_runs


@kernel
def alike(bit, board, in_runs):
    """Return those cards of a board that are outs, or can go, if one of them (`bit`) is, or can.

    `in_runs` is the board of the cards that may have a place in a run (`best_places`). All others of a rank are alike:
    sets know no suits.
    """
    if bit & in_runs != 0:
        return bit
    return board & ~in_runs & (ALL_SUITS << (lowest_bit(bit) % 16))


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
    """Return the boards of all naturals with a place in sets, and in runs, of choices by which the hand is so near.

    A natural held that is on neither can go without raising the distance, and one on neither is no out. The boards
    may hold more than these; they cost two evaluations, where each card left out would have cost one. Where the fast
    path cannot answer, all naturals may be in runs.
    """
    naturals = ALL_CARDS & ~need.wild_mask
    if need.terms & tm.GENERAL != 0:
        return 0, naturals
    placed = need.slots - usable_wilds(b1, b2, b3, jokers, need) - distance
    in_sets, in_runs = _placing(b1 & naturals, b2 & naturals, b3 & naturals, placed, need)
    return in_sets & naturals, in_runs & naturals


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
    in_sets, in_runs = best_places(b1, b2, b3, jokers, distance, need)
    outs = 0
    todo = (in_sets | in_runs) & ~b3
    while todo != 0:
        bit = todo & -todo
        same = alike(bit, todo, in_runs)
        todo &= ~same
        if outs_among(b1, b2, b3, jokers, bit, limit, need) != 0:
            outs |= same
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
