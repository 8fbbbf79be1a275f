"""Symmetric equilibria of games whose equilibria are known, and of random ones by their regret."""

from __future__ import annotations

import numpy as np
import pytest

from shanghai_sim.inference.equilibrium import symmetric_equilibrium
from shanghai_sim.inference.metagame import dominance
from tests.reference import slow_inference as slow
from tests.unit.inference.games import ROCK_PAPER_SCISSORS, game_of, of_matrix, plain, random_game


@pytest.mark.parametrize(
    ("matrix", "mixture"),
    [
        (ROCK_PAPER_SCISSORS, [1 / 3, 1 / 3, 1 / 3]),
        ([[0, -1, 0.5], [0.5, 0, -1], [-1, 0.5, 0]], [1 / 3, 1 / 3, 1 / 3]),  # dynamics circle outwards here
        ([[0, -2, 1], [2, 0, -1], [-1, 1, 0]], [1 / 4, 1 / 4, 1 / 2]),
        ([[3, 0], [5, 1]], [0, 1]),  # prisoners
        ([[-1, 4], [0, 2]], [2 / 3, 1 / 3]),  # hawk and dove, prize 4, cost 6
        ([[7.0]], [1]),
        ([[2, 2], [2, 2]], None),  # all the same
    ],
)
def test_equilibria_of_two_players(matrix, mixture):
    found = symmetric_equilibrium(of_matrix(matrix))
    assert found.regret == pytest.approx(0, abs=1e-12)
    if mixture is not None:
        assert found.mixture == pytest.approx(mixture, abs=1e-9)
        assert found.payoff == pytest.approx(np.array(mixture) @ np.array(matrix) @ np.array(mixture))


def test_an_equilibrium_of_three_players_by_hand():
    """Alone with one's choice: A pays 1, B pays 4. Against a share x of A: (1-x)^2 = 4 x^2, so x = 1/3."""
    game = game_of(2, 3, lambda policy, counts: float(counts[policy] == 1) * (1, 4)[policy])
    found = symmetric_equilibrium(game)
    assert found.mixture == pytest.approx([1 / 3, 2 / 3])
    assert found.payoff == pytest.approx(4 / 9)


def test_one_of_two_pure_equilibria_is_found_where_meeting_pays():
    found = symmetric_equilibrium(of_matrix([[1, 0], [0, 2]]))
    assert found.regret == 0
    assert sorted(found.mixture.tolist()) == [0, 1]


@pytest.mark.parametrize(
    ("policies", "players", "games"), [(3, 2, 40), (5, 2, 20), (4, 3, 10), (3, 5, 10), (6, 4, 5)]
)
def test_random_games_have_equilibria_without_regret(policies, players, games):
    rng = np.random.default_rng(10 * policies + players)
    for _ in range(games):
        game = random_game(rng, policies, players)
        found = symmetric_equilibrium(game)
        assert found.mixture.min() >= 0
        assert found.mixture.sum() == pytest.approx(1)
        payoffs = [slow.expected(plain(game), i, found.mixture.tolist(), players) for i in range(policies)]
        assert max(payoffs) - np.dot(payoffs, found.mixture) < 1e-9
        assert found.payoff == pytest.approx(np.dot(payoffs, found.mixture))


@pytest.mark.parametrize(
    ("matrix", "support"),
    [
        ([[0.7, 2.3, -0.1], [-1.7, 1.1, 1.4], [1.2, 0.2, 1.2]], [0, 1, 2]),
        (
            [[0.6, -0.7, -0.5, 0.0], [0.4, 0.6, -0.6, 0.6], [1.3, 0.7, 0.7, 0.0], [-1.8, -0.5, 0.8, 0.2]],
            [1, 2, 3],
        ),
    ],
)
def test_an_equilibrium_that_the_dynamics_miss_is_found_all_the_same(matrix, support):
    found = symmetric_equilibrium(of_matrix(matrix))
    assert found.regret == pytest.approx(0, abs=1e-12)
    assert np.flatnonzero(found.mixture).tolist() == support


def test_a_dominated_policy_is_not_played():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        found = game_of(4, 3, lambda policy, counts: float(rng.normal()) - 20 * (policy == 3))  # noqa: B023
        assert dominance(found)[0, 3]
        assert symmetric_equilibrium(found).mixture[3] == 0


def _table(counts):
    return tuple(int(i) for i in np.repeat(np.arange(len(counts)), counts))


def test_equilibria_do_not_depend_on_the_unit():
    game = random_game(np.random.default_rng(2), 4, 3)
    found = symmetric_equilibrium(game)
    for unit, shift in ((1e6, 5e7), (1e-9, 0.0)):
        scaled = game_of(4, 3, lambda policy, counts: unit * plain(game)[policy, _table(counts)] + shift)  # noqa: B023
        assert symmetric_equilibrium(scaled).mixture == pytest.approx(found.mixture, abs=1e-6)
