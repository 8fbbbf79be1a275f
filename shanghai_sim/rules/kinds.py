"""The kinds of values that only rulesets have: cards, ranks, contracts, numbers of players."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from shanghai_sim.cards import ALL_CODES, RANKS, SUITS, format_card, parse_card
from shanghai_sim.errors import CardError, did_you_mean
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.values import Kind, Table

#: What costs points: the ranks in the order of the sources, the joker last.
POINT_KEYS = (*("A", *reversed(RANKS[1:])), "JK")
_CARDS = tuple(format_card(code) for code in ALL_CODES)


def _card_or_rank(text: str) -> str:
    """Return a rank as ``T``, a card as ``TD`` or ``JK``."""
    word = text.strip().upper()
    if word == "10":
        return "T"
    return word if word in POINT_KEYS else format_card(parse_card(word))


def cards_named(name: str) -> frozenset[int]:
    """Return the card codes that a rank (``2``: all twos), a card (``2S``) or ``JK`` names."""
    if name in RANKS:
        return frozenset(16 * suit + RANKS.index(name) for suit in range(len(SUITS)))
    return frozenset({parse_card(name)})


@frozen
class CardName(Kind):
    """A rank, a card or, where it is allowed, the joker."""

    joker: bool

    @property
    def allowed(self) -> str:
        """The ways to name cards."""
        return ('"JK", ' if self.joker else "") + 'a rank such as "2" or a card such as "2S"'

    def read(self, value: Any) -> str:
        """Return the name in capitals."""
        if not isinstance(value, str):
            raise self.refuse(value)
        try:
            name = _card_or_rank(value)
        except CardError:
            raise self.refuse(value, did_you_mean(value, _CARDS)) from None
        if name == "JK" and not self.joker:
            raise self.refuse(value, "; a joker's points stand in score.points")
        return name


@frozen
class PointKey(Kind):
    """A rank or the joker."""

    @property
    def allowed(self) -> str:
        """The ranks and the joker."""
        return "one of " + " ".join(POINT_KEYS)

    def read(self, value: Any) -> str:
        """Return the rank or ``JK``."""
        if value not in POINT_KEYS:
            raise self.refuse(value, did_you_mean(str(value), POINT_KEYS))
        return str(value)


@frozen
class PlayerNumber(Kind):
    """A number of players as the key of a table, where TOML and JSON hold text."""

    allowed: str = "a number of players from 1 to 100"

    def read(self, value: Any) -> int:
        """Return the number."""
        text = str(value)
        if not re.fullmatch("[1-9][0-9]?|100", text):
            raise self.refuse(value)
        return int(text)


@frozen
class FromPlayersOn(Table):
    """A number by the number of players: ``{ 2 = 2, 5 = 3 }`` is 2 from two players on, 3 from five."""


@frozen
class CardTable(Table):
    """Points by card, in the order of the sources: ace, king, ..., two, joker."""

    def order(self, key: Any) -> Any:
        """Return the place of the rank, then of the suit."""
        return [POINT_KEYS.index(key if key in POINT_KEYS else key[0]), key]


@frozen
class ContractText(Kind):
    """A contract, or one of some words."""

    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The notation and the words."""
        words = "".join(f'"{word}" or ' for word in self.words)
        return words + 'a contract such as "S3 R4" or "2 sets of 3 + 1 run of 4"'

    def read(self, value: Any) -> Contract | str:
        """Return the contract, or the word."""
        if not isinstance(value, str):
            raise self.refuse(value)
        if value in self.words:
            return value
        try:
            return Contract.parse(value)
        except CardError as error:
            reason = str(error).partition("; ")[2]
            hint = did_you_mean(value, self.words) if reason.startswith("a contract is") else f"; {reason}"
            raise self.refuse(value, hint) from None

    def write(self, value: Any) -> str:
        """Return the notation, or the word."""
        return str(value)
