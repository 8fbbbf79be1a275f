"""Which part of a contract of sets and runs comes first, and whether a full set is broken for a run."""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.policies.parameters import PLAN_BREAK_SETS, PLAN_SETS_FIRST
from shanghai_sim.policies.relatives import connected, finished_runs, finished_sets, sets_and_runs
from shanghai_sim.rules.boards import ALL_CARDS, rank_count


@kernel
def first_part(view, parameters):
    """Return what the part of the contract that comes first still counts for (`plan.sets_first`); 0: nothing.

    Above 0 the sets come first, below 0 the runs. A part that the naturals of the hand fill counts no more.
    """
    first = parameters[PLAN_SETS_FIRST]
    sets, runs, set_size, run_size = sets_and_runs(view)
    if first == 0.0 or sets == 0 or runs == 0:
        return 0.0
    naturals = ALL_CARDS & ~view.wild_mask
    if first > 0.0:
        return first if finished_sets(view, naturals, set_size) < sets else 0.0
    return first if finished_runs(view, naturals, run_size) < runs else 0.0


@kernel
def worth_for_plan(view, code, first):
    """Return what a natural counts for the part of the contract that comes first (`first_part`)."""
    if first > 0.0:
        return first * (rank_count(view.b1, view.b2, view.b3, code % 16) - 1)
    return -first * popcount(view.b1 & connected(view, code))


@kernel
def breakable(view, parameters):
    """Return the board of those cards of full sets that may go for an unfinished run (`plan.break_sets`)."""
    if parameters[PLAN_BREAK_SETS] == 0.0:
        return 0
    sets, runs, set_size, run_size = sets_and_runs(view)
    naturals = ALL_CARDS & ~view.wild_mask
    if sets == 0 or runs == 0 or finished_runs(view, naturals, run_size) >= runs:
        return 0
    board = 0
    todo = view.b1 & naturals
    while todo != 0:
        bit = todo & -todo
        todo ^= bit
        rank = popcount(bit - 1) % 16
        if rank_count(view.b1 & naturals, view.b2 & naturals, view.b3 & naturals, rank) >= set_size:
            board |= bit
    return board
