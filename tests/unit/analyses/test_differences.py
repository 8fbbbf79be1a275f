"""What a table of differences says."""

from __future__ import annotations

import pandas as pd
import pytest

from analyses.differences import EQUAL, difference, judged, ranked


def test_what_a_table_says_holds_for_all_rows_together():
    table = pd.DataFrame(
        {
            "difference": [9.0, -9.0, 5.0, 0.1, 0.0],
            "low": [8.0, -10.0, 0.5, -1.0, -1.9],
            "high": [10.0, -8.0, 9.5, 1.0, 1.9],
            "p": [1e-9, 1e-9, 0.03, 0.8, 1.0],
            "blocks": 300,
        }
    )
    found = judged(table)
    assert found["says"].tolist() == ["better", "worse", "unclear", "equal", "unclear"]
    assert found["p"].tolist() == pytest.approx([5e-9, 5e-9, 0.09, 1.0, 1.0])
    assert judged(table, equal=0.0)["says"].tolist()[-1] == "unclear"
    assert EQUAL == 2


def test_rows_of_comparisons_are_ranked():
    rows = [{"a": a} | difference(a, "balanced", 100, 3, deals=[1]) for a in ("random", "balanced")]
    found = ranked(rows)
    assert found["a"].tolist() == ["balanced", "random"]
    assert found["difference"].iloc[0] == 0
    assert (found["games"] >= 100).all()
