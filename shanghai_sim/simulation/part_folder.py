"""The folder of a request that is played in named parts: each is kept as it is done, all in one file at the end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from shanghai_sim.files import written
from shanghai_sim.simulation.folder import PARTS, Arrays, Folder, read_arrays, write_arrays


class PartFolder(Folder):
    """The folder of one request, locked while it is open.

    Parameters
    ----------
    path : Path
        The folder; it is made if need be.
    name : str
        Of the files in it: ``NAME.json`` says what was asked, ``NAME.npz`` holds all parts at the end.
    request : mapping
        What is asked, ready for JSON.
    resume : bool
        Whether to go on with what stands there.

    Raises
    ------
    InputError
        If the folder cannot be written, another process writes into it, or it holds something else.
    """

    def __init__(self, path: Path, name: str, request: Mapping[str, Any], *, resume: bool = False) -> None:
        super().__init__(path, f"{name}.json", request, resume=resume)
        self._whole = path / f"{name}.npz"
        self._kept: dict[str, dict[str, NDArray[Any]]] = {}
        if self.finished:
            self._kept = _apart(read_arrays(self._whole))

    def get(self, part: str) -> dict[str, NDArray[Any]] | None:
        """Return the arrays of a part; None: it has not been kept."""
        if part not in self._kept and (path := self._path(part)).exists():
            self._kept[part] = read_arrays(path)
        return self._kept.get(part)

    def keep(self, part: str, arrays: Arrays) -> None:
        """Keep the arrays of a part. Its name holds no slash."""
        write_arrays(self._path(part), arrays)
        self._kept[part] = dict(arrays)

    def finish(self, tables: Mapping[str, str]) -> None:
        """Write the results (file names and texts) and all parts, complete the manifest, drop the single parts."""
        for name, text in tables.items():
            with written(self.path / name) as file:
                file.write(text.encode())
        arrays = {
            f"{part}/{name}": array for part, kept in self._kept.items() for name, array in kept.items()
        }
        write_arrays(self._whole, arrays)
        self.seal([*tables, self._whole.name])

    def _path(self, part: str) -> Path:
        return self.path / PARTS / f"{part}.npz"


def _apart(arrays: Arrays) -> dict[str, dict[str, NDArray[Any]]]:
    parts: dict[str, dict[str, NDArray[Any]]] = {}
    for key, array in arrays.items():
        part, _, name = key.partition("/")
        parts.setdefault(part, {})[name] = array
    return parts
