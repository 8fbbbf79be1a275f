"""What a result was made with."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from shanghai_sim._version import ENGINE_VERSION, __version__

_PACKAGE = Path(__file__).parents[1]


@cache
def versions() -> dict[str, Any]:
    """Return the versions of the package, the engine, Python, numpy and numba, and the commit where there is one."""
    return {
        "package": __version__,
        "engine": ENGINE_VERSION,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "commit": _commit(),
    }


def _commit() -> str | None:
    """Return the commit of the checkout that the package runs from, if it is one of its own."""
    if not (_PACKAGE.parent / ".git").exists():
        return None
    try:
        found = subprocess.run(
            ["git", "-C", str(_PACKAGE.parent), "rev-parse", "HEAD"],
            capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()
