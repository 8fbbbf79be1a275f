"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from shanghai_sim.errors import RunError


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to be written whole: under a temporary name, renamed at the end, gone if that fails.

    Raises
    ------
    RunError
        If it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise RunError(f"{path}: cannot be written: {error.strerror or error}") from None
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
