"""``policies show --profile`` and its figure."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from shanghai_sim.reporting import figures
from tests.cli.test_rules import call

SHOW = ("policies", "show", "save-buys")
PLAY = (*SHOW, "--profile", "--rules", "shanghai-quick-even", "--games", "800")
#: How a file of each kind begins.
BEGINS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def test_the_first_line_answers_and_the_tables_follow():
    done = call(*PLAY)
    first, *lines = done.stdout.splitlines()
    assert first.startswith("save-buys loses ")
    assert "points a game to balanced (95 % interval " in first
    assert "800 games, seed 1" in first
    text = "\n".join(lines)
    for words in (
        "One save-buys among 3 of balanced:", "The other way round, in as many games, one balanced among 3 of",
        "% of buys", "half by turn", "turns in hand", "turn 10", "seed 1", "S3 S3 R4 R4",
    ):  # fmt: skip
        assert words in text
    assert max(map(len, lines)) <= 100
    assert done.stderr == ""


def test_json_and_csv_hold_the_same_figures():
    data = json.loads(call(*PLAY, "--format", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(call(*PLAY, "--format", "csv", "--quiet").stdout)))
    assert data["context"]["policies"] == "save-buys against balanced; balanced against save-buys"
    assert len(rows) == len(data["summary"])
    for row, same in zip(rows, data["summary"], strict=True):
        assert row == {key: "" if value is None else str(value) for key, value in same.items()}


def test_the_same_command_writes_the_same_bytes(tmp_path):
    written = {}
    for workers in ("1", "2"):
        for ending in figures.KINDS:
            path = tmp_path / f"{workers}{ending}"
            done = call(*PLAY, "--plot", str(path), "--workers", workers)
            assert done.stderr == f"the figure is in {path}\n"
            data = path.read_bytes()
            assert data.startswith(BEGINS[ending])
            assert written.setdefault(ending, data) == data
            assert done.stdout == written.setdefault("stdout", done.stdout)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--plot", "x.svg"), "--plot: goes with --profile"),
        (("--games", "100", "--rules", "finnish"), "--rules, --games: goes with --profile"),
        (("--format", "csv"), "--format csv: without --profile it is toml or json"),
        (("--profile", "--format", "toml"), "--format toml: with --profile it is table or json or csv"),
        (("--profile", "--explain"), "--explain is for the parameters"),
        (("--profile", "--plot", "x.jpg"), "x.jpg: a figure's name ends in .svg, .png, .pdf, not in .jpg"),
        (("--profile", "--plot", "x"), "x: a figure's name ends in .svg, .png, .pdf, not in nothing"),
        (("--profile", "--plot", "nowhere/x.svg"), "there is no folder"),
        (("--profile", "--against", "balancd"), "did you mean 'balanced'"),
        (("--profile", "--rules", "finish"), "did you mean 'finnish'"),
        (("--profile", "--deals", "11"), "has deals 1 to 10"),
        (("--profile", "--players", "9"), "3 to 8 players"),
    ],
)
def test_a_wrong_call_is_one_clear_line_before_anything_is_played(args, message, monkeypatch):
    def play(*_, **__):
        raise AssertionError("played")

    monkeypatch.setattr("shanghai_sim.engine.batch.play_blocks", play)
    done = call(*SHOW, *args, code=2)
    assert message in done.stderr
    assert done.stdout == ""


def test_an_unknown_policy_is_named():
    assert "did you mean 'save-buys'" in call("policies", "show", "save-buy", "--profile", code=2).stderr


def test_ctrl_c_ends_it_and_leaves_no_file(tmp_path):
    command = [sys.executable, "-m", "shanghai_sim", *SHOW, "--profile", "--games", "400000"]
    with subprocess.Popen(
        [*command, "--plot", str(tmp_path / "x.svg")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (no threads here)
    ) as process:
        try:
            # It says how long it will take once the first games are played.
            line = process.stderr.readline()
            while "more games" not in line and process.poll() is None:
                line = process.stderr.readline()
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "interrupted" in stderr
    assert stdout == ""
    assert list(tmp_path.iterdir()) == []
