"""The melding part of a turn: laying down, laying off, swapping (RULES 3.3, 3.4, 5)."""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit
from shanghai_sim.cards import JOKER
from shanghai_sim.engine import events, metrics
from shanghai_sim.engine import state as st
from shanghai_sim.engine.deal import change_hand, end_deal
from shanghai_sim.policies import view as v
from shanghai_sim.policies.play import read_answer
from shanghai_sim.rules import kernel_rules as kr
from shanghai_sim.rules import melds
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import count_card
from shanghai_sim.rules.laydown import choose_melds


@kernel
def _meld_row(meld):
    return v.MELDS + meld * melds.MELD_WIDTH


@kernel
def update_fits(state):
    """Write anew which cards fit some meld."""
    table = state.table
    grown = table[v.RULES + kr.GROWN]
    board = 0
    wild = 0
    for i in range(table[v.N_MELDS]):
        m = _meld_row(i)
        board |= melds.fits_natural(table, m, grown)
        if melds.fits_wild(table, m, 0, grown):
            wild = 1
    table[v.FITS] = board & ~table[v.RULES + kr.WILD_MASK]
    table[v.WILD_FITS] = wild


@kernel
def _log_boards(state, seat, at, wilds):
    """Log the cards of three boards of a meld row."""
    for code in range(64):
        for k in range(3):
            if (state.table[at + k] >> code) & 1:
                st.write_log(state, events.CARD, seat, code, 0, 0, 0)
    for _ in range(wilds):
        st.write_log(state, events.CARD, seat, JOKER, 0, 0, 0)


@kernel
def _log_meld(state, seat, meld):
    if not st.logs(state):
        return
    table = state.table
    m = _meld_row(meld)
    kind = table[m + melds.KIND]
    st.write_log(
        state,
        events.MELD,
        seat,
        meld,
        kind,
        table[m + melds.SUIT],
        256 * table[m + melds.LOW] + table[m + melds.SIZE],
    )
    if kind == melds.SET:
        _log_boards(state, seat, m + melds.SET_NATURALS, 0)
        _log_boards(state, seat, m + melds.SET_WILDS, table[m + melds.SET_JOKERS])
        return
    low = table[m + melds.LOW]
    for position in range(low, low + table[m + melds.SIZE]):
        st.write_log(state, events.CARD, seat, table[m + melds.CARDS + position], 0, 0, 0)


@kernel
def _put_down(state, seat, code):
    """Move a card from a hand onto the table."""
    change_hand(state, seat, code, False)
    st.open_card(state, code, True)


@kernel
def _remove_boards(state, seat, at):
    """Take the cards of three boards of a meld row out of a hand."""
    for k in range(3):
        cards = state.table[at + k]
        while cards != 0:
            _put_down(state, seat, lowest_bit(cards))
            cards &= cards - 1


@kernel
def _lay_down(state, seat):
    """Lay the contract down: move the planned melds onto the table and their cards out of the hand."""
    table, hidden = state.table, state.hidden
    rules = table[v.RULES :]
    hand = st.hand_row(seat)
    plan = hidden[st.PLAN :]
    found = choose_melds(
        hidden[hand + st.B1], hidden[hand + st.B2], hidden[hand + st.B3], hidden[hand + st.JOKERS_HELD],
        kr.need_of(rules), rules[kr.ORDER :], table[v.FITS], rules[kr.KEEP], rules[kr.LONGER],
        hidden[st.NOTEBOOK :], plan,
    )  # fmt: skip
    if not found:
        return False
    count = tm.n_melds(rules[kr.TERMS])
    st.write_log(state, events.LAY_DOWN, seat, count, 0, 0, 0)
    for i in range(count):
        m = _meld_row(table[v.N_MELDS])
        for column in range(melds.MELD_WIDTH):
            table[m + column] = plan[i * melds.MELD_WIDTH + column]
        table[m + melds.OWNER] = seat
        table[v.N_MELDS] += 1
        _log_meld(state, seat, table[v.N_MELDS] - 1)
        if table[m + melds.WILDS] > 0:
            hidden[hand + st.MELDED_WILD] = 1
        if table[m + melds.KIND] == melds.SET:
            _remove_boards(state, seat, m + melds.SET_NATURALS)
            _remove_boards(state, seat, m + melds.SET_WILDS)
            for _ in range(table[m + melds.SET_JOKERS]):
                _put_down(state, seat, JOKER)
            continue
        low = table[m + melds.LOW]
        for position in range(low, low + table[m + melds.SIZE]):
            _put_down(state, seat, table[m + melds.CARDS + position])
    table[st.seat_row(seat) + v.DOWN] = table[st.seat_row(seat) + v.TURNS]
    hidden[hand + st.DISTANCE] = 0
    update_fits(state)
    return True


@kernel
def _holds(state, seat, code):
    hand = st.hand_row(seat)
    h = state.hidden
    return (
        0 <= code < 64
        and count_card(h[hand + st.B1], h[hand + st.B2], h[hand + st.B3], h[hand + st.JOKERS_HELD], code) > 0
    )


@kernel
def _lay_off(state, seat, code, meld, end):
    table, hidden = state.table, state.hidden
    rules = table[v.RULES :]
    hand = st.hand_row(seat)
    wild = kr.is_wild(rules, code)
    m = _meld_row(meld)
    # A wild freed onto the table was never the last card: the swap left another one.
    if not _holds(state, seat, code) or hidden[hand + st.SIZE] - 1 < rules[kr.KEEP]:
        return False
    if not melds.can_lay_off(table, m, code, end, wild, rules[kr.GROWN]):
        return False
    melds.lay_off(table, m, code, end, wild)
    _put_down(state, seat, code)
    if wild:
        hidden[hand + st.MELDED_WILD] = 1
    hidden[st.record_row(seat) + metrics.LAY_OFFS] += 1
    st.write_log(state, events.LAY_OFF, seat, code, meld, end, 0)
    update_fits(state)
    return True


@kernel
def _swap(state, seat, code, meld):
    table, hidden = state.table, state.hidden
    rules = table[v.RULES :]
    m = _meld_row(meld)
    allowed = rules[kr.SWAP_MELDS]
    if allowed == kr.SWAP_NONE or (allowed == kr.SWAP_RUNS and table[m + melds.KIND] == melds.SET):
        return False
    if not _holds(state, seat, code) or kr.is_wild(rules, code) or code == JOKER:
        return False
    wild = melds.wild_for(table, m, code, rules[kr.WILD_MASK])
    to_table = rules[kr.SWAP_TO_TABLE]
    if wild == melds.NO_CARD:
        return False
    if to_table == 1:
        fits = melds.freed_wild_fits(table, m, table[v.WILD_FITS] == 1, rules[kr.GROWN])
        if not fits or hidden[st.hand_row(seat) + st.SIZE] - 1 < rules[kr.KEEP]:
            return False
    melds.swap(table, m, code, wild)
    _put_down(state, seat, code)
    change_hand(state, seat, wild, True)
    st.open_card(state, wild, False)
    # A wild freed onto the table only passes through the hand.
    if to_table == 1:
        hidden[st.MUST_LAY_OFF] = wild
    else:
        hidden[st.record_row(seat) + metrics.WILDS_HELD] += 1
    hidden[st.record_row(seat) + metrics.SWAPS] += 1
    st.write_log(state, events.SWAP, seat, code, meld, wild, to_table)
    update_fits(state)
    return True


@kernel
def _may_lay_off(state, seat):
    """Return whether a seat whose contract is down may lay off: by default not in the turn of laying down."""
    table = state.table
    row = st.seat_row(seat)
    return table[row + v.DOWN] < table[row + v.TURNS] or table[v.RULES + kr.LAY_OFF_AT_ONCE] == 1


@kernel
def step_play(state, answer):
    """Take one melding action, or the end of melding (DONE)."""
    table, hidden = state.table, state.hidden
    seat = hidden[st.ACTIVE]
    action, code, meld, end = read_answer(answer)
    down = table[st.seat_row(seat) + v.DOWN] != 0
    due = hidden[st.MUST_LAY_OFF]
    legal = False
    if action == v.DONE:
        legal = due < 0
    elif action == v.LAY_DOWN:
        legal = not down and _lay_down(state, seat)
    elif down and meld < table[v.N_MELDS] and _may_lay_off(state, seat):
        if action == v.LAY_OFF:
            legal = (due < 0 or due == code) and _lay_off(state, seat, code, meld, end)
        elif action == v.SWAP:
            legal = due < 0 and _swap(state, seat, code, meld)
    if not legal:
        hidden[st.STATUS] = st.ILLEGAL_PLAY
        return
    if action == v.DONE or (action == v.LAY_DOWN and not _may_lay_off(state, seat)):
        hidden[st.DECISION] = v.DISCARD
    elif action == v.LAY_OFF:
        hidden[st.MUST_LAY_OFF] = -1
    if hidden[st.hand_row(seat) + st.SIZE] == 0:
        end_deal(state, metrics.OUT, seat)
