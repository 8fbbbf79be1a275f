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
from tests.reference.general_hands import CORNERS, FAST_CONTRACTS, Dealt, stratified_hands
from tests.reference.plain_cards import RANKS, SUITS, parse_contract, split
from tests.reference.slow_distance import slow_distance
from tests.reference.slow_laydown import is_legal, slow_laydown, value_of, wilds_go_dearest_first

ACES = {"low": ACE_LOW, "high": ACE_HIGH, "both": ACE_BOTH}
POSITIONS = {"low": (1, 13), "high": (2, 14), "both": (1, 14)}
DATA = Path(__file__).parents[2] / "data"
#: What the kernel's choice of melds minimises, in this order.
ORDER = ("wilds", "stuck", "points")


def shape_of(case: Dealt) -> tuple[int, int, int]:
    """Return the numbers of sets and of runs, and the length of the runs."""
    sizes = [shape.size for shape in parse_contract(case.contract) if shape.kind == "R"]
    return len(case.contract.split()) - len(sizes), len(sizes), max(sizes, default=0)


def is_fast(case: Dealt) -> bool:
    """Return whether the fast path takes a contract: sets of three, runs of one length up to 13."""
    shapes = parse_contract(case.contract)
    lengths = {shape.size for shape in shapes if shape.kind == "R"}
    return (
        len(lengths) <= 1
        and max(lengths, default=0) <= 13
        and {s.size for s in shapes if s.kind == "S"} <= {3}
    )


def need_of(case: Dealt) -> Need:
    codes = {parse_card(rank + suit) for w in case.wild if len(w) == 1 for rank in w for suit in SUITS}
    codes |= {parse_card(w) for w in case.wild if len(w) == 2 and w != "JK"}
    sets, runs, length = shape_of(case)
    table = run_table(length, ACES[case.ace]) if runs else 0
    mask = sum(1 << code for code in codes)
    return Need(sets, runs, length, table, 3 * sets + length * runs, mask, int("JK" in case.wild))


def fast_distance(case: Dealt) -> int:
    out = np.zeros(1, np.int64)
    distances(np.array([hand_boards(parse_hand(case.hand))], np.int64), need_of(case), out)
    return int(out[0])


def twin(case: Dealt) -> int:
    return slow_distance(case.hand, case.contract, wild=case.wild, ace=case.ace)


def check_distances(cases) -> int:
    n = 0
    for case in cases:
        expected = twin(case)
        assert fast_distance(case) == expected, case
        row = np.array([hand_boards(parse_hand(case.hand))], np.int64)
        for limit in range(max(0, expected - 2), expected + 2):
            out = np.zeros(1, np.int64)
            distances_within(row, limit, need_of(case), out)
            assert out[0] == (expected <= limit), (case, limit)
        n += 1
    return n


@pytest.mark.nojit
def test_corners():
    cases = [case for case in CORNERS if is_fast(case)]
    assert check_distances(cases) == len(cases) > 10


def test_distance_agrees_with_the_twin():
    assert check_distances(stratified_hands(2_000, seed=1)) == 2_000


@pytest.mark.nojit
def test_distance_agrees_with_the_twin_in_plain_python():
    assert check_distances(stratified_hands(60, seed=4)) == 60


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_distance_agrees_with_the_twin_on_many_hands(seed):
    assert check_distances(stratified_hands(2_000, seed)) == 2_000


def _rows():
    with (DATA / "distances.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            yield (
                row["contract"],
                [option for option in row["option"].split(";") if option],
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


def planned(case: Dealt, points: dict[str, int], fits: frozenset[str]):
    """Return the melds that the kernel chooses and the places of its runs (None for a set), or None."""
    plan = new_plan()
    by_code = np.zeros(N_CODES, np.int64)
    for name, value in points.items():
        by_code[parse_card(name)] = value
    board = sum(1 << parse_card(name) for name in fits)
    order = np.array(
        [melds.SET if s.kind == "S" else melds.RUN for s in parse_contract(case.contract)], np.int64
    )
    hand = np.array(hand_boards(parse_hand(case.hand)), np.int64)
    if not choose_one(hand, need_of(case), *POSITIONS[case.ace], order, board, by_code, plan):
        return None
    cards, places = [], []
    for i in range(len(order)):
        row = plan[i * melds.MELD_WIDTH : (i + 1) * melds.MELD_WIDTH].tolist()
        if row[melds.KIND] == melds.RUN:
            low, size = row[melds.LOW], row[melds.SIZE]
            codes = [row[melds.CARDS + p] for p in range(low, low + size)]
            places.append((SUITS[row[melds.SUIT]], low))
        else:
            boards = (
                row[melds.SET_WILDS : melds.SET_WILDS + 3] + row[melds.SET_NATURALS : melds.SET_NATURALS + 3]
            )
            codes = [c for board in boards for c in range(64) if board >> c & 1] + [JOKER] * row[
                melds.SET_JOKERS
            ]
            places.append(None)
        cards.append([format_card(code) for code in codes])
    return cards, places


def check_lay_down(case: Dealt, points: dict[str, int], fits: frozenset[str]) -> bool:
    """Check that the kernel's choice is legal and the best of all; return whether there is one."""
    found = planned(case, points, fits)
    if found is None:
        assert twin(case) > 0
        return False
    laid, places = found
    options = {"wild": case.wild, "ace": case.ace}
    assert is_legal(laid, case.hand, case.contract, runs=places, **options), case
    best = slow_laydown(case.hand, case.contract, points=points, table_fits=fits, order=ORDER, **options)
    mine = value_of(laid, case.hand, case.contract, points=points, table_fits=fits, runs=places, **options)
    assert mine.ordered(ORDER) == best.value.ordered(ORDER), case
    assert wilds_go_dearest_first(laid, case.hand, wild=case.wild, points=points), case
    return True


POINTS = {
    rank + suit: 15 if rank == "A" else 10 if rank in "TJQK" else 20 if rank == "2" else 5
    for rank in RANKS
    for suit in SUITS
} | {"JK": 25}


def lay_down_cases(n: int, seed: int):
    """Yield hands that hold their contract, few enough wilds for the twin."""
    contracts = [c for c in FAST_CONTRACTS if "3" not in c.replace("S3", "")]
    for case in stratified_hands(100 * n, seed, contracts):
        runs, wilds = shape_of(case)[1], len(split(case.hand, case.wild)[1])
        if wilds <= (3 if runs <= 1 else 2) and fast_distance(case) == 0:
            yield case
            n -= 1
            if n == 0:
                return


@pytest.mark.parametrize("fits", [frozenset(), frozenset({"7S", "7H", "7D", "7C", "KH", "2D"})])
def test_lay_down_is_legal_and_the_best(fits):
    assert sum(check_lay_down(case, POINTS, fits) for case in lay_down_cases(250, seed=11)) == 250


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 25))
def test_lay_down_is_legal_and_the_best_on_many_hands(seed):
    assert sum(check_lay_down(case, POINTS, frozenset()) for case in lay_down_cases(1_000, seed)) == 1_000


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
