"""Intervals that are looked at again and again hold as often as they say; a fixed one does not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shanghai_sim.inference.intervals import mean_interval
from shanghai_sim.inference.sequential import bernstein_intervals, look_grid, sequence_interval
from tests.statistical.looked_at import margin, normal_runs, runs_of

LEVEL = 0.95


def missed(moments, truth: float, interval) -> np.ndarray:
    """Return which runs had an interval without the truth at any of their looks."""
    ever = np.zeros(1, dtype=bool)
    for at_look in moments:
        found = interval(at_look)
        ever = ever | ((found.low > truth) | (found.high < truth))[:, 0]
    return ever


def sequence(moments):
    return sequence_interval(moments, 20_000, LEVEL)


def test_peeking_at_a_fixed_interval_fools_and_at_a_sequence_does_not():
    """Some fifty looks from 500 to 200,000 blocks at a mean of 0."""
    runs, looks = 2_000, look_grid(200_000)
    fixed = missed(normal_runs(np.random.default_rng(1), runs, 0, 100, looks), 0, mean_interval).mean()
    sequential = missed(normal_runs(np.random.default_rng(1), runs, 0, 100, looks), 0, sequence).mean()
    assert fixed - margin(fixed, runs) > 5 * 0.05
    assert sequential <= 0.05 + margin(0.05, runs)


def _rare(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """One block in ten differs at all, and then by a lot: mean 1."""
    return rng.exponential(10.0, shape) * (rng.random(shape) < 0.1)


LAWS = {
    "skewed": (lambda rng, shape: rng.exponential(1.0, shape), 1.0),
    "heavy": (lambda rng, shape: rng.standard_t(4, shape), 0.0),
    "rare": (_rare, 1.0),
}


def _check_law(law: str, runs: int, blocks: int) -> None:
    draw, truth = LAWS[law]
    rng = np.random.default_rng(sorted(LAWS).index(law))
    moments = runs_of(lambda shape: draw(rng, shape), runs, look_grid(blocks))
    assert missed(moments, truth, lambda m: sequence_interval(m, 4_000, LEVEL)).mean() <= 0.05 + margin(
        0.05, runs
    )


@pytest.mark.parametrize("law", LAWS)
def test_the_sequence_holds_for_other_laws(law):
    _check_law(law, 1_000, 10_000)


@pytest.mark.full
@pytest.mark.parametrize("law", LAWS)
def test_the_sequence_holds_for_other_laws_over_longer_runs(law):
    _check_law(law, 4_000, 40_000)


BOUNDED = {
    "rare": (lambda rng, shape: (rng.random(shape) < 0.01) + 0.0, 0.01),
    "even": (lambda rng, shape: rng.choice([0.0, 0.5, 1.0], shape), 0.5),
    "skewed": (lambda rng, shape: rng.beta(0.3, 2.7, shape), 0.1),
}


def _check_bounded(law: str, runs: int, blocks: int) -> None:
    draw, truth = BOUNDED[law]
    values = draw(np.random.default_rng(sorted(BOUNDED).index(law)), (blocks, runs))
    level = 0.8  # low, so that misses would be many
    found = bernstein_intervals(values, 0, 1, level)
    ever = ((found.low > truth) | (found.high < truth)).any(axis=0)
    assert ever.mean() <= 0.2 + margin(0.2, runs)
    # What a normal interval at every block from the hundredth on would do.
    n = np.arange(1, blocks + 1)[:, None]
    mean = np.cumsum(values, axis=0) / n
    sd = np.sqrt(np.maximum(np.cumsum(values**2, axis=0) / n - mean**2, 0))
    fixed = (np.abs(mean - truth) > 1.2816 * sd / np.sqrt(n))[100:].any(axis=0).mean()
    assert fixed - margin(fixed, runs) > 0.5
    # It heeds the spread: where that is small it beats even Hoeffding's interval for one look at the end.
    if law != "even":
        hoeffding = 2 * math.sqrt(math.log(2 / (1 - level)) / (2 * blocks))
        assert (found.high[-1] - found.low[-1]).mean() < hoeffding


@pytest.mark.parametrize("law", BOUNDED)
def test_the_bounded_sequence_holds_from_the_first_block_on(law):
    _check_bounded(law, 1_000, 2_000)


@pytest.mark.full
@pytest.mark.parametrize("law", BOUNDED)
def test_the_bounded_sequence_holds_over_longer_runs(law):
    _check_bounded(law, 1_000, 10_000)
