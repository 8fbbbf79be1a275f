"""Arms: the sides of a comparison, played on the same blocks, and what came out of each block as arrays.

All arms get the same chance streams block by block, so that whatever differs between them is theirs
(common random numbers). Nothing depends on the number of workers, or on where a run was cut in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from shanghai_sim.simulation.plan import Plan
from shanghai_sim.simulation.runner import CHUNK_GAMES, in_order

Array = NDArray[Any]


@frozen
class Arm:
    """One side of a comparison.

    Attributes
    ----------
    plan : Plan
        The table; how many games it names does not matter.
    rotations : int
        In how many rotations each block is played: as many as players, or 1 where all seats play alike, so that
        one game is read from each of them.
    luck : bool
        Whether the luck of the draws is recorded.
    """

    plan: Plan
    rotations: int
    luck: bool = False

    def by_seat(self, values: Array) -> Array:
        """Return what the player looked at has in each seat, of values of shape [blocks, rotations, policies, ...].

        With rotations that is policy 0, which sits in seat r in rotation r; with one game it is everybody.

        Returns
        -------
        array [blocks, seats, ...]
        """
        return values[:, 0] if self.rotations == 1 else values[:, :, 0]


@frozen
class Played:
    """What came out of consecutive blocks of an arm; policies in the order of the plan.

    Attributes
    ----------
    points : int32[blocks, rotations, policies]
        Points of the game.
    win : float64[blocks, rotations, policies]
        Share of the win.
    buys : int32[blocks, rotations, policies]
        Cards bought in the game.
    deal_points : int32[blocks, rotations, policies, slots]
        Points of each deal; the last slot is sudden death, 0 where there was none.
    turns : int32[blocks, rotations]
        Turns of all seats in the game.
    mark : int64[blocks, rotations]
        A number that two games share, but for a freak of chance, only if all that is recorded of them is equal.
    luck : float64[blocks, rotations, policies, measures]
        What the stock gave beyond its mean in the game, by the measures of engine.luck; 0 where it is not recorded.
    """

    points: Array
    win: Array
    buys: Array
    deal_points: Array
    turns: Array
    mark: Array
    luck: Array


def rotating(plan: Plan) -> Arm:
    """Return the arm in which policy 0 of a plan sits in every seat in turn."""
    return Arm(plan, plan.players)


def everybody(plan: Plan) -> Arm:
    """Return the arm in which one game is read from all seats; all policies of the plan should be the same."""
    return Arm(plan, 1)


def joined(pieces: Sequence[Played]) -> Played:
    """Return what came out of several stretches of blocks, one after the other."""
    return Played(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in _NAMES))


_NAMES = ("points", "win", "buys", "deal_points", "turns", "mark", "luck")


def player_of(arm: Arm) -> Callable[[int, int], Played]:
    """Return a function from a first block and a number of blocks to what comes out of them.

    It may be called from several threads.
    """
    from shanghai_sim.engine import batch

    batch.compile_kernels()
    setup = evolve(arm.plan.setup(), luck=arm.luck)

    def player(first_block: int, blocks: int) -> Played:
        return _played(batch.play_blocks(setup, first_block, blocks, rotations=arm.rotations), arm)

    return player


def play_arms(
    arms: Sequence[Arm],
    blocks: int,
    *,
    first_block: int = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[int, list[Played]]]:
    """Play all arms on the same blocks and yield them in stretches, in order.

    Parameters
    ----------
    arms : sequence of Arm
        At least one.
    blocks : int
        How many blocks. Whoever has seen enough stops taking them.
    first_block : int
        The first one, so that a run can go on.
    workers : int, optional
        Threads; by default one a core.
    progress : callable, optional
        Called with the games played and the games of all blocks.

    Yields
    ------
    int
        Blocks so far, those of this stretch included.
    list of Played
        The stretch, an arm each.
    """
    players = [player_of(arm) for arm in arms]
    games = sum(arm.rotations for arm in arms)
    size = max(1, CHUNK_GAMES // games)

    def one(start: int) -> list[Played]:
        n = min(size, first_block + blocks - start)
        return [player(start, n) for player in players]

    for start, stretch in in_order(one, range(first_block, first_block + blocks, size), workers):
        done = min(start - first_block + size, blocks)
        yield done, stretch
        if progress is not None:
            progress(done * games, blocks * games)


def _played(batch: Any, arm: Arm) -> Played:
    from shanghai_sim.engine.luck import UNIT
    from shanghai_sim.engine.metrics import BUYS, POINTS, TURNS

    rotations = arm.rotations
    seat_of = np.argsort(batch.policy, axis=1, kind="stable")
    record = batch.deals.astype(np.int64)
    record[:, -1] *= batch.sudden_death[:, None, None]

    def by_policy(values: Array) -> Array:
        seats = seat_of.reshape(*seat_of.shape, *(1,) * (values.ndim - 2))
        taken = np.take_along_axis(values, seats, axis=1)
        return taken.reshape(-1, rotations, *values.shape[1:])

    return Played(
        by_policy(batch.totals),
        by_policy(batch.win),
        by_policy(record[..., BUYS].sum(axis=1)).astype(np.int32),
        by_policy(record[..., POINTS].swapaxes(1, 2)).astype(np.int32),
        record[..., TURNS].sum(axis=(1, 2)).reshape(-1, rotations).astype(np.int32),
        _marks(record).reshape(-1, rotations),
        by_policy(batch.luck) / UNIT,
    )


def _marks(record: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number per game that depends on all of its record: a polynomial hash, modulo 2**64."""
    flat = record.reshape(len(record), -1).astype(np.uint64)
    # Odd, hence without a common factor with the modulus: a changed figure changes the number.
    factors = np.cumprod(np.full(flat.shape[1], 0x9E3779B97F4A7C15, np.uint64), dtype=np.uint64)
    return np.asarray((flat * factors).sum(axis=1, dtype=np.uint64).view(np.int64))
