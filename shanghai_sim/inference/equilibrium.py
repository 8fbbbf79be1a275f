"""A mixture of policies that nobody would leave: symmetric equilibrium of a meta-game."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.metagame import MetaGame

#: Below this share a policy counts as out of an equilibrium's support.
SUPPORT = 1e-3
#: Regret that is rounding, as a share of the range of payoffs.
NOUGHT = 1e-9
#: Policies up to which every set of them is tried as a support, 2**K of them.
MOST_FOR_ALL_SETS = 12
_NEWTON_STEPS = 30


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A symmetric mixture and how far it is from an equilibrium.

    Parameters
    ----------
    mixture : float64[K]
        Probabilities of the policies, the same at every seat.
    regret : float
        What a player would gain at most by leaving it, in the unit of the payoffs; 0 in an exact equilibrium.
    payoff : float
        What each player gets on average.
    """

    mixture: FloatArray
    regret: float
    payoff: float


def symmetric_equilibrium(game: MetaGame, steps: int = 200) -> Equilibrium:
    """Return the symmetric mixture of least regret found. There may be others: look at the regret, then at these.

    Discrete replicator dynamics (Taylor and Jonker 1978, as multiplicative weights) from the even mixture and from
    near each pure one; its last mixture and its average over time are candidates, since it circles where policies
    beat each other in turn. Each candidate is then sharpened by Newton's method on its support, where all payoffs
    are to be equal. If no regret is nought even so, Newton's method starts from the even mixture of every set of
    policies, too (up to twelve policies). A symmetric game always has a symmetric equilibrium (Nash 1951), but
    nothing is sure to find it.

    Parameters
    ----------
    game : MetaGame
    steps : int
        Steps of the dynamics from each start, 1 or more.
    """
    k = game.policies
    even = np.full(k, 1 / k)
    starts = [even, *(0.1 * even + 0.9 * np.eye(k))]
    candidates = [np.eye(k)[i] for i in range(k)]
    for start in starts:
        candidates.extend(_replicate(game, start, steps))
    candidates.extend(_sharpened(game, candidates))
    best = min(candidates, key=game.regret)  # the first of equals: a pure mixture before the mixed ones
    if game.regret(best) > NOUGHT * np.ptp(game.against) and k <= MOST_FOR_ALL_SETS:
        sets = [np.array(s) for size in range(2, k + 1) for s in combinations(range(k), size)]
        mixtures = [np.eye(k)[s].mean(axis=0) for s in sets]
        best = min([best, *_sharpened(game, mixtures)], key=game.regret)
    return Equilibrium(best, game.regret(best), float(game.expected(best) @ best))


def _replicate(game: MetaGame, start: FloatArray, steps: int) -> tuple[FloatArray, FloatArray]:
    """Return the last mixture of the dynamics and the average of its second half."""
    spread = np.ptp(game.against) or 1.0
    x, total = start, np.zeros_like(start)
    for step in range(steps):
        payoff = game.expected(x)
        # Steps of constant size circle outwards; these shrink, yet add up without bound.
        pace = min(1.0, 10 / np.sqrt(step + 1)) / spread
        x = x * np.exp(pace * (payoff - payoff.max()))
        x /= x.sum()
        if step >= steps // 2:
            total += x
    return x, total / total.sum()


def _sharpened(game: MetaGame, mixtures: list[FloatArray]) -> list[FloatArray]:
    return [sharp for mixture in mixtures if (sharp := _equalised(game, mixture)) is not None]


def _equalised(game: MetaGame, mixture: FloatArray) -> FloatArray | None:
    """Return the mixture near `mixture` with equal payoffs on its support, or None if Newton finds none."""
    spread = np.ptp(game.against) or 1.0
    support = np.flatnonzero(mixture > SUPPORT)
    size = len(support)
    x = np.where(mixture > SUPPORT, mixture, 0.0)
    x /= x.sum()
    for _ in range(_NEWTON_STEPS):
        payoff = game.expected(x)
        # d chances / d x_j = chances * (seats of policy j) / x_j, for policies in the support.
        slopes = game.chances(x)[:, None] * game.others[:, support] / x[support]
        system = np.ones((size + 1, size + 1))
        system[:size, :size] = np.einsum("km,mj->kj", game.against[support] / spread, slopes)
        system[:size, size] = -1.0
        system[size, size] = 0.0
        common = payoff[support].mean()
        wrong = np.append((payoff[support] - common) / spread, x[support].sum() - 1)
        step = np.linalg.lstsq(system, -wrong, rcond=None)[0]
        moved = x[support] + step[:size]
        if not (moved > 0).all():
            return None
        x = np.zeros_like(mixture)
        x[support] = moved
        if np.abs(step[:size]).max() < 1e-14:
            break
    return np.asarray(x / x.sum())
