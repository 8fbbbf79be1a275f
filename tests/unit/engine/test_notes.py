"""What all see a player do with cards stands on the table: taken, thrown, passed on, in the deal and by turn."""

from __future__ import annotations

from collections import defaultdict

import pytest

from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from tests.unit.policies.decisions import decisions

COLUMNS = (v.TAKEN, v.DISCARDED, v.PASSED)


def note_of(view: v.View, answer: int, pile: int) -> tuple[int, int] | None:
    """Return which column an answer adds a card to, and the card."""
    if view.decision == v.DISCARD:
        return v.DISCARDED, answer & 255
    if view.decision not in (v.DRAW, v.BUY) or pile == 0:
        return None
    if answer == 1:
        return v.TAKEN, view.upcard
    return None if view.down else (v.PASSED, view.upcard)


def boards(table: Table, seat: int, turn: int | None = None) -> list[int]:
    array = table.state.table
    if turn is None:
        return [int(array[v.SEATS + seat * v.SEAT_WIDTH + column]) for column in COLUMNS]
    row = v.RECENT + (seat * v.RECENT_TURNS + turn % v.RECENT_TURNS) * v.RECENT_WIDTH
    return array[row : row + v.RECENT_WIDTH].tolist()


@pytest.mark.parametrize(
    ("policy", "rules"), [("balanced", "shanghai"), ("blocker", "finnish"), ("random", "shanghai-canonical")]
)
def test_taken_thrown_and_passed_on(policy, rules):
    seen: dict[tuple[int, int | None, int], int] = defaultdict(int)
    deal, longest, passes = None, 0, 0
    for table, view, answer in decisions(policy, 1, rules):
        if table.deal != deal:
            deal, seen = table.deal, defaultdict(int)
        array = table.state.table
        for seat in range(4):
            turn = int(array[v.SEATS + seat * v.SEAT_WIDTH + v.TURNS])
            longest = max(longest, turn)
            assert boards(table, seat) == [seen[seat, None, column] for column in COLUMNS]
            for t in range(max(0, turn - v.RECENT_TURNS + 1), turn + 1):
                assert boards(table, seat, t) == [seen[seat, t, column] for column in COLUMNS]
        noted = note_of(view, answer, int(array[v.PILE]))
        if noted is not None:
            column, code = noted
            passes += column == v.PASSED
            for turn in (None, view.turn):
                seen[view.seat, turn, column] |= 1 << code
    assert passes > 50
    assert longest > v.RECENT_TURNS or policy != "random"
