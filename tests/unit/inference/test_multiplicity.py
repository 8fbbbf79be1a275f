"""Many comparisons at once: Holm, and bands from shared blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import mean_interval
from shanghai_sim.inference.multiplicity import bonferroni_level, holm, max_t
from shanghai_sim.inference.weighted_sums import gaussian_weights, generator
from tests.reference import slow_inference as slow


@given(some.lists(some.floats(0, 1), min_size=1, max_size=12), some.floats(0.001, 0.999))
def test_holm_agrees_with_its_steps(p_values, alpha):
    adjusted = holm(np.array(p_values))
    # At a hair's breadth of alpha, p <= alpha / j and j p <= alpha may round apart.
    if np.abs(adjusted - alpha).min() > 1e-12:
        assert (adjusted <= alpha).tolist() == slow.holm_rejects(p_values, alpha)
    assert (adjusted >= p_values).all()


def test_holm_by_hand():
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.9, 0.8])) == pytest.approx([1, 1])
    assert holm(np.array([0.02])) == pytest.approx([0.02])


@pytest.mark.parametrize("wrong", [[1.1], [-0.1], [np.nan], [[0.1]]])
def test_holm_refuses_what_is_no_p_value(wrong):
    with pytest.raises(ValueError, match="p-values are"):
        holm(np.array(wrong))


def test_draws_agree_with_the_formula():
    rng = np.random.default_rng(1)
    for seed in range(10):
        n, k = int(rng.integers(5, 60)), int(rng.integers(1, 5))
        values = rng.standard_t(4, (n, k)) * 10.0 ** rng.integers(-3, 4, k)
        values[:, 0] = 7.1 if seed % 3 == 0 else values[:, 0]  # a column that does not vary
        found = max_t(values, seed, draws=15)
        multipliers = gaussian_weights(generator(seed), 15, n)
        plain = sorted(slow.max_t_draw(values.tolist(), g.tolist()) for g in multipliers)
        assert found.largest == pytest.approx(plain, abs=2e-3)  # roundings of weighted sums
        for column in range(k):
            mean, sd = slow.mean_sd(values[:, column].tolist())
            assert found.mean[column] == pytest.approx(mean)
            assert found.error[column] == pytest.approx(sd / np.sqrt(n), abs=1e-9)


def test_one_column_has_the_usual_critical_value():
    values = np.random.default_rng(2).normal(size=(5_000, 1))
    # Error of the 95 % point of |z| from 4,000 draws: sqrt(0.95 * 0.05 / 4000) / (2 * 0.0584) = 0.03.
    assert max_t(values, 1, draws=4_000).critical_value() == pytest.approx(1.96, abs=0.1)


def test_equal_columns_cost_nothing_and_independent_ones_the_usual():
    one = np.random.default_rng(3).normal(size=(5_000, 20))
    alike = max_t(np.repeat(one[:, :1], 20, axis=1), 1).critical_value()
    apart = max_t(one, 1).critical_value()
    assert alike == max_t(one[:, :1], 1).critical_value()
    # 20 independent: 1 - 0.95^(1/20) two-sided is 3.02; density there 20 * 2 * 0.0042, error 0.03.
    assert apart == pytest.approx(3.02, abs=0.12)


def test_bands_contain_single_intervals_and_columns_without_spread():
    values = np.random.default_rng(4).normal(size=(400, 6)) + 1
    values[:, 2] = 0.1
    values[:, 3] = 0.0
    found, single = max_t(values, 2), mean_interval(Moments.of(values))
    bands = found.bands()
    varies = [0, 1, 4, 5]
    assert (bands.low[varies] < single.low[varies]).all()
    assert (bands.high[varies] > single.high[varies]).all()
    assert bands.low[2] == bands.high[2] == pytest.approx(0.1)
    assert found.p_values()[2] == 1 / 2_001
    assert found.p_values()[3] == 1
    nothing = max_t(np.zeros((300, 2)), 1)
    assert nothing.critical_value() == 0
    assert nothing.p_values().tolist() == [1, 1]


def test_p_values_and_bands_say_the_same():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(300, 40)) + np.linspace(-0.4, 0.4, 40)
    found = max_t(values, 3, draws=1_999)
    bands, p = found.bands(0.95), found.p_values()
    out = (bands.low > 0) | (bands.high < 0)
    # 2,000 p-values are possible; the two count ties and the observation itself differently by one draw.
    clear = np.abs(p - 0.05) > 1.5 / 2_000
    assert (out == (p <= 0.05))[clear].all()
    assert 0 < out.sum() < 40
    assert clear.sum() > 30


def test_the_same_seed_gives_the_same_bits():
    values = np.random.default_rng(6).normal(size=(3_000, 4))
    assert np.array_equal(max_t(values, 8).largest, max_t(values.copy(order="F"), 8).largest)
    assert not np.array_equal(max_t(values, 8).largest, max_t(values, 9).largest)


def test_wrong_shapes_are_refused():
    for wrong in (np.zeros(5), np.zeros((1, 3)), np.zeros((5, 0))):
        with pytest.raises(ValueError, match="block values need the shape"):
            max_t(wrong, 1)
    with pytest.raises(ValueError, match="a family has"):
        bonferroni_level(0.95, 0)
    assert bonferroni_level(0.95, 10) == pytest.approx(0.995)
