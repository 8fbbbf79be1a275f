"""E-values and the screening by them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from shanghai_sim.inference.evalues import e_bh, log_e_values
from shanghai_sim.inference.sequential import half_width, mixture_parameter
from tests.reference import slow_inference as slow


def test_e_values_are_mixtures_of_likelihood_ratios():
    rng = np.random.default_rng(1)
    for _ in range(15):
        n, r = int(rng.integers(2, 300)), float(10 ** rng.uniform(-3, 0))
        sd = float(rng.uniform(0.1, 50))
        mean = float(rng.normal() * sd / math.sqrt(n) * 2)
        found = log_e_values(np.array([mean]), np.array([sd]), n, r)
        assert found[0] == pytest.approx(math.log(slow.e_value(mean, sd, n, r)), abs=1e-6)


@given(some.integers(2, 10**6), some.floats(10, 10**6), some.floats(0.001, 0.5))
def test_e_values_and_the_confidence_sequence_are_two_sides_of_one_thing(n, n_opt, alpha):
    r = mixture_parameter(n_opt, 1 - alpha)
    edge = half_width(n, np.array(3.0), n_opt, 1 - alpha)
    assert log_e_values(edge, np.array(3.0), n, r) == pytest.approx(math.log(1 / alpha), abs=1e-6)


def test_e_values_without_spread():
    found = log_e_values(np.array([0.0, 1.0]), np.array([0.0, 0.0]), 500, 0.01)
    assert found[0] == pytest.approx(-0.5 * math.log(6))
    assert found[1] == math.inf
    assert log_e_values(np.array(5.0), np.array(0.01), 10**6, 0.1) > 1_000  # no overflow
    for wrong in ((1, 0.1), (10, 0.0), (10, math.nan)):
        with pytest.raises(ValueError, match="e-values need"):
            log_e_values(np.array([1.0]), np.array([1.0]), *wrong)


@given(some.lists(some.floats(0.01, 1e4), min_size=1, max_size=30), some.floats(0.01, 1.0))
def test_e_bh_agrees_with_trying_every_number_of_rejections(e_values, alpha):
    values = np.array(e_values)
    thresholds = len(values) / (alpha * np.arange(1, len(values) + 1))
    if np.abs(values[:, None] / thresholds - 1).min() > 1e-9:  # logarithms round at the edge
        assert e_bh(np.log(values), alpha).tolist() == slow.e_bh(e_values, alpha)


def test_e_bh_by_hand():
    # K = 4, alpha 0.1: thresholds 40, 20, 13.3, 10 for one to four rejections.
    assert e_bh(np.log([25.0, 21.0, 1.0, 9.0])).tolist() == [True, True, False, False]
    assert e_bh(np.log([39.0, 19.0, 13.0, 9.0])).tolist() == [False] * 4
    assert e_bh(np.log([11.0, 12.0, 10.5, 1e6])).tolist() == [True] * 4
    assert e_bh(np.array([math.inf, -5.0])).tolist() == [True, False]
    assert e_bh(np.zeros(0)).tolist() == []
    for wrong, alpha in ((np.array([math.nan]), 0.1), (np.zeros(3), 0.0), (np.zeros((2, 2)), 0.1)):
        with pytest.raises(ValueError, match="e-BH needs"):
            e_bh(wrong, alpha)
