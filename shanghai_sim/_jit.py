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
other files (numba issue 1833), constants imported from other files, and flags such as the bounds check (numba issue
10821). So every kernel is cached in a folder whose name is a hash of the kernel sources that it may call, of the versions of
numba and Python, and of those flags; a changed source simply gets another folder.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

os.environ.setdefault("NUMBA_WARNINGS", "0")
if os.environ.get("SHANGHAI_SIM_JIT") == "0":
    os.environ["NUMBA_DISABLE_JIT"] = "1"

import numba
from llvmlite import ir
from numba import types
from numba.core import event
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

#: Whether kernels are compiled (False: they run in plain Python).
JIT = not numba.config.DISABLE_JIT

# First-class functions are marked experimental; numba's version range is pinned, and a test plays through them.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

_PACKAGE = Path(__file__).parent
_SHARED = ("_jit.py", "cards.py", "streams.py")
#: Rooms whose kernels a room's kernels may call; a change anywhere in them makes the cache folder a new one.
_ROOMS = {"streams": (), "rules": ("rules",), "policies": ("rules", "policies")}
_ALL_ROOMS = ("rules", "policies", "engine")
_STAMPS_KEPT = 12


@lru_cache(maxsize=None)
def cache_stamp(rooms: tuple[str, ...]) -> str:
    """Return the name of the cache folder for kernels that call the given rooms (a hash, 16 characters)."""
    digest = hashlib.sha256()
    flags = (numba.__version__, np.__version__, sys.version, platform.machine())
    flags += (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.CPU_NAME, numba.config.CPU_FEATURES)
    digest.update(repr(flags).encode())
    for name in _SHARED:
        digest.update((_PACKAGE / name).read_bytes())
    for room in rooms:
        for path in sorted((_PACKAGE / room).glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@lru_cache(maxsize=1)
def cache_root() -> Path | None:
    """Return the folder under which compiled kernels are kept, or None where nothing is kept."""
    if os.environ.get("SHANGHAI_SIM_CACHE") == "0" or not JIT:
        return None
    asked = os.environ.get("SHANGHAI_SIM_CACHE_DIR")
    user = getattr(os, "getuid", lambda: "user")()
    candidates = [Path(asked)] if asked else []
    candidates += [
        Path(platformdirs.user_cache_dir("shanghai-sim", appauthor=False)),
        Path(tempfile.gettempdir()) / f"shanghai-sim-cache-{user}",
    ]
    for folder in candidates:
        if _writable(folder):
            return folder
    warnings.warn("no folder for compiled kernels is writable; every start compiles anew", stacklevel=2)
    return None


def clear_cache() -> int:
    """Delete all compiled kernels; return how many bytes were freed."""
    root = cache_root()
    if root is None:
        return 0
    freed = cache_size()
    for folder in _stamp_folders(root):
        shutil.rmtree(folder, ignore_errors=True)
    return freed


def cache_size() -> int:
    """Return the size of all compiled kernels on disk, in bytes."""
    root = cache_root()
    if root is None:
        return 0
    return sum(p.stat().st_size for f in _stamp_folders(root) for p in f.rglob("*") if p.is_file())


def _stamp_folders(root: Path) -> list[Path]:
    """Return the cache folders, the least recently made first; nothing else in the root is touched."""
    folders = [p for p in root.iterdir() if p.is_dir() and len(p.name) == 16]
    return sorted(folders, key=lambda p: p.stat().st_mtime)


def _cache_folder(module: str) -> str:
    """Return the stamped cache folder for the kernels of a module, pruning old ones when it is new."""
    root = cache_root()
    if root is None:
        return ""
    room = module.removeprefix("shanghai_sim.").split(".")[0]
    folder = root / cache_stamp(_ROOMS.get(room, _ALL_ROOMS))
    if not folder.exists():
        for old in _stamp_folders(root)[: -_STAMPS_KEPT or None]:
            shutil.rmtree(old, ignore_errors=True)
    return str(folder)


def kernel(func: Callable[..., Any]) -> Any:
    """Compile an inner kernel: scalars and arrays in, nothing allocated.

    Inner kernels run without reference counts on arrays (numba's ``_nrt=False``, documented for
    ``register_jitable``): counting made whole games up to three times slower. So they must not allocate.
    """
    if not JIT:
        return func
    return numba.njit(error_model="numpy", _nrt=False)(func)


def entry(func: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls: kept on disk, and released from the interpreter lock."""
    return _compile_entry(func) if JIT else func


def _compile_entry(func: Callable[..., Any], *signature: Any) -> Any:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_folder(func.__module__)
    try:
        cached = bool(numba.config.CACHE_DIR)
        return numba.njit(*signature, error_model="numpy", _nrt=False, nogil=True, cache=cached)(func)
    finally:
        numba.config.CACHE_DIR = before


def wrapping(func: Callable[..., Any]) -> Any:
    """Compile an inner kernel whose 64-bit arithmetic wraps around; silent about it in plain Python as well."""
    return kernel(func) if JIT else np.errstate(over="ignore")(func)


class _CompileNote(event.Listener):  # type: ignore[misc]
    """Say once on standard error that kernels are being compiled."""

    def __init__(self) -> None:
        self._said = threading.Event()

    def on_start(self, _event: Any) -> None:
        if not self._said.is_set():
            self._said.set()
            print("compiling once (up to a minute; later starts take a second) ...", file=sys.stderr, flush=True)

    def on_end(self, _event: Any) -> None:
        """Nothing to do: the answer follows."""


if JIT:
    event.register("numba:compile", _CompileNote())


def decision_type(view: type) -> Any:
    """Return the type of a decision function, ``int64(view, int64[::1])``, `view` a NamedTuple class of int64 fields."""
    named = types.NamedUniTuple(types.int64, len(view._fields), view)  # type: ignore[attr-defined]
    return types.FunctionType(types.int64(named, types.int64[::1]))


def decision(func: Callable[..., Any], view: type) -> Any:
    """Compile a decision function to the one type that the engine takes (see `decision_type`)."""
    if not JIT:
        return func
    return numba.njit(decision_type(view).signature, error_model="numpy", _nrt=False)(func)


class typed_entry:  # noqa: N801  (a decorator)
    """An `entry` with a fixed signature, compiled at the first call: function values need their type said.

    Parameters
    ----------
    signature : callable
        Called with numba's `types` module; returns the tuple of argument types. The kernel returns None.
    """

    def __init__(self, signature: Callable[[Any], tuple[Any, ...]]) -> None:
        self._signature = signature
        self._func: Any = None
        self._compiled: Any = None
        self._lock = threading.Lock()

    def __call__(self, func: Callable[..., Any]) -> typed_entry:
        """Take the function to compile."""
        self._func = func
        return self

    def run(self, *args: Any) -> None:
        """Call the kernel."""
        if self._compiled is None:
            with self._lock:
                self._compiled = self._compiled or self._compile()
        self._compiled(*args)

    def _compile(self) -> Any:
        return _compile_entry(self._func, types.void(*self._signature(types))) if JIT else self._func


if JIT:

    @intrinsic
    def popcount(typingctx, x):  # type: ignore[no-untyped-def]  # noqa: ARG001
        """Return the number of set bits of a non-negative int64."""

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ARG001
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_bit(typingctx, x):  # type: ignore[no-untyped-def]  # noqa: ARG001
        """Return the index of the lowest set bit of an int64 other than 0."""

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]  # noqa: ARG001
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

else:

    def popcount(x: int) -> int:
        """Return the number of set bits of a non-negative int64."""
        return int(x).bit_count()

    def lowest_bit(x: int) -> int:
        """Return the index of the lowest set bit of an int64 other than 0."""
        return (int(x) & -int(x)).bit_length() - 1
