"""Intervals, verdicts and p-values of comparisons on real blocks: wrong no more often than they say."""

from __future__ import annotations

import numpy as np
import pytest

from analyses import calibration, checks, series

RUNS = 60


def passed(found: list[checks.Check]) -> bool:
    return all(check.passed for check in found)


def test_a_policy_against_itself_never_differs():
    found = checks.paired((("shanghai-quick-odd", 4), ("finnish", 2), ("progressive", 3)), 120)
    assert found.rate == 0
    assert found.passed


def test_nothing_is_found_where_nothing_is():
    """The second side on other blocks, under two rules."""
    for rules, values in series.on_other_blocks(RUNS * 200).items():
        assert len(values) == RUNS * 200
        assert values.std() > 0
        assert passed([*checks.nothing_there(rules, checks.cut(values, RUNS, 200), 0.2)])


def test_slips_of_two_sides_are_no_difference():
    found = series.with_noise(RUNS * 200)
    values = found.block_frame().difference.to_numpy()
    assert (values != 0).mean() > 0.5
    assert passed([*checks.nothing_there("slips", checks.cut(values, RUNS, 200), 0.2)])
    looked = [*checks.looked_at("slips", checks.resampled(values, RUNS, 8_000, 1), 0.2)]
    assert passed(looked)
    # Whoever peeks at the interval for a fixed number is fooled far more often than 5 %.
    assert looked[-1].low > 0.05 > looked[0].rate
    assert checks.covered("slips", checks.resampled(values, 10 * RUNS, 200, 2)).passed
    points = found.values.points
    assert checks.covered_together("seats", points[:, 1] - points[:, 0], 2 * RUNS, 300, 3).passed


def test_a_real_difference_is_recovered():
    reference, short = series.changed(RUNS * 200, "select"), series.changed(RUNS * 200, "final")
    error = reference.std() / np.sqrt(len(reference))
    assert reference.mean() < -20 * error
    assert checks.recovered("slips", checks.cut(short, RUNS, 200), reference).passed


@pytest.mark.parametrize(
    ("hits", "blocks", "passes"), [(0.04, 100, True), (0.2, 100, False), (0.06, 100, True)]
)
def test_a_check_can_fail(hits, blocks, passes):
    runs = np.arange(200) < 200 * hits
    assert checks.rate("false", "x", list(runs), blocks, most=0.05).passed is passes
    assert checks.rate("held", "x", list(~runs), blocks, least=0.95).passed is passes
    rng = np.random.default_rng(1)
    assert checks.uniform("x", list(rng.random(200)), blocks).passed
    assert not checks.uniform("x", list(rng.random(200) ** 2), blocks).passed


def test_the_report_is_that_of_its_table(tmp_path):
    for name in ("calibration.csv", "README.md"):
        (tmp_path / name).write_bytes((calibration.FOLDER / name).read_bytes())
    before = (tmp_path / "README.md").read_text(encoding="utf-8")
    calibration.write_report(tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == before
    assert "Yes: all " in before
    assert (tmp_path / "calibration.svg").read_bytes() == (
        calibration.FOLDER / "calibration.svg"
    ).read_bytes()


def test_noise_with_a_bias_is_found():
    """The same checks fail on runs in which there is something."""
    values = np.random.default_rng(2).normal(0.3, 1.0, (RUNS, 200))
    assert not passed([*checks.nothing_there("biased", values, 0.2)])
    assert not checks.covered("biased", values).passed
    assert not checks.recovered("biased", values, np.random.default_rng(3).normal(0.0, 1.0, 10_000)).passed
