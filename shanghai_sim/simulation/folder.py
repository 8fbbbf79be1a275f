"""A folder that one request owns: locked while it is written, with a manifest that refuses any other request.

Every file is written under a temporary name and renamed, so that whatever stands there is whole.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.errors import InputError
from shanghai_sim.files import written
from shanghai_sim.simulation.plan import canonical_json, differences
from shanghai_sim.simulation.versions import versions

PARTS = "parts"
Arrays = Mapping[str, NDArray[Any]]
_LOCK = ".lock"


class Folder:
    """The folder of one request, locked while it is open.

    Parameters
    ----------
    path : Path
        The folder; it is made if need be.
    manifest : str
        Name of the file that says what was asked.
    request : mapping
        What is asked, ready for JSON.
    resume : bool
        Whether to go on with what stands there.

    Raises
    ------
    InputError
        If the folder cannot be written, another process writes into it, or it holds something else.
    """

    def __init__(
        self, path: Path, manifest: str, request: Mapping[str, Any], *, resume: bool = False
    ) -> None:
        self.path = path
        self._name = manifest
        self._request = dict(request)
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock: IO[str] = (path / _LOCK).open("w")
        except OSError as error:
            raise InputError(f"--out {path}: cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise InputError(f"--out {path}: another process is writing into it") from None
        try:
            self.manifest = self._claim(resume)
            if not self.finished:
                (path / PARTS).mkdir(exist_ok=True)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the folder free for others."""
        (self.path / _LOCK).unlink(missing_ok=True)
        self._lock.close()

    @property
    def finished(self) -> bool:
        """Whether what stands here is complete."""
        return bool(self.manifest["status"] == "finished")

    def seal(self, names: Sequence[str]) -> None:
        """Complete the manifest with the digests of the result files, and drop the parts."""
        self.manifest |= {
            "status": "finished",
            "finished": _now(),
            "sha256": {name: _sha256(self.path / name) for name in names},
        }
        self._write_manifest()
        shutil.rmtree(self.path / PARTS)

    def _claim(self, resume: bool) -> dict[str, Any]:
        """Return the manifest of what goes on here, or begin one."""
        path = self.path / self._name
        if not path.exists():
            strangers = [p.name for p in self.path.iterdir() if p.name not in (PARTS, _LOCK)]
            if strangers:
                raise InputError(
                    f"--out {self.path}: holds other files ({strangers[0]}): name a new or empty folder"
                )
            self.manifest = {
                "status": "running",
                "request": self._request,
                "versions": versions(),
                "started": _now(),
            }
            self._write_manifest()
            return self.manifest
        try:
            manifest: dict[str, Any] = json.loads(path.read_text())
            before, engine = manifest["request"], manifest["versions"]["engine"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"--out {self.path}: {self._name} there is not one of a run") from None
        if other := differences(before, self._request):
            raise InputError(*(f"--out {self.path}: holds another run: {line}" for line in other))
        if engine != versions()["engine"]:
            raise InputError(
                f"--out {self.path}: was begun by engine version {engine}, this one is "
                f"{versions()['engine']}; their results are never merged: name a new folder"
            )
        for name, digest in manifest.get("sha256", {}).items():
            if not (self.path / name).exists() or _sha256(self.path / name) != digest:
                raise InputError(f"--out {self.path}: {name} is not as the run left it: name a new folder")
        if not resume:
            state = "a finished run" if manifest["status"] == "finished" else "a part of this run"
            raise InputError(f"--out {self.path}: holds {state}; --resume goes on with it")
        return manifest

    def _write_manifest(self) -> None:
        with written(self.path / self._name) as file:
            file.write(canonical_json(self.manifest).encode())


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write named arrays as one file, whole or not at all."""
    with written(path) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file that `write_arrays` wrote."""
    with np.load(path) as file:
        return dict(file)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
