"""Decisions of whole games, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset


def decisions(
    policy: str, games: int = 2, rules: str = "shanghai", others: str | None = None
) -> Iterator[tuple[Table, v.View, int]]:
    """Yield the decisions of games of four: the table, what the seat sees, what its policy answers.

    Where there are `others` in the other seats, theirs are left out. Rules may be changed: ``shanghai+stock...=...``.
    """
    seated = [load_policy(policy), *3 * [load_policy(others or policy)]]
    name, *changes = rules.split("+")
    setup = Setup(load_ruleset(name, changes), 4, seated, seed=3)
    for game in range(games):
        table = Table(setup, game)
        while not table.over:
            if table.deal_over:
                table.next_deal()
                continue
            view = table.view()
            answer = table.built_in(view)
            if others is None or view.seat == game % 4:
                yield table, view, answer
            table.answer(answer)
