"""Standings: from what seats got at the tables of a tournament to its figures, a row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from shanghai_sim.experiments.bands import all_pairs, simultaneous
from shanghai_sim.experiments.design import Design
from shanghai_sim.inference.blocks import FloatArray
from shanghai_sim.inference.intervals import MIN_BLOCKS, Interval
from shanghai_sim.inference.metagame import compositions
from shanghai_sim.inference.resampling import Ranks, rank_sets
from shanghai_sim.simulation.sittings import Seated

Row = dict[str, Any]


@frozen
class Values:
    """Block values of a tournament of K policies; points are points better than others, higher is better.

    Attributes
    ----------
    players : int
    lead, lead_win : float64[units, K]
        Mean over the tables of a unit of a policy's lead over the others at its table, and of its seats' share of the
        win.
    matrix, matrix_win : float64[blocks, K, K]
        [b, k, l]: one of k among others of l, its lead over them and its share of the win; 0 and 1/P for k = l.
    tables, tables_win : float64[blocks, rows, K] or None
        Outcome (minus points) and share of the win of a policy's seats at each composition, NaN where it is not
        there. None where not all compositions were played.
    """

    players: int
    lead: FloatArray = field(repr=False)
    lead_win: FloatArray = field(repr=False)
    matrix: FloatArray = field(repr=False)
    matrix_win: FloatArray = field(repr=False)
    tables: FloatArray | None = field(repr=False)
    tables_win: FloatArray | None = field(repr=False)


def values_of(design: Design, seated: Seated, policies: int) -> Values:
    """Return the block values of what was played.

    Parameters
    ----------
    design : Design
        What was to be played.
    seated : Seated
        All of it, in order.
    policies : int
        K.
    """
    players = seated.table.shape[1]
    here = seated.table[:, :, None] == np.arange(policies)
    seats = here.sum(axis=1)
    alone = seats.max(axis=1) == players
    games = np.where(alone, 1, players)
    # Whole numbers up to the last division: equal policies come out equal to the last bit.
    points = (seated.points[:, :, None] * here).sum(axis=1)
    others = seated.points.sum(axis=1)[:, None] - points
    with np.errstate(divide="ignore", invalid="ignore"):
        outcome = -points / (seats * games[:, None])
        lead = others / ((players - seats) * games[:, None]) + outcome
        win = (seated.win[:, :, None] * here).sum(axis=1) / (seats * games[:, None])
    there = (seats > 0) & ~alone[:, None]
    size = design.units if design.full else design.units * policies
    n_rounds = len(seats) if design.full else size
    unit = seated.block[:n_rounds] if design.full else np.arange(size) // policies
    is_there = there[:n_rounds]
    field_lead = _means(unit, np.where(is_there, lead[:n_rounds], 0.0), is_there, design.units)
    field_win = _means(unit, np.where(is_there, win[:n_rounds], 0.0), is_there, design.units)
    cells = np.arange(len(seats)) >= (0 if design.full else size)
    matrix, matrix_win = _matrix(design, seats, seated.block, lead, win, cells)
    if not design.full:
        return Values(players, field_lead, field_win, matrix, matrix_win, None, None)
    number = {row.tobytes(): i for i, row in enumerate(compositions(policies, players))}
    row_of = np.array([number[row.tobytes()] for row in seats.astype(np.int64)])
    tables, tables_win = (np.full((design.units, len(number), policies), np.nan) for _ in range(2))
    tables[seated.block, row_of] = np.where(seats > 0, outcome, np.nan)
    tables_win[seated.block, row_of] = np.where(seats > 0, win, np.nan)
    return Values(players, field_lead, field_win, matrix, matrix_win, tables, tables_win)


def _means(unit: Any, values: FloatArray, there: Any, units: int) -> FloatArray:
    """Return the mean of each column over the rows of a unit in which it is there."""
    total, count = np.zeros((units, values.shape[1])), np.zeros((units, values.shape[1]))
    np.add.at(total, unit, values)
    np.add.at(count, unit, there)
    return np.asarray(total / count)


def _matrix(
    design: Design, seats: Any, block: Any, lead: FloatArray, win: FloatArray, rows: Any
) -> tuple[FloatArray, FloatArray]:
    players, k = int(seats[0].sum()), seats.shape[1]
    matrix = np.zeros((design.cell_blocks, k, k))
    matrix_win = np.full((design.cell_blocks, k, k), 1 / players)
    for one in range(k):
        for other in range(k):
            if one != other:
                at = np.flatnonzero(rows & (seats[:, one] == 1) & (seats[:, other] == players - 1))
                matrix[block[at], one, other] = lead[at, one]
                matrix_win[block[at], one, other] = win[at, one]
    return matrix, matrix_win


@frozen
class Standings:
    """What the block values say.

    Attributes
    ----------
    ranks : Ranks
        By points against the field.
    pairs_low, pairs_high : float64[K, K]
        Simultaneous intervals of all differences against the field, row minus column.
    rows : list of dict
        The figures (keys: simulation.question_columns.TOURNAMENT) but those of the meta-game.
    """

    ranks: Ranks
    pairs_low: FloatArray
    pairs_high: FloatArray
    rows: list[Row] = field(repr=False)


def standings(values: Values, labels: Sequence[str], blocks: int, seed: int) -> Standings:
    """Return the standings.

    Parameters
    ----------
    values : Values
        Block values.
    labels : sequence of str
        The policies' names.
    blocks : int
        Blocks behind each policy's figure against the field.
    seed : int
        Seed of the bootstraps.
    """
    low, high = all_pairs(values.lead, seed)
    ranks = rank_sets(values.lead, seed) if len(values.lead) >= MIN_BLOCKS else _no_ranks(values.lead)
    rows = [*_field_rows(values, ranks, labels, blocks, seed), *_matrix_rows(values, labels, seed)]
    if values.tables is not None and values.tables_win is not None:
        rows += _table_rows(values.players, values.tables, values.tables_win, labels, seed)
    return Standings(ranks, low, high, rows)


def _no_ranks(values: FloatArray) -> Ranks:
    mean = values.mean(axis=0)
    rank = 1 + (mean[None, :] > mean[:, None]).sum(axis=1)
    k = len(mean)
    return Ranks(rank, np.ones(k, np.int64), np.full(k, k), np.full(k, np.nan))


def row(part: str, policy: str, against: str, metric: str, ends: Sequence[float], blocks: int) -> Row:
    """Return one row of figures: estimate, low and high in `ends`."""
    estimate, low, high = map(float, ends)
    return {
        "part": part, "policy": policy, "against": against, "metric": metric, "estimate": estimate, "low": low,
        "high": high, "n_blocks": int(blocks),
    }  # fmt: skip


def _shares(values: FloatArray, seed: int) -> Interval:
    """Return shares with simultaneous intervals, which no share can leave."""
    found = simultaneous(values, seed)
    return Interval(found.estimate, np.maximum(found.low, 0.0), np.minimum(found.high, 1.0), found.n_blocks)


def _field_rows(values: Values, ranks: Ranks, labels: Sequence[str], blocks: int, seed: int) -> Iterator[Row]:
    for metric, found in (
        ("points_better", simultaneous(values.lead, seed)),
        ("win_share", _shares(values.lead_win, seed)),
    ):
        for i, label in enumerate(labels):
            yield row("field", label, "", metric, (found.estimate[i], found.low[i], found.high[i]), blocks)
    for i, label in enumerate(labels):
        yield row("field", label, "", "rank", (ranks.rank[i], ranks.low[i], ranks.high[i]), blocks)
        yield row("field", label, "", "best", (ranks.best[i], np.nan, np.nan), blocks)


def _matrix_rows(values: Values, labels: Sequence[str], seed: int) -> Iterator[Row]:
    k = len(labels)
    first, second = np.nonzero(~np.eye(k, dtype=bool))
    for metric, array, ends_of in (
        ("points_better", values.matrix, simultaneous),
        ("win_share", values.matrix_win, _shares),
    ):
        found = ends_of(array[:, first, second], seed)
        for i, (one, other) in enumerate(zip(first, second, strict=True)):
            ends = (found.estimate[i], found.low[i], found.high[i])
            yield row("matrix", labels[int(one)], labels[int(other)], metric, ends, found.n_blocks)


def _table_rows(
    players: int, tables: FloatArray, wins: FloatArray, labels: Sequence[str], seed: int
) -> Iterator[Row]:
    counts = compositions(len(labels), players)
    row_of, policy_of = np.nonzero(counts)
    names = [
        ", ".join(f"{n} {label}" for n, label in zip(count, labels, strict=True) if n) for count in counts
    ]
    for metric, array, ends_of in (("points", -tables, simultaneous), ("win_share", wins, _shares)):
        found = ends_of(array[:, row_of, policy_of], seed)
        for i, (at, policy) in enumerate(zip(row_of, policy_of, strict=True)):
            ends = (found.estimate[i], found.low[i], found.high[i])
            yield row("tables", labels[int(policy)], names[int(at)], metric, ends, found.n_blocks)
