"""Decisions of whole games, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset


def decisions(policy: str, games: int = 2, rules: str = "shanghai") -> Iterator[tuple[Table, v.View, int]]:
    """Yield the decisions of games of four: the table, what the seat sees, what its policy answers."""
    setup = Setup(load_ruleset(rules), 4, 4 * [load_policy(policy)], seed=3)
    for game in range(games):
        table = Table(setup, game)
        while not table.over:
            if table.deal_over:
                table.next_deal()
                continue
            view = table.view()
            answer = table.built_in(view)
            yield table, view, answer
            table.answer(answer)
