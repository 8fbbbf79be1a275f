"""The one door to numba: how kernels are compiled, where they are cached, how to do without.

Environment
-----------
``SHANGHAI_SIM_JIT=0`` (or ``NUMBA_DISABLE_JIT=1``)
    Kernels run in plain Python: slow, for debugging and coverage.
``SHANGHAI_SIM_CACHE=0``
    Nothing is kept on disk; every process compiles anew.
``SHANGHAI_SIM_CACHE_DIR``
    Where compiled kernels are kept; by default the user's cache folder, else a temporary folder.

Notes
-----
Numba's own cache key leaves out three things that bite a simulator of many files: the sources of callees in
other files (numba issue 1833), constants imported from other files, and flags such as the bounds check (numba
issue
10821). So every kernel is cached in a folder whose name is a hash of the kernel sources that it may call, of
the versions of numba and Python, and of those flags; a changed source simply gets another folder.
"""

from shanghai_sim._jit.bits import lowest_bit, popcount, scratch
from shanghai_sim._jit.cache import cache_root, cache_size, cache_stamp, clear_cache
from shanghai_sim._jit.compile import border, decision, decision_type, entry, kernel, wrapping
from shanghai_sim._jit.switch import JIT

__all__ = [
    "JIT",
    "border",
    "cache_root",
    "cache_size",
    "cache_stamp",
    "clear_cache",
    "decision",
    "decision_type",
    "entry",
    "kernel",
    "lowest_bit",
    "popcount",
    "scratch",
    "wrapping",
]
