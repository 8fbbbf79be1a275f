"""Card codes and their notation (FORMATS: a card is rank then suit, ``7H``, ``TD``; a joker is ``JK``).

A card *code* is ``16 * suit + rank`` with suits S H D C = 0..3 and ranks A 2 .. K = 0..12, so that a set of
cards is a 64-bit board with a 16-bit lane a suit, and a board of any cards is never negative as an int64. The
joker has code 13, a free bit of the first lane.
"""

from __future__ import annotations

from collections.abc import Iterable

from shanghai_sim.errors import CardError

RANKS = "A23456789TJQK"
SUITS = "SHDC"
N_RANKS = 13
N_SUITS = 4
JOKER = 13
#: One past the largest card code.
N_CODES = 64
#: The 52 natural card codes in card order: suits S H D C, ranks A to K.
PLAIN_CODES = tuple(16 * suit + rank for suit in range(N_SUITS) for rank in range(N_RANKS))
#: All card codes in card order, the joker last.
ALL_CODES = (*PLAIN_CODES, JOKER)

_NAMES = {code: RANKS[code % 16] + SUITS[code // 16] for code in PLAIN_CODES} | {JOKER: "JK"}
_CODES = {name: code for code, name in _NAMES.items()}
_ORDER = {code: i for i, code in enumerate(ALL_CODES)}


def format_card(code: int) -> str:
    """Return the notation of a card code, e.g. ``"7H"``."""
    return _NAMES[int(code)]


def parse_card(text: str) -> int:
    """Return the code of one written card; ``10D`` is taken for ``TD``, case does not matter.

    Raises
    ------
    CardError
        If the text is no card.
    """
    word = text.strip().upper()
    if word.startswith("10"):
        word = "T" + word[2:]
    try:
        return _CODES[word]
    except KeyError:
        raise CardError(
            f"not a card: {text!r}; a card is a rank (A 2-9 T J Q K) and a suit (S H D C), or JK"
        ) from None


def parse_hand(hand: str | Iterable[str]) -> list[int]:
    """Return the codes of a hand: cards separated by spaces or commas, or an iterable of cards."""
    words = hand.replace(",", " ").split() if isinstance(hand, str) else list(hand)
    return [parse_card(word) for word in words]


def sort_cards(codes: Iterable[int]) -> list[int]:
    """Return card codes in card order."""
    return sorted((int(code) for code in codes), key=_ORDER.__getitem__)
