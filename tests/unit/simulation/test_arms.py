"""Arms: common random numbers block by block, whatever the workers and wherever a run is cut."""

from __future__ import annotations

import numpy as np
import pytest

from shanghai_sim.engine.metrics import DEAL_COLUMNS
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.simulation.arms import Played, everybody, joined, play_arms, rotating
from shanghai_sim.simulation.runner import play

NAMES = ("points", "win", "buys", "deal_points", "turns", "mark", "luck")


def plan_of(policy="plain", against="balanced", rules="shanghai-quick-odd", **rest):
    return requested_plan(policy, rules=rules, overrides=(), against=against, games=4, **rest)


def played(arms, blocks=40, **rest) -> list[Played]:
    stretches = [stretch for _, stretch in play_arms(arms, blocks, **rest)]
    return [joined([stretch[i] for stretch in stretches]) for i in range(len(arms))]


def same(one: Played, other: Played) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in NAMES)


def test_workers_and_cuts_change_nothing():
    arms = [rotating(plan_of()), rotating(plan_of("no-buy")), everybody(plan_of("balanced"))]
    whole = played(arms, 300, workers=1)
    assert all(map(same, whole, played(arms, 300, workers=2)))
    first, second = played(arms, 170), played(arms, 130, first_block=170)
    halves = [joined(list(pair)) for pair in zip(first, second, strict=True)]
    assert all(map(same, whole, halves))
    # Played beside others, in stretches of another size, an arm is the same too.
    assert same(whole[1], played(arms[1:2], 300)[0])


def test_they_are_the_games_of_run():
    """Policy by policy, rotation by rotation, what `run` plays of the same plan."""
    plan = requested_plan("no-buy", rules="shanghai", overrides=(), against="plain", games=40)
    (batch,) = [batch for _, batch in play(plan)]
    (arm,) = played([rotating(plan)], plan.blocks)
    for game in range(plan.games):
        block, rotation = divmod(game, 4)
        turns = 0
        for seat, policy in enumerate(batch.policy[game]):
            records = batch.deals[game, : None if batch.sudden_death[game] else -1, seat].astype(int)
            sums = dict(zip(DEAL_COLUMNS, records.sum(axis=0), strict=True))
            assert arm.points[block, rotation, policy] == batch.totals[game, seat]
            assert arm.win[block, rotation, policy] == batch.win[game, seat]
            assert arm.buys[block, rotation, policy] == sums["buys"]
            assert arm.deal_points[block, rotation, policy].sum() == sums["points"]
            turns += sums["turns"]
        assert arm.turns[block, rotation] == turns
    by_seat = rotating(plan).by_seat(arm.points)
    assert by_seat.shape == (10, 4)
    assert by_seat[3, 2] == batch.totals[14, 2]


@pytest.mark.parametrize("policy", ["plain", "balanced"])
def test_one_game_of_all_is_every_rotation(policy):
    """Where all play alike, without noise, the rotations are one and the same game."""
    plan = plan_of(policy, policy, rules="shanghai")
    (one,), (all_) = played([everybody(plan)], 8), played([rotating(plan)], 8)[0]
    assert np.array_equal(everybody(plan).by_seat(one.points), rotating(plan).by_seat(all_.points))
    assert (all_.mark == one.mark).all()


def test_marks_tell_games_apart():
    """Games of one block are marked alike exactly where all that is recorded of them is."""
    arms = [rotating(plan_of("balanced+buy.min_outs=30")), rotating(plan_of("balanced"))]
    a, b = played(arms, 200)
    alike = a.mark == b.mark
    assert 0 < alike.sum() < alike.size
    assert np.array_equal(a.points[alike], b.points[alike])
    assert len(np.unique(a.mark)) > 0.9 * a.mark.size
