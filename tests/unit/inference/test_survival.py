"""The Kaplan-Meier estimate against a twin that goes through the cases one by one, and its errors."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.survival import curve_interval, kaplan_meier, median_interval


def slow_curve(cases, times, least):
    """Return the share to whom it has happened by each time; a case is (time, happened)."""
    share, curve = 1.0, []
    for time in range(times):
        at_risk = [case for case in cases if case[0] >= time]
        if len(at_risk) < least:
            return curve + [float("nan")] * (times - time)
        share *= 1 - sum(case == (time, True) for case in cases) / len(at_risk)
        curve.append(1 - share)
    return curve


def drawn(rng, n, times):
    """Return cases, and the same as counts."""
    cases = [(int(rng.integers(times)), bool(rng.integers(2))) for _ in range(n)]
    counts = [[sum(case == (t, kind) for case in cases) for t in range(times)] for kind in (True, False)]
    return cases, np.array(counts[0]), np.array(counts[1])


@pytest.mark.parametrize("n", [1, 5, 40, 300])
@pytest.mark.parametrize("least", [1, 4, 20])
def test_the_estimate_is_that_of_the_slow_twin(n, least):
    rng = np.random.default_rng(n)
    for _ in range(10):
        cases, events, censored = drawn(rng, n, 12)
        assert slow_curve(cases, 12, least) == pytest.approx(
            kaplan_meier(events, censored, least).tolist(), nan_ok=True
        )


def test_without_censoring_it_is_the_share_itself():
    found = kaplan_meier(np.array([0, 10, 30, 0, 60]), np.zeros(5, np.int64))
    assert found == pytest.approx([0, 0.1, 0.4, 0.4, 1.0])


def test_a_case_cut_off_counts_as_long_as_it_was_at_it():
    """Forty at risk, ten down in turn 1, ten cut off after it; ten of the other twenty down in turn 2."""
    found = kaplan_meier(np.array([0, 10, 10, 0]), np.array([0, 10, 0, 10]), 1)
    assert found == pytest.approx([0, 0.25, 1 - 0.75 * 0.5, 1 - 0.75 * 0.5])


def test_the_errors_are_those_of_repeated_trials():
    """The jackknife gives the spread over independent repetitions; parts are clustered like blocks."""
    rng = np.random.default_rng(4)

    def trial(parts=50):
        events, censored = np.zeros((2, parts, 8), np.int64)
        for part in range(parts):
            luck = rng.uniform(0.1, 0.4)  # one for the whole part: its cases are not independent
            for _ in range(8):
                happens, ends = int(rng.geometric(luck)), int(rng.integers(1, 9))
                if happens <= min(ends, 7):
                    events[part, happens] += 1
                else:
                    censored[part, min(ends, 7)] += 1
        return events, censored

    found = [curve_interval(*trial(), 50) for _ in range(200)]
    spread = np.std([one.estimate[4] for one in found])
    half = np.mean([(one.high[4] - one.low[4]) / 2 for one in found])
    assert half / 2.01 == pytest.approx(spread, rel=0.15)
    truth = np.mean([one.estimate[4] for one in found])
    assert 0.9 < np.mean([one.low[4] <= truth <= one.high[4] for one in found]) < 0.99


def test_one_part_gives_no_interval():
    found = curve_interval(np.array([[0, 30]]), np.array([[0, 30]]), 1)
    assert found.estimate[1] == 0.5
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()


def test_the_median_is_where_the_curve_passes_one_half():
    shares = np.array([0, 0.2, 0.45, 0.55, 0.9])
    found = median_interval(Interval(shares, shares - 0.1, shares + 0.1, 9))
    assert (found.estimate, found.low, found.high) == (3, 2, 4)
    never = median_interval(Interval(shares / 2, shares / 2, shares / 2 + 0.1, 9))
    assert isnan(never.estimate)
    assert isnan(never.high)
    assert never.low == 4
