"""The slow twins themselves: rulings by hand, an integer program's distances, the definition taken at its word."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from . import general_hands as gh
from .by_definition import distance_by_adding
from .plain_cards import NO_LIMITS, RANKS, SUITS, parse_contract, split
from .slow_distance import slow_distance, slow_whole_hand_distance
from .slow_limits import limited_distance

DATA = Path(__file__).parents[1] / "data"
CARDS = [rank + suit for rank in RANKS for suit in SUITS] + ["JK"]


# The integer program.


def _keywords(option: str) -> dict:
    """Turn `key=value;...` of a row into keywords of `slow_distance`."""
    found: dict = {}
    for text in filter(None, option.split(";")):
        key, value = text.split("=", 1)
        section, name = key.split(".")
        if name == "wild":
            found[name] = tuple(value.strip("[]").replace('"', "").split(","))
        elif section == "meld":
            found[name] = {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)
        elif name == "ace":
            found[name] = value
    return found


def _rows() -> list[dict[str, str]]:
    with (DATA / "distances.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_distances_of_the_integer_program():
    """All contracts, all options."""
    rows = _rows()
    for row in rows:
        found = slow_distance(row["hand"].split(), row["contract"], **_keywords(row["option"]))
        assert found == int(row["distance"]), row
    assert len(rows) == 839


# The definition taken at its word.


def _tiny_hands(n: int, seed: int) -> Iterator[gh.Dealt]:
    contracts = ["S3", "R3", "R4", "S3 S3", "S3 R3", "R3 R3", "S4", "R3 R4", "S5"]
    hands = (dealt._replace(hand=dealt.hand[:6]) for dealt in gh.stratified_hands(20 * n, seed, contracts))
    return islice(hands, 0, None, 20)


def _check_definition(n: int, seed: int, limited: bool) -> Counter[int]:
    rng = Random(seed)
    seen: Counter[int] = Counter()
    for hand, contract, wild, ace, _ in _tiny_hands(n, seed):
        limits = gh.random_limits(rng) if limited else NO_LIMITS
        try:
            found = slow_distance(hand, contract, wild=wild, ace=ace, **limits._asdict())
        except ValueError:
            continue
        if "S5" in contract and limits.set_suits == "distinct":
            continue  # the fifth card must be a wild, which the naturals added here never are
        most = 1 if len(parse_contract(contract)) > 1 else 2
        assert distance_by_adding(hand, contract, wild, ace, limits, most) == min(found, most + 1), (
            hand,
            contract,
            wild,
            ace,
            limits,
        )
        seen[min(found, most + 1)] += 1
    return seen


@pytest.mark.parametrize("limited", [False, True])
def test_distance_is_the_least_number_of_added_cards(limited):
    seen = _check_definition(14, 7, limited)
    assert set(seen) >= {0, 1, 2}, seen


@pytest.mark.full
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("seed", range(2, 5))
def test_distance_is_the_least_number_of_added_cards_on_many_hands(seed, limited):
    _check_definition(60, seed, limited)


# The two searches for the distance, and what must hold between distances.


def _check_relations(dealt: gh.Dealt, rng: Random) -> None:
    hand, contract, wild, ace, _ = dealt
    found = slow_distance(hand, contract, wild=wild, ace=ace)
    naturals, wilds, _ = split(hand, wild)
    assert limited_distance(naturals, len(wilds), parse_contract(contract), ace, NO_LIMITS) == found, dealt
    # One card more, of any kind, helps by one at most and never harms.
    card = rng.choice(CARDS)
    assert found - 1 <= slow_distance([*hand, card], contract, wild=wild, ace=ace) <= found, (dealt, card)
    turned = hand[1:] + hand[:1]
    assert slow_distance(turned, " ".join(reversed(contract.split())), wild=wild, ace=ace) == found, dealt
    limits = gh.random_limits(rng)
    if all(limits.fewest_wilds(shape) <= limits.most_wilds(shape.size) for shape in parse_contract(contract)):
        assert slow_distance(hand, contract, wild=wild, ace=ace, **limits._asdict()) >= found, (dealt, limits)


@pytest.mark.parametrize("contracts", [gh.FAST_CONTRACTS, gh.MIXED_CONTRACTS], ids=["fast", "mixed"])
def test_relations_between_distances(contracts):
    rng = Random(3)
    for dealt in gh.stratified_hands(3 * len(contracts), 3, contracts):
        _check_relations(dealt, rng)


@pytest.mark.full
@pytest.mark.parametrize("contracts", [gh.FAST_CONTRACTS, gh.MIXED_CONTRACTS], ids=["fast", "mixed"])
def test_relations_between_distances_on_many_hands(contracts):
    rng = Random(4)
    for dealt in gh.stratified_hands(2_000, 4, contracts):
        _check_relations(dealt, rng)


CORNER_DISTANCES = [3, 2, 0, 2, 1, 3, 1, 0, 0, 4, 2, 2, 2, 2, 1, 1, 0, 7, 0, 0]


@pytest.mark.parametrize(
    ("dealt", "expected"),
    list(zip(gh.CORNERS, CORNER_DISTANCES, strict=True)),
    ids=lambda value: f"{' '.join(value.hand)}, {value.contract}" if isinstance(value, gh.Dealt) else "",
)
def test_corner(dealt, expected):
    assert slow_distance(dealt.hand, dealt.contract, wild=dealt.wild, ace=dealt.ace) == expected


@pytest.mark.parametrize(
    ("hand", "contract", "options", "expected"),
    [
        ("7D 7S JK 9S 9C JK 4H", "S3 S3", {}, 0),  # ruling 1
        ("QH QS QC 5H 6H JK 8H 2C", "S3 R4", {}, 0),  # ruling 2
        ("8H 9H TH JH QH KH AH", "R7", {}, 0),  # ruling 3
        ("JD QD KD JK", "R4", {}, 0),  # ruling 4
        ("5H JK JK JK", "R4", {}, 0),  # ruling 5
        ("5H 5H 6H 7H", "R4", {}, 1),  # ruling 6
        ("5H 6C 7H 8H", "R4", {}, 1),
        ("KH AH 2H 3H", "R4", {}, 1),
        ("2S 2H JK", "S3", {"wild": ("JK", "2")}, 0),  # ruling 8
        ("2S 2H JK", "S3", {"wild": ("JK", "2"), "max_wilds": 2}, 1),
        ("2S 2H JK", "S3", {"wild": ("JK", "2"), "naturals_outnumber_wilds": "at-least-equal"}, 2),
        ("5H 6H 7H 8H 9H", "R4 R4", {"runs_may_adjoin": False}, 3),
        ("5H 6H 7H 8H 9H TH JH QH", "R4 R4", {}, 0),
        ("5H 6H 7H 8H 9H TH JH QH", "R4 R4", {"runs_may_adjoin": False}, 1),
        ("7S 7H 7D 7C 7S 7H", "S3 S3", {"same_rank_sets": False}, 3),
        ("7S 7S 7H 7H 8D JK", "S3", {"set_suits": "distinct"}, 0),
        ("7S 7S 7S 7H", "S3", {"set_suits": "distinct"}, 1),
        ("5H 6H JK 8H", "R4", {"max_wilds": 0}, 1),
        ("JK JK 7H 7D 9H", "S3 S3", {"max_wilds": 1}, 1),
    ],
)
def test_distance_by_hand(hand, contract, options, expected):
    assert slow_distance(hand.split(), contract, **options) == expected


@pytest.mark.parametrize(
    ("hand", "contract", "expected"),
    [
        ("9S TS JS QS 4S 5S 6S 7S 7C JK 9C TC 8D", "R4 R4 R4", 1),  # ruling 12
        ("9S TS JS QS 4S 5S 6S 7S 7C JK 9C TC 8S", "R4 R4 R4", 0),
        ("7S 7H 7D 9S 9C 9D 9H 9H", "S3 S3", 0),
        ("7S 7H 7D 9S 9C", "S3 S3", 1),
    ],
)
def test_whole_hand_distance(hand, contract, expected):
    assert slow_whole_hand_distance(hand.split(), contract) == expected


@pytest.mark.parametrize(
    ("contract", "options"),
    [
        ("R14", {"ace": "low"}),
        ("R14", {"ace": "high"}),
        ("R15", {}),
        ("S6", {"set_suits": "distinct", "max_wilds": 1}),
        ("S5", {"set_suits": "distinct", "max_wilds": 0}),
        ("S9", {"set_suits": "distinct", "naturals_outnumber_wilds": "at-least-equal"}),
    ],
)
def test_impossible_contracts_are_refused(contract, options):
    with pytest.raises(ValueError, match="no "):
        slow_distance([], contract, **options)


# The hands.


def test_stratified_hands_hold_what_they_promise():
    hands = list(gh.stratified_hands(1_700, 8))
    assert hands == list(gh.stratified_hands(1_700, 8))
    seen: Counter[str] = Counter()
    for hand, contract, wild, ace, packs in hands:
        copies = Counter(card for card in hand if card != "JK")
        naturals, wilds, dead = split(hand, wild)
        ranks = Counter(card[0] for card in naturals)
        assert 3 <= len(hand) <= 20
        assert max(copies.values(), default=0) <= packs
        seen["triple"] += max(copies.values(), default=0) == 3
        seen["four of a rank and two runs"] += (
            max(ranks.values(), default=0) >= 4 and contract.count("R") >= 2
        )
        seen["one rank"] += len(ranks) == 1
        seen["many wilds"] += len(wilds) >= 6
        seen["dead jokers"] += bool(dead)
        seen["complete"] += slow_distance(hand, contract, wild=wild, ace=ace) == 0
        seen["both ends"] += any({"A" + s, "2" + s, "K" + s} <= set(naturals) for s in SUITS)
    assert min(seen.values()) >= 25, seen
