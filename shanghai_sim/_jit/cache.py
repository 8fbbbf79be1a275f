"""Where compiled kernels are kept: a folder per state of the sources they may call."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import warnings
from functools import cache, lru_cache
from pathlib import Path

import numba
import numpy as np
import platformdirs

from shanghai_sim._jit.switch import JIT

_PACKAGE = Path(__file__).parents[1]
_SHARED = ("_jit/bits.py", "_jit/cache.py", "_jit/compile.py", "_jit/switch.py", "cards.py", "streams.py")
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


def cache_folder(module: str) -> str:
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
