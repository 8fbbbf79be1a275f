"""Playing a plan for its block moments: what every question about a table starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import Moments
from shanghai_sim.simulation.aggregate import block_values
from shanghai_sim.simulation.plan import Plan
from shanghai_sim.simulation.runner import Chunk, play

Values = dict[str, NDArray[np.float64]]
Watch = Callable[[Chunk, Any, Values], None]
Progress = Callable[[int, int], None]


def moments_of(values: Values) -> dict[str, Moments]:
    """Return the moments of the block values of a chunk, by kind."""
    return {kind: Moments.of(array) for kind, array in values.items()}


def merged(pieces: Iterable[dict[str, Moments]]) -> dict[str, Moments]:
    """Merge the moments of chunks, one after the other."""
    total: dict[str, Moments] = {}
    for piece in pieces:
        total = {kind: total[kind].merge(more) for kind, more in piece.items()} if total else piece
    return total


def play_moments(
    plan: Plan,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> dict[str, Moments]:
    """Play a plan and return its moments, the kinds of `simulation.aggregate`.

    Parameters
    ----------
    plan : Plan
        What to play.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of the plan.
    watch : callable, optional
        Called with each chunk, its games and its block values, in order. Kinds of values that it adds to the
        last are merged like the others.
    """

    def pieces() -> Iterator[dict[str, Moments]]:
        for chunk, batch in play(plan, workers=workers, progress=progress):
            values = block_values(batch, plan.group_sizes)
            if watch is not None:
                watch(chunk, batch, values)
            yield moments_of(values)

    return merged(pieces())
