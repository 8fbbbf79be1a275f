"""The slow twin of laying down: positions by hand, and against the slow distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from . import general_hands as gh
from .plain_cards import NO_LIMITS, RANKS, SUITS, Limits, card_at, parse_contract, split
from .slow_distance import slow_distance
from .slow_laydown import is_legal, lay_downs, slow_laydown, value_of, wilds_go_dearest_first

POINTS = {
    r + s: 15 if r == "A" else 10 if r in "TJQK" else 20 if r == "2" else 5 for r in RANKS for s in SUITS
}
POINTS["JK"] = 25


def test_lay_down_exists_exactly_where_the_distance_is_0():
    rng = Random(5)
    seen: Counter[bool] = Counter()
    for dealt in gh.stratified_hands(600, 5, [*gh.FAST_CONTRACTS, *gh.MIXED_CONTRACTS]):
        hand, contract, wild, ace, _ = dealt
        limits = gh.random_limits(rng) if rng.random() < 0.5 else NO_LIMITS
        try:
            found = slow_distance(hand, contract, wild=wild, ace=ace, **limits._asdict())
        except ValueError:
            continue
        way = next(lay_downs(hand, contract, wild=wild, ace=ace, limits=limits), None)
        assert (way is not None) == (found == 0), (dealt, limits)
        seen[found == 0] += 1
    assert min(seen.values()) > 80, seen


def _small_ways() -> Iterator[tuple[gh.Dealt, Limits]]:
    """Yield hands that hold their contract and have few wilds, so that there are not too many ways."""
    rng = Random(6)
    for dealt in gh.stratified_hands(500, 6, ["S3 S3", "S3 R4", "R4 R4", "S3 S3 R4", "S4 R3", "R3 R5", "R4"]):
        limits = gh.random_limits(rng) if rng.random() < 0.3 else NO_LIMITS
        if len(split(dealt.hand, dealt.wild)[1]) <= 2 and not slow_distance(
            dealt.hand, dealt.contract, wild=dealt.wild, ace=dealt.ace, **limits._asdict()
        ):
            yield dealt, limits


def _as_cards(way, wilds: list[str], contract: str):
    """Return the melds of a way as lists of cards in the contract's order, and their places."""
    rest = sorted(wilds, key=POINTS.__getitem__)
    melds, runs = [], []
    ways = list(way)
    for shape in parse_contract(contract):
        meld = ways.pop(next(i for i, one in enumerate(ways) if one.shape == shape))
        naturals = list(meld.naturals)
        if shape.kind == "S":
            melds.append(naturals + [rest.pop() for _ in range(meld.wilds)])
            runs.append(None)
            continue
        cards = []
        for i in range(shape.size):
            card = card_at(meld.run[0], meld.run[1] + i)
            if card in naturals:
                naturals.remove(card)
                cards.append(card)
            else:
                cards.append(rest.pop())
        melds.append(cards)
        runs.append(meld.run)
    return melds, runs


def test_the_best_way_is_legal_and_worth_what_it_says():
    n = 0
    for (hand, contract, wild, ace, _), limits in _small_ways():
        options = {"wild": wild, "ace": ace, "limits": limits}
        best = slow_laydown(hand, contract, points=POINTS, table_fits={"7S", "KH"}, **options)
        assert best is not None
        wilds = split(hand, wild)[1]
        for way in best.choices[:3]:
            melds, runs = _as_cards(way, wilds, contract)
            assert is_legal(melds, hand, contract, runs=runs, **options), (hand, contract, melds)
            assert wilds_go_dearest_first(melds, hand, wild=wild, points=POINTS)
            value = value_of(
                melds, hand, contract, points=POINTS, table_fits={"7S", "KH"}, runs=runs, **options
            )
            assert value == best.value, (hand, contract, melds)
        # Another order gives a way that is no better under this one.
        other = slow_laydown(
            hand,
            contract,
            points=POINTS,
            table_fits={"7S", "KH"},
            order=("wilds", "stuck", "points"),
            **options,
        )
        assert other.value.wilds <= best.value.wilds
        assert best.value <= other.value
        n += 1
    assert n > 50


@pytest.mark.parametrize(
    ("hand", "contract", "value", "n"),
    [
        # 4H, then 3H follow; 9C is stuck, for 5.
        ("5H 6H 7H 8H 3H 4H 9C", "R4", (5, 15, 0), 3),
        # The fourth seven fits the set; either may stay out: four ways.
        ("7S 7H 7D 7C", "S3", (0, 5, 0), 4),
        # Two copies, one place: one 9H is stuck.
        ("5H 6H 7H 8H 9H 9H", "R4", (5, 10, 0), 2),
        # A-Q is best: KS and AS follow, and cost less than the two aces around 2-K.
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS AS", "R12", (0, 25, 0), 1),
        # The joker goes into the meld rather than stay for 25: 7S then fits the set.
        ("7S 7H 7D JK", "S3", (0, 5, 1), 3),
        # A set of wilds alone fits nothing.
        ("JK JK JK 7S", "S3", (0, 25, 2), 1),
        # Which of two black twos and a joker go first: the joker, then a two.
        ("2S 2C JK 7S", "S3", (0, 20, 2), 1),
    ],
)
def test_best_way_by_hand(hand, contract, value, n):
    wild = ("JK", "2S", "2C") if "2C" in hand else ("JK",)
    best = slow_laydown(hand.split(), contract, wild=wild, points=POINTS)
    assert best is not None
    assert (best.value, len(best.choices)) == (value, n), best


def test_an_ace_fits_at_each_end_of_a_run():
    run = [card_at("S", position) for position in range(2, 14)]
    for aces, stuck in ((1, 0), (2, 0), (3, 15)):
        hand = run + ["AS"] * aces
        assert value_of([run], hand, "R12", points=POINTS) == (stuck, 15 * aces, 0)


def test_table_fits_take_all_copies_and_dead_jokers_are_stuck():
    hand = ["5H", "6H", "7H", "8H", "KC", "KC", "JK"]
    best = slow_laydown(hand, "R4", wild=("2",), points=POINTS, table_fits={"KC"})
    assert best is not None
    assert best.value == (25, 45, 0)


@pytest.mark.parametrize(
    ("melds", "contract", "options", "legal"),
    [
        (["5H 6H JK 8H"], "R4", {}, True),
        (["5H 5H 6H 7H"], "R4", {}, False),  # ruling 6
        (["5H 6C 7H 8H"], "R4", {}, False),
        (["KH AH 2H 3H"], "R4", {}, False),
        (["JD QD KD JK"], "R4", {}, True),  # ruling 4
        (["JD QD KD JK"], "R4", {"ace": "low"}, False),
        (["JK JD QD KD"], "R4", {"ace": "low"}, True),
        (["6H 5H 7H 8H"], "R4", {}, False),  # in order
        (["JK JK JK"], "S3", {}, True),  # ruling 28
        (["JK JK JK"], "S3", {"wild": ("2",)}, False),
        (["7H 7D 8S"], "S3", {}, False),
        (["7H 7H 7H"], "S3", {}, True),
        (["7H 7H 7D"], "S3", {"limits": Limits(set_suits="distinct")}, False),
        (["7H JK JK"], "S3", {"limits": Limits(max_wilds=1)}, False),
        (["7H 7D JK", "7S 7C 7C"], "S3 S3", {}, True),
        (["7H 7D JK", "7S 7C 7C"], "S3 S3", {"limits": Limits(same_rank_sets=False)}, False),
        (["7H 7D JK", "JK JK JK"], "S3 S3", {"limits": Limits(same_rank_sets=False)}, True),
        (["5H 6H 7H", "8H 9H TH"], "R3 R3", {}, True),
        (["8H 9H TH", "5H 6H 7H"], "R3 R3", {"limits": Limits(runs_may_adjoin=False)}, False),
        (["5H 6H 7H", "7H 8H 9H"], "R3 R3", {"limits": Limits(runs_may_adjoin=False)}, True),
        (["5H 6H 7H 8H", "7S 7D 7C"], "S3 R4", {}, False),  # not in the contract's order
        (["5H 6H 7H"], "R4", {}, False),
        (["2S JK 4S"], "R3", {"wild": ("JK", "2")}, True),
    ],
)
def test_legal_melds(melds, contract, options, legal):
    cards = [meld.split() for meld in melds]
    hand = [card for meld in cards for card in meld]
    assert is_legal(cards, hand, contract, **options) == legal
    assert not is_legal(cards, hand[1:], contract, **options)
