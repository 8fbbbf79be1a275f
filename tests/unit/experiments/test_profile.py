"""Portraits: figures against those of the deals table, the same whatever the workers, words that fit the figures."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

import shanghai_sim as ss
from shanghai_sim.experiments.run import requested_plan, run_plan
from shanghai_sim.inference.survival import kaplan_meier
from shanghai_sim.simulation import laydowns
from shanghai_sim.simulation.columns import PROFILE, PROFILE_RATIOS
from shanghai_sim.simulation.runner import play

RULES = "shanghai-quick-odd"


@cache
def portrait(name, games=800, workers=None, **rest):
    return ss.profile(name, rules=RULES, games=games, seed=3, workers=workers, **rest)


@cache
def deals(name):
    plan = requested_plan(name, rules=RULES, overrides=(), against="balanced", games=800, seed=3)
    frame = run_plan(plan, keep=("deals",)).deals
    return frame[frame.deal <= 5]


def estimate(found, group, deal, metric, turn=0):
    frame = found.to_frame()
    here = frame[frame.table == frame.table.iloc[0]]
    rows = here.query("group == @group and deal == @deal and metric == @metric and turn == @turn")
    assert len(rows) == 1, (group, deal, metric, turn)
    return rows.iloc[0]


def test_the_figures_are_those_of_the_deals():
    found, frame = portrait("joker-hoarder"), deals("joker-hoarder")
    for group, own in (("joker-hoarder", True), ("balanced", False)):
        rows = frame[(frame.policy_index == 0) == own]
        for ratio in PROFILE_RATIOS:
            for deal in (0, 2, 5):
                which = rows if deal == 0 else rows[rows.deal == deal]
                expected = which[ratio.part].sum() / which[ratio.whole].sum()
                assert estimate(found, group, deal, ratio.name).estimate == pytest.approx(expected)
        assert estimate(found, group, 3, "points").estimate == pytest.approx(
            rows[rows.deal == 3].points.mean()
        )


def test_the_difference_by_contract_is_taken_block_by_block():
    found, frame = portrait("joker-hoarder"), deals("joker-hoarder")
    here = frame[frame.deal == 4]
    own = here[here.policy_index == 0].groupby("block").points.mean()
    gap = own - here[here.policy_index > 0].groupby("block").points.mean()
    row = estimate(found, "joker-hoarder minus balanced", 4, "points")
    assert row.estimate == pytest.approx(gap.mean())
    half = 1.972 * gap.std() / np.sqrt(len(gap))
    assert (row.high - row.low) / 2 == pytest.approx(half, rel=2e-3)


@pytest.mark.parametrize("deal", [0, 1, 5])
def test_the_curve_is_that_of_the_deals(deal):
    found, frame = portrait("joker-hoarder"), deals("joker-hoarder")
    rows = frame[(frame.policy_index == 0) & ((frame.deal == deal) | (deal == 0))]
    down = rows[rows.laid_down == 1].lay_down_turn
    stopped = rows[rows.laid_down == 0].turns
    counts = [np.bincount(which, minlength=61) for which in (down, stopped)]
    curve = kaplan_meier(*counts)
    for turn in range(1, 61):
        if not np.isnan(curve[turn]):
            row = estimate(found, "joker-hoarder", deal, "down_by_turn", turn)
            assert row.estimate == pytest.approx(curve[turn])
            assert row.low <= row.estimate <= row.high
    # Being cut off only adds to the share: without it, some of those would have got there.
    last = np.flatnonzero(~np.isnan(curve))[-1]
    assert curve[last] >= (down <= last).mean() * rows.laid_down.mean() - 1e-12
    median = estimate(found, "joker-hoarder", deal, "median_lay_down").estimate
    assert median == np.flatnonzero(curve >= 0.5)[0]


def test_counts_of_the_parts_add_up_to_those_of_the_deals(monkeypatch):
    """However few the parts, and whatever the chunks; sudden death counts where it was played."""
    monkeypatch.setattr(laydowns, "MAX_PARTS", 7)
    plan = requested_plan(
        "plain", rules="finnish", overrides=("stock.turn_limit=12",), against="random", games=3_000, players=3
    )
    counts = laydowns.LayDowns(plan)
    for chunk, batch in play(plan):
        counts.add(chunk, batch)
    frame = run_plan(plan, keep=("deals",)).deals
    frame["group"] = (frame.policy_index > 0).astype(int)
    parts = frame.block * 7 // plan.blocks
    for (part, deal, group), rows in frame.groupby([parts, "deal", "group"]):
        down = rows.laid_down == 1
        for array, turns in ((counts.down, rows[down].lay_down_turn), (counts.stopped, rows[~down].turns)):
            assert array[part, deal - 1, group].tolist() == np.bincount(turns, minlength=13).tolist()
    assert counts.down.sum() + counts.stopped.sum() == len(frame)


def test_one_and_two_workers_give_the_same_rows():
    one, two = (portrait("save-buys", 3_000, workers) for workers in (1, 2))
    pd.testing.assert_frame_equal(one.to_frame(), two.to_frame(), check_exact=True)
    assert one.verdict == two.verdict


def test_columns_are_the_documented_ones():
    assert list(portrait("save-buys").to_frame().columns) == [column.name for column in PROFILE]


def test_the_other_table_is_that_of_a_run_the_other_way_round():
    frame = portrait("no-buy").to_frame()
    other = frame[frame.table == "balanced against no-buy"]
    run = ss.run("balanced", rules=RULES, against="no-buy", games=800, seed=3, keep=())
    expected = run.summary.query("group == 'balanced minus no-buy' and metric == 'points'").iloc[0]
    row = other.query("group == 'balanced minus no-buy' and metric == 'points'").iloc[0]
    assert (row.estimate, row.low, row.high) == (expected.estimate, expected.low, expected.high)


@pytest.mark.parametrize(
    "options",
    [{"against": "balanced,plain"}, {"players": 2, "overrides": ("players.min=2",)}, {"against": "no-buy"}],
)
def test_there_is_no_other_table_where_it_says_nothing_new(options):
    found = portrait("no-buy", 100, **options)
    assert found.mirror is None
    assert len(found.to_frame().table.unique()) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no-buy", "never buys"),
        ("balanced+buy.from_deal=4", "buys nothing before contract 4"),
        ("joker-hoarder", "keeps its wilds"),
        ("patient-meld", "lays down later"),
        ("random", "gets less than half of its contracts down"),
        ("joker-dumper", "throws away"),
    ],
)
def test_the_answer_says_what_kind_of_player(name, words):
    found = portrait(name)
    assert words in found.verdict
    row = estimate(found, f"{name} minus balanced", 0, "points")
    assert f"loses {row.estimate:.1f} points a game to balanced" in found.verdict
    assert f"(95 % interval {row.low:.1f} to {row.high:.1f}; 800 games, seed 3)" in found.verdict
    assert found.finding.startswith(f"{name}: loses {row.estimate:.0f} ± ")


def test_a_better_player_wins():
    found = portrait("balanced", against="random")
    row = estimate(found, "balanced minus random", 0, "points")
    assert f"balanced wins {-row.estimate:.1f} points a game from random" in found.verdict
    assert f"(95 % interval {-row.high:.1f} to {-row.low:.1f};" in found.verdict


def test_among_its_own_kind_nothing_is_won():
    found = portrait("balanced")
    assert found.verdict.startswith(
        "balanced meets its own kind, so nothing is won or lost (800 games, seed 3); "
    )


def test_too_few_games_claim_nothing():
    assert portrait("random", 100).verdict.startswith("Too few games to tell how good random is")


def test_save(tmp_path):
    found = portrait("save-buys")
    found.save(tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["profile.csv", "profile.json"]
    again = pd.read_csv(tmp_path / "new" / "profile.csv", keep_default_na=False, na_values={"estimate": ""})
    assert again.estimate.to_numpy() == pytest.approx(found.to_frame().estimate.to_numpy(), nan_ok=True)


def test_several_policies_are_refused():
    with pytest.raises(ss.InputError, match="2 policies and others against them"):
        ss.profile("plain,random")
