"""Table: a game one decision at a time from Python, on the very steps that the compiled loop runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shanghai_sim._jit import entry
from shanghai_sim.cards import JOKER
from shanghai_sim.defaults import NAMESPACES
from shanghai_sim.engine import game as gm
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup, game_options, parameter_rows, rules_rows
from shanghai_sim.engine.look import look
from shanghai_sim.engine.metrics import DEAL_COLUMNS, N_DEAL_COLUMNS
from shanghai_sim.engine.seats import built_in, play_built_in
from shanghai_sim.engine.situation import Situation, situation
from shanghai_sim.engine.stock import stock_listing
from shanghai_sim.engine.turn import step
from shanghai_sim.errors import PolicyError
from shanghai_sim.policies import view as v
from shanghai_sim.policies.parameters import N_PARAMETERS
from shanghai_sim.policies.view import View
from shanghai_sim.streams import block_key, fold


@entry
def _begin_deal(state, rules, seed, namespace, block, coupling, who):
    gm.begin_deal(state, rules, block_key(seed, namespace, block), coupling, who)


@entry
def _members(seed, namespace, block, options, players, members):
    gm.seat_members(block_key(seed, namespace, block), options, players, members)


@entry
def _step(state, answer):
    step(state, answer)


@entry
def _look(state):
    return look(state)


@entry
def _decide(view, table, parameters):
    return built_in(view, table, parameters)


@entry
def _listing(state, cards):
    return stock_listing(state, cards)


@entry
def _end_of_deal(state, players, out):
    gm.end_of_deal(state, players, out)


@entry
def _fold(key, number):
    return np.int64(fold(np.uint64(key), number))


@entry
def _play_built_in(state, who, parameters):
    play_built_in(state, who, parameters)


class Table:
    """One game, decision by decision.

    `view` is what the seat to decide sees, `answer` takes its decision; `built_in` is what that seat's own
    policy would
    answer. When a deal is over, `next_deal` begins the next one, sudden death included, until `over`.

    Parameters
    ----------
    setup : Setup
        Which games are meant.
    game : int
        Its number, from 0: block ``game // players`` in rotation ``game % players``.
    log_rows : int
        Room for the log of a deal (engine.events); 0: none is kept.

    Attributes
    ----------
    state : State
        The state of the deal; copy it with `copy`.
    slot : int
        Which of `setup.deal_numbers` is being played.
    records : ndarray of int32, shape (slots, players, N_DEAL_COLUMNS)
        Of the deals that are over.
    """

    def __init__(self, setup: Setup, game: int, log_rows: int = 0) -> None:
        players = setup.players
        self.setup = setup
        self.block, rotation = divmod(game, players)
        self.state = st.new_state(log_rows)
        self.slot = -1
        self.records = np.zeros((setup.n_slots, players, N_DEAL_COLUMNS), np.int32)
        self.who = np.zeros(v.MAX_PLAYERS, np.int64)
        for i in range(players):
            self.who[(i + rotation) % players] = i
        self._rules = rules_rows(setup)
        self._options = game_options(setup, self.block, 1, 1)
        members = np.zeros(v.MAX_PLAYERS, np.int64)
        _members(*self._key, self._options, players, members)
        #: Index into `setup.members` of each seat's policy.
        self.members = [int(members[self.who[seat]]) for seat in range(players)]
        self._parameters = parameter_rows(setup)
        self.next_deal()

    @property
    def _key(self) -> tuple[int, int, int]:
        return self.setup.seed, NAMESPACES.index(self.setup.namespace), self.block

    @property
    def deal(self) -> int:
        """The number of the deal being played."""
        return self.setup.deal_numbers[self.slot]

    @property
    def deal_over(self) -> bool:
        """Whether the deal is over."""
        return bool(self.state.hidden[st.DECISION] == v.OVER)

    @property
    def totals(self) -> np.ndarray:
        """Points by seat over the deals that are over, sudden death left out."""
        return np.asarray(self.records[:-1, :, 0].sum(axis=0))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        if not self.deal_over or self.slot < self.setup.n_slots - 2:
            return False
        tied = int((self.totals == self.totals.min()).sum()) > 1
        return self.slot == self.setup.n_slots - 1 or not (tied and self._options[gm.SUDDEN_DEATH])

    def next_deal(self) -> None:
        """Begin the next deal."""
        self.slot += 1
        self.state.hidden[st.LOGGED] = 0
        if self.slot == self.setup.n_slots - 1:
            self.state.table[v.SEATS + v.SCORE : v.MELDS : v.SEAT_WIDTH][: self.setup.players] = self.totals
        _begin_deal(self.state, self._rules[self.slot], *self._key, int(self._options[gm.COUPLING]), self.who)

    @property
    def seat(self) -> int:
        """Whose decision is due."""
        return int(self.state.hidden[st.DECIDER])

    @property
    def decision(self) -> int:
        """Which decision is due (policies.view: DRAW, BUY, PLAY, DISCARD, OVER)."""
        return int(self.state.hidden[st.DECISION])

    def view(self) -> View:
        """Return what the seat to decide sees; its random bits are new at each call."""
        return View(*(int(x) for x in _look(self.state)))

    def situation(self, view: View) -> Situation:
        """Return in words what a view of the seat to decide shows: its hand, its distance, who is down."""
        return situation(self, view)

    def built_in(self, view: View) -> int:
        """Return what the policy of the seat to decide answers on a view of its."""
        row = self._parameters[self.members[self.seat], self.slot]
        return int(_decide(view, self.state.table, row))

    def answer(self, answer: int) -> None:
        """Take a decision.

        Raises
        ------
        PolicyError
            If it is illegal, or the deal is over; the table is then as it was, and asks again.
        OverflowError
            If the log is full.
        """
        if self.deal_over:
            raise PolicyError("the deal is over: no decision is due")
        _step(self.state, answer)
        status = int(self.state.hidden[st.STATUS])
        if status == st.LOG_FULL:
            raise OverflowError("the log of the deal is full")
        if status:
            self.state.hidden[st.STATUS] = st.FINE
            raise PolicyError(f"seat {self.state.hidden[st.CULPRIT]} gave {st.STATUS_TEXTS[status]}")
        if self.decision == v.OVER:
            _end_of_deal(self.state, self.setup.players, self.records[self.slot])

    def play_out(self) -> None:
        """Let the seats' own policies play the deal to its end, at the speed of the compiled loop."""
        if self.deal_over:
            return
        rows = np.zeros((v.MAX_PLAYERS, N_PARAMETERS))
        for seat in range(self.setup.players):
            rows[self.who[seat]] = self._parameters[self.members[seat], self.slot]
        _play_built_in(self.state, self.who, rows)
        _end_of_deal(self.state, self.setup.players, self.records[self.slot])

    def hand(self, seat: int) -> list[int]:
        """Return the cards of a hand, by code."""
        start = st.HANDS + seat * st.HAND_WIDTH
        row = self.state.hidden[start : start + st.HAND_WIDTH]
        codes = [code for code in range(64) for k in range(3) if int(row[k]) >> code & 1]
        return codes + [JOKER] * int(row[st.JOKERS_HELD])

    def stock(self) -> list[int]:
        """Return the cards of the stock: in drawing order under "pile", in card order under "seat"."""
        cards = np.zeros(v.MAX_CARDS, np.int64)
        size = _listing(self.state, cards)
        return [int(code) for code in cards[:size]]

    def policy_answer(self, view: View, rows: np.ndarray) -> int:
        """Return what another policy of this kind answers on a view of the seat to decide.

        Parameters
        ----------
        view : View
        rows : ndarray of float64
            Its parameters (`Policy.rows`).
        """
        return int(_decide(view, self.state.table, rows[self.deal - 1]))

    def reshuffle_future(self, number: int) -> None:
        """Draw from now on what another shuffle of the stock would give; 0 leaves it as it is.

        The cards in all hands and in the stock stay; only the order of the stock, as yet unseen, is another.
        """
        if number == 0:
            return
        keys = self.state.hidden[st.KEYS : st.KEYS + st.PILE_STREAM + 1]
        for i, key in enumerate(keys):
            keys[i] = _fold(key, number)

    def copy(self) -> Table:
        """Return an independent copy, from which the game can go on in another way."""
        other = object.__new__(Table)
        other.__dict__ |= self.__dict__
        other.state = st.copy_state(self.state)
        other.records = self.records.copy()
        return other

    def result(self) -> dict[str, Any]:
        """Return the record of the deal just ended: for each of DEAL_COLUMNS the values by seat."""
        return {name: self.records[self.slot, :, i].tolist() for i, name in enumerate(DEAL_COLUMNS)}
