"""``shanghai-sim policies``."""

from __future__ import annotations

import json

import pytest

from shanghai_sim.policies.parameters import PARAMETERS
from shanghai_sim.policies.policy import load_policy, preset_names
from tests.cli.test_rules import call


def test_list_has_them_all_in_lines_of_a_terminal():
    lines = call("policies", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(preset_names())
    assert max(map(len, lines)) <= 120
    assert [row["name"] for row in json.loads(call("policies", "list", "--format", "json").stdout)] == list(
        preset_names()
    )


@pytest.mark.parametrize("explain", [(), ("--explain",)])
def test_what_is_shown_loads_again_as_the_same_policy(tmp_path, explain):
    spec = "balanced+buy.max_buys=0/0/0/0/0/0/3/3/3/3+noise=0.1"
    text = call("policies", "show", spec, *explain).stdout
    (tmp_path / "mine.toml").write_text(text)
    again = load_policy(tmp_path / "mine.toml")
    assert again.parameters == load_policy(spec).parameters
    assert again.title == load_policy("balanced").title
    assert ("#" in text) == bool(explain)


def test_show_for_programs():
    shown = json.loads(call("policies", "show", "balanced", "--format", "json").stdout)
    assert shown["name"] == "balanced"
    assert shown["parameters"]["discard"]["outs"] == load_policy("balanced").parameters["discard.outs"]
    assert sum(len(x) if isinstance(x, dict) else 1 for x in shown["parameters"].values()) == len(PARAMETERS)


def test_check_says_what_differs():
    text = call("policies", "check", "no-buy", "plain").stdout
    assert 'buy.when = "never" (default "if-it-helps")' in text
    assert text.count("fine with shanghai") == 2


def test_check_names_all_that_is_wrong_at_once():
    wrong = ("plain+buy.max_by=1", "balancd", "plain+buy.max_buys=1/2")
    done = call("policies", "check", *wrong, "--rules", "finnish", code=2)
    assert "did you mean 'max_buys'" in done.stderr
    assert "did you mean 'balanced'" in done.stderr
    assert "the ruleset has 7 deals, this list 2" in done.stderr


def test_explain_is_for_toml():
    assert (
        "JSON holds no comments"
        in call("policies", "show", "plain", "--explain", "--format", "json", code=2).stderr
    )
