"""The compiled evaluation against its slow twins and against an independent integer program."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import shanghai_sim as ss
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.terms import is_fast_shape
from tests.reference.general_hands import CORNERS, FAST_CONTRACTS, Dealt, stratified_hands
from tests.reference.plain_cards import NO_LIMITS, split
from tests.reference.slow_distance import slow_distance
from tests.unit.rules.evaluation import POINTS, check_choice, distance_of, is_within, need_of, planned

DATA = Path(__file__).parents[2] / "data"


def is_fast(case: Dealt) -> bool:
    """Return whether the fast path takes a contract: sets of three, runs of one length up to 13."""
    return is_fast_shape(Contract.parse(case.contract))


def fast_distance(case: Dealt) -> int:
    return distance_of(case.hand, need_of(case))


def twin(case: Dealt) -> int:
    return slow_distance(case.hand, case.contract, wild=case.wild, ace=case.ace)


def check_distances(cases) -> int:
    n = 0
    for case in cases:
        expected = twin(case)
        assert fast_distance(case) == expected, case
        for limit in range(max(0, expected - 2), expected + 2):
            assert is_within(case.hand, need_of(case), limit) == (expected <= limit), (case, limit)
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
    """All contracts, all options."""
    checked = 0
    for contract, options, hand, expected in _rows():
        assert ss.contract_distance(hand, contract, overrides=options) == expected, (contract, options, hand)
        assert (ss.find_contract(hand, contract, overrides=options) is None) == (expected > 0)
        checked += 1
    assert checked == 839


def check_lay_down(case: Dealt, points: dict[str, int], fits: frozenset[str]) -> bool:
    """Check that the kernel's choice is legal and the best of all; return whether there is one."""
    found = planned(case, need_of(case), points, fits)
    if found is None:
        assert twin(case) > 0
        return False
    check_choice(case, found, points, fits, NO_LIMITS)
    return True


def lay_down_cases(n: int, seed: int):
    """Yield hands that hold their contract, few enough wilds for the twin."""
    contracts = [c for c in FAST_CONTRACTS if "3" not in c.replace("S3", "")]
    for case in stratified_hands(100 * n, seed, contracts):
        runs, wilds = case.contract.count("R"), len(split(case.hand, case.wild)[1])
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
        ("7H", "S3 S3 S3 S3 S3", "shanghai", "has 5 melds"),
    ],
)
def test_bad_input_is_named(hand, contract, rules, message):
    with pytest.raises(ss.InputError, match=message):
        ss.contract_distance(hand, contract, rules)
