"""The result of a tournament in words: who wins, by how much, and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from shanghai_sim.inference.blocks import FloatArray

#: Units below which nothing is claimed in words. A unit is here a mean over all compositions or over a round of
#: tables, so fewer do than where it is the games of one table.
LEAST_UNITS = 50


@frozen
class Ranking:
    """Policies from first to last, and which of them are clearly apart.

    Attributes
    ----------
    labels : tuple of str
        From first to last.
    lead : float64[K]
        Points better against the field, in that order.
    low, high : float64[K, K]
        Simultaneous intervals of the differences, in that order; NaN: unknown.
    """

    labels: tuple[str, ...]
    lead: FloatArray
    low: FloatArray
    high: FloatArray

    def together(self) -> NDArray[np.bool_]:
        """Return which policies cannot be told apart, bool[K, K]."""
        return np.asarray(~((self.low > 0) | (self.high < 0)))

    def groups(self) -> list[list[str]]:
        """Return the longest stretches of neighbours in rank none of which can be told apart, those of one left out."""
        alike, k = self.together(), len(self.labels)
        stretches: list[tuple[int, int]] = []
        for first in range(k):
            last = first
            while last + 1 < k and alike[first : last + 1, last + 1].all():
                last += 1
            if last > first and not (stretches and stretches[-1][1] >= last):
                stretches.append((first, last))
        return [list(self.labels[first : last + 1]) for first, last in stretches]


def ranked(labels: Sequence[str], lead: FloatArray, low: FloatArray, high: FloatArray) -> Ranking:
    """Return the ranking by lead; of equal leads the first named comes first."""
    order = np.argsort(-lead, kind="stable")
    return Ranking(
        tuple(labels[i] for i in order), lead[order], low[np.ix_(order, order)], high[np.ix_(order, order)]
    )


def verdict(ranking: Ranking, units: int, games: int, least_games: int, per: str) -> str:
    """Return the answer in words.

    Parameters
    ----------
    ranking : Ranking
    units, games : int
        Independent units and games played.
    least_games : int
        Games from which on something is claimed.
    per : str
        What points are counted over, e.g. "a game".
    """
    first, second, *_ = ranking.labels
    size = f"{_size(ranking):.1f} points {per}"
    if ranking.low[0, 1] == ranking.high[0, 1] == 0:
        same = f"{first} and {second} do exactly the same against the field ({games:,} games)"
        return _sentence(same, ranking.groups()[1:])
    sure = (
        f"95 % interval {ranking.low[0, 1] + 0.0:.1f} to {ranking.high[0, 1]:.1f}, for all pairs at once; "
        f"{games:,} games"
    )
    if units < LEAST_UNITS:
        return (
            f"Too few games to tell: in {games:,} games {first} does best against the field, {size} better than "
            f"{second}; {least_games:,} games are the least."
        )
    groups = ranking.groups()
    if ranking.low[0, 1] > 0:
        return _sentence(
            f"{first} wins: {size} better against the field than {second}, the second ({sure})", groups
        )
    level = [label for label, same in zip(ranking.labels, ranking.together()[0], strict=True) if same]
    return _sentence(
        f"No single winner: {first} does best against the field, but is not clearly better than "
        f"{listed(level[1:], 'or')} ({size} better than {second}; {sure})",
        [group for group in groups if not set(group) <= set(level)],
    )


def finding(ranking: Ranking, units: int, per: str) -> str:
    """Return the same in a few words, for a title."""
    first, second, *_ = ranking.labels
    half = (ranking.high[0, 1] - ranking.low[0, 1]) / 2
    if ranking.low[0, 1] == ranking.high[0, 1] == 0:
        return f"{first} and {second} do exactly the same against the field"
    if units < LEAST_UNITS:
        return f"Too few games to tell: {first} before {second} so far"
    size = f"{_size(ranking):.1f} ± {half:.1f} points"
    if ranking.low[0, 1] > 0:
        return f"{first} wins, {size} {per} better against the field than {second}"
    level = [label for label, same in zip(ranking.labels, ranking.together()[0], strict=True) if same]
    return f"No single winner: {first} is not clearly better than {listed(level[1:], 'or')}"


def _size(ranking: Ranking) -> float:
    return float(ranking.lead[0] - ranking.lead[1])


def _sentence(text: str, groups: Sequence[Sequence[str]]) -> str:
    if not groups:
        return f"{text}."
    return f"{text}; not told apart: {'; '.join(listed(group, 'and') for group in groups)}."


def listed(words: Sequence[str], last: str) -> str:
    """Return words as a list: ``a, b and c``."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else words[0]
