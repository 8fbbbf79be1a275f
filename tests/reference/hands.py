"""Stratified random hands: duplicates, triples, fourth cards, many wilds, near-complete contracts, both aces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "SHDC"

#: (sets of three, runs, length): every shape of the fast path that ships, and others up to its limits.
SHAPES = [
    (2, 0, 3), (1, 1, 4), (0, 2, 4), (3, 0, 3), (2, 1, 4), (1, 2, 4), (2, 2, 4), (1, 2, 5), (0, 3, 4), (4, 0,
    3),
    (3, 1, 4), (1, 1, 7), (1, 1, 10), (3, 1, 5), (0, 3, 5), (2, 1, 5), (0, 1, 7), (0, 1, 10), (1, 3, 4), (0,
    4, 4),
    (2, 2, 5), (0, 2, 3), (2, 2, 3), (1, 1, 13), (0, 2, 13), (1, 0, 3), (0, 1, 4), (3, 1, 3), (1, 3, 3), (0,
    4, 3),
]  # fmt: skip
WILDS = [("JK",), ("JK", "2"), ("2S", "2C"), ("2",), ()]


class Case(NamedTuple):
    """A hand and what is asked of it."""

    hand: list[str]
    sets: int
    runs: int
    length: int
    wild: tuple[str, ...]
    ace: str


def _narrow_pack(rng: Random, packs: int, jokers: int) -> list[str]:
    """Return a pack, or only a few of its ranks or suits, so that duplicates and conflicts are common."""
    kind = rng.randrange(4)
    ranks = RANKS if kind < 2 else "".join(rng.sample(RANKS, rng.randint(1, 6)))
    if kind == 3:
        start = rng.randrange(13)
        ranks = "".join((RANKS * 2)[start : start + rng.randint(3, 7)])
    suits = SUITS if rng.random() < 0.5 else "".join(rng.sample(SUITS, rng.randint(1, 3)))
    return [r + s for r in ranks for s in suits] * packs + ["JK"] * jokers


def _near_complete(rng: Random, shape: tuple[int, int, int], packs: int) -> list[str]:
    """Return most cards of a contract of the shape, cards beside them included."""
    sets, runs, length = shape
    cards: list[str] = []
    for _ in range(sets):
        rank = rng.choice(RANKS)
        cards += [rank + rng.choice(SUITS) for _ in range(rng.randint(1, 5))]
    for _ in range(runs):
        suit, low = rng.choice(SUITS), rng.randint(1, 15 - length)
        cards += [RANKS[(low - 1 + i) % 13] + suit for i in range(length) if rng.random() < 0.8]
    held = Counter(cards)
    return [card for card, n in held.items() for _ in range(min(n, packs))]


def cases(n: int, seed: int) -> Iterator[Case]:
    """Yield `n` cases, the same for the same seed."""
    rng = Random(seed)
    for i in range(n):
        shape = SHAPES[i % len(SHAPES)]
        packs = rng.choice((1, 2, 2, 3, 3))
        size = rng.randint(3, 20)
        hand = _near_complete(rng, shape, packs) if rng.random() < 0.4 else []
        pack = Counter(_narrow_pack(rng, packs, rng.choice((0, 2, 6, 12)))) - Counter(hand)
        rest = list(pack.elements())
        hand += rng.sample(rest, min(len(rest), max(0, size - len(hand))))
        wild = rng.choice(WILDS)
        if rng.random() < 0.1:
            hand = hand[:8] + ["JK"] * rng.randint(1, 12)
        rng.shuffle(hand)
        yield Case(hand[:20], *shape, wild, rng.choice(("both", "both", "low", "high")))


#: Corners that broke earlier versions of such code.
CORNERS = [
    Case(["7S", "7H", "7D", "7C", "7S"], 2, 0, 3, ("JK",), "both"),  # one rank alone, two sets
    Case(["7S", "7H", "7D", "7C", "7S", "7H"], 2, 1, 4, ("JK",), "both"),  # both sets of one rank
    Case(
        ["7S", "7H", "7D", "7C", "6S", "8S", "9S", "6H", "8H", "9H"], 1, 2, 4, ("JK",), "both"
    ),  # four of a rank, two runs
    Case(["7S", "7H", "7D", "7C", "6S", "8S", "9S", "6H", "8H", "9H"], 2, 2, 4, ("JK",), "both"),
    Case(["5H", "5D", "5C", "5S", "JK"], 2, 0, 3, ("JK",), "both"),  # the fourth card opens a second set
    Case(
        ["4S", "4S", "4S", "5S", "5S", "5S", "6S", "6S", "6S", "7S", "7S"], 0, 3, 4, ("JK",), "both"
    ),  # triples, three runs
    Case(
        ["2S", "2S", "2S", "3S", "4S", "5S", "3S", "4S", "3S"], 0, 3, 4, ("JK", "2"), "both"
    ),  # wild twos are no naturals
    Case(["AS", "2S", "3S", "4S", "JS", "QS", "KS"], 0, 2, 4, ("JK",), "both"),  # one ace, two windows
    Case(["AS", "AS", "2S", "3S", "4S", "JS", "QS", "KS"], 0, 2, 4, ("JK",), "both"),
    Case(["AS", "2S", "3S", "4S", "JS", "QS", "KS"], 0, 2, 4, ("JK",), "low"),
    Case(["AS", "2S", "3S", "4S", "JS", "QS", "KS"], 0, 2, 4, ("JK",), "high"),
    Case(["JK"] * 12, 2, 2, 4, ("JK",), "both"),
    Case([], 2, 2, 4, ("JK",), "both"),
    Case(
        ["9S", "9H", "9D", "9C", "9S", "9H", "9D", "9C", "9S"], 3, 1, 4, ("JK",), "both"
    ),  # three sets of one rank
    Case(["9S", "9H", "8S", "TS", "JS", "KD", "KC", "3H"], 3, 1, 4, ("JK",), "both"),
]
