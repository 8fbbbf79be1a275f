"""Playing a plan in chunks, on threads; what comes out does not depend on how many."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from attrs import frozen

from shanghai_sim.simulation.plan import Plan

#: Games in a chunk, about: fixed, since moments merged from other chunks differ in their last bits.
CHUNK_GAMES = 1000


@frozen
class Chunk:
    """Some consecutive blocks of a plan.

    Attributes
    ----------
    index : int
        From 0.
    first_block, n_blocks : int
        Which blocks.
    """

    index: int
    first_block: int
    n_blocks: int


def chunks(plan: Plan) -> list[Chunk]:
    """Return the chunks of a plan, in order; they depend on the plan alone."""
    size = max(1, CHUNK_GAMES // plan.players)
    starts = range(0, plan.blocks, size)
    return [Chunk(i, start, min(size, plan.blocks - start)) for i, start in enumerate(starts)]


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play(
    plan: Plan,
    *,
    workers: int | None = None,
    done: Collection[int] = (),
    progress: Callable[[int, int], None] | None = None,
    player: Callable[[Any, int, int], Any] | None = None,
) -> Iterator[tuple[Chunk, Any]]:
    """Play a plan and yield each chunk with its games, strictly in order.

    A few chunks are in flight at a time, so memory does not grow with the run. When the caller stops, so do
    the threads, after the chunk each of them is in (a fraction of a second).

    Parameters
    ----------
    plan : Plan
        What to play.
    workers : int, optional
        Threads; by default one a core.
    done : collection of int
        Indices of chunks to leave out.
    progress : callable, optional
        Called with the games played and the games of the plan, after each chunk.
    player : callable, optional
        Instead of `engine.batch.play_blocks`.

    Yields
    ------
    (Chunk, Batch)
    """
    if player is None:
        from shanghai_sim.engine import batch

        batch.compile_kernels()
        player = batch.play_blocks
    setup = plan.setup()
    workers = workers or cores()
    todo = [chunk for chunk in chunks(plan) if chunk.index not in done]
    games = plan.games - plan.players * sum(chunk.n_blocks for chunk in todo)
    waiting: deque[tuple[Chunk, Future[Any]]] = deque()
    pool = ThreadPoolExecutor(workers)
    try:
        ahead = iter(todo)
        for _ in range(2 * workers):
            _submit(pool, waiting, player, setup, ahead)
        while waiting:
            chunk, future = waiting.popleft()
            played = future.result()
            _submit(pool, waiting, player, setup, ahead)
            yield chunk, played
            games += plan.players * chunk.n_blocks
            if progress is not None:
                progress(games, plan.games)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _submit(
    pool: ThreadPoolExecutor,
    waiting: deque[tuple[Chunk, Future[Any]]],
    player: Callable[[Any, int, int], Any],
    setup: Any,
    ahead: Iterator[Chunk],
) -> None:
    """Hand the next chunk, if there is one, to the pool."""
    chunk = next(ahead, None)
    if chunk is not None:
        waiting.append((chunk, pool.submit(player, setup, chunk.first_block, chunk.n_blocks)))
