"""The sequential test of two hypotheses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shanghai_sim.inference.gate import Gate, GateOutcome
from tests.reference import slow_inference as slow


def test_the_ratio_is_that_of_two_normal_laws():
    rng = np.random.default_rng(1)
    for _ in range(50):
        values = rng.normal(rng.normal(), 10 ** rng.uniform(-1, 2), int(rng.integers(2, 200)))
        d0 = float(rng.normal())
        d1 = d0 + float(rng.uniform(0.01, 3))
        found = Gate(d0, d1).log_ratio(len(values), values.mean(), values.std(ddof=1))
        assert found == pytest.approx(slow.log_ratio_of_normals(values.tolist(), d0, d1), rel=1e-6, abs=1e-8)


def test_thresholds_are_walds():
    fail, passed = Gate(0, 1, alpha=0.05, beta=0.05).thresholds
    assert passed == pytest.approx(math.log(19))
    assert fail == pytest.approx(-math.log(19))
    fail, passed = Gate(0, 1, alpha=0.01, beta=0.2).thresholds
    assert passed == pytest.approx(math.log(80))
    assert fail == pytest.approx(math.log(0.2 / 0.99))


def test_outcomes():
    gate = Gate(0, 3)
    assert gate.outcome(500, 1.5, 100) is GateOutcome.GO_ON
    # ln 19 = 2.944 is reached at 20,000 * 3 * (2 m - 3) / 20,000, which is 3 (2 m - 3): m = 1.991.
    assert gate.outcome(20_000, 1.99, 100) is GateOutcome.GO_ON
    assert gate.outcome(20_000, 2.00, 100) is GateOutcome.PASS
    assert gate.outcome(20_000, 1.00, 100) is GateOutcome.FAIL
    assert gate.outcome(20_000, 1.01, 100) is GateOutcome.GO_ON


def test_values_without_spread():
    assert Gate(0, 3).outcome(500, 0.0, 0.0) is GateOutcome.FAIL
    assert Gate(0, 3).outcome(500, 3.0, 0.0) is GateOutcome.PASS
    assert Gate(-1, 1).outcome(500, 0.0, 0.0) is GateOutcome.GO_ON


def test_wrong_gates_are_refused():
    with pytest.raises(ValueError, match="d0 must be below d1"):
        Gate(1, 1)
    for alpha, beta in ((0, 0.1), (0.1, 0), (0.5, 0.5)):
        with pytest.raises(ValueError, match="alpha and beta"):
            Gate(0, 1, alpha, beta)
    with pytest.raises(ValueError, match="two blocks"):
        Gate(0, 1).log_ratio(1, 0.0, 1.0)
