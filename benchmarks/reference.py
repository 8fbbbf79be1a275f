"""The fixed reference kernel: one random word and one look-up in a 16 KiB table, about 1.25 ns on a quiet core.

Speeds are stated as multiples of it, so that figures of different machines and busy hours can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from shanghai_sim._jit import entry
from shanghai_sim.streams import word

_CALLS = 2_000_000
_MASK = np.uint64(8191)
_TABLE = (np.arange(8192) * 2654435761 % 65536).astype(np.uint16)
_KEY = np.uint64(1)


@entry
def _reference(table, key, calls):
    total = 0
    for i in range(calls):
        total += np.int64(table[np.int64(word(key, i) & _MASK)])
    return total


def _once(calls: int) -> float:
    start = time.perf_counter()
    _reference(_TABLE, _KEY, calls)
    return (time.perf_counter() - start) / calls * 1e9


def in_turn(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Return the shortest times of some work (seconds) and of one call of the reference kernel (nanoseconds).

    They are taken in turn, since the speed of a machine drifts: a ratio of times from different minutes says little.
    """
    _once(1000)
    best, unit = float("inf"), float("inf")
    for _ in range(repeats):
        unit = min(unit, _once(_CALLS))
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best, unit
