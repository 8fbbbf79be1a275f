"""Rulings on melds, played on the engine's own steps, the whole kind of each fault (numbers: the list of rulings)."""

from __future__ import annotations

from itertools import product

import pytest

from shanghai_sim.cards import ALL_CODES, JOKER, PLAIN_CODES, format_card, parse_card
from shanghai_sim.engine.stepper import Table
from shanghai_sim.errors import PolicyError
from shanghai_sim.policies import view as v
from shanghai_sim.rules.melds import KIND, LOW, RUN
from tests.unit.engine.scenes import Run, Set, lay_off, meld_text, scene, set_hand, swap, text_of
from tests.unit.engine.test_tables import meld_cards, meld_rows

ENDS = ("low", "high", None)
LONGER = "meld.longer_at_lay_down=true"


def takes(table: Table, meld: int = 0) -> dict[str, set[str]]:
    """Return which cards a meld takes at its low end, at its high end, or as a set; each is tried."""
    found: dict[str, set[str]] = {"low": set(), "high": set(), "set": set()}
    for code, end in product(ALL_CODES, ENDS):
        trial = table.copy()
        set_hand(trial, 1, [code, parse_card("3C")])
        try:
            trial.answer(lay_off(format_card(code), meld, end))
        except PolicyError:
            continue
        found[end or "set"].add(format_card(code))
    return found


def own_turn(hand: str, melds, **rest) -> Table:
    return scene(hands={1: hand}, down=(1,), melds=melds, decision=v.PLAY, **rest)


def before_laying_down(hand: str, *changes: str, drawn: str = "KH", deal: int = 1, **rest) -> Table:
    """Return the table after seat 1 has drawn a card and holds its hand with it."""
    table = scene(
        hands={1: hand}, stock=drawn, pile="KD", decision=v.DRAW, deals=(deal,), changes=changes, **rest
    )
    table.answer(v.FROM_STOCK)
    while table.decision == v.BUY:
        table.answer(v.NO)
    assert len(table.hand(1)) == len(hand.split()) + 1
    return table


def sizes(table: Table) -> list[int]:
    return sorted(len(meld_cards(row)) for row in meld_rows(table))


@pytest.mark.parametrize("suit", "SHDC")
def test_4_the_place_of_a_joker_is_chosen_at_lay_down_and_stays(suit):
    top = f"J{suit} Q{suit} K{suit}"
    assert takes(own_turn("3C 4C", [Run(f"{top} JK", 11)])) == {
        "low": {f"T{suit}", "JK"},
        "high": set(),
        "set": set(),
    }
    assert takes(own_turn("3C 4C", [Run(f"JK {top}", 10)])) == {
        "low": {f"9{suit}", "JK"},
        "high": {f"A{suit}", "JK"},
        "set": set(),
    }


@pytest.mark.parametrize("suit", "SHDC")
def test_5_a_run_of_one_natural_and_jokers_stays_a_run(suit):
    other = "SHDCS"["SHDC".index(suit) + 1]
    table = scene(
        hands={1: f"5{suit} JK JK JK 9{other} T{other} J{other} Q{other}"}, decision=v.PLAY, deals=(3,),
        changes=["go_out.discard=optional"],
    )  # fmt: skip
    table.answer(v.LAY_DOWN)
    rows = list(meld_rows(table))
    assert [row[KIND] for row in rows] == [RUN, RUN]
    meld = next(i for i, row in enumerate(rows) if JOKER in meld_cards(row))
    found = takes(own_turn("3C 4C", [Run(meld_text(table, meld), rows[meld][LOW])]))
    assert found["set"] == set()
    naturals = {card for end in ("low", "high") for card in found[end] - {"JK"}}
    assert naturals
    assert all(card[1] == suit and card[0] != "5" for card in naturals)


def test_8_wild_twos_make_a_set_without_limits_on_wilds_and_not_with_any():
    hand = "2S 2H JK 9S 9D 9C 4H"
    table = before_laying_down(hand, rules="shanghai-wild-twos")
    table.answer(v.LAY_DOWN)
    assert sizes(table) == [3, 3]
    for limit in (
        "meld.max_wilds=1",
        "meld.naturals_outnumber_wilds=at-least-equal",
        "meld.naturals_outnumber_wilds=strictly",
        "deal.natural_only=[1]",
    ):
        assert before_laying_down(hand, limit, rules="shanghai-wild-twos").decision == v.DISCARD


def test_8_limits_hold_for_grown_melds_by_option():
    """A two laid off counts as a wild, even in a set of twos."""
    twos = {"rules": "shanghai-wild-twos", "melds": [Set("9S 9D 2H"), Run("AS 2S 3S 4S", 1)]}
    always = ["meld.max_wilds=1", "meld.wild_limits=always"]
    free = own_turn("2D 4C 5C", changes=always[:1], **twos)
    assert "2D" in takes(free)["set"]
    bound = own_turn("2D 4C 5C", changes=always, **twos)
    assert takes(bound)["set"] == {"9S", "9H", "9D", "9C"}
    assert takes(bound, 1)["high"] == {"5S"}


LAST_HAND = "9S TS JS QS 4S 5S 6S 7S 7C JK 9C TC"


@pytest.mark.parametrize(("drawn", "layable"), [("8D", False), ("4C", False), ("KS", True), ("8C", True)])
def test_12_and_20_the_whole_hand(drawn, layable):
    """With a card left over there is no laying down; otherwise it ends the deal, and nobody waits for a discard."""
    table = before_laying_down(LAST_HAND, drawn=drawn, deal=7, rules="contract-rummy")
    if not layable:
        assert table.decision == v.DISCARD
        table.answer(parse_card(drawn))
        assert not table.deal_over
        return
    assert table.decision == v.PLAY
    table.answer(v.LAY_DOWN)
    assert table.deal_over
    assert sizes(table) == [4, 4, 5]
    assert table.result()["went_out"] == [0, 1, 0]
    assert table.result()["points"][1] == 0


@pytest.mark.parametrize("fives", [3, 4, 5, 6])
@pytest.mark.parametrize("nines", [3, 4, 5])
@pytest.mark.parametrize("discard", ["required", "optional"])
def test_13_one_card_is_kept_to_discard(fives, nines, discard):
    """With longer melds all the cards of two ranks go down but one, or all by option; six cards are too few."""
    cards = [f"5{suit}" for suit in "SHDCSH"][:fives] + [f"9{suit}" for suit in "SHDCS"][:nines]
    *hand, drawn = cards
    table = before_laying_down(" ".join(hand), LONGER, f"go_out.discard={discard}", drawn=drawn)
    if len(cards) == 6 and discard == "required":
        assert table.decision == v.DISCARD
        return
    table.answer(v.LAY_DOWN)
    if discard == "optional":
        assert sizes(table) == sorted([fives, nines])
    else:
        # The dearest first, so that a five stays; of equally dear cards the sizes say the rest.
        assert sum(sizes(table)) == fives + nines - 1
        assert min(sizes(table)) >= 3
        assert (table.decision, len(table.hand(1))) == (v.DISCARD, 1)
        table.answer(table.hand(1)[0])
    assert table.deal_over
    assert table.result()["went_out"][1] == 1


def test_13_without_the_option_melds_have_their_least_sizes():
    table = before_laying_down("5S 5H 5D 5C 9S 9H 9D", drawn="9C")
    table.answer(v.LAY_DOWN)
    assert sizes(table) == [3, 3]
    assert len(table.hand(1)) == 2


@pytest.mark.parametrize("suit", "SHDC")
def test_17_a_run_takes_its_own_suit_alone(suit):
    """Of all cards only the next below, the next above and wilds, wherever the run lies."""
    for low in range(1, 12):
        cards = [f"{'A23456789TJQK'[(p - 1) % 13]}{suit}" for p in range(low, low + 4)]
        found = takes(own_turn("3C 4C", [Run(" ".join(cards), low)]))
        below, above = ("A23456789TJQK"[(p - 1) % 13] + suit for p in (low - 1, low + 4))
        assert found == {
            "low": {below, "JK"} if low > 1 else set(),
            "high": {above, "JK"} if low < 11 else set(),
            "set": set(),
        }


@pytest.mark.parametrize("rank", "A7K")
def test_28_a_set_of_wilds_takes_the_rank_of_the_first_natural(rank):
    """Laid off on it or swapped into it; until then any natural will do."""
    every = {format_card(code) for code in (*PLAIN_CODES, JOKER)}
    all_of_rank = {rank + suit for suit in "SHDC"} | {"JK"}
    laid = own_turn(f"{rank}H 4C 5C", [Set("JK JK JK")], changes=["swap.melds=all"])
    assert takes(laid)["set"] == every
    swapped = laid.copy()
    laid.answer(lay_off(f"{rank}H", 0, None))
    swapped.answer(swap(f"{rank}H", 0))
    assert takes(laid)["set"] == takes(swapped)["set"] == all_of_rank
    assert "JK" in text_of(swapped, 1)


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("drawn", ["7S", "9H", "JK"])
def test_29_when_laying_off_begins(at_once, drawn):
    """Not in the turn of laying down but by option; what fits a meld just laid down, or one that lay there."""
    table = before_laying_down(
        "7H 7D 7C 9S 9D 9C QH QD 2S 3S 4C", f"meld.lay_off_same_turn={str(at_once).lower()}", drawn=drawn,
        melds=[Set("4H 4D 4S")],
    )  # fmt: skip
    table.answer(v.LAY_DOWN)
    rows = [meld_cards(row) for row in meld_rows(table)]
    # Of four equal ranks any three went down.
    left = next(card for card in text_of(table, 1).split() if card[0] == drawn[0])
    on = next(i for i, row in enumerate(rows) if drawn == "JK" or parse_card(drawn) % 16 == row[0] % 16)
    for answer in (lay_off(left, on, None), lay_off("4C", 0, None)):
        if at_once:
            assert table.decision == v.PLAY
            table.answer(answer)
        else:
            assert table.decision == v.DISCARD
            with pytest.raises(PolicyError):
                table.answer(answer)
    if at_once:
        table.answer(v.DONE)
    assert (table.decision, len(table.hand(1))) == (v.DISCARD, 4 if at_once else 6)
    table.answer(parse_card("QH"))
    assert not table.deal_over


def test_29_swaps_begin_with_the_lay_offs():
    for at_once in (False, True):
        table = before_laying_down(
            "7H 7D 7C 9S 9D 9C QH QD 2S 3S", f"meld.lay_off_same_turn={str(at_once).lower()}",
            drawn="6H", melds=[Run("4H 5H JK 7H", 4)],
        )  # fmt: skip
        table.answer(v.LAY_DOWN)
        if at_once:
            table.answer(swap("6H", 0))
            assert meld_text(table, 0) == "4H 5H 6H 7H"
        else:
            with pytest.raises(PolicyError):
                table.answer(swap("6H", 0))
