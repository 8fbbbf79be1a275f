"""The state of a deal: two arrays, so that copying it is copying them, and few words go down through the calls."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shanghai_sim._jit import kernel
from shanghai_sim.cards import JOKER
from shanghai_sim.defaults import COUPLINGS
from shanghai_sim.engine.metrics import N_DEAL_COLUMNS
from shanghai_sim.policies import view as v
from shanghai_sim.rules.boards import add_mask, remove_mask
from shanghai_sim.rules.laydown_search import NOTES
from shanghai_sim.rules.melds import MELD_WIDTH
from shanghai_sim.rules.terms import MAX_MELDS

# Columns of the hidden array: first what runs the deal.
DECISION = 0  #: which decision is due (policies.view: DRAW .. OVER)
DECIDER = 1  #: whose
ACTIVE = 2  #: whose turn it is
ASKED = 3  #: buy window: seats asked so far
MUST_LAY_OFF = 5  #: wild freed by a swap, to be laid off now, or -1
BLOCKED = 6  #: 1: no melding in this turn, after a buy
REASON = 7  #: how the deal ended (engine.metrics)
WINNER = 8  #: who went out, or -1
STATUS = 9  #: 0, or what went wrong
CULPRIT = 10  #: whose answer was illegal
COUPLING = 11  #: SEAT or PILE
LOGGED = 12  #: rows of the log in use
HANDS = 16  #: rows of HAND_WIDTH columns: one per seat, then the stock
HAND_WIDTH = 8
STOCK_SEAT = v.MAX_PLAYERS
COUNTERS = HANDS + (v.MAX_PLAYERS + 1) * HAND_WIDTH  #: words used of each stream (see keys)
RECORD = COUNTERS + 2 * v.MAX_PLAYERS + 2  #: a row of RECORD_WIDTH per seat: engine.metrics
RECORD_WIDTH = 20
LUCK = RECORD + v.MAX_PLAYERS * RECORD_WIDTH  #: LUCKS per seat: see engine.luck
LUCKS = 2
PLAN = LUCK + v.MAX_PLAYERS * LUCKS  #: scratch: the melds of a lay-down
NOTEBOOK = PLAN + MAX_MELDS * MELD_WIDTH  #: scratch: rules.laydown
LISTING = NOTEBOOK + NOTES  #: scratch: cards to be logged
PENALTIES = LISTING + v.MAX_CARDS  #: scratch: the penalty cards of a buy
KEYS = PENALTIES + v.MAX_CARDS  #: the key of each stream, its 64 bits as an int64
LOG = KEYS + 2 * v.MAX_PLAYERS + 2  #: from here to the end: rows of LOG_WIDTH; none: nothing is logged

# Columns of a hand's row.
B1, B2, B3, JOKERS_HELD, SIZE, DISTANCE, NO_MELD_NEXT, MELDED_WILD = range(8)

# Streams: a stock order per seat, one for the pile, one for the deal's hands, one of noise per seat.
PILE_STREAM = v.MAX_PLAYERS
NOISE_STREAM = v.MAX_PLAYERS + 1
HANDS_STREAM = NOISE_STREAM + v.MAX_PLAYERS
N_STREAMS = HANDS_STREAM + 1

#: Places in defaults.COUPLINGS: a stock order per seat, or one pile for all.
SEAT, PILE = range(len(COUPLINGS))

# STATUS.
FINE, ILLEGAL_DRAW, ILLEGAL_BUY, ILLEGAL_PLAY, ILLEGAL_DISCARD, LOG_FULL = range(6)
STATUS_TEXTS = (
    "",
    "an illegal draw",
    "an illegal answer to a buy",
    "an illegal meld, lay-off or swap",
    "an illegal discard",
    "log full",
)

LOG_WIDTH = 6


class State(NamedTuple):
    """The whole state of a deal in progress."""

    table: np.ndarray  #: int64[TABLE_SIZE], public facts (policies.view)
    hidden: np.ndarray  #: int64[LOG + LOG_WIDTH * rows of the log]


def new_state(rows: int = 0) -> State:
    """Return an empty state; `deal.start_deal` fills it."""
    return State(np.zeros(v.TABLE_SIZE, np.int64), np.zeros(LOG + LOG_WIDTH * rows, np.int64))


def copy_state(state: State) -> State:
    """Return an independent copy, from which the deal can go on in another way."""
    return State(*(array.copy() for array in state))


@kernel
def hand_row(seat):
    """Return the index of a hand's row in the hidden array (STOCK_SEAT: the stock)."""
    return HANDS + seat * HAND_WIDTH


@kernel
def seat_row(seat):
    """Return the index of a seat's row on the table."""
    return v.SEATS + seat * v.SEAT_WIDTH


@kernel
def record_row(seat):
    """Return the index of a seat's record in the hidden array."""
    return RECORD + seat * RECORD_WIDTH


@kernel
def _turn_row(state, seat):
    """Return the index of the row of a seat's own turn among its recent ones on the table."""
    turn = state.table[seat_row(seat) + v.TURNS] % v.RECENT_TURNS
    return v.RECENT + (seat * v.RECENT_TURNS + turn) * v.RECENT_WIDTH


@kernel
def note_card(state, seat, column, code):
    """Note what all see a seat do with a card: take it, discard it, pass on it (`column`: v.TAKEN to v.PASSED)."""
    state.table[seat_row(seat) + column] |= 1 << code
    state.table[_turn_row(state, seat) + column - v.TAKEN] |= 1 << code


@kernel
def forget_turn(state, seat):
    """Clear the row that a turn just begun takes over from one long past."""
    row = _turn_row(state, seat)
    for column in range(v.RECENT_WIDTH):
        state.table[row + column] = 0


@kernel
def open_card(state, code, lies):
    """Note that a card lies face up from now on, or no more."""
    table = state.table
    if code == JOKER:
        table[v.OPEN + 3] += 1 if lies else -1
        return
    b1, b2, b3 = table[v.OPEN], table[v.OPEN + 1], table[v.OPEN + 2]
    if lies:
        b1, b2, b3 = add_mask(b1, b2, b3, 1 << code)
    else:
        b1, b2, b3 = remove_mask(b1, b2, b3, 1 << code)
    table[v.OPEN], table[v.OPEN + 1], table[v.OPEN + 2] = b1, b2, b3


@kernel
def logs(state):
    """Return whether a log is kept."""
    return state.hidden.shape[0] > LOG


@kernel
def write_log(state, event, seat, a, b, c, d):
    """Append a row to the log, where one is kept."""
    hidden = state.hidden
    if hidden.shape[0] == LOG:
        return
    at = LOG + LOG_WIDTH * hidden[LOGGED]
    if at >= hidden.shape[0]:
        hidden[STATUS] = LOG_FULL
        return
    hidden[LOGGED] += 1
    hidden[at] = event
    hidden[at + 1] = seat
    hidden[at + 2] = a
    hidden[at + 3] = b
    hidden[at + 4] = c
    hidden[at + 5] = d


def log_rows(state: State) -> list[list[int]]:
    """Return the rows of the log so far: event, seat, a, b, c, d (engine.events)."""
    rows = state.hidden[LOG:].reshape(-1, LOG_WIDTH)
    kept: list[list[int]] = rows[: state.hidden[LOGGED]].tolist()
    return kept


assert N_DEAL_COLUMNS <= RECORD_WIDTH
