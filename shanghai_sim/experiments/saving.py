"""Results as files: the figures as CSV and, beside them, what was asked and the answer as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shanghai_sim.experiments.summary import summary_csv
from shanghai_sim.files import written
from shanghai_sim.simulation.plan import canonical_json


def save_result(
    folder: str | Path,
    name: str,
    rows: Sequence[Mapping[str, Any]],
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write ``NAME.csv`` and, where there is something to say, ``NAME.json`` into a folder, made where there is none.

    Parameters
    ----------
    folder : str or Path
    name : str
        Of the files, without an ending.
    rows : sequence of mappings
        The figures; NaN: no figure.
    about : mapping, optional
        What was asked, and the answer.

    Raises
    ------
    RunError
        If the folder cannot be written.
    """
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    with written(path / f"{name}.csv") as file:
        file.write(summary_csv(rows).encode())
    if about is not None:
        with written(path / f"{name}.json") as file:
            file.write(canonical_json(about).encode())
