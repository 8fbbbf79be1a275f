"""Melds on the table: how one is stored, what fits it, laying off and swapping (RULES 5).

A meld is a row of MELD_WIDTH int64 in a flat array, from index `m` on. In a run a card has a *position*: the
ace low 1, the two 2, .., the king 13, the ace high 14.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.cards import JOKER
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_SUITS

SET, RUN = 0, 1

# Columns of a meld row.
KIND = 0  #: SET or RUN
OWNER = 1  #: the seat that laid it down
RANK = 2  #: of a set; NO_RANK while it is made of wilds alone
SUIT = 3  #: of a run
LOW = 4  #: position of a run's first card
SIZE = 5  #: number of cards
WILDS = 6  #: number of wilds among them
#: Run: from here on, the card code at each position 1..14 (at CARDS + position), NO_CARD outside the run.
CARDS = 7
# Set: boards of its wilds and the number of its jokers, boards of its naturals.
SET_WILDS = 8
SET_JOKERS = 11
SET_NATURALS = 12
MELD_WIDTH = 22

NO_RANK = -1
NO_CARD = -1
TOP_POSITION = 14
#: Ends of a meld: sets have none.
END_LOW, END_HIGH, END_NONE = 0, 1, 2


@kernel
def card_at(suit, position):
    """Return the code of the card that stands at a position (1..14) of a run in a suit."""
    return 16 * suit + (position - 1) % 13


@kernel
def free_position(table, m, end, terms):
    """Return the position next to a run at END_LOW or END_HIGH, or 0 where the run has reached the ace's end.

    Of `terms` (rules.terms) the ace and the limits on wilds matter here and below.
    """
    if end == END_LOW:
        position = table[m + LOW] - 1
        return position if position >= tm.first_position(terms) else 0
    position = table[m + LOW] + table[m + SIZE]
    return position if position <= tm.last_position(terms) else 0


@kernel
def fits_natural(table, m, terms):
    """Return the board of the cards that can be laid off on a meld as naturals."""
    if table[m + KIND] == SET:
        if table[m + RANK] == NO_RANK:
            return 0x1FFF * ALL_SUITS
        return ALL_SUITS << table[m + RANK]
    board = 0
    low = free_position(table, m, END_LOW, terms)
    if low != 0:
        board |= 1 << card_at(table[m + SUIT], low)
    high = free_position(table, m, END_HIGH, terms)
    if high != 0:
        board |= 1 << card_at(table[m + SUIT], high)
    return board


@kernel
def fits_wild(table, m, spared, terms):
    """Return whether a wild can be laid off on a meld, once `spared` (0 or 1) of its wilds have been swapped out.

    A set has no greatest size, a run ends at the ace, and limits on wilds may hold for grown melds too (RULES 5).
    """
    if table[m + WILDS] - spared >= tm.most_wilds(terms, table[m + SIZE] + 1):
        return False
    return (
        table[m + KIND] == SET
        or free_position(table, m, END_LOW, terms) != 0
        or free_position(table, m, END_HIGH, terms) != 0
    )


@kernel
def freed_wild_fits(table, m, elsewhere, terms):
    """Return whether a wild swapped out of a meld can be laid off: in another (`elsewhere`), or where one has left."""
    return elsewhere or fits_wild(table, m, 1, terms)


@kernel
def can_lay_off(table, m, code, end, is_wild, terms):
    """Return whether a card may be laid off at an end of a meld (END_NONE for sets)."""
    if is_wild and not fits_wild(table, m, 0, terms):
        return False
    if table[m + KIND] == SET:
        rank = table[m + RANK]
        return end == END_NONE and (is_wild or (code != JOKER and (rank == NO_RANK or rank == code % 16)))
    if end not in (END_LOW, END_HIGH):
        return False
    position = free_position(table, m, end, terms)
    return position != 0 and (is_wild or code == card_at(table[m + SUIT], position))


@kernel
def put_in_set(table, m, code, is_wild):
    """Write one more card into a set: into its boards, not into its size."""
    at = m + SET_NATURALS
    if is_wild:
        if code == JOKER:
            table[m + SET_JOKERS] += 1
            return
        at = m + SET_WILDS
    else:
        table[m + RANK] = code % 16
    bit = 1 << code
    table[at + 2] |= table[at + 1] & bit
    table[at + 1] |= table[at] & bit
    table[at] |= bit


@kernel
def lay_off(table, m, code, end, is_wild):
    """Put a card on a meld, as can_lay_off allows."""
    if table[m + KIND] == SET:
        put_in_set(table, m, code, is_wild)
    elif end == END_LOW:
        table[m + LOW] -= 1
        table[m + CARDS + table[m + LOW]] = code
    else:
        table[m + CARDS + table[m + LOW] + table[m + SIZE]] = code
    table[m + SIZE] += 1
    table[m + WILDS] += 1 if is_wild else 0


@kernel
def wild_for(table, m, code, wild_mask):
    """Return the wild that a natural card may replace in a meld, or NO_CARD; in a set a joker before others.

    In a set a wild stands for any card of the rank, and in a set of wilds alone for any card (RULES 5).
    """
    if table[m + KIND] == SET:
        rank = table[m + RANK]
        if table[m + WILDS] == 0 or (rank != NO_RANK and rank != code % 16):
            return NO_CARD
        if table[m + SET_JOKERS] > 0:
            return JOKER
        for wild in range(64):
            if (table[m + SET_WILDS] >> wild) & 1:
                return wild
        return NO_CARD
    if code // 16 != table[m + SUIT]:
        return NO_CARD
    for position in range(table[m + LOW], table[m + LOW] + table[m + SIZE]):
        if card_at(table[m + SUIT], position) == code:
            there = table[m + CARDS + position]
            if there == JOKER or (wild_mask >> there) & 1:
                return there
    return NO_CARD


@kernel
def swap(table, m, code, wild):
    """Put a natural card in the place of a wild, as wild_for gave it."""
    table[m + WILDS] -= 1
    if table[m + KIND] == SET:
        if wild == JOKER:
            table[m + SET_JOKERS] -= 1
        else:
            keep = ~(1 << wild)
            at = m + SET_WILDS
            table[at] &= keep | table[at + 1]
            table[at + 1] &= keep | table[at + 2]
            table[at + 2] &= keep
        put_in_set(table, m, code, False)
        return
    for position in range(table[m + LOW], table[m + LOW] + table[m + SIZE]):
        # A run of 14 has both aces: the one that is a wild is meant.
        if card_at(table[m + SUIT], position) == code and table[m + CARDS + position] == wild:
            table[m + CARDS + position] = code
            return
