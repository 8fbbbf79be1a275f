"""The most naturals that runs of one length can hold.

A *window* is the places of one run in one suit: `length` consecutive ranks, the ace below the two or above
the king. For a
lane (a suit's 13-bit mask of ranks held) a table gives f1..f4, the most cards that 1..4 windows hold
together; duplicates are
dealt with by peeling off a window that takes one. Four suits combine by max-plus.
"""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import kernel, popcount
from shanghai_sim.rules.boards import LANE

MIN_RUN = 3
#: The longest run of the tables; one of 14, with an ace at each end, takes the same card twice.
MAX_RUN = 13
ACE_LOW, ACE_HIGH, ACE_BOTH = 0, 1, 2
_LANES = 8192
#: A table for each length.
TABLES_PER_ACE = MAX_RUN - MIN_RUN + 1
_WINDOW_STRIDE = 16


def window_masks(length: int, ace: int) -> list[tuple[int, int]]:
    """Return the windows of a run length as (low position 1..14, 13-bit mask of ranks), from low to high.

    Position 1 is the ace low, 13 the king, 14 the ace high (FORMATS, Transcript).
    """
    first = 2 if ace == ACE_HIGH else 1
    last = 13 if ace == ACE_LOW else 14
    lows = range(first, last - length + 2)
    return [(low, sum(1 << (p - 1) % 13 for p in range(low, low + length))) for low in lows]


def _cover_table(masks: list[int]) -> np.ndarray:
    """Return f1..f4 of every lane without duplicates, four bits each, lowest first (uint16[8192])."""
    lanes = np.arange(_LANES)
    bits = np.array([lane.bit_count() for lane in range(_LANES)])
    values = [np.zeros(_LANES, np.int64)]
    for _ in range(4):
        best = np.zeros(_LANES, np.int64)
        for mask in masks:
            np.maximum(best, bits[lanes & mask] + values[-1][lanes & ~mask], out=best)
        values.append(best)
    return (values[1] | values[2] << 4 | values[3] << 8 | values[4] << 12).astype(np.uint16)


def _build() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    cover = np.zeros(3 * TABLES_PER_ACE * _LANES, np.uint16)
    windows = np.zeros(3 * TABLES_PER_ACE * _WINDOW_STRIDE, np.int64)
    lows = np.zeros(3 * TABLES_PER_ACE * _WINDOW_STRIDE, np.int64)
    for ace in (ACE_LOW, ACE_HIGH, ACE_BOTH):
        for length in range(MIN_RUN, MAX_RUN + 1):
            table = ace * TABLES_PER_ACE + length - MIN_RUN
            found = window_masks(length, ace)
            cover[table * _LANES : (table + 1) * _LANES] = _cover_table([mask for _, mask in found])
            for i, (low, mask) in enumerate(found):
                windows[table * _WINDOW_STRIDE + i] = mask
                lows[table * _WINDOW_STRIDE + i] = low
    return cover, windows, lows


# Kernels read these as constants: no reference counts, and 16 KiB of them are in use at a time.
_COVER, WINDOWS, WINDOW_LOWS = _build()


def run_table(length: int, ace: int) -> int:
    """Return the number of the table for a run length (3..13) and an ACE_ constant; kernels take it."""
    return ace * TABLES_PER_ACE + length - MIN_RUN


@kernel
def first_window(table):
    """Return the index of a table's first window in WINDOWS; a mask of 0 ends the list."""
    return table * _WINDOW_STRIDE


@kernel
def _lane_1(lane, table):
    return np.int64(_COVER[table * _LANES + lane]) & 15


@kernel
def _lane_2(l1, l2, l3, table):
    """Return the most cards of one suit that two windows hold (a window taking a duplicate is peeled off)."""
    best = (np.int64(_COVER[table * _LANES + l1]) >> 4) & 15
    if l2 != 0:
        i = first_window(table)
        while WINDOWS[i] != 0:
            window = WINDOWS[i]
            if l2 & window != 0:
                best = max(best, popcount(l1 & window) + _lane_1((l1 & ~window) | (l2 & window), table))
            i += 1
    return best


@kernel
def _lane_3(l1, l2, l3, table):
    best = (np.int64(_COVER[table * _LANES + l1]) >> 8) & 15
    if l2 != 0:
        i = first_window(table)
        while WINDOWS[i] != 0:
            window = WINDOWS[i]
            if l2 & window != 0:
                keep = ~window
                rest = _lane_2((l1 & keep) | (l2 & window), (l2 & keep) | (l3 & window), l3 & keep, table)
                best = max(best, popcount(l1 & window) + rest)
            i += 1
    return best


@kernel
def _lane_4(l1, l2, l3, table):
    best = np.int64(_COVER[table * _LANES + l1]) >> 12
    if l2 != 0:
        i = first_window(table)
        while WINDOWS[i] != 0:
            window = WINDOWS[i]
            if l2 & window != 0:
                keep = ~window
                rest = _lane_3((l1 & keep) | (l2 & window), (l2 & keep) | (l3 & window), l3 & keep, table)
                best = max(best, popcount(l1 & window) + rest)
            i += 1
    return best


@kernel
def _cover_1(b1, table):
    best = _lane_1(b1 & LANE, table)
    best = max(best, _lane_1((b1 >> 16) & LANE, table))
    best = max(best, _lane_1((b1 >> 32) & LANE, table))
    return max(best, _lane_1((b1 >> 48) & LANE, table))


@kernel
def best_run(b1, table):
    """Return the most naturals in one run, and the ranks held in every suit that reaches it (13 bits).

    A rank outside these may go, in all suits, and the best run stays as good.
    """
    best = 0
    shared = LANE
    for shift in range(0, 64, 16):
        lane = (b1 >> shift) & LANE
        hits = _lane_1(lane, table)
        if hits > best:
            best = hits
            shared = lane
        elif hits == best:
            shared &= lane
    return best, shared


@kernel
def run_cover(b1, b2, b3, runs, table):
    """Return the most naturals that `runs` (1-4) windows of a table hold at once, each card in one window."""
    if runs == 1:
        return _cover_1(b1, table)
    g1 = g2 = g3 = g4 = 0
    for shift in range(0, 64, 16):
        l1 = (b1 >> shift) & LANE
        if l1 == 0:
            continue
        l2 = (b2 >> shift) & LANE
        l3 = (b3 >> shift) & LANE
        f1 = _lane_1(l1, table)
        f2 = _lane_2(l1, l2, l3, table)
        if runs >= 3:
            f3 = _lane_3(l1, l2, l3, table)
            if runs == 4:
                f4 = _lane_4(l1, l2, l3, table)
                g4 = max(g4, g3 + f1, g2 + f2, g1 + f3, f4)
            g3 = max(g3, g2 + f1, g1 + f2, f3)
        g2 = max(g2, g1 + f1, f2)
        g1 = max(g1, f1)
    if runs == 2:
        return g2
    return g3 if runs == 3 else g4
