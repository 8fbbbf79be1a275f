"""Options on wilds, melds, swaps, going out and bonuses do what they say, in games that the referee accepts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from shanghai_sim.engine import metrics
from shanghai_sim.engine.batch import play_blocks
from tests.unit.engine.test_rules_happen import NOTHING, SWAPPER, all_of, deals_of, games
from tests.unit.engine.test_tables import setup_of


def kinds_of(deal: list[dict]) -> dict[int, str]:
    """Return the kind of each meld of a deal, by its number."""
    return {m["meld"]: m["kind"] for e in deal if e["event"] == "lay-down" for m in e["melds"]}


def swaps_by_kind(found) -> Counter:
    return Counter(
        kinds_of(deal)[event["meld"]]
        for deal in deals_of(found)
        for event in deal
        if event["event"] == "swap"
    )


def melds_of(found) -> list[dict]:
    return [meld for event in all_of(found, "lay-down") for meld in event["melds"]]


# Swaps.

MANY_JOKERS = "cards.jokers={2=12}"


@pytest.mark.parametrize(("option", "kinds"), [("runs", {"run"}), ("all", {"run", "set"}), ("none", set())])
def test_wilds_are_swapped_where_the_option_allows_it(option, kinds):
    found = games(f"swap.melds={option}", MANY_JOKERS, policies=(SWAPPER,), deals=(2, 5), n=6)
    assert set(swaps_by_kind(found)) == kinds


@pytest.mark.parametrize("place", ["hand", "table"])
def test_where_a_freed_wild_goes(place):
    changes = (f"swap.freed_wild={place}", "swap.melds=all", MANY_JOKERS)
    found = games(*changes, policies=(SWAPPER,), deals=(2, 5), n=6)
    swaps = all_of(found, "swap")
    assert len(swaps) > 3
    assert {swap["to"] for swap in swaps} == {place}
    at_once = [
        (after["event"], after.get("card"), after["seat"]) == ("lay-off", event["wild"], event["seat"])
        for events in found
        for event, after in pairwise(events)
        if event["event"] == "swap"
    ]
    assert all(at_once) or place == "hand"


# Going out.


def endings(found) -> Counter:
    """Return by which event hands were emptied."""
    return Counter(deal[-2]["event"] for deal in deals_of(found) if deal[-1]["reason"] == "out")


def test_how_a_hand_may_be_emptied():
    either = {"policies": ("plain", "no-buy"), "deals": (1, 2, 6), "n": 8}
    assert set(endings(games(**either))) == {"discard"}
    assert set(endings(games("go_out.discard=optional", **either))) >= {"discard", "lay-off"}
    short = games("go_out.discard=optional", "deal.hand_size=5", NOTHING % 0, **either)
    assert endings(short)["lay-down"] > 0


def test_a_contract_of_every_card_needs_one_more_or_the_option():
    """Hands of 5 and contracts of 6: with a discard required nobody lays down before a buy makes room."""
    five = ("deal.hand_size=5", "buy.per_deal=0")
    assert not all_of(games(*five, "stock.turn_limit=20", policies=("plain",), deals=(1,)), "lay-down")
    assert all_of(games(*five, "go_out.discard=optional", policies=("plain",), deals=(1,)), "lay-down")


@pytest.mark.parametrize("rules", ["contract-rummy", "liverpool"])
def test_the_last_contract_takes_every_card(rules):
    """The whole hand is laid down, in melds as long as need be, and that ends the deal without a discard."""
    found = games(rules=rules, policies=("plain", "no-buy"), deals=(7,), n=9)
    last = [deal for deal in deals_of(found) if all_of([deal], "lay-down")]
    assert len(last) >= 3
    for deal in last:
        assert [event["event"] for event in deal[-2:]] == ["lay-down", "deal-end"]
        assert (deal[-1]["reason"], deal[-1]["winner"]) == ("out", deal[-2]["seat"])
        sizes = [len(meld["cards"]) for meld in deal[-2]["melds"]]
        assert min(sizes) >= 4
        assert sum(sizes) >= 13
    assert not all_of(found, "lay-off")
    # Up to the last deal it is a contract like others, and a discard is needed.
    assert set(endings(games(rules=rules, policies=("plain",), deals=(1, 6)))) == {"discard"}


@pytest.mark.parametrize(("rules", "deals"), [("liverpool", (7,)), ("progressive", (1, 2, 3, 4, 5, 6, 7))])
def test_laying_down_ends_the_deal(rules, deals):
    """Where the contract takes every card, and where each hand is the contract and one card to discard (RULES 9)."""
    batch = play_blocks(setup_of(rules, policies=["plain"], deals=deals), 0, 30).deals[:, :-1]
    laid, out = batch[..., metrics.LAID_DOWN], batch[..., metrics.WENT_OUT]
    assert (laid == out).all()
    assert laid.any(axis=2).mean() > 0.6


# Bonuses: with hands of three and the contract S3 a lay-down is going out.


def winners_of(found):
    """Yield (score, first own turn, laid down in it, melded a wild) of everyone who went out."""
    for deal in deals_of(found):
        end = deal[-1]
        if end["winner"] is None:
            continue
        turn, down, wild = 0, 0, False
        for event in deal:
            if event.get("seat") != end["winner"]:
                continue
            turn += event["event"] == "draw"
            if event["event"] == "lay-down":
                down = turn
                wild |= any("JK" in meld["cards"] for meld in event["melds"])
            wild |= event["event"] == "lay-off" and event["card"] == "JK"
        yield end["scores"][end["winner"]], turn == 1, down == turn, wild


@pytest.mark.parametrize(
    ("first", "first_clean", "one", "one_clean"),
    [
        (0, 0, 0, 0),
        (-50, 0, 0, 0),
        (-25, -50, 0, 0),
        (0, 0, -25, 0),
        (0, 0, 0, -50),
        (-50, -10, -25, -60),
        (-5, -7, -25, 0),
    ],
)
def test_bonuses(first, first_clean, one, one_clean):
    """The figure without a wild stands in place of the other; where two bonuses apply the lower score counts."""
    changes = (
        f"score.first_turn_bonus={first}", f"score.first_turn_bonus_without_wild={first_clean}",
        f"score.one_turn_bonus={one}", f"score.one_turn_bonus_without_wild={one_clean}",
    )  # fmt: skip
    small = ("deal.hand_size=[3,4]", "deal.contracts=['S3','S3']", "cards.jokers={2=6}", "buy.per_deal=0")
    seen = Counter()
    for score, is_first, in_one, wild in winners_of(
        games(*small, *changes, policies=("plain",), deals=(1, 2), n=24)
    ):
        figures = [0]
        if is_first:
            figures.append(first if wild else first_clean or first)
        if in_one:
            figures.append(one if wild else one_clean or one)
        assert score == min(figures)
        seen[is_first, in_one, wild] += 1
    assert min(seen[False, in_one, wild] for in_one in (False, True) for wild in (False, True)) > 0


def test_first_turn_bonuses_happen():
    """Among hundreds of games of small hands some go out at once, with and without a wild; the records say so."""
    changes = [
        "deal.hand_size=3", "deal.contracts=['S3']", "cards.packs={2=3}", "cards.jokers={2=12}",
        "score.first_turn_bonus=-50", "score.first_turn_bonus_without_wild=-100",
    ]  # fmt: skip
    records = play_blocks(setup_of(policies=["plain"], changes=changes), 0, 100).deals[:, 0]
    points, out = records[..., metrics.POINTS], records[..., metrics.WENT_OUT] == 1
    first = out & (records[..., metrics.TURNS] == 1)
    assert set(points[first]) == {-50, -100}
    assert set(points[out & ~first]) == {0}


# Wilds and the ace.


def tops_and_lows(found) -> tuple[set[int], set[int]]:
    runs = [meld for meld in melds_of(found) if meld["kind"] == "run"]
    return {meld["low"] + len(meld["cards"]) - 1 for meld in runs}, {meld["low"] for meld in runs}


@pytest.mark.parametrize(
    ("ace", "low", "high"), [("both", True, True), ("low", True, False), ("high", False, True)]
)
def test_the_ace(ace, low, high):
    found = games(
        f"cards.ace={ace}", "deal.contracts=['R3 R3','R4 R4']", policies=("plain",), deals=(1, 2), n=14
    )
    tops, lows = tops_and_lows(found)
    assert (1 in lows, 14 in tops) == (low, high)
    ends = Counter()
    for deal in deals_of(found):
        for event in deal:
            if event["event"] == "lay-off" and event["card"][0] == "A":
                ends[event["end"]] += 1
    assert low or not ends["low"]
    assert high or not ends["high"]


def test_a_joker_that_is_not_wild_is_a_dead_card():
    found = games("cards.wild=['2']", policies=("plain", "random"), deals=(1, 2, 3), n=4)
    assert not any("JK" in meld["cards"] for meld in melds_of(found))
    assert not any(event["card"] == "JK" for event in all_of(found, "lay-off"))
    assert any(event["card"] == "JK" for event in all_of(found, "discard"))
    assert any(
        "2" in {card[0] for card in meld["cards"]} != {"2"}
        for meld in melds_of(found)
        if meld["kind"] == "set"
    )


def test_wild_twos_and_black_twos():
    found = games(rules="shanghai-wild-twos", policies=("plain",), deals=(1, 4, 5), n=6)
    in_sets = {
        c for m in melds_of(found) if m["kind"] == "set" and len({*m["cards"]}) > 1 for c in m["cards"]
    }
    assert {"2S", "2H", "2D", "2C"} & in_sets
    assert "JK" in in_sets
    finnish = games(rules="finnish", policies=("plain", "aggressive-buy"), deals=(1, 2, 3), n=6)
    mixed = [
        {card for card in meld["cards"] if card[0] == "2"}
        for meld in melds_of(finnish)
        if meld["kind"] == "set" and {card[0] for card in meld["cards"]} != {"2"}
    ]
    assert set().union(*mixed) == {"2S", "2C"}


def test_no_jokers_and_no_wilds():
    found = games("cards.jokers={}", "cards.wild=[]", policies=("plain",), deals=(1, 2), n=4)
    assert all(
        len({card[0] for card in meld["cards"]}) == 1 for meld in melds_of(found) if meld["kind"] == "set"
    )
    assert not all_of(found, "swap")
    assert all_of(found, "lay-down")
