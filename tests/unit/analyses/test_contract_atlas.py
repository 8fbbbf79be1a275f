"""The atlas of contracts: what it plays, counts and writes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import shanghai_sim as ss
from analyses.contract_alone import turns_alone
from analyses.contract_atlas import alone_row, dealt_row, main, ranked, with_losses
from analyses.contract_counts import Level, Played, levels_of
from analyses.contract_figures import _curves_title, listed, ranking_title
from analyses.report import read_rows
from shanghai_sim.inference.survival import kaplan_meier


def seats(stuck_of_four, deals=(1, 2), blocks=300):
    """Return deals in which so many of four seats are stuck, give or take one in every third block."""
    down = np.ones((blocks, len(deals), 4), bool)
    for i, stuck in enumerate(stuck_of_four):
        down[:, i, :stuck] = False
    down[::3, :, 3] = False
    turn = np.where(down, 3, 5)
    return Played(tuple(deals), down, turn, np.where(down, 10, 100), 60)


def test_levels_go_from_no_buy_to_the_rules():
    levels = levels_of(ss.load_rules("shanghai"), 4)
    assert [level.label for level in levels] == ["0", "1", "2", "3"]
    assert [level.own for level in levels] == [False, False, False, True]
    assert [set(range(1, 11)) - set(level.makeable) for level in levels] == [{8, 9, 10}, {8}, set(), set()]
    assert levels[0].ending == (6,)
    assert levels[1].ending == (9,)
    assert levels[1].rules.buys_in(5) == 1
    assert levels[1].rules.name == "shanghai"


@pytest.mark.parametrize(
    ("rules", "players", "labels"),
    [
        ("contract-rummy", 4, ["0"]),
        ("shanghai-canonical", 4, ["0", "1", "2", "3", "3-4"]),
        ("finnish", 4, ["0", "1", "2", "3", "no limit"]),
    ],
)
def test_levels_of_other_rules(rules, players, labels):
    levels = levels_of(ss.load_rules(rules), players)
    assert [level.label for level in levels] == labels


def test_counts_hold_every_seat_once():
    found = seats((1, 2))
    down, stopped = found.counts()
    assert down.shape == (200, 2, 61)
    assert down.sum() + stopped.sum() == 300 * 2 * 4
    assert down[..., 3].sum() == down.sum() == found.down.sum()
    assert stopped[..., 5].sum() == stopped.sum()
    # All who got down did so in turn 3, when everybody was still there.
    share = kaplan_meier(down.sum(axis=0), stopped.sum(axis=0))[:, 3]
    assert share == pytest.approx(found.down.mean(axis=(0, 2)))


def test_ranks_and_steps():
    level = Level("3", True, ss.load_rules("shanghai", ["deal.contracts=['S3 S3','S3 R4','R4 R4']"]), (), ())
    found = ranked(level, seats((2, 1), deals=(1, 2)), 1)
    # What cannot be made is the hardest.
    assert found["rank"].tolist() == [2, 3, 1]
    assert found["step"].tolist() == ["first", "easier", "harder"]
    assert found["change"].iloc[1] == pytest.approx(-0.25)


def test_losses_are_set_beside_the_rules_as_they_are():
    rules = ss.load_rules("shanghai", ["deal.contracts=['S3 S3','S3 R4']"])
    levels = [(Level(label, label == "1", rules, (1, 2), ()), seats(stuck)) for label, stuck in (
        ("0", (3, 1)), ("1", (1, 1)),
    )]  # fmt: skip
    buys = pd.DataFrame({"own": [False, False, True, True]})
    found = with_losses(buys, levels, 1)
    assert found["loss"].tolist()[:2] == pytest.approx([0.5, 0.0])
    assert found["says"].tolist()[:2] == ["more", "unclear"]
    assert found["loss"].isna().tolist() == [False, False, True, True]


def test_the_dealt_hand():
    rules = ss.load_rules("shanghai")
    easy, large = (dealt_row(rules, 4, deal, 20_000, 1) for deal in (1, 8))
    assert easy["dealt_low"] < easy["dealt"] < easy["dealt_high"] < easy["drawn"]
    assert 1.2 < easy["lacks_low"] < easy["lacks"] < easy["lacks_high"] < 1.4
    assert [large[name] for name in ("dealt", "dealt_high", "drawn_high")] == [0, 0, 0]


def test_alone_nobody_ends_the_deal():
    rules = ss.load_rules("shanghai")
    turns = turns_alone(rules, "balanced", 4, 1, 24, 1)
    again = turns_alone(rules, "balanced", 4, 1, 12, 1)
    assert turns[:12].tolist() == again.tolist()
    assert 1 <= turns.min() <= np.median(turns) <= 3
    assert np.isinf(
        turns_alone(ss.load_rules("shanghai", ["stock.turn_limit=1"]), "balanced", 4, 9, 2, 1)
    ).all()
    row = alone_row(np.array([2.0, 3.0, 4.0, np.inf] * 50), 1)
    assert row["alone_half"] == 3
    assert np.isnan(row["alone_most"])
    assert row["alone_never"] == 50


def test_words():
    assert listed([1]) == "1"
    assert listed([1, 2, 3]) == "1, 2 and 3"
    table = pd.DataFrame({"deal": [1, 2, 3], "rank_low": [1, 1, 3], "rank_high": [2, 2, 3]})
    assert ranking_title(table) == "Contracts 1 and 2 are the hardest, contract 3 is the easiest"
    buys = pd.DataFrame(
        {"deal": [1, 2] * 2, "buys": ["0", "0", "1", "1"], "own": [False, False, True, True],
         "made": [True, False, True, True], "says": ["more", None, None, None]}
    )  # fmt: skip
    title = "Fewer buys make 1 contract harder, and without a buy contract 2 cannot be made"
    assert _curves_title(buys) == title
    assert _curves_title(buys[buys["own"]].drop(columns="says")) == "How soon each contract is down"


def test_the_command_writes_the_page(tmp_path):
    rules = tmp_path / "two.toml"
    rules.write_text('name = "two"\n[deal]\ncontracts = ["S3 S3", "S3 S3 R4 R4"]\n[buy]\nper_deal = 2\n')
    arguments = f"--rules {rules} --games 40 --alone 6 --hands 2000 --workers 1"
    refused = CliRunner().invoke(main, arguments.split())
    assert refused.exit_code == 2
    assert "--out" in refused.output
    done = CliRunner().invoke(main, [*arguments.split(), "--out", str(tmp_path)], catch_exceptions=False)
    assert done.exit_code == 0
    page = (tmp_path / "README.md").read_text()
    assert "with no buy a deal contract 2 cannot be made" in page.replace("\n", " ")
    rows = read_rows(tmp_path / "contracts.csv")
    assert [row["contract"] for row in rows] == ["S3 S3", "S3 S3 R4 R4"]
    assert [row["buys"] for row in read_rows(tmp_path / "buys.csv")] == [0, 0, 1, 1, 2, 2]
    assert all((tmp_path / f"{name}.svg").stat().st_size > 1_000 for name in ("curves", "ranking"))
