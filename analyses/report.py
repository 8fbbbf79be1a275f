"""Where an analysis puts what it found: tables, figures, and a page that is filled from the tables alone.

A page is a Jinja template in ``analyses/templates``. It holds words and no numbers: what it prints comes out of the CSV
files, so that text and tables cannot differ.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_sim import ENGINE_VERSION, __version__
from shanghai_sim.files import written
from shanghai_sim.reporting.figures import write_figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_HERE = Path(__file__).parent
TEMPLATES = _HERE / "templates"
REPORTS = _HERE.parent / "reports"
#: Where long runs keep what they have played, so that they can go on.
KEPT = _HERE.parent / "build" / "reports"


class Report:
    """The folder of one analysis.

    Parameters
    ----------
    name : str
        Of the analysis: its template is ``NAME.md``, its folder ``reports/NAME``.
    folder : Path, optional
        Another folder.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.name = name
        self.folder = folder or REPORTS / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self._begin = time.monotonic()

    def table(self, name: str, frame: pd.DataFrame) -> None:
        """Write a table as CSV."""
        with written(self.folder / f"{name}.csv") as file:
            file.write(frame.to_csv(index=False, lineterminator="\n").encode())

    def scope(self, **facts: Any) -> None:
        """Write what all of it holds for: rules, players, seed, games; the versions are added."""
        facts |= {"version": __version__, "engine_version": ENGINE_VERSION}
        with written(self.folder / "scope.csv") as file:
            rows = [f"{key},{value}" for key, value in facts.items()]
            file.write("\n".join(["key,value", *rows, ""]).encode())

    def figure(self, name: str, figure: Figure) -> None:
        """Write a figure as SVG."""
        with written(self.folder / f"{name}.svg") as file:
            write_figure(figure, file, ".svg")

    def page(self) -> None:
        """Fill the template from the CSV files in the folder and write it as ``README.md``."""
        tables = {path.stem: read_rows(path) for path in sorted(self.folder.glob("*.csv"))}
        scope = {row["key"]: row["value"] for row in tables.pop("scope")}
        text = fill((TEMPLATES / f"{self.name}.md").read_text(encoding="utf-8"), scope=scope, **tables)
        with written(self.folder / "README.md") as file:
            file.write(text.encode())
        minutes = (time.monotonic() - self._begin) / 60
        click.echo(f"{self.folder / 'README.md'}: {minutes:.1f} minutes", err=True)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a CSV file, numbers as numbers; None where a cell is empty."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"": None, "True": True, "False": False}.get(text, text)


def fill(template: str, **tables: Any) -> str:
    """Return a filled template. Filters: `count` (1,234), `signed` (+1.2), `percent`, `interval` of a row."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= {
        "count": lambda value: f"{value:,.0f}",
        "size": lambda value, digits=1: f"{abs(value):.{digits}f}",
        "signed": _signed,
        "percent": lambda value, digits=1: f"{100 * value:.{digits}f} %",
        "interval": _interval,
    }
    return environment.from_string(template).render(**tables)


def _signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, with a digit more where it is next to nothing, and 0 without a sign."""
    if abs(value) < 10**-digits:
        digits += 1
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def _interval(row: Mapping[str, Any], digits: int = 1, scale: float = 1.0) -> str:
    """Return the interval of a row that has `low` and `high`."""
    return f"{_signed(scale * row['low'], digits)} to {_signed(scale * row['high'], digits)}"


def progress_of(steps: Sequence[Any], what: str) -> Any:
    """Return an iterable of steps that shows on standard error how far it is and how long it takes."""
    return click.progressbar(steps, label=what, file=sys.stderr, show_eta=True)
