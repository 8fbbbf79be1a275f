"""Laying a contract down, slowly: all ways to do it, what each leaves behind, and the best of them.

A way is, for each meld of the contract, a rank with the naturals that stand in the set, or a place (suit, lowest
position) with the positions where naturals stand; wilds fill the rest, be there naturals left or not. Its worth is
three numbers:

stuck
    penalty points of the naturals and dead jokers left that fit nowhere. A natural left fits if it has the rank of
    a set just laid down that holds a natural; if it follows on one of the runs just laid down, one card after the
    other (the cards left serve all runs at once, and each run takes a card once at each end); or if it is in
    `table_fits`.
points
    penalty points of all cards left, wilds included; the dearest wilds are laid down first.
wilds
    how many wilds are laid down.

They are compared in the order that `order` gives; fewer is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from .plain_cards import (
    NO_LIMITS,
    Limits,
    Shape,
    adjoin,
    card_at,
    first_position,
    is_wild,
    last_position,
    parse_contract,
    run_cards,
    split,
    windows,
)

ORDER = ("stuck", "points", "wilds")


class Laid(NamedTuple):
    """A meld laid down."""

    shape: Shape
    naturals: tuple[str, ...]  # sorted
    wilds: int
    run: tuple[str, int] = ("", 0)  # (suit, low) of a run

    @property
    def rank(self) -> str:
        """The rank of a set that holds a natural."""
        return self.naturals[0][0] if self.shape.kind == "S" and self.naturals else ""


class Value(NamedTuple):
    """What a lay-down leaves behind."""

    stuck: int
    points: int
    wilds: int

    def ordered(self, order: Sequence[str] = ORDER) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in order)


class Best(NamedTuple):
    """The least value and all choices that have it."""

    value: Value
    choices: list[tuple[Laid, ...]]


def slow_laydown(
    hand: list[str],
    contract: str,
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
    points: Mapping[str, int],
    table_fits: Iterable[str] = (),
    limits: Limits = NO_LIMITS,
    order: Sequence[str] = ORDER,
) -> Best | None:
    """Return the best way to lay the contract down, or None where there is none."""
    fits = frozenset(table_fits)
    values: dict[tuple[Laid, ...], Value] = {}
    known: dict[tuple, Value] = {}
    for choice in lay_downs(hand, contract, wild=wild, ace=ace, limits=limits):
        # Choices that leave the same cards and the same ends on the table are worth the same.
        used = tuple(sorted(card for meld in choice for card in meld.naturals))
        ends = frozenset((meld.run, meld.shape.size, meld.rank) for meld in choice)
        twice = tuple(sorted(meld.run for meld in choice))
        key = (used, ends, twice, sum(meld.wilds for meld in choice))
        if key not in known:
            known[key] = value_of_choice(choice, hand, wild=wild, ace=ace, points=points, table_fits=fits)
        values[choice] = known[key]
    if not values:
        return None
    least = min(values.values(), key=lambda value: value.ordered(order))
    return Best(least, [choice for choice, value in values.items() if value == least])


def lay_downs(
    hand: list[str],
    contract: str,
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
    limits: Limits = NO_LIMITS,
) -> Iterator[tuple[Laid, ...]]:
    """Yield every choice of melds once; melds of the same shape stand in order."""
    naturals, wilds, _ = split(hand, wild)
    shapes = sorted(parse_contract(contract))
    # Cards that the melds from number i on take at least one of, if the wilds are to last.
    slots = [sum(shape.size for shape in shapes[i:]) for i in range(len(shapes) + 1)]

    def go(i: int, held: Counter[str], spare: int, chosen: tuple[Laid, ...]) -> Iterator[tuple[Laid, ...]]:
        if i == len(shapes):
            yield chosen
            return
        if sum(held.values()) + spare < slots[i]:
            return
        for meld in _melds(shapes[i], held, min(spare, limits.most_wilds(shapes[i].size)), ace, limits):
            if i and chosen[-1].shape == meld.shape and meld < chosen[-1]:
                continue
            if _may_join(meld, chosen, limits):
                yield from go(i + 1, held - Counter(meld.naturals), spare - meld.wilds, (*chosen, meld))

    yield from go(0, Counter(naturals), len(wilds), ())


def _melds(shape: Shape, held: Counter[str], wilds: int, ace: str, limits: Limits) -> Iterator[Laid]:
    """Yield every meld of a shape that the naturals held and so many wilds make."""
    fewest = max(0, shape.size - wilds)
    if shape.kind == "S":
        if fewest == 0:
            yield Laid(shape, (), shape.size)
        for rank in sorted({card[0] for card in held}):
            cards = sorted(card for card in held.elements() if card[0] == rank)
            if limits.set_suits == "distinct":
                cards = sorted(set(cards))
            for n in range(max(1, fewest), min(shape.size, len(cards)) + 1):
                for some in sorted(set(combinations(cards, n))):
                    yield Laid(shape, some, shape.size - n)
        return
    for suit, low in windows(shape.size, ace):
        places = [card for card in run_cards(suit, low, shape.size) if held[card] > 0]
        for n in range(fewest, len(places) + 1):
            # A run of 14 has the ace at both ends, and may hold it once where but one is held.
            for some in sorted(set(combinations(sorted(places), n))):
                if not Counter(some) - held:
                    yield Laid(shape, some, shape.size - n, (suit, low))


def _may_join(meld: Laid, others: Sequence[Laid], limits: Limits) -> bool:
    """Return whether the options on equal ranks and adjoining runs let a meld lie beside others."""
    for other in others:
        if meld.rank and meld.rank == other.rank and not limits.same_rank_sets:
            return False
        both_runs = meld.shape.kind == other.shape.kind == "R"
        ends = (*meld.run, meld.shape.size), (*other.run, other.shape.size)
        if both_runs and not limits.runs_may_adjoin and adjoin(*ends):
            return False
    return True


def value_of_choice(
    choice: Sequence[Laid],
    hand: list[str],
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
    points: Mapping[str, int],
    table_fits: Iterable[str] = (),
) -> Value:
    """Return what a choice leaves behind."""
    naturals, wilds, dead = split(hand, wild)
    left = Counter(naturals) - Counter(card for meld in choice for card in meld.naturals)
    used = sum(meld.wilds for meld in choice)
    stuck = Counter(
        {card: n for card, n in left.items() if not _fits_a_set(card, choice) and card not in set(table_fits)}
    )
    for meld in choice:
        if meld.shape.kind == "R":
            for card in _follows(meld, left, ace):
                stuck[card] -= 1
    dear_first = sorted((points[card] for card in wilds), reverse=True)
    dead_points = sum(points[card] for card in dead)
    return Value(
        stuck=sum(points[card] * max(0, n) for card, n in stuck.items()) + dead_points,
        points=sum(points[card] * n for card, n in left.items()) + dead_points + sum(dear_first[used:]),
        wilds=used,
    )


def _fits_a_set(card: str, choice: Sequence[Laid]) -> bool:
    return any(meld.rank == card[0] for meld in choice)


def _follows(meld: Laid, left: Counter[str], ace: str) -> list[str]:
    """Return the cards left that can be laid off on a run, one after the other, at either end."""
    suit, low = meld.run
    found = []
    position = low - 1
    while position >= first_position(ace) and left[card_at(suit, position)] > 0:
        found.append(card_at(suit, position))
        position -= 1
    position = low + meld.shape.size
    while position <= last_position(ace) and left[card_at(suit, position)] > 0:
        found.append(card_at(suit, position))
        position += 1
    return found


# Concrete melds: lists of cards, those of a run in order.


def readings(
    cards: Sequence[str], shape: Shape, wild: tuple[str, ...], ace: str, limits: Limits
) -> list[Laid]:
    """Return all legal meanings of cards as a meld of a shape: none if illegal, several for a run of wilds alone."""
    naturals = tuple(sorted(card for card in cards if not is_wild(card, wild)))
    wilds = len(cards) - len(naturals)
    if len(cards) != shape.size or "JK" in naturals or wilds > limits.most_wilds(shape.size):
        return []
    if shape.kind == "S":
        if len({card[0] for card in naturals}) > 1:
            return []
        if limits.set_suits == "distinct" and len(set(naturals)) < len(naturals):
            return []
        return [Laid(shape, naturals, wilds)]
    found = []
    for suit, low in windows(shape.size, ace):
        meant = run_cards(suit, low, shape.size)
        if all(is_wild(card, wild) or card == at for card, at in zip(cards, meant, strict=True)):
            found.append(Laid(shape, naturals, wilds, (suit, low)))
    return found


def meanings(
    melds: Sequence[Sequence[str]],
    hand: list[str],
    contract: str,
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
    limits: Limits = NO_LIMITS,
    runs: Sequence[tuple[str, int] | None] | None = None,
) -> list[tuple[Laid, ...]]:
    """Return all legal meanings of melds, given in the contract's order; empty: they cannot be laid down from the hand.

    `runs` may say which (suit, low) each meld is meant to be (None for a set).
    """
    shapes = parse_contract(contract)
    if len(melds) != len(shapes) or Counter(card for meld in melds for card in meld) - Counter(hand):
        return []
    each = [readings(m, shape, wild, ace, limits) for m, shape in zip(melds, shapes, strict=True)]
    if runs is not None:
        each = [
            [one for one in some if at is None or one.run == at] for some, at in zip(each, runs, strict=True)
        ]
    return [
        choice
        for choice in product(*each)
        if all(_may_join(choice[i], choice[:i], limits) for i in range(len(choice)))
    ]


def is_legal(melds: Sequence[Sequence[str]], hand: list[str], contract: str, **options) -> bool:
    """Return whether melds can be laid down as the contract from the hand; `options` as in `meanings`."""
    return bool(meanings(melds, hand, contract, **options))


def value_of(
    melds: Sequence[Sequence[str]],
    hand: list[str],
    contract: str,
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
    points: Mapping[str, int],
    table_fits: Iterable[str] = (),
    limits: Limits = NO_LIMITS,
    runs: Sequence[tuple[str, int] | None] | None = None,
    order: Sequence[str] = ORDER,
) -> Value:
    """Return what legal melds leave behind, under their best meaning.

    The wilds laid down count as the dearest; `wilds_go_dearest_first` tells whether they are.
    """
    found = meanings(melds, hand, contract, wild=wild, ace=ace, limits=limits, runs=runs)
    values = [
        value_of_choice(c, hand, wild=wild, ace=ace, points=points, table_fits=table_fits) for c in found
    ]
    return min(values, key=lambda value: value.ordered(order))


def wilds_go_dearest_first(
    melds: Sequence[Sequence[str]], hand: list[str], *, wild: tuple[str, ...], points: Mapping[str, int]
) -> bool:
    """Return whether no wild in the melds is cheaper than one left in hand."""
    laid = Counter(card for meld in melds for card in meld if is_wild(card, wild))
    left = Counter(card for card in hand if is_wild(card, wild)) - laid
    return not laid or not left or min(points[c] for c in laid) >= max(points[c] for c in left)
