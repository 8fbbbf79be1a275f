"""Alpha-rank against a plain chain, closed forms, and OpenSpiel where it is installed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shanghai_sim.inference.alpharank import alpha_rank, log_takeover
from tests.reference import slow_inference as slow
from tests.unit.inference.games import ROCK_PAPER_SCISSORS, game_of, of_matrix, plain, random_game


@pytest.mark.parametrize(("policies", "players"), [(2, 2), (3, 2), (4, 2), (2, 3), (3, 3), (3, 4)])
def test_shares_agree_with_a_plain_chain(policies, players):
    rng = np.random.default_rng(policies * 10 + players)
    for alpha, population in ((0.0, 5), (0.3, 6), (2.0, 8)):
        game = random_game(rng, policies, players)
        found = alpha_rank(game, alpha, population)
        assert found == pytest.approx(slow.alpha_rank(plain(game), policies, players, alpha, population))
        takeover = slow.takeover(plain(game), 0, 1, players, alpha, population)
        assert log_takeover(game, 0, 1, alpha, population) == pytest.approx(math.log(takeover))


def test_a_mutant_of_fixed_advantage_takes_over_as_a_gambler_does():
    """Payoffs that depend on the policy alone: rho = (1 - e^-u) / (1 - e^-mu) with u = alpha * advantage."""
    for players in (2, 3, 5):
        game = game_of(2, players, lambda policy, counts: (0.0, 0.7)[policy])
        u = 1.3 * 0.7
        expected = (1 - math.exp(-u)) / (1 - math.exp(-20 * u))
        assert log_takeover(game, 0, 1, 1.3, 20) == pytest.approx(math.log(expected))
        # Shares stand as the chances of taking over: e^(19 u) to 1.
        found = alpha_rank(game, 1.3, 20)
        assert found[1] / found[0] == pytest.approx(math.exp(19 * u))


def test_rock_paper_scissors_is_even_and_no_selection_is_even():
    for alpha in (0.1, 1.0, 100.0):
        assert alpha_rank(of_matrix(ROCK_PAPER_SCISSORS), alpha) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(random_game(np.random.default_rng(1), 4, 3), 0.0) == pytest.approx([1 / 4] * 4)
    assert alpha_rank(of_matrix([[3.0]]), 1.0).tolist() == [1]


def test_strong_selection_neither_overflows_nor_blurs():
    found = alpha_rank(of_matrix([[3.0, 0.0], [5.0, 1.0]]), 1e4)
    assert found.tolist() == [0, 1]
    rng = np.random.default_rng(2)
    for _ in range(10):
        found = alpha_rank(random_game(rng, 5, 4), 1e3)
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()


def test_wrong_populations_are_refused():
    game = of_matrix(ROCK_PAPER_SCISSORS)
    for alpha, population in ((-1.0, 50), (math.nan, 50), (math.inf, 50), (1.0, 1)):
        with pytest.raises(ValueError, match="alpha is finite"):
            alpha_rank(game, alpha, population)


def test_shares_agree_with_open_spiel():
    pytest.importorskip("pyspiel", exc_type=ImportError)
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank", exc_type=ImportError)
    rng = np.random.default_rng(3)
    for policies in (2, 3, 5):
        matrix = rng.normal(size=(policies, policies))
        for alpha, population in ((0.1, 10), (1.0, 30)):
            theirs = alpharank.compute([matrix], m=population, alpha=alpha, use_local_selection_model=False)[
                2
            ]
            found = alpha_rank(of_matrix(matrix.tolist()), alpha, population)
            assert found == pytest.approx(theirs, abs=1e-8)
