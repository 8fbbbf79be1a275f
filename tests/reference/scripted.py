"""Deals written by hand: set the cards that matter, then say the moves; the rest of the cards falls where it may."""

import copy

from tests.reference.naive_rules import ORDER, all_cards, ruleset
from tests.reference.referee import check_transcript


class Script:
    """The first deal of a game under "pile" coupling; seat 1 plays first.

    It keeps the hands, the pile and the stock roughly, so that moves can leave out what follows from them; it judges
    nothing: ``fault()`` asks the referee.
    """

    def __init__(self, changes, players, hands=None, stock=()):
        options = ruleset(changes)
        size, hands = options["deal"]["hand_size"], hands or {}
        deck = all_cards(options, players)
        for card in [card for hand in hands.values() for card in hand] + list(stock):
            deck.remove(card)
        self.hands = []
        for seat in range(players):
            hand = list(hands.get(seat, []))
            self.hands.append(hand + [deck.pop() for _ in range(size - len(hand))])
        self.pile, self.stock = [deck.pop()], [*stock, *sorted(deck, key=ORDER.index)]
        self.melds, self.events = 0, []
        self.add("game", version=1, rules="mine", options=options, seed=1, game=0, coupling="pile",
                 policies=["me"] * players)  # fmt: skip
        self.add("deal", deal=1, contract=options["deal"]["contracts"][0], dealer=0,
                 hands=copy.deepcopy(self.hands), upcard=self.pile[0], stock=list(self.stock))  # fmt: skip

    def fork(self):
        return copy.deepcopy(self)

    def add(self, event, **values):
        self.events.append({"event": event, **values})
        return self

    def fault(self):
        """Return what the referee says of the deal so far, or None."""
        found = check_transcript(self.events)
        return None if "breaks off" in found[0] else found[0]

    def draw(self, seat, source, card=None):
        if card is None and source == "stock":
            card = self.stock.pop(0)
        self.hands[seat] += [card] if card else []
        return self.add("draw", seat=seat, **{"from": source}, card=card)

    def buy(self, seat, card, penalty):
        return self.add("buy", seat=seat, card=card, penalty=penalty)

    def discard(self, seat, card=None):
        card = card or self.hands[seat][-1]
        self.hands[seat].remove(card)
        self.pile.append(card)
        return self.add("discard", seat=seat, card=card)

    def lay_down(self, seat, melds):
        numbered = [{**meld, "meld": self.melds + i} for i, meld in enumerate(melds)]
        self.melds += len(melds)
        return self.add("lay-down", seat=seat, melds=numbered)

    def lay_off(self, seat, meld, card, end=None):
        return self.add("lay-off", seat=seat, meld=meld, card=card, end=end)
