"""Slow, obvious twins of the hand evaluation: no numba, nothing from the package.

Cards are written as in transcripts. A contract is a number of sets of three and runs of one length.
`placed_by_matching` is the
definition taken at its word; `slow_distance` is quicker and checked against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement

RANKS = "A23456789TJQK"
SUITS = "SHDC"


def split(hand: list[str], wild: tuple[str, ...]) -> tuple[list[str], list[str], list[str]]:
    """Return the naturals, the wilds and the dead jokers of a hand."""
    wilds = [card for card in hand if card in wild or card[0] in wild]
    rest = [card for card in hand if not (card in wild or card[0] in wild)]
    return [c for c in rest if c != "JK"], wilds, [c for c in rest if c == "JK"]


def card_at(suit: str, position: int) -> str:
    return RANKS[(position - 1) % 13] + suit


@cache
def windows(length: int, ace: str) -> tuple[tuple[str, int], ...]:
    """Return all places of a run: (suit, position of the first card), ace low 1, ace high 14."""
    first, last = (2 if ace == "high" else 1), (13 if ace == "low" else 14)
    return tuple((suit, low) for suit in SUITS for low in range(first, last - length + 2))


def places(window: tuple[str, int], length: int) -> list[str]:
    return [card_at(window[0], window[1] + i) for i in range(length)]


def best_sets(left: Counter[str], sets: int) -> int:
    """Return the most naturals that sets of three hold: of each rank 3, then 3 more, and so on."""
    chunks = []
    for rank in RANKS:
        held = sum(left[rank + suit] for suit in SUITS)
        while held > 0:
            chunks.append(min(3, held))
            held -= 3
    return sum(sorted(chunks, reverse=True)[:sets])


def slow_distance(
    hand: list[str], sets: int, runs: int, length: int, *, wild: tuple[str, ...] = ("JK",), ace: str = "both"
) -> int:
    """Return the contract distance: try all places of the runs, which take every natural they can."""
    naturals, wilds, _ = split(hand, wild)
    best = 0
    # What a run can take is all that matters of its place.
    takes = (
        {tuple(c for c in places(w, length) if c in naturals) for w in windows(length, ace)}
        if runs
        else set()
    )
    for choice in combinations_with_replacement(sorted(takes), runs):
        left = Counter(naturals)
        taken = 0
        for take in choice:
            for card in take:
                if left[card] > 0:
                    left[card] -= 1
                    taken += 1
        best = max(best, taken + best_sets(left, sets))
    return max(0, 3 * sets + length * runs - len(wilds) - best)


def placed_by_matching(naturals: list[str], sets: int, runs: int, length: int, ace: str) -> int:
    """Return the most naturals in the contract: all ranks, all places of runs, the best matching of cards to slots."""
    best = 0
    for ranks in combinations_with_replacement(RANKS, sets):
        for choice in combinations_with_replacement(windows(length, ace) if runs else (), runs):
            slots = [rank for rank in ranks for _ in range(3)]
            slots += [card for window in choice for card in places(window, length)]
            best = max(best, _matching(naturals, slots))
    return best


def _matching(cards: list[str], slots: list[str]) -> int:
    """Return the size of the largest matching; a slot takes a card (two letters) or a rank (one)."""
    owner: dict[int, int] = {}

    def find(card: int, seen: set[int]) -> bool:
        for i, slot in enumerate(slots):
            if i not in seen and cards[card].startswith(slot):
                seen.add(i)
                if i not in owner or find(owner[i], seen):
                    owner[i] = card
                    return True
        return False

    return sum(find(card, set()) for card in range(len(cards)))


Value = tuple[int, int]


def lay_down_values(
    hand: list[str],
    sets: int,
    runs: int,
    length: int,
    points: dict[str, int],
    table_fits: frozenset[str],
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
) -> Iterator[tuple[int, Value]]:
    """Yield (wilds used, (points stuck, points of naturals left)) of every way to lay the contract down.

    Runs take every natural of their places; each set takes up to three cards of its rank, whichever.
    """
    naturals, wilds, _ = split(hand, wild)
    for choice in combinations_with_replacement(windows(length, ace) if runs else (), runs):
        left = Counter(naturals)
        gaps = 0
        for window in choice:
            for card in places(window, length):
                if left[card] > 0:
                    left[card] -= 1
                else:
                    gaps += 1
        if gaps > len(wilds):
            continue
        for ranks, rest in _all_sets(sorted(left.elements()), sets):
            used = gaps + 3 * sets - (sum(left.values()) - len(rest))
            if used <= len(wilds):
                yield used, value(rest, ranks, choice, length, points, table_fits, ace)


def _all_sets(cards: list[str], sets: int) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield (ranks of the sets that hold naturals, cards left) of every choice of sets."""
    if sets == 0:
        yield (), cards
        return
    yield from _all_sets(cards, 0)
    for rank in sorted({card[0] for card in cards}):
        mine = [card for card in cards if card[0] == rank]
        others = [card for card in cards if card[0] != rank]
        for chosen in set(combinations(mine, min(3, len(mine)))):
            kept = list((Counter(mine) - Counter(chosen)).elements())
            for ranks, rest in _all_sets(sorted(others + kept), sets - 1):
                yield (rank, *ranks), rest


def value(
    rest: list[str],
    ranks: tuple[str, ...],
    choice: tuple[tuple[str, int], ...],
    length: int,
    points: dict[str, int],
    table_fits: frozenset[str],
    ace: str,
) -> Value:
    """Return (points of naturals left that fit nowhere, points of all naturals left) after a lay-down."""
    first, last = (2 if ace == "high" else 1), (13 if ace == "low" else 14)
    stuck = Counter(card for card in rest if card not in table_fits and card[0] not in ranks)
    for suit, low in choice:
        for step, start in ((-1, low - 1), (1, low + length)):
            position = start
            while first <= position <= last and card_at(suit, position) in rest:
                if stuck[card_at(suit, position)] > 0:
                    stuck[card_at(suit, position)] -= 1
                position += step
    return sum(points[card] for card in stuck.elements()), sum(points[card] for card in rest)
