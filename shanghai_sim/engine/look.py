"""What a seat sees when it decides: fills a view from the state."""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import kernel
from shanghai_sim.engine import state as st
from shanghai_sim.engine.turn import buys_left
from shanghai_sim.policies import view as v
from shanghai_sim.policies.view import View
from shanghai_sim.rules import kernel_rules as kr
from shanghai_sim.streams import bits53


@kernel
def look(state):
    """Return what the seat that has to decide sees; its random bits are new at each call."""
    table, hidden = state.table, state.hidden
    seat = hidden[st.DECIDER]
    hand, row = st.hand_row(seat), st.seat_row(seat)
    stream = st.NOISE_STREAM + seat
    noise = bits53(np.uint64(hidden[st.KEYS + stream]), hidden[st.COUNTERS + stream])
    hidden[st.COUNTERS + stream] += 1
    upcard = table[v.PILE_CARDS + table[v.PILE] - 1] if table[v.PILE] > 0 else -1
    own_turn = seat == hidden[st.ACTIVE]
    return View(
        hidden[st.DECISION],
        seat,
        hidden[st.ACTIVE],
        hidden[hand + st.B1],
        hidden[hand + st.B2],
        hidden[hand + st.B3],
        hidden[hand + st.JOKERS_HELD],
        hidden[hand + st.SIZE],
        hidden[hand + st.DISTANCE],
        table[row + v.DOWN],
        table[row + v.TURNS],
        upcard,
        hidden[st.MUST_LAY_OFF] if own_turn else -1,
        buys_left(state, seat),
        noise,
        table[v.RULES + kr.SETS],
        table[v.RULES + kr.RUNS],
        table[v.RULES + kr.TABLE],
        table[v.RULES + kr.SLOTS],
        table[v.RULES + kr.WILD_MASK],
        table[v.RULES + kr.JOKER_WILD],
        table[v.RULES + kr.TERMS],
    )
