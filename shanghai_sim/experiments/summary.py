"""The figures of a run, with intervals from blocks, and the answer in words."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np

from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import (
    MIN_BLOCKS,
    MIN_BLOCKS_FOR_VERDICT,
    Interval,
    contrast_interval,
    mean_interval,
    ratio_interval,
)
from shanghai_sim.simulation.aggregate import DEAL_PART, TABLE_PART
from shanghai_sim.simulation.columns import DEAL_METRICS, GAME_METRICS, SUMMARY, TABLE_METRICS
from shanghai_sim.simulation.plan import Plan

TABLE = "(table)"
_GAME = [metric.name for metric in GAME_METRICS]


def summary_rows(plan: Plan, moments: Mapping[str, Moments]) -> list[dict[str, Any]]:
    """Return the summary of a run, a mapping a row (keys: simulation.columns.SUMMARY); NaN: no figure."""
    names = [column.name for column in SUMMARY]
    rows = [*_game_rows(plan, moments), *_deal_rows(plan, moments), *_table_rows(plan, moments)]
    return [dict(zip(names, row, strict=True)) for row in rows]


def is_nan(value: Any) -> bool:
    """Return whether a value stands for "no figure"."""
    return isinstance(value, float) and isnan(value)


def summary_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return summary rows as CSV; a cell is empty where there is no figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([["" if is_nan(value) else value for value in row.values()] for row in rows])
    return text.getvalue()


def _row(group: str, deal: int, metric: str, found: Interval, at: Any = ()) -> tuple[Any, ...]:
    return (
        group, deal, metric, float(found.estimate[at]), float(found.low[at]), float(found.high[at]),
        found.n_blocks,
    )  # fmt: skip


def _game_rows(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[tuple[Any, ...]]:
    labels = plan.group_labels
    found = mean_interval(moments["game"])
    for g, label in enumerate(labels):
        for m, metric in enumerate(_GAME):
            yield _row(label, 0, metric, found, g * len(_GAME) + m)
    if len(labels) == 2:
        for metric in ("points", "win_share", "rank"):
            yield _row(f"{labels[0]} minus {labels[1]}", 0, metric, _difference(moments, 0, 1, metric))


def _difference(
    moments: Mapping[str, Moments], first: int, second: int, metric: str, level: float = 0.95
) -> Interval:
    """Return a figure of one group minus that of another, at the same tables."""
    weights = np.zeros(moments["game"].mean.shape[-1])
    weights[first * len(_GAME) + _GAME.index(metric)] = 1
    weights[second * len(_GAME) + _GAME.index(metric)] = -1
    return contrast_interval(moments["game"], weights, level)


def _played_slots(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[tuple[int, int]]:
    """Yield (slot, deal number) of the deals that were played at all."""
    for slot, deal in enumerate(plan.deal_numbers):
        if moments["table"].mean[slot + 1, TABLE_PART["games"]] > 0:
            yield slot, deal


def _deal_rows(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[tuple[Any, ...]]:
    found = {}
    for metric in DEAL_METRICS:
        per = "laid_down" if metric.per == "lay-down" else "seats"
        found[metric.name] = ratio_interval(moments["deal"], DEAL_PART[metric.name], DEAL_PART[per])
    for slot, deal in _played_slots(plan, moments):
        for g, label in enumerate(plan.group_labels):
            for name, interval in found.items():
                yield _row(label, deal, name, interval, (slot, g))


def _table_rows(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[tuple[Any, ...]]:
    slots = [(0, 0), *((slot + 1, deal) for slot, deal in _played_slots(plan, moments))]
    for metric in TABLE_METRICS:
        per = "deals" if metric.per == "deal" else "games"
        found = ratio_interval(moments["table"], TABLE_PART[metric.name], TABLE_PART[per])
        for at, deal in slots:
            if deal == 0 or metric.name != "sudden_death":
                yield _row(TABLE, deal, metric.name, found, at)


def verdict(plan: Plan, moments: Mapping[str, Moments]) -> str:
    """Return the answer in words: who does better at this table, and by how many points a game.

    With more than two groups the best is set beside the second best, and since both were picked by their results
    the interval is widened to hold for all pairs at once (Bonferroni).
    """
    labels = plan.group_labels
    points = moments["game"].mean[_GAME.index("points") :: len(_GAME)]
    best, second = (int(i) for i in np.argsort(points, kind="stable")[:2])
    pairs = len(labels) * (len(labels) - 1) // 2
    found = _difference(moments, best, second, "points", level=1 - 0.05 / pairs)
    # Adding 0 makes -0 a plain 0.
    size, low, high = (0.0 - float(x) + 0.0 for x in (found.estimate, found.high, found.low))
    per = "a game" if plan.deals is None else "over these deals"
    difference = f"{size:.1f} points {per} less than {labels[second]}"
    interval = f"95 % interval {low:.1f} to {high:.1f}" + (", for all pairs at once" if pairs > 1 else "")
    games = f"{plan.games:,} games"
    if low == high == 0:
        return f"{labels[best]} and {labels[second]} score exactly the same at this table ({games})."
    if found.n_blocks < MIN_BLOCKS_FOR_VERDICT:
        range_ = f" ({interval})" if found.n_blocks >= MIN_BLOCKS else ""
        return (
            f"Too few games to tell: in {games} {labels[best]} scored {difference}{range_}; "
            f"{MIN_BLOCKS_FOR_VERDICT * plan.players:,} games are the least."
        )
    if low <= 0:
        return f"No clear difference at this table: {labels[best]} scores {difference} ({interval}; {games})."
    return f"{labels[best]} does better at this table: {difference} ({interval}; {games})."
