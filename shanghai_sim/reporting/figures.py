"""What all figures share: colours, sizes of letters, and files that are the same bytes for the same data.

Figures are matplotlib objects; pyplot, which keeps a state of its own and looks for a screen, is never used.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zlib import crc32

from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

#: Endings of file names, each with what would put a date into the file and must not.
KINDS: Mapping[str, Mapping[str, None]] = {
    ".svg": {"Date": None},
    ".png": {},
    ".pdf": {"CreationDate": None},
}
#: The colour of each policy that ships, in every figure. They keep apart in lightness or hue under the common
#: kinds of colour blindness as far as so many can (after Okabe and Ito, and Tol); marks differ in shape too.
COLOURS = {
    "aggressive-buy": "#D55E00",
    "balanced": "#4D4D4D",
    "blocker": "#882255",
    "fast-meld": "#E69F00",
    "joker-dumper": "#AA4499",
    "joker-hoarder": "#CC79A7",
    "no-buy": "#0072B2",
    "novice": "#999933",
    "patient-meld": "#332288",
    "plain": "#6699CC",
    "points-dumper": "#CC6677",
    "random": "#8C564B",
    "safe-discard": "#117733",
    "save-buys": "#009E73",
    "thrifty-buy": "#56B4E9",
}
GREY = "#A0A0A0"
#: For the better and the worse, or any two that must keep apart; and a third (Okabe and Ito).
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
_OTHERS = " (the others)"
_STYLE: Any = {
    "font.size": 10,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E6E6E6",
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.frameon": False,
    "figure.dpi": 100,
    "svg.hashsalt": "shanghai-sim",
}
TITLE_SIZE, NOTE_SIZE = 14, 8.5


def style() -> Any:
    """Return the context in which figures are drawn and written."""
    import matplotlib as mpl

    return mpl.rc_context(_STYLE)


def colour(label: str) -> str:
    """Return the colour of a policy: its own, or for one that does not ship one by its name."""
    name = label.removesuffix(_OTHERS)
    palette = [code for shipped, code in COLOURS.items() if shipped != "balanced"]
    return COLOURS.get(name) or palette[crc32(name.encode()) % len(palette)]


def ticks_within(axis: Axis) -> None:
    """Keep the ticks that lie within the panel, and no others beyond it."""
    low, high = sorted(axis.get_view_interval())
    axis.set_ticks([place for place in axis.get_majorticklocs() if low <= place <= high])


def two_colours(first: str, second: str) -> tuple[str, str]:
    """Return the colours of two policies in one figure; the second is grey where they are the same."""
    return colour(first), colour(second) if colour(second) != colour(first) else GREY


def check_kind(path: Path) -> str:
    """Return the ending of a figure's file.

    Raises
    ------
    InputError
        If it is none that can be written.
    """
    ending = path.suffix.lower()
    if ending not in KINDS:
        raise InputError(f"{path}: a figure's name ends in {', '.join(KINDS)}, not in {ending or 'nothing'}")
    return ending


def write_figure(figure: Figure, file: IO[bytes], ending: str) -> None:
    """Write a figure; the same figure gives the same bytes.

    Parameters
    ----------
    figure : Figure
        What was drawn.
    file : binary file
        Where to.
    ending : str
        One of `KINDS`.
    """
    with style():
        figure.savefig(file, format=ending[1:], metadata=dict(KINDS[ending]), dpi=150)


def without_frame(axes: Axes) -> None:
    """Leave of a panel's frame the line at the bottom alone."""
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def title(figure: Figure, text: str, width: int = 200) -> None:
    """Put what a figure says above all of it, in lines of so many letters at the most."""
    figure.suptitle(textwrap.fill(text, width), x=0.01, ha="left", fontsize=TITLE_SIZE, fontweight="bold")


def effect_axis(axes: Axes, low: float, high: float) -> None:
    """Give a panel an x axis for points a game that are saved or cost: even near 0, logarithmic farther out.

    Parameters
    ----------
    axes : Axes
    low, high : float
        The ends of all that is drawn.
    """
    axes.set_xscale("symlog", linthresh=10)
    # Room beyond the ends, where a step is a factor too.
    low, high = min(1.15 * low, low - 2, -2.5), max(1.15 * high, high + 2, 2.5)
    axes.set_xlim(low, high)
    # Where the axis reaches far out, ticks stand closer, and fewer have room.
    far = [5, 10, 30, 100, 300, 1000] if max(-low, high) > 60 else [2, 5, 10, 20, 50]
    ticks = [*(-tick for tick in reversed(far)), 0, *far]
    axes.set_xticks([tick for tick in ticks if low <= tick <= high])
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:+.0f}" if x else "0")
    axes.minorticks_off()
