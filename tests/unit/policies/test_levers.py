"""Every parameter moves decisions: how often, and the way it says."""

from __future__ import annotations

from collections import Counter

import pytest

from shanghai_sim.cards import JOKER
from shanghai_sim.engine.stepper import Table, _decide
from shanghai_sim.policies import view as v
from shanghai_sim.policies.parameters import PARAMETERS
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.kernel_rules import KEEP
from tests.unit.policies.decisions import decisions

#: A change of each parameter from what `balanced` has, and the kind of decision that it moves.
MOVES = {
    "draw.min_gain": ("0", v.DRAW),
    "draw.deny": ("1.2", v.DRAW),
    "buy.when": ("never", v.BUY),
    "buy.min_outs": ("3", v.BUY),
    "buy.max_buys": ("1", v.BUY),
    "buy.from_deal": ("4", v.BUY),
    "buy.until_turn": ("2", v.BUY),
    "buy.deny": ("1.2", v.BUY),
    "lay_down.when": ("when-hand-small", v.PLAY),
    "lay_down.max_left": ("0", v.PLAY),
    "lay_down.until_turn": ("2", v.PLAY),
    "wild.hold_until_turn": ("99", v.PLAY),
    "wild.dump_from_turn": ("2", v.DISCARD),
    "lay_off.when": ("never", v.PLAY),
    "swap.use": ("always", v.PLAY),
    "discard.prefer": ("cheapest", v.DISCARD),
    "discard.outs": ("0", v.DISCARD),
    "discard.danger": ("0", v.DISCARD),
    "discard.points": ("0", v.DISCARD),
    "discard.points_from_turn": ("99", v.DISCARD),
    "discard.points_once_down": ("5", v.DISCARD),
    "discard.keep_pairs": ("5", v.DISCARD),
    "discard.keep_connected": ("5", v.DISCARD),
    "noise": ("1", None),
}
#: What else has to be set for a parameter to matter.
BESIDE = {
    "lay_down.max_left": "+lay_down.when=when-hand-small",
    "lay_down.until_turn": "+lay_down.when=when-out",
}


def test_every_parameter_has_a_row():
    assert set(MOVES) == {parameter.key for parameter in PARAMETERS}


@pytest.mark.parametrize("key", MOVES)
def test_it_moves_the_decisions_that_it_should_and_no_others(key):
    value, kind = MOVES[key]
    base = f"balanced{BESIDE.get(key, '')}"
    rows = load_policy(f"{base}+{key}={value}").rows(10)
    seen, moved = Counter(), Counter()
    for table, view, answer in decisions(base):
        other = int(_decide(view, table.state.table, rows[table.slot]))
        seen[view.decision] += 1
        moved[view.decision] += other != answer
    assert seen.total() > 1_000
    if kind is None:
        assert set(+moved) == {v.DRAW, v.BUY, v.PLAY, v.DISCARD}
    else:
        assert set(+moved) == {kind}, (key, moved)
        share = moved[kind] / seen[kind]
        assert 0 < share < 1, (key, share)


def left_over(table: Table, view: v.View) -> int:
    return view.size - view.slots - int(table.state.table[v.RULES + KEEP])


def test_it_waits_with_its_contract_until_few_cards_are_left_over():
    waited = laid = 0
    for table, view, answer in decisions("balanced+lay_down.when=when-hand-small+lay_down.max_left=1"):
        if view.decision == v.PLAY and view.down == 0:
            assert (answer == v.LAY_DOWN) == (left_over(table, view) <= 1)
            laid += answer == v.LAY_DOWN
            waited += answer == v.DONE
    assert min(waited, laid) > 0


def test_it_lays_down_only_to_go_out():
    waited = 0
    for table, view, answer in decisions("balanced+lay_down.when=when-out+lay_down.until_turn=20"):
        if view.decision == v.PLAY and view.down == 0 and view.turn < 20:
            assert (answer == v.LAY_DOWN) == (left_over(table, view) == 0)
            waited += answer != v.LAY_DOWN
    assert waited > 0


def test_it_keeps_wilds_while_naturals_may_come():
    """Before the turn it lays down only what takes no wild; whoever holds none need not wait."""
    waits = {True: 0, False: 0}
    for _, view, answer in decisions("balanced+wild.hold_until_turn=9"):
        if view.decision != v.PLAY or view.down != 0:
            continue
        if answer == v.DONE:
            assert view.turn < 9
            assert view.jokers > 0
        waits[answer == v.DONE] += 1
    assert min(waits.values()) > 0


def test_it_throws_wilds_from_a_turn_on():
    thrown = kept = 0
    for _, view, answer in decisions("balanced+wild.dump_from_turn=3"):
        if view.decision != v.DISCARD or view.down != 0 or view.jokers == 0:
            continue
        assert (answer & 255 == JOKER) == (view.turn >= 3)
        thrown += view.turn >= 3
        kept += view.turn < 3
    assert min(thrown, kept) > 0


def test_it_saves_its_buys():
    bought = {t.deal for t, view, answer in decisions("save-buys") if view.decision == v.BUY and answer}
    assert bought
    assert min(bought) >= 7
