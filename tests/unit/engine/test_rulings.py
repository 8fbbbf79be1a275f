"""Positions that programs of this kind got wrong, played on the engine's own steps (numbers: the list of rulings)."""

from __future__ import annotations

from collections import Counter

import pytest

from shanghai_sim.cards import format_card, parse_card
from shanghai_sim.engine import events
from shanghai_sim.engine import state as st
from shanghai_sim.engine.stepper import Table
from shanghai_sim.errors import PolicyError
from shanghai_sim.policies import view as v
from shanghai_sim.rules.melds import KIND, MELD_WIDTH, RUN
from tests.unit.engine.scenes import Run, Set, lay_off, meld_text, scene, text_of
from tests.unit.engine.test_tables import setup_of

pytestmark = pytest.mark.nojit

PILE = "3S 4S 5S 6S 7S 8S"  # the top last


def pile_of(table: Table) -> list[str]:
    array = table.state.table
    return [format_card(code) for code in array[v.PILE_CARDS : v.PILE_CARDS + array[v.PILE]]]


def stock_of(table: Table) -> list[str]:
    return [format_card(code) for code in table.stock()]


def kinds_logged(table: Table) -> list[int]:
    return [row[0] for row in st.log_rows(table.state) if row[0] != events.CARD]


def everything(table: Table) -> Counter:
    hands = [format_card(code) for seat in range(3) for code in table.hand(seat)]
    return Counter(hands + pile_of(table) + stock_of(table))


def play_out_turn(table: Table) -> None:
    """Let the seat's own policy finish its turn, the discard included."""
    seat = table.seat
    while not table.deal_over and table.seat == seat and table.decision in (v.PLAY, v.DISCARD):
        table.answer(table.built_in(table.view()))


def drawing(stock: str, pile: str, coupling: str, **rest) -> Table:
    """Return the draw of seat 1; nobody holds anything that helps."""
    hands = {0: "AD 9D", 1: "AH 9H", 2: "AC 9C"}
    return scene(hands=hands, stock=stock, pile=pile, decision=v.DRAW, coupling=coupling, **rest)


@pytest.mark.parametrize("coupling", st.COUPLINGS)
def test_10_a_buy_that_empties_the_stock(coupling):
    """The buy takes the last stock card; for the draw the pile under its new top is shuffled."""
    table = drawing("KD", PILE, coupling)
    before = everything(table)
    table.answer(v.FROM_STOCK)
    assert table.seat == 2
    table.answer(v.YES)
    assert set(text_of(table, 2).split()) == {"AC", "9C", "8S", "KD"}
    assert pile_of(table) == ["7S"]
    drawn = set(text_of(table, 1).split()) - {"AH", "9H"}
    assert len(drawn) == 1
    assert drawn | set(stock_of(table)) == {"3S", "4S", "5S", "6S"}
    assert everything(table) == before
    assert kinds_logged(table) == [events.BUY, events.RESHUFFLE, events.DRAW]


@pytest.mark.parametrize("coupling", st.COUPLINGS)
def test_26_a_buy_from_an_empty_stock(coupling):
    table = drawing("", PILE, coupling)
    before = everything(table)
    table.answer(v.FROM_STOCK)
    table.answer(v.YES)
    bought = set(text_of(table, 2).split()) - {"AC", "9C"}
    drawn = set(text_of(table, 1).split()) - {"AH", "9H"}
    assert "8S" in bought
    assert len(bought) == 2
    assert len(drawn) == 1
    assert (bought | drawn | set(stock_of(table))) == set(PILE.split())
    assert pile_of(table) == []
    assert kinds_logged(table) == [events.RESHUFFLE, events.BUY, events.DRAW]
    play_out_turn(table)
    assert len(pile_of(table)) == 1
    assert everything(table) == before


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize("bought", [False, True])
def test_11_one_card_in_the_pile_and_none_in_the_stock(taken, bought):
    table = drawing("", "KS", "seat")
    before = everything(table)
    table.answer(v.FROM_PILE if taken else v.FROM_STOCK)
    if not taken:
        assert (table.decision, table.seat) == (v.BUY, 2)
        table.answer(v.YES if bought else v.NO)
        assert text_of(table, 1) == "AH 9H"
        assert ("KS" in text_of(table, 2)) == bought
        assert len(table.hand(2)) == 2 + bought
        assert table.state.table[v.SEATS + 2 * v.SEAT_WIDTH + v.BUYS] == bought
    else:
        assert "KS" in text_of(table, 1)
    assert (table.decision, table.seat) == (v.DISCARD, 1)
    table.answer(parse_card("AH"))
    assert everything(table) == before
    assert (table.decision, table.seat) == (v.DRAW, 2)
    assert pile_of(table)[-1] == "AH"
    table.play_out()


@pytest.mark.parametrize("penalty", [2, 3])
def test_a_buyer_pays_what_there_is(penalty):
    """One card in the stock and none to shuffle: one penalty card, and the active player draws nothing."""
    table = drawing("KD", "KS", "pile", changes=[f"buy.penalty_cards={penalty}"])
    table.answer(v.FROM_STOCK)
    table.answer(v.YES)
    assert set(text_of(table, 2).split()) == {"AC", "9C", "KS", "KD"}
    assert set(text_of(table, 1).split()) == {"AH", "9H"}
    assert table.decision == v.DISCARD


def test_a_penalty_is_drawn_from_what_is_left_first():
    """Two penalty cards, one left in the stock: that one, then one of the pile under the card bought."""
    table = drawing("KD", PILE, "seat", changes=["buy.penalty_cards=2"])
    table.answer(v.FROM_STOCK)
    table.answer(v.YES)
    bought = set(text_of(table, 2).split()) - {"AC", "9C"}
    assert {"8S", "KD"} < bought
    assert len(bought & {"3S", "4S", "5S", "6S", "7S"}) == 1
    assert pile_of(table) == []


@pytest.mark.parametrize("stock", ["", "KD"])
def test_a_deal_ends_on_the_empty_stock_by_option(stock):
    table = drawing(stock, PILE, "seat", changes=["stock.when_empty=end-deal"])
    table.answer(v.FROM_STOCK)
    if stock:
        # The buy takes the last card, so that the active player would have to draw from an empty stock.
        assert table.decision == v.BUY
        table.answer(v.YES)
        assert "KD" in text_of(table, 2)
    assert table.deal_over
    assert table.result()["end_reason"] == [2, 2, 2]
    assert table.result()["points"][1] == 20


def test_a_hand_emptied_by_the_discard_goes_out_though_its_contract_is_not_down():
    table = scene(hands={1: "9H"}, stock="", pile="KS", decision=v.DRAW)
    table.answer(v.FROM_STOCK)
    table.answer(v.NO)
    table.answer(parse_card("9H"))
    assert table.deal_over
    assert table.result()["went_out"] == [0, 1, 0]
    assert table.result()["laid_down"] == [0, 0, 0]


def test_27_who_may_buy():
    """Of three players only the one who neither draws nor discarded the card; the turned-up card: either."""
    turned = Table(setup_of(players=3, policies=["no-buy"]), 0)
    turned.answer(v.FROM_STOCK)
    asked = []
    while turned.decision == v.BUY:
        asked.append(turned.seat)
        turned.answer(v.NO)
    assert asked == [2, 0]
    table = drawing("KD KC", PILE, "seat")
    for active in (1, 2, 0):
        table.answer(v.FROM_STOCK)
        assert table.seat == (active + 1) % 3
        table.answer(v.NO)
        assert (table.decision, table.seat) == (v.DISCARD, active)
        table.answer(table.hand(active)[0])


def test_who_discarded_is_asked_last_by_option():
    table = drawing("KD KC", PILE, "seat", players=5, changes=["buy.own_discard=true"], active=3)
    table.answer(v.FROM_STOCK)
    asked = []
    while table.decision == v.BUY:
        asked.append(table.seat)
        table.answer(v.NO)
    assert asked == [4, 0, 1, 2]


# Laying off: chains, wilds and what the built-in policies make of them.


def own_turn(hand: str, melds, **rest) -> Table:
    return scene(hands={1: hand}, down=(1,), melds=melds, decision=v.PLAY, **rest)


def test_14_cards_that_follow_one_another():
    table = own_turn("3H 4H 9C", [Run("5H 6H 7H 8H", 5)])
    play_out_turn(table)
    assert meld_text(table, 0) == "3H 4H 5H 6H 7H 8H"
    assert pile_of(table)[-1] == "9C"
    assert table.deal_over


def test_15_a_wild_opens_the_place_for_a_natural():
    table = own_turn("JK 8S 3D", [Run("TS JS QS KS", 10)])
    play_out_turn(table)
    assert meld_text(table, 0) == "8S JK TS JS QS KS"
    assert table.deal_over


def test_16_a_natural_that_opens_the_next_place_goes_on_the_run():
    table = own_turn("TS 9S 3D", [Set("TD TC TH"), Run("JS QS KS AS", 11)])
    play_out_turn(table)
    assert meld_text(table, 1) == "9S TS JS QS KS AS"
    assert table.deal_over


def test_22_the_last_card_is_discarded():
    melds = [Run("5H 6H 7H 8H", 5), Set("KD KC KH")]
    table = own_turn("9H KS", melds)
    table.answer(lay_off("9H", 0, "high"))
    with pytest.raises(PolicyError):
        table.answer(lay_off("KS", 1, None))
    play_out_turn(table)
    assert table.deal_over
    assert pile_of(table)[-1] == "KS"
    assert table.result()["went_out"][1] == 1
    free = own_turn("9H KS", melds, changes=["go_out.discard=optional"])
    free.answer(lay_off("9H", 0, "high"))
    free.answer(lay_off("KS", 1, None))
    assert free.deal_over


def test_28_a_set_of_wilds_takes_the_rank_of_its_first_natural():
    table = own_turn("7H 7D 8C 8D JK 2C", [Set("JK JK JK")])
    table.answer(lay_off("7H", 0, None))
    with pytest.raises(PolicyError):
        table.answer(lay_off("8C", 0, None))
    table.answer(lay_off("JK", 0, None))
    table.answer(lay_off("7D", 0, None))
    assert text_of(table, 1) == "8D 2C 8C"


def test_3_a_run_grows_up_to_the_ace_at_either_end():
    table = own_turn("8S 7S 6S 5S 4S 3S 2S AS AS KH", [Run("9S TS JS QS KS AS", 9)])
    for card in ["8S", "7S", "6S", "5S", "4S", "3S", "2S", "AS"]:
        table.answer(lay_off(card, 0, "low"))
    assert meld_text(table, 0) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    for end in ("low", "high"):
        with pytest.raises(PolicyError):
            table.answer(lay_off("AS", 0, end))


def test_5_runs_of_one_natural_stay_runs():
    """`5H JK JK JK` under a contract of runs: a five of another suit never fits, nor a second 5H."""
    table = scene(hands={1: "5H JK JK JK 9D TD JD QD 5C 5H 3C KS"}, decision=v.PLAY, deals=(3,))
    table.answer(v.LAY_DOWN)
    assert [table.state.table[v.MELDS + i * MELD_WIDTH + KIND] for i in range(2)] == [RUN, RUN]
    board = int(table.state.table[v.FITS])
    assert not board >> parse_card("5C") & 1
    assert not board >> parse_card("5H") & 1
