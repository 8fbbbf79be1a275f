"""Walking through positions, and ratios of what is counted there."""

from __future__ import annotations

import numpy as np
import pytest

import shanghai_sim as ss
from analyses.positions import BUY, DISCARD, DRAW, contrasts, decisions, leave, linear, ratios, taker


def test_every_seat_decides_and_the_game_goes_on():
    seen = [(block, view.seat, view.decision) for block, _, view, _ in decisions("balanced", 2, 1)]
    assert {block for block, _, _ in seen} == {0, 1}
    assert {seat for _, seat, _ in seen} == {0, 1, 2, 3}
    discards = sum(block == 1 and decision == DISCARD for block, _, decision in seen)
    events = ss.replay(4 * ["balanced"], game=4)
    assert discards == sum(event["event"] == "discard" for event in events)


def test_who_takes_a_card_and_nobody():
    taken = 0
    for _, table, view, answer in decisions("balanced", 1, 1):
        if view.decision != DISCARD or view.size == 1:
            continue
        one, other = table.copy(), table.copy()
        one.answer(answer)
        who = taker(one)
        assert (who is None) == (one.decision not in {DRAW, BUY})
        if who is not None:
            taken += 1
            assert who == one.seat != view.seat
        other.answer(answer)
        leave(other)
        assert other.decision not in {DRAW, BUY}
    assert taken > 20


def test_ratios_of_sums():
    generator = np.random.default_rng(1)
    cases = generator.integers(1, 5, (400, 3)).astype(float)
    sums = cases * [1.0, 0.0, -2.0] + generator.normal(size=cases.shape)
    cases[:, 2] = 0
    sums[:, 2] = 0
    cases[0, 2], sums[0, 2] = 1, 5
    frame = ratios(sums, cases, 1)
    assert frame["estimate"].tolist() == pytest.approx((sums.sum(0) / cases.sum(0)).tolist())
    assert frame["says"].tolist() == ["above", "unclear", "few"]
    assert frame["cases"].tolist() == cases.sum(0).tolist()
    values = linear(sums, cases)
    assert values.mean(0) == pytest.approx(sums.sum(0) / cases.sum(0))
    half = 1.966 * values[:, 0].std(ddof=1) / 20
    assert frame["high"][0] - frame["estimate"][0] == pytest.approx(half, rel=1e-3)
    assert linear(np.zeros((4, 1)), np.zeros((4, 1))).tolist() == 4 * [[0.0]]


def test_contrasts_hold_together():
    values = np.random.default_rng(2).normal([0.0, 1.0, -1.0], 1.0, (500, 3))
    frame = contrasts(values, 1)
    assert frame["says"].tolist() == ["unclear", "above", "below"]
    half = (frame["high"] - frame["low"]) / 2
    assert (half > 2.2 * values.std(axis=0, ddof=1) / np.sqrt(500)).all()
