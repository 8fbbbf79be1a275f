"""Which naturals of a hand stand in a meld that is laid down.

A run has a *place*, 16 times its suit and its lowest position, and its part are the positions of its naturals as
bits (bit 0: position 1). The part of a set is how many of each suit it holds, two bits each.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel
from shanghai_sim.rules.boards import LANE, count_card, remove_mask


@kernel
def place_suit(place):
    """Return the suit of a run's place."""
    return place // 16


@kernel
def place_low(place):
    """Return the lowest position of a run's place."""
    return place % 16


@kernel
def part_size(part):
    """Return how many cards a set's part has."""
    return (part & 3) + ((part >> 2) & 3) + ((part >> 4) & 3) + ((part >> 6) & 3)


@kernel
def held_positions(b1, b2, place, size):
    """Return the positions of a run that naturals held can take, as bits (bit 0: position 1)."""
    suit, low = place_suit(place), place_low(place)
    lane = (b1 >> (16 * suit)) & LANE
    window = ((1 << size) - 1) << (low - 1)
    held = (lane | (lane & 1) << 13) & window
    if held & 1 and held >> 13 and (b2 >> (16 * suit)) & 1 == 0:
        # Both ends of a run of 14 are the ace, and but one is held.
        held ^= 1 << 13
    return held


@kernel
def without_positions(b1, b2, b3, suit, positions):
    """Return the boards without the naturals at positions of a run."""
    b1, b2, b3 = remove_mask(b1, b2, b3, (positions & LANE) << (16 * suit))
    return remove_mask(b1, b2, b3, (positions >> 13) << (16 * suit))


@kernel
def is_part(b1, b2, b3, rank, part, distinct):
    """Return whether the boards hold the cards of a part."""
    for suit in range(4):
        copies = (part >> (2 * suit)) & 3
        if copies > count_card(b1, b2, b3, 0, 16 * suit + rank) or (distinct and copies > 1):
            return False
    return True


@kernel
def whole_part(b1, b2, b3, rank, distinct):
    """Return the part made of all cards of a rank, or of one of each suit."""
    part = 0
    for suit in range(4):
        copies = count_card(b1, b2, b3, 0, 16 * suit + rank)
        part |= (min(copies, 1) if distinct else copies) << (2 * suit)
    return part


@kernel
def without_part(b1, b2, b3, rank, part):
    """Return the boards without the cards of a part."""
    for suit in range(4):
        bit = 1 << (16 * suit + rank)
        for _ in range((part >> (2 * suit)) & 3):
            b1, b2, b3 = remove_mask(b1, b2, b3, bit)
    return b1, b2, b3
