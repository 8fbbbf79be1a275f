"""Which tables a tournament plays: all compositions where they are few, or else a balanced design.

All compositions: each of them on every block. Balanced: rounds, and beside them the tables of one policy among
others of another. A round has as many tables as there are policies; each policy has as many seats in it as there are
players, and no table holds a policy twice where there are enough policies. Rounds are drawn from streams keyed by seed
and round, a few at a time, of which the one is taken that brings pairs of policies to a table most evenly. So a longer
tournament begins as a shorter one does.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from shanghai_sim.defaults import NAMESPACES
from shanghai_sim.inference.metagame import compositions
from shanghai_sim.simulation.plan import Plan
from shanghai_sim.simulation.runner import CHUNK_GAMES
from shanghai_sim.simulation.sittings import Sitting

#: Blocks that each composition must get for all of them to be played.
LEAST_BLOCKS = 50
#: Compositions beyond which they are not all played whatever the games: nobody waits for their equilibria.
MOST_COMPOSITIONS = 500
#: Rounds drawn for each that is played.
_DRAWN = 8
#: Marks the streams of designs.
_PURPOSE = 1_414_213_562
Part = tuple[Sitting, ...]


@frozen
class Design:
    """What is played.

    Attributes
    ----------
    full : bool
        Whether all compositions are played.
    units : int
        Blocks, or rounds: what is independent.
    cell_blocks : int
        Blocks in each cell of the matrix of one policy among others of another.
    parts : tuple of tuple of Sitting
        In order.
    field_parts : int
        How many parts at the beginning are rounds; all where all compositions are played.
    """

    full: bool
    units: int
    cell_blocks: int
    parts: tuple[Part, ...] = field(repr=False)
    field_parts: int

    @property
    def games(self) -> int:
        """How many games are played."""
        return sum(sitting.games for part in self.parts for sitting in part)


def make_design(plan: Plan, policies: int) -> Design:
    """Return the design for so many policies.

    Parameters
    ----------
    plan : Plan
        Players, games (rounded up to whole blocks of all tables), seed and namespace.
    policies : int
        K, 2 or more.
    """
    players = plan.players
    number = comb(players + policies - 1, players)
    a_block = (number - policies) * players + policies
    if number <= MOST_COMPOSITIONS and plan.games >= LEAST_BLOCKS * a_block:
        units = -(-plan.games // a_block)
        parts = tuple(_all_tables(plan, policies, units, max(1, CHUNK_GAMES // a_block)))
        return Design(True, units, units, parts, len(parts))
    pairs = _one_among(policies, players)
    half = -(-plan.games // 2)
    rounds = max(2, -(-half // (policies * players)))
    blocks = max(2, -(-half // (len(pairs) * players)))
    size = max(1, CHUNK_GAMES // (policies * players))
    sittings = [
        [Sitting(table, r * policies + t, 1) for t, table in enumerate(tables)]
        for r, tables in enumerate(balanced_rounds(plan, policies, rounds))
    ]
    in_rounds = [tuple(s for one in sittings[r : r + size] for s in one) for r in range(0, rounds, size)]
    at_once = max(1, CHUNK_GAMES // (blocks * players))
    cells = [
        tuple(Sitting(table, 0, blocks) for table in pairs[i : i + at_once])
        for i in range(0, len(pairs), at_once)
    ]
    return Design(False, rounds, blocks, (*in_rounds, *cells), len(in_rounds))


def _one_among(policies: int, players: int) -> list[tuple[int, ...]]:
    """Return the tables of one policy among others of another; with two players each pair is one of them."""
    return [
        (one, *[other] * (players - 1))
        for one in range(policies)
        for other in range(policies)
        if one != other and (players > 2 or one < other)
    ]


def _all_tables(plan: Plan, policies: int, blocks: int, size: int) -> Iterator[Part]:
    """Yield stretches of blocks with all compositions; who sits beside whom is drawn anew for every block."""
    tables = [
        tuple(np.repeat(np.arange(policies), row).tolist()) for row in compositions(policies, plan.players)
    ]
    # With all seats but one alike all orders are rotations of one another.
    fixed = [max(np.bincount(table)) >= plan.players - 1 for table in tables]
    for start in range(0, blocks, size):
        n = min(size, blocks - start)
        part = [Sitting(table, start, n) for table, same in zip(tables, fixed, strict=True) if same]
        for block in range(start, start + n):
            rng = _stream(plan, block)
            for table, same in zip(tables, fixed, strict=True):
                order = _shuffled(rng, plan.players)
                if not same:
                    part.append(Sitting(tuple(table[i] for i in order), block, 1))
        yield tuple(part)


def balanced_rounds(plan: Plan, policies: int, rounds: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield the tables of each round.

    Parameters
    ----------
    plan : Plan
        Players, seed and namespace.
    policies : int
        K, 2 or more.
    rounds : int
        How many.
    """
    met = np.zeros((policies, policies), dtype=np.int64)
    other = ~np.eye(policies, dtype=bool)
    for r in range(rounds):
        rng = _stream(plan, r)
        drawn = [_round(rng, policies, plan.players) for _ in range(_DRAWN)]
        pairs = [_meetings(tables, policies) for tables in drawn]
        best = min(range(_DRAWN), key=lambda i: int(((met + pairs[i])[other] ** 2).sum()))
        met += pairs[best]
        yield [tuple(row) for row in drawn[best].tolist()]


def _round(rng: np.random.Generator, policies: int, players: int) -> NDArray[np.int64]:
    """Return one round, int64[policies, players]: the same differences moved round a random circle of policies."""
    circle = np.array(_shuffled(rng, policies))
    steps = np.resize(np.array(_shuffled(rng, policies)), players)
    places = np.arange(policies)[:, None] + steps[_shuffled(rng, players)]
    return np.asarray(circle[places % policies])


def _meetings(tables: NDArray[np.int64], policies: int) -> NDArray[np.int64]:
    """Return how often the seats of each two policies meet, int64[policies, policies]."""
    seats = (tables[:, :, None] == np.arange(policies)).sum(axis=1)
    return np.asarray(seats.T @ seats)


def _stream(plan: Plan, number: int) -> np.random.Generator:
    key = (_PURPOSE, plan.seed, NAMESPACES.index(plan.namespace), number)
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))


def _shuffled(rng: np.random.Generator, n: int) -> list[int]:
    order: list[int] = np.argsort(rng.random(n), kind="stable").tolist()
    return order
