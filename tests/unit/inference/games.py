"""Meta-games for the tests, from payoff functions, and the same as the slow twins read them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shanghai_sim.inference.metagame import MetaGame, compositions
from tests.reference.slow_inference import Payoffs


def game_of(policies: int, players: int, payoff: Callable[[int, np.ndarray], float]) -> MetaGame:
    """Return the game where a policy at a table of given counts gets ``payoff(policy, counts)``."""
    rows = compositions(policies, players)
    table = np.full(rows.shape, np.nan)
    for row, counts in enumerate(rows):
        for policy in np.flatnonzero(counts):
            table[row, policy] = payoff(int(policy), counts)
    return MetaGame(players, table)


def of_matrix(matrix: list[list[float]]) -> MetaGame:
    """Return the two-player game where policy i gets ``matrix[i][j]`` against j."""

    def payoff(policy: int, counts: np.ndarray) -> float:
        counts = counts.copy()
        counts[policy] -= 1
        return matrix[policy][int(np.flatnonzero(counts)[0])]

    return game_of(len(matrix), 2, payoff)


def random_game(rng: np.random.Generator, policies: int, players: int) -> MetaGame:
    """Return a game of independent normal payoffs."""
    return game_of(policies, players, lambda policy, counts: float(rng.normal()))


def plain(game: MetaGame) -> Payoffs:
    """Return payoffs by policy and sorted table."""
    found = {}
    for counts, row in zip(compositions(game.policies, game.players), game.payoffs, strict=True):
        table = tuple(int(policy) for policy in np.repeat(np.arange(game.policies), counts))
        for policy in set(table):
            found[policy, table] = float(row[policy])
    return found


ROCK_PAPER_SCISSORS = [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]
