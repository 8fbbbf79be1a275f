"""Kinds of cards that a player may throw, by what everybody at the table has seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import shanghai_sim as ss
from analyses.positions import BUY, CARD, DISCARD, DRAW, PLAY
from shanghai_sim.cards import JOKER, format_card

#: Kinds of contracts.
TYPES = ("sets", "mixed", "runs")
#: Every kind of card: its name, and what a player sees of it. A card is of several kinds.
KINDS = {
    "any": "any card of the hand",
    "chosen": "the card that a good player chooses",
    "joker": "a joker",
    "ace": "an ace",
    "high": "a king, queen, jack or ten",
    "middle": "a nine to a six",
    "low": "a five to a two",
    "open": "next player is not down, any card but a joker",
    "took_rank": "same rank as a card the next player took",
    "took_near": "close in suit to a card the next player took",
    "threw_rank": "same rank as a card the next player threw",
    "threw_near": "close in suit to a card the next player threw",
    "other_rank": "same rank as a card another player took",
    "other_near": "close in suit to a card another player took",
    "nothing": "next player is not down, nothing like it taken or thrown",
    "fits": "next player is down, card fits a meld on the table",
    "fits_not": "next player is down, card fits no meld",
    "early": "any card, until turn three",
    "between": "any card, turns four to six",
    "late": "any card, after turn six",
}
#: Kinds that others have shown something about.
SHOWN = ("took_rank", "took_near", "threw_rank", "threw_near", "other_rank", "other_near", "fits", "fits_not")
#: Cards of a suit so many places apart, or fewer, are close.
CLOSE = 2


def type_of(contract: str) -> int:
    """Return the place in `TYPES` of a contract such as ``S3 R4``."""
    return 1 if "S" in contract and "R" in contract else 0 if "S" in contract else 2


def same_rank(card: int, cards: Iterable[int]) -> bool:
    """Return whether one of some cards has the rank of a natural card; a joker has none."""
    return any(card % 16 == other % 16 for other in cards if other != JOKER)


def close(card: int, cards: Iterable[int]) -> bool:
    """Return whether one of some cards is close to a natural card in its suit; the ace is at either end."""
    suit = [other % 16 for other in cards if other != JOKER and other // 16 == card // 16]
    return any(abs(a - b) <= CLOSE for rank in suit for a in _places(rank) for b in _places(card % 16))


def _places(rank: int) -> tuple[int, ...]:
    return (0, 13) if rank == 0 else (rank,)


class Shown:
    """What the players of a deal have shown: the cards each took from the pile and threw, and who is down."""

    def __init__(self, players: int) -> None:
        self.took: list[list[int]] = [[] for _ in range(players)]
        self.threw: list[list[int]] = [[] for _ in range(players)]
        self.down: set[int] = set()

    def see(self, view: Any, answer: int) -> None:
        """Take in a decision and its answer."""
        if view.decision in {DRAW, BUY} and answer == 1:
            self.took[view.seat].append(view.upcard)
        elif view.decision == DISCARD:
            self.threw[view.seat].append(answer & CARD)
        elif view.decision == PLAY and not view.down and answer:
            self.down.add(view.seat)


def _by_rank(card: int) -> str:
    if card == JOKER:
        return "joker"
    rank = card % 16
    return "ace" if rank == 0 else "high" if rank >= 9 else "middle" if rank >= 5 else "low"


def _by_player(card: int, seat: int, shown: Shown) -> Iterator[str]:
    """Yield what a natural card is to the next player, not down yet, and to the others that are not."""
    players = len(shown.took)
    after = (seat + 1) % players
    others = [other for other in range(players) if other not in {seat, after} and other not in shown.down]
    by_others = [taken for other in others for taken in shown.took[other]]
    related = {
        "took_rank": same_rank(card, shown.took[after]),
        "took_near": close(card, shown.took[after]),
        "threw_rank": same_rank(card, shown.threw[after]),
        "threw_near": close(card, shown.threw[after]),
        "other_rank": same_rank(card, by_others),
        "other_near": close(card, by_others),
    }
    yield "open"
    yield from (kind for kind, holds in related.items() if holds)
    if not any(related.values()):
        yield "nothing"


def kinds_of(card: int, table: ss.Table, view: Any, shown: Shown) -> list[str]:
    """Return the kinds of a card that the seat to decide might throw."""
    kinds = ["any", _by_rank(card), "early" if view.turn <= 3 else "between" if view.turn <= 6 else "late"]
    if card == JOKER:
        return kinds
    if (view.seat + 1) % len(shown.took) in shown.down:
        return [*kinds, "fits" if format_card(card) in table.situation(view).fits else "fits_not"]
    return [*kinds, *_by_player(card, view.seat, shown)]
