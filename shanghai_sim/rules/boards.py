"""Hands as boards: arithmetic on sets of cards held once, twice, thrice.

A hand is four int64: `b1`, `b2`, `b3` (bit = card code: held at least once, twice, thrice; three packs hold
no card more often) and the number of jokers. A suit is a 16-bit lane, so no board is ever negative.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.cards import JOKER

LANE = 0x1FFF
#: One bit per suit, at rank 0.
ALL_SUITS = 1 | 1 << 16 | 1 << 32 | 1 << 48
#: All 52 cards.
ALL_CARDS = LANE * ALL_SUITS


@kernel
def add_mask(b1, b2, b3, mask):
    """Return the boards with one more copy of each card of a mask."""
    return b1 | mask, b2 | (b1 & mask), b3 | (b2 & mask)


@kernel
def remove_mask(b1, b2, b3, mask):
    """Return the boards with one copy less of each card of a mask that is held."""
    keep = ~mask
    return b1 & (keep | b2), b2 & (keep | b3), b3 & keep


@kernel
def count_card(b1, b2, b3, jokers, code):
    """Return how many copies of a card a hand holds."""
    if code == JOKER:
        return jokers
    return ((b1 >> code) & 1) + ((b2 >> code) & 1) + ((b3 >> code) & 1)


@kernel
def count_cards(b1, b2, b3, jokers):
    """Return how many cards a hand holds."""
    return popcount(b1) + popcount(b2) + popcount(b3) + jokers


@kernel
def count_wilds(b1, b2, b3, jokers, wild_mask, joker_wild):
    """Return how many wilds a hand holds (`wild_mask`: wild cards other than jokers; `joker_wild`: 0 or 1)."""
    wilds = jokers * joker_wild
    if wild_mask != 0:
        wilds += popcount(b1 & wild_mask) + popcount(b2 & wild_mask) + popcount(b3 & wild_mask)
    return wilds


@kernel
def ranks_of(board):
    """Return the 13-bit mask of ranks on a board, in any suit."""
    return (board | (board >> 16) | (board >> 32) | (board >> 48)) & LANE


@kernel
def rank_count(b1, b2, b3, rank):
    """Return how many cards of a rank three boards hold."""
    column = ALL_SUITS << rank
    return popcount(b1 & column) + popcount(b2 & column) + popcount(b3 & column)


@kernel
def _add_lanes(board):
    """Return the number of suits per rank (0-4) as three bit planes of 13 ranks."""
    a = board & LANE
    b = (board >> 16) & LANE
    c = (board >> 32) & LANE
    d = (board >> 48) & LANE
    low = a ^ b
    high = c ^ d
    k = a & b
    m = c & d
    q = low & high
    return low ^ high, k ^ m ^ q, k & m


@kernel
def _plus(p0, p1, p2, p3, q0, q1, q2):
    """Return the sums, rank by rank, of two numbers in bit planes: four bits and three bits, at most 12 together."""
    carry = p0 & q0
    half = p1 ^ q1
    carry_2 = (p1 & q1) | (half & carry)
    half_2 = p2 ^ q2
    carry_3 = (p2 & q2) | (half_2 & carry_2)
    return p0 ^ q0, half ^ carry, half_2 ^ carry_2, p3 ^ carry_3


@kernel
def rank_counts(b1, b2, b3):
    """Return the number of cards per rank (0-12) as four bit planes of 13 ranks, lowest bit first."""
    p0, p1, p2 = _add_lanes(b1)
    p3 = 0
    if b2 != 0:
        q0, q1, q2 = _add_lanes(b2)
        p0, p1, p2, p3 = _plus(p0, p1, p2, p3, q0, q1, q2)
        if b3 != 0:
            q0, q1, q2 = _add_lanes(b3)
            p0, p1, p2, p3 = _plus(p0, p1, p2, p3, q0, q1, q2)
    return p0, p1, p2, p3
