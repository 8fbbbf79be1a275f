"""How kernels are compiled: inner ones, those that Python calls, those behind a symbol, decision functions."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numba import types
from numba.core import event
from numba.core.errors import NumbaExperimentalFeatureWarning

from shanghai_sim._jit.cache import cache_folder
from shanghai_sim._jit.switch import JIT

# First-class functions are marked experimental; numba's version range is pinned, and a test plays through
# them.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


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
_folder_lock = threading.RLock()


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
    """Return what `compile_it(cached)` makes of a function, kept in the folder of its sources' stamp.

    Numba reads the folder from its one global configuration: one thread at a time.
    """
    with _folder_lock:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = cache_folder(func.__module__)
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
