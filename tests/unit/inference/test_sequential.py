"""Confidence sequences and the grid of looks, against plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import mean_interval
from shanghai_sim.inference.sequential import (
    bernstein_intervals,
    half_width,
    look_grid,
    mixture_parameter,
    running_intervals,
    sequence_interval,
)
from tests.reference import slow_inference as slow


@given(some.integers(1, 3_000), some.integers(1, 400), some.integers(1, 100), some.integers(0, 150))
@settings(max_examples=150, deadline=None)
def test_looks_agree_with_trying_every_number(budget, first, batch, percent):
    assert look_grid(budget, first, batch, percent).tolist() == slow.looks(budget, first, batch, percent)


def test_looks_of_the_usual_grid():
    found = look_grid(200_000).tolist()
    assert found[:12] == [500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 5_500, 6_500]
    assert found[-1] == 200_000
    assert len(found) < 60
    assert look_grid(300).tolist() == [500]


@pytest.mark.parametrize("wrong", [{"budget": 0}, {"first": 0}, {"batch": 0}, {"growth_percent": -1}])
def test_looks_at_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match="no looks"):
        look_grid(**{"budget": 1_000} | wrong)


def test_sequences_agree_with_the_formula():
    rng = np.random.default_rng(1)
    for _ in range(50):
        n, k = int(rng.integers(3, 400)), int(rng.integers(1, 4))
        n_opt, level = float(rng.integers(10, 1_000)), float(rng.uniform(0.5, 0.999))
        values = rng.gamma(1.0, 10.0, (n, k)) - 5
        looks = np.unique(rng.integers(2, n + 1, 4))
        for look, found in zip(looks, running_intervals(values, looks, n_opt, level), strict=True):
            for column in range(k):
                low, high = slow.sequence(values[:look, column].tolist(), n_opt, 1 - level)
                assert found.low[column] == pytest.approx(low)
                assert found.high[column] == pytest.approx(high)
            assert found.n_blocks == look


def test_a_single_stream_has_intervals_without_an_axis():
    values = np.random.default_rng(2).normal(size=100)
    found = running_intervals(values, np.array([50, 100]), 100)
    assert found[0].estimate.shape == ()
    assert found[1].estimate == pytest.approx(values.mean())


@pytest.mark.parametrize("looks", [[], [0, 3], [3, 3], [5, 4], [11]])
def test_looks_that_do_not_rise_within_the_run_are_refused(looks):
    with pytest.raises(ValueError, match="looks must rise"):
        running_intervals(np.zeros(10), np.array(looks, dtype=np.int64), 10)


def test_width_against_a_fixed_interval_is_that_of_the_trial():
    """The price of looking: 1.67 at a quarter of the planned size, 1.55 at it, 1.61 at five times."""
    n_opt = 20_000
    for n, factor in ((n_opt // 4, 1.67), (n_opt, 1.55), (5 * n_opt, 1.61)):
        assert half_width(n, np.array(1.0), n_opt) * math.sqrt(n) / 1.95996 == pytest.approx(
            factor, abs=0.005
        )


def test_the_planned_size_is_about_where_the_sequence_is_tightest():
    n_opt = 10_000
    at_n_opt = half_width(n_opt, np.array(1.0), n_opt)
    others = [half_width(n_opt, np.array(1.0), n_opt * factor) for factor in np.geomspace(0.05, 20, 60)]
    assert at_n_opt <= min(others) * 1.005
    assert at_n_opt < others[0]
    assert at_n_opt < others[-1]


def test_a_sequence_without_spread_has_no_width_and_one_block_no_interval():
    found = sequence_interval(Moments.of(np.zeros((500, 1))), 1_000)
    assert (found.low, found.high) == (0, 0)
    assert np.isnan(sequence_interval(Moments.of(np.ones((1, 1))), 1_000).low).all()


def test_a_sequence_is_wider_than_a_fixed_interval():
    moments = Moments.of(np.random.default_rng(3).normal(size=(1_000, 2)))
    for n_opt in (100, 1_000, 100_000):
        sequential, fixed = sequence_interval(moments, n_opt), mean_interval(moments)
        assert (sequential.low < fixed.low).all()
        assert (sequential.high > fixed.high).all()


@pytest.mark.parametrize("level", [0, 1, -0.1, 95])
def test_levels_are_between_0_and_1(level):
    with pytest.raises(ValueError, match="a level is between 0 and 1"):
        mixture_parameter(100, level)


def test_a_planned_size_is_above_0():
    with pytest.raises(ValueError, match="n_opt must be above 0"):
        mixture_parameter(0)


@pytest.mark.parametrize(("blocks", "from_block"), [(12, 1), (250, 247)])
def test_bernstein_agrees_with_the_formula(blocks, from_block):
    rng = np.random.default_rng(4)
    for _ in range(8):
        level = float(rng.uniform(0.5, 0.99))
        values = rng.choice([-1.0, -0.25, 0.0, 0.5, 1.0], (blocks, 2))
        found = bernstein_intervals(values, -1, 1, level)
        for column in range(2):
            for n in range(from_block, blocks + 1):
                centre, half = slow.bernstein(((values[:n, column] + 1) / 2).tolist(), 1 - level)
                assert found.estimate[n - 1, column] == pytest.approx(2 * centre - 1)
                assert found.low[n - 1, column] == pytest.approx(2 * max(0, centre - half) - 1)
                assert found.high[n - 1, column] == pytest.approx(2 * min(1, centre + half) - 1)


def test_bernstein_of_a_rare_event_closes_in():
    values = np.zeros(5_000)
    values[::500] = 1.0
    found = bernstein_intervals(values, 0, 1)
    assert found.low[-1] <= 0.002 <= found.high[-1] < 0.01
    assert found.low.shape == (5_000,)


def test_bernstein_turns_with_the_scale():
    values = np.random.default_rng(5).uniform(0, 1, 200)
    one, other = bernstein_intervals(values, 0, 1), bernstein_intervals(10 - 20 * values, -10, 10)
    assert other.low == pytest.approx(10 - 20 * one.high)
    assert other.high == pytest.approx(10 - 20 * one.low)


@pytest.mark.parametrize("values", [[], [0.5, 1.1], [-0.1], [math.nan]])
def test_bernstein_refuses_values_out_of_bounds(values):
    with pytest.raises(ValueError, match="values must be"):
        bernstein_intervals(np.array(values), 0, 1)
    with pytest.raises(ValueError, match="low must be below high"):
        bernstein_intervals(np.array([0.5]), 1, 1)
