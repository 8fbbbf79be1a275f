"""Where the melds of a contract could be put: the candidates that the general search goes through.

They lie in scratch memory, in a row per *level* (meld) and a list per kind and size of meld.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_SUITS, LANE, rank_count, ranks_of

#: The place of a meld without naturals.
NOWHERE = -1
ACE_HIGH_BIT = 13

# Scratch memory: a row per level (meld).
SIZE, MOST, LIST, BEST, SAME, CURSOR, PLACE, GAPS, LACK, REST_GAPS, REST_LACK, RUN = range(12)
LEVEL = 12
_ROWS = tm.MAX_MELDS + 1
#: A row per group of melds: what it needs at least once, twice, thrice; its slots; its wilds.
GROUPS = _ROWS * LEVEL
GROUP = 5
#: Per list of candidates: how many, then rows of mask, naturals, place.
_LISTS = GROUPS + (1 << tm.MAX_MELDS) * GROUP
ENTRY = 3
_ENTRIES = 60
_LIST_SIZE = 1 + _ENTRIES * ENTRY
#: Candidates before they are put in order, and how many there are of each number of naturals.
_UNSORTED = _LISTS + tm.MAX_MELDS * _LIST_SIZE
_TALLY = _UNSORTED + _ENTRIES * ENTRY
_TALLIES = 16
SCRATCH = _TALLY + _TALLIES


@kernel
def run_mask(suit, low, size):
    """Return the board of the cards of a run from a position on (a run of 14 has the ace twice)."""
    positions = ((1 << size) - 1) << (low - 1)
    return ((positions & LANE) | (positions >> ACE_HIGH_BIT)) << (16 * suit)


@kernel
def _add(m, n, mask, naturals, place):
    """Write the n-th unsorted candidate."""
    at = _UNSORTED + n * ENTRY
    m[at] = mask
    m[at + 1] = naturals
    m[at + 2] = place
    return n + 1


@kernel
def _find_runs(b1, b2, size, terms, m):
    """Write the places of a run that hold a natural; return how many.

    Where runs may adjoin, a place is left out if another holds all that it holds: the place must begin with a
    card held (or be the highest), and reach a card beyond the one before it.
    """
    first, last = tm.first_position(terms), tm.last_position(terms)
    every = terms & tm.NOT_ADJOINING != 0
    n = 0
    for suit in range(4):
        lane = (b1 >> (16 * suit)) & LANE
        if lane == 0:
            continue
        held = lane | (lane & 1) << ACE_HIGH_BIT
        reached = 0
        for low in range(first, last - size + 2):
            window = ((1 << size) - 1) << (low - 1)
            taken = held & window
            useful = (taken >> (low - 1)) & 1 == 1 or low == last - size + 1
            if taken == 0 or not (every or (useful and taken & ~reached != 0)):
                continue
            reached |= window
            naturals = popcount(taken)
            if size > ACE_HIGH_BIT and lane & 1 and (b2 >> (16 * suit)) & 1 == 0:
                naturals -= 1
            n = _add(m, n, run_mask(suit, low, size), naturals, 16 * suit + low)
    return n


@kernel
def _find_sets(b1, b2, b3, size, terms, m):
    """Write the ranks held; return how many."""
    n = 0
    ranks = ranks_of(b1)
    for rank in range(13):
        if (ranks >> rank) & 1 == 0:
            continue
        column = ALL_SUITS << rank
        held = popcount(b1 & column) if terms & tm.DISTINCT_SUITS else rank_count(b1, b2, b3, rank)
        n = _add(m, n, column, min(size, held), rank)
    return n


@kernel
def _sort(m, at, n):
    """Write the n candidates into the list at `at`, most naturals first, and one without naturals last."""
    for i in range(_TALLIES):
        m[_TALLY + i] = 0
    for i in range(n):
        m[_TALLY + m[_UNSORTED + i * ENTRY + 1]] += 1
    before = 0
    for i in range(_TALLIES - 1, -1, -1):
        count = m[_TALLY + i]
        m[_TALLY + i] = before
        before += count
    for i in range(n):
        entry = _UNSORTED + i * ENTRY
        naturals = m[entry + 1]
        to = at + 1 + m[_TALLY + naturals] * ENTRY
        m[_TALLY + naturals] += 1
        for k in range(ENTRY):
            m[to + k] = m[entry + k]
    to = at + 1 + n * ENTRY
    m[to] = m[to + 1] = 0
    m[to + 2] = NOWHERE
    m[at] = n + 1


@kernel
def prepare(b1, b2, b3, terms, m):
    """Write a row per meld and the lists of candidates; return how many melds there are."""
    count = tm.n_melds(terms)
    lists = 0
    for i in range(count):
        row = i * LEVEL
        size = tm.meld_size(terms, i)
        run = tm.is_run(terms, i)
        m[row + SIZE] = size
        m[row + MOST] = tm.most_wilds(terms, size)
        m[row + RUN] = 1 if run else 0
        if i > 0 and tm.equal(terms, i - 1, i):
            m[row + LIST] = m[row - LEVEL + LIST]
        else:
            m[row + LIST] = _LISTS + lists * _LIST_SIZE
            lists += 1
            n = _find_runs(b1, b2, size, terms, m) if run else _find_sets(b1, b2, b3, size, terms, m)
            _sort(m, m[row + LIST], n)
        m[row + BEST] = m[m[row + LIST] + 2]
    _sum_rest(count, m)
    return count


@kernel
def _sum_rest(count, m):
    """Write for each level what the levels after its equals lack at least, and how many equals follow."""
    for i in range(count - 1, -1, -1):
        row, after = i * LEVEL, (i + 1) * LEVEL
        if i + 1 < count and m[row + LIST] == m[after + LIST]:
            m[row + SAME] = m[after + SAME] + 1
            m[row + REST_GAPS] = m[after + REST_GAPS]
            m[row + REST_LACK] = m[after + REST_LACK]
            continue
        m[row + SAME] = 0
        m[row + REST_GAPS] = 0
        m[row + REST_LACK] = 0
        for j in range(i + 1, count):
            gap = m[j * LEVEL + SIZE] - m[j * LEVEL + BEST]
            m[row + REST_GAPS] += gap
            m[row + REST_LACK] += max(0, gap - m[j * LEVEL + MOST])
