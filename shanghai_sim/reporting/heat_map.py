"""Cells of numbers in colour, centred on nought, that can be told apart under the common kinds of colour blindness."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: From worse, orange, over nought, white, to better, purple.
PALETTE = "PuOr"
#: The share of cells whose colours are told apart; a few far-off ones would leave all others pale.
_TOLD_APART = 0.8


def signed(value: float) -> str:
    """Return a whole number with a minus sign as wide as a digit; nought has none."""
    return f"{round(value):d}".replace("-", "\N{MINUS SIGN}")


def heat_map(
    axes: Axes, values: Sequence[Sequence[float]], texts: Sequence[Sequence[str]], size: float
) -> Any:
    """Draw cells with their numbers and return the image.

    Parameters
    ----------
    axes : Axes
        Where; row 0 is at the top.
    values : sequence of rows of float
        NaN: an empty cell.
    texts : sequence of rows of str
        What is written in each cell.
    size : float
        Size of the letters.
    """
    import numpy as np

    table = np.array(values, dtype=float)
    sizes = np.abs(table[~np.isnan(table)])
    most = float(np.quantile(sizes, _TOLD_APART)) if len(sizes) else 0.0
    most = most or float(sizes.max(initial=0.0)) or 1.0
    image = axes.imshow(table, cmap=PALETTE, vmin=-most, vmax=most, aspect="auto")
    for i, row in enumerate(texts):
        for j, text in enumerate(row):
            value = table[i, j]
            if isnan(value):
                continue
            dark = abs(value) > 0.55 * most
            axes.text(
                j, i, text, ha="center", va="center", fontsize=size, color="white" if dark else "#202020"
            )
    axes.set_xticks(np.arange(table.shape[1] + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(table.shape[0] + 1) - 0.5, minor=True)
    axes.grid(visible=False, which="major")
    axes.grid(visible=True, which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return image
