"""The compiled evaluation against its slow twins and against an independent integer program."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.cards import JOKER, N_CODES, format_card, parse_card, parse_hand
from shanghai_sim.rules import melds
from shanghai_sim.rules.distance import Need, distances, distances_within
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.laydown import choose_one, new_plan
from shanghai_sim.rules.runs import ACE_BOTH, ACE_HIGH, ACE_LOW, run_table
from tests.reference import hands as hd
from tests.reference import slow_evaluation as slow

ACES = {"low": ACE_LOW, "high": ACE_HIGH, "both": ACE_BOTH}
POSITIONS = {"low": (1, 13), "high": (2, 14), "both": (1, 14)}
DATA = Path(__file__).parents[2] / "data"


def need_of(case: hd.Case) -> Need:
    codes = {parse_card(rank + suit) for w in case.wild if len(w) == 1 for rank in w for suit in "SHDC"}
    codes |= {parse_card(w) for w in case.wild if len(w) == 2 and w != "JK"}
    length = case.length if case.runs else 0
    table = run_table(length, ACES[case.ace]) if case.runs else 0
    slots = 3 * case.sets + length * case.runs
    mask = sum(1 << code for code in codes)
    return Need(case.sets, case.runs, length, table, slots, mask, int("JK" in case.wild))


def fast_distance(case: hd.Case) -> int:
    out = np.zeros(1, np.int64)
    distances(np.array([hand_boards(parse_hand(case.hand))], np.int64), need_of(case), out)
    return int(out[0])


def slow_distance(case: hd.Case) -> int:
    return slow.slow_distance(case.hand, case.sets, case.runs, case.length, wild=case.wild, ace=case.ace)


def check_distances(cases) -> int:
    n = 0
    for case in cases:
        expected = slow_distance(case)
        assert fast_distance(case) == expected, case
        row = np.array([hand_boards(parse_hand(case.hand))], np.int64)
        for limit in range(max(0, expected - 2), expected + 2):
            out = np.zeros(1, np.int64)
            distances_within(row, limit, need_of(case), out)
            assert out[0] == (expected <= limit), (case, limit)
        n += 1
    return n


@pytest.mark.nojit
@pytest.mark.parametrize("case", hd.CORNERS, ids=lambda case: " ".join(case.hand)[:40] or "empty")
def test_corner(case):
    assert check_distances([case]) == 1


def test_distance_agrees_with_the_twin():
    assert check_distances(hd.cases(2_000, seed=1)) == 2_000


@pytest.mark.nojit
def test_distance_agrees_with_the_twin_in_plain_python():
    assert check_distances(hd.cases(60, seed=4)) == 60


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_distance_agrees_with_the_twin_on_many_hands(seed):
    assert check_distances(hd.cases(2_000, seed)) == 2_000


def test_the_twin_agrees_with_the_definition():
    """The twin lets runs take first; the definition matches cards to slots in the best way."""
    n = 0
    for case in hd.cases(6_000, seed=7):
        if case.sets + case.runs > 2 or (case.runs == 2 and case.length < 5) or len(case.hand) > 9:
            continue
        naturals, wilds, _ = slow.split(case.hand, case.wild)
        most = slow.placed_by_matching(naturals[:8], case.sets, case.runs, case.length, case.ace)
        short = case._replace(hand=naturals[:8] + wilds)
        slots = 3 * case.sets + case.length * case.runs
        assert slow_distance(short) == max(0, slots - len(wilds) - most), short
        n += 1
        if n == 60:
            break
    assert n == 60


def _rows():
    with (DATA / "distances.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            yield (
                row["contract"],
                [o for o in row["option"].split(";") if o],
                row["hand"],
                int(row["distance"]),
            )


def test_distances_of_the_integer_program():
    """All rows of the shape that can be evaluated so far: sets of three, one run length, no limits on melds."""
    checked = refused = 0
    for contract, options, hand, expected in _rows():
        try:
            found = ss.contract_distance(hand, contract, overrides=options)
        except ss.RulesError:
            refused += 1
            continue
        assert found == expected, (contract, options, hand)
        assert (ss.find_contract(hand, contract, overrides=options) is None) == (expected > 0)
        checked += 1
    assert (checked, refused) == (345, 494)


def planned(case: hd.Case, points: dict[str, int], fits: frozenset[str]):
    """Return the melds that the kernel chooses, each (kind, suit, low, cards), or None."""
    plan = new_plan()
    by_code = np.zeros(N_CODES, np.int64)
    for name, value in points.items():
        by_code[parse_card(name)] = value
    board = sum(1 << parse_card(name) for name in fits)
    order = np.array([melds.SET] * case.sets + [melds.RUN] * case.runs + [0] * 4, np.int64)[:4]
    hand = np.array(hand_boards(parse_hand(case.hand)), np.int64)
    if not choose_one(hand, need_of(case), *POSITIONS[case.ace], order, board, by_code, plan):
        return None
    found = []
    for i in range(case.sets + case.runs):
        row = plan[i * melds.MELD_WIDTH : (i + 1) * melds.MELD_WIDTH].tolist()
        if row[melds.KIND] == melds.RUN:
            low, size = row[melds.LOW], row[melds.SIZE]
            cards = [row[melds.CARDS + p] for p in range(low, low + size)]
            found.append(("run", "SHDC"[row[melds.SUIT]], low, [format_card(c) for c in cards]))
            continue
        boards = row[melds.SET_NATURALS : melds.SET_NATURALS + 3] + row[melds.SET_WILDS : melds.SET_WILDS + 3]
        cards = [c for board in boards for c in range(64) if board >> c & 1] + [JOKER] * row[melds.SET_JOKERS]
        found.append(("set", "", 0, [format_card(c) for c in cards]))
    return found


def check_lay_down(case: hd.Case, points: dict[str, int], fits: frozenset[str]) -> bool:
    """Check that the kernel's choice is legal and the best of all; return whether there is one."""
    found = planned(case, points, fits)
    shape = (case.sets, case.runs, case.length)
    if found is None:
        assert slow_distance(case) > 0
        return False
    naturals, wilds, _ = slow.split(case.hand, case.wild)
    left, left_wilds, used = list(naturals), list(wilds), 0
    ranks, places = [], []
    for kind, suit, low, cards in found:
        places += [(suit, low)] if kind == "run" else []
        for i, card in enumerate(cards):
            if card in left and (kind == "set" or card == slow.card_at(suit, low + i)):
                left.remove(card)
                ranks += [card[0]] if kind == "set" else []
                if kind == "set":
                    assert {c[0] for c in cards if c in naturals and c not in wilds} == {card[0]}
            else:
                left_wilds.remove(card)
                used += 1
        assert len(cards) == (3 if kind == "set" else case.length)
    mine = slow.value(left, tuple(ranks), tuple(places), case.length, points, fits, case.ace)
    every = slow.lay_down_values(case.hand, *shape, points, fits, wild=case.wild, ace=case.ace)
    assert (used, mine) == min(every), case
    # The dearest wilds go first.
    if left_wilds and used:
        laid = sorted(points[w] for w in wilds)[len(left_wilds) :]
        assert sum(points[w] for w in left_wilds) == sum(points[w] for w in wilds) - sum(laid)
    return True


POINTS = {
    r + s: 15 if r == "A" else 10 if r in "TJQK" else 20 if r == "2" else 5
    for r in hd.RANKS
    for s in hd.SUITS
}
POINTS["JK"] = 25


def lay_down_cases(n: int, seed: int):
    """Yield cases that hold their contract, small enough for the twin."""
    for case in hd.cases(60 * n, seed):
        wilds = len(slow.split(case.hand, case.wild)[1])
        heavy = case.runs >= 3 or (case.runs == 2 and case.sets >= 2) or wilds > 4
        if not heavy and slow_distance(case) == 0:
            yield case
            n -= 1
            if n == 0:
                return


@pytest.mark.parametrize("fits", [frozenset(), frozenset({"7S", "7H", "7D", "7C", "KH", "2D"})])
def test_lay_down_is_legal_and_the_best(fits):
    assert sum(check_lay_down(case, POINTS, fits) for case in lay_down_cases(60, seed=11)) == 60


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 25))
def test_lay_down_is_legal_and_the_best_on_many_hands(seed):
    assert sum(check_lay_down(case, POINTS, frozenset()) for case in lay_down_cases(200, seed)) == 200


def test_hand_order_does_not_matter():
    """Jokers first, last or in the middle: the same answer (ruling 7)."""
    hand = ["QH", "QS", "QC", "5H", "6H", "JK", "8H", "2C"]
    for i in range(len(hand)):
        turned = hand[i:] + hand[:i]
        assert ss.find_contract(turned, "S3 R4") == [["QS", "QH", "QC"], ["5H", "6H", "JK", "8H"]]


@pytest.mark.parametrize(
    ("hand", "contract", "expected"),
    [
        ("7D 7S JK 9S 9C JK 4H", "S3 S3", 0),  # ruling 1
        ("QH QS QC 5H 6H JK 8H 2C", "S3 R4", 0),  # ruling 2
        ("5H JK JK JK", "R4", 0),  # ruling 5
        ("5H 6C 7H 8H", "R4", 1),  # ruling 6
        ("KH AH 2H 3H", "R4", 1),
    ],
)
def test_ruling(hand, contract, expected):
    assert ss.contract_distance(hand, contract) == expected


@pytest.mark.parametrize(
    ("hand", "contract", "rules", "message"),
    [
        ("7X", "S3", "shanghai", "not a card: '7X'"),
        ("7H 7H 7H 7H", "S3", "shanghai", "more than 3 times"),
        ("7H", "S3", "shangai", "did you mean"),
        ("7H", "S4", "shanghai", "cannot be evaluated yet"),
    ],
)
def test_bad_input_is_named(hand, contract, rules, message):
    with pytest.raises(ss.InputError, match=message):
        ss.contract_distance(hand, contract, rules)
