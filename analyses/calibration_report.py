"""The report of the calibration: a page and a figure, from the rows of its CSV file alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shanghai_sim.reporting import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, str]]

_PAGE = """# Are the intervals and verdicts right?

{answer}

A policy is set against itself, with luck or slips that differ between the sides, and against one that it really
differs from. Every run below is cut from one long series of real blocks, each block in one run only, or drawn from such
a series with replacement ("drawn again"; the series is then moved to a mean of 0, so that the truth is known). Blocks
are deal 2 alone (S3 R4), which is cheap. {blocks}

![How often it was wrong](calibration.svg)

| check | on | runs | blocks a run | found | 95 % interval | allowed | |
| --- | --- | --- | --- | --- | --- | --- | --- |
{table}

- *False better or worse*: claimed though there is no difference; at most 5 % of the runs.
- *Looking*: somebody looks every 500 blocks and would stop at what is seen. The interval for a fixed number of games
  is not made for that, and shows why `--until decided` has another one.
- *Coverage*: the interval holds the true difference; at least 95 %. That of a real difference takes in the error of the
  blocks, of another seed space, that have measured it.
- *p-values uniform*: the p-value of the test of Kolmogorov and Smirnov.
- A check fails when its rate is on the wrong side of what is allowed with an interval of 99.9 %.

`make calibrate` writes this page, its table (`calibration.csv`) and the figure anew. Engine version {engine}.
"""


def page(rows: Rows) -> str:
    """Return the page as Markdown."""
    failed = [row for row in rows if row["passed"] != "True"]
    answer = (
        f"Yes: all {len(rows)} checks pass."
        if not failed
        else f"Not all: {len(failed)} of {len(rows)} checks fail."
    )
    cut = sum(int(row["runs"]) * int(row["blocks"]) for row in rows if _is_cut(row))
    return _PAGE.format(
        answer=answer,
        blocks=f"The runs that are cut hold {cut:,} blocks in all.",
        table="\n".join(_line(row) for row in rows),
        engine=rows[0]["engine_version"],
    )


def _is_cut(row: Mapping[str, str]) -> bool:
    # Each series is cut once; its p-values and its verdicts are of the same runs.
    return row["check"] in ("p-values uniform", "coverage of a real difference")


def _line(row: Mapping[str, str]) -> str:
    value, low, high, allowed = (float(row[key]) for key in ("rate", "low", "high", "allowed"))
    if row["check"] == "p-values uniform":
        found, interval, limit = f"p = {value:.3f}", "", f"p above {allowed:.3f}"
    else:
        found, interval = f"{100 * value:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
        limit = f"{'at least' if row['check'].startswith('coverage') else 'at most'} {100 * allowed:.0f} %"
    passed = "passed" if row["passed"] == "True" else "FAILED"
    cells = (
        row["check"], row["what"], f"{int(row['runs']):,}", f"{int(row['blocks']):,}", found, interval, limit, passed,
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _finding(rows: Rows) -> str:
    """Return what the figure shows, in a few words."""
    kinds = {True: 0.0, False: 0.0}
    for row in rows:
        if row["check"].endswith("left 0 out at any look"):
            kinds[row["check"].startswith("interval for looking")] = 100 * float(row["rate"])
    right, wrong = kinds[True], kinds[False]
    return (
        f"Looked at again and again, one interval misses in {right:.1f} % of runs, the other in {wrong:.0f} %"
    )


def figure(rows: Rows) -> Figure:
    """Return the figure: how often each thing was wrong, with its interval, against the 5 % allowed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shown = [row for row in rows if row["check"] != "p-values uniform" and float(row["allowed"]) > 0]
    with figures.style():
        height = 1.5 + 0.42 * len(shown)
        drawn = Figure(figsize=(11, height))
        FigureCanvasAgg(drawn)
        axes = drawn.subplots()
        drawn.subplots_adjust(left=0.36, right=0.97, top=1 - 0.75 / height, bottom=0.65 / height)
        axes.axvspan(0, 5, color="#DDE8DD", linewidth=0, zorder=0)
        labels = []
        for i, row in enumerate(shown):
            missed = [100 * float(row[key]) for key in ("rate", "low", "high")]
            if row["check"].startswith("coverage"):
                missed = [100 - missed[0], 100 - missed[2], 100 - missed[1]]
            held = float(row["allowed"]) == 1
            colour = figures.GREY if held else figures.COLOURS["no-buy"]
            axes.plot(missed[1:], [-i, -i], color=colour, linewidth=2, solid_capstyle="butt")
            axes.plot(missed[0], -i, "D" if held else "o", color=colour, markersize=6)
            labels.append(f"{row['check']}\n{row['what']}")
        axes.set_yticks([-i for i in range(len(shown))], labels, fontsize=8)
        axes.set_xlim(0, None)
        axes.grid(visible=False, axis="y")
        figures.without_frame(axes)
        axes.set_xlabel("wrong in % of the runs; green: the 5 % allowed; grey: allowed anything")
        drawn.text(
            0.015, 1 - 0.15 / height, _finding(rows),
            fontsize=figures.TITLE_SIZE, fontweight="bold", va="top",
        )  # fmt: skip
    return drawn
