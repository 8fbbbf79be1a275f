"""Lay down now, or wait?

Question
    A player could lay the contract down. Is it better to do so at once, or to wait a turn; by contract, by how early
    it is, and by how many others are down?
Design
    Games of `balanced`; wherever one player can lay down the position is copied, and played on from there both
    ways: laying down, and waiting for one turn (after it the player lays down when it can). What is still hidden is
    the same on both sides, and is shuffled anew several times. Differences are over blocks; something is said of a
    cell if enough blocks have such a decision, and p-values are corrected for all these cells together (Holm).
Answer
    In reports/lay_down_timing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import click
import pandas as pd

import shanghai_sim as ss
from analyses import lay_down_figures
from analyses.differences import ALPHA, LEVEL, judged
from analyses.report import Report

RULES, PLAYERS = "shanghai", 4
OPTIONS = ("lay-down", "wait")
#: The first own turns of the spans that turns are grouped in.
FIRST_TURNS = (1, 4, 7)
#: From so many others down on they are one group.
MANY_DOWN = 2
#: Blocks with such a decision below which nothing is said of a cell.
LEAST_BLOCKS = 30


def span(turn: int) -> int:
    """Return the first own turn of the span that a turn is in."""
    return max(first for first in FIRST_TURNS if first <= turn)


def span_text(first: int) -> str:
    """Return a span in figures: 1-3, 4-6, 7 on."""
    later = [turn for turn in FIRST_TURNS if turn > first]
    return f"{first}-{later[0] - 1}" if later else f"{first} on"


#: For each table, the columns that tell its groups, and the group of a decision.
CUTS: dict[str, tuple[tuple[str, ...], Callable[[Any], Hashable]]] = {
    "contracts": (("deal",), lambda seen: (seen.deal,)),
    "turns": (("turn",), lambda seen: (span(seen.turn),)),
    "down": (("others_down",), lambda seen: (min(seen.others_down, MANY_DOWN),)),
    "cells": (
        ("deal", "turn", "others_down"),
        lambda seen: (seen.deal, span(seen.turn), min(seen.others_down, MANY_DOWN)),
    ),
}


def played(games: int, futures: int, seed: int) -> Any:
    """Play the games and return what waiting costs, over all and in each group."""
    with click.progressbar(length=games, label="games", file=sys.stderr) as bar:
        return ss.what_if(
            "balanced", decision="play", options=OPTIONS, by={name: cut for name, (_, cut) in CUTS.items()},
            rules=RULES, games=games, futures=futures, seed=seed, progress=lambda done, _: bar.update(done - bar.pos),
        )  # fmt: skip


def grouped(found: Any, name: str) -> pd.DataFrame:
    """Return what waiting costs in the groups of one table, in their order, and whether that is clear."""
    frame = found.group_frame()
    rows = frame[(frame["by"] == name) & (frame["option"] == "wait")].reset_index(drop=True)
    keys = pd.DataFrame(rows["group"].tolist(), columns=list(CUTS[name][0]))
    if "deal" in keys:
        rules = ss.load_rules(RULES)
        keys.insert(1, "contract", [str(rules.contract_in(deal)) for deal in keys["deal"]])
    if "turn" in keys:
        keys["turns"] = keys["turn"].map(span_text)
    table = pd.concat([keys, rows.drop(columns=["by", "group", "option"])], axis=1)
    table = table.rename(columns={"points": "points_waiting"})
    table = table.sort_values(list(CUTS[name][0]), kind="stable", ignore_index=True)
    return said(table)


def said(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with what it says of each group that comes up in enough blocks, and "few" of the others."""
    enough = table["blocks_met"] >= LEAST_BLOCKS
    if not enough.any():
        return table.assign(says="few")
    spoken = judged(table[enough], equal=0.0)
    return pd.concat([spoken, table[~enough].assign(says="few")]).sort_index()


def whole(found: Any, games: int) -> pd.DataFrame:
    """Return what waiting costs at each lay-down on the mean, and in a game that has so many of them."""
    now, wait = found.rows
    row = {key: wait[key] for key in ("difference", "low", "high", "p", "decisions", "n_blocks")}
    return pd.DataFrame(
        [
            row
            | {
                "points_now": now["points"],
                "points_waiting": wait["points"],
                "a_game": found.decisions / games,
            }
        ]
    )


@click.command()
@click.option(
    "--games", default=8_000, show_default=True, help="Games, each with one player who is looked at."
)
@click.option(
    "--futures", default=4, show_default=True, help="Shuffles of the stock that each is played out in."
)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another folder than reports/lay_down_timing.",
)
def main(games: int, futures: int, seed: int, out: Path | None) -> None:
    """Play on from every lay-down both ways, at once and a turn later; write the report."""
    report = Report("lay_down_timing", out)
    found = played(games, futures, seed)
    tables = {name: grouped(found, name) for name in CUTS} | {"whole": whole(found, found.plan.games)}
    for name, table in tables.items():
        report.table(name, table)
    report.scope(
        rules=RULES, players=PLAYERS, seed=seed, games=found.plan.games, futures=futures, level=LEVEL, alpha=ALPHA,
        least_blocks=LEAST_BLOCKS, many_down=MANY_DOWN,
    )  # fmt: skip
    report.figure("cells", lay_down_figures.cells(tables["cells"]))
    report.figure("contracts", lay_down_figures.contracts(tables["contracts"]))
    report.page()


if __name__ == "__main__":
    main()
