"""Searching all choices of melds at lay-down for the best one: see rules.laydown for what is best.

The search keeps its place in a notebook of int64, so that it needs no recursion: recursive kernels cannot be
loaded from numba's cache (numba issue 6061). A *level* is a meld in the order of search (rules.terms).
"""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.rules import melds
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_SUITS, rank_count, remove_mask
from shanghai_sim.rules.cover import naturals_placed
from shanghai_sim.rules.general import general_distance
from shanghai_sim.rules.parts import (
    held_positions,
    is_part,
    part_size,
    place_low,
    place_suit,
    whole_part,
    without_part,
    without_positions,
)

#: A set that holds no natural.
NO_RANK = 13

# The search's notebook: int64[NOTES].
_PLACES = 0  #: per level: 16 * suit + low of a run, the rank of a set
_PARTS = 4  #: per level: the positions of a run's naturals as bits; how many of each suit are in a set, two bits each
BEST_PLACES = 8
BEST_PARTS = 12
BEST_VALUE = 16
FITS = 17  #: what fits the table already
POINTS = 18  #: 64 penalty points by code follow
_STACK = POINTS + 64  #: a frame per choice: see push
_FRAME = 5
NOTES = _STACK + _FRAME * (tm.MAX_MELDS + 1)
UNREACHED = 1 << 62
#: A stuck point outweighs all points: no hand costs as much (score.points go up to 10,000).
_STUCK = 1 << 24
#: A cursor is a place times a factor, and what was tried there.
_RUN_STEP = 1 << 15
_SET_STEP = 256


@kernel
def take_wild(b1, b2, b3, jokers, wild_mask, joker_wild, notes):
    """Return the wild to lay down next (the dearest; a joker before another) and the hand without it."""
    best = JOKER if joker_wild == 1 and jokers > 0 else melds.NO_CARD
    wilds = b1 & wild_mask
    while wilds != 0:
        code = lowest_bit(wilds)
        wilds &= wilds - 1
        if best == melds.NO_CARD or notes[POINTS + code] > notes[POINTS + best]:
            best = code
    if best == JOKER:
        return best, b1, b2, b3, jokers - 1
    b1, b2, b3 = remove_mask(b1, b2, b3, 1 << best)
    return best, b1, b2, b3, jokers


@kernel
def _points_of(b1, b2, b3, notes):
    total = 0
    while b1 != 0:
        code = lowest_bit(b1)
        b1 &= b1 - 1
        copies = 1 + ((b2 >> code) & 1) + ((b3 >> code) & 1)
        total += copies * notes[POINTS + code]
    return total


@kernel
def _value(b1, b2, b3, terms, notes):
    """Return what the naturals left (b1..b3) cost: points that fit nowhere first, then all points."""
    fits = notes[FITS]
    count = tm.n_melds(terms)
    for i in range(count):
        if not tm.is_run(terms, i) and notes[_PLACES + i] != NO_RANK:
            fits |= ALL_SUITS << notes[_PLACES + i]
    s1, s2, s3 = b1 & ~fits, b2 & ~fits, b3 & ~fits
    for i in range(count):
        if not tm.is_run(terms, i):
            continue
        suit, low = place_suit(notes[_PLACES + i]), place_low(notes[_PLACES + i])
        position = low - 1
        while position >= tm.first_position(terms) and (b1 >> melds.card_at(suit, position)) & 1:
            s1, s2, s3 = remove_mask(s1, s2, s3, 1 << melds.card_at(suit, position))
            position -= 1
        position = low + tm.meld_size(terms, i)
        while position <= tm.last_position(terms) and (b1 >> melds.card_at(suit, position)) & 1:
            s1, s2, s3 = remove_mask(s1, s2, s3, 1 << melds.card_at(suit, position))
            position += 1
    return _points_of(s1, s2, s3, notes) * _STUCK + _points_of(b1, b2, b3, notes)


@kernel
def _keep_if_best(value, notes):
    """Keep the melds chosen if they are better than the best so far."""
    if value < notes[BEST_VALUE]:
        notes[BEST_VALUE] = value
        for i in range(tm.MAX_MELDS):
            notes[BEST_PLACES + i] = notes[_PLACES + i]
            notes[BEST_PARTS + i] = notes[_PARTS + i]


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
def _rest_fits(level, b1, b2, b3, gaps, terms, need):
    """Return whether the naturals left and so many wilds make the melds from this level on."""
    count = tm.n_melds(terms)
    if level == count:
        return gaps == 0
    rest = terms
    for _ in range(level):
        rest = tm.without_first(rest)
    if terms & tm.GENERAL != 0:
        return general_distance(b1, b2, b3, gaps, 0, rest & ~tm.WHOLE_HAND, 0, 1) <= 0
    target = tm.slots_of(rest) - gaps
    runs = max(0, need.runs - level)
    sets = count - level - runs
    return target <= 0 or naturals_placed(b1, b2, b3, sets, runs, need.table, target - 1, target) >= target


@kernel
def _may_join(level, place, terms, notes):
    """Return whether the options let a meld lie beside those chosen before it."""
    if terms & (tm.NOT_ADJOINING | tm.DIFFERENT_RANKS) == 0:
        return True
    if not tm.is_run(terms, level) and place == NO_RANK:
        return True
    free = True
    for i in range(level):
        free = free and not tm.clash(terms, level, place, i, notes[_PLACES + i])
    return free


@kernel
def _take(level, place, part, c1, c2, c3, left, terms, need, notes):
    """Choose a meld if the rest can follow; return whether it can. The next equal meld starts at its place."""
    if not _rest_fits(level + 1, c1, c2, c3, left, terms, need):
        return False
    notes[_PLACES + level] = place
    notes[_PARTS + level] = part
    step = _RUN_STEP if tm.is_run(terms, level) else _SET_STEP
    push(level + 1, c1, c2, c3, left, place * step if tm.equal(terms, level, level + 1) else 0, notes)
    return True


@kernel
def _next_run(level, terms, need, notes):
    """Choose the next run from the cursor of this level on; return whether there was one.

    A run takes all naturals it can; where wilds are limited it may leave some to other melds.
    """
    at = _STACK + _FRAME * level
    b1, b2, b3, gaps = notes[at], notes[at + 1], notes[at + 2], notes[at + 3]
    size = tm.meld_size(terms, level)
    most = min(gaps, tm.most_wilds(terms, size))
    first, last = tm.first_position(terms), tm.last_position(terms) - size + 1
    limited = tm.most_wilds(terms, size) < size
    while notes[at + 4] < 64 * _RUN_STEP:
        place, tried = notes[at + 4] // _RUN_STEP, notes[at + 4] % _RUN_STEP
        low = place_low(place)
        if low < first or low > last or tried == 1:
            notes[at + 4] = (place + 1) * _RUN_STEP
            continue
        held = held_positions(b1, b2, place, size)
        if size - popcount(held) > most:
            notes[at + 4] = (place + 1) * _RUN_STEP
            continue
        taken = held if tried == 0 else (tried - 2) & held
        notes[at + 4] = place * _RUN_STEP + taken + 1 if limited else (place + 1) * _RUN_STEP
        gap = size - popcount(taken)
        if gap > most or not _may_join(level, place, terms, notes):
            continue
        c1, c2, c3 = without_positions(b1, b2, b3, place_suit(place), taken)
        if _take(level, place, taken, c1, c2, c3, gaps - gap, terms, need, notes):
            return True
    return False


@kernel
def _next_set(level, terms, need, notes):
    """Choose the next set from the cursor of this level on; return whether there was one.

    A set takes as many cards of its rank as it can; where wilds are limited it may leave some to other melds.
    """
    at = _STACK + _FRAME * level
    b1, b2, b3, gaps = notes[at], notes[at + 1], notes[at + 2], notes[at + 3]
    size = tm.meld_size(terms, level)
    most = min(gaps, tm.most_wilds(terms, size))
    limited = tm.most_wilds(terms, size) < size
    distinct = terms & tm.DISTINCT_SUITS != 0
    while notes[at + 4] < (NO_RANK + 1) * _SET_STEP:
        rank, part = notes[at + 4] // _SET_STEP, notes[at + 4] % _SET_STEP
        held = rank_count(b1, b2, b3, rank)
        if distinct and held > 0:
            held = popcount(b1 & (ALL_SUITS << rank))
        if size - held > most or (held == 0 and rank != NO_RANK):
            notes[at + 4] = (rank + 1) * _SET_STEP
            continue
        if held == 0 or (held <= size and not limited):
            # There is but one choice: all of them.
            part = 0 if held == 0 else whole_part(b1, b2, b3, rank, distinct)
            notes[at + 4] = (rank + 1) * _SET_STEP
        else:
            notes[at + 4] += 1
            taken = part_size(part)
            if taken == 0 or taken > size or size - taken > (most if limited else 0):
                continue
            if not is_part(b1, b2, b3, rank, part, distinct):
                continue
        if not _may_join(level, rank, terms, notes):
            continue
        c1, c2, c3 = without_part(b1, b2, b3, rank, part)
        if _take(level, rank, part, c1, c2, c3, gaps - size + part_size(part), terms, need, notes):
            return True
    return False


@kernel
def search(terms, need, notes):
    """Go through all choices, depth first; level 0 has been pushed."""
    count = tm.n_melds(terms)
    level = 0
    while level >= 0:
        if level == count:
            at = _STACK + _FRAME * level
            _keep_if_best(_value(notes[at], notes[at + 1], notes[at + 2], terms, notes), notes)
            found = False
        elif tm.is_run(terms, level):
            found = _next_run(level, terms, need, notes)
        else:
            found = _next_set(level, terms, need, notes)
        level += 1 if found else -1
