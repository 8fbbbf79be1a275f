"""How melds share out the cards of a hand that a contract takes whole (RULES 6): all sizes, one after the other."""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.cards import N_SUITS
from shanghai_sim.rules import terms as tm


@kernel
def _is_fitting(terms, sizes, count):
    """Return whether cards could make melds of these sizes, and equal melds grow from long to short."""
    longest = tm.last_position(terms) - tm.first_position(terms) + 1
    for i in range(count):
        size = tm.meld_size(sizes, i)
        if tm.is_run(terms, i):
            if size > longest:
                return False
        elif terms & tm.DISTINCT_SUITS != 0 and size > N_SUITS + tm.most_wilds(terms, size):
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
