"""Planning: blocks for an effect, effects for blocks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shanghai_sim.inference.power import (
    blocks_for,
    games_to_notice,
    normal_quantile,
    plan_blocks,
    smallest_effect,
)
from shanghai_sim.inference.sequential import half_width


def test_blocks_for_an_effect_of_the_tables():
    # (1.95996 + 0.84162)^2 = 7.8489; sd 100, effect 2.
    assert blocks_for(2, 100) == math.ceil(7.84888 * 2_500)
    assert blocks_for(-2, 100) == blocks_for(2, 100)
    # One-sided quantiles 1.64485 + 1.64485 at alpha 10 %, power 95 %: 12,000 blocks for 3 of sd 100.
    assert blocks_for(3, 100, alpha=0.10, power=0.95) == pytest.approx(12_025, abs=1)
    assert blocks_for(2, 0) == 1


def test_planned_blocks_find_the_effect_as_often_as_promised():
    """By the law itself: the share of means beyond 1.96 standard errors, one draw per run."""
    n = blocks_for(0.5, 10)
    means = np.random.default_rng(1).normal(0.5, 10 / math.sqrt(n), 20_000)
    found = np.mean(np.abs(means) > 1.95996 * 10 / math.sqrt(n))
    assert abs(found - 0.8) < 4 * math.sqrt(0.8 * 0.2 / 20_000)


def test_the_smallest_effect_is_the_way_back():
    rng = np.random.default_rng(2)
    for _ in range(50):
        n, sd = int(rng.integers(2, 10**6)), float(rng.uniform(0.1, 500))
        alpha, power = float(rng.uniform(0.001, 0.3)), float(rng.uniform(0.5, 0.99))
        effect = smallest_effect(n, sd, alpha, power)
        assert abs(blocks_for(effect, sd, alpha, power) - n) <= 1


def test_a_plan_is_in_order():
    plan = plan_blocks(2, 100)
    assert plan.n_opt == blocks_for(2, 100)
    assert plan.expected_if_twice < plan.n_opt < plan.expected < plan.budget
    assert 2 * plan.n_opt <= plan.budget <= 3 * plan.n_opt
    for alpha in (0.01, 0.05, 0.2):
        plan = plan_blocks(2, 100, alpha)
        fixed = normal_quantile(1 - alpha / 2) * 100 / math.sqrt(plan.n_opt)
        assert half_width(plan.for_width, 100, plan.n_opt, 1 - alpha) <= fixed
        assert half_width(plan.for_width - 1, 100, plan.n_opt, 1 - alpha) > fixed
    assert 2.4 * plan_blocks(2, 100).n_opt <= plan_blocks(2, 100).for_width <= 2.9 * plan_blocks(2, 100).n_opt


def test_games_to_notice():
    assert games_to_notice(10, 100) == pytest.approx(1.64485**2 * 100, rel=1e-5)
    assert games_to_notice(-10, 100, 0.5) == 0
    assert games_to_notice(0, 100) == math.inf


def test_wrong_plans_are_refused():
    for call in (
        lambda: blocks_for(0, 1),
        lambda: blocks_for(1, -1),
        lambda: blocks_for(1, math.nan),
        lambda: blocks_for(1, 1, alpha=0),
        lambda: blocks_for(1, 1, power=1),
        lambda: blocks_for(1, 1, power=0.4),
        lambda: smallest_effect(0, 1),
        lambda: games_to_notice(1, 1, 0.4),
    ):
        with pytest.raises(ValueError, match=r"effect|deviation|alpha|chance"):
            call()
