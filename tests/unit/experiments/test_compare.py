"""Comparisons: the numbers against those of whole runs, the same whatever the workers and interruptions."""

from __future__ import annotations

import hashlib
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import shanghai_sim as ss
from shanghai_sim.experiments.compare import compare_question
from shanghai_sim.experiments.questions import question_of
from shanghai_sim.experiments.stopping import read_gate, read_until
from shanghai_sim.simulation.question_columns import BLOCKS, COMPARISON, COMPARISON_METRICS

QUICK = {"rules": "shanghai-quick-odd"}
#: A game of one short deal, for what is about blocks, looks and files: as many of them, in a tenth of the time.
ONE_DEAL = {"deals": [1]}


def asked(a="no-buy", b="balanced", **options):
    nothing = {"overrides": (), "rules_b": None, "overrides_b": (), "against": None}
    return question_of(a, b, **(nothing | {"rules": "shanghai-quick-odd"} | options))


def by_block(policy, against, games=800, **options):
    """Return what a run says of a policy in one seat: points and share of wins by block and seat."""
    frame = ss.run(policy, against=against, games=games, keep=("games",), **options).games
    own = frame[frame.policy_index == 0]
    return own.pivot_table(index="block", columns="seat", values=["points", "win_share"])


@pytest.mark.parametrize("against", ["balanced", "plain", "plain,no-buy"])
def test_the_difference_is_that_of_two_runs(against):
    """With the baseline as the field too: one game of all stands for four."""
    ours, theirs = by_block("no-buy", against, **QUICK), by_block("balanced", against, **QUICK)
    per_block = 5 if against == "balanced" else 8
    found = ss.compare("no-buy", "balanced", against=against, until=f"games={200 * per_block}", **QUICK)
    assert (found.blocks, found.games) == (200, 200 * per_block)
    gain = (theirs.points - ours.points).mean(axis=1).to_numpy()
    frame = found.block_frame()
    assert np.allclose(frame.difference, gain)
    assert np.allclose(frame.win_difference, (ours.win_share - theirs.win_share).mean(axis=1))
    assert np.allclose(frame.variant, ours.points.mean(axis=1))
    assert found.difference == pytest.approx(gain.mean())
    t = stats.ttest_1samp(gain, 0)
    assert found.interval == pytest.approx(tuple(t.confidence_interval(0.95)))
    assert found.p == pytest.approx(t.pvalue)
    seats = found.to_frame().query("part == 'seat'").estimate.to_numpy()
    assert np.allclose(seats, (theirs.points - ours.points).mean(axis=0))


def figures(found, part="size"):
    return found.to_frame().query(f"part == '{part}'").set_index("metric")


def test_figures_by_hand():
    found = ss.compare("no-buy", "balanced", until="games=1000", **QUICK)
    ours, theirs = (
        by_block("no-buy", "balanced", **QUICK).points,
        by_block("balanced", "balanced", **QUICK).points,
    )
    size = figures(found).estimate
    flat = ours.to_numpy().ravel(), theirs.to_numpy().ravel()
    spread = math.sqrt(flat[0].var() + flat[1].var())
    gain = (theirs - ours).mean(axis=1)
    assert size["d"] == pytest.approx(gain.mean() / (spread / math.sqrt(2)))
    assert size["beats"] == pytest.approx((flat[0] < flat[1]).mean() + 0.5 * (flat[0] == flat[1]).mean())
    assert size["games_to_notice"] == pytest.approx((1.6449 * spread / gain.mean()) ** 2, rel=1e-3)
    assert size["per_100_evenings"] == pytest.approx(100 * gain.mean())
    assert size["correlation"] == pytest.approx(np.corrcoef(ours.mean(axis=1), theirs.mean(axis=1))[0, 1])
    unpaired = spread**2 / 500
    assert size["variance_reduction"] == pytest.approx(unpaired / (gain.var() / 200))
    w = figures(found, "game").loc["win_share", "variant"]
    assert size["table_elo_variant"] == pytest.approx(400 * math.log10(3 * w / (1 - w)))
    assert size["table_elo_baseline"] == 0
    assert size["smallest_effect"] == pytest.approx((1.96 + 0.8416) * gain.std() / math.sqrt(200), rel=1e-4)
    assert size["blocks_needed"] == 0
    assert 0.9 < size["games_differing"] <= size["blocks_differing"] <= 1


def test_parts_add_up_and_columns_are_documented():
    found = ss.compare("save-buys", "balanced", until="games=2000")
    frame = found.to_frame()
    deals = frame.query("part == 'deal'")
    for column in ("variant", "baseline", "estimate"):
        assert deals[column].sum() == pytest.approx(frame[column][0])
    assert frame.query("part == 'seat'").estimate.mean() == pytest.approx(found.difference)
    assert list(frame.columns) == [column.name for column in COMPARISON]
    assert list(found.block_frame().columns) == [column.name for column in BLOCKS]
    named = " ".join(f"{metric.name} {metric.text}" for metric in COMPARISON_METRICS)
    assert all(metric in named for metric in frame.metric)
    # The policies part where the buys do: contracts 7 to 10 are played alike.
    alike = deals.set_index("number").estimate[[7, 8, 9, 10]]
    assert (alike == 0).all()
    # Bands for all contracts at once are wider than the interval of one.
    one = deals.iloc[0]
    alone = ss.compare("save-buys", "balanced", until="games=2000", deals=[1])
    assert one.estimate == alone.difference
    assert one.high - one.low > 1.2 * (alone.interval[1] - alone.interval[0])


@pytest.mark.parametrize(
    ("rules", "players", "policy"),
    [
        ("shanghai", 4, "balanced"),
        ("finnish", 2, "plain"),
        ("liverpool", 7, "aggressive-buy"),
        ("progressive", 3, "random"),
    ],
)
def test_a_policy_against_itself_is_exactly_the_same(rules, players, policy):
    for against in (None, "joker-dumper"):
        found = ss.compare(policy, policy, rules=rules, players=players, until="games=240", against=against)
        if policy == "random" and against is None:
            continue
        assert (found.block_frame().difference == 0).all()
        assert (found.block_frame().games_differing == 0).all()
        assert found.interval == (0, 0)
        assert found.p == 1
        assert "are exactly the same" in found.verdict


def test_whoever_never_differs_is_said_to_be_rare_at_most():
    found = ss.compare("balanced", "save-buys", deals=[7, 8], until="games=2000")
    assert "in less than 1 of 83 blocks" in found.verdict
    again = ss.compare("balanced", "balanced", until="decided", deals=[1])
    assert again.blocks == 500
    assert "less than" not in again.verdict


@pytest.mark.parametrize("until", ["games=3000", "decided", "width=2"])
def test_workers_change_nothing(until):
    a, b = (compare_question(asked(**ONE_DEAL), read_until(until), workers=n, max_games=None) for n in (1, 2))
    assert a.path == b.path
    assert a.precision == b.precision
    pd.testing.assert_frame_equal(a.to_frame(), b.to_frame(), check_exact=True)
    pd.testing.assert_frame_equal(a.block_frame(), b.block_frame(), check_exact=True)


def digests(folder):
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if p.suffix != ".json"
    }


@pytest.mark.parametrize("until", ["games=12000", "width=1.4"])
def test_two_halves_give_the_same_files(tmp_path, until):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    first = compare_question(asked(**ONE_DEAL), read_until(until), out=whole)

    def interrupt(done, total):
        if done >= 4000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare_question(asked(**ONE_DEAL), read_until(until), out=halves, progress=interrupt)
    assert len(list((halves / "parts").iterdir())) >= 4
    with pytest.raises(ss.InputError, match="a part of this run; --resume"):
        compare_question(asked(**ONE_DEAL), read_until(until), out=halves)
    shown = []
    second = compare_question(
        asked(**ONE_DEAL),
        read_until(until),
        out=halves,
        resume=True,
        workers=1,
        progress=lambda *n: shown.append(n),
    )
    assert shown[0][0] > 4000
    assert digests(whole) == digests(halves)
    assert set(digests(whole)) == {"comparison.csv", "blocks.npz"}
    assert first.verdict == second.verdict
    manifest = json.loads((whole / "compare.json").read_text())
    assert manifest["status"] == "finished"
    assert manifest["sha256"] == digests(whole)
    # What is finished is read, not played.
    played = []
    again = compare_question(
        asked(**ONE_DEAL), read_until(until), out=whole, resume=True, progress=lambda *n: played.append(n)
    )
    assert not played
    pd.testing.assert_frame_equal(again.to_frame(), first.to_frame(), check_exact=True)
    with pytest.raises(ss.InputError, match=r"holds another run: baseline\.policies\.1"):
        compare_question(asked(b="plain", **ONE_DEAL), read_until(until), out=whole, resume=True)
    with np.load(whole / "blocks.npz") as arrays:
        assert len(arrays["points"]) == first.blocks


def test_saved_later_it_is_the_same(tmp_path):
    found = compare_question(asked(), read_until("games=1000"), out=tmp_path / "a")
    found.save(tmp_path / "b")
    assert digests(tmp_path / "a") == digests(tmp_path / "b")
    again = compare_question(asked(), read_until("games=1000"), out=tmp_path / "b", resume=True)
    assert again.verdict == found.verdict


def test_it_stops_by_itself():
    decided = compare_question(asked(deals=[3]), read_until("decided"))
    assert decided.blocks == decided.path[-1].blocks == 500
    assert decided.verdict.startswith("no-buy is meaningfully worse than balanced: it scores ")
    narrow = compare_question(asked(**ONE_DEAL), read_until("width=1"))
    widths = [look.high - look.low for look in narrow.path]
    assert widths[-1] <= 1 < min(widths[:-1])
    assert narrow.interval == (narrow.path[-1].low, narrow.path[-1].high)
    # About the planned number of blocks: the pilot told how much they vary.
    assert 0.6 * narrow.precision.n_opt < narrow.blocks < 1.8 * narrow.precision.n_opt
    short = compare_question(
        asked("balanced+discard.danger=1.01", **ONE_DEAL), read_until("width=0.001"), max_games=1
    )
    assert short.blocks == short.most_blocks == 500


def test_the_p_value_of_a_run_that_looks_fits_its_interval():
    """It is below 5 % exactly where the interval leaves out 0, and larger than one that never looked."""
    for policy in ("no-buy", "balanced+noise=0.01"):
        found = compare_question(asked(policy, **ONE_DEAL), read_until("width=1.5"), max_games=5000)
        low, high = found.interval
        assert (found.p < 0.05) == (low > 0 or high < 0)
        fixed = compare_question(asked(policy, **ONE_DEAL), read_until(f"games={found.games}"))
        assert found.p >= fixed.p
        assert high - low > fixed.interval[1] - fixed.interval[0]


@pytest.mark.parametrize(
    ("gate", "answer"), [("-8,0", "fail"), ("-100,-80", "pass"), ("-0.04,0.04", "undecided")]
)
def test_a_gate(gate, answer):
    policy = "balanced" if answer == "undecided" else "no-buy"
    found = compare_question(asked(policy, deals=[3]), read_gate(gate), max_games=2500)
    assert found.gate == answer
    assert found.verdict.startswith(f"Gate {answer} (a difference of ")
    assert found.about["gate"] == answer


def test_margins_are_in_proportion_to_the_deals():
    assert asked(rules="shanghai").margin == 2
    assert asked(rules="shanghai", deals=[7, 8, 9, 10]).margin == 0.8
    assert asked(rules="finnish", deals=[1]).margin == pytest.approx(2 / 7)


def test_rules_are_compared_with_one_policy_at_all_seats():
    some = {"deals": [1, 5, 10]}
    found = ss.compare("balanced", overrides_b={"buy.per_deal": 1}, until="games=800", **some)
    means = [
        ss.run(["balanced"] * 4, overrides=over, games=1600, keep=(), **some).summary.query("deal == 0")
        for over in ({}, {"buy.per_deal": 1})
    ]
    game = figures(found, "game")
    for i, side in enumerate(("variant", "baseline")):
        # All seats play alike, so each rotation of a run is the same game.
        mean = means[i].groupby("metric").estimate.mean()
        assert game[side]["points"] == pytest.approx(mean["points"])
        assert game[side]["buys"] == pytest.approx(mean["buys"])
        turns = means[i].query("group == '(table)'").set_index("metric").estimate["turns"]
        assert game[side]["turns"] == pytest.approx(turns)
    assert found.difference == pytest.approx(game.variant["points"] - game.baseline["points"])
    assert game.variant["winner_points"] < game.variant["points"]
    assert "fewer under shanghai than under shanghai+buy.per_deal=1" in found.verdict
    assert "not tuned anew" in found.verdict
    assert found.context["rules"] == "shanghai and shanghai+buy.per_deal=1"


def test_rules_with_other_contracts_are_compared_deal_by_deal():
    found = ss.compare("plain", rules_b="finnish", until="games=200")
    deals = found.to_frame().query("part == 'deal'")
    assert list(deals.number) == [1, 2, 3, 4, 5, 6, 7]
    assert deals.contract.str.contains(" / ").any()


def test_a_game_of_a_comparison_is_shown():
    """Game 13: block 2, in which the variant's four games come first, then the one of all."""
    found = ss.compare("no-buy", "balanced", until="games=15", deals=[1, 2])
    for game, seat in ((11, 1), (14, None)):
        events = found.replay(game)
        names = ["balanced"] * 4
        if seat is not None:
            names[seat] = "no-buy"
        assert events[0]["game"] == game
        assert events[0]["policies"] == names
        totals = events[-1]["totals"]
        points = found.values.points[2]
        assert totals == points[1].tolist() if seat is None else totals[seat] == points[0, seat]
    both = ss.compare("no-buy", "plain", until="games=16", deals=[1])
    assert both.replay(14)[0]["policies"] == ["balanced", "balanced", "plain", "balanced"]
    assert both.replay(14)[-1]["totals"][2] == both.values.points[1, 1, 2]


def test_wrong_calls():
    wrong = [
        ({"b": None}, "name a second one, or other rules"),
        ({"b": "plain", "rules_b": "finnish"}, "either two policies or two sets of rules"),
        ({"b": "plain", "until": "soon"}, "it is decided, width=X"),
        ({"b": "plain", "until": "games=0"}, "it is decided, width=X"),
        ({"b": "plain", "until": "games=99999999999"}, "at most"),
        ({"b": "plain", "gate": (3, 1)}, "the smaller first"),
        ({"b": None, "rules_b": "finnish", "against": "plain"}, "sits in all seats"),
        ({"b": None, "rules_b": "finnish", "deals": [9]}, "no deal 9"),
        ({"b": None, "rules": ss.load_rules("finnish"), "overrides_b": {"buy.per_deal": 1}}, "load them changed"),
        ({"b": None, "rules": "finnish", "rules_b": "shanghai", "players": 8}, "2 to 6 players"),
    ]  # fmt: skip
    for options, message in wrong:
        with pytest.raises(ss.InputError, match=message):
            ss.compare("balanced", **options)
    with pytest.raises(ss.InputError) as caught:
        ss.compare("balancd", "plian", rules="shangai")
    assert len(caught.value.problems) == 3


def test_luck_is_taken_out_only_where_that_is_of_use():
    """The estimate keeps its truth, the interval is narrower; what is not clearly of use is left in and reported."""
    asked = {"rules": "shanghai", "until": "games=4000", "coupling": "pile", "deals": [10]}
    raw = ss.compare("aggressive-buy", "balanced", **asked)
    fair = ss.compare("aggressive-buy", "balanced", luck=True, **asked)
    sizes = fair.to_frame().query("part == 'size'").set_index("metric").estimate
    assert sizes["luck_worth"] > 1.02
    assert sizes["luck_out"] == 1
    width = [high - low for low, high in (raw.interval, fair.interval)]
    assert width[0] / width[1] == pytest.approx(sizes["luck_worth"] ** 0.5, rel=1e-6)
    assert abs(fair.difference - raw.difference) < width[0] / 2
    assert raw.values.points.tolist() == fair.values.points.tolist()
    same = ss.compare("balanced", "balanced", luck=True, until="games=1000", deals=[10])
    assert (same.difference, same.interval) == (0, (0, 0))
    few = ss.compare("plain", "balanced", luck=True, until="games=200", deals=[10])
    assert "luck_worth" not in set(few.to_frame().metric)


def test_luck_is_for_a_fixed_number_of_games():
    with pytest.raises(ss.InputError, match="--luck goes with --until games=N"):
        ss.compare("plain", "balanced", luck=True, until="decided")


def test_everybody_changes():
    """Both policies in all seats of their tables, one game a side: what `run` plays of four alike."""
    found = ss.compare("no-buy", "plain", everybody=True, until="games=600", deals=[2, 5])
    assert (found.games, found.blocks) == (600, 300)
    for side, policy in (("variant", "no-buy"), ("baseline", "plain")):
        alone = ss.run([policy] * 4, games=1_200, keep=("games",), deals=[2, 5]).games
        points = alone[alone.rotation == 0].groupby("block").points.mean()
        assert found.block_frame()[side].tolist() == pytest.approx(points.tolist())
    assert found.difference == pytest.approx(
        (found.block_frame().variant - found.block_frame().baseline).mean()
    )
    assert found.verdict.startswith(
        "a table of no-buy gives meaningfully more points than a table of plain: a player scores "
    )
    assert "at a table of no-buy than at a table of plain (95 % interval" in found.verdict
    assert found.context["policies"] == "no-buy or plain in all seats"
    assert "win_share" not in set(found.to_frame().query("part == 'game'").metric)
    same = ss.compare("plain", "plain", everybody=True, until="games=400", deals=[2, 5])
    assert (same.difference, same.verdict.split(":")[0]) == (
        0,
        "a table of plain (A) and a table of plain (B) are exactly the same",
    )
    with pytest.raises(ss.InputError, match="--everybody puts each policy in all seats"):
        ss.compare("plain", "balanced", everybody=True, against="plain")
