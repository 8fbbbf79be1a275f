"""Playing a plan in chunks, on threads; what comes out does not depend on how many."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from attrs import frozen

from shanghai_sim.simulation.plan import Plan

T = TypeVar("T")

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
    setup, play_blocks = plan.setup(), player
    todo = [chunk for chunk in chunks(plan) if chunk.index not in done]
    games = plan.games - plan.players * sum(chunk.n_blocks for chunk in todo)

    def one(chunk: Chunk) -> Any:
        return play_blocks(setup, chunk.first_block, chunk.n_blocks)

    for chunk, played in in_order(one, todo, workers):
        yield chunk, played
        games += plan.players * chunk.n_blocks
        if progress is not None:
            progress(games, plan.games)


def in_order(
    function: Callable[[T], Any], tasks: Iterable[T], workers: int | None = None
) -> Iterator[tuple[T, Any]]:
    """Do tasks on threads and yield each with its result, strictly in order, a few of them ahead.

    Parameters
    ----------
    function : callable
        Takes one task; it should release the interpreter lock.
    tasks : iterable
        They are taken as they are needed: there may be no end of them.
    workers : int, optional
        Threads; by default one a core.
    """
    workers = workers or cores()
    ahead = iter(tasks)
    waiting: deque[tuple[T, Future[Any]]] = deque()
    pool = ThreadPoolExecutor(workers)

    def submit() -> None:
        for task in ahead:
            waiting.append((task, pool.submit(function, task)))
            return

    try:
        for _ in range(2 * workers):
            submit()
        while waiting:
            task, future = waiting.popleft()
            result = future.result()
            submit()
            yield task, result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
