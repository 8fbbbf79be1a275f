"""The stock: drawing, shuffling the discard pile under it, and the two couplings.

A stock order is a stream of random cards (with repeats) of the whole pack; a draw takes the first one, from
where the stream
stands, that is still in the stock. So each draw is uniform over the stock, whatever came before, and under
coupling "seat"
each seat has an order of its own, while under "pile" all share one, which is a shuffled pile (docs/kernels.md).
Nothing is shuffled in memory, and a copied state draws the same cards.
"""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import kernel
from shanghai_sim.cards import JOKER
from shanghai_sim.engine import events
from shanghai_sim.engine import state as st
from shanghai_sim.policies import view as v
from shanghai_sim.rules.boards import add_mask, remove_mask
from shanghai_sim.rules.kernel_rules import JOKERS, PACKS
from shanghai_sim.streams import pick


@kernel
def next_card(hidden, stream, b1, b2, b3, jokers, packs, n_jokers):
    """Return the next card of a stream that is among the given ones (there is one)."""
    plain = 52 * packs
    while True:
        card = pick(np.uint64(hidden[st.KEYS + stream]), hidden[st.COUNTERS + stream], plain + n_jokers)
        hidden[st.COUNTERS + stream] += 1
        if card >= plain:
            if card - plain < jokers:
                return JOKER
            continue
        copy = card // 52
        place = card % 52
        code = 16 * (place // 13) + place % 13
        board = b1 if copy == 0 else (b2 if copy == 1 else b3)
        if (board >> code) & 1:
            return code


@kernel
def take_from_stock(state, stream):
    """Remove the next card of a stream from the stock, which is not empty, and return it."""
    hidden, table = state.hidden, state.table
    row = st.hand_row(st.STOCK_SEAT)
    b1, b2, b3 = hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3]
    jokers = hidden[row + st.JOKERS_HELD]
    packs, n_jokers = table[v.RULES + PACKS], table[v.RULES + JOKERS]
    code = next_card(hidden, stream, b1, b2, b3, jokers, packs, n_jokers)
    if code == JOKER:
        hidden[row + st.JOKERS_HELD] = jokers - 1
    else:
        hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3] = remove_mask(b1, b2, b3, 1 << code)
    hidden[row + st.SIZE] -= 1
    table[v.STOCK] -= 1
    return code


@kernel
def _put_under(state, code):
    hidden = state.hidden
    row = st.hand_row(st.STOCK_SEAT)
    if code == JOKER:
        hidden[row + st.JOKERS_HELD] += 1
    else:
        b1, b2, b3 = add_mask(hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3], 1 << code)
        hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3] = b1, b2, b3
    hidden[row + st.SIZE] += 1
    state.table[v.STOCK] += 1


@kernel
def stock_listing(state, cards):
    """Write the cards of the stock into `cards`, as a transcript lists them, and return how many they are.

    Under "pile" that is their drawing order, top first; under "seat" card order (FORMATS, Transcript).
    """
    hidden, table = state.hidden, state.table
    row = st.hand_row(st.STOCK_SEAT)
    size = hidden[row + st.SIZE]
    if hidden[st.COUPLING] == st.PILE:
        b1, b2, b3 = hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3]
        jokers, before = hidden[row + st.JOKERS_HELD], hidden[st.COUNTERS + st.PILE_STREAM]
        packs, n_jokers = table[v.RULES + PACKS], table[v.RULES + JOKERS]
        for i in range(size):
            code = next_card(hidden, st.PILE_STREAM, b1, b2, b3, jokers, packs, n_jokers)
            cards[i] = code
            if code == JOKER:
                jokers -= 1
            else:
                b1, b2, b3 = remove_mask(b1, b2, b3, 1 << code)
        hidden[st.COUNTERS + st.PILE_STREAM] = before
        return size
    n = 0
    for code in range(64):
        for board in range(3):
            if code != JOKER and (hidden[row + board] >> code) & 1:
                cards[n] = code
                n += 1
    for _ in range(hidden[row + st.JOKERS_HELD]):
        cards[n] = JOKER
        n += 1
    return n


@kernel
def reshuffle(state, keep):
    """Shuffle the discard pile without its `keep` top cards into the empty stock, if that gives a card.

    RULES 6: what is left of the stock is drawn first, so the pile is shuffled when the stock has been drawn.
    """
    hidden, table = state.hidden, state.table
    moved = table[v.PILE] - keep
    if moved <= 0:
        return
    table[v.RESHUFFLES] += 1
    for stream in range(st.PILE_STREAM + 1):
        # New orders: a part of each stream that no earlier draw can have reached.
        hidden[st.COUNTERS + stream] = table[v.RESHUFFLES] << 32
    for i in range(moved):
        _put_under(state, table[v.PILE_CARDS + i])
        st.open_card(state, table[v.PILE_CARDS + i], False)
    for i in range(keep):
        table[v.PILE_CARDS + i] = table[v.PILE_CARDS + moved + i]
    table[v.PILE] = keep
    if st.logs(state):
        st.write_log(state, events.RESHUFFLE, -1, moved, 0, 0, 0)
        cards = hidden[st.LISTING :]
        n = stock_listing(state, cards)
        for i in range(n):
            st.write_log(state, events.CARD, -1, cards[i], 0, 0, 0)


@kernel
def draw_card(state, seat, keep):
    """Return the next stock card for a seat, shuffling the pile (but its `keep` top cards) if need be; -1: none."""
    if state.table[v.STOCK] == 0:
        reshuffle(state, keep)
        if state.table[v.STOCK] == 0:
            return -1
    stream = st.PILE_STREAM if state.hidden[st.COUPLING] == st.PILE else seat
    return take_from_stock(state, stream)
