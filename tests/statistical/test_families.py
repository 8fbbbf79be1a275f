"""Many comparisons at once: errors of the family, share of false finds, ranks, quantiles, luck taken out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.control import adjust_for_luck
from shanghai_sim.inference.evalues import e_bh, log_e_values
from shanghai_sim.inference.intervals import mean_interval
from shanghai_sim.inference.multiplicity import holm, max_t
from shanghai_sim.inference.resampling import quantile_intervals, rank_sets
from shanghai_sim.inference.sequential import mixture_parameter
from tests.statistical.looked_at import margin


def skewed_family(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Return block values of mean 0 that share half their variance and are skewed (float64[n, k])."""
    return rng.exponential(1.0, (n, 1)) + rng.exponential(1.0, (n, k)) - 2


def _check_bands(trials: int) -> None:
    rng = np.random.default_rng(1)
    together = single = 0
    for trial in range(trials):
        values = skewed_family(rng, 400, 8)
        bands, intervals = max_t(values, trial, draws=400).bands(), mean_interval(Moments.of(values))
        together += ((bands.low <= 0) & (bands.high >= 0)).all()
        single += ((intervals.low <= 0) & (intervals.high >= 0)).all()
    # 400 draws leave the critical value an error of 0.1 standard errors, by chance up or down: about 0.2 % of
    # coverage on average; skewness of 2 / sqrt(400) costs under 0.5 %.
    assert together / trials >= 0.95 - margin(0.95, trials) - 0.007
    assert together / trials <= 0.95 + margin(0.95, trials) + 0.007
    assert single / trials + margin(0.95, trials) < 0.9


def test_bands_hold_together():
    _check_bands(300)


@pytest.mark.full
def test_bands_hold_together_in_many_trials():
    _check_bands(6_000)


def _check_finds(trials: int) -> None:
    """30 ideas that do nothing and 10 that help, on blocks that share their luck."""
    rng = np.random.default_rng(2)
    n, k = 2_000, 40
    truth = np.r_[np.zeros(30), np.full(10, 0.12)]
    r = mixture_parameter(n)
    false, naive, found = [], [], []
    for _ in range(trials):
        # The means and spreads of n blocks of normal values with correlation 1/2.
        mean = truth + (rng.normal() + rng.normal(size=k)) / math.sqrt(2 * n)
        sd = np.sqrt(rng.chisquare(n - 1, k) / (n - 1))
        rejected = e_bh(log_e_values(mean, sd, n, r))
        false.append(rejected[:30].sum() / max(1, rejected.sum()))
        found.append(rejected[30:].mean())
        alone = np.abs(mean / sd) * math.sqrt(n) > 1.6449  # each idea by itself at 10 %
        naive.append(alone[:30].sum() / max(1, alone.sum()))
    assert np.mean(false) <= 0.10 + 3.3 * np.std(false) / math.sqrt(trials)
    assert np.mean(naive) > 0.10 + 3.3 * np.std(naive) / math.sqrt(trials)
    # 0.12 is 5.4 standard errors; the e-value needs about 4.
    assert np.mean(found) > 0.8


def test_few_finds_are_false():
    _check_finds(2_000)


@pytest.mark.full
def test_few_finds_are_false_in_many_trials():
    _check_finds(50_000)


def test_the_bound_on_false_finds_is_reached_where_it_can_be():
    """At most one of k true hypotheses has evidence at a time, k / alpha of it, with chance alpha / k: e-values."""
    rng = np.random.default_rng(8)
    trials, k, alpha = 20_000, 20, 0.10
    false = 0
    for u in rng.random(trials):
        e_values = np.full(k, 1e-9)
        if u < alpha:
            e_values[int(u / alpha * k)] = k / alpha * (1 + 1e-9)
        false += e_bh(np.log(e_values), alpha).any()
    assert abs(false / trials - alpha) <= margin(alpha, trials)


def test_holm_errs_as_a_family():
    """Nine true hypotheses of twelve, with dependence: any of them rejected in at most 5 % of the families."""
    rng = np.random.default_rng(3)
    trials = 4_000
    wrong = naive = 0
    for _ in range(trials):
        z = (rng.normal() + rng.normal(size=12)) / math.sqrt(2) + np.r_[np.zeros(9), np.full(3, 4.0)]
        p = np.array([math.erfc(abs(x) / math.sqrt(2)) for x in z])
        wrong += (holm(p)[:9] <= 0.05).any()
        naive += (p[:9] <= 0.05).any()
    assert wrong / trials <= 0.05 + margin(0.05, trials)
    assert naive / trials > 0.05 + margin(0.05, trials)


def _check_rank_sets(trials: int) -> None:
    """Among equals too: with four alike, any order of them is a true one, and a set must hold ranks 2 to 5."""
    rng = np.random.default_rng(4)
    held = 0
    truth = np.array([0.4, 0.0, 0.0, 0.0, 0.0, -0.4])
    for trial in range(trials):
        found = rank_sets(skewed_family(rng, 300, 6) + truth, trial, draws=200)
        held += (found.low <= [1, 2, 2, 2, 2, 6]).all() and (found.high >= [1, 5, 5, 5, 5, 6]).all()
    assert held / trials >= 0.95 - margin(0.95, trials)


def test_rank_sets_hold_all_true_ranks():
    _check_rank_sets(200)


@pytest.mark.full
def test_rank_sets_hold_all_true_ranks_in_many_trials():
    _check_rank_sets(3_000)


def _check_quantiles(trials: int) -> None:
    """Six observations a block that share most of their spread: blocks are resampled, not observations."""
    rng = np.random.default_rng(5)
    held = held_naively = 0
    for trial in range(trials):
        values = rng.normal(size=(200, 1)) * 0.9 + rng.normal(size=(200, 6)) * math.sqrt(0.19)
        found = quantile_intervals(values, np.array([0.5]), trial, draws=200)
        held += found.low[0] <= 0 <= found.high[0]
        naive = quantile_intervals(values.ravel(), np.array([0.5]), trial, draws=200)
        held_naively += naive.low[0] <= 0 <= naive.high[0]
    # 200 draws: ends are the 2.5 % points within 1.1 %, which costs up to 1 % of coverage.
    assert held / trials >= 0.95 - margin(0.95, trials) - 0.01
    assert held_naively / trials + margin(0.95, trials) < 0.9


def test_quantiles_of_clustered_observations_are_covered():
    _check_quantiles(150)


@pytest.mark.full
def test_quantiles_of_clustered_observations_are_covered_in_many_trials():
    _check_quantiles(2_000)


def test_luck_taken_out_leaves_no_bias_and_covers():
    """Few blocks, several features and a skewed remainder tied to luck: where a slope of one's own would bias."""
    rng = np.random.default_rng(6)
    trials, n = 4_000, 30
    means, own = np.empty(trials), np.empty(trials)
    for trial in range(trials):
        luck = rng.exponential(1.0, n) - 1
        values = luck + luck**2 - 1 + 0.3 * rng.normal(size=n)  # mean 0
        means[trial] = adjust_for_luck(values, luck[:, None]).values.mean()
        own[trial] = values.mean() - np.cov(values, luck)[0, 1] / luck.var(ddof=1) * luck.mean()
    assert abs(means.mean()) < 3.3 * means.std() / math.sqrt(trials)
    assert abs(own.mean()) > 3.3 * own.std() / math.sqrt(trials)


def test_intervals_of_adjusted_values_cover():
    rng = np.random.default_rng(7)
    trials, held = 2_000, 0
    for _ in range(trials):
        luck = rng.exponential(1.0, (250, 3)) - 1
        values = luck @ np.array([1.0, -2.0, 0.5]) + rng.normal(size=250)
        found = mean_interval(Moments.of(adjust_for_luck(values, luck).values[:, None]))
        held += found.low[0] <= 0 <= found.high[0]
    assert held / trials >= 0.95 - margin(0.95, trials)
