"""Alpha-rank: how often a population that copies the successful would be found playing each policy."""

from __future__ import annotations

from functools import lru_cache
from math import comb, inf

import numpy as np

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.metagame import MetaGame


def alpha_rank(game: MetaGame, alpha: float, population: int = 50) -> FloatArray:
    """Return the share of time that a population spends with each policy, float64[K].

    Evolution in a single population of m players in the limit of rare mutations (Omidshafiei et al. 2019,
    *alpha-Rank: Multi-Agent Evaluation by Evolution*, for P players at a table): all play one policy until a
    mutant of another, all equally likely, takes over or dies out. The shares are the stationary distribution of
    that chain. Look at several `alpha`: they settle as it grows, where each takeover that pays becomes sure.

    Parameters
    ----------
    game : MetaGame
    alpha : float
        Strength of selection per unit of payoff, 0 or more; at 0 all policies are alike.
    population : int
        m, at least the players at a table.
    """
    k = game.policies
    if k == 1:
        return np.ones(1)
    log_fixation = np.zeros((k, k))
    for resident in range(k):
        for mutant in range(k):
            if mutant != resident:
                log_fixation[resident, mutant] = log_takeover(game, resident, mutant, alpha, population)
    return _stationary(log_fixation)


def log_takeover(game: MetaGame, resident: int, mutant: int, alpha: float, population: int) -> float:
    """Return the logarithm of the chance that one mutant takes over a population of residents.

    ``rho = 1 / (1 + sum_{l=1}^{m-1} prod_{q=1}^{l} exp(-alpha (f_mutant(q) - f_resident(q))))`` where q players
    are mutants: the Moran process with the Fermi rule (Traulsen, Nowak and Pacheco 2006). f is the mean payoff
    at a table whose other seats are drawn from the other m - 1 players without replacement.

    Parameters
    ----------
    game : MetaGame
    resident, mutant : int
        Two numbers of policies.
    alpha, population
        As in `alpha_rank`.
    """
    m, seats = population, game.players - 1
    if not 0 <= alpha < inf or m < game.players:
        raise ValueError(
            f"alpha is finite and 0 or more, and the population fills a table, not {alpha} and {m}"
        )
    residents, mutants = _payoffs_of_two(game, resident, mutant)
    steps = []
    for q in range(1, m):
        for_mutant = _drawn(m - 1, q - 1, seats) @ mutants
        for_resident = _drawn(m - 1, q, seats) @ residents
        steps.append(-alpha * (for_mutant - for_resident))
    # Logarithms throughout: a strong selection makes chances far below the smallest double.
    return float(-np.logaddexp.reduce(np.append(0.0, np.cumsum(steps))))


def _payoffs_of_two(game: MetaGame, resident: int, mutant: int) -> tuple[FloatArray, FloatArray]:
    """Return payoffs of resident and mutant where 0, 1, ... P - 1 of the other seats are mutants, float64[P] each."""
    seats = game.players - 1
    two = game.others[:, [resident, mutant]]
    tables = np.flatnonzero(two.sum(axis=1) == seats)
    tables = tables[np.argsort(two[tables, 1])]
    return game.against[resident, tables], game.against[mutant, tables]


@lru_cache(maxsize=10_000)
def _drawn(players: int, mutants: int, seats: int) -> FloatArray:
    """Return the hypergeometric chances that 0, 1, ... of so many seats go to mutants, float64[seats + 1]."""
    ways = [comb(mutants, j) * comb(players - mutants, seats - j) for j in range(seats + 1)]
    return np.array([way / comb(players, seats) for way in ways])


def _stationary(log_rates: FloatArray) -> FloatArray:
    """Return the stationary distribution of a chain from the logarithms of its rates (diagonal not read).

    By elimination of one state after the other (Grassmann, Taksar and Heyman 1985), which has no subtractions, in
    logarithms: rates many hundreds of powers of ten apart keep their meaning.
    """
    k = len(log_rates)
    rate = log_rates.copy()
    out = np.zeros(k)
    for last in range(k - 1, 0, -1):
        out[last] = np.logaddexp.reduce(rate[last, :last])
        through = rate[:last, last, None] + rate[None, last, :last] - out[last]
        rate[:last, :last] = np.logaddexp(rate[:last, :last], through)
    share = np.zeros(k)
    for state in range(1, k):
        share[state] = np.logaddexp.reduce(share[:state] + rate[:state, state]) - out[state]
    share -= np.logaddexp.reduce(share)
    return np.asarray(np.exp(share))
