"""The fixed reference kernel: one random word and one look-up in a 16 KiB table, about 1.25 ns on a quiet core.

Speeds are stated as multiples of it, so that figures of different machines and busy hours can be compared.
"""

from __future__ import annotations

import time

import numpy as np

from shanghai_sim._jit import entry
from shanghai_sim.streams import word

_CALLS = 4_000_000
_MASK = np.uint64(8191)


@entry
def _reference(table, key, calls):
    total = 0
    for i in range(calls):
        total += np.int64(table[np.int64(word(key, i) & _MASK)])
    return total


def reference_ns(repeats: int = 5) -> float:
    """Return the best time of one call of the reference kernel, in nanoseconds."""
    table = (np.arange(8192) * 2654435761 % 65536).astype(np.uint16)
    key = np.uint64(1)
    _reference(table, key, 1000)
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        _reference(table, key, _CALLS)
        best = min(best, time.perf_counter() - start)
    return best / _CALLS * 1e9
