"""``shanghai-sim tournament``."""

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
from tests.cli.test_light_imports import HEAVY, command, loaded_after
from tests.cli.test_rules import call

PLAY = ("tournament", "balanced", "plain", "random", "--rules", "shanghai-quick-odd", "--deals", "1-2")
FEW = (*PLAY, "--games", "2600")


def test_the_first_line_answers_and_the_tables_follow():
    done = call(*FEW)
    first, *lines = done.stdout.splitlines()
    assert first.startswith("balanced wins: ")
    assert "points over these deals better against the field than plain, the second (95 % interval " in first
    assert "2,601 games" in first
    text = "\n".join(lines)
    for words in (
        "over all compositions of the table:",
        "One among others, points a game better (row: the one, column: the other 3 seats; 51 blocks a cell):",
        "Equilibrium, a mixture that nobody gains by leaving: balanced 100 %", "Its regret is 0.00",
        "Alpha-rank", "random (by balanced)", "seed 1", "all 15 compositions of the table, 51 blocks each",
    ):  # fmt: skip
        assert words in " ".join(text.split()) or words in text
    assert done.stderr == ""


def test_where_not_all_compositions_are_played_it_says_so():
    done = call(*PLAY, "no-buy", "novice", "--games", "1000")
    text = " ".join(done.stdout.split())
    assert "over a balanced choice of tables:" in text
    assert (
        "so its equilibrium cannot be computed. Instead, from the matrix (7 blocks a cell), a game of two"
        in text
    )
    assert "rounds of 5 tables, one block each; 7 blocks in each cell of the matrix" in text


def test_all_that_ship_take_part_beside_those_named():
    rules = ("--rules", "shanghai-quick-odd", "--deals", "1", "--games", "100", "--format", "json")
    data = json.loads(call("tournament", "--all", "plain+noise=0.5", *rules).stdout)
    assert len({row["policy"] for row in data["summary"]} - {""}) == 16
    assert data["context"]["policies"].startswith("plain+noise=0.5,aggressive-buy,balanced,")


def test_json_and_csv_hold_the_same_figures():
    data = json.loads(call(*FEW, "--format", "json").stdout)
    done = call(*FEW, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert "games 2601" in done.stderr
    assert len(rows) == len(data["summary"])
    for row, same in zip(rows, data["summary"], strict=True):
        assert row == {key: "" if value is None else str(value) for key, value in same.items()}


def test_the_same_command_writes_the_same_bytes(tmp_path):
    written = {}
    for workers in ("1", "2"):
        path = tmp_path / f"{workers}.svg"
        done = call(*FEW, "--plot", str(path), "--workers", workers)
        assert done.stderr == f"the figure is in {path}\n"
        assert written.setdefault("svg", path.read_bytes()) == path.read_bytes()
        assert written.setdefault("stdout", done.stdout) == done.stdout


def test_an_interrupted_tournament_goes_on(tmp_path, monkeypatch):
    whole = call(*FEW).stdout
    out = ("--out", str(tmp_path / "t"))
    from shanghai_sim.simulation.store import RunFolder

    add = RunFolder.add

    def some(self, index, tables, values):
        if index == 1:
            raise KeyboardInterrupt
        add(self, index, tables, values)

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "add", some)
        done = call(*FEW, *out, code=130)
    assert "the same command with --resume goes on" in done.stderr
    assert "--resume goes on with it" in call(*FEW, *out, code=2).stderr
    assert call(*FEW, *out, "--resume").stdout == whole
    assert call(*FEW, *out, "--resume").stdout == whole
    rows = (tmp_path / "t" / "summary.csv").read_text()
    assert rows == call(*FEW, "--format", "csv", "--quiet").stdout
    other = call(*FEW, *out, "--resume", "--seed", "2", code=2)
    assert "holds another run: seed: 1 there, 2 asked" in other.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "takes two policies or more, or --all; there are aggressive-buy"),
        (("plain",), "takes two policies or more"),
        (("plain", "balancd"), "did you mean 'balanced'"),
        (("plain", "plain"), "plain is named twice"),
        (("plain", "balanced+buy.when=nevr"), "buy.when: must be"),
        (("plain", "balanced", "--rules", "finish"), "did you mean 'finnish'"),
        (("plain", "balanced", "--set", "buy.per_dael=1"), "did you mean 'per_deal'"),
        (("plain", "balanced", "--players", "9"), "3 to 8 players"),
        (("plain", "balanced", "--deals", "11"), "has deals 1 to 10"),
        (("plain", "balanced", "--plot", "x.jpg"), "a figure's name ends in"),
        (("plain", "balanced", "--plot", "nowhere/x.svg"), "there is no folder"),
        (("plain", "balanced", "--resume"), "--resume needs --out DIR"),
        (("plain", "balanced", "--games", "0"), "0 is not in the range"),
    ],
)
def test_a_wrong_call_is_one_clear_line_before_anything_is_played(args, message, monkeypatch):
    def play(*_, **__):
        raise AssertionError("played")

    monkeypatch.setattr("shanghai_sim.engine.batch.play_blocks", play)
    done = call("tournament", *args, code=2)
    assert message in done.stderr
    assert done.stdout == ""


def test_all_that_is_wrong_is_named_at_once():
    done = call("tournament", "plan", "balancd", "--rules", "finish", code=2)
    assert len(done.stderr.strip().splitlines()) == 3


@pytest.mark.parametrize("name", ["tournament", "sweep"])
def test_help_is_light(name):
    assert loaded_after(command(name, "--help"), HEAVY) == []


@pytest.mark.parametrize(
    "args",
    [
        ("tournament", "--all", "--games", "400000"),
        ("sweep", "--policy", "plain", "--vary", "buy.max_buys=0,1", "--games", "400000"),
    ],
)
def test_ctrl_c_ends_it_and_leaves_no_file(args, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "shanghai_sim", *args, "--plot", str(tmp_path / "x.svg")],
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


@pytest.mark.parametrize("ending", figures.KINDS)
def test_figures_of_every_kind(ending, tmp_path):
    path = tmp_path / f"x{ending}"
    call(*FEW, "--plot", str(path), "--quiet")
    assert path.stat().st_size > 1_000
