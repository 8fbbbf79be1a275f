"""Hands that programs of this kind judged wrong, the whole kind of each fault (numbers: the list of rulings)."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random

import pytest

import shanghai_sim as ss
from shanghai_sim.engine.batch import play_blocks
from shanghai_sim.engine.metrics import BUYS, LAID_DOWN
from shanghai_sim.rules.feasibility import check_deal, check_deals
from shanghai_sim.rules.ruleset import load_ruleset
from tests.reference.general_hands import ACES, stratified_hands
from tests.reference.plain_cards import NO_LIMITS, RANKS, SUITS, run_cards, windows
from tests.unit.engine.test_tables import setup_of
from tests.unit.rules.evaluation import POINTS, distance_of, need_of, planned, ruleset_of

SHANGHAI = load_ruleset("shanghai")
TWOS = load_ruleset("shanghai-wild-twos")


def distance(hand, contract, rules=SHANGHAI, **rest):
    return ss.contract_distance(hand, contract, rules, **rest)


def laid(hand, contract, rules=SHANGHAI, **rest):
    return ss.find_contract(hand, contract, rules, **rest)


def some_ranks(n: int):
    """Return a few choices of n ranks, neighbours, aces and kings among them."""
    return Random(n).sample(list(combinations(RANKS, n)), 12)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_1_each_set_has_its_own_joker(n):
    contract = " ".join(["S3"] * n)
    assert laid("7D 7S JK 9S 9C JK 4H", "S3 S3") == [["7S", "7D", "JK"], ["9S", "9C", "JK"]]
    for ranks in some_ranks(n):
        pairs = [rank + suit for rank in ranks for suit in "DS"]
        other = next(rank for rank in RANKS if rank not in ranks) + "H"
        found = laid([*pairs, *["JK"] * n, other], contract)
        assert found is not None
        assert all(meld.count("JK") == 1 for meld in found)
        assert distance([*pairs, *["JK"] * (n - 1)], contract) == 1
        assert laid([*pairs, *["JK"] * (n - 1), other], contract) is None


@pytest.mark.parametrize("ace", sorted(set(ACES)))
def test_2_a_joker_fills_any_gap_of_a_run(ace):
    rules = ruleset_of(("JK",), ace, NO_LIMITS)
    assert laid("QH QS QC 5H 6H JK 8H 2C", "S3 R4") == [["QS", "QH", "QC"], ["5H", "6H", "JK", "8H"]]
    for (suit, low), gap in product(windows(4, ace), (1, 2)):
        run = list(run_cards(suit, low, 4))
        rank = next(r for r in "9Q5" if all(card[0] != r for card in run))
        trio = [rank + s for s in SUITS[:3]]
        wanted = [*run[:gap], "JK", *run[gap + 1 :]]
        assert laid([*trio, *wanted[::-1], "JK"][:-1], "S3 R4", rules) == [trio, wanted]
        assert distance([card for card in [*trio, *wanted] if card != "JK"], "S3 R4", rules) == 1


@pytest.mark.parametrize("ace", sorted(set(ACES)))
def test_3_long_runs_end_at_the_ace(ace):
    rules = ruleset_of(("JK",), ace, NO_LIMITS)
    suit = "SHDC"[len(ace) % 4]
    for size in range(4, 15):
        places = [low for s, low in windows(size, ace) if s == suit]
        for low in places:
            hand = list(run_cards(suit, low, size))
            assert distance(hand, f"R{size}", rules) == 0
            # The card beyond an end makes a run longer by one only where there is a place for it.
            beyond = [low - 1] if low == places[0] else []
            beyond += [low + size] if low == places[-1] else []
            for position in beyond:
                more = [*hand, RANKS[(position - 1) % 13] + suit]
                if size < 12:
                    assert distance(more, f"R{size + 1}", rules) == 1


def test_4_a_joker_beside_three_of_the_top_stands_at_either_end():
    """`JD QD KD JK`: the joker is the ace or the ten; at the ace itself there is but one place."""
    for suit in SUITS:
        top = [f"{rank}{suit}" for rank in "JQK"]
        (found,) = laid([*top, "JK"], "R4")
        assert found in ([*top, "JK"], ["JK", *top])
        (found,) = laid([*top[1:], f"A{suit}", "JK"], "R4")
        assert found == ["JK", *top[1:], f"A{suit}"]
        (found,) = laid([f"A{suit}", f"2{suit}", f"3{suit}", "JK"], "R4")
        assert found == [f"A{suit}", f"2{suit}", f"3{suit}", "JK"]


def test_5_one_natural_and_jokers_make_a_run_or_a_set_as_the_contract_asks():
    for rank, suit in product(RANKS, SUITS):
        hand = [rank + suit, "JK", "JK", "JK"]
        (run,) = laid(hand, "R4")
        assert sorted(run) == sorted(hand)
        assert distance([*hand, *[rank + other for other in SUITS if other != suit]], "R4 R4") == 3
        assert laid(hand, "S4") == [hand]


def test_6_what_is_no_run():
    """A card twice, a card of another suit, around the corner: each lacks what a joker would have to be."""
    for suit, low in windows(4, "both"):
        run = list(run_cards(suit, low, 4))
        other = SUITS[(SUITS.index(suit) + 1) % 4]
        for i in range(4):
            twice = [*run[:i], run[i - 1], *run[i + 1 :]]
            mixed = [*run[:i], run[i][0] + other, *run[i + 1 :]]
            for hand in (twice, mixed):
                assert distance(hand, "R4") > 0
                assert laid(hand, "R4") is None
    for low, suit in product(range(11, 14), SUITS):
        corner = [RANKS[(position - 1) % 13] + suit for position in range(low, low + 4)]
        if low > 11:  # J-Q-K-A is a run, Q-K-A-2 and K-A-2-3 are not
            assert distance(corner, "R4") > 0
        else:
            assert distance(corner, "R4") == 0
    assert [distance(hand, "R4") for hand in ("5H 5H 6H 7H", "5H 6C 7H 8H", "KH AH 2H 3H")] == [1, 1, 1]


def test_7_the_order_of_a_hand_does_not_matter():
    rng = Random(7)
    for case in stratified_hands(150, 7):
        need = need_of(case)
        told = set()
        ordered = sorted(case.hand, key=lambda card: card == "JK")
        for hand in (ordered, ordered[::-1], *(rng.sample(case.hand, len(case.hand)) for _ in range(4))):
            found = planned(case._replace(hand=hand), need, POINTS, frozenset())
            told.add((distance_of(hand, need), str(found)))
        assert len(told) == 1, (case, told)
    few = ["7H", "7D", "JK", "4S"]
    assert {str(laid(list(hand), "S3")) for hand in permutations(few)} == {"[['7H', '7D', 'JK']]"}


LIMITS = ["meld.max_wilds=0", "meld.max_wilds=1", "meld.max_wilds=2", "deal.natural_only=[1]"]
LIMITS += [f"meld.naturals_outnumber_wilds={word}" for word in ("at-least-equal", "strictly")]


@pytest.mark.parametrize("limit", LIMITS)
def test_8_a_wild_two_is_a_wild_even_where_it_stands_for_itself(limit):
    limited = load_ruleset("shanghai-wild-twos", [limit])
    for hand, contract in (
        ("2S 2H JK", "S3"),
        ("2S 2H 2D", "S3"),
        ("AS 2S 2H 2D", "R4"),
        ("2S 2S 2H 3S", "R4"),
    ):
        assert distance(hand, contract, TWOS) == 0
        assert laid(hand, contract, TWOS) is not None
        assert distance(hand, contract, limited, deal=1) > 0
        assert laid(hand, contract, limited, deal=1) is None
    # One wild of four is one too many only where there may be none.
    none = limit in ("meld.max_wilds=0", "deal.natural_only=[1]")
    assert (distance("AS 2S 3S 4S", "R4", limited, deal=1) > 0) == none


def test_9_a_contract_too_large_for_the_hand_takes_buys():
    """14 cards and one to discard: two buys, and in games nobody lays it down with fewer; a sensible player buys."""
    changes = ["deal.contracts=['S3 S3 S3 R5']"]
    assert check_deal(load_ruleset("shanghai", changes), 4, 1).buys_needed == 2
    deals = play_blocks(setup_of("shanghai", 4, ["plain"], changes, seed=9), 0, 40).deals[:, 0]
    down = deals[..., LAID_DOWN] == 1
    assert down.mean() > 0.2
    assert (deals[..., BUYS][down] >= 2).all()
    never = play_blocks(setup_of("shanghai", 4, ["no-buy"], changes, seed=9), 0, 10).deals[:, 0]
    assert not never[..., LAID_DOWN].any()


def test_9_how_many_buys_every_contract_of_every_size_takes():
    """11 cards and one drawn, two more with each buy, one kept to discard."""
    for name in ("shanghai", "shanghai-canonical", "shanghai-alternate", "shanghai-big"):
        for found in check_deals(load_ruleset(name), 4):
            assert found.buys_needed == max(0, (found.contract.cards - 10) // 2), (name, found)


WHOLE = "R4 R4 R4"
LAST = {"rules": load_ruleset("contract-rummy"), "deal": 7}


@pytest.mark.parametrize("odd", ["8D", "4C", "AS", "5H", "KH", "8S"])
def test_12_a_card_left_over_from_the_whole_hand(odd):
    """Any card that none of the runs takes; 8S would make two of them one longer run, which that ruleset forbids."""
    hand = ["9S", "TS", "JS", "QS", "4S", "5S", "6S", "7S", "7C", "JK", "9C", "TC"]
    assert laid(hand, WHOLE, **LAST) is not None
    assert laid([*hand, odd], WHOLE, **LAST) is None
    assert distance([*hand, odd], WHOLE, **LAST) > 0
    # The same cards without the option, and cards that one of the runs can take.
    assert laid([*hand, odd], WHOLE, LAST["rules"], deal=6) is not None
    for fitting in ("3S", "KS", "8C", "JK"):
        assert sorted(map(len, laid([*hand, fitting], WHOLE, **LAST))) == [4, 4, 5]
    adjoining = load_ruleset("contract-rummy", ["meld.runs_may_adjoin=true"])
    assert (laid([*hand, odd], WHOLE, adjoining, deal=7) is not None) == (odd == "8S")


def test_24_contract_8_with_one_buy_can_never_be_made():
    rules = load_ruleset("shanghai-one-buy")
    found = {deal.deal: deal.never for deal in check_deals(rules, 4)}
    assert [deal for deal, why in found.items() if why] == [8]
    assert found[8] == "it takes 14 cards and one to discard; with 1 buy a hand holds 14"
    deals = play_blocks(setup_of("shanghai-one-buy", 4, ["aggressive-buy"], seed=24), 0, 60).deals
    down = deals[:, :10, :, LAID_DOWN].mean(axis=(0, 2))
    assert down[7] == 0
    assert (down[[6, 8, 9]] > 0).all()
