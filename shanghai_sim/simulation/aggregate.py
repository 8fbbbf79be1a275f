"""From the games of a chunk to one vector of values per block (errors work on blocks).

A group is a run of consecutive policy indices (`Plan.group_sizes`). Three kinds of vectors come out:

``game``
    float64[n_blocks, n_groups * len(GAME_METRICS)]: per-game means over the group's seats and the rotations.
``deal``
    float64[n_blocks, n_slots, n_groups, 1 + len(DEAL_METRICS)]: number of seats that played the deal, then
    sums over them; figures are ratios of two components.
``table``
    float64[n_blocks, 1 + n_slots, 2 + len(TABLE_METRICS)]: number of deals, number of games, then sums over
    them. Slot 0 is the whole game; in the others every deal played counts as a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.simulation.columns import (
    DEAL_METRICS,
    DEAL_RECORD,
    END_REASONS,
    GAME_METRICS,
    TABLE_METRICS,
)

RECORD = {column.name: i for i, column in enumerate(DEAL_RECORD)}
_SUMMED = [RECORD[metric.name] for metric in DEAL_METRICS]

#: Index of each component of the vectors of kinds ``deal`` and ``table``.
DEAL_PART = {"seats": 0} | {metric.name: i + 1 for i, metric in enumerate(DEAL_METRICS)}
TABLE_PART = {"deals": 0, "games": 1} | {metric.name: i + 2 for i, metric in enumerate(TABLE_METRICS)}


def block_values(batch: Any, group_sizes: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Return the block values of a chunk of whole blocks.

    Parameters
    ----------
    batch : Batch
        Games as the engine returns them.
    group_sizes : sequence of int
        Policies per group, in order; their sum is the number of players.
    """
    players = batch.policy.shape[1]
    starts = np.concatenate([[0], np.cumsum(group_sizes)[:-1]])
    seat_of, record = by_policy(batch)
    return {
        "game": _game_values(batch, record, seat_of, starts, np.asarray(group_sizes), players),
        "deal": _deal_values(batch, record, starts, np.asarray(group_sizes), players),
        "table": _table_values(batch, record, players),
    }


def by_policy(batch: Any) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the seat of each policy index, [games, players], and the records in that order.

    The records of a sudden death that was not needed are zero.
    """
    seat_of = np.argsort(batch.policy, axis=1, kind="stable")
    record = np.take_along_axis(batch.deals, seat_of[:, None, :, None], axis=2).astype(np.int64)
    record[:, -1] *= batch.sudden_death[:, None, None]
    return seat_of, record


def _by_block(values: NDArray[Any], players: int) -> NDArray[np.float64]:
    """Sum values per game, [n_games, ...], to values per block, [n_blocks, ...]."""
    summed = values.reshape(-1, players, *values.shape[1:]).sum(axis=1)
    return np.asarray(summed, dtype=np.float64)


def _game_values(
    batch: Any, record: NDArray[np.int64], seat_of: NDArray[np.intp], starts: NDArray[Any],
    sizes: NDArray[Any], players: int,
) -> NDArray[np.float64]:  # fmt: skip
    over_deals = record.sum(axis=1)
    whole = {name: np.take_along_axis(array, seat_of, axis=1) for name, array in (
        ("points", batch.totals), ("win_share", batch.win), ("rank", batch.rank),
    )}  # fmt: skip
    whole["deals_laid_down"] = over_deals[..., RECORD["laid_down"]]
    whole["buys"] = over_deals[..., RECORD["buys"]]
    whole["turns"] = over_deals[..., RECORD["turns"]]
    stacked = np.stack([whole[metric.name].astype(np.float64) for metric in GAME_METRICS], axis=-1)
    means = np.add.reduceat(_by_block(stacked, players), starts, axis=1) / (sizes[:, None] * players)
    return np.asarray(means.reshape(len(means), -1))


def _deal_values(
    batch: Any, record: NDArray[np.int64], starts: NDArray[Any], sizes: NDArray[Any], players: int
) -> NDArray[np.float64]:
    sums = np.add.reduceat(_by_block(record[..., _SUMMED], players), starts, axis=2)
    played = _by_block(_played(batch), players)
    seats = played[:, :, None, None] * sizes[:, None]
    return np.concatenate([seats, sums], axis=3)


def _table_values(batch: Any, record: NDArray[np.int64], players: int) -> NDArray[np.float64]:
    played = _played(batch)
    ends = batch.deals[:, :, 0, RECORD["end_reason"]]
    parts: dict[str, NDArray[Any]] = {"deals": played, "games": played}
    for code, reason in enumerate(END_REASONS):
        parts[f"ended_{reason.replace('-', '_')}"] = (ends == code) & played
    parts["reshuffles"] = record[:, :, 0, RECORD["reshuffles"]]
    parts["turns"] = record[..., RECORD["turns"]].sum(axis=2)
    parts["sudden_death"] = np.zeros_like(played)
    by_slot = np.stack([parts[name].astype(np.int64) for name in TABLE_PART], axis=-1)
    whole = by_slot.sum(axis=1, keepdims=True)
    whole[..., TABLE_PART["games"]] = 1
    whole[:, 0, TABLE_PART["sudden_death"]] = batch.sudden_death
    return _by_block(np.concatenate([whole, by_slot], axis=1), players)


def _played(batch: Any) -> NDArray[np.bool_]:
    """Which deals took place, bool[n_games, n_slots]: all but a sudden death that was not needed."""
    played = np.ones(batch.deals.shape[:2], dtype=np.bool_)
    played[:, -1] = batch.sudden_death
    return played
