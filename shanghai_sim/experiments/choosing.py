"""The choice of a policy as a game: dominance, equilibrium and alpha-rank, with what resampled blocks make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from shanghai_sim.experiments.standings import Row, Values, row
from shanghai_sim.inference.alpharank import alpha_rank
from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.equilibrium import symmetric_equilibrium
from shanghai_sim.inference.metagame import (
    MetaGame,
    compositions,
    dominance,
    over_replicates,
    sure_dominance,
)
from shanghai_sim.inference.resampling import resampled_means

#: Resamples of the blocks behind the payoffs, and steps of the search for the equilibrium of each: an equilibrium of
#: fifteen policies takes a twentieth of a second.
REPLICATES = 100
_STEPS = 50
#: Strength of selection of alpha-rank, per point a game: strong enough that a point decides most takeovers.
ALPHA = 0.1


@frozen
class Choosing:
    """What follows from the payoffs.

    Attributes
    ----------
    game : MetaGame
        The payoffs found.
    dominates, surely : bool[K, K]
        [i, j]: i strictly dominates j by the means, and in 95 % of the resamples.
    regret : tuple of float
        What one player gains at most by leaving the mixture: with the means, and its 95 % quantile over resamples.
    rows : list of dict
        The figures (keys: simulation.question_columns.TOURNAMENT).
    """

    game: MetaGame
    dominates: NDArray[np.bool_]
    surely: NDArray[np.bool_]
    regret: tuple[float, float]
    rows: list[Row] = field(repr=False)


def choosing(values: Values, labels: Sequence[str], seed: int) -> Choosing:
    """Return dominance, equilibrium and alpha-rank.

    Where all compositions were played the game is that of the table. Elsewhere it is a game of two: one takes the
    policy of a single seat, the other that of all other seats, and the payoff is the single seat's lead over the
    others, 0 among its own kind.

    Parameters
    ----------
    values : Values
        Block values.
    labels : sequence of str
        The policies' names.
    seed : int
        Seed of the resamples.
    """
    k = len(labels)
    if values.tables is not None:
        players, blocks = values.players, values.tables
    else:
        players, blocks = 2, _of_two(values.matrix)
    there = compositions(k, players) > 0
    means = np.full(there.shape, np.nan)
    means[there] = blocks[:, there].mean(axis=0)
    game = MetaGame(players, means)
    replicates = np.full((REPLICATES, *there.shape), np.nan)
    replicates[:, there] = resampled_means(blocks[:, there], seed, REPLICATES)
    found = symmetric_equilibrium(game, _STEPS)
    regrets = [MetaGame(players, table).regret(found.mixture) for table in replicates]
    regret = (found.regret, float(np.quantile(regrets, 0.95)))
    return Choosing(
        game,
        dominance(game),
        sure_dominance(players, replicates),
        regret,
        list(_rows(game, replicates, regret, len(blocks), labels)),
    )


def _of_two(matrix: FloatArray) -> FloatArray:
    """Return the payoffs of the game of two, float64[blocks, rows, K], from the matrix."""
    k = matrix.shape[1]
    counts = compositions(k, 2)
    payoffs = np.full((len(matrix), *counts.shape), np.nan)
    for i, count in enumerate(counts):
        first, second = np.repeat(np.arange(k), count)
        payoffs[:, i, first] = matrix[:, first, second]
        payoffs[:, i, second] = matrix[:, second, first]
    return payoffs


def _rows(
    game: MetaGame, replicates: FloatArray, regret: tuple[float, float], n: int, labels: Sequence[str]
) -> Iterator[Row]:
    shares = {
        "equilibrium": lambda g: symmetric_equilibrium(g, _STEPS).mixture,
        "alpha_rank": lambda g: alpha_rank(g, ALPHA),
    }
    for metric, statistic in shares.items():
        found = over_replicates(statistic, game, replicates, n)
        for i, label in enumerate(labels):
            yield row("metagame", label, "", metric, (found.estimate[i], found.low[i], found.high[i]), n)
    yield row("metagame", "", "", "regret", (regret[0], np.nan, regret[1]), n)
    lead = game.lead()
    ahead = np.mean([dominance(MetaGame(game.players, table)) for table in replicates], axis=0)
    for i, label in enumerate(labels):
        for j, other in enumerate(labels):
            if i != j:
                yield row("metagame", label, other, "lead", (lead[i, j], np.nan, np.nan), n)
                yield row("metagame", label, other, "dominates", (ahead[i, j], np.nan, np.nan), n)
