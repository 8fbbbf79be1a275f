"""Plans for spending a budget of buys over the deals of a game, and a search for a good one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import pandas as pd
from attrs import evolve, frozen

from analyses.differences import difference
from analyses.report import progress_of

#: What `balanced` has: the buys of a deal that are for nothing but cards that help; and all there are in a deal.
KEEP, ALL = 2, 3


@frozen
class Plan:
    """A way to spend buys, deal by deal.

    Attributes
    ----------
    keep : tuple of int
        Buys of the deal that are for cards alone that help at once (`buy.keep`).
    reserve : tuple of int
        Buys of the game that are left for later deals (`buy.reserve`).
    most : tuple of int
        Buys in the deal at most (`buy.max_buys`).
    """

    keep: tuple[int, ...]
    reserve: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def changes(self) -> str:
        """The plan as parameters to put behind `balanced+`: those that are not as they are there."""
        parts = {
            "buy.keep": (self.keep, KEEP),
            "buy.reserve": (self.reserve, 0),
            "buy.max_buys": (self.most, ALL),
        }
        texts = [f"{key}={_text(values)}" for key, (values, usual) in parts.items() if set(values) != {usual}]
        return "+".join(texts) or f"buy.keep={KEEP}"

    @property
    def policy(self) -> str:
        """The policy that is `balanced` but for its buys."""
        return f"balanced+{self.changes}"


def _text(values: Sequence[int]) -> str:
    return str(values[0]) if len(set(values)) == 1 else "/".join(map(str, values))


def split(values: pd.DataFrame, buys: int) -> tuple[int, ...]:
    """Return how many buys each deal gets when so many are shared out once and for all.

    Deals do not touch each other under a limit per deal, so that what their buys are worth adds up; the best split
    is found deal by deal, for every number of buys.

    Parameters
    ----------
    values : DataFrame
        Columns `deal`, `buy` (from 1) and `difference`, what this buy is worth after those before it.
    buys : int
        As many are shared out, or all there are.
    """
    best: list[tuple[float, tuple[int, ...]]] = [(0.0, ())] + buys * [(float("-inf"), ())]
    for _, rows in values.groupby("deal", sort=True):
        worth = [0.0, *accumulate(rows.sort_values("buy")["difference"])]
        best = [
            max((best[n - k][0] + worth[k], (*best[n - k][1], k)) for k in range(min(n, len(worth) - 1) + 1))
            for n in range(buys + 1)
        ]
    return max(best)[1]


def later(spent: Sequence[int]) -> tuple[int, ...]:
    """Return for each deal what the deals after it are to get."""
    return tuple(sum(spent[deal:]) for deal in range(1, len(spent) + 1))


def starts(shares: Sequence[int], needs: Sequence[int]) -> list[Plan]:
    """Return plans to begin a search with.

    Parameters
    ----------
    shares : sequence of int
        What each deal gets when the budget is shared out by what buys are worth.
    needs : sequence of int
        The buys that each contract cannot be made without.
    """
    n = len(needs)
    most = (ALL,) * n
    greedy = Plan((KEEP,) * n, (0,) * n, most)
    plans = [evolve(greedy, keep=most)]
    for reserve in (later(needs), tuple(max(0, r - 2) for r in later(shares)), later(shares)):
        plans += [evolve(greedy, reserve=reserve), evolve(greedy, reserve=reserve, keep=most)]
    for first in (3, 4, 5):
        late = tuple(0 if deal < first else m for deal, m in enumerate(most, 1))
        plans.append(evolve(greedy, most=late, keep=most))
    return plans


def _moved(values: tuple[int, ...], places: range, step: int) -> tuple[int, ...]:
    return tuple(max(0, value + step * (place in places)) for place, value in enumerate(values))


def _keeps(plan: Plan) -> Iterator[Plan]:
    n = len(plan.keep)
    for first in (0, n - 4, n - 3, n - 2, n - 1, n):
        yield evolve(plan, keep=(ALL,) * first + (KEEP,) * (n - first))


def _reserves(plan: Plan) -> Iterator[Plan]:
    """Yield plans that leave more or less in all of the first deals, or in one of the last.

    In one of the first alone it would change little: the deal after it would leave what it left.
    """
    n = len(plan.reserve)
    for end in range(2, n - 2):
        for step in (-1, 1, 2, 4):
            yield evolve(plan, reserve=_moved(plan.reserve, range(end), step))
    for place in range(n - 4, n - 1):
        for step in (-1, 1):
            yield evolve(plan, reserve=_moved(plan.reserve, range(place, place + 1), step))


def _limits(plan: Plan) -> Iterator[Plan]:
    """Yield plans with fewer buys in each of the first deals, or in one."""
    for end in (2, 3, 5, 7):
        for step in (-1, -2, -ALL):
            yield evolve(plan, most=_moved(plan.most, range(end), step))
    for place in range(len(plan.most)):
        yield evolve(plan, most=_moved(plan.most, range(place, place + 1), -1))


#: Ways to change a plan a little, tried one after the other.
MOVES: tuple[Callable[[Plan], Iterator[Plan]], ...] = (_keeps, _reserves, _limits)


def merged(plan: Plan, better: Sequence[Plan]) -> Plan:
    """Return a plan changed in all ways together in which each of some others differs from it."""
    values = {key: list(getattr(plan, key)) for key in ("keep", "reserve", "most")}
    for key, found in values.items():
        for place, old in enumerate(getattr(plan, key)):
            # The best comes first and is heard last.
            for other in reversed(better):
                new = getattr(other, key)[place]
                found[place] = new if new != old else found[place]
    return Plan(*(tuple(values[key]) for key in ("keep", "reserve", "most")))


class Search:
    """A search for a plan that beats `balanced`, on random words that nothing is reported from.

    Parameters
    ----------
    rules : str
        Name of the ruleset.
    games : int
        Of each comparison.
    seed : int
        Of the first step; every step has cards of its own.
    """

    def __init__(self, rules: str, games: int, seed: int) -> None:
        self.rules, self.games, self.seed = rules, games, seed
        self.rows: list[dict[str, Any]] = []
        self._step = 0

    def tried(self, plans: Sequence[Plan], times: int = 1, namespace: str = "tune") -> list[Plan]:
        """Return different plans in the order of what they gain, the best first; all on the same cards."""
        gains: dict[Plan, float] = {}
        with progress_of(list(dict.fromkeys(plans)), f"step {self._step} of the search") as different:
            for plan in different:
                row = difference(
                    plan.policy, "balanced", times * self.games, self.seed + self._step,
                    rules=self.rules, namespace=namespace,
                )  # fmt: skip
                self.rows.append({"step": self._step, "namespace": namespace, "plan": plan.changes} | row)
                gains[plan] = row["difference"]
        self._step += 1
        return sorted(gains, key=lambda plan: -gains[plan])

    def best(self, begin: Sequence[Plan], steps: Sequence[Any]) -> Plan:
        """Return the best plan found from some to begin with, by the moves of each step in turn.

        What is best in its step may be so by luck: it is played again beside the plan before it, and beside all
        changes together that did better. The last word have fresh cards, on the first few of those to begin with and
        the best plan of every step.
        """
        kept = self.tried(begin)[:3]
        plan = kept[0]
        for move in steps:
            order = self.tried([plan, *move(plan)])
            better = order[: order.index(plan)]
            if better:
                plan = self.tried([plan, better[0], merged(plan, better)], times=2)[0]
            kept.append(plan)
        return self.tried(kept, times=4, namespace="select")[0]
