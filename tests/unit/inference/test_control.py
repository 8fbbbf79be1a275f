"""Luck taken out of block values."""

from __future__ import annotations

import numpy as np
import pytest

from shanghai_sim.inference.control import adjust_for_luck
from tests.reference import slow_inference as slow


def test_one_feature_agrees_with_plain_regression():
    rng = np.random.default_rng(1)
    for _ in range(20):
        n = int(rng.integers(6, 80))
        luck = rng.normal(size=n) * 10 ** rng.uniform(-4, 4)
        values = rng.normal() * luck + rng.normal(size=n)
        found = adjust_for_luck(values, luck[:, None])
        assert found.values == pytest.approx(slow.one_slope_adjusted(values.tolist(), luck.tolist()))
        assert found.gain == pytest.approx(values.var() / found.values.var())


def test_several_features_agree_with_least_squares():
    rng = np.random.default_rng(2)
    luck = rng.normal(size=(100, 3)) * np.array([1e-6, 1.0, 1e6])
    values = luck @ np.array([1e6, 2.0, 1e-6]) + rng.normal(size=100)
    found = adjust_for_luck(values, luck)
    for half in (0, 1):
        design = np.column_stack([np.ones(50), luck[half::2]])
        plain = np.linalg.lstsq(design / [1, 1e-6, 1, 1e6], values[half::2], rcond=None)[0] / [
            1,
            1e-6,
            1,
            1e6,
        ]
        assert found.slopes[half] == pytest.approx(plain[1:])
        assert found.values[1 - half :: 2] == pytest.approx(
            values[1 - half :: 2] - luck[1 - half :: 2] @ plain[1:]
        )


def test_luck_of_known_weight_is_taken_out():
    """Three parts of four of the variance are luck: worth four times the blocks."""
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(20_000, 1))
    values = 1.0 + np.sqrt(3) * luck[:, 0] + rng.normal(size=20_000)
    found = adjust_for_luck(values, luck)
    assert found.gain == pytest.approx(4, rel=0.1)
    assert found.values.mean() == pytest.approx(1.0, abs=5 / np.sqrt(20_000))


def test_a_feature_told_twice_and_one_that_is_nought_do_no_harm():
    rng = np.random.default_rng(4)
    luck = rng.normal(size=(200, 1))
    values = 2 * luck[:, 0] + rng.normal(size=200)
    once = adjust_for_luck(values, luck)
    again = adjust_for_luck(values, np.column_stack([luck, -luck * 1e-3, np.zeros(200)]))
    assert again.values == pytest.approx(once.values)


def test_luck_that_explains_nothing_leaves_about_what_was():
    rng = np.random.default_rng(5)
    found = adjust_for_luck(rng.normal(size=2_000), rng.normal(size=(2_000, 4)))
    assert 0.97 < found.gain < 1.02  # a slope costs about 2 / n of the variance, 4 of them 0.4 %


def test_values_are_left_as_they_were_and_luck_alone_vanishes():
    luck = np.random.default_rng(6).normal(size=(50, 1))
    values = np.zeros(50)
    found = adjust_for_luck(values, luck)
    assert np.isnan(found.gain)
    assert (found.values == 0).all()
    kept = (values := luck[:, 0] * 2).copy()
    assert adjust_for_luck(values, luck).gain > 1e20
    assert np.array_equal(values, kept)


def test_too_few_blocks_are_refused():
    with pytest.raises(ValueError, match="values of 6 blocks or more"):
        adjust_for_luck(np.zeros(5), np.zeros((5, 1)))
    with pytest.raises(ValueError, match="blocks or more"):
        adjust_for_luck(np.zeros(9), np.zeros((10, 1)))
