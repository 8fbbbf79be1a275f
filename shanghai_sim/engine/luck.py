"""The luck of the draw: what each stock card is worth by some measure, less what the stock gives on average.

Whatever the measure, the mean of such a difference is 0, given all that came before: the card is a random one of the
stock. Sums of them may so be taken out of a result without shifting it (inference.control). They are recorded only
where kernel_rules.LUCK says so; nothing that a player sees or does depends on them.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.engine import state as st
from shanghai_sim.policies import view as v
from shanghai_sim.rules import kernel_rules as kr
from shanghai_sim.rules.boards import count_wilds
from shanghai_sim.rules.outs import joker_is_out, outs_of

#: Cards that help: that bring the contract nearer, or fit a meld once it is down.
USEFUL = 0
WILD = 1
#: Parts of one unit; whole numbers, so that sums do not depend on their order.
UNIT = 1 << 20


@kernel
def _useful(state, seat):
    """Return the board of the naturals and other cards that help a seat, and whether jokers do."""
    table, hidden = state.table, state.hidden
    if table[st.seat_row(seat) + v.DOWN] != 0:
        wild_fits = table[v.WILD_FITS]
        wilds = table[v.RULES + kr.WILD_MASK]
        board = table[v.FITS] & ~wilds | (wilds if wild_fits == 1 else 0)
        return board, wild_fits == 1 and table[v.RULES + kr.JOKER_WILD] == 1
    row = st.hand_row(seat)
    need = kr.need_of(table[v.RULES :])
    b1, b2, b3, jokers = hidden[row], hidden[row + 1], hidden[row + 2], hidden[row + st.JOKERS_HELD]
    distance = hidden[row + st.DISTANCE]
    return outs_of(b1, b2, b3, jokers, distance, need), joker_is_out(b1, b2, b3, jokers, distance, need)


@kernel
def _add(hidden, seat, measure, value, total, cards):
    """Add a card's value less the mean of all `cards`, whose values make `total` with it."""
    hidden[st.LUCK + seat * st.LUCKS + measure] += value * UNIT - (total * UNIT) // cards


@kernel
def note_luck(state, seat, code):
    """Record the luck of a card just drawn from the stock, before it is in the hand."""
    table, hidden = state.table, state.hidden
    if table[v.RULES + kr.LUCK] == 0:
        return
    row = st.hand_row(st.STOCK_SEAT)
    s1, s2, s3, jokers = hidden[row], hidden[row + 1], hidden[row + 2], hidden[row + st.JOKERS_HELD]
    cards = hidden[row + st.SIZE] + 1
    board, joker_helps = _useful(state, seat)
    hit = 1 if (joker_helps if code == JOKER else (board >> code) & 1 == 1) else 0
    useful = popcount(s1 & board) + popcount(s2 & board) + popcount(s3 & board)
    useful += jokers if joker_helps else 0
    _add(hidden, seat, USEFUL, hit, useful + hit, cards)
    wilds = count_wilds(s1, s2, s3, jokers, table[v.RULES + kr.WILD_MASK], table[v.RULES + kr.JOKER_WILD])
    wild = 1 if kr.is_wild(table[v.RULES :], code) else 0
    _add(hidden, seat, WILD, wild, wilds + wild, cards)
