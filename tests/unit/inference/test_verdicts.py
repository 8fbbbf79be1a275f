"""Verdicts, stopping, and how many blocks are missing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shanghai_sim.inference.verdicts import Verdict, judge, more_blocks, verdict

MIRROR = {
    Verdict.MUCH_BETTER: Verdict.MUCH_WORSE,
    Verdict.BETTER: Verdict.WORSE,
    Verdict.EQUAL: Verdict.EQUAL,
    Verdict.UNDECIDED: Verdict.UNDECIDED,
    Verdict.WORSE: Verdict.BETTER,
    Verdict.MUCH_WORSE: Verdict.MUCH_BETTER,
}
numbers = some.floats(-10, 10)
margins = some.floats(0.01, 5)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (2.1, 9, Verdict.MUCH_BETTER),
        (2, 9, Verdict.BETTER),
        (0.1, 1, Verdict.BETTER),
        (0, 1, Verdict.EQUAL),
        (-1.9, 1.9, Verdict.EQUAL),
        (0, 0, Verdict.EQUAL),
        (0, 2, Verdict.UNDECIDED),
        (-2, 1, Verdict.UNDECIDED),
        (-9, 9, Verdict.UNDECIDED),
        (-1, -0.1, Verdict.WORSE),
        (-9, -2, Verdict.WORSE),
        (-9, -2.1, Verdict.MUCH_WORSE),
        (math.nan, math.nan, Verdict.UNDECIDED),
    ],
)
def test_verdict(low, high, expected):
    assert verdict(low, high, 2) is expected


@given(numbers, numbers, margins)
def test_verdicts_mirror(a, b, margin):
    low, high = sorted((a, b))
    assert verdict(-high, -low, margin) is MIRROR[verdict(low, high, margin)]
    here, there = judge(low, high, margin, 500), judge(-high, -low, margin, 500)
    assert (here.stop, here.blocks_needed) == (there.stop, there.blocks_needed)


@given(numbers, some.floats(0, 10), margins)
def test_an_interval_of_half_the_margin_always_stops_the_run(middle, share, margin):
    half = min(share, margin / 2) * 0.999
    assert judge(middle - half, middle + half, margin, 1_000).stop


@given(numbers, some.floats(0.001, 10), margins)
def test_after_the_blocks_said_to_be_needed_the_run_has_moved_on(middle, half, margin):
    """With the estimate where it is and half-widths falling with the root of n."""
    n = 10_000
    found = judge(middle - half, middle + half, margin, n)
    assert found.stop == (found.blocks_needed == 0)
    if not found.stop:
        shrunk = half * math.sqrt(n / (n + found.blocks_needed)) * (1 - 1e-9)
        then = judge(middle - shrunk, middle + shrunk, margin, n + found.blocks_needed)
        assert then.stop or (found.verdict is Verdict.UNDECIDED and then.verdict is not Verdict.UNDECIDED)


@given(numbers, some.floats(0.001, 10), margins)
def test_blocks_needed_are_not_too_many(middle, half, margin):
    """With one block in twenty fewer, the run would be where it is."""
    n = 10_000
    found = judge(middle - half, middle + half, margin, n)
    if found.blocks_needed > 100:
        fewer = n + found.blocks_needed - found.blocks_needed // 20
        shrunk = half * math.sqrt(n / fewer)
        then = judge(middle - shrunk, middle + shrunk, margin, fewer)
        assert not then.stop
        assert then.verdict is found.verdict


def test_a_policy_against_itself_is_practically_equal_at_once():
    found = judge(0.0, 0.0, 2.0, 500)
    assert (found.verdict, found.stop, found.blocks_needed) == (Verdict.EQUAL, True, 0)


def test_small_or_unclear_goes_on_until_the_size_is_known():
    assert not judge(0.5, 3.5, 2, 1_000).stop  # half-width 1.5
    assert judge(0.5, 2.5, 2, 1_000).stop  # half-width 1, half the margin
    assert judge(0.5, 3.5, 2, 1_000).blocks_needed == 1_250  # (1.5 / 1)^2 - 1 = 1.25


def test_without_an_interval_nothing_is_said_of_blocks():
    assert judge(math.nan, math.nan, 2, 1).blocks_needed is None


def test_more_blocks():
    assert more_blocks(1_000, 2.0, 1.0) == 3_000
    assert more_blocks(1_000, 1.0, 2.0) == 0
    with pytest.raises(ValueError, match="half-width wanted"):
        more_blocks(1_000, 1.0, 0.0)


def test_wrong_intervals_and_margins_are_refused():
    with pytest.raises(ValueError, match="must be in order"):
        verdict(1, 0, 2)
    with pytest.raises(ValueError, match="margin of practical"):
        verdict(0, 1, 0)


def test_verdicts_read_as_words():
    assert f"{Verdict.MUCH_BETTER}" == "meaningfully better"
