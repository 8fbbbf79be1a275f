"""The stock: which card may be drawn next (RULES 2, 6; FORMATS, Transcript)."""

from .cards import in_card_order
from .violation import need

FORMATS = "FORMATS, Transcript"


class Stock:
    """Face-down cards in layers: what is left is drawn before the cards of a later reshuffle."""

    def __init__(self, coupling):
        self.coupling = coupling
        self.layers = []

    def put_under(self, cards):
        if self.coupling == "seat":
            need(in_card_order(cards), "the stock is not in card order", FORMATS)
        self.layers.append(list(cards))

    def cards(self):
        return [card for layer in self.layers for card in layer]

    def __len__(self):
        return sum(map(len, self.layers))

    def take(self, card):
        need(len(self) > 0, "the stock is empty", "RULES 6")
        layer = next(layer for layer in self.layers if layer)
        if self.coupling == "pile":
            need(layer[0] == card, f"the next card of the stock is {layer[0]}", "RULES 2")
        need(card in layer, f"{card} is not in the stock, or not in what is drawn first", "RULES 6")
        layer.remove(card)
