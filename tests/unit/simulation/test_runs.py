"""Runs: the same contents whatever the workers and interruptions; folders that refuse what they must."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import shanghai_sim as ss
from shanghai_sim.engine import batch
from shanghai_sim.engine.batch import play_blocks
from shanghai_sim.experiments.run import requested_plan, run_plan
from shanghai_sim.simulation import runner
from shanghai_sim.simulation.columns import DEALS, GAMES, SUMMARY


def plan_of(policies="aggressive-buy", games=4_800, rules="shanghai-quick-odd", **rest):
    return requested_plan(policies, rules=rules, overrides=(), against=None, games=games, **rest)


def digests(folder: Path) -> dict[str, str]:
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if p.suffix != ".json"
    }


def test_one_and_two_workers_give_identical_files(tmp_path):
    for workers in (1, 2):
        run_plan(plan_of(), workers=workers, out=tmp_path / str(workers), save_deals=True)
    found = digests(tmp_path / "1")
    assert found == digests(tmp_path / "2")
    assert set(found) == {"games.parquet", "deals.parquet", "summary.csv"}
    manifest = json.loads((tmp_path / "1" / "run.json").read_text())
    assert manifest["status"] == "finished"
    assert manifest["sha256"] == found
    assert manifest["request"]["rules"]["name"] == "shanghai-quick-odd"


def test_an_interrupted_run_resumes_to_the_same_files(tmp_path):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    run_plan(plan_of(), out=whole)

    def interrupt(done, total):
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_plan(plan_of(), out=halves, progress=interrupt)
    assert not (halves / "games.parquet").exists()
    with pytest.raises(ss.InputError, match="--resume goes on with it"):
        run_plan(plan_of(), out=halves)
    run_plan(plan_of(), out=halves, resume=True)
    assert digests(whole) == digests(halves)
    assert not [p for p in halves.rglob("*") if "part" in p.name or p.name.startswith(".")]


def test_the_thread_that_can_be_interrupted_compiles_the_kernels(monkeypatch):
    """Ctrl-C reaches it alone; the others would compile on, for a minute, before the command ends."""
    compiled = []
    monkeypatch.setattr(batch, "compile_kernels", lambda: compiled.append(threading.current_thread()))
    played = runner.play(plan_of(games=400))
    next(played)
    played.close()
    assert compiled == [threading.current_thread()]


def test_another_request_is_refused_with_what_differs(tmp_path):
    run_plan(plan_of(games=400), out=tmp_path)
    with pytest.raises(ss.InputError) as error:
        run_plan(plan_of(games=400, seed=2, policies="no-buy"), out=tmp_path, resume=True)
    text = str(error.value)
    assert "seed: 1 there, 2 asked" in text
    assert "policies.1.label" in text


def test_one_writer_at_a_time(tmp_path):
    seen = []

    def meanwhile(done, total):
        with pytest.raises(ss.InputError, match="another process is writing"):
            run_plan(plan_of(games=400), out=tmp_path)
        seen.append(done)

    run_plan(plan_of(games=400), out=tmp_path, progress=meanwhile)
    assert seen == [400]


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ss.InputError, match="holds other files"):
        run_plan(plan_of(games=400), out=tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_another_engine_version_is_refused(tmp_path):
    run_plan(plan_of(games=400), out=tmp_path)
    path = tmp_path / "run.json"
    manifest = json.loads(path.read_text())
    manifest["versions"]["engine"] = 0
    path.write_text(json.dumps(manifest))
    with pytest.raises(ss.InputError, match="never merged"):
        run_plan(plan_of(games=400), out=tmp_path, resume=True)


def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch):
    import os

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ss.RunError, match="No space left"):
        run_plan(plan_of(games=400), out=tmp_path)
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_a_path_that_is_a_file_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(ss.InputError, match="cannot be written"):
        run_plan(plan_of(games=400), out=path)


def test_frames_have_the_documented_columns_and_agree_with_the_summary():
    result = ss.run("no-buy", rules="shanghai-quick-even", games=800, seed=3)
    assert list(result.games.columns) == [column.name for column in GAMES]
    assert list(result.deals.columns) == [column.name for column in DEALS]
    assert list(result.summary.columns) == [column.name for column in SUMMARY]
    mine = result.games[result.games.policy_index == 0]
    row = result.summary.query("group == 'no-buy' and deal == 0 and metric == 'points'").iloc[0]
    assert row.estimate == pytest.approx(mine.points.mean())
    by_block = mine.groupby("block").points.mean()
    assert (row.high - row.low) / 2 == pytest.approx(
        1.972 * by_block.std() / np.sqrt(len(by_block)), rel=2e-3
    )
    assert row.n_blocks == 200
    deals = result.deals.query("policy_index == 0 and deal == 2")
    down = deals[deals.laid_down == 1]
    found = result.summary.query("group == 'no-buy' and deal == 2").set_index("metric").estimate
    assert found["lay_down_turn"] == pytest.approx(down.lay_down_turn.mean())
    assert found["laid_down"] == pytest.approx(deals.laid_down.mean())
    assert result.games.groupby("game").win_share.sum().eq(1).all()


def test_save_and_out_write_the_same(tmp_path):
    plan = plan_of(games=2_400)
    run_plan(plan, out=tmp_path / "out", save_deals=True)
    run_plan(plan, keep=("games", "deals")).save(tmp_path / "saved")
    for name in ("games", "deals"):
        left, right = (pd.read_parquet(tmp_path / d / f"{name}.parquet") for d in ("out", "saved"))
        pd.testing.assert_frame_equal(left, right)


def test_a_game_does_not_depend_on_how_many_are_played():
    setup = plan_of(games=40).setup()
    whole, part = play_blocks(setup, 0, 10), play_blocks(setup, 7, 1)
    for a, b in zip(whole, part, strict=True):
        assert np.array_equal(a[28:32], b)


def test_chunks_do_not_depend_on_workers_and_cover_the_plan():
    plan = plan_of(games=10_001)
    found = runner.chunks(plan)
    assert [c.index for c in found] == list(range(len(found)))
    assert sum(c.n_blocks for c in found) == plan.blocks
    assert plan.games == 10_004


def test_memory_holds_a_bounded_number_of_chunks():
    """The generator hands out a chunk before more than a few others have been asked for."""
    asked = []

    def player(setup, first, n):
        asked.append(first)
        return first

    plays = runner.play(plan_of(games=50_000), workers=2, player=player)
    next(plays)
    assert len(asked) <= 6
    plays.close()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policies": "no-by"}, "did you mean 'no-buy'"),
        ({"players": 9}, "3 to 8 players"),
        ({"games": 0}, "games: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"coupling": "seats"}, "did you mean 'seat'"),
        ({"deals": (11,)}, "has deals 1 to 5"),
        ({"policies": "plain,plain", "players": 3}, "one policy per seat"),
    ],
)
def test_wrong_requests_are_named(changes, message):
    with pytest.raises(ss.InputError, match=message):
        plan_of(**changes)
