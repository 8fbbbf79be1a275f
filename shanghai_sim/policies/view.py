"""What a seat may see: a view of scalars by value, and the table, one array of public facts.

Nothing else reaches a policy: the stock, other hands and the streams of random words live in other arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from shanghai_sim.policies.parameters import MOST_REMEMBERED
from shanghai_sim.rules.kernel_rules import N_COLUMNS
from shanghai_sim.rules.melds import MELD_WIDTH
from shanghai_sim.rules.terms import MAX_MELDS

MAX_PLAYERS = 8

# The table: int64[TABLE_SIZE], written at public events only.
N_MELDS = 0
FITS = 1  #: board of the natural cards that can be laid off on some meld
WILD_FITS = 2  #: 1 if a wild can be laid off on some meld
PILE = 3  #: cards in the discard pile
STOCK = 4  #: cards in the stock
DISCARDER = 5  #: who discarded the top of the pile; -1: it was turned up
RESHUFFLES = 6
OPEN = 8  #: boards of all cards that lie face up, in melds and in the pile (once, twice, thrice), and their jokers
SEATS = 12  #: a row of SEAT_WIDTH columns per seat follows
SEAT_WIDTH = 9
MELDS = SEATS + MAX_PLAYERS * SEAT_WIDTH  #: a row of MELD_WIDTH columns per meld
PILE_CARDS = MELDS + MAX_PLAYERS * MAX_MELDS * MELD_WIDTH  #: card codes, the top last
MAX_CARDS = 3 * 52 + 12
RECENT = (
    PILE_CARDS + MAX_CARDS
)  #: per seat and turn, RECENT_TURNS of them in a ring: boards as TAKEN to PASSED
RECENT_TURNS = MOST_REMEMBERED
RECENT_WIDTH = 3
RULES = RECENT + MAX_PLAYERS * RECENT_TURNS * RECENT_WIDTH  #: the rules of the deal (rules.kernel_rules)
TABLE_SIZE = RULES + N_COLUMNS

# Columns of a seat's row on the table.
HAND_SIZE = 0
BUYS = 1  #: in this deal
GAME_BUYS = 2
DOWN = 3  #: the own turn in which the contract was laid down; 0: not yet
TURNS = 4  #: turns begun in this deal
TAKEN = 5  #: board of the cards taken from the pile, bought ones included (bit 13: a joker)
DISCARDED = 6  #: board of the cards discarded (bit 13: a joker)
PASSED = 7  #: board of the top discards not wanted, at the own draw or at a buy, before the contract was down
SCORE = 8  #: points before this deal

# Decisions.
DRAW, BUY, PLAY, DISCARD, OVER = range(5)
# Answers to DRAW and BUY.
FROM_STOCK, FROM_PILE = 0, 1
NO, YES = 0, 1
# Answers to PLAY: an action, and for LAY_OFF and SWAP the card, the meld and its end (see `play_answer`).
DONE, LAY_DOWN, LAY_OFF, SWAP = range(4)
# What a policy may add to its DISCARD answer, in bits above the card's: what the discard does to the distance.
DISTANCE_KEPT = 1 << 8
DISTANCE_RAISED = 2 << 8


class View(NamedTuple):
    """What one seat sees when it decides; plain int64.

    Card codes, boards and melds are those of shanghai_sim.cards and shanghai_sim.rules.
    """

    decision: int  #: DRAW, BUY, PLAY or DISCARD
    seat: int  #: the own one
    active: int  #: whose turn it is
    b1: int  #: own hand: cards held at least once
    b2: int  #: twice
    b3: int  #: thrice
    jokers: int  #: jokers in the own hand
    size: int  #: cards in the own hand
    distance: int  #: own contract distance; 0 once laid down
    down: int  #: own turn in which the contract was laid down; 0: not yet
    turn: int  #: own turns begun
    upcard: int  #: top of the discard pile, or -1
    must_lay_off: int  #: wild freed by a swap that has to be laid off now, or -1
    buys_left: int  #: buys that both limits still allow
    noise: int  #: 53 random bits, new at each decision, the policy's own
    sets: int  #: from here on: the contract and the wilds (rules.distance.Need)
    runs: int
    table: int
    slots: int
    wild_mask: int
    joker_wild: int
    terms: int


N_VIEW = len(View._fields)
