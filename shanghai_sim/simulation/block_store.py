"""The folder of a comparison: block values stretch by stretch while it goes on, in one file at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from shanghai_sim.files import written
from shanghai_sim.simulation.folder import PARTS, Arrays, Folder, read_arrays, write_arrays

MANIFEST = "compare.json"
TABLE = "comparison.csv"
_BLOCKS = "blocks.npz"


class BlockFolder(Folder):
    """The folder of one comparison, locked while it is open.

    Parameters
    ----------
    path : Path
        The folder; it is made if need be.
    request : mapping
        What is asked, ready for JSON.
    resume : bool
        Whether to go on with what stands there.

    Raises
    ------
    InputError
        If the folder cannot be written, another process writes into it, or it holds something else.
    """

    def __init__(self, path: Path, request: Mapping[str, Any], *, resume: bool = False) -> None:
        super().__init__(path, MANIFEST, request, resume=resume)

    def add(self, first_block: int, values: Arrays) -> None:
        """Keep the values of a stretch of blocks, a row of each array a block."""
        write_arrays(self.path / PARTS / f"{first_block:09d}.npz", values)

    def stretches(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the values that are kept, in order, as far as no block is missing."""
        if self.finished:
            yield read_arrays(self.path / _BLOCKS)
            return
        block = 0
        while (path := self.path / PARTS / f"{block:09d}.npz").exists():
            values = read_arrays(path)
            yield values
            block += len(next(iter(values.values())))

    def finish(self, table: str, values: Arrays) -> None:
        """Write the figures (CSV text) and all block values, complete the manifest, drop the parts."""
        with written(self.path / TABLE) as file:
            file.write(table.encode())
        write_arrays(self.path / _BLOCKS, values)
        self.seal([TABLE, _BLOCKS])
