"""Choosing the melds at lay-down: set ranks, windows, where the wilds go.

Of all ways to lay the contract down, those with the fewest wilds come first; of these the one that leaves the
fewest
penalty points in cards that fit nowhere on the table, then the fewest points of naturals at all; then the
first found. "Fits" means: the
rank of a set just laid down, the next cards of its runs (one after the other, as far as they are held), or
what fits melds that lie there already.
"""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import entry, kernel, lowest_bit
from shanghai_sim.cards import JOKER
from shanghai_sim.rules import laydown_search as sr
from shanghai_sim.rules import melds
from shanghai_sim.rules.boards import ALL_CARDS, count_wilds, remove_mask
from shanghai_sim.rules.cover import SET_SIZE, naturals_placed
from shanghai_sim.rules.runs import WINDOW_LOWS, first_window


@kernel
def take_wild(b1, b2, b3, jokers, wild_mask, joker_wild, notes):
    """Return the wild to lay down next (the dearest; a joker before another) and the hand without it."""
    best = JOKER if joker_wild == 1 and jokers > 0 else melds.NO_CARD
    wilds = b1 & wild_mask
    while wilds != 0:
        code = lowest_bit(wilds)
        wilds &= wilds - 1
        if best == melds.NO_CARD or notes[sr.POINTS + code] > notes[sr.POINTS + best]:
            best = code
    if best == JOKER:
        return best, b1, b2, b3, jokers - 1
    b1, b2, b3 = remove_mask(b1, b2, b3, 1 << best)
    return best, b1, b2, b3, jokers


@kernel
def _write_melds(b1, b2, b3, jokers, need, order, notes, plan):
    """Write the best choice as meld rows; return the hand that is left."""
    sets = runs = 0
    for i in range(need.sets + need.runs):
        m = i * melds.MELD_WIDTH
        for column in range(melds.MELD_WIDTH):
            plan[m + column] = 0
        if order[i] == melds.SET:
            rank = notes[sr.BEST_SETS + sets] % 16
            part = notes[sr.BEST_SETS + sets] // 16
            sets += 1
            plan[m + melds.RANK] = melds.NO_RANK
            plan[m + melds.SIZE] = SET_SIZE
            for suit in range(4):
                for _ in range((part >> (2 * suit)) & 3):
                    melds.put_in_set(plan, m, 16 * suit + rank, False)
                    b1, b2, b3 = remove_mask(b1, b2, b3, 1 << (16 * suit + rank))
            missing = SET_SIZE
            for suit in range(4):
                missing -= (part >> (2 * suit)) & 3
            for _ in range(missing):
                wild, b1, b2, b3, jokers = take_wild(
                    b1, b2, b3, jokers, need.wild_mask, need.joker_wild, notes
                )
                melds.put_in_set(plan, m, wild, True)
            plan[m + melds.WILDS] = missing
            continue
        suit = notes[sr.BEST_RUNS + runs] // sr.SUIT_STEP
        window = first_window(need.table) + notes[sr.BEST_RUNS + runs] % sr.SUIT_STEP
        runs += 1
        plan[m + melds.KIND] = melds.RUN
        plan[m + melds.SUIT] = suit
        plan[m + melds.LOW] = WINDOW_LOWS[window]
        plan[m + melds.SIZE] = need.length
        for position in range(1, melds.TOP_POSITION + 1):
            plan[m + melds.CARDS + position] = melds.NO_CARD
        for position in range(WINDOW_LOWS[window], WINDOW_LOWS[window] + need.length):
            code = melds.card_at(suit, position)
            if (b1 & ~need.wild_mask) >> code & 1:
                b1, b2, b3 = remove_mask(b1, b2, b3, 1 << code)
            else:
                code, b1, b2, b3, jokers = take_wild(
                    b1, b2, b3, jokers, need.wild_mask, need.joker_wild, notes
                )
                plan[m + melds.WILDS] += 1
            plan[m + melds.CARDS + position] = code
    return b1, b2, b3, jokers


@kernel
def choose_melds(b1, b2, b3, jokers, need, ace_first, ace_last, order, fits, notes, plan):
    """Choose how to lay the contract down; return whether the hand holds it.

    Parameters
    ----------
    b1, b2, b3, jokers : int64
        The whole hand.
    need : Need
        The contract and the wilds.
    ace_first, ace_last : int64
        Lowest and highest position of a run.
    order : int64[4]
        SET or RUN for each meld of the contract, in its order.
    fits : int64
        Board of the cards that fit melds already on the table.
    notes : int64[NOTES]
        Scratch; `load_points` has filled in the penalty points.
    plan : int64[4 * MELD_WIDTH]
        Written: a row per meld, in the contract's order.
    """
    wilds = count_wilds(b1, b2, b3, jokers, need.wild_mask, need.joker_wild)
    naturals = ALL_CARDS & ~need.wild_mask
    c1, c2, c3 = b1 & naturals, b2 & naturals, b3 & naturals
    most = naturals_placed(c1, c2, c3, need.sets, need.runs, need.table, 0, need.slots)
    if need.slots - most > wilds:
        return False
    notes[sr.FITS] = fits
    notes[sr.BEST_VALUE] = sr.UNREACHED
    sr.push(0, c1, c2, c3, need.slots - most, 0, notes)
    sr.search(need, ace_first, ace_last, notes)
    _write_melds(b1, b2, b3, jokers, need, order, notes, plan)
    return True


@kernel
def load_points(notes, points, at):
    """Copy the 64 penalty points by code from `points`, from index `at` on, into the notebook."""
    for code in range(64):
        notes[sr.POINTS + code] = points[at + code]
    return 0


@entry
def choose_one(hand, need, ace_first, ace_last, order, fits, points, plan):
    """Choose the melds for one hand (int64[4]) as `choose_melds` does; `notes` is made here.

    Returns
    -------
    bool
        Whether the hand holds the contract; then `plan` holds the melds.
    """
    notes = plan[sr.MAX_MELDS * melds.MELD_WIDTH :]
    load_points(notes, points, 0)
    return choose_melds(
        hand[0], hand[1], hand[2], hand[3], need, ace_first, ace_last, order, fits, notes, plan
    )


def new_plan() -> np.ndarray:
    """Return an array for `choose_one`: room for four melds and the search's notebook."""
    return np.zeros(sr.MAX_MELDS * melds.MELD_WIDTH + sr.NOTES, np.int64)
