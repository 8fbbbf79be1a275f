"""Rows as a text table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

GAP = "  "


def table_lines(rows: Sequence[Mapping[str, Any]], left: Sequence[str] | None = None) -> list[str]:
    """Return the lines of a table, the heading first.

    Parameters
    ----------
    rows : sequence of mappings
        At least one, all with the same keys, which head the columns. A dash stands for None.
    left : sequence of str, optional
        Columns that are set to the left; by default those that hold anything but numbers.
    """
    heads = list(rows[0])
    if left is None:
        left = [head for head in heads if not all(isinstance(row[head], int | float | None) for row in rows)]
    cells = [["-" if row[head] is None else str(row[head]) for head in heads] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]

    def line(texts: Sequence[str]) -> str:
        padded = [
            text.ljust(width) if head in left else text.rjust(width)
            for head, text, width in zip(heads, texts, widths, strict=True)
        ]
        return GAP.join(padded).rstrip()

    return [line(heads), *map(line, cells)]
