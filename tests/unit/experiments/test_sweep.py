"""Sweeps: the same blocks for all values, the baseline, what may be varied, the words."""

from __future__ import annotations

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.experiments import grid as gr
from shanghai_sim.experiments.sweep_request import request
from shanghai_sim.experiments.sweep_words import Words

QUICK = {"rules": "shanghai-quick-odd", "deals": [1, 2]}


def axes(vary, policy="balanced", rules="shanghai"):
    return gr.read_axes(vary, ss.load_policy(policy), ss.load_rules(rules))


def refused(vary, **rest):
    with pytest.raises(ss.InputError) as error:
        axes(vary, **rest)
    return str(error.value)


# What is varied


def test_values_are_read_as_on_the_command_line():
    assert gr.read_vary(["buy.max_buys=0, 1,2", "score.points={JK = 15, A = 1},{JK = 20}"]) == {
        "buy.max_buys": ["0", "1", "2"],
        "score.points": ["{JK = 15, A = 1}", "{JK = 20}"],
    }
    assert gr.read_vary(['deal.contracts=["S3 S3","S3 R4"],["R4 R4"]']) == {
        "deal.contracts": ['["S3 S3","S3 R4"]', '["R4 R4"]']
    }


@pytest.mark.parametrize("text", ["buy.max_buys", "=1", "buy.max_buys=", "buy.max_buys= "])
def test_what_is_no_assignment_is_refused(text):
    with pytest.raises(ss.InputError, match="must be KEY=VALUE,VALUE"):
        gr.read_vary([text])


def test_the_same_key_twice_is_refused():
    with pytest.raises(ss.InputError, match="given twice; name all its values in one"):
        gr.read_vary(["buy.keep=1", "buy.keep=2"])


def test_keys_are_of_policies_or_rules():
    (one,) = axes({"buy.max_buys": ["0", 2, "0/0/3/3/3/3/3/3/3/3"]})
    assert (one.where, one.texts, one.own) == ("policy", ("0", "2", "0/0/3/3/3/3/3/3/3/3"), "99")
    (one,) = axes({"discard.outs": ["0.5", 4]})
    assert one.texts == ("0.5", "4")
    (one,) = axes({"buy.per_deal": [0, "unlimited"]})
    assert (one.where, one.own) == ("rules", "3")
    (one,) = axes({"score.points.JK": ["15"]})
    assert (one.where, one.own) == ("rules", "25")
    assert axes({"policy:buy.max_buys": [1]}) == axes({"buy.max_buys": [1]})
    assert axes({"rules:buy.per_deal": [1]}) == axes({"buy.per_deal": [1]})


def test_a_key_of_both_kinds_must_say_which(monkeypatch):
    assert not set(gr.BY_KEY) & set(gr._rule_keys())
    monkeypatch.setitem(gr.BY_KEY, "buy.per_deal", gr.BY_KEY["buy.max_buys"])
    assert "say policy:buy.per_deal or rules:buy.per_deal" in refused({"buy.per_deal": [1]})
    (one,) = axes({"rules:buy.per_deal": [1]})
    assert one.where == "rules"


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        (
            {"buy.max_buy": [1]},
            "neither a parameter of policies nor an option of rules (did you mean 'buy.max_buys'?)",
        ),
        ({"buy.per_del": [1]}, "(did you mean 'buy.per_deal'?)"),
        ({"rules:buy.max_buys": [1]}, "--vary buy.max_buys: no option of rules"),
        ({"policy:buy.per_deal": [1]}, "--vary buy.per_deal: no parameter of policies"),
        ({"seat:buy.per_deal": [1]}, "before the colon stands policy or rules, not 'seat'"),
        ({"buy.max_buys": [-1]}, "--vary buy.max_buys: must be a whole number from 0 to"),
        ({"buy.when": ["nevr"]}, "(did you mean 'never'?)"),
        ({"buy.per_deal": ["-1"]}, "--vary buy.per_deal=-1: buy.per_deal: must be"),
        ({"meld.max_wilds": ["x"]}, "meld.max_wilds: must be"),
        ({"buy.max_buys": [1, "1"]}, "--vary buy.max_buys: 1 is given twice"),
        ({"buy.max_buys": []}, "names no value"),
        ({}, "nothing is varied"),
        ({"buy.max_buys": [1], "buy.per_deal": [1]}, "are not varied together"),
        (
            {"buy.max_buys": range(11), "wild.hold_until_turn": range(10)},
            "110 points; a sweep takes at most 100",
        ),
    ],
)
def test_what_cannot_be_varied_is_refused(vary, message):
    assert message in refused(vary)


def asked(vary, policy="balanced", rules="shanghai", against=("balanced",), **rest):
    others = None if against is None else [ss.load_policy(name) for name in against]
    return request(ss.load_policy(policy), ss.load_rules(rules), vary, against=others, **rest)


def test_the_baseline_is_a_grid_point_or_stands_before_them():
    found = asked({"buy.max_buys": [0, 99, 1]})
    assert [(point.texts, point.baseline) for point in found.points] == [
        (("0",), False), (("99",), True), (("1",), False),
    ]  # fmt: skip
    assert found.points[1].policy.label == "balanced"
    found = asked({"buy.max_buys": [0, 1], "buy.when": ["always", "never"]})
    assert [point.texts for point in found.points] == [
        ("99", "if-outs-grow"), ("0", "always"), ("0", "never"), ("1", "always"), ("1", "never"),
    ]  # fmt: skip
    assert [point.baseline for point in found.points] == [True, False, False, False, False]
    assert (
        found.points[3].policy.parameters
        == ss.load_policy("balanced+buy.max_buys=1+buy.when=always").parameters
    )
    with pytest.raises(ss.InputError, match="name another"):
        asked({"buy.max_buys": [99]})


def test_games_are_shared_and_a_table_of_equals_is_one_game():
    found = asked({"buy.max_buys": [0, 1]}, games=1_000)
    assert [arm.rotations for arm in found.arms] == [1, 4, 4]
    assert found.blocks == 112
    assert found.context()["games"] == 112 * 9
    assert asked({"buy.max_buys": [0, 1]}, against=["plain"]).games_a_block == 12
    found = asked({"buy.per_deal": [0, 1]}, against=None)
    assert [arm.rotations for arm in found.arms] == [1, 1, 1]


def test_rules_that_cannot_be_played_so_are_named_with_their_value():
    with pytest.raises(ss.InputError, match=r"--vary players.max=3: .*players"):
        asked({"players.max": [3]}, against=None, players=4)
    with pytest.raises(ss.InputError, match="nobody can be against it"):
        asked({"buy.per_deal": [1]})


# What comes out


def test_a_difference_is_that_of_two_runs():
    found = ss.sweep("balanced", {"buy.max_buys": [0]}, games=500, **QUICK)
    frame = found.to_frame().set_index("buy.max_buys")
    blocks = found.asked.blocks
    runs = {
        name: ss.run(name, games=4 * blocks, **QUICK).games.query("policy_index == 0")
        for name in ("balanced", "balanced+buy.max_buys=0")
    }
    per_block = [games.groupby("block").points.mean() for games in runs.values()]
    assert frame.points["99"] == pytest.approx(per_block[0].mean())
    assert frame.points["0"] == pytest.approx(per_block[1].mean())
    assert frame.points_difference["0"] == pytest.approx((per_block[1] - per_block[0]).mean())
    assert frame.win_share["0"] == pytest.approx(runs["balanced+buy.max_buys=0"].win_share.mean())
    assert frame.win_share["99"] == pytest.approx(0.25)
    assert (frame.n_blocks == blocks).all()
    width = frame.points_difference_high["0"] - frame.points_difference_low["0"]
    spread = (per_block[1] - per_block[0]).std() / np.sqrt(blocks)
    assert width == pytest.approx(2 * 1.98 * spread, rel=0.1)


def test_a_value_that_changes_nothing_has_differences_of_nought():
    found = ss.sweep("balanced", {"buy.max_buys": [3, 99], "noise": [0]}, games=200, **QUICK)
    row = found.rows[0]
    assert row["buy.max_buys"] == "3"
    assert all(row[f"points_difference{end}"] == 0 for end in ("", "_low", "_high"))
    assert row["may_be_best"]


def test_rules_are_varied_for_everybody():
    found = ss.sweep("plain", {"buy.per_deal": [0, 3]}, games=300, **QUICK)
    assert found.context["policies"] == "plain in all seats"
    frame = found.to_frame().set_index("buy.per_deal")
    played = ss.run(
        ["plain"] * 4, games=4 * found.asked.blocks, overrides={"buy.per_deal": 0}, **QUICK
    ).games.query("rotation == 0")
    assert frame.points["0"] == pytest.approx(played.points.mean())
    totals = np.sort(played.pivot_table(index="block", columns="seat", values="points").to_numpy(), axis=1)
    assert frame.winner_points["0"] == pytest.approx(totals[:, 0].mean())
    assert frame.margin["0"] == pytest.approx((totals[:, 1] - totals[:, 0]).mean())
    assert frame.buys["0"] == 0 < frame.buys["3"]
    assert frame.baseline.tolist() == [False, True]
    assert "may_be_best" not in frame


def test_workers_change_nothing():
    vary = {"buy.max_buys": [0, 1], "buy.when": ["always", "never"]}
    one, two = (ss.sweep("balanced", vary, games=3_000, workers=workers, **QUICK) for workers in (1, 2))
    assert one.rows == two.rows
    assert one.verdict == two.verdict


def test_save(tmp_path):
    found = ss.sweep("balanced", {"buy.max_buys": [0]}, games=100, **QUICK)
    found.save(tmp_path / "s")
    assert (tmp_path / "s" / "sweep.csv").read_text().startswith("buy.max_buys,baseline,may_be_best,points,")
    assert "Too few games" in (tmp_path / "s" / "sweep.json").read_text()


# Words


def row(value, difference, half, *, baseline=False, best=False, blocks=500, turns=0.0):
    found = {"k": value, "baseline": baseline, "may_be_best": best, "n_blocks": blocks}
    for metric, size in (("points", difference), ("turns", turns)):
        found |= {
            f"{metric}_difference": size,
            f"{metric}_difference_low": size - half,
            f"{metric}_difference_high": size + half,
        }
    return found


def words(rows, of_rules=False):
    return Words(["k"], rows, of_rules=of_rules, games=900, least_games=1_800, per="a game")


BASE = row("3", 0.0, 0.0, baseline=True)


def test_the_best_value_is_the_first_line():
    told = words([row("0", 9, 2), row("1", -2.0, 1.0, best=True), row("2", -3.1, 2.1, best=True), BASE])
    assert told.verdict() == (
        "Best is k=2: 3.1 points a game better than 3, the value as given (95 % interval 1.0 to 5.2, for all values at "
        "once; 900 games); 1 may be as good."
    )
    assert told.finding() == "Best is k=2: 3.1 points a game better than 3, the value as given"


def test_where_no_value_is_better():
    told = words([row("0", 9, 2), row("2", -1, 2), BASE, row("4", 0.0, 0.0)])
    assert told.verdict() == (
        "No value is clearly better than 3, the value as given: k=2 is 1.0 points a game better (95 % interval -1.0 to "
        "3.0, for all values at once; 900 games); clearly worse: 0; the very same points: 4."
    )
    told = words([row("0", 9, 2), BASE])
    assert (
        "the nearest, k=0, is 9.0 points a game worse (95 % interval 7.0 to 11.0; 900 games)"
        in told.verdict()
    )
    assert words([row("0", 0.0, 0.0), BASE]).verdict() == (
        "No value changes anything: all score exactly what 3, the value as given, does (900 games)."
    )


def test_too_few_games_claim_nothing():
    rows = [row("0", 9, 2, blocks=199), row("3", 0, 0, baseline=True, blocks=199)]
    assert words(rows).verdict() == "Too few games to tell: 900 were played; 1,800 games are the least."


def test_what_a_rule_changes():
    told = words([row("0", 9, 2, turns=-5.0), row("2", 1, 2), BASE], of_rules=True)
    assert told.verdict() == (
        "k=0 changes most: a player scores 9.0 points more a game than with 3, the rule as given (95 % interval 7.0 to "
        "11.0, for all values at once; 900 games); a game takes 5.0 turns fewer (3.0 to 7.0)."
    )
    assert words([row("2", -1, 2), BASE], of_rules=True).verdict().startswith(
        "No value clearly changes the points: most does k=2, 1.0 points fewer a game for a player than with 3"
    )  # fmt: skip
