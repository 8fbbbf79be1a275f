"""``shanghai-sim tips``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.test_rules import call

TINY = ("--quick", "--screen", "20", "--blocks", "40", "--cell", "4", "--second", "none")


def test_the_list_plays_nothing():
    lines = call("tips", "--list").stdout.splitlines()
    assert len(lines) == 26
    assert lines[7].endswith("Never hold a joker after turn 6.")


def test_the_first_line_answers_and_cards_follow():
    done = call("tips", "never-buy", "18", *TINY)
    first, _, head, *_ = done.stdout.splitlines()
    assert first.startswith("Of 2 tips under shanghai with 4 players: ")
    assert head.split() == ["tip", "advice", "verdict", "points", "interval"]
    assert "15  Never buy." in done.stdout
    assert "How it is read: Buys no card at all." in done.stdout
    assert "2 tips in 3 trials: " in done.stderr


def test_json_csv_and_the_figure(tmp_path):
    data = json.loads(call("tips", "15", *TINY, "--format", "json", "--quiet").stdout)
    path = tmp_path / "tips.svg"
    done = call("tips", "15", *TINY, "--format", "csv", "--plot", str(path))
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == len(data["summary"])
    assert rows[0]["verdict"] == data["summary"][0]["verdict"]
    assert data["verdict"].startswith("Tip 15, 'Never buy': ")
    assert path.stat().st_size > 1_000


def test_house_rules_are_heeded(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('name = "house"\nbased_on = "shanghai-two-buys"\n')
    done = call("tips", "block-the-leader", *TINY, "--rules", str(house), "--players", "3")
    assert "under house with 3 players" in done.stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("joker-clok",), "there is no tip 'joker-clok' (did you mean 'joker-clock'?)"),
        (("26",), "there is no tip '26'; there are 1 to 25: save-buys, "),
        (("7", "--resume"), "--resume needs --out DIR"),
        (("7", "--policy", "balancd"), "unknown policy 'balancd' (did you mean 'balanced'?)"),
        (("7", "--players", "9"), "shanghai: is for 3 to 8 players, not 9"),
        (("7", "--plot", "x.gif"), "x.gif"),
        (("mine.toml",), "mine.toml: no such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(asked, said):
    done = call("tips", *asked, code=2)
    assert said in done.stderr
    assert done.stdout == ""
