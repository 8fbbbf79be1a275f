"""What the slow twins of the hand evaluation share: cards as text, contracts, places of runs, limits on melds."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "JK"


class Shape(NamedTuple):
    """One meld of a contract, `S3` or `R4`."""

    kind: str  # "S" or "R"
    size: int


class Limits(NamedTuple):
    """The options on melds; the names and values are those of a ruleset. `max_wilds=0`: naturals only."""

    max_wilds: int | None = None
    naturals_outnumber_wilds: str = "no"
    set_suits: str = "any"
    same_rank_sets: bool = True
    runs_may_adjoin: bool = True

    def most_wilds(self, size: int) -> int:
        """Return the most wilds that a meld of so many cards may hold."""
        most = {"no": size, "at-least-equal": size // 2, "strictly": (size - 1) // 2}[
            self.naturals_outnumber_wilds
        ]
        return most if self.max_wilds is None else min(most, self.max_wilds)

    def fewest_wilds(self, shape: Shape) -> int:
        """Return the wilds without which no such meld exists: of distinct suits there are but four."""
        return max(0, shape.size - 4) if shape.kind == "S" and self.set_suits == "distinct" else 0


NO_LIMITS = Limits()


def parse_contract(text: str) -> tuple[Shape, ...]:
    return tuple(Shape(word[0], int(word[1:])) for word in text.split())


def is_wild(card: str, wild: tuple[str, ...]) -> bool:
    """Return whether a card is wild; `wild` lists "JK", ranks ("2") and cards ("2S")."""
    return card in wild or (card != JOKER and card[0] in wild)


def split(hand: list[str], wild: tuple[str, ...]) -> tuple[list[str], list[str], list[str]]:
    """Return the naturals, the wilds and the dead jokers of a hand, each sorted."""
    wilds = sorted(card for card in hand if is_wild(card, wild))
    rest = sorted(card for card in hand if not is_wild(card, wild))
    return [c for c in rest if c != JOKER], wilds, [c for c in rest if c == JOKER]


def first_position(ace: str) -> int:
    return 2 if ace == "high" else 1


def last_position(ace: str) -> int:
    return 13 if ace == "low" else 14


def card_at(suit: str, position: int) -> str:
    """Return the card of a position of a run: ace low 1, king 13, ace high 14."""
    return RANKS[(position - 1) % 13] + suit


def run_cards(suit: str, low: int, size: int) -> tuple[str, ...]:
    return tuple(card_at(suit, position) for position in range(low, low + size))


@cache
def windows(size: int, ace: str) -> tuple[tuple[str, int], ...]:
    """Return all places of a run: (suit, position of its first card)."""
    lows = range(first_position(ace), last_position(ace) - size + 2)
    return tuple((suit, low) for suit in SUITS for low in lows)


def adjoin(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    """Return whether one of two runs (suit, low, size) begins right above the other's top card."""
    return one[0] == other[0] and (one[1] + one[2] == other[1] or other[1] + other[2] == one[1])
