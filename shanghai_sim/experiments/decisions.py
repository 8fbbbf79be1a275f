"""Walking through the decisions that a policy meets at its table, one game after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from shanghai_sim.simulation.plan import Plan

if TYPE_CHECKING:
    from shanghai_sim.engine.stepper import Table
    from shanghai_sim.policies.view import View

Progress = Callable[[int, int], None]


def decisions_met(plan: Plan, progress: Progress | None = None) -> Iterator[tuple[int, Table, View, int]]:
    """Yield every decision of policy 0 of a plan, in the order of games.

    Parameters
    ----------
    plan : Plan
        One policy against others.
    progress : callable, optional
        Called with the games played and the games of the plan.

    Yields
    ------
    block : int
    table : Table
        At the decision; whoever wants to try something there takes a copy.
    view : View
        What the seat sees.
    answer : int
        What the policy answers, and the game goes on with.
    """
    from shanghai_sim.engine.stepper import Table

    setup = plan.setup()
    for game in range(plan.games):
        table = Table(setup, game)
        while not table.over:
            if table.deal_over:
                table.next_deal()
                continue
            view = table.view()
            answer = table.built_in(view)
            if table.who[view.seat] == 0:
                yield game // plan.players, table, view, answer
            table.answer(answer)
        if progress is not None:
            progress(game + 1, plan.games)
