"""Sittings: many small tables of policies, each on blocks of its own choice, and what each seat got there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from shanghai_sim.simulation.plan import Plan
from shanghai_sim.simulation.runner import in_order

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy


@frozen
class Sitting:
    """A table and the blocks that it plays.

    Attributes
    ----------
    table : tuple of int
        Numbers of the policies, in the order of the seats in rotation 0.
    first_block, blocks : int
        Consecutive blocks.
    """

    table: tuple[int, ...]
    first_block: int
    blocks: int

    @property
    def rotations(self) -> int:
        """Games a block: as many as players, or one, read from all seats, where all play the same policy."""
        return 1 if len(set(self.table)) == 1 else len(self.table)

    @property
    def games(self) -> int:
        """How many games it plays."""
        return self.blocks * self.rotations


@frozen
class Seated:
    """What the places of tables got, a row a block, summed over its rotations.

    Attributes
    ----------
    table : int64[rows, players]
        Number of the policy in each place.
    block : int64[rows]
        The block.
    points : int64[rows, players]
        Points of the place, summed over the rotations.
    win : float64[rows, players]
        Its share of the win, summed likewise.
    """

    table: NDArray[np.int64]
    block: NDArray[np.int64]
    points: NDArray[np.int64]
    win: NDArray[np.float64]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return it as arrays that a file can hold."""
        return {"table": self.table, "block": self.block, "points": self.points, "win": self.win}


def together(pieces: Sequence[Seated]) -> Seated:
    """Return the rows of several pieces, one after the other."""
    whole = [piece.arrays() for piece in pieces]
    return Seated(**{name: np.concatenate([piece[name] for piece in whole]) for name in whole[0]})


def play_sittings(
    plan: Plan,
    policies: Sequence[Policy],
    parts: Sequence[Sequence[Sitting]],
    *,
    done: Collection[int] = (),
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[int, Seated]]:
    """Play sittings and yield each part of them, in order.

    Parameters
    ----------
    plan : Plan
        Rules, players, seed and so on; its own policies and games do not matter.
    policies : sequence of Policy
        Those that the tables number.
    parts : sequence of sequences of Sitting
        What one thread plays at a time; at least one part.
    done : collection of int
        Numbers of parts to leave out.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of all parts.
    """
    from shanghai_sim.engine import batch

    batch.compile_kernels()

    def one(part: int) -> Seated:
        return together([_played(batch, setup_of(sitting.table), sitting) for sitting in parts[part]])

    def setup_of(table: tuple[int, ...]) -> Any:
        return evolve(plan, policies=tuple(policies[i] for i in table), against=()).setup()

    sizes = [sum(sitting.games for sitting in part) for part in parts]
    games = sum(sizes[part] for part in done)
    for part, seated in in_order(one, (part for part in range(len(parts)) if part not in done), workers):
        yield part, seated
        games += sizes[part]
        if progress is not None:
            progress(games, sum(sizes))


def _played(batch: Any, setup: Any, sitting: Sitting) -> Seated:
    n, rotations = sitting.blocks, sitting.rotations
    found = batch.play_blocks(setup, sitting.first_block, n, rotations=rotations)
    seat_of = np.argsort(found.policy, axis=1, kind="stable")

    def by_place(values: NDArray[Any]) -> NDArray[Any]:
        taken = np.take_along_axis(values, seat_of, axis=1)
        return np.asarray(taken.reshape(n, rotations, -1).sum(axis=1))

    return Seated(
        np.tile(np.array(sitting.table, dtype=np.int64), (n, 1)),
        np.arange(sitting.first_block, sitting.first_block + n, dtype=np.int64),
        by_place(found.totals.astype(np.int64)),
        by_place(found.win),
    )
