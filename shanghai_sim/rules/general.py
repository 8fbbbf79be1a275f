"""Exact contract distance for any contract under all options on melds: search with bounds.

A *choice* puts every meld somewhere: a run in a suit at a place, a set at a rank, or anywhere without a natural
of the hand. What a choice lacks follows without saying which card goes where: for each group of the melds count
its slots, less the naturals that any meld of the group can take, less the wilds that the group can take; the
group that lacks most decides (the theorem of Hall and König on flows with capacities). So only choices are
searched, the most promising first, and a branch ends where what is chosen, with the best for the rest, cannot be
better than the best so far.

The search keeps its place in scratch memory, so that it needs no recursion (see rules.laydown_search).
"""

from __future__ import annotations

from shanghai_sim._jit import border, kernel, popcount, scratch
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_SUITS, LANE, add_mask, rank_count, ranks_of

#: The place of a meld without naturals.
NOWHERE = -1
_ACE_HIGH_BIT = 13
_BIG = 1 << 20

# Scratch memory: a row per level (meld).
_SIZE, _MOST, _LIST, _BEST, _SAME, _CURSOR, _PLACE, _GAPS, _LACK, _REST_GAPS, _REST_LACK, _RUN = range(12)
_LEVEL = 12
_ROWS = tm.MAX_MELDS + 1
#: A row per group of melds: what it needs at least once, twice, thrice; its slots; its wilds.
_GROUPS = _ROWS * _LEVEL
_GROUP = 5
#: Per list of candidates: how many, then rows of mask, naturals, place.
_LISTS = _GROUPS + (1 << tm.MAX_MELDS) * _GROUP
_ENTRY = 3
_ENTRIES = 60
_LIST_SIZE = 1 + _ENTRIES * _ENTRY
#: Candidates before they are put in order, and how many there are of each number of naturals.
_UNSORTED = _LISTS + tm.MAX_MELDS * _LIST_SIZE
_TALLY = _UNSORTED + _ENTRIES * _ENTRY
_TALLIES = 16
_SCRATCH = _TALLY + _TALLIES


@kernel
def run_mask(suit, low, size):
    """Return the board of the cards of a run from a position on (a run of 14 has the ace twice)."""
    positions = ((1 << size) - 1) << (low - 1)
    return ((positions & LANE) | (positions >> _ACE_HIGH_BIT)) << (16 * suit)


@kernel
def _add(m, n, mask, naturals, place):
    """Write the n-th unsorted candidate."""
    at = _UNSORTED + n * _ENTRY
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
        held = lane | (lane & 1) << _ACE_HIGH_BIT
        reached = 0
        for low in range(first, last - size + 2):
            window = ((1 << size) - 1) << (low - 1)
            taken = held & window
            useful = (taken >> (low - 1)) & 1 == 1 or low == last - size + 1
            if taken == 0 or not (every or (useful and taken & ~reached != 0)):
                continue
            reached |= window
            naturals = popcount(taken)
            if size > _ACE_HIGH_BIT and lane & 1 and (b2 >> (16 * suit)) & 1 == 0:
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
        m[_TALLY + m[_UNSORTED + i * _ENTRY + 1]] += 1
    before = 0
    for i in range(_TALLIES - 1, -1, -1):
        count = m[_TALLY + i]
        m[_TALLY + i] = before
        before += count
    for i in range(n):
        entry = _UNSORTED + i * _ENTRY
        naturals = m[entry + 1]
        to = at + 1 + m[_TALLY + naturals] * _ENTRY
        m[_TALLY + naturals] += 1
        for k in range(_ENTRY):
            m[to + k] = m[entry + k]
    to = at + 1 + n * _ENTRY
    m[to] = m[to + 1] = 0
    m[to + 2] = NOWHERE
    m[at] = n + 1


@kernel
def _prepare(b1, b2, b3, terms, m):
    """Write a row per meld and the lists of candidates; return how many melds there are."""
    count = tm.n_melds(terms)
    lists = 0
    for i in range(count):
        row = i * _LEVEL
        size = tm.meld_size(terms, i)
        run = tm.is_run(terms, i)
        m[row + _SIZE] = size
        m[row + _MOST] = tm.most_wilds(terms, size)
        m[row + _RUN] = 1 if run else 0
        if i > 0 and tm.equal(terms, i - 1, i):
            m[row + _LIST] = m[row - _LEVEL + _LIST]
        else:
            m[row + _LIST] = _LISTS + lists * _LIST_SIZE
            lists += 1
            n = _find_runs(b1, b2, size, terms, m) if run else _find_sets(b1, b2, b3, size, terms, m)
            _sort(m, m[row + _LIST], n)
        m[row + _BEST] = m[m[row + _LIST] + 2]
    _sum_rest(count, m)
    return count


@kernel
def _sum_rest(count, m):
    """Write for each level what the levels after its equals lack at least, and how many equals follow."""
    for i in range(count - 1, -1, -1):
        row, after = i * _LEVEL, (i + 1) * _LEVEL
        if i + 1 < count and m[row + _LIST] == m[after + _LIST]:
            m[row + _SAME] = m[after + _SAME] + 1
            m[row + _REST_GAPS] = m[after + _REST_GAPS]
            m[row + _REST_LACK] = m[after + _REST_LACK]
            continue
        m[row + _SAME] = 0
        m[row + _REST_GAPS] = 0
        m[row + _REST_LACK] = 0
        for j in range(i + 1, count):
            gap = m[j * _LEVEL + _SIZE] - m[j * _LEVEL + _BEST]
            m[row + _REST_GAPS] += gap
            m[row + _REST_LACK] += max(0, gap - m[j * _LEVEL + _MOST])


@kernel
def _may_join(level, place, terms, m):
    """Return whether the options let a meld lie beside those chosen before it."""
    if place == NOWHERE:
        return True
    row = level * _LEVEL
    run = m[row + _RUN]
    if terms & (tm.NOT_ADJOINING if run else tm.DIFFERENT_RANKS) == 0:
        return True
    for i in range(level):
        other = m[i * _LEVEL + _PLACE]
        if other == NOWHERE or m[i * _LEVEL + _RUN] != run:
            continue
        if not run:
            if other == place:
                return False
        elif other // 16 == place // 16 and (
            other + m[i * _LEVEL + _SIZE] == place or place + m[row + _SIZE] == other
        ):
            return False
    return True


@kernel
def _choose(b1, b2, b3, wilds, level, mask, terms, m):
    """Add a meld's groups to those before it; write what the melds chosen so far lack.

    Into the row of the next level: _GAPS without any wilds, _LACK with those that there are.
    """
    row = level * _LEVEL
    size, most = m[row + _SIZE], m[row + _MOST]
    gaps, lack = m[row + _GAPS], m[row + _LACK]
    fill = m[row + _RUN] == 0 and terms & tm.DISTINCT_SUITS == 0
    half = 1 << level
    for group in range(half):
        old = _GROUPS + group * _GROUP
        new = old + half * _GROUP
        if fill:
            n1, n2, n3 = m[old] | mask, m[old + 1] | mask, m[old + 2] | mask
        else:
            n1, n2, n3 = add_mask(m[old], m[old + 1], m[old + 2], mask)
            if size > _ACE_HIGH_BIT and m[row + _RUN]:
                n1, n2, n3 = add_mask(n1, n2, n3, mask & ALL_SUITS)
        m[new] = n1
        m[new + 1] = n2
        m[new + 2] = n3
        slots = m[old + 3] + size
        room = m[old + 4] + most
        m[new + 3] = slots
        m[new + 4] = room
        gap = slots - popcount(b1 & n1)
        if b2 & n2:
            gap -= popcount(b2 & n2) + popcount(b3 & n3)
        gaps = max(gaps, gap)
        lack = max(lack, gap - min(wilds, room))
    m[row + _LEVEL + _GAPS] = gaps
    m[row + _LEVEL + _LACK] = lack


@kernel
def _search(b1, b2, b3, wilds, terms, floor, below, m):
    """Return the least that any choice lacks; `below` if none lacks less; once at most `floor`, that will do."""
    count = _prepare(b1, b2, b3, terms, m)
    best = below
    for k in range(_GROUP):
        m[_GROUPS + k] = 0
    m[_GAPS] = m[_LACK] = m[_CURSOR] = 0
    level = 0
    while level >= 0:
        row = level * _LEVEL
        cursor = m[row + _CURSOR]
        at = m[row + _LIST]
        entry = at + 1 + cursor * _ENTRY
        if cursor >= m[at]:
            level -= 1
            continue
        m[row + _CURSOR] = cursor + 1
        gap = m[row + _SIZE] - m[entry + 1]
        over = max(0, gap - m[row + _MOST])
        rest_gaps = m[row + _REST_GAPS] + m[row + _SAME] * gap
        rest_lack = m[row + _REST_LACK] + m[row + _SAME] * over
        if m[row + _GAPS] + gap + rest_gaps - wilds >= best or m[row + _LACK] + over + rest_lack >= best:
            level -= 1
            continue
        if not _may_join(level, m[entry + 2], terms, m):
            continue
        _choose(b1, b2, b3, wilds, level, m[entry], terms, m)
        after = row + _LEVEL
        if m[after + _GAPS] + rest_gaps - wilds >= best or m[after + _LACK] + rest_lack >= best:
            continue
        if level + 1 == count:
            best = m[after + _LACK]
            if best <= floor:
                return best
            continue
        m[row + _PLACE] = m[entry + 2]
        m[after + _CURSOR] = cursor if m[after + _LIST] == at else 0
        level += 1
    return best


@border(8)
def general_distance(b1, b2, b3, wilds, held, terms, floor, below):
    """Return the contract distance under all options.

    Parameters
    ----------
    b1, b2, b3 : int64
        Boards of naturals alone.
    wilds : int64
        How many wilds are held.
    held : int64
        Cards in the whole hand; only where the contract takes them all does it matter.
    terms : int64
        The contract (rules.terms).
    floor, below : int64
        The answer is the distance, or `below` where that is at least `below`, or some number up to `floor` where
        it is at most `floor`.
    """
    m = scratch(_SCRATCH)
    extra = held - tm.slots_of(terms)
    if terms & tm.WHOLE_HAND == 0 or extra <= 0:
        return _search(b1, b2, b3, wilds, terms, floor, below, m)
    best = below
    sizes = first_sizes(terms, extra)
    while sizes >= 0:
        best = min(best, _search(b1, b2, b3, wilds, sizes, floor, best, m))
        if best <= floor:
            return best
        sizes = next_sizes(terms, extra, sizes)
    return best


@kernel
def _is_fitting(terms, sizes, count):
    """Return whether cards could make melds of these sizes, and equal melds grow from long to short."""
    longest = tm.last_position(terms) - tm.first_position(terms) + 1
    for i in range(count):
        size = tm.meld_size(sizes, i)
        if tm.is_run(terms, i):
            if size > longest:
                return False
        elif terms & tm.DISTINCT_SUITS != 0 and size > 4 + tm.most_wilds(terms, size):
            return False
        if i > 0 and tm.equal(terms, i - 1, i) and tm.meld_size(sizes, i) > tm.meld_size(sizes, i - 1):
            return False
    return True


@kernel
def first_sizes(terms, extra):
    """Return the terms with the first way to make the melds `extra` cards longer together, or -1."""
    return _sizes_from(terms, extra, 0, 0, 0)


@kernel
def next_sizes(terms, extra, sizes):
    """Return the way after `sizes`, or -1."""
    a = tm.meld_size(sizes, 0) - tm.meld_size(terms, 0)
    b = tm.meld_size(sizes, 1) - tm.meld_size(terms, 1)
    c = tm.meld_size(sizes, 2) - tm.meld_size(terms, 2)
    return _sizes_from(terms, extra, a, b, c + 1)


@kernel
def _sizes_from(terms, extra, a, b, c):
    """Return the first fitting way, at or after growths a, b, c of the first melds; the last takes the rest."""
    count = tm.n_melds(terms)
    while True:
        most = tm.MOST_CARDS
        if c > (extra if count > 2 else 0):
            b, c = b + 1, 0
        if b > (extra if count > 1 else 0):
            a, b = a + 1, 0
        if a > extra:
            return -1
        d = extra - a - b - c
        grown = tm.meld_size(terms, 0) + a <= most and tm.meld_size(terms, 1) + b <= most
        grown = grown and tm.meld_size(terms, 2) + c <= most and tm.meld_size(terms, 3) + d <= most
        if d >= 0 and grown and (d == 0 or count == tm.MAX_MELDS):
            sizes = tm.longer(tm.longer(tm.longer(tm.longer(terms, 0, a), 1, b), 2, c), 3, d)
            if _is_fitting(terms, sizes, count):
                return sizes
        c += 1
