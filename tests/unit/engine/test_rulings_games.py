"""Rulings on the course of deals and games, the whole kind of each fault (numbers: the list of rulings)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from shanghai_sim.cards import parse_card
from shanghai_sim.engine.batch import play_blocks
from shanghai_sim.engine.metrics import POINTS
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.errors import PolicyError
from shanghai_sim.experiments.run import requested_plan, run_plan
from shanghai_sim.policies import view as v
from tests.unit.engine.scenes import lay_off, scene
from tests.unit.engine.test_rules_happen import deals_of, games
from tests.unit.engine.test_tables import setup_of

ROOT = Path(__file__).parents[3]
#: Rules whose new ground is trodden: the whole hand, limits on wilds, lay-offs at once, longer melds.
RULES = (
    ("contract-rummy", (), (6, 7)),
    ("shanghai-canonical", (), (1, 5)),
    ("finnish", ("meld.longer_at_lay_down=true",), (1, 2)),
)


@pytest.mark.parametrize(("rules", "changes", "deals"), RULES)
def test_18_two_processes_play_the_same_game(rules, changes, deals):
    """Different hash seeds: the same events, byte for byte."""
    policies = "plain,random,aggressive-buy,no-buy"
    command = [
        sys.executable, "-m", "shanghai_sim", "replay", "--rules", rules, "--policies", policies, "--game", "5",
        "--deals", ",".join(map(str, deals)), "--seed", "18", "--format", "jsonl",
        *(word for change in changes for word in ("--set", change)),
    ]  # fmt: skip
    told = set()
    for seed in ("1", "2"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        ran = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
        told.add(ran.stdout)
    assert len(told) == 1
    assert told.pop().count('"event":"deal-end"') >= len(deals)


def test_18_workers_change_nothing(tmp_path):
    for workers in (1, 2, 3):
        plan = requested_plan(
            "plain", rules="shanghai-canonical", overrides=(), against="random", games=3_000, deals=(1, 6)
        )
        run_plan(plan, workers=workers, out=tmp_path / str(workers), save_deals=True)
    for name in ("games.parquet", "deals.parquet", "summary.csv"):
        assert len({(tmp_path / str(workers) / name).read_bytes() for workers in (1, 2, 3)}) == 1


@pytest.mark.parametrize("players", [3, 6])
def test_20_a_whole_hand_laid_down_ends_the_deal(players):
    """And every other turn of such a deal ends with a discard; nobody lays off or keeps a card."""
    found = games(rules="contract-rummy", players=players, policies=("plain",), deals=(7,), n=12)
    laid = 0
    for deal in deals_of(found):
        for event, after in pairwise(deal):
            assert event["event"] not in ("lay-off", "swap")
            if event["event"] == "lay-down":
                assert (after["event"], after["winner"]) == ("deal-end", event["seat"])
                assert after["scores"][event["seat"]] == 0
                laid += 1
            elif event["event"] == "draw":
                assert after["event"] in ("discard", "lay-down")
    assert laid > 5


@pytest.mark.parametrize("changes", [(), ("meld.lay_off_same_turn=true", "buy.own_discard=true")])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_21_what_is_impossible_in_a_turn(changes, players):
    """In no turn two draws or discards, melds after the discard, a second lay-down, a buy by the active player."""
    changes = (*changes, "players.min=2")
    setup = setup_of("shanghai", players, ["random", "plain+noise=0.3"], changes, seed=21, deals=(1, 2))
    seen: Counter[str] = Counter()
    for deal in deals_of([transcript(setup, game) for game in range(4)]):
        down: set[int] = set()
        active, drawn = (deal[0]["dealer"] + 1) % players, False
        for event in deal[1:-1]:
            kind = event["event"]
            seen[kind] += 1
            if kind == "reshuffle":
                continue
            if kind == "buy":
                assert event["seat"] != active
                assert not drawn
                continue
            assert event["seat"] == active
            assert drawn == (kind != "draw")
            drawn = kind != "discard"
            if kind == "lay-down":
                assert active not in down
                down.add(active)
            elif kind == "discard":
                active = (active + 1) % players
    assert min(seen[kind] for kind in ("draw", "buy", "lay-down", "lay-off", "discard")) > 0


def test_21_no_answer_brings_the_impossible_about():
    """A second lay-down in the same turn or a later one, and a meld when the discard is due, are refused."""
    table = scene(
        hands={1: "7H 7D 7C 9S 9D 9C 4H 4D 4S 5H 5D 5S KS"}, decision=v.PLAY, deals=(1,),
        changes=["meld.lay_off_same_turn=true"],
    )  # fmt: skip
    table.answer(v.LAY_DOWN)
    with pytest.raises(PolicyError):
        table.answer(v.LAY_DOWN)
    table.answer(v.DONE)
    assert table.decision == v.DISCARD
    for answer in (v.LAY_DOWN << 8, lay_off("KS", 0, None), 255):
        with pytest.raises(PolicyError):
            table.answer(answer)
    table.answer(parse_card("KS"))
    assert table.seat == 2


def points_left(rules: str, hand: str, *changes: str) -> int:
    """Return what a hand costs when another seat goes out."""
    table = scene(
        hands={0: hand, 1: "9H"}, decision=v.DISCARD, rules=rules, changes=changes, stock="", pile="KS"
    )
    table.answer(parse_card("9H"))
    assert table.deal_over
    return int(table.result()["points"][0])


SHANGHAI = dict.fromkeys("98765432", 5) | dict.fromkeys("KQJT", 10) | {"A": 15}


@pytest.mark.parametrize("suit", "SHDC")
def test_23_an_ace_left_costs_15_however_it_might_have_been_used(suit):
    aces = {
        "A": 15, "A 2 3 4": 30, "J Q K A": 45, "A A A": 45, "K A 2 3": 35, "A 2 3 4 5 6 7 8 9 T J Q K": 95,
    }  # fmt: skip
    for ranks, points in aces.items():
        hand = " ".join(rank + suit for rank in ranks.split())
        for ace in ("both", "low", "high"):
            assert points_left("shanghai", hand, f"cards.ace={ace}") == points
    rng = Random(suit)
    for _ in range(20):
        ranks = rng.choices(list(SHANGHAI), k=rng.randint(1, 3))
        hand = " ".join(rank + rng.choice("SHDC") for rank in ranks)
        assert points_left("shanghai", f"{hand} JK", "cards.packs={3=3}") == 25 + sum(
            SHANGHAI[rank] for rank in ranks
        )


def test_25_equal_players_differ_by_the_order_of_the_deal_alone():
    """Four deals of one kind, each seat dealing once: the seats' totals are alike; within a deal they need not be."""
    changes = ["deal.contracts=['S3 R4','S3 R4','S3 R4','S3 R4']", "score.tie=shared"]
    # Equal policies play alike in all rotations of a block.
    batch = play_blocks(setup_of("shanghai", 4, ["plain"], changes, seed=25), 0, 2_500)
    deals = batch.deals[::4, :4, :, POINTS].astype(float)
    totals = deals.sum(axis=1)
    apart = totals - totals.mean(axis=1, keepdims=True)
    z = apart.mean(axis=0) / (apart.std(axis=0) / np.sqrt(len(apart)))
    assert np.abs(z).max() < 3.5
    # By place after the dealer: the same picture in every deal, and there the first to play is ahead of the last.
    place = np.stack([np.roll(deals[:, d], -(d + 1), axis=1) for d in range(4)])
    gain = place[..., 3] - place[..., 0]
    assert (gain.mean() / (gain.std() / np.sqrt(gain.size))) > 3.5


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ("shanghai-wild-twos", {"2S": 20, "2H": 20, "2D": 20, "2C": 20, "JK": 25, "3S": 5}),
        ("finnish", {"2S": 20, "2C": 20, "2H": 5, "2D": 5, "AH": 15, "TH": 10, "9H": 5}),
        ("shanghai", {"2S": 5, "2H": 5, "JK": 25}),
    ],
)
def test_30_points_of_wilds(rules, points):
    for card, value in points.items():
        assert points_left(rules, card) == value
        assert points_left(rules, f"{card} KD {card}") == 2 * value + 10
