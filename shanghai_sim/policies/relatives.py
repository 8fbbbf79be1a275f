"""Which cards go together in a contract: of one rank for its sets, near in a suit for its runs."""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_SUITS, LANE, rank_count

#: Cards of a run farther apart than this are no relatives.
_REACH = 4
_HAS_SETS = 16


@kernel
def _near_in_suit(terms, code, reach):
    """Return the board of the cards of a suit at most so many places away from a card, itself included."""
    suit, rank = code // 16, code % 16
    first, last = tm.first_position(terms), tm.last_position(terms)
    allowed = ((1 << last) - 1) & ~((1 << (first - 1)) - 1)
    # Bit p - 1 is position p; the ace stands at both ends.
    places = (1 << rank | (1 << 13 if rank == 0 else 0)) & allowed
    near = places
    for k in range(1, reach + 1):
        near |= places << k | places >> k
    near &= allowed
    return ((near & LANE) | near >> 13) << (16 * suit)


@kernel
def connected(view, code):
    """Return the board of the cards of a suit at most two places away from a card, itself left out."""
    return _near_in_suit(view.terms, code, 2) & ~(1 << code)


@kernel
def sets_and_runs(view):
    """Return how many sets and runs the contract has, and the least sizes of each (0: there is none)."""
    sets = runs = set_size = run_size = 0
    for i in range(tm.n_melds(view.terms)):
        size = tm.meld_size(view.terms, i)
        if tm.is_run(view.terms, i):
            runs += 1
            run_size = size if run_size == 0 else min(run_size, size)
        else:
            sets += 1
            set_size = size if set_size == 0 else min(set_size, size)
    return sets, runs, set_size, run_size


@kernel
def kinship(terms):
    """Return how far apart cards of a run of the contract count as relatives, and 16 more if it has sets."""
    reach = sets = 0
    for i in range(tm.n_melds(terms)):
        if tm.is_run(terms, i):
            reach = max(reach, min(tm.meld_size(terms, i) - 1, _REACH))
        else:
            sets = _HAS_SETS
    return sets | reach


@kernel
def relatives(terms, kin, code):
    """Return the board of the cards that could stand in a meld of the contract beside a natural.

    In a set those of its rank; in a run those of its suit that are no farther than its length allows, nor than four
    places. `kin` is the kinship of the terms.
    """
    board = ALL_SUITS << (code % 16) if kin & _HAS_SETS != 0 else 0
    reach = kin & ~_HAS_SETS
    if reach > 0:
        board |= _near_in_suit(terms, code, reach)
    return board


@kernel
def finished_sets(view, naturals, size):
    """Return how many sets of a size the naturals of the hand fill."""
    found = 0
    for rank in range(13):
        found += rank_count(view.b1 & naturals, view.b2 & naturals, view.b3 & naturals, rank) // size
    return found


@kernel
def finished_runs(view, naturals, size):
    """Return in how many suits naturals of the hand stand together that fill a run of a size."""
    first, last = tm.first_position(view.terms), tm.last_position(view.terms)
    allowed = ((1 << last) - 1) & ~((1 << (first - 1)) - 1)
    found = 0
    for suit in range(4):
        lane = ((view.b1 & naturals) >> (16 * suit)) & LANE
        lane = (lane | (lane & 1) << 13) & allowed
        for _ in range(size - 1):
            lane &= lane >> 1
        found += 1 if lane != 0 else 0
    return found
