"""Choosing the melds at lay-down: set ranks, places of runs, where the wilds go.

Of all ways to lay the contract down, those with the fewest wilds come first; of these the one that leaves the
fewest penalty points in cards that fit nowhere on the table, then the fewest points of naturals at all; then the
first found. "Fits" means: the rank of a set just laid down, the next cards of its runs (one after the other, as
far as they are held), or what fits melds that lie there already.

Where melds may be longer, the naturals that fit them are then laid down too (rules.laydown_longer).
"""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import entry, kernel
from shanghai_sim.rules import laydown_search as sr
from shanghai_sim.rules import melds
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, count_cards, remove_mask
from shanghai_sim.rules.cover import naturals_placed
from shanghai_sim.rules.distance import usable_wilds
from shanghai_sim.rules.general import general_distance
from shanghai_sim.rules.laydown_longer import grow_melds
from shanghai_sim.rules.parts import part_size, place_low, place_suit
from shanghai_sim.rules.sizes import first_sizes, next_sizes


@kernel
def _write_set(b1, b2, b3, jokers, size, rank, part, need, notes, plan, m):
    """Write a set as a meld row; return the hand that is left."""
    plan[m + melds.RANK] = melds.NO_RANK
    for suit in range(4):
        for _ in range((part >> (2 * suit)) & 3):
            melds.put_in_set(plan, m, 16 * suit + rank, False)
            b1, b2, b3 = remove_mask(b1, b2, b3, 1 << (16 * suit + rank))
    plan[m + melds.WILDS] = size - part_size(part)
    for _ in range(plan[m + melds.WILDS]):
        wild, b1, b2, b3, jokers = sr.take_wild(b1, b2, b3, jokers, need.wild_mask, need.joker_wild, notes)
        melds.put_in_set(plan, m, wild, True)
    return b1, b2, b3, jokers


@kernel
def _write_run(b1, b2, b3, jokers, size, place, part, need, notes, plan, m):
    """Write a run as a meld row; return the hand that is left."""
    suit, low = place_suit(place), place_low(place)
    plan[m + melds.KIND] = melds.RUN
    plan[m + melds.SUIT] = suit
    plan[m + melds.LOW] = low
    for position in range(1, melds.TOP_POSITION + 1):
        plan[m + melds.CARDS + position] = melds.NO_CARD
    for position in range(low, low + size):
        code = melds.card_at(suit, position)
        if (part >> (position - 1)) & 1:
            b1, b2, b3 = remove_mask(b1, b2, b3, 1 << code)
        else:
            code, b1, b2, b3, jokers = sr.take_wild(
                b1, b2, b3, jokers, need.wild_mask, need.joker_wild, notes
            )
            plan[m + melds.WILDS] += 1
        plan[m + melds.CARDS + position] = code
    return b1, b2, b3, jokers


@kernel
def _write_melds(b1, b2, b3, jokers, terms, need, order, notes, plan):
    """Write the best choice as meld rows; return the hand that is left."""
    for i in range(tm.n_melds(terms)):
        m = i * melds.MELD_WIDTH
        for column in range(melds.MELD_WIDTH):
            plan[m + column] = 0
        level = order[i]
        size = tm.meld_size(terms, level)
        place, part = notes[sr.BEST_PLACES + level], notes[sr.BEST_PARTS + level]
        plan[m + melds.SIZE] = size
        if tm.is_run(terms, level):
            b1, b2, b3, jokers = _write_run(b1, b2, b3, jokers, size, place, part, need, notes, plan, m)
        else:
            b1, b2, b3, jokers = _write_set(b1, b2, b3, jokers, size, place, part, need, notes, plan, m)
    return b1, b2, b3, jokers


@kernel
def _fewest_wilds(c1, c2, c3, wilds, terms, need):
    """Return how many wilds the contract takes at least from these naturals; more than `wilds`: too many."""
    fewest = 0
    if need.sets + need.runs > 0:
        fewest = need.slots - naturals_placed(c1, c2, c3, need.sets, need.runs, need.table, 0, need.slots)
    if terms & tm.GENERAL != 0:
        while fewest <= wilds and general_distance(c1, c2, c3, fewest, 0, terms, 0, 1) > 0:
            fewest += 1
    return fewest


@kernel
def _whole_hand_sizes(c1, c2, c3, wilds, held, terms):
    """Return the terms with the melds as long as the whole hand makes them, or -1 where it cannot."""
    plain = terms & ~tm.WHOLE_HAND
    sizes = first_sizes(plain, held - tm.slots_of(terms))
    while sizes >= 0:
        if general_distance(c1, c2, c3, wilds, held, sizes, 0, 1) <= 0:
            return sizes
        sizes = next_sizes(plain, held - tm.slots_of(terms), sizes)
    return -1


@kernel
def choose_melds(b1, b2, b3, jokers, need, order, fits, keep, longer, notes, plan):
    """Choose how to lay the contract down; return whether the hand holds it.

    Parameters
    ----------
    b1, b2, b3, jokers : int64
        The whole hand.
    need : Need
        The contract and the wilds.
    order : int64[4]
        For each meld of the contract its place in the order of search (rules.terms).
    fits : int64
        Board of the cards that fit melds already on the table.
    keep : int64
        How many cards must stay in hand.
    longer : int64
        1: the melds may be longer than the contract says.
    notes : int64[NOTES]
        Scratch; `load_points` has filled in the penalty points.
    plan : int64[4 * MELD_WIDTH]
        Written: a row per meld, in the contract's order.
    """
    wilds = usable_wilds(b1, b2, b3, jokers, need)
    naturals = ALL_CARDS & ~need.wild_mask
    c1, c2, c3 = b1 & naturals, b2 & naturals, b3 & naturals
    terms = need.terms
    if terms & tm.WHOLE_HAND != 0:
        terms = _whole_hand_sizes(c1, c2, c3, wilds, count_cards(b1, b2, b3, jokers), terms)
        fewest = wilds
        if terms < 0:
            return False
    else:
        fewest = _fewest_wilds(c1, c2, c3, wilds, terms, need)
    if fewest > wilds or count_cards(b1, b2, b3, jokers) - need.slots < keep:
        return False
    notes[sr.FITS] = fits
    notes[sr.BEST_VALUE] = sr.UNREACHED
    sr.push(0, c1, c2, c3, fewest, 0, notes)
    sr.search(terms, need, notes)
    b1, b2, b3, jokers = _write_melds(b1, b2, b3, jokers, terms, need, order, notes, plan)
    if longer == 1:
        grow_melds(b1, b2, b3, jokers, keep, need, notes, plan)
    return True


@kernel
def load_points(notes, points, at):
    """Copy the 64 penalty points by code from `points`, from index `at` on, into the notebook."""
    for code in range(64):
        notes[sr.POINTS + code] = points[at + code]
    return 0


@entry
def choose_one(hand, need, order, fits, keep, longer, points, plan):
    """Choose the melds for one hand (int64[4]) as `choose_melds` does.

    Returns
    -------
    bool
        Whether the hand holds the contract; then `plan` holds the melds.
    """
    notes = plan[tm.MAX_MELDS * melds.MELD_WIDTH :]
    load_points(notes, points, 0)
    return choose_melds(hand[0], hand[1], hand[2], hand[3], need, order, fits, keep, longer, notes, plan)


def new_plan() -> np.ndarray:
    """Return an array for `choose_one`: room for four melds and the search's notebook."""
    return np.zeros(tm.MAX_MELDS * melds.MELD_WIDTH + sr.NOTES, np.int64)
