"""``shanghai-sim sweep``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.test_rules import call

QUICK = ("--rules", "shanghai-quick-odd", "--deals", "1-2")
PLAY = ("sweep", "--policy", "balanced", *QUICK, "--games", "2000")
ONE = (*PLAY, "--vary", "buy.max_buys=0,1")


def test_the_first_line_answers_and_the_table_follows():
    first, _, head, *lines = call(*ONE).stdout.splitlines()
    assert first.startswith(
        "No value is clearly better than 99, the value as given: the nearest, buy.max_buys=1, is "
    )
    assert "2,007 games); clearly worse: 0 and 1." in first
    assert " ".join(head.split()) == (
        "buy.max_buys points a game points better 95 % interval may be best % of wins buys a game blocks"
    )
    assert [line.split()[0] for line in lines[:3]] == ["99", "0", "1"]
    assert lines[0].endswith("223  as given")
    assert "varied buy.max_buys=0,1" in " ".join(lines)


def test_rules_are_varied_for_everybody():
    done = call("sweep", "--policy", "plain", *QUICK, "--games", "900", "--vary", "buy.per_deal=0,3")
    assert done.stdout.startswith("buy.per_deal=0 changes most: a player scores ")
    assert "plain in all seats" in done.stdout
    wrong = call("sweep", "--policy", "plain", "--vary", "buy.per_deal=0,3", "--against", "balanced", code=2)
    assert "everybody plays the policy: nobody can be against it" in wrong.stderr


def test_json_and_csv_hold_the_same_figures():
    data = json.loads(call(*ONE, "--format", "json").stdout)
    done = call(*ONE, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert "games 2007" in done.stderr
    assert [row["buy.max_buys"] for row in rows] == ["99", "0", "1"]
    for row, same in zip(rows, data["summary"], strict=True):
        assert row == {key: str(value) for key, value in same.items()}


@pytest.mark.parametrize("more", [(), ("--vary", "buy.when=always,if-it-helps")])
def test_the_same_command_writes_the_same_bytes(more, tmp_path):
    written = {}
    for workers in ("1", "2"):
        path = tmp_path / f"{workers}.svg"
        done = call(*ONE, *more, "--plot", str(path), "--workers", workers)
        assert done.stderr == f"the figure is in {path}\n"
        assert written.setdefault("svg", path.read_bytes()) == path.read_bytes()
        assert written.setdefault("stdout", done.stdout) == done.stdout


def test_three_things_varied_are_a_table_without_a_figure(tmp_path):
    three = (*ONE, "--vary", "buy.keep=0,1", "--vary", "noise=0,0.1")
    assert len(call(*three, "--format", "csv", "--quiet").stdout.splitlines()) == 1 + 8 + 1
    done = call(*three, "--plot", str(tmp_path / "x.svg"), code=2)
    assert "--plot shows one or two things varied, not 3" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--policy", "balancd", "--vary", "buy.max_buys=1"), "did you mean 'balanced'"),
        (("--policy", "balanced", "--vary", "buy.max_buy=1"), "did you mean 'buy.max_buys'"),
        (("--policy", "balanced", "--vary", "buy.max_buys"), "must be KEY=VALUE,VALUE"),
        (("--policy", "balanced", "--vary", "buy.max_buys=a"), "--vary buy.max_buys: must be a whole number"),
        (("--policy", "balanced", "--vary", "buy.per_deal=a"), "buy.per_deal: must be"),
        (("--policy", "balanced", "--vary", "buy.max_buys=99"), "name another to compare it with"),
        (("--policy", "balanced", "--vary", "buy.max_buys=1", "--against", "plan"), "did you mean 'plain'"),
        (("--policy", "balanced", "--vary", "buy.max_buys=1", "--plot", "x.jpg"), "a figure's name ends in"),
        (("--policy", "balanced", "--vary", "buy.max_buys=1", "--deals", "11"), "has deals 1 to 10"),
        (("--policy", "balanced", "--vary", "buy.max_buys=1/2"), "one value per deal"),
        (("--policy", "balanced"), "Missing option '--vary'"),
        (("--vary", "buy.max_buys=1"), "Missing option '--policy'"),
    ],
)
def test_a_wrong_call_is_one_clear_line_before_anything_is_played(args, message, monkeypatch):
    def play(*_, **__):
        raise AssertionError("played")

    monkeypatch.setattr("shanghai_sim.engine.batch.play_blocks", play)
    done = call("sweep", *args, code=2)
    assert message in done.stderr
    assert done.stdout == ""
