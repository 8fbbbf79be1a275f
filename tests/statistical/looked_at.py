"""Many runs at once that are looked at as they go on, as moments at each look."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from shanghai_sim.inference.blocks import Moments


def margin(share: float, trials: int) -> float:
    """Return 3.3 binomial standard errors: a right share is further off once in two thousand tests, one-sided."""
    return 3.3 * math.sqrt(share * (1 - share) / trials)


def normal_runs(
    rng: np.random.Generator, runs: int, mean: float, sd: float, looks: np.ndarray
) -> Iterator[Moments]:
    """Yield the moments of normal block values at each look, cells [runs, 1].

    Between two looks a sum is normal and a sum of squares chi-squared, independently: drawing these is the same as
    drawing the blocks.
    """
    total: Moments | None = None
    for added in np.diff(looks, prepend=0).tolist():
        means = rng.normal(mean, sd / math.sqrt(added), (runs, 1))
        squares = sd**2 * rng.chisquare(added - 1, (runs, 1, 1))
        piece = Moments(added, means, squares)
        total = piece if total is None else total.merge(piece)
        yield total


def runs_of(draw: Callable[[tuple[int, ...]], np.ndarray], runs: int, looks: np.ndarray) -> Iterator[Moments]:
    """Yield the same for block values from ``draw(shape)``."""
    total: Moments | None = None
    for added in np.diff(looks, prepend=0).tolist():
        piece = Moments.of(draw((added, runs, 1)))
        total = piece if total is None else total.merge(piece)
        yield total
