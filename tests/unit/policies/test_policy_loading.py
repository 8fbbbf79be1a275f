"""Policies as data: presets, files, changes, and rows of numbers."""

import json

import numpy as np
import pytest

from shanghai_sim.errors import PolicyError
from shanghai_sim.policies import parameters
from shanghai_sim.policies.parameters import N_PARAMETERS, PARAMETERS
from shanghai_sim.policies.policy import load_policy, preset_names

#: As the decision functions read them: numbers, words by their place.
PLAIN = {
    "noise": 0,
    "draw.min_gain": 1,
    "draw.deny": 0,
    "plan.sets_first": 0,
    "plan.break_sets": 0,
    "buy.when": 2,
    "buy.min_outs": 8,
    "buy.max_buys": 99,
    "buy.from_deal": 1,
    "buy.until_turn": 999,
    "buy.deny": 0,
    "buy.keep": 0,
    "buy.reserve": 0,
    "lay_down.when": 0,
    "lay_down.max_left": 3,
    "lay_down.from_turn": 0,
    "lay_down.until_turn": 999,
    "wild.hold_until_turn": 0,
    "wild.use": 0,
    "wild.dump_from_turn": 999,
    "wild.dump": 0,
    "lay_off.when": 1,
    "lay_off.keep_one": 0,
    "swap.use": 1,
    "discard.prefer": 0,
    "discard.distance": 1000,
    "discard.outs": 0,
    "discard.danger": 0,
    "discard.points": 1,
    "discard.points_from_turn": 0,
    "discard.points_once_down": 1,
    "discard.points_near_out": 1,
    "discard.keep_pairs": 0,
    "discard.keep_connected": 0,
    "opponents.memory": 17,
    "opponents.block_leader": 0,
    "opponents.near_out": 3,
    "score.risk": 0,
}


#: What the file of `balanced` says.
BALANCED = {
    "buy.when": 3,
    "buy.min_outs": 6,
    "buy.keep": 2,
    "discard.outs": 4,
    "discard.danger": 2,
    "discard.points": 0.5,
}


def by_key(row):
    return {parameter.key: value for parameter, value in zip(PARAMETERS, row, strict=True)}


def problems(spec):
    with pytest.raises(PolicyError) as caught:
        load_policy(spec)
    assert caught.value.exit_code == 2
    return list(caught.value.problems)


def one_problem(spec):
    (problem,) = problems(spec)
    return problem


def test_presets_ship_with_a_sentence_each():
    assert {"plain", "random", "aggressive-buy", "no-buy"} <= set(preset_names())
    for name in preset_names():
        policy = load_policy(name)
        assert (policy.name, policy.label) == (name, name)
        assert policy.title.endswith(".")


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("plain", {}),
        ("random", {"noise": 1}),
        ("aggressive-buy", BALANCED | {"buy.when": 4, "buy.keep": 0}),
        ("no-buy", BALANCED | {"buy.when": 0}),
    ],
)
def test_presets_as_numbers(name, changes):
    rows = load_policy(name).rows(10)
    assert rows.dtype == np.float64
    assert [by_key(row) for row in rows.tolist()] == 11 * [PLAIN | changes]


def test_columns_have_the_names_of_their_keys():
    assert len(PARAMETERS) == N_PARAMETERS
    for column, parameter in enumerate(PARAMETERS):
        assert getattr(parameters, parameter.key.replace(".", "_").upper()) == column
        assert parameter.kind.read(parameter.default) == parameter.default


def test_changes_behind_a_name():
    policy = load_policy("plain+buy.when=never+buy.max_buys=0/1/2+noise=0.5")
    assert policy.label == "plain+buy.when=never+buy.max_buys=0/1/2+noise=0.5"
    assert policy.name == "plain"
    rows = policy.rows(3)
    assert rows.shape == (4, N_PARAMETERS)
    assert rows[:, parameters.BUY_MAX_BUYS].tolist() == [0, 1, 2, 2]  # sudden death is like the last deal
    assert set(rows[:, parameters.BUY_WHEN]) == {0}
    assert set(rows[:, parameters.NOISE]) == {0.5}


def test_words_may_change_from_deal_to_deal():
    assert load_policy("plain+buy.when=never/always").rows(2)[:, parameters.BUY_WHEN].tolist() == [0, 4, 4]


def test_a_list_is_as_long_as_there_are_deals():
    with pytest.raises(
        PolicyError, match=r"buy\.max_buys: must have one value per deal: the ruleset has 10 deals"
    ):
        load_policy("plain+buy.max_buys=0/1").rows(10)


def test_files(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'based_on = "no-buy"\nnoise = 0.25\n[buy]\nmax_buys = [1, 2]\n[discard]\nprefer = "cheapest"\n'
    )
    policy = load_policy(path)
    assert (policy.name, policy.title, policy.label) == ("mine", "Built on no-buy.", str(path))
    assert policy.parameters["buy.max_buys"] == (1, 2)
    expected = PLAIN | BALANCED | {"noise": 0.25, "buy.when": 0, "buy.max_buys": 1, "discard.prefer": 1}
    assert by_key(policy.rows(2)[0].tolist()) == expected
    assert load_policy(f"{path}+noise=1").parameters["noise"] == 1


def test_in_full_it_can_be_written_as_json():
    full = load_policy("plain+buy.max_buys=0/1").to_dict()
    assert json.loads(json.dumps(full)) == full
    assert full["parameters"]["buy"]["max_buys"] == [0, 1]
    assert full["parameters"]["buy"]["when"] == "if-it-helps"
    assert full["parameters"]["noise"] == 0


def test_equal_specs_are_equal_policies_and_labels_tell_them_apart():
    assert load_policy("plain") == load_policy("plain")
    assert len({load_policy("plain"), load_policy("plain"), load_policy("plain+noise=0")}) == 2


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("plian", "unknown policy 'plian' (did you mean 'plain'?), or a FILE.toml"),
        ("zzz", f"; there are {', '.join(preset_names())}, or a FILE.toml"),
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("plain+never", "plain+never: after a + there must be key=value"),
        ("my.py:name", "my.py:name: not built yet"),
        ("rollout:100", "rollout:100: not built yet"),
        (
            "plain+buy.whn=never",
            "buy.whn: unknown key; allowed here: when, min_outs, max_buys, from_deal, until_turn, deny, keep, "
            "reserve (did you mean 'when'?)",
        ),
        ("plain+max_buys=3", "(did you mean 'buy.max_buys'?)"),
        (
            "plain+buy=3",
            "buy: must be a table with when, min_outs, max_buys, from_deal, until_turn, deny, keep, reserve",
        ),
        ("plain+buy.when=nevr", "(did you mean 'never'?)"),
        ("plain+buy.when=0", 'must be "never", "only-if-short", "if-it-helps", "if-outs-grow" or "always"'),
        ("plain+noise=2", "noise: must be a number from 0 to 1"),
        ("plain+noise=nan", "noise: must be a number from 0 to 1"),
        ("plain+noise=true", "not true"),
        ("plain+buy.max_buys=1.5", "whole number from 0 to 99"),
        ("plain+buy.max_buys=0/100", "entry 2 must be a whole number from 0 to 99"),
        ("plain+buy.max_buys=0//1", "is no TOML value"),
        ("plain+draw.min_gain=2", "whole number from 0 to 1"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(spec, says):
    assert says in one_problem(spec)


def test_everything_wrong_in_a_file_is_told_at_once(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('based_on = "plian"\nnoise = 3\nbuy = 2\n[swap]\nuse = "allways"\n[discrd]\nprefer = 1\n')
    lines = problems(f"{path}+noise=x")
    assert len(lines) == 6
    assert "(did you mean 'always'?)" in "\n".join(lines)
    assert "(did you mean 'discard.prefer'?)" in "\n".join(lines)
    path.write_text("noise = \n")
    assert one_problem(str(path)).startswith(f"{path}: line 1")


def test_a_loaded_policy_is_changed_as_on_the_command_line():
    changes = ["buy.max_buys=0/0/0/3", "noise=0.5"]
    changed = load_policy("plain").changed(changes)
    written = load_policy("+".join(["plain", *changes]))
    assert (changed.label, changed.parameters) == (written.label, written.parameters)
    assert load_policy("plain").changed(()) == load_policy("plain")
    with pytest.raises(PolicyError, match=r"buy\.max_buy: unknown key; .*did you mean 'max_buys'"):
        load_policy("plain").changed(["buy.max_buy=1"])


def test_who_heeds_the_scores():
    assert not load_policy("balanced").heeds_scores
    assert load_policy("balanced+score.risk=-1").heeds_scores
    assert load_policy("balanced+opponents.block_leader=0/0/0/2").heeds_scores
    assert not load_policy("balanced+score.risk=0/0/0/0").heeds_scores
