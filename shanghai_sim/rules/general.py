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
from shanghai_sim.rules import places as pl
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_SUITS, add_mask
from shanghai_sim.rules.places import SCRATCH  # by name: numba takes a global for a literal
from shanghai_sim.rules.runs import MAX_RUN, run_cover
from shanghai_sim.rules.sizes import first_sizes, next_sizes


@kernel
def _may_join(level, place, terms, m):
    """Return whether the options let a meld lie beside those chosen before it."""
    if terms & (tm.NOT_ADJOINING | tm.DIFFERENT_RANKS) == 0 or place == pl.NOWHERE:
        return True
    for i in range(level):
        other = m[i * pl.LEVEL + pl.PLACE]
        if other != pl.NOWHERE and tm.clash(terms, level, place, i, other):
            return False
    return True


@kernel
def _choose(b1, b2, b3, wilds, level, mask, terms, m):
    """Add a meld's groups to those before it; write what the melds chosen so far lack.

    Into the row of the next level: pl.GAPS without any wilds, pl.LACK with those that there are.
    """
    row = level * pl.LEVEL
    size, most = m[row + pl.SIZE], m[row + pl.MOST]
    gaps, lack = m[row + pl.GAPS], m[row + pl.LACK]
    fill = m[row + pl.RUN] == 0 and terms & tm.DISTINCT_SUITS == 0
    half = 1 << level
    for group in range(half):
        old = pl.GROUPS + group * pl.GROUP
        new = old + half * pl.GROUP
        if fill:
            n1, n2, n3 = m[old] | mask, m[old + 1] | mask, m[old + 2] | mask
        else:
            n1, n2, n3 = add_mask(m[old], m[old + 1], m[old + 2], mask)
            if size > pl.ACE_HIGH_BIT and m[row + pl.RUN]:
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
    m[row + pl.LEVEL + pl.GAPS] = gaps
    m[row + pl.LEVEL + pl.LACK] = lack


@kernel
def _search(b1, b2, b3, wilds, terms, floor, below, m):
    """Return the least that any choice lacks; `below` if none lacks less; once at most `floor`, that will do."""
    count = pl.prepare(b1, b2, b3, terms, m)
    best = below
    for k in range(pl.GROUP):
        m[pl.GROUPS + k] = 0
    m[pl.GAPS] = m[pl.LACK] = m[pl.CURSOR] = 0
    level = 0
    while level >= 0:
        row = level * pl.LEVEL
        cursor = m[row + pl.CURSOR]
        at = m[row + pl.LIST]
        entry = at + 1 + cursor * pl.ENTRY
        if cursor >= m[at]:
            level -= 1
            continue
        m[row + pl.CURSOR] = cursor + 1
        gap = m[row + pl.SIZE] - m[entry + 1]
        over = max(0, gap - m[row + pl.MOST])
        rest_gaps = m[row + pl.REST_GAPS] + m[row + pl.SAME] * gap
        rest_lack = m[row + pl.REST_LACK] + m[row + pl.SAME] * over
        if m[row + pl.GAPS] + gap + rest_gaps - wilds >= best or m[row + pl.LACK] + over + rest_lack >= best:
            level -= 1
            continue
        if not _may_join(level, m[entry + 2], terms, m):
            continue
        _choose(b1, b2, b3, wilds, level, m[entry], terms, m)
        after = row + pl.LEVEL
        if m[after + pl.GAPS] + rest_gaps - wilds >= best or m[after + pl.LACK] + rest_lack >= best:
            continue
        if level + 1 == count:
            best = m[after + pl.LACK]
            if best <= floor:
                return best
            continue
        m[row + pl.PLACE] = m[entry + 2]
        m[after + pl.CURSOR] = cursor if m[after + pl.LIST] == at else 0
        level += 1
    return best


@kernel
def _lacks_at_least(b1, b2, b3, wilds, held, sizes):
    """Return a number of cards that melds of these sizes, which take `held` cards, lack at least.

    Runs alone hold no more naturals than as many runs, all as long as the longest.
    """
    count = tm.n_melds(sizes)
    longest = 0
    for i in range(count):
        if not tm.is_run(sizes, i):
            return 0
        longest = max(longest, tm.meld_size(sizes, i))
    if longest > MAX_RUN:
        return 0
    return held - wilds - run_cover(b1, b2, b3, count, tm.table_of(sizes, longest))


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
    m = scratch(SCRATCH)
    extra = held - tm.slots_of(terms)
    if terms & tm.WHOLE_HAND == 0 or extra <= 0:
        return _search(b1, b2, b3, wilds, terms, floor, below, m)
    # No sizes lack less than the least bound: what reaches it is the answer.
    least = below
    sizes = first_sizes(terms, extra)
    while sizes >= 0:
        least = min(least, _lacks_at_least(b1, b2, b3, wilds, held, sizes))
        sizes = next_sizes(terms, extra, sizes)
    floor = max(floor, least)
    best = below
    sizes = first_sizes(terms, extra)
    while sizes >= 0 and best > floor:
        if _lacks_at_least(b1, b2, b3, wilds, held, sizes) < best:
            best = min(best, _search(b1, b2, b3, wilds, sizes, floor, best, m))
        sizes = next_sizes(terms, extra, sizes)
    return best
