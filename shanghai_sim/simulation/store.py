"""The folder of a run: numbered parts while it goes on, whole tables at the end (FORMATS, Run folder).

Every file is written under a temporary name and renamed, so that whatever stands there is whole. A run that
was interrupted goes on from its parts; the end contents are the same, row for row.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.errors import InputError
from shanghai_sim.files import written
from shanghai_sim.simulation.plan import Plan, canonical_json, differences
from shanghai_sim.simulation.runner import chunks
from shanghai_sim.simulation.versions import versions

MANIFEST = "run.json"
_PARTS = "parts"
_LOCK = ".lock"
_VALUES = "values"


class Parted(Protocol):
    """What can be kept in a run folder beside the plan of a run: anything played in numbered parts."""

    @property
    def parts(self) -> int:
        """How many parts there are."""
        ...

    def request(self) -> dict[str, Any]:
        """Return what was asked, in full and ready for JSON; equal requests give equal results."""
        ...


class RunFolder:
    """The folder of one run, locked while it is open.

    Parameters
    ----------
    path : Path
        The folder; it is made if need be.
    plan : Plan or Parted
        What is asked.
    tables : tuple of str
        Names of the result tables, e.g. ``("games", "deals")``.
    resume : bool
        Whether to go on with a run that stands there.

    Raises
    ------
    InputError
        If the folder cannot be written, another process writes into it, or it holds another run.
    """

    def __init__(
        self, path: Path, plan: Plan | Parted, tables: tuple[str, ...], *, resume: bool = False
    ) -> None:
        self.path = path
        self.tables = tables
        self._request = plan.request() | {"tables": list(tables)}
        self._last = (len(chunks(plan)) if isinstance(plan, Plan) else plan.parts) - 1
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
                (path / _PARTS).mkdir(exist_ok=True)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the folder free for others."""
        (self.path / _LOCK).unlink(missing_ok=True)
        self._lock.close()

    @property
    def finished(self) -> bool:
        """Whether the run that stands here is complete."""
        return bool(self.manifest["status"] == "finished")

    def done(self) -> set[int]:
        """Return the indices of the chunks that are complete."""
        found = {int(p.name.split(".")[0]) for p in (self.path / _PARTS).glob(f"*.{_VALUES}.npz")}
        return {i for i in found if all(self._part(i, table).exists() for table in self.tables)}

    def add(self, index: int, tables: Mapping[str, Any], values: Mapping[str, NDArray[Any]]) -> None:
        """Keep what came out of a chunk: its tables (pyarrow), then its moments (arrays by name)."""
        import pyarrow.parquet as pq

        for name in self.tables:
            with written(self._part(index, name)) as file:
                pq.write_table(tables[name], file)
        with written(self.path / _PARTS / f"{index:06d}.{_VALUES}.npz") as file:
            np.savez(file, **values)  # type: ignore[arg-type]

    def values(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the moments of all chunks, in order."""
        for i in range(self._last + 1):
            with np.load(self.path / _PARTS / f"{i:06d}.{_VALUES}.npz") as file:
                yield dict(file)

    def finish(self, summary: str) -> None:
        """Write the whole tables and the summary (CSV text), complete the manifest, drop the parts."""
        for name in self.tables:
            self._join(name)
        with written(self.path / "summary.csv") as file:
            file.write(summary.encode())
        names = [f"{name}.parquet" for name in self.tables] + ["summary.csv"]
        self.manifest |= {
            "status": "finished",
            "finished": _now(),
            "sha256": {name: _sha256(self.path / name) for name in names},
        }
        self._write_manifest()
        shutil.rmtree(self.path / _PARTS)

    def _claim(self, resume: bool) -> dict[str, Any]:
        """Return the manifest of the run that goes on here, or begin one."""
        path = self.path / MANIFEST
        if not path.exists():
            strangers = [p.name for p in self.path.iterdir() if p.name not in (_PARTS, _LOCK)]
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
            raise InputError(f"--out {self.path}: {MANIFEST} there is not one of a run") from None
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
        with written(self.path / MANIFEST) as file:
            file.write(canonical_json(self.manifest).encode())

    def _part(self, index: int, table: str) -> Path:
        return self.path / _PARTS / f"{index:06d}.{table}.parquet"

    def _join(self, name: str) -> None:
        """Write all parts of a table into one file, a row group a part, one part in memory at a time."""
        import pyarrow.parquet as pq

        schema = pq.read_schema(self._part(0, name))
        with written(self.path / f"{name}.parquet") as file, pq.ParquetWriter(file, schema) as writer:
            for i in range(self._last + 1):
                writer.write_table(pq.read_table(self._part(i, name), schema=schema))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
