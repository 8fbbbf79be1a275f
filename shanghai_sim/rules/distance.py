"""Exact contract distance: what a contract asks, and how far a hand is from it.

For sets of three and runs of one length without limits on melds (the fast path) the distance is
``max(0, slots - wilds - C)``, C being the most naturals that fit in the contract's sets and runs at once
(rules.cover). Under limits that is a lower bound, often sharp; what it leaves open is searched (rules.general).
"""

from __future__ import annotations

from typing import NamedTuple

from shanghai_sim._jit import entry, kernel
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import count_cards, count_wilds
from shanghai_sim.rules.cover import naturals_placed
from shanghai_sim.rules.general import general_distance


class Need(NamedTuple):
    """What a contract asks of a hand; plain numbers, all int64.

    `sets` and `runs` are 0 where the melds have other sizes, or take the whole hand: rules.cover has nothing to say.
    """

    sets: int  #: sets of three
    runs: int  #: runs of one length
    table: int  #: run table (runs.run_table); 0 without runs
    slots: int  #: cards in the contract
    wild_mask: int  #: board of the wild cards other than jokers
    joker_wild: int  #: 1 if jokers are wild, 0 if they are dead cards
    terms: int  #: the melds and the options on them (rules.terms)


@kernel
def usable_wilds(b1, b2, b3, jokers, need):
    """Return how many wilds of a hand may stand in the contract."""
    if need.terms & tm.NATURAL_ONLY != 0:
        return 0
    return count_wilds(b1, b2, b3, jokers, need.wild_mask, need.joker_wild)


@kernel
def distance_within(b1, b2, b3, jokers, limit, need):
    """Return whether the contract distance of a hand is at most `limit` (0 or more).

    Parameters
    ----------
    b1, b2, b3, jokers : int64
        The whole hand.
    limit : int64
        In cards.
    need : Need
        The contract and the wilds.
    """
    wilds = usable_wilds(b1, b2, b3, jokers, need)
    naturals = ~need.wild_mask
    c1, c2, c3 = b1 & naturals, b2 & naturals, b3 & naturals
    target = need.slots - wilds - limit
    fast = need.sets + need.runs > 0
    if fast and target > 0:
        placed = naturals_placed(c1, c2, c3, need.sets, need.runs, need.table, target - 1, target)
        if placed < target:
            return False
    if need.terms & tm.GENERAL == 0:
        return True
    held = count_cards(b1, b2, b3, jokers)
    return general_distance(c1, c2, c3, wilds, held, need.terms, limit, limit + 1) <= limit


@kernel
def hand_distance(b1, b2, b3, jokers, need):
    """Return the contract distance of a hand: the cards that it lacks, 0 where it holds the contract."""
    wilds = usable_wilds(b1, b2, b3, jokers, need)
    naturals = ~need.wild_mask
    c1, c2, c3 = b1 & naturals, b2 & naturals, b3 & naturals
    target = need.slots - wilds
    least = 0
    if need.sets + need.runs > 0 and target > 0:
        least = target - naturals_placed(c1, c2, c3, need.sets, need.runs, need.table, 0, target)
        least = max(0, least)
    if need.terms & tm.GENERAL == 0:
        return least
    held = count_cards(b1, b2, b3, jokers)
    return general_distance(c1, c2, c3, wilds, held, need.terms, least, max(held, need.slots) + 1)


@entry
def distances(hands, need, out):
    """Write the contract distance of each hand.

    Parameters
    ----------
    hands : int64[n, 4]
        Boards b1, b2, b3 and the number of jokers.
    need : Need
        The contract and the wilds.
    out : int64[n]
        Filled.
    """
    for i in range(hands.shape[0]):
        out[i] = hand_distance(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], need)


@entry
def distances_within(hands, limit, need, out):
    """Write 1 for each hand (as in `distances`) whose contract distance is at most `limit`, else 0."""
    for i in range(hands.shape[0]):
        out[i] = distance_within(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], limit, need)
