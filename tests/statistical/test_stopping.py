"""Runs that stop by themselves: right verdicts, errors of the gate, and how long it all takes."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from shanghai_sim.inference.gate import Gate, GateOutcome
from shanghai_sim.inference.power import (
    SEQUENTIAL_AT_EFFECT,
    SEQUENTIAL_AT_TWICE,
    blocks_for,
    plan_blocks,
)
from shanghai_sim.inference.sequential import look_grid, sequence_interval
from shanghai_sim.inference.verdicts import Verdict, judge
from tests.statistical.looked_at import margin, normal_runs

SD = 100.0
EPS = 2.0


def verdicts(truth: float, runs: int, seed: int, budget: int = 400_000) -> tuple[Counter[Verdict], float]:
    """Return the verdicts at which runs stopped, or that of the budget, and the mean number of blocks."""
    looks = look_grid(budget)
    n_opt = blocks_for(EPS, SD)
    going = np.ones(runs, dtype=bool)
    found: Counter[Verdict] = Counter()
    blocks = 0
    for at_look in normal_runs(np.random.default_rng(seed), runs, truth, SD, looks):
        interval = sequence_interval(at_look, n_opt)
        for run in np.flatnonzero(going):
            said = judge(interval.low[run, 0], interval.high[run, 0], EPS, at_look.n)
            if said.stop or at_look.n == looks[-1]:
                going[run] = False
                found[said.verdict] += 1
                blocks += at_look.n
        if not going.any():
            break
    return found, blocks / runs


def _check_verdicts(runs: int) -> None:
    most = 0.05 * runs + margin(0.05, runs) * runs
    better, worse = (Verdict.MUCH_BETTER, Verdict.BETTER), (Verdict.MUCH_WORSE, Verdict.WORSE)

    found, _ = verdicts(0.0, runs, 1)
    assert found[Verdict.EQUAL] >= runs - most, found
    found, _ = verdicts(EPS / 2, runs, 2)
    assert found[Verdict.MUCH_BETTER] + found[worse[0]] + found[worse[1]] <= most, found
    assert found[Verdict.UNDECIDED] == 0, found
    # At the very edge neither side may be claimed but by a miss.
    found, _ = verdicts(EPS, runs, 3)
    assert found[Verdict.MUCH_BETTER] + found[Verdict.EQUAL] + sum(found[v] for v in worse) <= most, found
    found, _ = verdicts(-2 * EPS, runs, 4)
    assert found[Verdict.MUCH_WORSE] >= runs - most, found
    assert sum(found[v] for v in better) + found[Verdict.EQUAL] <= most, found


def test_verdicts_are_right():
    _check_verdicts(300)


@pytest.mark.full
def test_verdicts_are_right_in_many_runs():
    _check_verdicts(5_000)


def gate_outcomes(truth: float, runs: int, seed: int) -> tuple[float, float]:
    """Return the share of runs that pass and the mean number of blocks: looks every 500 blocks."""
    gate, looks = Gate(0.0, 3.0), np.arange(500, 200_001, 500)
    going, passed, blocks = np.ones(runs, dtype=bool), 0, 0
    for at_look in normal_runs(np.random.default_rng(seed), runs, truth, SD, looks):
        sd = np.sqrt(at_look.covariance[:, 0, 0])
        for run in np.flatnonzero(going):
            outcome = gate.outcome(at_look.n, at_look.mean[run, 0], sd[run])
            if outcome is not GateOutcome.GO_ON:
                going[run] = False
                passed += outcome is GateOutcome.PASS
                blocks += at_look.n
        if not going.any():
            return passed / runs, blocks / runs
    raise AssertionError("a gate without end")


def _check_gate(runs: int) -> None:
    # Wald: the errors of a test stopped beyond its thresholds are at most alpha / (1 - beta).
    most = 0.05 / 0.95 + margin(0.05 / 0.95, runs)
    fixed = blocks_for(3, SD, alpha=0.10, power=0.95)
    passed, blocks = gate_outcomes(0.0, runs, 1)
    assert passed <= most
    assert blocks < fixed * 0.75
    passed, blocks = gate_outcomes(3.0, runs, 2)
    assert passed >= 1 - most
    assert blocks < fixed * 0.75
    passed, _ = gate_outcomes(1.5, runs, 3)
    assert abs(passed - 0.5) < margin(0.5, runs)


def test_the_gate_errs_as_often_as_it_may_and_is_quick():
    _check_gate(500)


@pytest.mark.full
def test_the_gate_errs_as_often_as_it_may_in_many_runs():
    _check_gate(10_000)


def blocks_played(truth: float, planned: float, runs: int, seed: int) -> tuple[np.ndarray, float]:
    """Return the blocks until zero was excluded or the budget used up, run by run, and the share decided."""
    plan = plan_blocks(planned, SD)
    found = np.full(runs, plan.budget)
    going = np.ones(runs, dtype=bool)
    for at_look in normal_runs(np.random.default_rng(seed), runs, truth, SD, look_grid(plan.budget)):
        interval = sequence_interval(at_look, plan.n_opt)
        clear = going & ((interval.low > 0) | (interval.high < 0))[:, 0]
        found[clear] = at_look.n
        going &= ~clear
    return found, 1 - going.mean()


def _check_factors(runs: int) -> None:
    for times, factor in ((1, SEQUENTIAL_AT_EFFECT), (2, SEQUENTIAL_AT_TWICE)):
        blocks, decided = blocks_played(times * EPS, EPS, runs, times)
        ratio = blocks / blocks_for(EPS, SD)
        # The factors are given to two decimals.
        assert abs(ratio.mean() - factor) < 3.3 * ratio.std() / math.sqrt(runs) + 0.005
        assert decided >= 0.94 - margin(0.94, runs)


def test_runs_take_as_long_as_planned():
    _check_factors(2_000)


@pytest.mark.full
def test_runs_take_as_long_as_planned_in_many_runs():
    _check_factors(30_000)
