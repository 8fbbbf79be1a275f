"""A portrait in words: how good a policy is at its table, and what kind of player, beside the others there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan, log
from typing import Any, NamedTuple

from shanghai_sim.inference.intervals import MIN_BLOCKS_FOR_VERDICT
from shanghai_sim.simulation.plan import Plan

#: A figure that differs by less than this factor is no trait.
_LEAST = 1.2
#: What a factor counts at most, so that a nought does not outweigh all else.
_MOST = 10.0
#: Shares below this are small whatever the factor between them.
_SMALL_SHARE = 0.02
_TRAITS = 2


class Figure(NamedTuple):
    """An estimate and its interval."""

    estimate: float
    low: float
    high: float


class Trait(NamedTuple):
    """A way in which a policy differs from the others, and how much (a logarithm of a factor)."""

    size: float
    text: str


class Portrait:
    """What the figures of a profile say in words.

    Parameters
    ----------
    plan, mirror : Plan, Plan or None
        See `profile.Profile`.
    rows : sequence of mappings
        Figures (keys: simulation.columns.PROFILE).
    """

    def __init__(self, plan: Plan, mirror: Plan | None, rows: Sequence[Mapping[str, Any]]) -> None:
        self._plan = plan
        self._own, self._others = plan.group_labels
        seating = plan.context()["policies"]
        self._figures = {
            (row["group"], row["deal"], row["metric"]): Figure(row["estimate"], row["low"], row["high"])
            for row in rows
            if row["table"] == seating and row["turn"] == 0
        }

    def verdict(self) -> str:
        """Return one sentence: points won or lost with interval, games and seed; then its traits."""
        plan = self._plan
        gap = self._gap()
        games = f"{plan.games:,} games, seed {plan.seed}"
        if gap.low == gap.high == 0:
            return f"{self._own} meets its own kind, so nothing is won or lost ({games}); {self._habits()}."
        sure = f"95 % interval {_ordered(gap)}; {games}"
        if plan.blocks < MIN_BLOCKS_FOR_VERDICT:
            return (
                f"Too few games to tell how good {self._own} is: it {self._points(gap)} ({games}); "
                f"{MIN_BLOCKS_FOR_VERDICT * plan.players:,} games are the least."
            )
        if gap.low <= 0 <= gap.high:
            return f"{self._own} is about as good as {self._others}: {self._points(gap)} ({sure}); it {self._kind()}."
        return f"{self._own} {self._points(gap)} ({sure}); it {self._kind()}."

    def finding(self) -> str:
        """Return the same in a few words, for a title."""
        gap = self._gap()
        if gap.low == gap.high == 0:
            return f"{self._own} among its own kind: {self._habits()}"
        half = "" if isnan(gap.low) else f" ± {(gap.high - gap.low) / 2:.0f}"
        verb, word = ("loses", "to") if gap.estimate > 0 else ("wins", "from")
        points = f"{verb} {abs(gap.estimate):.0f}{half} points {self._per()} {word} {self._others}"
        return f"{self._own}: {points}; {self._kind(1)}"

    def _per(self) -> str:
        return "a game" if self._plan.deals is None else "over these deals"

    def _gap(self) -> Figure:
        return self._figures[f"{self._own} minus {self._others}", 0, "points"]

    def _points(self, gap: Figure) -> str:
        verb, word = ("loses", "to") if gap.estimate > 0 else ("wins", "from")
        return f"{verb} {abs(gap.estimate):.1f} points {self._per()} {word} {self._others}"

    def _habits(self) -> str:
        """Return what it does, in numbers."""
        own = {metric: self._figures[self._own, 0, metric].estimate for metric in (
            "buys", "deals_laid_down", "median_lay_down", "wild_age",
        )}  # fmt: skip
        median = own["median_lay_down"]
        when = "less than half of its contracts ever" if isnan(median) else f"half by own turn {median:.0f}"
        wild = "" if isnan(own["wild_age"]) else f", a wild stays {own['wild_age']:.1f} own turns"
        deals = len(self._plan.deal_numbers) - 1
        return (
            f"it buys {own['buys']:.1f} cards a game, lays down {own['deals_laid_down']:.1f} of {deals} contracts, "
            f"{when}{wild}"
        )

    def _kind(self, most: int = _TRAITS) -> str:
        """Return its greatest traits in words."""
        found = sorted(self._traits(), key=lambda trait: -trait.size)[:most]
        if not found:
            return "plays much alike in buys, lay-downs and wilds"
        return " and ".join(trait.text for trait in found)

    def _traits(self) -> Iterator[Trait]:
        yield from self._buying()
        yield from self._time()
        for metric, more, fewer in (
            ("take_rate", "takes the discard {} as often", "takes the discard {} as often"),
            ("wild_age", "keeps its wilds {} as long", "keeps its wilds {} as long"),
        ):
            if factor := self._factor(metric):
                yield Trait(abs(log(factor)), (more if factor > 1 else fewer).format(_times(factor)))
        thrown = self._figures[self._own, 0, "wilds_discarded_share"]
        if (
            thrown.estimate > _SMALL_SHARE
            and (factor := self._factor("wilds_discarded_share"))
            and factor > 1
        ):
            yield Trait(log(factor), f"throws away {thrown.estimate:.0%} of its wilds".replace("%", " %"))

    def _buying(self) -> Iterator[Trait]:
        by_deal = {
            deal: figure.estimate
            for (group, deal, metric), figure in self._figures.items()
            if group == self._own and metric == "buys" and deal > 0
        }
        if self._figures[self._others, 0, "buys"].estimate == 0:
            return
        begins = next((deal for deal in sorted(by_deal) if by_deal[deal] > 0), None)
        if begins is None:
            yield Trait(log(_MOST), "never buys")
        elif begins > min(by_deal):
            yield Trait(log(_MOST), f"buys nothing before contract {begins}")
        elif factor := self._factor("buys"):
            yield Trait(abs(log(factor)), f"buys {_times(factor)} as many cards")

    def _time(self) -> Iterator[Trait]:
        own, others = (self._figures[group, 0, "median_lay_down"] for group in (self._own, self._others))
        if isnan(own.estimate) and not isnan(others.estimate):
            yield Trait(log(_MOST), "gets less than half of its contracts down")
        elif own.low > others.high or own.high < others.low:
            later = own.estimate > others.estimate
            text = (
                f"lays down {'later' if later else 'sooner'} (half of its contracts by own turn "
                f"{own.estimate:.0f}, the others by {others.estimate:.0f})"
            )
            yield Trait(abs(log(own.estimate / others.estimate)), text)

    def _factor(self, metric: str) -> float | None:
        """Return how many times the others' figure its own is, where that is clear and not small."""
        own, others = (self._figures[group, 0, metric] for group in (self._own, self._others))
        if not (own.low > others.high or own.high < others.low):
            return None
        factor = max(own.estimate, others.estimate / _MOST) / max(others.estimate, own.estimate / _MOST)
        factor = min(max(factor, 1 / _MOST), _MOST)
        return None if 1 / _LEAST < factor < _LEAST else factor


def _ordered(gap: Figure) -> str:
    """Return the interval of points lost or won, whichever the estimate is, the lower end first."""
    low, high = (gap.low, gap.high) if gap.estimate > 0 else (-gap.high, -gap.low)
    return f"{low:.1f} to {high:.1f}"


def _times(factor: float) -> str:
    return "half" if 0.45 < factor < 0.55 else "twice" if 1.9 < factor < 2.1 else f"{factor:.1f} times"
