"""Outs in one pass against one distance per card."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.cards import JOKER, PLAIN_CODES, format_card, parse_hand
from shanghai_sim.rules.distance import Need, distances
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.outs import outs_of_hands
from tests.reference.general_hands import FAST_CONTRACTS, MIXED_CONTRACTS, Dealt, stratified_hands
from tests.reference.plain_cards import NO_LIMITS
from tests.unit.rules.evaluation import need_of
from tests.unit.rules.test_general import limited_cases, whole_cases


def found_outs(hand: list[str], need: Need) -> set[str]:
    rows = np.array([hand_boards(parse_hand(hand))], np.int64)
    distance, boards, jokers = (np.zeros(1, np.int64) for _ in range(3))
    distances(rows, need, distance)
    outs_of_hands(rows, distance, need, boards, jokers)
    cards = {format_card(code) for code in range(64) if int(boards[0]) >> code & 1}
    return cards | ({"JK"} if jokers[0] else set())


def slow_outs(hand: list[str], need: Need, whole: bool = False) -> set[str]:
    """Return the outs by one distance for each card."""
    names = [
        format_card(code)
        for code in [*PLAIN_CODES, JOKER]
        if hand.count(format_card(code)) < 3 or code == JOKER
    ]
    rows = np.array(
        [hand_boards(parse_hand([*hand, *more])) for more in ([], *([name] for name in names))], np.int64
    )
    out = np.zeros(len(rows), np.int64)
    distances(rows, need, out)
    limit = out[0] if whole and len(hand) >= need.slots else out[0] - 1
    return {name for name, after in zip(names, out[1:], strict=True) if after <= limit}


def check(cases: Iterator, **options) -> int:
    n = 0
    for case, limits in cases:
        need = need_of(case, limits, **options)
        whole = options.get("whole_hand", False)
        assert found_outs(case.hand, need) == slow_outs(case.hand, need, whole), (case, limits)
        n += 1
    return n


@pytest.mark.nojit
def test_a_few():
    assert check((case, NO_LIMITS) for case in stratified_hands(10, 1, FAST_CONTRACTS)) == 10


def test_fast_contracts():
    assert check((case, NO_LIMITS) for case in stratified_hands(2_000, 1, FAST_CONTRACTS)) == 2_000


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 25))
def test_fast_contracts_on_many_hands(seed):
    assert check((case, NO_LIMITS) for case in stratified_hands(5_000, seed, FAST_CONTRACTS)) == 5_000


def test_natural_only():
    cases = ((case, NO_LIMITS) for case in stratified_hands(300, 2, FAST_CONTRACTS))
    assert check(cases, natural_only=True) == 300


def test_general_contracts():
    assert check((case, NO_LIMITS) for case in stratified_hands(200, 3, MIXED_CONTRACTS)) == 200
    assert check(limited_cases(200, 4)) == 200


def test_whole_hands():
    assert check(whole_cases(100, 5), whole_hand=True) == 100


@pytest.mark.parametrize(
    ("hand", "contract", "expected"),
    [
        ("7H 7D 8S 9S TS KC", "S3 R4", "7S 7H 7D 7C 7S JS JK"),
        ("7H 7D 7C 8S 9S TS JS", "S3 R4", ""),
        ("7H KC", "S3", "7S 7H 7D 7C KS KH KD KC JK"),
    ],
)
def test_by_hand(hand, contract, expected):
    case = Dealt(hand.split(), contract, ("JK",), "both", 2)
    assert found_outs(case.hand, need_of(case)) == set(expected.split())


def test_copies_that_can_still_exist():
    found = ss.outs("7H 7D 8S 9S TS KC", "S3 R4", seen="JS 7H")
    assert found.distance == 2
    assert found.copies == {"JK": 4, "7S": 2, "7C": 2, "7D": 1, "JS": 1}
    assert (found.total, found.unseen) == (10, 108 - 8)
    assert list(found.to_frame().columns) == ["card", "copies", "chance"]


def test_outs_are_saved(tmp_path):
    ss.outs("7H 7D", "S3").save(tmp_path / "new")
    assert (tmp_path / "new" / "outs.csv").read_text().startswith("card,copies,chance\n")


def test_more_cards_than_there_are():
    with pytest.raises(ss.CardError, match="7H is there 2 times with 4 players, and 3 are known"):
        ss.outs("7H 7D", "S3", seen="7H 7H")
