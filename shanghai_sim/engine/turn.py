"""The steps of a turn: draw, buy window, melding, discard. The compiled loop and the stepper both run these.

`state.hidden[DECISION]` and `[DECIDER]` say what is due; a step takes the answer, moves the cards, and sets
what comes next.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.engine import events, metrics
from shanghai_sim.engine import state as st
from shanghai_sim.engine.deal import (
    change_hand,
    end_deal,
    full_distance,
    gain_card,
    is_within,
    pop_discard,
    push_discard,
    takes_whole_hand,
    wilds_in_hand,
)
from shanghai_sim.engine.luck import note_luck
from shanghai_sim.engine.melding import step_play
from shanghai_sim.engine.stock import draw_card
from shanghai_sim.policies import view as v
from shanghai_sim.rules import kernel_rules as kr
from shanghai_sim.rules.boards import count_card


@kernel
def begin_turn(state, seat):
    """Begin a seat's turn, or end the deal at the turn limit."""
    table, hidden = state.table, state.hidden
    row = st.seat_row(seat)
    if table[row + v.TURNS] >= table[v.RULES + kr.TURN_LIMIT]:
        end_deal(state, metrics.TURN_LIMIT, -1)
        return
    table[row + v.TURNS] += 1
    st.forget_turn(state, seat)
    hand = st.hand_row(seat)
    hidden[st.ACTIVE] = seat
    hidden[st.DECIDER] = seat
    hidden[st.MUST_LAY_OFF] = -1
    hidden[st.BLOCKED] = hidden[hand + st.NO_MELD_NEXT]
    hidden[hand + st.NO_MELD_NEXT] = 0
    # With an extra card the first turn is a discard alone; that is the only turn without a pile.
    first = table[v.RULES + kr.EXTRA_CARD] == 1 and table[v.PILE] == 0 and table[row + v.TURNS] == 1
    hidden[st.DECISION] = v.DISCARD if first and table[v.DISCARDER] == -1 else v.DRAW


@kernel
def may_take_discard(state, seat):
    """Return whether the active player may take the top discard."""
    table = state.table
    down = table[st.seat_row(seat) + v.DOWN] != 0
    return table[v.PILE] > 0 and (not down or table[v.RULES + kr.DRAW_WHEN_DOWN] == 1)


@kernel
def buys_left(state, seat):
    """Return how many buys the limits per deal and per game still allow a seat."""
    table = state.table
    row = st.seat_row(seat)
    in_deal = table[v.RULES + kr.BUYS] - table[row + v.BUYS]
    return max(0, min(in_deal, table[v.RULES + kr.GAME_BUYS] - table[row + v.GAME_BUYS]))


@kernel
def _may_buy(state, seat):
    down = state.table[st.seat_row(seat) + v.DOWN] != 0
    return buys_left(state, seat) > 0 and (not down or state.table[v.RULES + kr.BUY_WHEN_DOWN] == 1)


@kernel
def _ask_next(state):
    """Ask the next seat that may buy, or let the active player draw."""
    table, hidden = state.table, state.hidden
    players, active = table[v.RULES + kr.PLAYERS], hidden[st.ACTIVE]
    discarder = table[v.DISCARDER]
    while hidden[st.ASKED] < players:
        hidden[st.ASKED] += 1
        seat = (active + hidden[st.ASKED]) % players
        if hidden[st.ASKED] == players:
            # Everyone else has been asked: by option whoever discarded the card comes last.
            if table[v.RULES + kr.OWN_DISCARD] == 0 or discarder < 0 or discarder == active:
                break
            seat = discarder
        elif seat == discarder:
            continue
        if _may_buy(state, seat):
            hidden[st.DECISION] = v.BUY
            hidden[st.DECIDER] = seat
            hidden[st.record_row(seat) + metrics.BUYS_OFFERED] += 1
            return
    _draw_from_stock(state)


@kernel
def _after_draw(state):
    """Let the active player meld if there is anything to meld with, else discard."""
    table, hidden = state.table, state.hidden
    seat = hidden[st.ACTIVE]
    hand = st.hand_row(seat)
    hidden[st.DECIDER] = seat
    hidden[st.DECISION] = v.DISCARD
    if hidden[st.BLOCKED] == 1:
        return
    if table[st.seat_row(seat) + v.DOWN] == 0:
        spare = hidden[hand + st.SIZE] - table[v.RULES + kr.SLOTS]
        if hidden[hand + st.DISTANCE] > 0 or spare < table[v.RULES + kr.KEEP]:
            return
    hidden[st.DECISION] = v.PLAY


@kernel
def _draw_from_stock(state):
    seat = state.hidden[st.ACTIVE]
    code = draw_card(state, seat, 1)
    if code >= 0:
        note_luck(state, seat, code)
        st.write_log(state, events.DRAW, seat, code, events.FROM_STOCK, 0, 0)
        gain_card(state, seat, code)
    else:
        st.write_log(state, events.DRAW, seat, -1, events.FROM_NOWHERE, 0, 0)
    _after_draw(state)


@kernel
def _note_pass(state, seat):
    """Note that a seat whose contract is not down does not want the top discard."""
    table = state.table
    if table[v.PILE] > 0 and table[st.seat_row(seat) + v.DOWN] == 0:
        st.note_card(state, seat, v.PASSED, table[v.PILE_CARDS + table[v.PILE] - 1])


@kernel
def step_draw(state, answer):
    """Take the active player's choice between the discard and the stock."""
    table, hidden = state.table, state.hidden
    seat = hidden[st.ACTIVE]
    if answer == v.FROM_PILE:
        if not may_take_discard(state, seat):
            hidden[st.STATUS] = st.ILLEGAL_DRAW
            return
        code = pop_discard(state)
        st.note_card(state, seat, v.TAKEN, code)
        hidden[st.record_row(seat) + metrics.DISCARDS_TAKEN] += 1
        st.write_log(state, events.DRAW, seat, code, events.FROM_DISCARD, 0, 0)
        gain_card(state, seat, code)
        _after_draw(state)
        return
    if answer != v.FROM_STOCK:
        hidden[st.STATUS] = st.ILLEGAL_DRAW
        return
    if table[v.RULES + kr.END_ON_EMPTY] == 1 and table[v.STOCK] == 0:
        end_deal(state, metrics.STOCK_EMPTY, -1)
        return
    hidden[st.ASKED] = 0
    _note_pass(state, seat)
    if table[v.PILE] == 0:
        _draw_from_stock(state)
        return
    _ask_next(state)


@kernel
def step_buy(state, answer):
    """Take the answer of a player who may buy."""
    if answer == v.NO:
        _note_pass(state, state.hidden[st.DECIDER])
        _ask_next(state)
        return
    if answer != v.YES:
        state.hidden[st.STATUS] = st.ILLEGAL_BUY
        return
    table, hidden = state.table, state.hidden
    seat = hidden[st.DECIDER]
    row = st.seat_row(seat)
    code = pop_discard(state)
    st.note_card(state, seat, v.TAKEN, code)
    table[row + v.BUYS] += 1
    table[row + v.GAME_BUYS] += 1
    hidden[st.hand_row(seat) + st.NO_MELD_NEXT] = table[v.RULES + kr.NO_MELD_AFTER_BUY]
    gain_card(state, seat, code)
    _pay_penalty(state, seat, code)
    if table[v.RULES + kr.END_ON_EMPTY] == 1 and table[v.STOCK] == 0:
        end_deal(state, metrics.STOCK_EMPTY, -1)
        return
    _draw_from_stock(state)


@kernel
def _pay_penalty(state, seat, code):
    """Give a buyer the penalty cards, as far as there are any, and log the buy behind a reshuffle it needed."""
    table = state.table
    cards = state.hidden[st.PENALTIES :]
    n = 0
    for _ in range(table[v.RULES + kr.PENALTY]):
        if table[v.RULES + kr.END_ON_EMPTY] == 1 and table[v.STOCK] == 0:
            break
        card = draw_card(state, seat, 0)
        if card < 0:
            break
        cards[n] = card
        n += 1
        note_luck(state, seat, card)
        gain_card(state, seat, card)
    if st.logs(state):
        st.write_log(state, events.BUY, seat, code, n, 0, 0)
        for i in range(n):
            st.write_log(state, events.CARD, seat, cards[i], 0, 0, 0)


@kernel
def step_discard(state, answer):
    """Take the discard; it ends the turn, and the deal when it was the last card.

    Built-in policies say in the answer what the discard does to the distance; others leave that to the
    engine.
    """
    table, hidden = state.table, state.hidden
    seat = hidden[st.ACTIVE]
    hand = st.hand_row(seat)
    code = answer & 255
    b1, b2, b3 = hidden[hand + st.B1], hidden[hand + st.B2], hidden[hand + st.B3]
    if answer < 0 or code > 63 or count_card(b1, b2, b3, hidden[hand + st.JOKERS_HELD], code) == 0:
        hidden[st.STATUS] = st.ILLEGAL_DISCARD
        return
    change_hand(state, seat, code, False)
    down = table[st.seat_row(seat) + v.DOWN] != 0
    if not down and takes_whole_hand(state):
        hidden[hand + st.DISTANCE] = full_distance(state, seat)
    elif not down and answer & v.DISTANCE_KEPT == 0:
        distance = hidden[hand + st.DISTANCE]
        if answer & v.DISTANCE_RAISED != 0 or not is_within(state, seat, distance):
            hidden[hand + st.DISTANCE] = distance + 1
    st.note_card(state, seat, v.DISCARDED, code)
    record = st.record_row(seat)
    hidden[record + metrics.WILD_TURNS] += wilds_in_hand(state, seat)
    if kr.is_wild(table[v.RULES :], code):
        hidden[record + metrics.WILDS_DISCARDED] += 1
    st.write_log(state, events.DISCARD, seat, code, 0, 0, 0)
    push_discard(state, seat, code)
    if hidden[hand + st.SIZE] == 0:
        end_deal(state, metrics.OUT, seat)
        return
    begin_turn(state, (seat + 1) % table[v.RULES + kr.PLAYERS])


@kernel
def step(state, answer):
    """Take the answer to the decision that is due. STATUS says afterwards whether it was legal."""
    decision = state.hidden[st.DECISION]
    if decision == v.DRAW:
        step_draw(state, answer)
    elif decision == v.BUY:
        step_buy(state, answer)
    elif decision == v.PLAY:
        step_play(state, answer)
    else:
        step_discard(state, answer)
    if state.hidden[st.STATUS] != st.FINE:
        state.hidden[st.CULPRIT] = state.hidden[st.DECIDER]
