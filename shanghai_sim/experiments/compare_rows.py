"""The figures of a comparison: differences with their intervals, and how large they are in units people feel."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.experiments.estimands import Blocks, Question
from shanghai_sim.experiments.luck import gain_of
from shanghai_sim.experiments.stopping import Precision
from shanghai_sim.inference import effects
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.power import games_to_notice
from shanghai_sim.inference.verdicts import judge
from shanghai_sim.simulation.question_columns import COMPARISON

Row = dict[str, Any]
_NAMES = [column.name for column in COMPARISON]
_NAN = math.nan


def sign_of(question: Question) -> float:
    """Return the factor that makes more the better: points are bad, but of rules neither side is."""
    return -1.0 if question.kind == "policies" else 1.0


def comparison_rows(question: Question, values: Blocks, precision: Precision, found: Interval) -> list[Row]:
    """Return the figures, a mapping a row (keys: simulation.question_columns.COMPARISON); NaN: no figure.

    Parameters
    ----------
    question : Question
    values : Blocks
        The blocks that count.
    precision : Precision
        How intervals are made.
    found : Interval
        The difference in points.
    """
    rows = [
        *_game(question, values, precision, found),
        *_deals(question, values, precision),
        *_seats(question, values, precision),
        *_sizes(question, values, precision, found),
    ]
    return [dict(zip(_NAMES, row, strict=True)) for row in rows]


def _row(
    part: str, metric: str, found: Interval, at: Any = (), *, number: int = 0, contract: str = "",
    sides: tuple[float, float] = (_NAN, _NAN),
) -> tuple[Any, ...]:  # fmt: skip
    return (
        part, number, contract, metric, float(sides[0]), float(sides[1]),
        float(found.estimate[at]), float(found.low[at]), float(found.high[at]), found.n_blocks,
    )  # fmt: skip


def _plain(value: float, n: int) -> Interval:
    """Return a figure that has no interval; what is not finite is none."""
    number = np.array(value if math.isfinite(value) else _NAN)
    return Interval(number, np.array(_NAN), np.array(_NAN), n)


def _means(pairs: NDArray[Any]) -> tuple[float, float]:
    """Return the means of both sides of float64[n, 2]."""
    return float(pairs[:, 0].mean()), float(pairs[:, 1].mean())


def _game(question: Question, values: Blocks, precision: Precision, found: Interval) -> Iterator[Any]:
    yield _row("game", "points", found, sides=_means(values.point_means))
    pairs = {
        "win_share": values.win.mean(axis=2),
        "buys": values.buys,
        "turns": values.turns,
        "winner_points": values.winner,
    }
    if question.kind != "policies":
        # Everybody plays alike: shares of the wins are 1/P on either side.
        del pairs["win_share"]
    for metric, pair in pairs.items():
        yield _row("game", metric, precision.interval(pair[:, 0] - pair[:, 1]), sides=_means(pair))


def _deals(question: Question, values: Blocks, precision: Precision) -> Iterator[Any]:
    found = precision.together(sign_of(question) * (values.deals[:, 0] - values.deals[:, 1]))
    for i, (number, contract) in enumerate(zip(question.deals, question.contracts, strict=True)):
        sides = _means(values.deals[:, :, i])
        yield _row("deal", "points", found, i, number=number, contract=contract, sides=sides)


def _seats(question: Question, values: Blocks, precision: Precision) -> Iterator[Any]:
    found = precision.together(sign_of(question) * (values.points[:, 0] - values.points[:, 1]).astype(float))
    for seat in range(question.players):
        yield _row("seat", "points", found, seat, number=seat, sides=_means(values.points[:, :, seat]))


def _sizes(question: Question, values: Blocks, precision: Precision, found: Interval) -> Iterator[Any]:
    n = len(values)
    variance = [float(values.points[:, side].var()) for side in (0, 1)]
    sd_game = math.sqrt(sum(variance) / 2)
    if question.kind == "policies":
        shares = values.win.mean(axis=2)
        for side, of_side in zip(("variant", "baseline"), shares.T, strict=True):
            share = precision.interval(of_side)
            yield _row("size", f"wins_{side}", share)
            yield _row("size", f"table_elo_{side}", _finite(effects.table_elo(share, question.players)))
        better = sign_of(question) * values.points.astype(np.float64)
        wins = effects.paired_wins(better[:, 0], better[:, 1])
        beats = precision.interval(wins)
        yield _row(
            "size", "beats", Interval(beats.estimate, np.clip(beats.low, 0, 1), np.clip(beats.high, 0, 1), n)
        )
        yield _row("size", "games_to_notice", _to_notice(found, math.sqrt(sum(variance))))
    if sd_game > 0:
        yield _row("size", "d", effects.standardised(found, sd_game))
    yield _row("size", "per_100_evenings", effects.per_evenings(found))
    share_of_games = values.differing / question.variant.rotations
    yield _row("size", "games_differing", _plain(float(share_of_games.mean()), n))
    yield _row("size", "blocks_differing", _plain(float((values.differing > 0).mean()), n))
    means = values.point_means
    if n < 2:
        return
    yield _row("size", "correlation", _plain(effects.arm_correlation(means[:, 0], means[:, 1]), n))
    found_gain = gain_of(question, values, sign_of(question))
    gain = found_gain.values
    if found_gain.worth is not None:
        yield _row("size", "luck_worth", _plain(found_gain.worth, n))
        yield _row("size", "luck_out", _plain(float(found_gain.used), n))
    if sd_game > 0:
        error = float(gain.std(ddof=1)) / math.sqrt(n)
        factor = effects.variance_reduction(
            variance[0], variance[1], n * question.games_per_block, error
        ).factor
        yield _row("size", "variance_reduction", _plain(factor, n))
    yield _row("size", "smallest_effect", _plain(precision.smallest(gain), n))
    needed = judge(float(found.low), float(found.high), question.margin, n).blocks_needed
    yield _row("size", "blocks_needed", _plain(_NAN if needed is None else needed, n))


def _to_notice(found: Interval, sd_game: float) -> Interval:
    """Return games to notice; the upper end is open where 0 is within the interval of the difference."""
    low, high = float(found.low), float(found.high)
    ends = sorted((abs(low), abs(high)))
    games = [games_to_notice(size, sd_game) for size in (abs(float(found.estimate)), ends[1], ends[0])]
    if low <= 0 <= high:
        games[2] = math.inf
    numbers = [np.array(value if math.isfinite(value) else _NAN) for value in games]
    return Interval(numbers[0], numbers[1], numbers[2], found.n_blocks)


def _finite(found: Interval) -> Interval:
    """Return an interval whose infinite ends are no figures."""
    estimate, low, high = (np.where(np.isfinite(x), x, _NAN) for x in (found.estimate, found.low, found.high))
    return Interval(estimate, low, high, found.n_blocks)
