"""Laying down more than the contract asks, slowly: one card after the other, each judged with all melds at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .plain_cards import NO_LIMITS, RANKS, SUITS, Limits, split
from .slow_laydown import is_legal

#: Cards in the order in which the first of equally dear ones is taken.
ALL_NATURALS = [rank + suit for suit in SUITS for rank in RANKS]


class Down(NamedTuple):
    """Melds laid down: the cards of each (those of a run in order), and of a run its (suit, low)."""

    cards: list[list[str]]
    places: list[tuple[str, int] | None]

    @property
    def laid(self) -> Counter[str]:
        """How often each card lies in the melds."""
        return Counter(card for meld in self.cards for card in meld)

    @property
    def contract(self) -> str:
        """The contract with these very sizes."""
        kinds = ["S" if place is None else "R" for place in self.places]
        return " ".join(f"{kind}{len(cards)}" for kind, cards in zip(kinds, self.cards, strict=True))


def with_card(down: Down, card: str) -> Iterator[Down]:
    """Yield all melds with one card more, legal or not: on runs first, at the low end first."""
    numbers = range(len(down.cards))
    for i in sorted(numbers, key=lambda i: down.places[i] is None):
        before, place = down.cards[i], down.places[i]
        ways: list[tuple[list[str], tuple[str, int] | None]] = [([*before, card], place)]
        if place is not None:
            ways.insert(0, ([card, *before], (place[0], place[1] - 1)))
        for cards, at in ways:
            yield Down(
                [*down.cards[:i], cards, *down.cards[i + 1 :]], [*down.places[:i], at, *down.places[i + 1 :]]
            )


class Rules(NamedTuple):
    """What binds the melds."""

    wild: tuple[str, ...] = ("JK",)
    ace: str = "both"
    limits: Limits = NO_LIMITS


def legal(down: Down, hand: Sequence[str], rules: Rules) -> bool:
    """Return whether melds can be laid down from a hand, with the sizes that they have."""
    return is_legal(
        down.cards, list(hand), down.contract, runs=down.places, wild=rules.wild, ace=rules.ace,
        limits=rules.limits,
    )  # fmt: skip


def longer_by(down: Down, card: str, hand: Sequence[str], rules: Rules) -> Down | None:
    """Return the melds with one card more where it may be laid down as well, or None."""
    return next((more for more in with_card(down, card) if legal(more, hand, rules)), None)


def most_wilds_more(down: Down, wilds: list[str], most: int, hand: Sequence[str], rules: Rules) -> int:
    """Return how many wilds (at most `most`) could be laid down as well, whichever melds they go on."""
    if not wilds or most == 0:
        return 0
    best = 0
    seen = set()
    for more in with_card(down, wilds[0]):
        shape = (more.contract, tuple(more.places))
        if shape not in seen and legal(more, hand, rules):
            seen.add(shape)
            best = max(best, 1 + most_wilds_more(more, wilds[1:], most - 1, hand, rules))
            if best == most:
                break
    return best


def slow_longer(
    down: Down, hand: Sequence[str], keep: int, points: Mapping[str, int], rules: Rules
) -> tuple[Down, list[str], int]:
    """Make melds laid down at their least sizes longer.

    Returns
    -------
    down : Down
        The melds with the naturals that follow: the dearest that fits, again and again.
    left : list of str
        The cards that then stay in hand.
    wilds : int
        How many of these are wilds that go down as well: all but `keep` cards of the hand, or none.
    """
    left = Counter(hand) - down.laid
    naturals, _, _ = split(list(left.elements()), rules.wild)
    held = Counter(naturals)
    while left.total() > keep:
        dear_first = sorted(held, key=lambda card: (-points[card], ALL_NATURALS.index(card)))
        found = (
            (card, more) for card in dear_first if held[card] and (more := longer_by(down, card, hand, rules))
        )
        card, more = next(found, ("", None))
        if more is None:
            break
        down = more
        left[card] -= 1
        held[card] -= 1
    cards = sorted(left.elements())
    _, wilds, _ = split(cards, rules.wild)
    over = len(cards) - keep
    if over > len(wilds) or most_wilds_more(down, wilds, over, hand, rules) < over:
        over = 0
    return down, cards, over
