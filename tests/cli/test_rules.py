"""`shanghai-sim rules`: list, show and check; and what all commands share."""

import csv
import io
import json
import os
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from shanghai_sim._version import ENGINE_VERSION, __version__
from shanghai_sim.cli import COMMANDS, cli, options
from shanghai_sim.errors import InputError, PolicyError, RunError
from shanghai_sim.rules.meanings import MEANINGS
from shanghai_sim.rules.ruleset import load_ruleset, preset_names
from shanghai_sim.simulation.plan import make_plan


def call(*args, code=0):
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def test_list():
    lines = call("rules", "list").stdout.splitlines()
    assert lines[0].split() == ["name", "players", "deals", "title"]
    assert [line.split()[0] for line in lines[1:]] == list(preset_names())
    assert max(map(len, lines)) <= 100
    rows = json.loads(call("rules", "list", "--format", "json").stdout)
    assert rows[0] == {
        "name": "shanghai",
        "players": "3-8",
        "deals": 10,
        "title": load_ruleset("shanghai").title,
    }
    table = list(csv.DictReader(io.StringIO(call("rules", "list", "--format", "csv").stdout)))
    assert [row["name"] for row in table] == [row["name"] for row in rows]


@pytest.mark.parametrize(("fmt", "suffix"), [("toml", "toml"), ("json", "json")])
def test_what_show_prints_can_be_loaded(tmp_path, fmt, suffix):
    change = ("--set", "buy.per_deal=[3,3,3,3,3,3,3,3,4,4]", "--set", 'title="A \\"house\\" é"')
    text = call("rules", "show", "shanghai-canonical", *change, "--format", fmt).stdout
    path = tmp_path / f"house.{suffix}"
    path.write_text(text, encoding="utf-8")
    assert load_ruleset(path) == load_ruleset("shanghai-canonical", [change[1], change[3]])
    assert call("rules", "show", str(path), "--format", fmt).stdout == text


def test_show_explains_every_option(tmp_path):
    text = call("rules", "show", "finnish", "--explain").stdout
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    assert load_ruleset(path) == load_ruleset("finnish")
    told = [line for line in text.splitlines() if not line.startswith("# ")]
    assert told == call("rules", "show", "finnish").stdout.splitlines()
    sentences = re.findall(r"((?:^# .*\n)+)(\w+) = ", text, re.MULTILINE)
    comments = [" ".join(line.removeprefix("# ") for line in lines.splitlines()) for lines, _ in sentences]
    assert comments == list(MEANINGS.values())
    assert [key for _, key in sentences] == [option.partition(".")[2] for option in MEANINGS]
    result = call("rules", "show", "finnish", "--explain", "--format", "json", code=2)
    assert "--explain is for --format toml" in result.output


def test_check_answers_first():
    lines = call("rules", "check", "shanghai-one-buy").stdout.splitlines()
    assert lines[0] == (
        "shanghai-one-buy: contract 8 (S3 S3 R4 R4) can never be made: "
        "it takes 14 cards and one to discard; with 1 buy a hand holds 14"
    )
    lines = call("rules", "check", "shanghai", "--players", "5").stdout.splitlines()
    assert (
        lines[0]
        == "shanghai: every contract can be made; contracts 9 and 10 need 1 buy, contract 8 needs 2 buys"
    )
    assert lines[2] == "With 5 players:"
    assert len(lines) == 4 + 10
    assert max(map(len, lines)) <= 100
    text = call("rules", "check", "liverpool").stdout
    assert text.startswith("liverpool: every contract can be made; none needs a buy\n")
    assert "Note" not in text


def test_check_for_programs():
    change = (
        "--set",
        "score.sudden_death_contract=R10",
        "--set",
        "swap.freed_wild=table",
        "--set",
        "swap.melds=none",
    )
    found = json.loads(call("rules", "check", "shanghai", *change, "--format", "json").stdout)
    assert found["players"] == 4
    assert [deal["buys_needed"] for deal in found["deals"]] == [0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0]
    assert [deal["sudden_death"] for deal in found["deals"]] == 10 * [False] + [True]
    assert found["warnings"][0]["keys"] == ["swap.freed_wild", "swap.melds"]
    assert found["not_playable"] == []
    rows = list(csv.DictReader(io.StringIO(call("rules", "check", "shanghai", "--format", "csv").stdout)))
    assert rows[7]["buys_needed"] == "2"
    assert rows[7]["one_turn_buys"] == ""


def test_check_of_too_few_cards_answers_that_once():
    text = call("rules", "check", "shanghai", "--set", "cards.packs={2=1}", "--players", "8").stdout
    assert text.startswith("shanghai: 58 cards are too few for 8 players")
    assert text.count("are too few for 8 players") == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["rules", "show", "shangai"], "Error: unknown ruleset 'shangai' (did you mean 'shanghai'?)"),
        (["rules", "check", "shanghai", "--players", "9"], "Error: shanghai: is for 3 to 8 players, not 9"),
        (["rules", "check", "shanghai", "--set", "buy.x=1"], "Error: --set buy.x=1: buy.x: unknown key"),
        (["rules", "check", "shanghai", "--players", "0"], "Error: Invalid value for '--players'"),
        (["ruls"], "Error: unknown command 'ruls' (did you mean 'rules'?)"),
        (["zzz"], "Error: unknown command 'zzz'; there are run, "),
        (["rules", "show", "shanghai", "--fromat", "json"], "--fromat"),
        (["--sed"], "No such option"),
    ],
)
def test_wrong_calls_exit_2(args, says):
    result = call(*args, code=2)
    assert says in result.stderr
    assert result.stdout == ""


def test_every_problem_is_a_line():
    result = call("rules", "show", "shanghai", "--set", "buy.x=1", "--set", "buy.per_deal=y", code=2)
    assert [line.startswith("Error: ") for line in result.stderr.splitlines()] == [True, True]


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (InputError("one", "two"), 2, "Error: one\nError: two\n"),
        (RunError("broken"), 1, "Error: broken\n"),
        (KeyboardInterrupt(), 130, "Error: interrupted\n"),
        (OSError(28, "No space left on device", "out.csv"), 1, "Error: out.csv: No space left on device\n"),
        (OSError(28, "No space left on device"), 1, "Error: No space left on device\n"),
        (MemoryError(), 1, "Error: not enough memory\n"),
        (BrokenPipeError(32, "Broken pipe"), 1, ""),
    ],
)
def test_exit_codes(monkeypatch, error, code, says):
    def fail():
        raise error

    monkeypatch.setattr(type(cli), "get_command", lambda *_: click.Command("rules", callback=fail))
    assert call("rules", code=code).stderr.lstrip("\n") == says


def test_help_and_version():
    text = call("--help").stdout
    for name, line in COMMANDS.items():
        assert f"{name} " in text
        assert line in text
    assert f"{__version__} (engine version {ENGINE_VERSION})" in call("--version").stdout
    assert "check" in call("rules", "--help").stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
def test_a_full_disk_is_told():
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "shanghai_sim", "rules", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (1, "Error: No space left on device\n")


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" in CliRunner().invoke(cli, ["rules", "list"], color=True).output
    assert "\x1b" not in call("rules", "list").output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in CliRunner().invoke(cli, ["rules", "list"], color=True).output
    assert "\x1b" not in CliRunner().invoke(cli, ["rules", "show", "x"], color=True).output


# The options that commands share.


@pytest.mark.parametrize(
    ("text", "deals"),
    [("7-10", (7, 8, 9, 10)), ("1,3,5", (1, 3, 5)), ("3", (3,)), ("5,1-2, 2", (1, 2, 5)), (None, None)],
)
def test_a_choice_of_deals(text, deals):
    assert options.read_deals(click.Context(cli), click.Option(["--deals"]), text) == deals


@pytest.mark.parametrize("text", ["", "0", "0-3", "5-3", "a", "1-", "1,,2", "-1", "1.5"])
def test_what_is_no_choice_of_deals(text):
    with pytest.raises(click.BadParameter, match="such as 7-10 or 1,3,5"):
        options.read_deals(click.Context(cli), click.Option(["--deals"]), text)


def test_deals_must_exist():
    rules, plain = load_ruleset("finnish"), 4 * options.load_policies("plain")
    assert make_plan(rules, plain, deals=None).deals is None
    assert make_plan(rules, plain, deals=(6, 7)).deals == (6, 7)
    with pytest.raises(InputError, match="finnish has deals 1 to 7, there is no deal 8"):
        make_plan(rules, plain, deals=(7, 8))
    with pytest.raises(InputError, match="there is no deal 9"):
        make_plan(rules, plain, deals=(7, 8, 9))


def test_how_many_play():
    rules = load_ruleset("shanghai")
    assert [options.number_of_players(rules, asked) for asked in (None, 6)] == [4, 6]
    assert options.number_of_players(load_ruleset("shanghai", ["players.min=5"]), None) == 5
    assert options.number_of_players(load_ruleset("shanghai", ["players.max=3"]), None) == 3


def test_lists_of_policies():
    spec = "plain,no-buy, plain+buy.max_buys=0/1"
    assert [policy.label for policy in options.load_policies(spec)] == [
        "plain",
        "no-buy",
        "plain+buy.max_buys=0/1",
    ]
    with pytest.raises(PolicyError) as caught:
        options.load_policies("plian,nobuy,plian")
    assert len(caught.value.problems) == 2
