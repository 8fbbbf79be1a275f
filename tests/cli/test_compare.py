"""``compare`` and ``replay --compare`` through the real command line."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import time

import pytest

from tests.cli.test_run import COMMAND, call


def test_the_first_line_says_which_is_better():
    done = call("compare", "balanced", "aggressive-buy", "--until", "games=2000")
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert first.startswith("balanced is meaningfully better than aggressive-buy: it scores ")
    assert "points a game fewer (95 % interval " in first
    assert "2,000 games against balanced" in first
    for words in ("seed 1", "blocks 250", "table Elo", "100 evenings", "S3 S3 R4 R4", "seat 0 deals first"):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:])) <= 100


def test_json_and_csv_hold_the_same_figures():
    args = ("compare", "no-buy", "balanced", "--until", "games=800", "--deals", "1,8")
    data = json.loads(call(*args, "--format", "json").stdout)
    assert data["context"]["deals"] == "1,8"
    assert data["comparison"]["margin"] == 0.4
    assert data["comparison"]["low"] < data["comparison"]["difference"] < data["comparison"]["high"]
    assert data["summary"][0]["estimate"] == data["comparison"]["difference"]
    rows = list(csv.DictReader(io.StringIO(call(*args, "--format", "csv").stdout)))
    assert len(rows) == len(data["summary"])
    assert float(rows[0]["estimate"]) == data["comparison"]["difference"]


def test_rules_are_compared():
    done = call("compare", "balanced", "--set-b", "buy.per_deal=1", "--until", "games=800")
    assert done.returncode == 0, done.stderr
    assert "fewer under shanghai than under shanghai+buy.per_deal=1" in done.stdout
    assert "not tuned anew" in done.stdout
    assert "turns of all seats" in done.stdout


def test_the_same_command_gives_the_same_numbers():
    args = ("compare", "no-buy", "plain", "--rules", "finnish", "--players", "5", "--until", "games=2000")
    assert len({call(*args, "--workers", n, PYTHONHASHSEED=n).stdout for n in ("1", "2")}) == 1


def test_a_plan_plays_a_pilot_alone():
    done = call("compare", "balanced", "no-buy", "--plan", "--effect", "8", "--deals", "1-3")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("To see a difference of 8 points between balanced and no-buy takes ")
    assert "namespace pilot" in done.stdout
    data = json.loads(
        call(
            "compare", "balanced", "no-buy", "--plan", "--effect", "4", "--deals", "1-3", "--format", "json"
        ).stdout
    )
    fixed, expected, twice, most = (row["blocks"] for row in data["summary"])
    assert twice < fixed < expected < most
    # Half the effect takes four times the blocks.
    first = done.stdout.split(" games (")[1].split(" blocks")[0].replace(",", "")
    assert fixed == pytest.approx(4 * int(first), rel=0.05)
    same = call("compare", "balanced", "save-buys", "--plan", "--deals", "7")
    assert "did exactly the same" in same.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("balanced",), "name a second one, or other rules"),
        (("balanced", "no-buy", "--rules-b", "finnish"), "either two policies or two sets of rules"),
        (("balanced", "no-buy", "--until", "soon"), "it is decided, width=X"),
        (("balanced", "no-buy", "--until", "decidd"), "did you mean 'decided'"),
        (("balanced", "no-buy", "--effect", "2"), "goes with --plan"),
        (("balanced", "no-buy", "--plan", "--until", "decided"), "--until: --plan plays a pilot run alone"),
        (("balanced", "no-buy", "--gate", "3,0"), "the smaller first"),
        (("balanced", "no-buy", "--gate", "0,3", "--until", "decided"), "leave out --until"),
        (("balanced", "no-buy", "--max-games", "100"), "here the games are fixed"),
        (("balanced", "no-buy", "--resume"), "--resume needs --out"),
        (("balanced", "no-buy", "--plot", "x.jpg"), "ends in .svg"),
        (("balancd", "no-buy"), "did you mean 'balanced'"),
        (("balanced", "--rules-b", "finnish", "--against", "plain"), "leave out --against"),
        (("balanced", "--rules-b", "finnish", "--deals", "9"), "no deal 9"),
        (("balanced", "no-buy", "--out", "/proc/nowhere"), "cannot be written"),
        ((), "Missing argument 'A'"),
    ],
)
def test_bad_input_is_one_clear_line(args, message):
    done = call("compare", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_interrupted_comparison_goes_on(tmp_path):
    args = ["compare", "balanced+buy.min_outs=30", "balanced", "--rules", "shanghai-quick-odd"]
    args += ["--until", "games=6000", "--plot", str(tmp_path / "figure.svg")]
    out = tmp_path / "out"
    # A shell that runs the tests in the background has them ignore SIGINT, and so would the child.
    with subprocess.Popen(
        [*COMMAND, *args, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (no threads here)
    ) as process:
        try:
            deadline = time.monotonic() + 240
            while not list(out.glob("parts/*.npz")) and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "--resume goes on" in stderr
    assert stdout == ""
    assert not (tmp_path / "figure.svg").exists()
    refused = call(*args, "--out", str(out))
    assert refused.returncode == 2
    assert "a part of this run; --resume goes on with it" in refused.stderr
    other = call("compare", "no-buy", "balanced", "--out", str(out), "--resume")
    assert other.returncode == 2
    assert "holds another run" in other.stderr
    done = call(*args, "--out", str(out), "--resume")
    assert done.returncode == 0, done.stderr
    assert done.stdout == call(*args).stdout
    assert (tmp_path / "figure.svg").exists()
    assert sorted(os.listdir(out)) == ["blocks.npz", "compare.json", "comparison.csv"]


def test_replay_shows_a_game_of_a_comparison():
    args = ("replay", "--compare", "no-buy,balanced", "--game", "6", "--deals", "1")
    text = call(*args).stdout
    assert "Game 6 of seed 1" in text
    assert "seat 0: balanced  seat 1: no-buy  seat 2: balanced  seat 3: balanced" in text
    # The fifth game of a block is the one in which all play the baseline.
    assert "seat 1: balanced" in call(*args[:4], "9", *args[5:]).stdout
    for wrong in (("--compare", "no-buy"), ("--compare", "no-buy,plain", "--policy", "plain")):
        assert call("replay", *wrong).returncode == 2
