"""Whether kernels are compiled."""

from __future__ import annotations

import os

import numba

if os.environ.get("SHANGHAI_SIM_JIT") == "0":
    numba.config.DISABLE_JIT = 1

#: Whether kernels are compiled (False: they run in plain Python).
JIT = not numba.config.DISABLE_JIT
