"""What one player gains by one policy and not another, as rows of a table, and what a table of them says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import shanghai_sim as ss
from shanghai_sim.inference.intervals import t_quantile
from shanghai_sim.inference.multiplicity import bonferroni_level, holm

#: Points a game within which a difference is called none.
EQUAL = 2.0
#: Coverage of the intervals of `compare`.
LEVEL = 0.95
#: Error that a table allows itself, all its rows together.
ALPHA = 0.05


def difference(a: str | ss.Policy, b: str | ss.Policy, games: int, seed: int, **rest: Any) -> dict[str, Any]:
    """Return by how many points a game `a` is better than `b`: a row of a table (`rest`: as of `compare`)."""
    return row_of(ss.compare(a, b, until=f"games={games}", seed=seed, **rest))


def row_of(found: Any) -> dict[str, Any]:
    """Return the row of a comparison that has been played."""
    low, high = found.interval
    return {
        "difference": found.difference,
        "low": low,
        "high": high,
        "p": found.p,
        "games": found.games,
        "blocks": found.blocks,
    }


def half_together(frame: pd.DataFrame) -> pd.Series:
    """Return half of each row's interval, widened so that the intervals of all rows hold together (Bonferroni)."""
    together = bonferroni_level(LEVEL, len(frame))
    blocks = frame["blocks" if "blocks" in frame else "n_blocks"]
    wider = [t_quantile(together, n - 1) / t_quantile(LEVEL, n - 1) for n in blocks]
    return (frame["high"] - frame["low"]) / 2 * wider


def judged(frame: pd.DataFrame, equal: float = EQUAL) -> pd.DataFrame:
    """Return a table with p-values corrected for their number (Holm) and, in a column `says`, what they say.

    Equal are those whose intervals, widened so that all of them hold together (Bonferroni), lie within `equal`.
    """
    p = holm(frame["p"].to_numpy(dtype=float))
    half = half_together(frame)
    same = (frame["difference"] - half > -equal) & (frame["difference"] + half < equal)
    clear = p < ALPHA
    says = np.select(
        [same, clear & (frame["difference"] > 0), clear], ["equal", "better", "worse"], "unclear"
    )
    return frame.assign(p=p, says=says)


def ranked(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as a table that is judged, the best first."""
    return judged(pd.DataFrame(rows).sort_values("difference", ascending=False, kind="stable"))
