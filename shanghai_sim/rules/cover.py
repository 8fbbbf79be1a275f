"""The most naturals that sets of three and runs of one length hold at once.

Runs may always take a card first (it gains one there and costs a set at most one), and by the same exchange a set
takes all cards of its rank, three at most. So it is enough to go through the ranks of the sets, best first, and
to look up the runs of what is left.
"""

from __future__ import annotations

from shanghai_sim._jit import border, kernel, lowest_bit, popcount
from shanghai_sim.rules.boards import ALL_SUITS, LANE, rank_count, rank_counts, ranks_of
from shanghai_sim.rules.runs import best_run, run_cover
from shanghai_sim.rules.terms import SET_SIZE

ALL_RANKS = LANE


@kernel
def set_cover(b1, b2, b3, sets):
    """Return the most naturals that `sets` (0-4) sets of three hold at once; a rank may serve several sets."""
    p0, p1, p2, p3 = rank_counts(b1, b2, b3)
    high = p2 | p3
    one = p0 | p1 | high
    two = p1 | high
    three = (p0 & p1) | high
    if high == 0:
        return min(sets, popcount(one)) + min(sets, popcount(two)) + min(sets, popcount(three))
    # A rank held n times gives sets of 3, 3, .., n mod 3: count the sets that hold at least 1, 2, 3 cards.
    n1 = popcount(one)
    n2 = popcount(two)
    n3 = popcount(three)
    while high != 0:
        rank = lowest_bit(high)
        high &= high - 1
        more = rank_count(b1, b2, b3, rank) - SET_SIZE
        n1 += (more + 2) // 3
        n2 += (more + 1) // 3
        n3 += more // 3
    return min(sets, n1) + min(sets, n2) + min(sets, n3)


@kernel
def _ranks_held(p0, p1, high, value):
    """Return the 13-bit mask of ranks held exactly `value` times (1, 2), or three times and more (3).

    `p0`, `p1` are bit planes of boards.rank_counts, `high` the other two together.
    """
    if value == 3:
        return (p0 & p1) | high
    if value == 2:
        return p1 & ~p0 & ~high
    return p0 & ~p1 & ~high


@kernel
def _runs_beside(b1, b2, b3, rank, left, runs, table):
    """Return the run cover when all cards of a rank but `left` of them (fewer than `runs`) are in sets."""
    column = ALL_SUITS << rank
    c1, c2, c3 = b1 & ~column, b2 & ~column, b3 & ~column
    if left == 0:
        return run_cover(c1, c2, c3, runs, table)
    best = 0
    # One card stays, or two: try each choice of suits (a suit twice where it is held twice).
    for s in range(4):
        bit = 1 << (16 * s + rank)
        if b1 & bit == 0:
            continue
        if left == 1:
            best = max(best, run_cover(c1 | bit, c2, c3, runs, table))
            continue
        for t in range(s, 4):
            other = 1 << (16 * t + rank)
            if t == s:
                if b2 & bit != 0:
                    best = max(best, run_cover(c1 | bit, c2 | bit, c3, runs, table))
            elif b1 & other != 0:
                best = max(best, run_cover(c1 | bit | other, c2, c3, runs, table))
    return best


@kernel
def _same_rank(b1, b2, b3, rank, sets, runs, table):
    """Return the naturals placed when all `sets` sets are of one rank, and the runs take what is left."""
    held = rank_count(b1, b2, b3, rank)
    taken = min(SET_SIZE * sets, held)
    left = held - taken
    if left >= runs:
        # The runs take at most one card of this rank each, and whichever they like.
        return taken + run_cover(b1, b2, b3, runs, table)
    return taken + _runs_beside(b1, b2, b3, rank, left, runs, table)


@kernel
def _one_set_one_run(b1, b2, b3, ranks, table, floor):
    """Return the most naturals in one set of an allowed rank and one run, or `floor` if that is more."""
    run, shared = best_run(b1, table)
    best = max(floor, run)
    p0, p1, p2, p3 = rank_counts(b1, b2, b3)
    high = p2 | p3
    for value in range(3, 0, -1):
        if value + run <= best:
            return best
        todo = _ranks_held(p0, p1, high, value) & ranks
        # The run takes one card of a rank at most: the fourth serves it, and so does another suit.
        if todo & (high | ~shared) != 0:
            return value + run
        while todo != 0:
            rank = lowest_bit(todo)
            todo &= todo - 1
            best = max(best, value + run_cover(b1 & ~(ALL_SUITS << rank), 0, 0, 1, table))
    return best


@kernel
def _one_set(b1, b2, b3, ranks, runs, table, bound, floor, target):
    """Return the most naturals in one set of an allowed rank and the runs, or `floor` if that is more.

    `bound` is at least the run cover of the boards; the search ends when `target` is reached.
    """
    if runs == 1:
        return _one_set_one_run(b1, b2, b3, ranks, table, floor)
    best = floor
    p0, p1, p2, p3 = rank_counts(b1, b2, b3)
    high = p2 | p3
    for value in range(3, 0, -1):
        if value + bound <= best:
            return best
        todo = _ranks_held(p0, p1, high, value) & ranks
        while todo != 0:
            rank = lowest_bit(todo)
            todo &= todo - 1
            if (high >> rank) & 1:
                best = max(best, _same_rank(b1, b2, b3, rank, 1, runs, table))
            else:
                others = ~(ALL_SUITS << rank)
                best = max(best, value + run_cover(b1 & others, b2 & others, b3 & others, runs, table))
            if best >= target or value + bound <= best:
                return best
    return best


@kernel
def _two_sets(b1, b2, b3, ranks, runs, table, bound, floor, target):
    """Return the most naturals in two sets of allowed ranks and one or two runs, or `floor` if that is more.

    Both sets hold naturals; so there must be two ranks, or one held four times.
    """
    best = floor
    p0, p1, p2, p3 = rank_counts(b1, b2, b3)
    for value in range(3, 0, -1):
        if 2 * value + bound <= best:
            return best
        todo = _ranks_held(p0, p1, p2 | p3, value) & ranks
        while todo != 0:
            rank = lowest_bit(todo)
            todo &= todo - 1
            # What comes first is never second again: each pair of ranks is taken once.
            ranks &= ~(1 << rank)
            column = ALL_SUITS << rank
            left = rank_count(b1, b2, b3, rank) - value
            if left > 0:
                best = max(best, _same_rank(b1, b2, b3, rank, 2, runs, table))
            below = best - value
            goal = target - value
            if left == 0:
                below = _one_set(
                    b1 & ~column, b2 & ~column, b3 & ~column, ranks, runs, table, bound, below, goal
                )
            elif left >= runs:
                below = _one_set(b1, b2, b3, ranks, runs, table, bound, below, goal)
            else:
                # One card is left beside the set, and two runs could want different ones.
                for suit in range(4):
                    bit = b1 & (1 << (16 * suit + rank))
                    if bit != 0:
                        below = _one_set(
                            (b1 & ~column) | bit,
                            b2 & ~column,
                            b3 & ~column,
                            ranks,
                            runs,
                            table,
                            bound,
                            below,
                            goal,
                        )
            best = value + below
            if best >= target or 2 * value + bound <= best:
                return best
    return best


@kernel
def _three_sets(b1, b2, b3, table, bound, floor, target):
    """Return the most naturals in three sets, all with naturals, and one run, or `floor` if that is more."""
    best = floor
    ranks = ALL_RANKS
    p0, p1, p2, p3 = rank_counts(b1, b2, b3)
    for value in range(3, 0, -1):
        if 3 * value + bound <= best:
            return best
        todo = _ranks_held(p0, p1, p2 | p3, value)
        while todo != 0:
            rank = lowest_bit(todo)
            todo &= todo - 1
            ranks &= ~(1 << rank)
            held = rank_count(b1, b2, b3, rank)
            if held > 2 * SET_SIZE:
                best = max(best, _same_rank(b1, b2, b3, rank, 3, 1, table))
            for sets in range(1, min(2, (held + 2) // 3) + 1):
                taken = min(SET_SIZE * sets, held)
                # One run takes one card of a rank at most: a card left over is all it can want.
                gone = ALL_SUITS << rank if held == taken else 0
                c1, c2, c3 = b1 & ~gone, b2 & ~gone, b3 & ~gone
                below, goal = best - taken, target - taken
                if sets == 1:
                    best = taken + _two_sets(c1, c2, c3, ranks, 1, table, bound, below, goal)
                else:
                    best = taken + _one_set(c1, c2, c3, ranks, 1, table, bound, below, goal)
            if best >= target or 3 * value + bound <= best:
                return best
    return best


@border(8)
def naturals_placed(b1, b2, b3, sets, runs, table, floor, target):
    """Return C, the most naturals that fit in the sets of three and the runs at once.

    Parameters
    ----------
    b1, b2, b3 : int64
        Boards of naturals alone.
    sets, runs : int64
        At least 0, together 1-4.
    table : int64
        The run table (runs.run_table); any number where there are no runs.
    floor, target : int64
        The answer is ``max(floor, C)``, or some number from `target` to C if C is at least `target`.
    """
    if runs == 0:
        return max(floor, set_cover(b1, b2, b3, sets))
    if sets == 1 and runs == 1:
        return _one_set_one_run(b1, b2, b3, ALL_RANKS, table, floor)
    bound = run_cover(b1, b2, b3, runs, table)
    best = max(floor, bound)
    if sets == 0 or best >= target or set_cover(b1, b2, b3, sets) + bound <= best:
        return best
    # A set left without naturals never gains by it, unless there are fewer ranks than sets.
    if sets == 1 or (b1 & (b1 - 1)) == 0 or popcount(ranks_of(b1)) < sets:
        best = _one_set(b1, b2, b3, ALL_RANKS, runs, table, bound, best, target)
    if sets == 2 or (sets == 3 and popcount(ranks_of(b1)) < sets):
        best = _two_sets(b1, b2, b3, ALL_RANKS, runs, table, bound, best, target)
    if sets == 3:
        best = _three_sets(b1, b2, b3, table, bound, best, target)
    return best
