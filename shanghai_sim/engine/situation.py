"""What a seat sees when it decides, in words: for filters and advice written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from shanghai_sim.cards import JOKER, PLAIN_CODES, format_card
from shanghai_sim.policies import view as v

if TYPE_CHECKING:
    from shanghai_sim.engine.stepper import Table
    from shanghai_sim.policies.view import View

#: Words for the decisions, in the order of policies.view.
DECISIONS = ("draw", "buy", "play", "discard")


@frozen
class Situation:
    """What one seat sees when it has to decide.

    Attributes
    ----------
    decision : str
        "draw", "buy", "play" or "discard".
    deal : int
        Its number, from 1.
    contract : str
        E.g. "S3 R4".
    seat : int
        The own one, from 0.
    turn : int
        Own turns begun in the deal.
    hand : tuple of str
        The own cards.
    wilds : int
        How many of them are wild.
    points : int
        What they would cost now.
    distance : int
        The own contract distance; 0 once it is down.
    down : bool
        Whether the own contract is down.
    upcard : str or None
        The top of the discard pile.
    buys, buys_left : int
        Own buys in the deal so far, and how many more are allowed.
    others_down : int
        How many others have their contract down.
    fewest_cards : int
        The smallest hand among the others.
    fits : tuple of str
        The natural cards that can be laid off on some meld on the table.
    stock : int
        Cards in the stock.
    lead : int
        By how many points the own total, before this deal, is lower than the lowest of the others.
    """

    decision: str
    deal: int
    contract: str
    seat: int
    turn: int
    hand: tuple[str, ...]
    wilds: int
    points: int
    distance: int
    down: bool
    upcard: str | None
    buys: int
    buys_left: int
    others_down: int
    fewest_cards: int
    fits: tuple[str, ...]
    stock: int
    lead: int


def situation(table: Table, view: View) -> Situation:
    """Return what the seat that has to decide sees, from its view and the table."""
    rules, array = table.setup.ruleset, table.state.table
    players = table.setup.players
    rows = array[v.SEATS : v.SEATS + players * v.SEAT_WIDTH].reshape(players, -1)
    others = np.arange(players) != view.seat
    boards = (view.b1, view.b2, view.b3)
    hand = [code for code in range(64) for board in boards if board >> code & 1] + [JOKER] * view.jokers
    wild, points = rules.wild_codes(), rules.card_points()
    return Situation(
        decision=DECISIONS[view.decision],
        deal=table.deal,
        contract=str(rules.contract_in(table.deal)),
        seat=view.seat,
        turn=view.turn,
        hand=tuple(map(format_card, hand)),
        wilds=sum(code in wild for code in hand),
        points=sum(points[code] for code in hand),
        distance=view.distance,
        down=view.down > 0,
        upcard=format_card(view.upcard) if view.upcard >= 0 else None,
        buys=int(rows[view.seat, v.BUYS]),
        buys_left=view.buys_left,
        others_down=int((rows[others, v.DOWN] > 0).sum()),
        fewest_cards=int(rows[others, v.HAND_SIZE].min()),
        fits=tuple(format_card(code) for code in PLAIN_CODES if int(array[v.FITS]) >> code & 1),
        stock=int(array[v.STOCK]),
        lead=int(rows[others, v.SCORE].min() - rows[view.seat, v.SCORE]),
    )
