"""What is checked of the statistics: how often they are wrong, on runs cut from long series of real blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import kolmogorov

import shanghai_sim as ss
from shanghai_sim.experiments.stopping import Precision
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import Interval, exact_interval, mean_interval
from shanghai_sim.inference.sequential import running_intervals
from shanghai_sim.inference.verdicts import Verdict, judge, verdict

Runs = NDArray[np.float64]
LEVEL = 0.95
#: How sure it must be that a rate is on the wrong side of what is allowed before a check fails.
SURE = 0.999
#: Every so many blocks somebody looks.
EVERY = 500
_SIDES = {Verdict.MUCH_BETTER, Verdict.MUCH_WORSE, Verdict.BETTER, Verdict.WORSE}


@dataclass(frozen=True)
class Check:
    """One rate, with its 95 % interval and what is allowed.

    Parameters
    ----------
    check : str
        Which one.
    what : str
        On which runs.
    runs, blocks : int
        How many runs, of how many blocks each.
    rate, low, high : float
        Share of the runs, with its interval (Clopper and Pearson 1934); of "uniform" the p-value of the test.
    allowed : float
        What the rate may be: at most, of false alarms; at least, of coverage and of "uniform".
    passed : bool
        Whether the rate is not surely on the wrong side of that.
    """

    check: str
    what: str
    runs: int
    blocks: int
    rate: float
    low: float
    high: float
    allowed: float
    passed: bool

    def row(self) -> dict[str, object]:
        """Return it as a row."""
        return asdict(self)


def cut(values: NDArray[np.float64], runs: int, blocks: int) -> Runs:
    """Return the first blocks of a series as so many runs, one after the other, float64[runs, blocks]."""
    return np.asarray(values[: runs * blocks].reshape(runs, blocks))


def resampled(values: NDArray[np.float64], runs: int, blocks: int, seed: int) -> Runs:
    """Return runs of blocks drawn with replacement from a series that is moved to a mean of 0."""
    rng = np.random.default_rng(seed)
    return np.asarray((values - values.mean())[rng.integers(0, len(values), (runs, blocks))])


def rate(
    check: str, what: str, hits: Sequence[bool], blocks: int, *, most: float | None = None, least: float = 0.0
) -> Check:
    """Return the check of a share of runs that may be `most` at most, or `least` at least."""
    runs, count = len(hits), int(sum(hits))
    low, high = exact_interval(count, runs, LEVEL)
    sure_low, sure_high = exact_interval(count, runs, SURE)
    passed = sure_low <= most if most is not None else sure_high >= least
    allowed = least if most is None else most
    return Check(check, what, runs, blocks, count / runs, low, high, allowed, bool(passed))


def uniform(what: str, p_values: Sequence[float], blocks: int) -> Check:
    """Return the check that p-values are uniform (Kolmogorov and Smirnov)."""
    x, n = np.sort(p_values), len(p_values)
    steps = np.arange(n + 1) / n
    distance = max((steps[1:] - x).max(), (x - steps[:-1]).max())
    p = float(kolmogorov(math.sqrt(n) * distance))
    return Check("p-values uniform", what, n, blocks, p, math.nan, math.nan, 1 - SURE, p >= 1 - SURE)


def nothing_there(what: str, runs: Runs, margin: float) -> Iterator[Check]:
    """Yield the checks of runs in which there is no difference: p-values, and how often one is claimed."""
    blocks = runs.shape[1]
    fixed = Precision(blocks, True)
    yield uniform(what, [fixed.p_value(run) for run in runs], blocks)
    claims = []
    for run in runs:
        found = fixed.interval(run)
        claims.append(verdict(float(found.low), float(found.high), margin) in _SIDES)
    yield rate("false better or worse, games fixed", what, claims, blocks, most=1 - LEVEL)


def looked_at(what: str, runs: Runs, margin: float) -> Iterator[Check]:
    """Yield the checks of runs without a difference that somebody looks at again and again."""
    blocks = runs.shape[1]
    looks = np.arange(EVERY, blocks + 1, EVERY)
    missed, claimed, fooled = [], [], []
    for run in runs:
        path = running_intervals(run, looks, blocks / 2)
        missed.append(any(not look.low <= 0 <= look.high for look in path))
        claimed.append(_stopped_at(path, margin) in _SIDES)
        fooled.append(any(_t_excludes(run[:look]) for look in looks))
    every = f"{what}, {len(looks)} looks"
    yield rate("interval for looking, left 0 out at any look", every, missed, blocks, most=1 - LEVEL)
    yield rate("false better or worse, until decided", every, claimed, blocks, most=1 - LEVEL)
    # What the other interval is there for: this one is allowed anything.
    yield rate("interval for a fixed number, left 0 out at any look", every, fooled, blocks, most=1.0)


def covered(what: str, runs: Runs) -> Check:
    """Return the check that t intervals of runs whose true mean is 0 hold 0."""
    precision = Precision(runs.shape[1], True)
    held = [found.low <= 0 <= found.high for found in map(precision.interval, runs)]
    return rate("coverage, games fixed", what, held, runs.shape[1], least=LEVEL)


def covered_together(what: str, columns: NDArray[np.float64], runs: int, blocks: int, seed: int) -> Check:
    """Return the check that bands over several columns, float64[n, k], hold all their means at once."""
    rng = np.random.default_rng(seed)
    centred = columns - columns.mean(axis=0)
    precision = Precision(blocks, True)
    held = []
    for _ in range(runs):
        found = precision.together(centred[rng.integers(0, len(columns), blocks)])
        held.append(bool(((found.low <= 0) & (found.high >= 0)).all()))
    return rate("coverage, all at once", what, held, blocks, least=LEVEL)


def recovered(what: str, runs: Runs, reference: NDArray[np.float64]) -> Check:
    """Return the check that intervals of short runs hold a real difference that other blocks have measured.

    The reference is not the truth either: its own error is added to that of each run.
    """
    blocks = runs.shape[1]
    truth, error = reference.mean(), reference.std(ddof=1) / math.sqrt(len(reference))
    held = []
    for run in runs:
        found = mean_interval(Moments.of(run[:, None]), LEVEL)
        half = math.hypot(float(found.high[0] - found.low[0]) / 2, 1.96 * error)
        held.append(abs(float(found.estimate[0]) - truth) <= half)
    return rate("coverage of a real difference", what, held, blocks, least=LEVEL)


def paired(rules: Sequence[tuple[str, int]], games: int) -> Check:
    """Return the check that a policy against itself differs in no block, under so many rules and players."""
    hits, blocks = [], []
    for name, players in rules:
        found = ss.compare("balanced", "balanced", rules=name, players=players, until=f"games={games}")
        hits.append(bool((found.block_frame().difference != 0).any()))
        blocks.append(found.blocks)
    return rate(
        "a policy against itself differs", f"{len(rules)} rulesets and tables", hits, min(blocks), most=0.0
    )


def _stopped_at(path: Sequence[Interval], margin: float) -> Verdict:
    """Return the verdict of the look at which a run stops, or of the last."""
    for look in path:
        said = judge(float(look.low), float(look.high), margin, look.n_blocks)
        if said.stop:
            break
    return said.verdict


def _t_excludes(values: NDArray[np.float64]) -> bool:
    found = mean_interval(Moments.of(values[:, None]), LEVEL)
    return not bool(found.low[0] <= 0 <= found.high[0])
