"""The general evaluation, all contracts under all options on melds, against its slow twins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import shanghai_sim as ss
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.contract import Contract
from tests.reference.general_hands import (
    CORNERS,
    FAST_CONTRACTS,
    MIXED_CONTRACTS,
    Dealt,
    random_limits,
    stratified_hands,
)
from tests.reference.plain_cards import NO_LIMITS, Limits, split
from tests.reference.slow_distance import slow_distance, slow_whole_hand_distance
from tests.unit.rules.evaluation import POINTS, check_choice, distance_of, is_within, need_of, planned

ALL_CONTRACTS = [*MIXED_CONTRACTS, *FAST_CONTRACTS]


def limited_cases(n: int, seed: int, contracts=ALL_CONTRACTS) -> Iterator[tuple[Dealt, Limits]]:
    """Yield hands under one to five options at once; contracts that no cards make are left out."""
    rng = Random(seed)
    found = ((case, random_limits(rng)) for case in stratified_hands(2 * n, seed, contracts))
    yield from islice((pair for pair in found if _makeable(*pair)), n)


def _makeable(case: Dealt, limits: Limits) -> bool:
    try:
        slow_distance([], case.contract, wild=case.wild, ace=case.ace, **limits._asdict())
    except ValueError:
        return False
    return True


def check_distance(case: Dealt, limits: Limits) -> int:
    expected = slow_distance(case.hand, case.contract, wild=case.wild, ace=case.ace, **limits._asdict())
    need = need_of(case, limits)
    assert distance_of(case.hand, need) == expected, (case, limits)
    for limit in range(max(0, expected - 2), expected + 2):
        assert is_within(case.hand, need, limit) == (expected <= limit), (case, limits, limit)
    return expected


def test_mixed_contracts_agree_with_the_twin():
    """Any sizes, several run lengths, no limits: three packs with triples and many wilds among them."""
    cases = list(stratified_hands(800, 1, MIXED_CONTRACTS))
    assert {check_distance(case, NO_LIMITS) > 0 for case in cases} == {True, False}
    assert any(max(case.hand.count(card) for card in case.hand) == 3 for case in cases)


def test_limits_agree_with_the_twin():
    cases = list(limited_cases(600, 2))
    distances = [check_distance(*case) for case in cases]
    assert len(distances) == 600
    several = [
        limits for _, limits in cases if sum(a != b for a, b in zip(limits, NO_LIMITS, strict=True)) > 2
    ]
    assert len(several) > 100


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 110))
def test_limits_agree_with_the_twin_on_many_hands(seed):
    for case in limited_cases(2_000, seed):
        check_distance(*case)


@pytest.mark.nojit
def test_limits_agree_with_the_twin_in_plain_python():
    for case in limited_cases(40, 3):
        check_distance(*case)


@pytest.mark.nojit
def test_corners():
    for case in CORNERS:
        check_distance(case, NO_LIMITS)
        check_distance(case, Limits(max_wilds=1))


def with_many_wilds(n: int, seed: int) -> Iterator[Dealt]:
    """Yield hands with 7 to 18 wilds, of three packs with twos wild."""
    rng = Random(seed)
    for case in stratified_hands(n, seed, ALL_CONTRACTS):
        wilds = rng.randint(7, 18)
        pool = ["JK"] * 12 + [f"2{suit}" for suit in "SHDC"] * 3
        rest = [card for card in case.hand if card != "JK" and card[0] != "2"][: 20 - wilds]
        ace = "both" if "R14" in case.contract else case.ace
        yield Dealt([*rest, *rng.sample(pool, wilds)], case.contract, ("JK", "2"), ace, 3)


def test_many_wilds():
    rng = Random(5)
    for case in with_many_wilds(150, 5):
        limits = random_limits(rng)
        if _makeable(case, limits):
            check_distance(case, limits)


def test_both_paths_agree_on_common_ground():
    """What the fast path answers the general search answers too."""
    checked = 0
    for case in stratified_hands(3_000, 6, FAST_CONTRACTS):
        need = need_of(case)
        assert need.terms & tm.GENERAL == 0
        general = need._replace(sets=0, runs=0, table=0, terms=need.terms | tm.GENERAL)
        assert distance_of(case.hand, general) == distance_of(case.hand, need), case
        checked += 1
    assert checked == 3_000


def test_natural_only():
    for case in stratified_hands(300, 7, ALL_CONTRACTS):
        limits = Limits(max_wilds=0)
        if not _makeable(case, limits):
            continue
        expected = slow_distance(case.hand, case.contract, wild=case.wild, ace=case.ace, max_wilds=0)
        assert distance_of(case.hand, need_of(case, natural_only=True)) == expected, case


WHOLE = ["R4 R4 R4", "R4 R4 R4", "S3 R4", "S3 S3 S3", "R4", "S3 S4 R4", "S3 S3 R4 R4", "R3 R5"]


def whole_cases(n: int, seed: int) -> Iterator[tuple[Dealt, Limits]]:
    rng = Random(seed)
    for i, case in enumerate(stratified_hands(n, seed, WHOLE)):
        yield case._replace(hand=case.hand[:16]), random_limits(rng) if i % 2 else NO_LIMITS


def check_whole(case: Dealt, limits: Limits) -> int | None:
    need = need_of(case, limits, whole_hand=True)
    found = distance_of(case.hand, need)
    options = {"wild": case.wild, "ace": case.ace, **limits._asdict()}
    try:
        expected = slow_whole_hand_distance(case.hand, case.contract, **options)
    except ValueError:
        assert found > len(case.hand), (case, limits)
        return None
    assert found == expected, (case, limits)
    for limit in range(max(0, expected - 1), expected + 2):
        assert is_within(case.hand, need, limit) == (expected <= limit), (case, limits, limit)
    return expected


def test_whole_hands_agree_with_the_twin():
    found = [check_whole(*case) for case in whole_cases(250, 8)]
    assert None in found
    assert {0, 1, 2, 3} <= set(found)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(200, 206))
def test_whole_hands_agree_with_the_twin_on_many_hands(seed):
    for case in whole_cases(1_000, seed):
        check_whole(*case)


def lay_down_cases(n: int, seed: int) -> Iterator[tuple[Dealt, Limits]]:
    """Yield hands that hold their contract under limits, few enough wilds and cards for the twin."""
    contracts = [c for c in ALL_CONTRACTS if len(c.split()) < 4]
    found = (
        (case, limits)
        for case, limits in limited_cases(60 * n, seed, contracts)
        if len(split(case.hand, case.wild)[1]) <= 2
        and len(case.hand) <= 15
        and distance_of(case.hand, need_of(case, limits)) == 0
    )
    yield from islice(found, n)


@pytest.mark.parametrize("fits", [frozenset(), frozenset({"7S", "7H", "7D", "7C", "KH", "2D"})])
def test_lay_down_is_legal_and_the_best(fits):
    n = 0
    for case, limits in lay_down_cases(150, 9):
        found = planned(case, need_of(case, limits), POINTS, fits)
        assert found is not None, (case, limits)
        check_choice(case, found, POINTS, fits, limits)
        n += 1
    assert n == 150


@pytest.mark.full
@pytest.mark.parametrize("seed", range(300, 304))
def test_lay_down_is_legal_and_the_best_on_many_hands(seed):
    for case, limits in lay_down_cases(800, seed):
        found = planned(case, need_of(case, limits), POINTS, frozenset())
        assert found is not None, (case, limits)
        check_choice(case, found, POINTS, frozenset(), limits)


def test_a_whole_hand_is_laid_down_whole():
    n = 0
    for case, limits in whole_cases(4_000, 10):
        need = need_of(case, limits, whole_hand=True)
        held = len(case.hand)
        if held < need.slots:
            continue
        found = planned(case, need, POINTS, frozenset())
        assert (found is not None) == (distance_of(case.hand, need) == 0), (case, limits)
        if found is None:
            continue
        cards, _ = found
        assert sorted(card for meld in cards for card in meld) == sorted(case.hand)
        grown = Contract(
            tuple(
                type(meld)(meld.kind, len(some))
                for meld, some in zip(Contract.parse(case.contract).melds, cards, strict=True)
            )
        )
        assert all(
            len(some) >= meld.size
            for meld, some in zip(Contract.parse(case.contract).melds, cards, strict=True)
        )
        check_choice(case._replace(contract=str(grown)), found, POINTS, frozenset(), limits)
        n += 1
    assert n > 30


@pytest.mark.parametrize(
    ("contract", "options", "message"),
    [
        ("R14", ["cards.ace='low'"], "a run has at most 13 cards"),
        (
            "S5",
            ["meld.set_suits='distinct'", "meld.max_wilds=0"],
            "at most 4 natural cards of different suits",
        ),
        ("S3 S3 S3 S3 S3", [], "has 5 melds"),
    ],
)
def test_contracts_that_no_cards_make(contract, options, message):
    with pytest.raises(ss.RulesError, match=message):
        ss.contract_distance("7H", contract, overrides=options)


def test_whole_hands_that_no_melds_take():
    options = {"go_out.last_deal_takes_whole_hand": True, "deal.contracts": ["R4"]}
    hand = " ".join(["7H"] * 3 + ["8H"] * 3 + ["9S"] * 3 + ["TS"] * 3 + ["JS"] * 3)
    with pytest.raises(ss.RulesError, match="whole hand of 15 cards"):
        ss.contract_distance(hand, "R4", overrides=options, deal=1)
