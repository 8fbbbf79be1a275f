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
from functools import cache, lru_cache, partial, update_wrapper
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

os.environ.setdefault("NUMBA_WARNINGS", "0")
if os.environ.get("SHANGHAI_SIM_JIT") == "0":
    os.environ["NUMBA_DISABLE_JIT"] = "1"

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, event
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic
from numba.np import arrayobj

#: Whether kernels are compiled (False: they run in plain Python).
JIT = not numba.config.DISABLE_JIT

# First-class functions are marked experimental; numba's version range is pinned, and a test plays through
# them.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

_PACKAGE = Path(__file__).parent
_SHARED = ("_jit.py", "cards.py", "streams.py")
#: Rooms whose kernels a room's kernels may call; a change anywhere in them makes the cache folder a new one.
_ROOMS = {"streams": (), "rules": ("rules",), "policies": ("rules", "policies")}
_ALL_ROOMS = ("rules", "policies", "engine")
_STAMPS_KEPT = 12


@cache
def cache_stamp(rooms: tuple[str, ...]) -> str:
    """Return the name of the cache folder for kernels that call the given rooms (a hash, 16 characters)."""
    digest = hashlib.sha256()
    versions = (numba.__version__, np.__version__, sys.version, platform.machine())
    flags = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.CPU_NAME, numba.config.CPU_FEATURES)
    digest.update(repr((versions, flags)).encode())
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
    ``register_jitable``): counting made whole games up to three times slower. So they must not allocate. They
    have no wrapper
    for Python, which would double the time to compile: Python calls an `entry`, never a kernel.
    """
    if not JIT:
        return func
    return numba.njit(error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(func)


#: Borders not linked yet: symbol, function, signature.
_borders: list[tuple[str, Callable[..., Any], Any]] = []
_linked: list[Any] = []
_link_lock = threading.Lock()


def border(n_arguments: int) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel of int64 arguments and result on its own, behind a symbol that other kernels call.

    Numba optimises a kernel again with everything that calls it. Behind a border it is compiled once and kept
    on disk apart; the call costs about two nanoseconds.

    Parameters
    ----------
    n_arguments : int
        All int64.
    """

    def decorate(func: Callable[..., Any]) -> Any:
        if not JIT:
            return func
        signature = types.int64(*n_arguments * (types.int64,))
        symbol = f"{func.__module__}.{func.__qualname__}".replace(".", "_")
        _borders.append((symbol, func, signature))
        return types.ExternalFunction(symbol, signature)

    return decorate


def _link_borders() -> None:
    """Compile the borders, or load them from disk; before any kernel that may call them is compiled or run."""
    with _link_lock:
        while _borders:
            symbol, func, signature = _borders[-1]
            make = partial(_compile_border, func, signature)
            compiled = _on_disk(func, make)
            binding.add_symbol(symbol, compiled.address)
            _linked.append(compiled)
            _borders.pop()


def _compile_border(func: Callable[..., Any], signature: Any, cached: bool) -> Any:
    return numba.cfunc(signature, error_model="numpy", _nrt=False, cache=cached)(func)


def _on_disk(func: Callable[..., Any], compile_it: Callable[[bool], Any]) -> Any:
    """Return what `compile_it(cached)` makes of a function, kept in the folder of its sources' stamp."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_folder(func.__module__)
    try:
        return compile_it(bool(numba.config.CACHE_DIR))
    finally:
        numba.config.CACHE_DIR = before


class entry:  # noqa: N801  (a decorator)
    """Compile a kernel that Python calls: kept on disk, and released from the interpreter lock.

    Unlike inner kernels it counts references: what takes arrays from Python must give them back.

    Parameters
    ----------
    func : callable
        Returns a number, a tuple of numbers, or nothing.
    signature : callable, optional
        Called with numba's `types` module; returns the tuple of argument types, and the kernel returns
        nothing. Only kernels that take function values need it: numba cannot guess their type.
    """

    def __init__(
        self, func: Callable[..., Any], signature: Callable[[Any], tuple[Any, ...]] | None = None
    ) -> None:
        update_wrapper(self, func)
        self._func = func
        self._signature = signature
        self._compiled: Any = None if JIT else func
        self._lock = threading.Lock()

    @classmethod
    def typed(cls, signature: Callable[[Any], tuple[Any, ...]]) -> Callable[[Callable[..., Any]], entry]:
        """Return the decorator for kernels with a fixed signature."""
        return lambda func: cls(func, signature)

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher (made at the first use); in plain Python the function."""
        if self._compiled is None:
            _link_borders()
            with self._lock:
                if self._compiled is None:
                    self._compiled = _on_disk(self._func, self._compile)
        return self._compiled

    def _compile(self, cached: bool) -> Any:
        signature = [types.void(*self._signature(types))] if self._signature else []
        return numba.njit(*signature, error_model="numpy", nogil=True, cache=cached)(self._func)

    def __call__(self, *args: Any) -> Any:
        """Call the kernel."""
        return self.dispatcher(*args)


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
            print(
                "compiling once (up to a minute; later starts take a second) ...", file=sys.stderr, flush=True
            )

    def on_end(self, _event: Any) -> None:
        """Nothing to do: the answer follows."""


if JIT:
    event.register("numba:compile", _CompileNote())


def decision_type(view: type) -> Any:
    """Return the type of a decision function, ``int64(view, int64[::1])``; `view`: a NamedTuple of int64."""
    named = types.NamedUniTuple(types.int64, len(view._fields), view)  # type: ignore[attr-defined]
    return types.FunctionType(types.int64(named, types.int64[::1]))


def decision(func: Callable[..., Any], view: type) -> Any:
    """Compile a decision function to the one type that the engine takes (see `decision_type`)."""
    if not JIT:
        return func
    _link_borders()
    signature = decision_type(view).signature
    return _on_disk(
        func, lambda cached: numba.njit(signature, error_model="numpy", _nrt=False, cache=cached)(func)
    )


if JIT:

    @intrinsic
    def popcount(typingctx, x):  # type: ignore[no-untyped-def]
        """Return the number of set bits of a non-negative int64."""

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_bit(typingctx, x):  # type: ignore[no-untyped-def]
        """Return the index of the lowest set bit of an int64 other than 0."""

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic(prefer_literal=True)
    def scratch(typingctx, n):  # type: ignore[no-untyped-def]
        """Return an array of n int64 (n a literal) for the caller and what it calls; their values are not set.

        It lies on the stack, so that inner kernels may have it; it must not be returned.
        """
        if not isinstance(n, types.IntegerLiteral):
            return None
        array, size = types.Array(types.int64, 1, "C"), n.literal_value

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            data = cgutils.alloca_once(builder, word, size=ir.Constant(word, size))
            made = arrayobj.make_array(array)(context, builder)
            arrayobj.populate_array(
                made, data, [ir.Constant(word, size)], [ir.Constant(word, 8)], ir.Constant(word, 8), None
            )
            return made._getvalue()

        return array(n), codegen

else:

    def popcount(x: int) -> int:
        """Return the number of set bits of a non-negative int64."""
        return int(x).bit_count()

    def lowest_bit(x: int) -> int:
        """Return the index of the lowest set bit of an int64 other than 0."""
        return (int(x) & -int(x)).bit_length() - 1

    def scratch(n: int) -> np.ndarray:
        """Return an array of n int64."""
        return np.zeros(n, np.int64)
