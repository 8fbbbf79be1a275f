"""Transcripts: one game, everything face up, as the events of FORMATS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from shanghai_sim.cards import SUITS, format_card
from shanghai_sim.engine import events as ev
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.game import share_win_entry
from shanghai_sim.engine.metrics import END_REASONS, POINTS
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.rules.melds import RUN

#: The version of the format, not of the engine.
VERSION = 1
_ENDS = ("low", "high", None)
_SOURCES = {ev.FROM_STOCK: "stock", ev.FROM_DISCARD: "discard", ev.FROM_NOWHERE: "none"}
_ROWS = 4096


def transcript(setup: Setup, game: int) -> list[dict[str, Any]]:
    """Return the events of one game of `setup`, as FORMATS describes them.

    Raises
    ------
    PolicyError
        If a policy answers illegally.
    """
    rows = _ROWS
    while True:
        try:
            return list(_events(Table(setup, game, rows), game))
        except OverflowError:
            rows *= 4


def _events(table: Table, game: int) -> Iterator[dict[str, Any]]:
    setup = table.setup
    yield {
        "event": "game",
        "version": VERSION,
        "rules": setup.ruleset.name,
        "options": setup.ruleset.to_options(),
        "seed": setup.seed,
        "game": game,
        "coupling": setup.coupling,
        "policies": [setup.members[member].label for member in table.members],
    }
    while True:
        yield _deal_event(table)
        table.play_out()
        yield from _log_events(table)
        if table.over:
            break
        if table.slot == setup.n_slots - 2:
            low = table.totals.min()
            yield {"event": "sudden-death", "seats": [s for s, t in enumerate(table.totals) if t == low]}
        table.next_deal()
    yield {"event": "game-end", "totals": table.totals.tolist(), "winners": winners(table)}


def winners(table: Table) -> list[int]:
    """Return the winning seats of a game that is over."""
    players = table.setup.players
    win, rank = np.zeros(players), np.zeros(players)
    sudden = table.slot == table.setup.n_slots - 1
    share_win_entry(table.totals.astype(np.int32), table.records[-1], sudden, win, rank)
    return [seat for seat in range(players) if win[seat] > 0]


def _deal_event(table: Table) -> dict[str, Any]:
    state, players = table.state, table.setup.players
    pile = int(state.table[v.PILE])
    return {
        "event": "deal",
        "deal": table.deal,
        "contract": str(table.setup.ruleset.contract_in(table.deal)),
        "dealer": (table.deal - 1) % players,
        "hands": [[format_card(code) for code in table.hand(seat)] for seat in range(players)],
        "upcard": format_card(state.table[v.PILE_CARDS]) if pile else None,
        "stock": [format_card(code) for code in table.stock()],
    }


def _log_events(table: Table) -> Iterator[dict[str, Any]]:
    log = st.log_rows(table.state)
    at = 0

    def cards(n: int) -> list[str]:
        nonlocal at
        at += n
        return [format_card(row[2]) for row in log[at - n : at]]

    while at < len(log):
        kind, seat, a, b, c, d = log[at]
        at += 1
        if kind == ev.DRAW:
            yield {
                "event": "draw",
                "seat": seat,
                "from": _SOURCES[b],
                "card": None if a < 0 else format_card(a),
            }
        elif kind == ev.BUY:
            yield {"event": "buy", "seat": seat, "card": format_card(a), "penalty": cards(b)}
        elif kind == ev.LAY_DOWN:
            melds = []
            for _ in range(a):
                _, _, meld, what, suit, rest = log[at]
                at += 1
                low, size = divmod(rest, 256)
                where = {"suit": SUITS[suit], "low": low} if what == RUN else {}
                kind_name = "run" if what == RUN else "set"
                melds.append({"meld": meld, "kind": kind_name, **where, "cards": cards(size)})
            yield {"event": "lay-down", "seat": seat, "melds": melds}
        elif kind == ev.LAY_OFF:
            yield {"event": "lay-off", "seat": seat, "meld": b, "card": format_card(a), "end": _ENDS[c]}
        elif kind == ev.SWAP:
            wild, to = format_card(c), "table" if d else "hand"
            yield {"event": "swap", "seat": seat, "meld": b, "card": format_card(a), "wild": wild, "to": to}
        elif kind == ev.DISCARD:
            yield {"event": "discard", "seat": seat, "card": format_card(a)}
        elif kind == ev.RESHUFFLE:
            yield {"event": "reshuffle", "stock": cards(a)}
        else:
            scores = table.records[table.slot, :, POINTS].tolist()
            winner = None if seat < 0 else seat
            yield {"event": "deal-end", "winner": winner, "reason": END_REASONS[a], "scores": scores}
