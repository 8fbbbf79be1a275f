"""The contract distance under limits on melds: all places and ranks, and the most slots that the hand fills there.

With at most so many wilds in a meld it is no longer true that a meld should take every natural it can (a wild may
be welcome in one meld and too many in another), so each choice of places and ranks is a small maximum flow: cards
to melds.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .plain_cards import RANKS, Limits, Shape, adjoin, run_cards, windows

WILD = "wild"
NOWHERE = ("", 0, 0)


class Place(NamedTuple):
    """A meld put somewhere: a set of a rank, or a run at a place."""

    shape: Shape
    most_wilds: int
    rank: str
    run: tuple[str, int, int]  # (suit, low, size), NOWHERE for a set
    room: dict[str, int]  # how many of each card of the hand it can take

    def takes(self, held: Counter[str]) -> int:
        """Return how many of the cards held it can take."""
        return min(self.shape.size, sum(min(room, held[card]) for card, room in self.room.items()))

    def take(self, held: Counter[str]) -> None:
        """Take as many of the cards held as it can."""
        spare = self.shape.size
        for card, room in self.room.items():
            taken = min(room, held[card], spare)
            held[card] -= taken
            spare -= taken


def limited_distance(
    naturals: list[str], wilds: int, shapes: tuple[Shape, ...], ace: str, limits: Limits
) -> int:
    """Return the contract distance under the limits."""
    search = _Search(Counter(naturals), wilds, shapes, ace, limits)
    search.go([], 0)
    return search.best


class _Search:
    """Depth first over the melds, best places first; a bound leaves out what cannot be better."""

    def __init__(
        self, naturals: Counter[str], wilds: int, shapes: tuple[Shape, ...], ace: str, limits: Limits
    ):
        self.naturals, self.wilds, self.limits = naturals, wilds, limits
        # Runs first, for the bound's sake; equal shapes stand together, so that they can be put in order.
        self.shapes = sorted(shapes)
        self.places = [self._places(shape, ace) for shape in self.shapes]
        self.best = sum(shape.size for shape in shapes) + 1

    def _places(self, shape: Shape, ace: str) -> list[Place]:
        """Return the places of a meld, best first: those that can take something, then one for all others.

        That one fits beside any other melds: with at most four melds there is always a rank or a place left that
        is neither equal to nor adjoins another's.
        """
        most, distinct = self.limits.most_wilds(shape.size), self.limits.set_suits == "distinct"
        found = []
        if shape.kind == "S":
            for rank in RANKS:
                room = {card: 1 if distinct else n for card, n in self.naturals.items() if card[0] == rank}
                found.append(Place(shape, most, rank, NOWHERE, room))
        else:
            for suit, low in windows(shape.size, ace):
                cards = Counter(run_cards(suit, low, shape.size))
                room = {card: n for card, n in cards.items() if card in self.naturals}
                found.append(Place(shape, most, "", (suit, low, shape.size), room))
            if self.limits.runs_may_adjoin:
                # Then a place is of no use if another can take all that it can, and more.
                found = [
                    one for one in found if not any(one.room.items() < other.room.items() for other in found)
                ]
        found = [place for place in found if place.room]
        return [*sorted(found, key=self._alone, reverse=True), Place(shape, most, "", NOWHERE, {})]

    def _alone(self, place: Place) -> int:
        return place.takes(self.naturals)

    def go(self, chosen: list[Place], start: int) -> None:
        """Go through all ways to place the melds from number ``len(chosen)`` on; `start`: see below."""
        if len(chosen) == len(self.shapes):
            filled = most_filled(self.naturals, self.wilds, chosen)
            self.best = min(self.best, sum(shape.size for shape in self.shapes) - filled)
            return
        i = len(chosen)
        for index in range(start, len(self.places[i])):
            place = self.places[i][index]
            if not self._allowed(place, chosen) or self._bound([*chosen, place]) >= self.best:
                continue
            # Melds of one shape are interchangeable: the next one begins at this one's place.
            same = i + 1 < len(self.shapes) and self.shapes[i + 1] == self.shapes[i]
            self.go([*chosen, place], index if same else 0)

    def _allowed(self, place: Place, chosen: list[Place]) -> bool:
        for other in chosen:
            if place.rank and place.rank == other.rank and not self.limits.same_rank_sets:
                return False
            if place.run[0] and not self.limits.runs_may_adjoin and adjoin(place.run, other.run):
                return False
        return True

    def _bound(self, chosen: list[Place]) -> int:
        """Return a number of added cards below which no choice that begins like this can come."""
        return max(self._bound_of_each(chosen), self._bound_together(chosen))

    def _bound_of_each(self, chosen: list[Place]) -> int:
        """Return what each meld needs as if it were alone: a gap above its limit on wilds takes added cards."""
        best = [*chosen, *(places[0] for places in self.places[len(chosen) :])]
        gaps = [place.shape.size - self._alone(place) for place in best]
        fillable = [min(gap, place.most_wilds) for gap, place in zip(gaps, best, strict=True)]
        return sum(gaps) - sum(fillable) + max(0, sum(fillable) - self.wilds)

    def _bound_together(self, chosen: list[Place]) -> int:
        """Return what is needed if no card is in two melds, but wilds may stand anywhere.

        Then runs first, sets next, each may take all it can.
        """
        left = Counter(self.naturals)
        filled = 0
        for place in chosen:
            filled += place.takes(left)
            if place.shape.kind == "R" or self.limits.set_suits == "any":
                # Of distinct suits it would matter which it takes; the bound lets the next one take them again.
                place.take(left)
        for places in self.places[len(chosen) :]:
            filled += max(place.takes(left) for place in places)
        return sum(shape.size for shape in self.shapes) - filled - self.wilds


def most_filled(naturals: Counter[str], wilds: int, chosen: list[Place]) -> int:
    """Return how many slots of the melds the hand fills: a maximum flow, one card after the other."""
    flow: dict[tuple[str, int], int] = Counter()
    size = [0] * len(chosen)

    def room(card: str, i: int) -> int:
        most = chosen[i].most_wilds if card == WILD else chosen[i].room.get(card, 0)
        return most - flow[card, i]

    def place(card: str, seen: set[int]) -> bool:
        """Find a meld for a card, if need be by moving another card on to another meld."""
        for i in range(len(chosen)):
            if i in seen or room(card, i) <= 0:
                continue
            if size[i] < chosen[i].shape.size:
                flow[card, i] += 1
                size[i] += 1
                return True
            seen.add(i)
            for other in [*naturals, WILD]:
                if other != card and flow[other, i] > 0 and place(other, seen):
                    flow[other, i] -= 1
                    flow[card, i] += 1
                    return True
        return False

    def count(card: str, copies: int) -> int:
        return sum(place(card, set()) for _ in range(copies))

    useful = [card for card in naturals if any(card in one.room for one in chosen)]
    return sum(count(card, naturals[card]) for card in useful) + count(
        WILD, min(wilds, sum(m.shape.size for m in chosen))
    )
