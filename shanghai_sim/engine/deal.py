"""Starting a deal, a hand's gains and losses, and ending a deal."""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.cards import JOKER
from shanghai_sim.engine import events, metrics
from shanghai_sim.engine import state as st
from shanghai_sim.engine.stock import take_from_stock
from shanghai_sim.policies import view as v
from shanghai_sim.rules import kernel_rules as kr
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import add_mask, count_wilds, remove_mask
from shanghai_sim.rules.distance import distance_within, hand_distance
from shanghai_sim.rules.laydown import load_points
from shanghai_sim.streams import HANDS, NOISE, STOCK, deal_key


@kernel
def change_hand(state, seat, code, gained):
    """Put a card into a hand or take it out; the distance is not touched."""
    hidden = state.hidden
    row = st.hand_row(seat)
    step = 1 if gained else -1
    if code == JOKER:
        hidden[row + st.JOKERS_HELD] += step
    else:
        b1, b2, b3 = hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3]
        if gained:
            b1, b2, b3 = add_mask(b1, b2, b3, 1 << code)
        else:
            b1, b2, b3 = remove_mask(b1, b2, b3, 1 << code)
        hidden[row + st.B1], hidden[row + st.B2], hidden[row + st.B3] = b1, b2, b3
    hidden[row + st.SIZE] += step
    state.table[st.seat_row(seat) + v.HAND_SIZE] = hidden[row + st.SIZE]


@kernel
def wilds_in_hand(state, seat):
    """Return how many wilds a seat holds."""
    row = st.hand_row(seat)
    h, rules = state.hidden, state.table[v.RULES :]
    return count_wilds(
        h[row + st.B1], h[row + st.B2], h[row + st.B3], h[row + st.JOKERS_HELD],
        rules[kr.WILD_MASK], rules[kr.JOKER_WILD],
    )  # fmt: skip


@kernel
def full_distance(state, seat):
    """Return the contract distance of a seat's hand, evaluated afresh."""
    row = st.hand_row(seat)
    h = state.hidden
    need = kr.need_of(state.table[v.RULES :])
    return hand_distance(h[row + st.B1], h[row + st.B2], h[row + st.B3], h[row + st.JOKERS_HELD], need)


@kernel
def is_within(state, seat, limit):
    """Return whether the contract distance of a seat's hand is at most `limit`."""
    row = st.hand_row(seat)
    h = state.hidden
    need = kr.need_of(state.table[v.RULES :])
    return distance_within(
        h[row + st.B1], h[row + st.B2], h[row + st.B3], h[row + st.JOKERS_HELD], limit, need
    )


@kernel
def takes_whole_hand(state):
    """Return whether the contract of the deal takes every card of a hand."""
    return state.table[v.RULES + kr.TERMS] & tm.WHOLE_HAND != 0


@kernel
def gain_card(state, seat, code):
    """Put a drawn card into a hand and keep its distance true: one card lowers it by one at most.

    But where the contract takes the whole hand, the card is one more to be placed.
    """
    hidden = state.hidden
    change_hand(state, seat, code, True)
    row = st.hand_row(seat)
    record = st.record_row(seat)
    hidden[record + metrics.PEAK_HAND] = max(hidden[record + metrics.PEAK_HAND], hidden[row + st.SIZE])
    if kr.is_wild(state.table[v.RULES :], code):
        hidden[record + metrics.WILDS_HELD] += 1
    if state.table[st.seat_row(seat) + v.DOWN] == 0 and takes_whole_hand(state):
        hidden[row + st.DISTANCE] = full_distance(state, seat)
        return
    distance = hidden[row + st.DISTANCE]
    if distance > 0 and is_within(state, seat, distance - 1):
        hidden[row + st.DISTANCE] = distance - 1


@kernel
def push_discard(state, seat, code):
    """Put a card face up on the discard pile (`seat` -1: it was turned up)."""
    table = state.table
    table[v.PILE_CARDS + table[v.PILE]] = code
    table[v.PILE] += 1
    table[v.DISCARDER] = seat
    st.open_card(state, code, True)


@kernel
def pop_discard(state):
    """Take the top card off the discard pile and return it."""
    state.table[v.PILE] -= 1
    code = state.table[v.PILE_CARDS + state.table[v.PILE]]
    st.open_card(state, code, False)
    return code


@kernel
def set_keys(state, block, deal, arms):
    """Set the streams of a deal: `block` is the block's key, `arms` the policy index of each seat (for noise)."""
    hidden = state.hidden
    for seat in range(v.MAX_PLAYERS):
        arm = seat + v.MAX_PLAYERS * arms[seat]
        hidden[st.KEYS + seat] = np.int64(deal_key(block, deal, STOCK, seat))
        hidden[st.KEYS + st.NOISE_STREAM + seat] = np.int64(deal_key(block, deal, NOISE, arm))
    hidden[st.KEYS + st.PILE_STREAM] = np.int64(deal_key(block, deal, STOCK, v.MAX_PLAYERS))
    hidden[st.KEYS + st.HANDS_STREAM] = np.int64(deal_key(block, deal, HANDS, 0))
    for stream in range(st.N_STREAMS):
        hidden[st.COUNTERS + stream] = 0


@kernel
def start_deal(state, rules, coupling):
    """Deal the hands and turn a card up. The keys are set, and `table` holds scores and buys of the game.

    Parameters
    ----------
    state : State
        All else is written anew.
    rules : int64[N_COLUMNS]
        The rules of this deal.
    coupling : int64
        state.SEAT or state.PILE.
    """
    table, hidden = state.table, state.hidden
    for i in range(kr.N_COLUMNS):
        table[v.RULES + i] = rules[i]
    for i in range(v.SEATS):
        table[i] = 0
    for i in range(st.COUNTERS):
        hidden[i] = 0
    for i in range(st.RECORD, st.PLAN):
        hidden[i] = 0
    players = rules[kr.PLAYERS]
    hidden[st.COUPLING] = coupling
    hidden[st.WINNER] = -1
    stock = st.hand_row(st.STOCK_SEAT)
    packs = rules[kr.PACKS]
    for suit in range(4):
        hidden[stock + st.B1] |= 0x1FFF << (16 * suit)
    hidden[stock + st.B2] = hidden[stock + st.B1] if packs > 1 else 0
    hidden[stock + st.B3] = hidden[stock + st.B1] if packs > 2 else 0
    hidden[stock + st.JOKERS_HELD] = rules[kr.JOKERS]
    hidden[stock + st.SIZE] = 52 * packs + rules[kr.JOKERS]
    table[v.STOCK] = hidden[stock + st.SIZE]
    first = (rules[kr.DEALER] + 1) % players
    for seat in range(players):
        row = st.seat_row(seat)
        for column in (v.HAND_SIZE, v.BUYS, v.DOWN, v.TURNS, v.TAKEN, v.DISCARDED, v.PASSED):
            table[row + column] = 0
        st.forget_turn(state, seat)
        extra = rules[kr.EXTRA_CARD] if seat == first else 0
        for _ in range(rules[kr.HAND_SIZE] + extra):
            change_hand(state, seat, take_from_stock(state, st.HANDS_STREAM), True)
        hand = st.hand_row(seat)
        hidden[st.record_row(seat) + metrics.PEAK_HAND] = hidden[hand + st.SIZE]
        hidden[st.record_row(seat) + metrics.WILDS_HELD] = wilds_in_hand(state, seat)
        hidden[hand + st.DISTANCE] = full_distance(state, seat)
    table[v.DISCARDER] = -1
    if rules[kr.EXTRA_CARD] == 0:
        push_discard(state, -1, take_from_stock(state, st.HANDS_STREAM))
    hidden[st.ACTIVE] = first
    load_points(hidden[st.NOTEBOOK :], table, v.RULES + kr.POINTS)


@kernel
def _bonus(state, winner):
    """Return what the winner of a deal scores: 0, or the lower of the bonuses that apply (RULES 7)."""
    rules = state.table[v.RULES :]
    row = st.seat_row(winner)
    clean = state.hidden[st.hand_row(winner) + st.MELDED_WILD] == 0
    score = 0
    if state.table[row + v.TURNS] == 1:
        score = min(score, rules[kr.FIRST_TURN_CLEAN] if clean else rules[kr.FIRST_TURN])
    if state.table[row + v.DOWN] == state.table[row + v.TURNS]:
        score = min(score, rules[kr.ONE_TURN_CLEAN] if clean else rules[kr.ONE_TURN])
    return score


@kernel
def _points_in_hand(state, seat):
    hidden, rules = state.hidden, state.table[v.RULES :]
    row = st.hand_row(seat)
    points = hidden[row + st.JOKERS_HELD] * rules[kr.POINTS + JOKER]
    for i in range(rules[kr.N_CLASSES]):
        board = rules[kr.CLASSES + i]
        copies = popcount(hidden[row] & board) + popcount(hidden[row + 1] & board)
        copies += popcount(hidden[row + 2] & board)
        if copies > 0:
            points += copies * _class_points(rules, board)
    wilds = hidden[row] & rules[kr.WILD_MASK]
    if wilds != 0:
        for code in range(64):
            if (wilds >> code) & 1:
                copies = 1 + ((hidden[row + 1] >> code) & 1) + ((hidden[row + 2] >> code) & 1)
                points += copies * rules[kr.POINTS + code]
    return points


@kernel
def _class_points(rules, board):
    for code in range(64):
        if (board >> code) & 1:
            return rules[kr.POINTS + code]
    return 0


@kernel
def end_deal(state, reason, winner):
    """End the deal: score the hands and complete the record."""
    hidden, table = state.hidden, state.table
    rules = table[v.RULES :]
    hidden[st.DECISION] = v.OVER
    hidden[st.REASON] = reason
    hidden[st.WINNER] = winner
    st.write_log(state, events.END, winner, reason, 0, 0, 0)
    for seat in range(rules[kr.PLAYERS]):
        record, row = st.record_row(seat), st.seat_row(seat)
        out = seat == winner
        hidden[record + metrics.POINTS] = _bonus(state, seat) if out else _points_in_hand(state, seat)
        hidden[record + metrics.LAID_DOWN] = 1 if table[row + v.DOWN] > 0 else 0
        hidden[record + metrics.LAY_DOWN_TURN] = table[row + v.DOWN]
        hidden[record + metrics.WENT_OUT] = 1 if out else 0
        hidden[record + metrics.BUYS] = table[row + v.BUYS]
        hidden[record + metrics.WILDS_LEFT] = wilds_in_hand(state, seat)
        hidden[record + metrics.TURNS] = table[row + v.TURNS]
        hidden[record + metrics.END_REASON] = reason
        hidden[record + metrics.RESHUFFLES] = table[v.RESHUFFLES]
