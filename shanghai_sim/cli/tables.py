"""Printing rows as a table for people, as CSV or as JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from shanghai_sim.reporting.tables import table_lines


def echo_rows(rows: Sequence[Mapping[str, Any]], fmt: str) -> None:
    """Print rows that have the same keys.

    Parameters
    ----------
    rows : sequence of mappings
        At least one; the keys of the first head the columns.
    fmt : {"table", "csv", "json"}
        In a table numbers stand to the right, and a dash stands for None; in CSV nothing does.
    """
    if fmt == "json":
        click.echo(json.dumps([dict(row) for row in rows], indent=2, ensure_ascii=False))
    elif fmt == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        click.echo(text.getvalue(), nl=False)
    else:
        _echo_table(rows)


def _echo_table(rows: Sequence[Mapping[str, Any]]) -> None:
    head, *lines = table_lines(rows)
    click.echo(click.style(head, bold=True))
    for line in lines:
        click.echo(line)
