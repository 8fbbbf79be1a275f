"""Games: deals in a row with running totals, ties and sudden death; and the kernel that plays blocks of them."""

from __future__ import annotations

from shanghai_sim._jit import decision_type, entry, kernel
from shanghai_sim.engine import state as st
from shanghai_sim.engine.deal import set_keys, start_deal
from shanghai_sim.engine.metrics import N_DEAL_COLUMNS, POINTS
from shanghai_sim.engine.seats import play_deal
from shanghai_sim.engine.state import State
from shanghai_sim.engine.turn import begin_turn
from shanghai_sim.policies import view as v
from shanghai_sim.policies.view import View
from shanghai_sim.rules import kernel_rules as kr
from shanghai_sim.streams import FIELD, block_key, fold, pick

# What a game is given: int64[OPTIONS].
FIRST_BLOCK, N_BLOCKS, ROTATIONS, SEED, NAMESPACE, COUPLING, SUDDEN_DEATH, MIXTURE = range(8)
OPTIONS = 8
# Where a kernel stopped: int64[WHERE]; STATUS 0: it did not.
STATUS, CULPRIT, GAME, DEAL = range(4)
WHERE = 4


@kernel
def seat_members(key, options, players, members):
    """Write which policy each of the game's policies is in a block: itself, or drawn from the mixture.

    With `MIXTURE` policies to draw from, policy 0 is member 0 and each other one a member from 1 on, equally
    likely, by a
    stream of the block's own, so that all rotations and both arms of a comparison meet the same opponents.
    """
    for i in range(players):
        members[i] = i
        if options[MIXTURE] > 0 and i > 0:
            members[i] = 1 + pick(fold(fold(key, FIELD), i), 0, options[MIXTURE])


@kernel
def begin_deal(state, rules, key, coupling, who):
    """Deal the cards of a deal and begin its first turn; `key` is the block's."""
    set_keys(state, key, rules[kr.DEAL], who)
    start_deal(state, rules, coupling)
    begin_turn(state, state.hidden[st.ACTIVE])


@kernel
def begin_game(state):
    """Clear what a game carries from deal to deal: scores and buys."""
    for seat in range(v.MAX_PLAYERS):
        row = st.seat_row(seat)
        state.table[row + v.SCORE] = 0
        state.table[row + v.GAME_BUYS] = 0


@kernel
def end_of_deal(state, players, out):
    """Copy the records of a deal and add up the scores; `out`: int32[players, N_DEAL_COLUMNS]."""
    for seat in range(players):
        record = st.record_row(seat)
        for column in range(N_DEAL_COLUMNS):
            out[seat, column] = state.hidden[record + column]
        state.table[st.seat_row(seat) + v.SCORE] += state.hidden[record + POINTS]


@kernel
def _add_luck(state, players, out):
    """Add the luck of a deal to that of the game; `out`: int64[players, LUCKS]."""
    for seat in range(players):
        for k in range(st.LUCKS):
            out[seat, k] += state.hidden[st.LUCK + seat * st.LUCKS + k]


@kernel
def lowest(state, players):
    """Return the lowest total and how many seats have it."""
    low = state.table[st.seat_row(0) + v.SCORE]
    count = 0
    for seat in range(players):
        score = state.table[st.seat_row(seat) + v.SCORE]
        if score < low:
            low = score
            count = 0
        if score == low:
            count += 1
    return low, count


@kernel
def share_win(totals, sudden, played, win, rank):
    """Write win shares and ranks of a game from the totals and, where it was played, sudden death (RULES 7).

    Parameters
    ----------
    totals : int32[players]
    sudden : int32[players, N_DEAL_COLUMNS]
        Records of the sudden-death deal.
    played : bool
        Whether there was one.
    win, rank : float64[players]
        Written: 1/k for each of k winners; 1 for the lowest total, equal totals share the mean rank.
    """
    players = totals.shape[0]
    low = totals[0]
    for s in range(players):
        low = min(low, totals[s])
    best = 1 << 30
    for s in range(players):
        if totals[s] == low and played:
            best = min(best, sudden[s, POINTS])
    winners = 0
    for s in range(players):
        won = totals[s] == low and (not played or sudden[s, POINTS] == best)
        win[s] = 1.0 if won else 0.0
        winners += 1 if won else 0
        below = equal = 0
        for t in range(players):
            below += 1 if totals[t] < totals[s] else 0
            equal += 1 if totals[t] == totals[s] else 0
        rank[s] = below + (equal + 1) / 2.0
    for s in range(players):
        win[s] /= winners


@entry
def share_win_entry(totals, sudden, played, win, rank):
    """Do what `share_win` does, for Python."""
    share_win(totals, sudden, played, win, rank)


@kernel
def _set_parameters(parameters, members, slot, players, rows):
    for i in range(players):
        for column in range(rows.shape[1]):
            rows[i, column] = parameters[members[i], slot, column]


def _signature(t):
    i1, functions = t.int64[::1], t.UniTuple(decision_type(View), 8)
    state = t.NamedUniTuple(t.int64[::1], 2, State)
    inputs = (i1, t.int64[:, ::1], t.float64[:, :, ::1], i1, *4 * (functions,))
    outputs = (t.int32[:, :, :, ::1], t.boolean[::1], t.int32[:, ::1], t.float64[:, ::1], t.float64[:, ::1])
    members = (t.int8[:, ::1], t.int8[:, ::1])
    return (*inputs, state, i1, i1, t.float64[:, ::1], *outputs, *members, t.int64[:, :, ::1], i1)


@entry.typed(_signature)
def play_games(
    options, rules, parameters, kinds, draws, buys, plays, discards,
    state, members, who, rows,
    deals, sudden, totals, win, rank, policy, member, luck, where,
):  # fmt: skip
    """Play blocks of games.

    Parameters
    ----------
    options : int64[OPTIONS]
    rules : int64[slots, N_COLUMNS]
        A row per deal played; the last one is sudden death.
    parameters : float64[members, slots, N_PARAMETERS]
    kinds : int64[8]
        By policy.
    draws, buys, plays, discards : tuples of eight function values
        By policy.
    state, members, who, rows
        Scratch: a state, int64[8], int64[8], float64[8, N_PARAMETERS].
    deals : int32[games, slots, players, N_DEAL_COLUMNS]
    sudden : bool[games]
    totals, win, rank : [games, players]
    policy, member : int8[games, players]
        Written, by seat.
    luck : int64[games, players, LUCKS]
        Written where the rules say so (kernel_rules.LUCK), sudden death left out.
    where : int64[WHERE]
        Written when a policy answered illegally: what, who, game, deal.
    """
    players = rules[0, kr.PLAYERS]
    last = rules.shape[0] - 1
    for b in range(options[N_BLOCKS]):
        key = block_key(options[SEED], options[NAMESPACE], options[FIRST_BLOCK] + b)
        seat_members(key, options, players, members)
        for rotation in range(options[ROTATIONS]):
            g = b * options[ROTATIONS] + rotation
            for i in range(players):
                seat = (i + rotation) % players
                who[seat] = i
                policy[g, seat] = i
                member[g, seat] = members[i]
            begin_game(state)
            for slot in range(last + 1):
                if slot == last:
                    for seat in range(players):
                        totals[g, seat] = state.table[st.seat_row(seat) + v.SCORE]
                    if options[SUDDEN_DEATH] == 0 or lowest(state, players)[1] == 1:
                        break
                    sudden[g] = True
                _set_parameters(parameters, members, slot, players, rows)
                begin_deal(state, rules[slot], key, options[COUPLING], who)
                play_deal(state, who, kinds, rows, draws, buys, plays, discards)
                if state.hidden[st.STATUS] != st.FINE:
                    where[STATUS] = state.hidden[st.STATUS]
                    where[CULPRIT] = state.hidden[st.CULPRIT]
                    where[GAME] = (options[FIRST_BLOCK] + b) * players + rotation
                    where[DEAL] = rules[slot, kr.DEAL]
                    return
                end_of_deal(state, players, deals[g, slot])
                if slot < last and rules[slot, kr.LUCK] == 1:
                    _add_luck(state, players, luck[g])
            share_win(totals[g], deals[g, last], sudden[g], win[g], rank[g])
