"""The two doors into the engine: parameters, and a user's compiled functions."""

from __future__ import annotations

import numpy as np
import pytest

from shanghai_sim._jit import JIT
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.seats import compile_decision
from shanghai_sim.engine.stepper import Table
from shanghai_sim.errors import PolicyError
from shanghai_sim.policies import buy, discard, draw, play
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset

ROW = load_policy("aggressive-buy+swap.use=always").rows(1)[0]
_draw, _buy, _play, _discard = draw.draw, buy.buy, play.play, discard.discard


def draw_door(view, table):
    return _draw(view, table, ROW)


def buy_door(view, table):
    return _buy(view, table, ROW)


def play_door(view, table):
    return _play(view, table, ROW)


def discard_door(view, table):
    return _discard(view, table, ROW)


def stubborn(view, table):
    return 63


@pytest.fixture(scope="module")
def doors():
    return tuple(compile_decision(f) for f in (draw_door, buy_door, play_door, discard_door))


def setup_of(rules: str, players: int, seed: int) -> Setup:
    chosen = [load_policy("aggressive-buy+swap.use=always"), load_policy("plain")] * players
    return Setup(load_ruleset(rules), players, chosen[:players], seed=seed)


@pytest.mark.parametrize("rules", ["shanghai", "finnish"])
def test_both_doors_play_the_same_games(rules, doors):
    for seed in range(25):
        setup = setup_of(rules, 4, seed)
        one = play_blocks(setup, 0, 1)
        other = play_blocks(setup, 0, 1, functions=[(0, doors), (2, doors)])
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a, b)


@pytest.mark.skipif(not JIT, reason="the doors are plain functions then")
def test_both_doors_write_the_same_log(doors):
    """Decision by decision: 50 seeds, the answers of the functions beside those of the parameters."""
    for seed in range(50):
        setup = setup_of("shanghai", 3, seed)
        tables = [Table(setup, 1, log_rows=4096) for _ in range(2)]
        for table, through_functions in zip(tables, (False, True), strict=True):
            for _ in range(3):
                while not table.deal_over:
                    view = table.view()
                    if through_functions and table.who[table.seat] == 0:
                        table.answer(doors[view.decision](view, table.state.table) & 0xFFFFFF)
                    else:
                        table.answer(table.built_in(view))
                table.next_deal()
        assert st.log_rows(tables[0].state) == st.log_rows(tables[1].state)
        assert np.array_equal(tables[0].records, tables[1].records)


def test_an_illegal_answer_names_the_game_to_replay(doors):
    functions = (*doors[:3], compile_decision(stubborn))
    with pytest.raises(PolicyError, match=r"an illegal discard in game \d+, deal 1 \(seed 3\)"):
        play_blocks(setup_of("shanghai", 4, 3), 0, 1, functions=[(1, functions)])


def test_the_view_holds_scalars_alone():
    view = Table(setup_of("shanghai", 4, 1), 0).view()
    assert all(isinstance(value, int) for value in view)
    assert 20 <= len(view) <= 32
    assert len(view) == v.N_VIEW
