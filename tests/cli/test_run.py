"""``run`` and ``replay`` through the real command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "shanghai_sim"]


def call(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args], capture_output=True, text=True, env=os.environ | env, check=False, timeout=300
    )


def test_the_first_line_answers():
    done = call("run", "--policy", "aggressive-buy", "--games", "2000")
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert first.startswith("balanced does better at this table: ")
    assert "points a game less than aggressive-buy (95 % interval " in first
    assert "2,000 games" in first
    assert "seed 1" in done.stdout
    assert "blocks 500" in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:])) <= 100


def test_json_and_csv_hold_the_same_figures():
    args = ("run", "--policies", "plain,no-buy,aggressive-buy,random", "--games", "800", "--deals", "1,8")
    data = json.loads(call(*args, "--format", "json").stdout)
    assert data["context"]["deals"] == "1,8"
    assert {row["group"] for row in data["summary"]} == {
        "plain", "no-buy", "aggressive-buy", "random", "(table)",
    }  # fmt: skip
    lines = call(*args, "--format", "csv").stdout.splitlines()
    assert len(lines) == len(data["summary"]) + 1


def test_the_same_command_gives_the_same_numbers():
    args = ("run", "--rules", "finnish", "--policy", "no-buy", "--players", "5", "--games", "500")
    outputs = {call(*args, "--workers", n, PYTHONHASHSEED=n).stdout for n in ("1", "2", "3")}
    assert len(outputs) == 1


def test_too_few_games_claim_nothing():
    assert call("run", "--policy", "random", "--games", "8").stdout.startswith("Too few games to tell")


def test_equal_policies_score_the_same():
    first = call("run", "--policy", "balanced", "--games", "800").stdout.splitlines()[0]
    assert "exactly the same" in first


def test_a_mixture_is_drawn():
    done = call("run", "--policy", "plain", "--against", "no-buy,no-buy,random", "--games", "1600")
    assert "no-buy,no-buy,random" in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--policy", "aggresive-buy"), "did you mean 'aggressive-buy'"),
        (("--policy", "plain", "--rules", "finish"), "did you mean 'finnish'"),
        (("--policy", "plain", "--players", "9"), "3 to 8 players"),
        (("--policy", "plain", "--games", "0"), "--games"),
        (("--policy", "plain", "--set", "buy.per_dael=2"), "did you mean 'per_deal'"),
        (("--policy", "plain", "--deals", "12"), "has deals 1 to 10"),
        (("--policy", "plain", "--policies", "plain,plain,plain"), "give either --policy"),
        ((), "give either --policy"),
        (("--policy", "plain", "--resume"), "--resume needs --out"),
        (("--policy", "plain", "--set", "deal.hand_size=21"), "hands of 3-20"),
        (("--policy", "plain", "--out", "/proc/nowhere"), "cannot be written"),
        (("--policies", "plain,plain,plain", "--against", "plain"), "--against goes with --policy"),
    ],
)
def test_bad_input_is_one_clear_line(args, message):
    done = call("run", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_interrupted_run_says_how_to_go_on(tmp_path):
    out = tmp_path / "run"
    args = ["run", "--policy", "aggressive-buy", "--games", "4000000", "--out", str(out)]
    # A shell that runs the tests in the background has them ignore SIGINT, and so would the child.
    with subprocess.Popen(
        [*COMMAND, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (no threads here)
    ) as process:
        try:
            deadline = time.monotonic() + 240
            while not list(out.glob("parts/*.npz")) and time.monotonic() < deadline:
                time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "--resume goes on" in stderr
    assert "Traceback" not in stderr
    assert stdout == ""
    assert not list(out.glob("**/.*.tmp"))


def test_replay_shows_the_game_of_the_run():
    text = call("replay", "--rules", "finnish", "--seed", "3", "--game", "5").stdout
    events = [
        json.loads(line)
        for line in call(
            "replay", "--rules", "finnish", "--seed", "3", "--game", "5", "--format", "jsonl"
        ).stdout.splitlines()
    ]
    assert events[0]["event"] == "game"
    assert events[-1]["event"] == "game-end"
    for seat, total in enumerate(events[-1]["totals"]):
        assert f"seat {seat} (balanced): {total}" in text
    assert "lays down" in text


def test_replay_writes_letters_where_symbols_cannot_be_shown():
    text = call("replay", "--deals", "1", PYTHONIOENCODING="ascii").stdout
    assert "♠" not in text
    assert "Deal 1" in text
