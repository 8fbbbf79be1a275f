"""Figures of a summary as text."""

import pytest

from shanghai_sim.reporting.run_report import Figures

NAN = float("nan")


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ((6, 5, 7), "6 (5-7)"),
        ((6, 6, 7), "6 (6-7)"),
        ((6, 6, 6), "6"),
        ((14, 12, NAN), "14 (12+)"),
        ((14, 14, NAN), "14 (14+)"),
        ((6, NAN, NAN), "6"),
        ((NAN, 9, NAN), "-"),
    ],
)
def test_whole_numbers_with_their_intervals(numbers, shown):
    row = {"group": "a", "deal": 1, "metric": "median_lay_down"}
    row |= dict(zip(("estimate", "low", "high"), numbers, strict=True))
    assert Figures([row]).interval("a", 1, "median_lay_down") == shown
