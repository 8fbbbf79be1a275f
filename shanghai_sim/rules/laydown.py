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

from shanghai_sim._jit import entry, kernel, lowest_bit, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.rules import melds
from shanghai_sim.rules.boards import ALL_CARDS, ALL_SUITS, LANE, count_wilds, rank_count, remove_mask
from shanghai_sim.rules.distance import SET_SIZE, naturals_placed, set_cover
from shanghai_sim.rules.runs import WINDOW_LOWS, WINDOWS, first_window

MAX_MELDS = 4
#: A set that holds no natural.
_NO_RANK = 13

# The search's notebook: int64[NOTES].
_RUNS = 0  #: the windows chosen so far, as _SUIT * suit + number of the window
_SETS = 4  #: the sets chosen so far, as rank + 16 * part; part: cards taken per suit, two bits each
_BEST_RUNS = 8
_BEST_SETS = 12
_BEST_VALUE = 16
_FITS = 17  #: what fits the table already
_POINTS = 18  #: 64 penalty points by code follow
_STACK = _POINTS + 64  #: a frame per choice: see _push
_FRAME = 5
NOTES = _STACK + _FRAME * (MAX_MELDS + 1)
#: Places of runs are counted as _SUIT * suit + window, sets as _PARTS * rank + part.
_SUIT = 16
_PARTS = 256
_UNREACHED = 1 << 40


@kernel
def _points_of(b1, b2, b3, notes):
    total = 0
    while b1 != 0:
        code = lowest_bit(b1)
        bit = 1 << code
        b1 &= b1 - 1
        copies = 1 + ((b2 >> code) & 1) + ((b3 >> code) & 1)
        total += copies * notes[_POINTS + code]
        b2 &= ~bit
    return total


@kernel
def _value(b1, b2, b3, need, ace_first, ace_last, notes):
    """Return what the naturals left (b1..b3) cost: points that fit nowhere first, then all points."""
    fits = notes[_FITS]
    for i in range(need.sets):
        rank = notes[_SETS + i] % 16
        if rank != _NO_RANK:
            fits |= ALL_SUITS << rank
    s1, s2, s3 = b1 & ~fits, b2 & ~fits, b3 & ~fits
    for i in range(need.runs):
        suit = notes[_RUNS + i] // _SUIT
        low = WINDOW_LOWS[first_window(need.table) + notes[_RUNS + i] % _SUIT]
        position = low - 1
        while position >= ace_first and (b1 >> melds.card_at(suit, position)) & 1:
            s1, s2, s3 = remove_mask(s1, s2, s3, 1 << melds.card_at(suit, position))
            position -= 1
        position = low + need.length
        while position <= ace_last and (b1 >> melds.card_at(suit, position)) & 1:
            s1, s2, s3 = remove_mask(s1, s2, s3, 1 << melds.card_at(suit, position))
            position += 1
    return _points_of(s1, s2, s3, notes) * 65536 + _points_of(b1, b2, b3, notes)


@kernel
def _take(b1, b2, b3, rank, part):
    """Return the boards without the cards of a part (see _SETS)."""
    for suit in range(4):
        bit = 1 << (16 * suit + rank)
        for _ in range((part >> (2 * suit)) & 3):
            b1, b2, b3 = remove_mask(b1, b2, b3, bit)
    return b1, b2, b3


@kernel
def _is_part(b1, b2, b3, rank, part, size):
    """Return whether the boards hold the cards of a part, and these are `size` cards."""
    total = 0
    for suit in range(4):
        copies = (part >> (2 * suit)) & 3
        code = 16 * suit + rank
        if copies > ((b1 >> code) & 1) + ((b2 >> code) & 1) + ((b3 >> code) & 1):
            return False
        total += copies
    return total == size


@kernel
def _whole_part(b1, b2, b3, rank):
    """Return the part made of all cards of a rank."""
    part = 0
    for suit in range(4):
        code = 16 * suit + rank
        part |= (((b1 >> code) & 1) + ((b2 >> code) & 1) + ((b3 >> code) & 1)) << (2 * suit)
    return part


@kernel
def _keep_if_best(value, notes):
    """Keep the melds chosen if they are better than the best so far."""
    if value < notes[_BEST_VALUE]:
        notes[_BEST_VALUE] = value
        for i in range(MAX_MELDS):
            notes[_BEST_RUNS + i] = notes[_RUNS + i]
            notes[_BEST_SETS + i] = notes[_SETS + i]


@kernel
def _push(level, b1, b2, b3, gaps, cursor, notes):
    """Write what the next choice starts from: the naturals left, the wilds to spend, the first candidate."""
    at = _STACK + _FRAME * level
    notes[at] = b1
    notes[at + 1] = b2
    notes[at + 2] = b3
    notes[at + 3] = gaps
    notes[at + 4] = cursor


@kernel
def _next_run(level, need, notes):
    """Choose the next run from the cursor of this level on; return whether there was one."""
    at = _STACK + _FRAME * level
    b1, b2, b3, gaps = notes[at], notes[at + 1], notes[at + 2], notes[at + 3]
    after = need.runs - level - 1
    slots = SET_SIZE * need.sets + need.length * after
    while notes[at + 4] < 4 * _SUIT:
        suit = notes[at + 4] // _SUIT
        index = notes[at + 4] % _SUIT
        window = WINDOWS[first_window(need.table) + index]
        if window == 0:
            notes[at + 4] = (suit + 1) * _SUIT
            continue
        notes[at + 4] += 1
        taken = (b1 >> (16 * suit)) & LANE & window
        left = gaps - (need.length - popcount(taken))
        if left < 0:
            continue
        c1, c2, c3 = remove_mask(b1, b2, b3, taken << (16 * suit))
        target = slots - left
        if (
            target > 0
            and naturals_placed(c1, c2, c3, need.sets, after, need.table, target - 1, target) < target
        ):
            continue
        cursor = _SUIT * suit + index
        notes[_RUNS + level] = cursor
        _push(level + 1, c1, c2, c3, left, cursor if after > 0 else 0, notes)
        return True
    return False


@kernel
def _next_set(level, need, notes):
    """Choose the next set from the cursor of this level on; return whether there was one."""
    at = _STACK + _FRAME * level
    b1, b2, b3, gaps = notes[at], notes[at + 1], notes[at + 2], notes[at + 3]
    chosen = level - need.runs
    after = need.sets - chosen - 1
    while notes[at + 4] < (_NO_RANK + 1) * _PARTS:
        rank = notes[at + 4] // _PARTS
        part = notes[at + 4] % _PARTS
        notes[at + 4] += 1
        held = 0 if rank == _NO_RANK else rank_count(b1, b2, b3, rank)
        size = min(SET_SIZE, held)
        left = gaps - (SET_SIZE - size)
        if left < 0 or (held == 0 and rank != _NO_RANK):
            notes[at + 4] = (rank + 1) * _PARTS
            continue
        if held <= SET_SIZE:
            # There is but one choice: all of them.
            part = 0 if held == 0 else _whole_part(b1, b2, b3, rank)
            notes[at + 4] = (rank + 1) * _PARTS
        elif not _is_part(b1, b2, b3, rank, part, size):
            continue
        c1, c2, c3 = _take(b1, b2, b3, rank, part)
        if SET_SIZE * after - set_cover(c1, c2, c3, after) <= left:
            notes[_SETS + chosen] = rank + 16 * part
            _push(level + 1, c1, c2, c3, left, rank * _PARTS, notes)
            return True
    return False


@kernel
def _search(need, ace_first, ace_last, notes):
    """Go through all choices of runs, then of sets, depth first; level 0 has been pushed."""
    level = 0
    while level >= 0:
        if level == need.runs + need.sets:
            at = _STACK + _FRAME * level
            value = _value(notes[at], notes[at + 1], notes[at + 2], need, ace_first, ace_last, notes)
            _keep_if_best(value, notes)
            found = False
        elif level < need.runs:
            found = _next_run(level, need, notes)
        else:
            found = _next_set(level, need, notes)
        level += 1 if found else -1


@kernel
def take_wild(b1, b2, b3, jokers, wild_mask, joker_wild, notes):
    """Return the wild to lay down next (the dearest; a joker before another) and the hand without it."""
    best = JOKER if joker_wild == 1 and jokers > 0 else melds.NO_CARD
    wilds = b1 & wild_mask
    while wilds != 0:
        code = lowest_bit(wilds)
        wilds &= wilds - 1
        if best == melds.NO_CARD or notes[_POINTS + code] > notes[_POINTS + best]:
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
            rank = notes[_BEST_SETS + sets] % 16
            part = notes[_BEST_SETS + sets] // 16
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
        suit = notes[_BEST_RUNS + runs] // _SUIT
        window = first_window(need.table) + notes[_BEST_RUNS + runs] % _SUIT
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
    notes[_FITS] = fits
    notes[_BEST_VALUE] = _UNREACHED
    _push(0, c1, c2, c3, need.slots - most, 0, notes)
    _search(need, ace_first, ace_last, notes)
    _write_melds(b1, b2, b3, jokers, need, order, notes, plan)
    return True


@kernel
def load_points(notes, points, at):
    """Copy the 64 penalty points by code from `points`, from index `at` on, into the notebook."""
    for code in range(64):
        notes[_POINTS + code] = points[at + code]
    return 0


@entry
def choose_one(hand, need, ace_first, ace_last, order, fits, points, plan):
    """Choose the melds for one hand (int64[4]) as `choose_melds` does; `notes` is made here.

    Returns
    -------
    bool
        Whether the hand holds the contract; then `plan` holds the melds.
    """
    notes = plan[MAX_MELDS * melds.MELD_WIDTH :]
    load_points(notes, points, 0)
    return choose_melds(
        hand[0], hand[1], hand[2], hand[3], need, ace_first, ace_last, order, fits, notes, plan
    )


def new_plan() -> np.ndarray:
    """Return an array for `choose_one`: room for four melds and the search's notebook."""
    return np.zeros(MAX_MELDS * melds.MELD_WIDTH + NOTES, np.int64)
