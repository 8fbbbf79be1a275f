"""One game as text for people: the events of a transcript, a line a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from shanghai_sim.cards import parse_card, sort_cards
from shanghai_sim.errors import CardError

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_JOKER = "JK"
Paint = Callable[[str, str], str]


class CardStyle:
    """How cards are written.

    Parameters
    ----------
    symbols : bool
        Suits as symbols instead of letters.
    paint : callable, optional
        Called with a text and a colour name (``red``, ``yellow``, ``bold``); returns the coloured text.
    """

    def __init__(self, *, symbols: bool, paint: Paint | None = None) -> None:
        self._symbols = symbols
        self.paint = paint or (lambda text, colour: text)

    def card(self, name: str | None) -> str:
        """Return one card."""
        if name is None:
            return "nothing"
        if name == _JOKER:
            return self.paint(name, "yellow")
        shown = name[0] + (_SUITS[name[1]] if self._symbols else name[1])
        return self.paint(shown, "red") if name[1] in "HD" else shown

    def cards(self, names: Sequence[str]) -> str:
        """Return cards, in the order given."""
        return " ".join(map(self.card, names))

    def hand(self, names: Sequence[str]) -> str:
        """Return a hand in card order, suits apart."""
        groups: dict[str, list[str]] = {}
        for name in _sorted(names):
            groups.setdefault(name[1] if name != _JOKER else _JOKER, []).append(name)
        return "  ".join(self.cards(group) for group in groups.values()) or "(empty)"


def _sorted(names: Sequence[str]) -> list[str]:
    from shanghai_sim.cards import format_card

    try:
        return [format_card(code) for code in sort_cards(parse_card(name) for name in names)]
    except CardError:
        return list(names)


def replay_text(events: Sequence[Mapping[str, Any]], style: CardStyle) -> str:
    """Return a whole transcript as text."""
    return "\n".join(_Teller(style).lines(events))


class _Teller:
    """Follows the hands and melds through the events, so that both can be shown."""

    def __init__(self, style: CardStyle) -> None:
        self._style = style
        self._hands: list[list[str]] = []
        self._melds: dict[int, tuple[str, list[str]]] = {}
        self._names: list[str] = []
        self._totals: list[int] = []
        self._active = -1

    def lines(self, events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        for event in events:
            yield from getattr(self, "_" + event["event"].replace("-", "_"))(event)

    def _who(self, seat: int) -> str:
        return f"seat {seat}"

    def _game(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._names = list(event["policies"])
        self._totals = [0] * len(self._names)
        bold = self._style.paint
        yield bold(
            f"Game {event['game']} of seed {event['seed']}, rules {event['rules']}, coupling {event['coupling']}",
            "bold",
        )
        yield "  ".join(f"{self._who(seat)}: {name}" for seat, name in enumerate(self._names))

    def _deal(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._hands = [list(hand) for hand in event["hands"]]
        self._melds = {}
        self._active = -1
        yield ""
        yield self._style.paint(
            f"Deal {event['deal']}: {event['contract']}   (dealer: {self._who(event['dealer'])})", "bold"
        )
        for seat, hand in enumerate(self._hands):
            yield f"  {self._who(seat)}  {self._style.hand(hand)}"
        if event["upcard"] is not None:
            yield f"  turned up: {self._style.card(event['upcard'])}"

    def _gain(self, seat: int, names: Sequence[str]) -> None:
        self._hands[seat] += names

    def _lose(self, seat: int, names: Sequence[str]) -> None:
        for name in names:
            self._hands[seat].remove(name)

    def _draw(self, event: Mapping[str, Any]) -> Iterator[str]:
        card = event["card"]
        self._active = event["seat"]
        if card is None:
            yield f"{self._who(event['seat'])} finds nothing to draw"
            return
        self._gain(event["seat"], [card])
        verb = "draws" if event["from"] == "stock" else "takes the discard"
        yield f"{self._who(event['seat'])} {verb} {self._style.card(card)}"

    def _buy(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._gain(event["seat"], [event["card"], *event["penalty"]])
        penalty = (
            f", penalty {self._style.cards(event['penalty'])}" if event["penalty"] else ", no penalty card"
        )
        yield f"    {self._who(event['seat'])} buys {self._style.card(event['card'])}{penalty}"

    def _lay_down(self, event: Mapping[str, Any]) -> Iterator[str]:
        shown = []
        for meld in event["melds"]:
            self._lose(event["seat"], meld["cards"])
            self._melds[meld["meld"]] = (meld["kind"], list(meld["cards"]))
            shown.append(f"[{meld['meld']}] {self._style.cards(meld['cards'])}")
        yield f"    {self._style.paint('lays down', 'bold')} {'   '.join(shown)}"

    def _lay_off(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._lose(event["seat"], [event["card"]])
        cards = self._melds[event["meld"]][1]
        cards.insert(0 if event["end"] == "low" else len(cards), event["card"])
        yield f"    lays off {self._style.card(event['card'])}: [{event['meld']}] {self._style.cards(cards)}"

    def _swap(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._lose(event["seat"], [event["card"]])
        self._gain(event["seat"], [event["wild"]])
        kind, cards = self._melds[event["meld"]]
        cards[self._place(kind, cards, event)] = event["card"]
        where = " and must lay it off" if event["to"] == "table" else ""
        yield (
            f"    swaps {self._style.card(event['card'])} for {self._style.card(event['wild'])}{where}: "
            f"[{event['meld']}] {self._style.cards(cards)}"
        )

    @staticmethod
    def _place(kind: str, cards: Sequence[str], event: Mapping[str, Any]) -> int:
        """Return the index of the wild that is swapped: in a run the one that stands for the card."""
        if kind == "set":
            return cards.index(event["wild"])
        ranks = "A23456789TJQK"
        fixed = next(
            (i for i, name in enumerate(cards) if name != event["wild"] and name[1:] == event["card"][1:]),
            None,
        )
        if fixed is None:
            return cards.index(event["wild"])
        offset = ranks.index(event["card"][0]) - ranks.index(cards[fixed][0])
        options = [i for i, name in enumerate(cards) if name == event["wild"]]
        return next((i for i in options if (i - fixed - offset) % len(ranks) == 0), options[0])

    def _discard(self, event: Mapping[str, Any]) -> Iterator[str]:
        seat = event["seat"]
        self._lose(seat, [event["card"]])
        if seat != self._active:
            yield f"{self._who(seat)} begins with a discard alone"
        yield f"    discards {self._style.card(event['card'])}   keeps {self._style.hand(self._hands[seat])}"

    def _reshuffle(self, event: Mapping[str, Any]) -> Iterator[str]:
        yield f"  (the discard pile is shuffled: {len(event['stock'])} cards)"

    def _deal_end(self, event: Mapping[str, Any]) -> Iterator[str]:
        how = {
            "out": "goes out",
            "turn-limit": "the turn limit is reached",
            "stock-empty": "the stock is empty",
        }
        who = f"{self._who(event['winner'])} " if event["winner"] is not None else ""
        self._totals = [a + b for a, b in zip(self._totals, event["scores"], strict=True)]
        yield f"{who}{how[event['reason']]}"
        for seat, score in enumerate(event["scores"]):
            left = self._style.hand(self._hands[seat])
            yield f"  {self._who(seat)}  {score:>4}  total {self._totals[seat]:>4}   {left}"

    def _sudden_death(self, event: Mapping[str, Any]) -> Iterator[str]:
        yield ""
        yield f"A tie of {', '.join(map(self._who, event['seats']))}: one more deal decides, its points do not count."

    def _game_end(self, event: Mapping[str, Any]) -> Iterator[str]:
        yield ""
        won = ", ".join(f"{self._who(seat)} ({self._names[seat]})" for seat in event["winners"])
        yield self._style.paint(f"{won} {'wins' if len(event['winners']) == 1 else 'share the win'}", "bold")
        totals = sorted(enumerate(event["totals"]), key=lambda item: item[1])
        yield "  ".join(f"{self._who(seat)} ({self._names[seat]}): {total}" for seat, total in totals)
