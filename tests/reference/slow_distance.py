"""The contract distance, slowly: every place of the runs, every rank of the sets.

The least number of cards that must be added to a hand so that the contract can be laid down at its least
sizes. An added card counts as a natural, of which there are always enough copies. Contracts may mix any sizes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product

from .plain_cards import Limits, Shape, last_position, parse_contract, run_cards, split, windows
from .slow_limits import limited_distance


def slow_distance(
    hand: list[str],
    contract: str,
    *,
    wild: tuple[str, ...] = ("JK",),
    ace: str = "both",
    max_wilds: int | None = None,
    naturals_outnumber_wilds: str = "no",
    set_suits: str = "any",
    same_rank_sets: bool = True,
    runs_may_adjoin: bool = True,
) -> int:
    """Return the contract distance; the options are named as in a ruleset (`max_wilds=0`: naturals only).

    Raises
    ------
    ValueError
        If no cards at all can satisfy the contract under the options.
    """
    limits = Limits(max_wilds, naturals_outnumber_wilds, set_suits, same_rank_sets, runs_may_adjoin)
    shapes = parse_contract(contract)
    for shape in shapes:
        if shape.kind == "R" and not windows(shape.size, ace):
            raise ValueError(f"no run has {shape.size} cards with the ace {ace}")
        if limits.fewest_wilds(shape) > limits.most_wilds(shape.size):
            raise ValueError(f"no set of {shape.size} has distinct suits under these limits on wilds")
    if limits == Limits():
        return _unlimited_distance(tuple(sorted(hand)), shapes, wild, ace)
    naturals, wilds, _ = split(hand, wild)
    return limited_distance(naturals, len(wilds), shapes, ace, limits)


def slow_whole_hand_distance(hand: list[str], contract: str, *, ace: str = "both", **options) -> int:
    """Return the whole-hand distance: the least over all sizes, from the contract's up, that add up to the hand.

    Where fewer cards are held than the contract takes, it is the distance to the contract itself.
    """
    shapes = parse_contract(contract)
    extra = len(hand) - sum(shape.size for shape in shapes)
    if extra <= 0:
        return slow_distance(hand, contract, ace=ace, **options)
    longest = last_position(ace) - (ace == "high")
    found = []
    for more in product(range(extra + 1), repeat=len(shapes)):
        if sum(more) == extra:
            grown = [Shape(shape.kind, shape.size + n) for shape, n in zip(shapes, more, strict=True)]
            if all(shape.kind == "S" or shape.size <= longest for shape in grown):
                found.append(" ".join(f"{shape.kind}{shape.size}" for shape in grown))
    # Sizes in another order are the same contract.
    distinct = {" ".join(sorted(text.split())) for text in found}
    values = []
    for text in sorted(distinct):
        try:
            values.append(slow_distance(hand, text, ace=ace, **options))
        except ValueError:
            continue
    if not values:
        raise ValueError("no sizes of the contract take the whole hand")
    return min(values)


@lru_cache(maxsize=100_000)
def _unlimited_distance(
    hand: tuple[str, ...], shapes: tuple[Shape, ...], wild: tuple[str, ...], ace: str
) -> int:
    """Without limits a wild fits wherever no natural does, so that only the most naturals placed counts."""
    naturals, wilds, _ = split(list(hand), wild)
    # What is left of the naturals after each way to place the runs. A run takes every natural that it can: that
    # places one card, and costs another meld one place at most.
    lefts = {tuple(naturals)}
    for size in sorted(shape.size for shape in shapes if shape.kind == "R"):
        # Two places that can take the same naturals are one choice.
        takes = {tuple(c for c in run_cards(*window, size) if c in naturals) for window in windows(size, ace)}
        lefts = {_without(left, take) for left in lefts for take in takes}
    sizes = tuple(sorted(shape.size for shape in shapes if shape.kind == "S"))
    most = max(len(naturals) - len(left) + _most_in_sets(_rank_counts(left), sizes) for left in lefts)
    return max(0, sum(shape.size for shape in shapes) - len(wilds) - most)


def _without(left: tuple[str, ...], take: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards without one copy of each card of `take`, as far as there is one (sorted, as they came)."""
    rest = list(left)
    for card in take:
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def _rank_counts(cards: tuple[str, ...]) -> tuple[int, ...]:
    ranks = [card[0] for card in cards]
    return tuple(sorted(ranks.count(rank) for rank in set(ranks)))


@cache
def _most_in_sets(counts: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    """Return the most naturals that sets of these sizes hold, given how many cards of each rank there are."""
    if not sizes or not counts:
        return 0
    size, rest = sizes[0], sizes[1:]
    best = 0
    for i, count in enumerate(counts):
        taken = min(size, count)
        after = tuple(sorted((*counts[:i], count - taken, *counts[i + 1 :])))
        best = max(best, taken + _most_in_sets(after, rest))
    return best
