"""The folder of a run: numbered parts while it goes on, whole tables at the end (FORMATS, Run folder).

A run that was interrupted goes on from its parts; the end contents are the same, row for row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.files import written
from shanghai_sim.simulation.folder import PARTS, Folder
from shanghai_sim.simulation.plan import Plan
from shanghai_sim.simulation.runner import chunks

MANIFEST = "run.json"
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


class RunFolder(Folder):
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
        self.tables = tables
        self._last = (len(chunks(plan)) if isinstance(plan, Plan) else plan.parts) - 1
        super().__init__(path, MANIFEST, plan.request() | {"tables": list(tables)}, resume=resume)

    def done(self) -> set[int]:
        """Return the indices of the chunks that are complete."""
        found = {int(p.name.split(".")[0]) for p in (self.path / PARTS).glob(f"*.{_VALUES}.npz")}
        return {i for i in found if all(self._part(i, table).exists() for table in self.tables)}

    def add(self, index: int, tables: Mapping[str, Any], values: Mapping[str, NDArray[Any]]) -> None:
        """Keep what came out of a chunk: its tables (pyarrow), then its moments (arrays by name)."""
        import pyarrow.parquet as pq

        for name in self.tables:
            with written(self._part(index, name)) as file:
                pq.write_table(tables[name], file)
        with written(self.path / PARTS / f"{index:06d}.{_VALUES}.npz") as file:
            np.savez(file, **values)  # type: ignore[arg-type]

    def values(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the moments of all chunks, in order."""
        for i in range(self._last + 1):
            with np.load(self.path / PARTS / f"{i:06d}.{_VALUES}.npz") as file:
                yield dict(file)

    def finish(self, summary: str) -> None:
        """Write the whole tables and the summary (CSV text), complete the manifest, drop the parts."""
        for name in self.tables:
            self._join(name)
        with written(self.path / "summary.csv") as file:
            file.write(summary.encode())
        self.seal([*(f"{name}.parquet" for name in self.tables), "summary.csv"])

    def _part(self, index: int, table: str) -> Path:
        return self.path / PARTS / f"{index:06d}.{table}.parquet"

    def _join(self, name: str) -> None:
        """Write all parts of a table into one file, a row group a part, one part in memory at a time."""
        import pyarrow.parquet as pq

        schema = pq.read_schema(self._part(0, name))
        with written(self.path / f"{name}.parquet") as file, pq.ParquetWriter(file, schema) as writer:
            for i in range(self._last + 1):
                writer.write_table(pq.read_table(self._part(i, name), schema=schema))
