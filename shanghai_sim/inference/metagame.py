"""The game of choosing a policy: payoffs over compositions of a table, and what follows from them.

P players sit down, each with one of K policies; who sits where does not matter, so a table is a multiset of
policies. Payoffs are what was measured there; their uncertainty is carried along as replicates of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.weighted_sums import generator


def compositions(policies: int, players: int) -> NDArray[np.int64]:
    """Return all multisets of K policies at a table of P players as counts, int64[rows, K].

    Rows are in the order of ``itertools.combinations_with_replacement``: all of the first policy first;
    ``C(P + K - 1, P)`` of them. Both numbers are 1 or more (0 players: one empty table).
    """
    if policies < 1 or players < 0:
        raise ValueError(f"no tables of {players} players with {policies} policies")
    chosen = list(combinations_with_replacement(range(policies), players))
    counts = np.zeros((len(chosen), policies), dtype=np.int64)
    for row, table in zip(counts, chosen, strict=True):
        for policy in table:
            row[policy] += 1
    return counts


class _Layout(NamedTuple):
    """What depends on the numbers of policies and players alone; made once for all replicates."""

    rows: NDArray[np.int64]  # [rows, K]: compositions of the whole table
    others: NDArray[np.int64]  # [tables, K]: of all seats but one
    joined: NDArray[np.int64]  # [K, tables]: the row where a policy joins the others
    orders: FloatArray  # [tables]: in how many orders the others can sit (multinomial coefficients)


@lru_cache(maxsize=8)
def _layout(policies: int, players: int) -> _Layout:
    rows, others = compositions(policies, players), compositions(policies, players - 1)
    number = {row.tobytes(): i for i, row in enumerate(rows)}
    seats = np.eye(policies, dtype=np.int64)
    joined = np.array([[number[(table + seat).tobytes()] for table in others] for seat in seats])
    orders = [factorial(players - 1) // prod(factorial(int(c)) for c in table) for table in others]
    return _Layout(rows, others, joined, np.array(orders, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class MetaGame:
    """Payoffs of K policies at every composition of a table of P players, symmetric in the seats.

    Parameters
    ----------
    players : int
        P, 2 or more.
    payoffs : float64[rows, K]
        Mean payoff of a policy's seats in each row of ``compositions(K, P)``, higher is better. Only policies that
        are in the row count; the others' entries are not read (NaN is usual).
    """

    players: int
    payoffs: FloatArray

    def __post_init__(self) -> None:
        if self.players < 2:
            raise ValueError(f"a table has two players or more, not {self.players}")
        rows = self._layout.rows
        if self.payoffs.shape != rows.shape:
            raise ValueError(f"payoffs of shape {self.payoffs.shape} where {rows.shape} is needed")
        if not np.isfinite(self.payoffs[rows > 0]).all():
            raise ValueError("a policy has no payoff at a table where it sits")

    @property
    def policies(self) -> int:
        """K, the number of policies."""
        return int(self.payoffs.shape[1])

    @property
    def _layout(self) -> _Layout:
        return _layout(self.policies, self.players)

    @property
    def others(self) -> NDArray[np.int64]:
        """The compositions of the other P - 1 seats, int64[tables, K]."""
        return self._layout.others

    @cached_property
    def against(self) -> FloatArray:
        """Payoff of each policy where the others are row m of `others`, float64[K, tables]."""
        return np.asarray(self.payoffs[self._layout.joined, np.arange(self.policies)[:, None]])

    def chances(self, mixture: FloatArray) -> FloatArray:
        """Return the chance of each row of `others` if each other seat draws its policy from `mixture`.

        Parameters
        ----------
        mixture : float64[K]
            Probabilities of the policies.
        """
        return np.asarray(self._layout.orders * np.prod(mixture**self.others, axis=1))

    def expected(self, mixture: FloatArray) -> FloatArray:
        """Return the expected payoff of each policy against others who play a mixture, float64[K].

        Parameters
        ----------
        mixture : float64[K]
            Probabilities of the policies at every other seat, independently.

        Notes
        -----
        The player's own policy is given, and the others are drawn. Some libraries' heuristic payoff tables
        condition on the policy being at the table instead, which is something else.
        """
        return np.asarray(np.einsum("km,m->k", self.against, self.chances(mixture)))

    def regret(self, mixture: FloatArray) -> float:
        """Return how much one player would gain at most by leaving a mixture that all play; 0 in equilibrium."""
        payoff = self.expected(mixture)
        return float(max(0.0, payoff.max() - payoff @ mixture))

    def lead(self) -> FloatArray:
        """Return the least lead of a policy over another whoever sits in the other seats, float64[K, K].

        Entry [i, j] above 0: i strictly dominates j. ``min over m of against[i, m] - against[j, m]``.
        """
        return np.asarray((self.against[:, None, :] - self.against[None, :, :]).min(axis=2))


def dominance(game: MetaGame) -> NDArray[np.bool_]:
    """Return which policy strictly dominates which by the means found, bool[K, K] ([i, j]: i dominates j)."""
    return np.asarray(game.lead() > 0)


def sure_dominance(players: int, replicates: FloatArray, level: float = 0.95) -> NDArray[np.bool_]:
    """Return which policy strictly dominates which in at least `level` of the replicates, bool[K, K].

    Parameters
    ----------
    players : int
        P.
    replicates : float64[draws, rows, K]
        Payoff tables as of `MetaGame`, one a draw; see `normal_replicates` and `resampling.resampled_means`.
    level : float
        Share of the replicates, a one-sided level for each pair.

    Notes
    -----
    Errs on the safe side: the least of many noisy leads is lower than the least true lead.
    """
    share = np.mean([dominance(MetaGame(players, table)) for table in replicates], axis=0)
    return np.asarray(share >= level)


def normal_replicates(mean: FloatArray, covariance: FloatArray, draws: int, seed: int) -> FloatArray:
    """Return normal replicates of a payoff table, float64[draws, rows, K].

    For tables of which only moments were kept. Rows are drawn independently: if they were played on the same
    blocks, resample block values instead (`resampling.resampled_means`), which keeps what they share.

    Parameters
    ----------
    mean : float64[rows, K]
        Mean payoffs; NaN where a policy is not in the row.
    covariance : float64[rows, K, K]
        Covariance of the means: of block values, over the number of blocks. Entries of absent policies are not
        read.
    draws : int
        Number of replicates.
    seed : int
        0 or more.
    """
    there = ~np.isnan(mean)
    both = there[:, :, None] & there[:, None, :]
    values, vectors = np.linalg.eigh(np.where(both, covariance, 0.0))
    roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    z = generator(seed).standard_normal((draws, *mean.shape))
    return np.asarray(mean + np.einsum("rij,drj->dri", roots, z))


def over_replicates(
    statistic: Callable[[MetaGame], FloatArray],
    game: MetaGame,
    replicates: FloatArray,
    n_blocks: int,
    level: float = 0.95,
) -> Interval:
    """Return a statistic of the meta-game with its percentile interval over replicates of the payoffs.

    Parameters
    ----------
    statistic : callable
        From a meta-game to a float64 array of fixed shape, e.g. `MetaGame.lead` or `alpharank.alpha_rank`.
    game : MetaGame
        The means found.
    replicates : float64[draws, rows, K]
        As in `sure_dominance`.
    n_blocks : int
        Blocks behind the payoffs.
    level : float
        Coverage.
    """
    drawn = np.array([statistic(MetaGame(game.players, table)) for table in replicates])
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return Interval(statistic(game), low, high, n_blocks)
