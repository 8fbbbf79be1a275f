"""From the games of a chunk to rows of the result tables (`columns.GAMES`, `columns.DEALS`), in game order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.simulation.aggregate import RECORD
from shanghai_sim.simulation.columns import DEAL_RECORD, DEALS, END_REASONS, GAMES, arrow_schema
from shanghai_sim.simulation.plan import Plan


def games_table(batch: Any, plan: Plan, labels: tuple[str, ...], first_block: int) -> Any:
    """Return the pyarrow table of a chunk's games, a row per game and seat.

    Parameters
    ----------
    batch : Batch
        Games as the engine returns them.
    plan : Plan
        What was asked.
    labels : tuple of str
        Label of each of the engine's `members`.
    first_block : int
        The block that the chunk begins with.
    """
    shape = batch.policy.shape
    record = batch.deals.astype(np.int64)
    record[:, -1] *= batch.sudden_death[:, None, None]
    over_deals = record.sum(axis=1)
    columns = _place(plan, first_block, shape) | _who(batch, labels)
    columns |= {
        "points": batch.totals,
        "win_share": batch.win,
        "rank": batch.rank,
        "deals_laid_down": over_deals[..., RECORD["laid_down"]],
        "buys": over_deals[..., RECORD["buys"]],
        "turns": over_deals[..., RECORD["turns"]],
        "sudden_death": np.broadcast_to(batch.sudden_death[:, None], shape),
    }
    return _table(columns, GAMES)


def deals_table(batch: Any, plan: Plan, labels: tuple[str, ...], first_block: int) -> Any:
    """Return the pyarrow table of a chunk's deals, a row per game, deal played and seat; see `games_table`."""
    n_games, n_slots, players, _ = batch.deals.shape
    shape = (n_games, n_slots, players)
    columns: dict[str, Any] = {}
    for name, values in _place(plan, first_block, (n_games, players)).items():
        columns[name] = np.broadcast_to(values[:, None], shape)
    columns["deal"] = np.broadcast_to(np.array(plan.deal_numbers)[None, :, None], shape)
    for name, values in _who(batch, labels).items():
        if isinstance(values, _Text):
            columns[name] = _Text(np.broadcast_to(values.codes[:, None], shape), values.words)
        else:
            columns[name] = np.broadcast_to(values[:, None], shape)
    for i, column in enumerate(DEAL_RECORD):
        columns[column.name] = batch.deals[..., i]
    columns["end_reason"] = _Text(columns["end_reason"], END_REASONS)
    played = np.ones(shape, dtype=np.bool_)
    played[:, -1] = batch.sudden_death[:, None]
    return _table(columns, DEALS, played)


class _Text:
    """A column of words: codes into a fixed list."""

    def __init__(self, codes: NDArray[Any], words: tuple[str, ...]) -> None:
        self.codes = codes
        self.words = words


def _place(plan: Plan, first_block: int, shape: tuple[int, ...]) -> dict[str, NDArray[np.int64]]:
    games = np.arange(shape[0]) + first_block * plan.players
    places = {"game": games, "block": games // plan.players, "rotation": games % plan.players}
    return {name: np.broadcast_to(values[:, None], shape) for name, values in places.items()}


def _who(batch: Any, labels: tuple[str, ...]) -> dict[str, Any]:
    # Two members may share a label (one file named twice), the words of a dictionary column may not repeat.
    words = tuple(dict.fromkeys(labels))
    code = np.array([words.index(label) for label in labels])
    return {
        "seat": np.broadcast_to(np.arange(batch.policy.shape[1]), batch.policy.shape),
        "policy": _Text(code[batch.member], words),
        "policy_index": batch.policy,
    }


def _table(columns: dict[str, Any], layout: Any, keep: NDArray[np.bool_] | None = None) -> Any:
    import pyarrow as pa

    schema = arrow_schema(layout)
    rows = slice(None) if keep is None else keep.reshape(-1)
    arrays = []
    for field in schema:
        values = columns[field.name]
        if isinstance(values, _Text):
            codes = pa.array(values.codes.reshape(-1)[rows], type=pa.int8())
            arrays.append(pa.DictionaryArray.from_arrays(codes, pa.array(values.words, type=pa.string())))
        else:
            kind = field.type.to_pandas_dtype()
            arrays.append(pa.array(np.asarray(values).reshape(-1)[rows].astype(kind, copy=False)))
    return pa.Table.from_arrays(arrays, schema=schema)
