"""The contract distance taken at its word: add cards until the contract can be laid down. For tiny hands.

A meld is any cards that make one, a contract any split of cards into melds; nothing else is used.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from .plain_cards import NO_LIMITS, RANKS, SUITS, Limits, adjoin, card_at, is_wild, parse_contract, windows

Card = tuple[str, bool]  #: a card, and whether it counts as a wild


def can_lay(cards: tuple[Card, ...], contract: str, ace: str, limits: Limits = NO_LIMITS) -> bool:
    """Return whether the cards hold the contract: choose the cards of each meld in every way."""

    def go(
        left: tuple[Card, ...], i: int, ranks: tuple[str, ...], runs: tuple[tuple[str, int, int], ...]
    ) -> bool:
        if i == len(shapes):
            return True
        for chosen in set(combinations(left, shapes[i].size)):
            rest = tuple(sorted((Counter(left) - Counter(chosen)).elements()))
            if shapes[i].kind == "S":
                rank = _set_rank(chosen, limits)
                if rank is None or (rank and rank in ranks and not limits.same_rank_sets):
                    continue
                if go(rest, i + 1, (*ranks, rank), runs):
                    return True
            for suit, low in _run_places(chosen, ace, limits) if shapes[i].kind == "R" else ():
                run = (suit, low, shapes[i].size)
                if not limits.runs_may_adjoin and any(adjoin(run, other) for other in runs):
                    continue
                if go(rest, i + 1, ranks, (*runs, run)):
                    return True
        return False

    shapes = parse_contract(contract)
    return go(tuple(sorted(cards)), 0, (), ())


def _wilds_allowed(cards: tuple[Card, ...], limits: Limits) -> bool:
    wilds = sum(wild for _, wild in cards)
    naturals = len(cards) - wilds
    if limits.max_wilds is not None and wilds > limits.max_wilds:
        return False
    return {
        "no": True,
        "at-least-equal": wilds <= naturals,
        "strictly": wilds < naturals,
    }[limits.naturals_outnumber_wilds]


@lru_cache(maxsize=50_000)
def _set_rank(cards: tuple[Card, ...], limits: Limits) -> str | None:
    """Return the rank of cards that make a set ("" for wilds alone), or None."""
    naturals = [card for card, wild in cards if not wild]
    suits = [card[1] for card in naturals]
    ranks = {card[0] for card in naturals}
    if "JK" in naturals or len(ranks) > 1 or not _wilds_allowed(cards, limits):
        return None
    if limits.set_suits == "distinct" and len(set(suits)) < len(suits):
        return None
    return min(ranks, default="")


@lru_cache(maxsize=50_000)
def _run_places(cards: tuple[Card, ...], ace: str, limits: Limits) -> list[tuple[str, int]]:
    """Return the places of the runs that cards make: all naturals stand there, on a position each."""
    if not _wilds_allowed(cards, limits):
        return []
    naturals = Counter(card for card, wild in cards if not wild)
    found = []
    for suit, low in windows(len(cards), ace):
        if not naturals - Counter(card_at(suit, low + i) for i in range(len(cards))):
            found.append((suit, low))
    return found


def distance_by_adding(
    hand: list[str], contract: str, wild: tuple[str, ...], ace: str, limits: Limits, most: int
) -> int:
    """Return the least number of added naturals, `most` + 1 if that many are not enough."""
    held = tuple((card, is_wild(card, wild)) for card in hand)
    pack = [(rank + suit, False) for rank in RANKS for suit in SUITS]
    for n in range(most + 1):
        if any(
            can_lay((*held, *added), contract, ace, limits)
            for added in combinations_with_replacement(pack, n)
        ):
            return n
    return most + 1
