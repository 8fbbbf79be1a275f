"""Every fact that a policy is given matters: changed alone, it changes some decision of some policy."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random

import numpy as np
import pytest

from shanghai_sim.cards import JOKER
from shanghai_sim.engine.stepper import _decide
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.melds import MELD_WIDTH
from tests.unit.policies.decisions import decisions

#: Policies that between them look at everything.
POLICIES = [
    "balanced+opponents.memory=2+opponents.block_leader=5+score.risk=2",
    "blocker+discard.points_near_out=20+opponents.near_out=5",
    "aggressive-buy+buy.keep=2+buy.until_turn=3+wild.dump_from_turn=4",
    "plain+lay_down.when=when-hand-small+buy.max_buys=1",
    "balanced+wild.use=last+discard.keep_pairs=2",
    "random",
]
#: The rules under which some facts count: a limit on buys a game, an end without reshuffles.
RULES = {"GAME_BUYS": "shanghai-buy-budget", "STOCK": "shanghai+stock.when_empty=end-deal"}

#: What is the same in all positions of a game, or nearly: changed to this instead of to what it is elsewhere.
TWOS = 2 * (1 | 1 << 16 | 1 << 32 | 1 << 48)
INSTEAD = {
    "b3": lambda view: view.b1,
    "must_lay_off": lambda _: JOKER,
    "wild_mask": lambda view: view.wild_mask ^ TWOS,
    "joker_wild": lambda view: 1 - view.joker_wild,
    "WILD_FITS": lambda array: 1 - array,
    "STOCK": lambda _: 1,
}

TABLE = {
    "N_MELDS": [v.N_MELDS],
    "FITS": [v.FITS],
    "WILD_FITS": [v.WILD_FITS],
    "STOCK": [v.STOCK],
    "DISCARDER": [v.DISCARDER],
    "OPEN": range(v.OPEN, v.OPEN + 3),
    "RECENT": range(v.RECENT, v.RULES),
    "MELDS": range(v.MELDS, v.MELDS + 8 * MELD_WIDTH),
} | {
    name: range(v.SEATS + getattr(v, name), v.MELDS, v.SEAT_WIDTH)
    for name in ("HAND_SIZE", "BUYS", "GAME_BUYS", "DOWN", "TURNS", "TAKEN", "DISCARDED", "PASSED", "SCORE")
}
#: The record of the pile below its top card is there for policies that bring their own memory, and for the engine.
UNREAD = {"PILE", "PILE_CARDS", "RESHUFFLES"}


@cache
def positions(rules: str) -> list[tuple[v.View, np.ndarray, list[np.ndarray]]]:
    """Return every fifth decision of two games: what is seen, and each policy's parameters there."""
    found = []
    rows = [load_policy(policy).rows(50) for policy in POLICIES]
    for i, (table, view, _) in enumerate(decisions("balanced+noise=0.05", 2, rules)):
        if i % 5 == 0:
            found.append((view, table.state.table.copy(), [row[table.slot] for row in rows]))
    return found


def moved(rules: str, change) -> bool:
    """Return whether a change of a position by what is so in another one of its kind moves any decision."""
    rng = Random(4)
    by_kind = defaultdict(list)
    for position in positions(rules):
        by_kind[position[0].decision].append(position)
    for view, array, rows in positions(rules):
        other_view, other_array, _ = rng.choice(by_kind[view.decision])
        new_view, new_array = change(view, array, other_view, other_array)
        for row in rows:
            if _decide(view, array, row) != _decide(new_view, new_array, row):
                return True
    return False


@pytest.mark.parametrize("field", [name for name in v.View._fields if name != "decision"])
def test_a_fact_of_the_view_moves_a_decision(field):
    def change(view, array, other_view, _):
        value = INSTEAD[field](view) if field in INSTEAD else getattr(other_view, field)
        return view._replace(**{field: value}), array

    assert moved("shanghai-wild-twos", change) or moved("shanghai-canonical", change), field


@pytest.mark.parametrize("name", TABLE)
def test_a_fact_of_the_table_moves_a_decision(name):
    columns = list(TABLE[name])

    def change(view, array, _, other_array):
        changed = array.copy()
        changed[columns] = INSTEAD[name](array[columns]) if name in INSTEAD else other_array[columns]
        return view, changed

    assert moved(RULES.get(name, "shanghai"), change), name


def test_every_fact_of_the_table_is_tried_or_named():
    scalars = {"N_MELDS", "FITS", "WILD_FITS", "PILE", "STOCK", "DISCARDER", "RESHUFFLES", "OPEN"}
    assert scalars | {"MELDS", "RECENT", "PILE_CARDS"} <= set(TABLE) | UNREAD
    tried = {column for columns in TABLE.values() for column in columns}
    assert set(range(v.SEATS, v.MELDS)) <= tried
