"""Positions made by hand: the cards of each hand, the table and the stock as a test writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from shanghai_sim._jit import entry
from shanghai_sim.cards import JOKER, format_card, parse_card, parse_hand
from shanghai_sim.engine import state as st
from shanghai_sim.engine.melding import update_fits
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.rules import melds
from tests.unit.engine.test_tables import _distance, setup_of, write_hand

_ENDS = {"low": melds.END_LOW, "high": melds.END_HIGH, None: melds.END_NONE}


class Run(NamedTuple):
    """A run on the table; `low` is the position of its first card."""

    cards: str
    low: int


class Set(NamedTuple):
    cards: str


@entry
def _update_fits(state):
    update_fits(state)


def lay_off(card: str, meld: int, end: str | None) -> int:
    return v.LAY_OFF | parse_card(card) << 4 | meld << 12 | _ENDS[end] << 20


def swap(card: str, meld: int) -> int:
    return v.SWAP | parse_card(card) << 4 | meld << 12 | melds.END_NONE << 20


def set_hand(table: Table, row: int, cards: list[int]) -> None:
    """Write a hand, or the stock (row STOCK_SEAT), with everything that counts it."""
    write_hand(table, row, cards)
    start = st.HANDS + row * st.HAND_WIDTH
    table.state.hidden[start + st.SIZE] = len(cards)
    if row == st.STOCK_SEAT:
        table.state.table[v.STOCK] = len(cards)
    else:
        table.state.table[v.SEATS + row * v.SEAT_WIDTH + v.HAND_SIZE] = len(cards)
        table.state.hidden[start + st.DISTANCE] = _distance(table.state, row)


def set_pile(table: Table, cards: list[int]) -> None:
    """Write the discard pile, the top last; its top card is the discard of the seat before the active one."""
    array = table.state.table
    array[v.PILE] = len(cards)
    array[v.PILE_CARDS : v.PILE_CARDS + len(cards)] = cards
    array[v.DISCARDER] = (int(table.state.hidden[st.ACTIVE]) - 1) % table.setup.players


def add_meld(table: Table, meld: Run | Set) -> None:
    array = table.state.table
    row = np.zeros(melds.MELD_WIDTH, np.int64)
    codes = parse_hand(meld.cards)
    wild_codes = table.setup.ruleset.wild_codes()
    naturals = [code for code in codes if code not in wild_codes]
    wilds = [code for code in codes if code in wild_codes]
    row[melds.SIZE], row[melds.WILDS] = len(codes), len(wilds)
    if isinstance(meld, Run):
        row[melds.KIND], row[melds.LOW] = melds.RUN, meld.low
        row[melds.SUIT] = naturals[0] // 16
        row[melds.CARDS + 1 : melds.CARDS + 15] = melds.NO_CARD
        row[melds.CARDS + meld.low : melds.CARDS + meld.low + len(codes)] = codes
    else:
        row[melds.KIND] = melds.SET
        row[melds.RANK] = naturals[0] % 16 if naturals else melds.NO_RANK
        row[melds.SET_JOKERS] = wilds.count(JOKER)
        for at, cards in ((melds.SET_NATURALS, naturals), (melds.SET_WILDS, wilds)):
            for card in cards:
                level = next(k for k in range(3) if not int(row[at + k]) >> card & 1)
                row[at + level] |= 1 << card if card != JOKER else 0
    n = int(array[v.N_MELDS])
    array[v.MELDS + n * melds.MELD_WIDTH :][: melds.MELD_WIDTH] = row
    array[v.N_MELDS] = n + 1


def scene(
    *,
    hands: Mapping[int, str],
    decision: int,
    melds: Sequence[Run | Set] = (),
    down: Sequence[int] = (),
    pile: str | None = None,
    stock: str | None = None,
    active: int = 1,
    players: int = 3,
    rules: str = "shanghai",
    changes: Sequence[str] = (),
    policies: Sequence[str] = ("plain",),
    coupling: str = "seat",
    deals: tuple[int, ...] = (2,),
) -> Table:
    """Return a table in mid-deal: the fifth turn of the active seat; what is not given is as it was dealt."""
    table = Table(
        setup_of(rules, players, policies, changes, coupling=coupling, deals=deals), 0, log_rows=2048
    )
    array, hidden = table.state
    hidden[st.ACTIVE] = hidden[st.DECIDER] = active
    hidden[st.DECISION] = decision
    for seat in range(players):
        array[v.SEATS + seat * v.SEAT_WIDTH + v.TURNS] = 5 if seat in range(1, active + 1) else 4
    for row, text in hands.items():
        set_hand(table, row, parse_hand(text))
    if stock is not None:
        set_hand(table, st.STOCK_SEAT, parse_hand(stock))
    if pile is not None:
        set_pile(table, parse_hand(pile))
    for seat in down:
        array[v.SEATS + seat * v.SEAT_WIDTH + v.DOWN] = 3
        hidden[st.HANDS + seat * st.HAND_WIDTH + st.DISTANCE] = 0
    for meld in melds:
        add_meld(table, meld)
    _update_fits(table.state)
    return table


def text_of(table: Table, seat: int) -> str:
    """Return a hand as text, in card order."""
    return " ".join(format_card(code) for code in table.hand(seat))


def meld_text(table: Table, meld: int) -> str:
    """Return the cards of a run in their order."""
    row = table.state.table[v.MELDS + meld * melds.MELD_WIDTH :][: melds.MELD_WIDTH]
    low = int(row[melds.LOW])
    return " ".join(format_card(row[melds.CARDS + p]) for p in range(low, low + int(row[melds.SIZE])))
