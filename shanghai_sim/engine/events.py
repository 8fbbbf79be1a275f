"""Kinds of rows in the log of a deal: (event, seat, a, b, c, d)."""

from __future__ import annotations

CARD = 0  #: a: a card of the event above
DRAW = 1  #: a: card or -1, b: where from (FROM_*)
BUY = 2  #: a: card; penalty cards follow as CARD rows, b: how many
LAY_DOWN = 3  #: a: number of melds; MELD rows follow
MELD = 4  #: a: meld, b: kind, c: suit, d: 256 * low + number of cards, which follow as CARD rows
LAY_OFF = 5  #: a: card, b: meld, c: end
SWAP = 6  #: a: card, b: meld, c: wild, d: 1 to the table, 0 to the hand
DISCARD = 7  #: a: card
RESHUFFLE = 8  #: a: number of cards; they follow as CARD rows
END = 9  #: seat: winner or -1, a: reason

FROM_STOCK, FROM_DISCARD, FROM_NOWHERE = 0, 1, 2
