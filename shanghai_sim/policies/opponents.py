"""What the others at the table are up to: who could use a card, who is near going out, who leads."""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount, scratch
from shanghai_sim.cards import JOKER
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import card_is_wild
from shanghai_sim.policies.parameters import (
    OPPONENTS_BLOCK_LEADER,
    OPPONENTS_MEMORY,
    OPPONENTS_NEAR_OUT,
    SCORE_RISK,
)
from shanghai_sim.policies.relatives import kinship, relatives
from shanghai_sim.rules.kernel_rules import (
    BUY_WHEN_DOWN,
    BUYS,
    DRAW_WHEN_DOWN,
    END_ON_EMPTY,
    GAME_BUYS,
    OWN_DISCARD,
    PLAYERS,
)

#: A lead of so many points, or a gap of so many behind, makes the whole of `score.risk` felt.
_LEAD = 100.0
NOBODY = 1 << 30
RIVAL = 5
RIVALS = (v.MAX_PLAYERS - 1) * RIVAL
_MILLION = 1_000_000


@kernel
def _row(seat):
    return v.SEATS + seat * v.SEAT_WIDTH


@kernel
def fewest_cards_down(view, table):
    """Return the fewest cards that another player holds whose contract is down; a large number: nobody is down."""
    fewest = NOBODY
    for seat in range(table[v.RULES + PLAYERS]):
        row = _row(seat)
        if seat != view.seat and table[row + v.DOWN] != 0:
            fewest = min(fewest, table[row + v.HAND_SIZE])
    return fewest


@kernel
def end_is_near(view, table, parameters, fewest):
    """Return whether the deal may soon be over, `fewest` being `fewest_cards_down`.

    Somebody who is down holds few cards, or the stock, which ends the deal, gives out within a round.
    """
    if table[v.RULES + END_ON_EMPTY] == 1 and table[v.STOCK] <= table[v.RULES + PLAYERS]:
        return True
    return fewest <= parameters[OPPONENTS_NEAR_OUT]


@kernel
def lowest_score(view, table):
    """Return the lowest total among the others."""
    low = 1 << 30
    for seat in range(table[v.RULES + PLAYERS]):
        if seat != view.seat:
            low = min(low, table[_row(seat) + v.SCORE])
    return low


@kernel
def caution(view, table, parameters):
    """Return how many times as much safety counts, given the standing: 1 where score.risk is 0."""
    risk = parameters[SCORE_RISK]
    if risk == 0.0:
        return 1.0
    lead = (lowest_score(view, table) - table[_row(view.seat) + v.SCORE]) / _LEAD
    return max(0.0, 1.0 + risk * min(1.0, max(-1.0, lead)))


@kernel
def _leads(view, table, seat):
    """Return whether a seat has the lowest total, and a lower one than the own."""
    score = table[_row(seat) + v.SCORE]
    return score < table[_row(view.seat) + v.SCORE] and score == lowest_score(view, table)


@kernel
def _remembered(table, seat, column, memory):
    """Return the board of what a seat took, threw or passed on in its last `memory` turns; beyond a ring: in all."""
    row = _row(seat)
    if memory > v.RECENT_TURNS:
        return table[row + column]
    board = 0
    turn = table[row + v.TURNS]
    while memory > 0 and turn >= 0:
        place = seat * v.RECENT_TURNS + turn % v.RECENT_TURNS
        board |= table[v.RECENT + place * v.RECENT_WIDTH + column - v.TAKEN]
        memory -= 1
        turn -= 1
    return board


@kernel
def _may_buy(table, seat):
    """Return whether a seat may buy a card that comes by."""
    row, rules = _row(seat), v.RULES
    if table[row + v.DOWN] != 0 and table[rules + BUY_WHEN_DOWN] == 0:
        return False
    return table[row + v.BUYS] < table[rules + BUYS] and table[row + v.GAME_BUYS] < table[rules + GAME_BUYS]


@kernel
def _chance(view, table, k):
    """Return how easily the k-th seat after the own gets the card: 1 by drawing it, 0.5 by buying it, 0 not at all.

    A discard lies before the next player. A card on the pile that is passed on is offered round for buying, up to
    the active player, whom it no longer reaches.
    """
    players = table[v.RULES + PLAYERS]
    seat = (view.seat + k) % players
    if view.decision == v.DISCARD and k == 1:
        down = table[_row(seat) + v.DOWN] != 0
        if not down or table[v.RULES + DRAW_WHEN_DOWN] == 1:
            return 1.0
    elif view.decision != v.DISCARD:
        to_active = (view.active - view.seat) % players
        if to_active != 0 and k >= to_active:
            return 0.0
        if seat == table[v.DISCARDER] and table[v.RULES + OWN_DISCARD] == 0:
            return 0.0
    return 0.5 if _may_buy(table, seat) else 0.0


@kernel
def rivals(view, table, parameters, rows):
    """Write who may get a card that is left now, and what is known of them; return how many they are.

    Parameters
    ----------
    view, table, parameters
        As a policy gets them.
    rows : int64[RIVALS]
        Written, a row of RIVAL columns each: the weight of the player in millionths; whether its contract is down;
        boards of what it took, threw and passed on.
    """
    memory = int(parameters[OPPONENTS_MEMORY])
    block = parameters[OPPONENTS_BLOCK_LEADER]
    n = 0
    for k in range(1, table[v.RULES + PLAYERS]):
        weight = _chance(view, table, k)
        if weight == 0.0:
            continue
        seat = (view.seat + k) % table[v.RULES + PLAYERS]
        if block > 0.0 and _leads(view, table, seat):
            weight *= 1.0 + block
        row = n * RIVAL
        rows[row] = int(weight * _MILLION)
        rows[row + 1] = table[_row(seat) + v.DOWN]
        if rows[row + 1] == 0:
            rows[row + 2] = _remembered(table, seat, v.TAKEN, memory)
            rows[row + 3] = _remembered(table, seat, v.DISCARDED, memory)
            rows[row + 4] = _remembered(table, seat, v.PASSED, memory)
        n += 1
    return n


@kernel
def danger(rows, n, fits, related, code):
    """Return how useful a natural, left to the other players now, would be to them.

    Parameters
    ----------
    rows, n
        See `rivals`.
    fits : int64
        Board of the naturals that can be laid off.
    related : int64
        Board of the relatives of the card.
    code : int64
        The card.
    """
    total = 0.0
    for row in range(0, n * RIVAL, RIVAL):
        if rows[row + 1] != 0:
            use = 1.0 if (fits >> code) & 1 else 0.0
        else:
            taken = popcount(rows[row + 2] & related)
            thrown = popcount(rows[row + 3] & related)
            passed = popcount(rows[row + 4] & related)
            use = max(0.0, 0.5 + 0.5 * taken - 0.2 * thrown - 0.1 * passed)
        total += rows[row] * use
    return total / _MILLION


@kernel
def danger_of_upcard(view, table, parameters):
    """Return the danger of the top discard where it is passed on; of a wild, 2."""
    if card_is_wild(view, view.upcard):
        return 2.0
    if view.upcard == JOKER:
        return 0.0
    rows = scratch(RIVALS)
    n = rivals(view, table, parameters, rows)
    related = relatives(view.terms, kinship(view.terms), view.upcard)
    return danger(rows, n, table[v.FITS], related, view.upcard)
