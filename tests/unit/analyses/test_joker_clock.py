"""What a held joker is worth: groups, turning points, the command."""

from __future__ import annotations

import pandas as pd
import pytest
from click.testing import CliRunner

from analyses import joker_clock as jc
from analyses.report import read_rows


def held(block: int, turn: int, down: int, worth: float) -> dict:
    return {
        "block": block, "deal": 3, "turn": turn, "down": down, "lacking": 2, "worth": worth,
        "others": 1.0,
    }  # fmt: skip


@pytest.fixture(scope="module")
def made():
    """Jokers that are worth 10 until turn 8 and -10 from then on, with two others down; a little noise."""
    return [
        held(block, turn, 2, (10 if turn < 8 else -10) + block % 3)
        for block in range(150)
        for turn in range(2, 15)
    ]


def test_groups_and_turning_points(made):
    turns = jc.by_turn(made, 150, 1).set_index(["down", "turn"])
    assert turns.loc[(2, 7), "estimate"] == pytest.approx(11)
    assert turns.loc[(2, 12), "cases"] == 3 * 150
    assert turns.loc[(2, 1), "says"] == turns.loc[(0, 3), "says"] == "few"
    found = jc.turning(turns.reset_index()).set_index("down")
    assert found.loc[2, ["asset_until", "liability_from", "seen"]].tolist() == [7, 8, 12]
    assert found.loc[0].isna().all()
    worth = jc.whole(made, 150, 1)
    assert jc.clock_title(found.reset_index(), worth).startswith("From turn 8 on")
    assert "no turn" in jc.clock_title(found.reset_index().iloc[:2], worth)
    lacking = jc.by_lacking(made, 150, 1).set_index(["down", "lacking"])
    assert lacking.loc[(2, 2), "cases"] == len(made)
    contracts = jc.by_contract(made, 150, 1)
    assert contracts[contracts["cases"] > 0]["contract"].tolist() == ["R4 R4", "R4 R4"]
    assert worth.set_index(["whose", "late"]).loc[("others", True), "estimate"] == 1


def test_what_is_held_in_real_games():
    found = pd.DataFrame(jc.held_jokers(4, 1))
    assert len(found) > 100
    assert found["block"].unique().tolist() == [0, 1, 2, 3]
    assert found["worth"].mean() > 5


def test_the_command_writes_its_page(tmp_path):
    arguments = ["--blocks", "4", "--games", "40", "--out", str(tmp_path)]
    done = CliRunner().invoke(jc.main, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert "never hold a joker" in (tmp_path / "README.md").read_text().lower()
    assert (tmp_path / "clock.svg").stat().st_size > 1_000
    assert (tmp_path / "habits.svg").stat().st_size > 1_000
    habits = read_rows(tmp_path / "habits.csv")
    assert [row["habit"] for row in habits] == [*jc.THROWING, *jc.WAITING]
