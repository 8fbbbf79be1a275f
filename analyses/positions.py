"""Every decision of games in which all seats play one policy, and what became of them, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import shanghai_sim as ss
from analyses.report import progress_of
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import ratio_interval
from shanghai_sim.inference.multiplicity import max_t

#: The decisions of a `View`, and the bits of a discard that hold the card.
DRAW, BUY, PLAY, DISCARD = range(4)
CARD = 0xFF
#: Cases, and blocks that have any (cases of one deal are alike), below which nothing is said of a figure.
LEAST, LEAST_BLOCKS = 50, 30


def decisions(
    policy: str, blocks: int, seed: int, *, rules: str = "shanghai", players: int = 4, what: str = "games"
) -> Iterator[tuple[int, ss.Table, Any, int]]:
    """Yield every decision of all seats, sudden death left out: block, table, view, and what the policy answers.

    The game goes on with that answer; whoever wants to try another one takes a copy of the table. Where all seats play
    the same policy, the rotations of a block are one game: it is played once.
    """
    setup = ss.Setup(ss.load_rules(rules), players, players * [ss.load_policy(policy)], seed=seed)
    with progress_of(range(blocks), what) as numbers:
        for block in numbers:
            table = ss.Table(setup, block * players)
            while not (table.deal_over and table.slot == setup.n_slots - 2):
                if table.deal_over:
                    table.next_deal()
                    continue
                view = table.view()
                answer = table.built_in(view)
                yield block, table, view, answer
                table.answer(answer)


def linear(sums: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """Return block values whose mean is the ratio of both sums and whose spread is its linearised error.

    Parameters
    ----------
    sums, cases : float64[blocks, ...]
        What is counted, and how often it could have been; 0 where there was no case at all.
    """
    mean = cases.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = sums.mean(axis=0) / mean
        values = ratio + (sums - ratio * cases) / mean
    return np.where(mean > 0, values, 0.0)


def ratios(sums: np.ndarray, cases: np.ndarray, seed: int) -> pd.DataFrame:
    """Return a row for each ratio of two sums over blocks, and which of them differ from 0 for sure.

    Parameters
    ----------
    sums, cases : float64[blocks, k]
        What is added up, and its cases.
    seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        `estimate`, its 95 % interval `low` and `high`, `cases`, `blocks_met`
        that have any, `blocks`; `p`, corrected for the number of rows
        (max-t); `says`: above, below, unclear, or few where there are too few cases, or blocks with any.
    """
    found = ratio_interval(Moments.of(np.stack([sums, cases], axis=-1)), 0, 1)
    frame = pd.DataFrame(
        {
            "estimate": found.estimate,
            "low": found.low,
            "high": found.high,
            "cases": cases.sum(axis=0).astype(int),
            "blocks_met": (cases > 0).sum(axis=0),
            "blocks": len(sums),
        }
    )
    enough = ((frame["cases"] >= LEAST) & (frame["blocks_met"] >= LEAST_BLOCKS)).to_numpy()
    frame["p"] = np.nan
    if enough.any():
        law = max_t(linear(sums, cases)[:, enough], seed)
        frame.loc[enough, "p"] = law.p_values()
    clear = frame["p"] < 0.05
    frame["says"] = np.select(
        [~enough, clear & (frame["estimate"] > 0), clear], ["few", "above", "below"], "unclear"
    )
    return frame


def contrasts(values: np.ndarray, seed: int) -> pd.DataFrame:
    """Return a row for each column of block values: its mean, and whether that is 0.

    Parameters
    ----------
    values : float64[blocks, k]
        E.g. differences of two ratios (`linear`).
    seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        `estimate`; `low` and `high` of intervals that hold for all rows together (max-t), `p` corrected likewise;
        `says`: above, below or unclear.
    """
    law = max_t(values, seed)
    bands = law.bands()
    frame = pd.DataFrame(
        {"estimate": bands.estimate, "low": bands.low, "high": bands.high, "p": law.p_values()}
    )
    clear = frame["p"] < 0.05
    frame["says"] = np.select([clear & (frame["estimate"] > 0), clear], ["above", "below"], "unclear")
    return frame


def taker(table: ss.Table) -> int | None:
    """Let all seats answer until one of them takes the card just thrown; return which, or None where nobody does.

    The table is left at the decision to take it, or behind all of them.
    """
    while table.decision in {DRAW, BUY}:
        view = table.view()
        answer = table.built_in(view)
        if answer == 1:
            return int(view.seat)
        table.answer(answer)
    return None


def leave(table: ss.Table) -> None:
    """Let nobody take the card just thrown."""
    while table.decision in {DRAW, BUY}:
        table.answer(0)
