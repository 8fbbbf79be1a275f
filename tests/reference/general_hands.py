"""Stratified random hands for any contract: each stratum makes one kind of trouble common.

A hand never holds a card more often than there are packs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from .plain_cards import JOKER, RANKS, SUITS, Limits, card_at, is_wild, parse_contract, run_cards, windows

#: Sets of three and runs of one length: what ships, and others up to the limits.
FAST_CONTRACTS = [
    "S3 S3", "S3 R4", "R4 R4", "S3 S3 S3", "S3 S3 R4", "R4 R4 S3", "S3 S3 R4 R4", "S3 R5 R5", "R4 R4 R4",
    "S3 S3 S3 S3", "S3 S3 S3 R4", "R7", "R10", "R5 R5 R5", "S3 R7", "S3 S3 R5", "S3 R10", "S3 S3 S3 R5",
    "S3 R4 R4 R4", "R4 R4 R4 R4", "S3 S3 R5 R5", "R3 R3", "S3 S3 R3 R3", "S3 R13", "R13 R13", "S3", "R4",
    "R3 R3 R3 R3", "S3 S3 S3 R3", "R6 R6", "S3 R8 R8", "R9", "R11", "S3 S3 R12",
]  # fmt: skip
#: Other sizes and mixed lengths.
MIXED_CONTRACTS = [
    "S4 S4", "S3 S4 R5", "R4 R7", "S3 S3 S3 R7", "R14", "S4 S3 R4 R5", "S5 R4 R6", "S6", "R3 R4 R5 R6",
    "S4 S4 S4 S4", "S3 S5", "R4 R5", "S4 R3 R13", "S6 S3 R4 R4", "R13", "S7 R7",
]  # fmt: skip
WILDS = [("JK",), ("JK",), ("JK", "2"), ("2S", "2C"), ("2",), ("JK", "2S", "2C"), ()]
ACES = ["both", "both", "low", "high"]


class Dealt(NamedTuple):
    """A hand and what is asked of it."""

    hand: list[str]
    contract: str
    wild: tuple[str, ...]
    ace: str
    packs: int


def stratified_hands(n: int, seed: int, contracts: Sequence[str] = FAST_CONTRACTS) -> Iterator[Dealt]:
    """Yield `n` hands of 3 to 20 cards, the same for the same seed; contracts and strata take turns."""
    rng = Random(seed)
    for i in range(n):
        contract = contracts[i % len(contracts)]
        ace = rng.choice(["both", "both", "both"] if "R14" in contract else ACES)
        wild, packs = rng.choice(WILDS), rng.choice((1, 2, 2, 3, 3))
        stratum = STRATA[i // len(contracts) % len(STRATA)]
        wish, rest = stratum(rng, contract, wild, ace)
        size = rng.randint(3, 20)
        pack = Counter(
            [rank + suit for rank in RANKS for suit in SUITS] * packs + [JOKER] * rng.choice((0, 2, 4, 6, 12))
        )
        hand: list[str] = []
        # Wished cards as far as there are copies, then others of the stratum, then any.
        for cards in (wish, rest, list(pack.elements())):
            rng.shuffle(cards)
            for card in cards:
                if len(hand) < size and pack[card] > 0:
                    hand.append(card)
                    pack[card] -= 1
        rng.shuffle(hand)
        yield Dealt(hand, contract, wild, ace, packs)


def random_limits(rng: Random) -> Limits:
    """Return options on melds, often several at once."""
    return Limits(
        max_wilds=rng.choice((None, None, 0, 1, 2)),
        naturals_outnumber_wilds=rng.choice(("no", "no", "at-least-equal", "strictly")),
        set_suits=rng.choice(("any", "distinct")),
        same_rank_sets=rng.random() < 0.6,
        runs_may_adjoin=rng.random() < 0.6,
    )


# Strata: cards that the hand should hold, and cards from which to fill it.

Wish = tuple[list[str], list[str]]


def _cards(ranks: str, suits: str) -> list[str]:
    return [rank + suit for rank in ranks for suit in suits] * 3


def _dealt(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """From the whole pack."""
    return [], []


def _few_ranks(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Few ranks: triples, fourth copies, two sets of one rank; now and then but one rank."""
    return [], _cards("".join(rng.sample(RANKS, rng.choice((1, 1, 2, 3, 4, 6)))), SUITS)


def _few_suits(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """One or two suits: long runs, pairs and triples of the same card."""
    return [], _cards(RANKS, "".join(rng.sample(SUITS, rng.choice((1, 1, 2)))))


def _narrow(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Neighbouring ranks, also around the ace, of two or three suits."""
    start = rng.randrange(13)
    return [], _cards(
        (RANKS * 2)[start : start + rng.randint(3, 7)], "".join(rng.sample(SUITS, rng.randint(2, 3)))
    )


def _near_complete(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Most of the contract."""
    share = rng.choice((0.6, 0.8, 0.9, 1.0))
    wish: list[str] = []
    for kind, size in parse_contract(contract):
        if kind == "S":
            rank = rng.choice(RANKS)
            wish += [
                rank + rng.choice(SUITS) for _ in range(size + rng.choice((0, 0, 1))) if rng.random() < share
            ]
        else:
            wish += [
                card for card in run_cards(*rng.choice(windows(size, ace)), size) if rng.random() < share
            ]
    return wish, []


def _contested(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Four or more of a rank, and runs that pass through it."""
    rank = rng.choice(RANKS)
    wish = [rank + suit for suit in SUITS] + [rank + rng.choice(SUITS) for _ in range(rng.randint(0, 3))]
    at = RANKS.index(rank) + 1
    for suit in rng.sample(SUITS, rng.randint(1, 3)):
        wish += [card_at(suit, at + step) for step in (-3, -2, -1, 1, 2, 3) if rng.random() < 0.7]
    return wish, [JOKER] * rng.randint(0, 2)


def _both_ends(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Aces with cards at both ends of their suits."""
    suits = "".join(rng.sample(SUITS, rng.randint(1, 3)))
    wish = [card for card in _cards("A", suits) if rng.random() < 0.5]
    wish += [card for card in _cards("234JQK", suits)[:18] if rng.random() < 0.7]
    return wish, _cards("A23TJQK", suits)


def _triples(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Cards in a row, three times each (as far as there are packs)."""
    suit, start, n = rng.choice(SUITS), rng.randint(1, 10), rng.randint(3, 6)
    return [card_at(suit, start + i) for i in range(n) for _ in range(3)], []


def _many_wilds(rng: Random, contract: str, wild: tuple[str, ...], ace: str) -> Wish:
    """Wilds, up to a hand full of them; black twos and dead jokers among them."""
    wilds = [card for card in [*_cards("2", SUITS), *[JOKER] * 12] if is_wild(card, wild)]
    return rng.sample(wilds, min(len(wilds), rng.randint(3, 18))), _few_suits(rng, contract, wild, ace)[1]


STRATA: list[Callable[[Random, str, tuple[str, ...], str], Wish]] = [
    _dealt, _near_complete, _few_ranks, _contested, _few_suits, _near_complete, _narrow, _both_ends, _triples,
    _many_wilds,
]  # fmt: skip


def _corner(
    hand: str, contract: str, wild: tuple[str, ...] = ("JK",), ace: str = "both", packs: int = 3
) -> Dealt:
    return Dealt(hand.split(), contract, wild, ace, packs)


#: Corners that broke early versions of such code, in contracts of all kinds.
CORNERS = [
    _corner("7S 7H 7D", "S3 S3"),  # one rank alone, two sets
    _corner("7S 7H 7D 7C", "S3 S3"),  # the fourth opens a second set
    _corner("7S 7S 7H 7H 7D 7C", "S3 S3"),  # both sets of one rank
    _corner("7S 7S 7H 7H 7D 7C JK", "S3 S3 S3"),
    _corner("7S 7H 7D 7C 6S 8S 9S 6H 8H 9H", "S3 R4 R4"),  # four of a rank, two runs
    _corner("7S 7H 7D 7C 7C 6S 8S 9S 6H 8H 9H", "S3 S3 R4 R4"),
    _corner("7S 7H 7D 7C 6S 8S 9S 6H 8H 9H TH", "S3 R4 R5"),
    _corner("4S 4S 4S 5S 5S 5S 6S 6S 6S 7S 7S 7S", "R4 R4 R4"),  # triples, three runs, three packs
    _corner("2S 2S 2S 3S 3S 3S 4S 4S 4S 5S 5S 5S", "R4 R4 R4", ("JK", "2")),  # wild twos are no naturals
    _corner("2S 2H 2D 2C 3S 4S", "S3 S3 R4", ("2S", "2C")),  # black twos wild, red ones not
    _corner("AS 2S 3S JS QS KS", "R4 R4"),  # one ace, both ends
    _corner("AS AS 2S 3S JS QS KS", "R3 R3 R3"),
    _corner("AS 2S 3S JS QS KS", "R4 R4", ace="low"),
    _corner("AS 2S 3S JS QS KS", "R4 R4", ace="high"),
    _corner("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "R14"),  # the run of fourteen needs two aces
    _corner("KS AS 2S 3S", "R4"),  # no way around the corner
    _corner("JK JK JK 2S 2H 2D 2C", "S3 R4", ("JK", "2")),  # wilds alone
    _corner("JK JK JK JK", "S3 R4", ("2",)),  # dead jokers
    _corner("5H JK JK JK 6D", "R4"),
    _corner("7D 7S JK 9S 9C JK 4H", "S3 S3"),
]
