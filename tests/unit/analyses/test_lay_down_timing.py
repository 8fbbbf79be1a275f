"""Laying down now or a turn later: groups, what is said of them, and the report as a whole."""

from __future__ import annotations

import pandas as pd
from click.testing import CliRunner

from analyses import lay_down_timing
from analyses.lay_down_figures import cells
from analyses.lay_down_timing import LEAST_BLOCKS, said, span, span_text


def test_spans_of_turns():
    assert [span(turn) for turn in (1, 3, 4, 6, 7, 30)] == [1, 1, 4, 4, 7, 7]
    assert [span_text(first) for first in (1, 4, 7)] == ["1-3", "4-6", "7 on"]


def hand_made(differences: list[float], met: list[int]) -> pd.DataFrame:
    n = len(differences)
    table = pd.DataFrame(
        {"deal": range(1, n + 1), "contract": "S3 S3", "turn": 1, "turns": "1-3", "others_down": 0}
    )
    ends = {"low": [d - 1 for d in differences], "high": [d + 1 for d in differences]}
    p = [1e-6 if abs(d) > 1 else 0.5 for d in differences]
    return table.assign(difference=differences, **ends, p=p, blocks_met=met, n_blocks=300)


def test_nothing_is_said_of_a_few_positions():
    found = said(hand_made([5, -5, 0.5, 50], [LEAST_BLOCKS, 99, 99, LEAST_BLOCKS - 1]))
    assert found["says"].tolist() == ["better", "worse", "unclear", "few"]
    assert found["deal"].tolist() == [1, 2, 3, 4]
    assert set(said(hand_made([5], [1]))["says"]) == {"few"}


def test_the_title_says_what_the_cells_say():
    pays = cells(said(hand_made([5, -5], [99, 99])))
    costs = cells(said(hand_made([5, 0.5, 9], [99, 99, 1])))
    assert (
        pays.get_suptitle()
        == "Waiting clearly costs points in 1 of 2 kinds of positions, and clearly pays in 1"
    )
    assert costs.get_suptitle().startswith("Waiting clearly costs points in 1 of 2 kinds of positions")


def test_the_report(tmp_path):
    arguments = ["--games", "40", "--futures", "1", "--out", str(tmp_path)]
    done = CliRunner().invoke(lay_down_timing.main, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    contracts, found = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("contracts", "cells"))
    whole = pd.read_csv(tmp_path / "whole.csv").iloc[0]
    assert contracts["deal"].tolist() == list(range(1, 11))
    assert contracts["decisions"].sum() == found["decisions"].sum() == whole["decisions"]
    assert whole["low"] < whole["difference"] < whole["high"]
    for name in ("cells", "contracts"):
        assert (tmp_path / f"{name}.svg").stat().st_size > 1_000
    assert "# Lay down now, or wait?" in (tmp_path / "README.md").read_text()
