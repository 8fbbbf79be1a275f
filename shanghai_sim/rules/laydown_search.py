"""Searching all choices of melds at lay-down for the best one: see rules.laydown for what is best.

The search keeps its place in a notebook of int64, so that it needs no recursion: recursive kernels cannot be
loaded from numba's cache (numba issue 6061).
"""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit, popcount
from shanghai_sim.rules import melds
from shanghai_sim.rules.boards import ALL_SUITS, LANE, rank_count, remove_mask
from shanghai_sim.rules.cover import SET_SIZE, naturals_placed, set_cover
from shanghai_sim.rules.runs import WINDOW_LOWS, WINDOWS, first_window

MAX_MELDS = 4
#: A set that holds no natural.
NO_RANK = 13

# The search's notebook: int64[NOTES].
_RUNS = 0  #: the windows chosen so far, as SUIT_STEP * suit + number of the window
_SETS = 4  #: the sets chosen so far, as rank + 16 * part; part: cards taken per suit, two bits each
BEST_RUNS = 8
BEST_SETS = 12
BEST_VALUE = 16
FITS = 17  #: what fits the table already
POINTS = 18  #: 64 penalty points by code follow
_STACK = POINTS + 64  #: a frame per choice: see push
_FRAME = 5
NOTES = _STACK + _FRAME * (MAX_MELDS + 1)
#: Places of runs are counted as SUIT_STEP * suit + window, sets as _PARTS * rank + part.
SUIT_STEP = 16
_PARTS = 256
UNREACHED = 1 << 40


@kernel
def _points_of(b1, b2, b3, notes):
    total = 0
    while b1 != 0:
        code = lowest_bit(b1)
        bit = 1 << code
        b1 &= b1 - 1
        copies = 1 + ((b2 >> code) & 1) + ((b3 >> code) & 1)
        total += copies * notes[POINTS + code]
        b2 &= ~bit
    return total


@kernel
def _value(b1, b2, b3, need, ace_first, ace_last, notes):
    """Return what the naturals left (b1..b3) cost: points that fit nowhere first, then all points."""
    fits = notes[FITS]
    for i in range(need.sets):
        rank = notes[_SETS + i] % 16
        if rank != NO_RANK:
            fits |= ALL_SUITS << rank
    s1, s2, s3 = b1 & ~fits, b2 & ~fits, b3 & ~fits
    for i in range(need.runs):
        suit = notes[_RUNS + i] // SUIT_STEP
        low = WINDOW_LOWS[first_window(need.table) + notes[_RUNS + i] % SUIT_STEP]
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
    if value < notes[BEST_VALUE]:
        notes[BEST_VALUE] = value
        for i in range(MAX_MELDS):
            notes[BEST_RUNS + i] = notes[_RUNS + i]
            notes[BEST_SETS + i] = notes[_SETS + i]


@kernel
def push(level, b1, b2, b3, gaps, cursor, notes):
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
    while notes[at + 4] < 4 * SUIT_STEP:
        suit = notes[at + 4] // SUIT_STEP
        index = notes[at + 4] % SUIT_STEP
        window = WINDOWS[first_window(need.table) + index]
        if window == 0:
            notes[at + 4] = (suit + 1) * SUIT_STEP
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
        cursor = SUIT_STEP * suit + index
        notes[_RUNS + level] = cursor
        push(level + 1, c1, c2, c3, left, cursor if after > 0 else 0, notes)
        return True
    return False


@kernel
def _next_set(level, need, notes):
    """Choose the next set from the cursor of this level on; return whether there was one."""
    at = _STACK + _FRAME * level
    b1, b2, b3, gaps = notes[at], notes[at + 1], notes[at + 2], notes[at + 3]
    chosen = level - need.runs
    after = need.sets - chosen - 1
    while notes[at + 4] < (NO_RANK + 1) * _PARTS:
        rank = notes[at + 4] // _PARTS
        part = notes[at + 4] % _PARTS
        notes[at + 4] += 1
        held = 0 if rank == NO_RANK else rank_count(b1, b2, b3, rank)
        size = min(SET_SIZE, held)
        left = gaps - (SET_SIZE - size)
        if left < 0 or (held == 0 and rank != NO_RANK):
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
            push(level + 1, c1, c2, c3, left, rank * _PARTS, notes)
            return True
    return False


@kernel
def search(need, ace_first, ace_last, notes):
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
