"""Payoffs over compositions of a table: expectations, dominance, replicates."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

from shanghai_sim.inference.metagame import (
    MetaGame,
    compositions,
    dominance,
    normal_replicates,
    over_replicates,
    sure_dominance,
)
from shanghai_sim.inference.resampling import resampled_means
from tests.reference import slow_inference as slow
from tests.unit.inference.games import ROCK_PAPER_SCISSORS, game_of, of_matrix, plain, random_game

SIZES = [(1, 2), (2, 2), (3, 2), (2, 3), (3, 3), (4, 4), (2, 6)]


@pytest.mark.parametrize(("policies", "players"), [*SIZES, (3, 0)])
def test_compositions_are_all_multisets(policies, players):
    rows = compositions(policies, players)
    assert len(rows) == comb(players + policies - 1, players)
    tables = [tuple(np.repeat(np.arange(policies), row).tolist()) for row in rows]
    assert tables == list(combinations_with_replacement(range(policies), players))


@pytest.mark.parametrize(("policies", "players"), SIZES)
def test_expected_payoffs_agree_with_seating_everybody(policies, players):
    rng = np.random.default_rng(policies * 10 + players)
    game = random_game(rng, policies, players)
    for _ in range(5):
        mixture = rng.dirichlet(np.full(policies, 0.5))
        mixture[rng.random(policies) < 0.3] = 0
        mixture = mixture / mixture.sum() if mixture.sum() > 0 else np.full(policies, 1 / policies)
        found = [slow.expected(plain(game), i, mixture.tolist(), players) for i in range(policies)]
        assert game.expected(mixture) == pytest.approx(found)
        assert game.chances(mixture).sum() == pytest.approx(1)
        assert game.regret(mixture) == pytest.approx(max(found) - np.dot(found, mixture), abs=1e-12)


def test_a_three_player_game_by_hand():
    """Who chooses what nobody else has chosen gets 1: against an even mixture of two, that has chance 1/4."""
    game = game_of(2, 3, lambda policy, counts: float(counts[policy] == 1))
    assert game.against.tolist() == [[0, 0, 1], [1, 0, 0]]  # the others: 00, 01, 11
    assert game.expected(np.array([0.5, 0.5])) == pytest.approx([0.25, 0.25])
    assert game.expected(np.array([0.9, 0.1])) == pytest.approx([0.01, 0.81])
    assert game.regret(np.array([1.0, 0.0])) == 1


def test_dominance_agrees_with_trying_all_others():
    rng = np.random.default_rng(1)
    seen = 0
    for _ in range(60):
        policies, players = int(rng.integers(2, 4)), int(rng.integers(2, 4))
        strength = rng.normal(size=policies) * 2
        game = game_of(policies, players, lambda policy, counts: float(rng.normal() + strength[policy]))  # noqa: B023
        found = dominance(game)
        for i in range(policies):
            for j in range(policies):
                assert found[i, j] == slow.dominates(plain(game), i, j, policies, players)
        seen += int(found.sum())
    assert seen > 10
    assert not dominance(of_matrix(ROCK_PAPER_SCISSORS)).any()


def test_an_equal_policy_is_not_dominated():
    assert not dominance(of_matrix([[1.0, 2.0], [1.0, 1.0]])).any()
    assert dominance(of_matrix([[1.1, 2.0], [1.0, 1.0]])).tolist() == [[False, True], [False, False]]


def test_dominance_is_sure_where_replicates_agree():
    mean = of_matrix([[1.0, 1.0], [0.0, 0.9]]).payoffs
    noise = np.broadcast_to(np.eye(2) * 0.04**2, (3, 2, 2))
    found = sure_dominance(2, normal_replicates(mean, noise, 500, 1))
    # The lesser lead, 0.1, is 0.1 / (0.04 * sqrt 2) = 1.77 standard errors: chance 96 %.
    assert found.tolist() == [[False, True], [False, False]]
    assert not sure_dominance(2, normal_replicates(mean, noise * 4, 500, 1)).any()


def test_normal_replicates_have_the_moments_asked_for():
    rng = np.random.default_rng(2)
    mean = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])
    half = rng.normal(size=(2, 3, 3))
    covariance = half @ half.transpose(0, 2, 1)
    covariance[1, :, 2] = covariance[1, 2, :] = 0.0  # a payoff without any noise
    covariance[0, 1] = np.nan
    found = normal_replicates(mean, covariance, 20_000, 3)
    assert np.isnan(found[:, 0, 1]).all()
    assert (found[:, 1, 2] == 6).all()
    parts = ((0, [0, 2]), (1, [0, 1]))
    for row, there in parts:
        drawn = found[:, row][:, there]
        expected = covariance[row][np.ix_(there, there)]
        spread = np.sqrt(np.diag(expected))
        assert (np.abs(drawn.mean(axis=0) - mean[row, there]) < 5 * spread / np.sqrt(20_000)).all()
        assert (np.abs(np.cov(drawn.T) - expected) < 5 * np.outer(spread, spread) * np.sqrt(2 / 20_000)).all()
    assert np.array_equal(found, normal_replicates(mean, covariance, 20_000, 3), equal_nan=True)


def test_replicates_from_blocks_keep_what_tables_share():
    """Luck that all tables of a block share cancels in a lead; payoffs of absent policies stay unknown."""
    rng = np.random.default_rng(4)
    mean = of_matrix([[1.0, 1.0], [0.0, 0.9]]).payoffs
    blocks = mean + rng.normal(0, 5, (300, 1, 1)) + rng.normal(0, 0.1, (300, 3, 2))
    replicates = resampled_means(blocks.reshape(300, 6), 1, draws=400).reshape(400, 3, 2)
    assert (np.isnan(replicates) == np.isnan(mean)).all()
    game = MetaGame(2, blocks.mean(axis=0))
    lead = over_replicates(MetaGame.lead, game, replicates, 300)
    # A lead is a difference of two means of sd 0.1: standard error 0.0082, against 0.29 of a payoff alone.
    assert 0.1 - 0.05 < lead.low[0, 1] < lead.estimate[0, 1] < lead.high[0, 1] < 0.1 + 0.05
    payoff = over_replicates(lambda g: g.against, game, replicates, 300)
    assert (payoff.high - payoff.low > 0.5).all()
    assert sure_dominance(2, replicates).tolist() == [[False, True], [False, False]]


def test_a_statistic_over_replicates():
    """The payoff against itself is the mean of one cell: its percentile interval is the normal one."""
    game = of_matrix([[1.0, 1.0], [0.0, 0.9]])
    replicates = normal_replicates(game.payoffs, np.broadcast_to(np.eye(2), (3, 2, 2)), 4_000, 1)
    found = over_replicates(lambda g: g.expected(np.array([1.0, 0.0])), game, replicates, 700)
    assert found.estimate.tolist() == [1, 0]
    assert found.n_blocks == 700
    # The 2.5 % point of 4,000 normal draws has a standard error of sqrt(0.025 * 0.975 / 4000) / 0.0584 = 0.042.
    assert found.low == pytest.approx([1 - 1.96, -1.96], abs=0.2)
    assert found.high == pytest.approx([1 + 1.96, 1.96], abs=0.2)


def test_wrong_games_are_refused():
    with pytest.raises(ValueError, match="is needed"):
        MetaGame(2, np.zeros((4, 2)))
    with pytest.raises(ValueError, match="two players"):
        MetaGame(1, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="no payoff"):
        MetaGame(2, np.array([[1.0, np.nan], [1.0, np.nan], [np.nan, 1.0]]))
    with pytest.raises(ValueError, match="no tables"):
        compositions(0, 2)
