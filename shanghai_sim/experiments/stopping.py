"""When a comparison stops, and which intervals hold for a run that stops so.

A number of games fixed in advance gives Student t intervals. Whatever looks at the results as they come in gives
intervals of a confidence sequence, which hold at all looks at once.
"""

from __future__ import annotations

import math
import re

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from shanghai_sim.errors import InputError, did_you_mean
from shanghai_sim.inference.blocks import FloatArray, Moments
from shanghai_sim.inference.evalues import log_e_values
from shanghai_sim.inference.gate import Gate, GateOutcome
from shanghai_sim.inference.intervals import Interval, mean_interval
from shanghai_sim.inference.multiplicity import bonferroni_level, max_t
from shanghai_sim.inference.power import blocks_for, normal_quantile, smallest_effect
from shanghai_sim.inference.sequential import (
    FIRST_LOOK,
    half_width,
    look_grid,
    mixture_parameter,
    sequence_interval,
)
from shanghai_sim.inference.verdicts import judge

#: Blocks at which a run that stops by itself stops at the latest, where nobody says.
BUDGET = 40_000
#: Block values are kept in memory.
MOST_BLOCKS = 5_000_000
LEVEL = 0.95
#: Seed of the bootstrap; the blocks are what is random, not this.
_SEED = 1
_FORM = "decided, width=X (points from end to end of the interval) or games=N"


@frozen
class Until:
    """When to stop.

    Attributes
    ----------
    kind : str
        "decided", "width", "games" or "gate".
    number : float
        Width in points, or games; else 0.
    gate : Gate or None
        The gate.
    """

    kind: str
    number: float = 0.0
    gate: Gate | None = None

    @property
    def fixed(self) -> bool:
        """Whether the number of games is fixed in advance."""
        return self.kind == "games"

    def request(self) -> dict[str, object]:
        """Return it ready for JSON."""
        asked: dict[str, object] = {"kind": self.kind, "number": self.number}
        return asked if self.gate is None else asked | {"gate": [self.gate.d0, self.gate.d1]}

    def planned(self, sd: float, margin: float) -> float:
        """Return the number of blocks at which the interval should be tightest, from a pilot's spread.

        Parameters
        ----------
        sd : float
            Standard deviation of block values in the pilot.
        margin : float
            Half of the region of practical equivalence.
        """
        if sd == 0:
            return FIRST_LOOK
        if self.kind == "width":
            # With n_opt = n the half-width shrinks with the root of n.
            return float(2 * half_width(1, sd, 1.0) / self.number) ** 2
        effect = margin if self.gate is None else self.gate.d1 - self.gate.d0
        return blocks_for(effect, sd)

    def enough(self, found: Interval, moments: Moments, margin: float) -> bool:
        """Return whether the run stops after a look: its interval and the moments of the blocks so far."""
        low, high = float(found.low[0]), float(found.high[0])
        if self.gate is not None:
            return gate_outcome(self.gate, moments) is not GateOutcome.GO_ON
        if self.kind == "width":
            return high - low <= self.number
        return judge(low, high, margin, moments.n).stop


def gate_outcome(gate: Gate, moments: Moments) -> GateOutcome:
    """Return what a gate says of the blocks so far."""
    return gate.outcome(moments.n, float(moments.mean[0]), math.sqrt(moments.covariance[0, 0]))


def read_until(text: str) -> Until:
    """Return the rule that a text names, e.g. ``decided``, ``width=1.5`` or ``games=20000``.

    Raises
    ------
    InputError
        If it names none.
    """
    kind, _, value = text.strip().partition("=")
    if kind == "decided" and not value:
        return Until("decided")
    if kind == "width" and re.fullmatch(r"\d+(\.\d*)?|\.\d+", value) and float(value) > 0:
        return Until("width", float(value))
    if kind == "games" and re.fullmatch(r"[\d_]+", value) and int(value.replace("_", "") or 0) > 0:
        return Until("games", float(value.replace("_", "")))
    kinds = ("decided", "width", "games")
    hint = "" if kind in kinds else did_you_mean(kind, kinds)
    raise InputError(f"--until {text}: it is {_FORM}{hint}")


def read_gate(text: str) -> Until:
    """Return the gate that a text such as ``0,3`` names.

    Raises
    ------
    InputError
        If it names none.
    """
    parts = text.split(",")
    try:
        d0, d1 = (float(part) for part in parts)
        if not (math.isfinite(d0) and math.isfinite(d1)):
            raise ValueError
        return Until("gate", gate=Gate(d0, d1))
    except ValueError:
        raise InputError(
            f"--gate {text}: two differences in points a game with a comma between, the smaller first, such as 0,3"
        ) from None


def looks_of(until: Until, blocks: int) -> NDArray[np.int64]:
    """Return the numbers of blocks at which a run is looked at; the last is the most that it plays.

    Parameters
    ----------
    until : Until
    blocks : int
        Blocks of a run of fixed length, or the budget of another.
    """
    grid = look_grid(blocks)
    return np.append(grid[grid < blocks], blocks) if until.fixed else grid


@frozen
class Precision:
    """How intervals are made.

    Attributes
    ----------
    n_opt : float
        Planned number of blocks.
    fixed : bool
        Whether the number of blocks was fixed in advance.
    """

    n_opt: float
    fixed: bool

    def interval(self, values: FloatArray) -> Interval:
        """Return the mean of block values, float64[n] or float64[n, k], with its interval, of shape [] or [k]."""
        moments = Moments.of(values.reshape(len(values), -1))
        found = self._of(moments, LEVEL)
        shape = values.shape[1:]
        return Interval(
            found.estimate.reshape(shape), found.low.reshape(shape), found.high.reshape(shape), moments.n
        )

    def together(self, values: FloatArray) -> Interval:
        """Return the means of the columns of float64[n, k] with intervals that all hold together, shape [k]."""
        if self.fixed and len(values) > 1:
            return max_t(values, _SEED).bands(LEVEL)
        # A bootstrap knows one number of blocks only; sequences take Bonferroni's way.
        return self._of(Moments.of(values), bonferroni_level(LEVEL, values.shape[1]))

    def p_value(self, values: FloatArray) -> float:
        """Return the p-value of "the mean is 0" of block values, float64[n], two-sided; NaN below two blocks.

        From the t distribution; or where the run may stop at any look, the inverse of the e-value of the same
        mixture as the interval's, at most 1.
        """
        n = len(values)
        if n < 2:
            return math.nan
        mean, sd = float(values.mean()), float(values.std(ddof=1))
        if mean == 0:
            return 1.0
        if not self.fixed:
            log_e = log_e_values(np.array(mean), np.array(sd), n, mixture_parameter(self.n_opt, LEVEL))
            return float(min(1.0, math.exp(-max(0.0, float(log_e)))))
        if sd == 0:
            return 0.0
        from scipy.special import stdtr

        return float(2 * stdtr(n - 1, -abs(mean) / sd * math.sqrt(n)))

    def smallest(self, values: FloatArray) -> float:
        """Return the smallest true mean that a run of so many blocks would tell from 0 with 80 % chance."""
        n, sd = len(values), float(values.std(ddof=1))
        if self.fixed:
            return smallest_effect(n, sd)
        return float(half_width(n, sd, self.n_opt, LEVEL)) + normal_quantile(0.8) * sd / math.sqrt(n)

    def _of(self, moments: Moments, level: float) -> Interval:
        return mean_interval(moments, level) if self.fixed else sequence_interval(moments, self.n_opt, level)


@frozen
class Look:
    """What was known after some blocks: the mean of the difference and its interval of the confidence sequence."""

    blocks: int
    estimate: float
    low: float
    high: float


class Watcher:
    """Looks at a run as it goes on, at the looks of a grid and from the first blocks alone.

    Parameters
    ----------
    until : Until
        When to stop.
    looks : int64[m]
        Numbers of blocks.
    n_opt : float
        Planned number of blocks.
    margin : float
        Half of the region of practical equivalence.
    """

    def __init__(self, until: Until, looks: NDArray[np.int64], n_opt: float, margin: float) -> None:
        self._until, self._looks, self._n_opt, self._margin = until, looks, n_opt, margin
        self._pending: list[FloatArray] = []
        self._total: Moments | None = None
        self._seen = 0
        self.path: list[Look] = []
        self.stopped = False

    def add(self, values: FloatArray) -> bool:
        """Take the values of the next blocks, float64[n], and return whether the run has stopped."""
        self._pending.append(values)
        self._seen += len(values)
        while not self.stopped and len(self.path) < len(self._looks) and self._seen >= self._next:
            self._look(self._next)
        return self.stopped

    @property
    def _next(self) -> int:
        return int(self._looks[len(self.path)])

    def _look(self, blocks: int) -> None:
        before = self.path[-1].blocks if self.path else 0
        waiting = np.concatenate(self._pending)
        new, rest = waiting[: blocks - before], waiting[blocks - before :]
        self._pending = [rest]
        moments = Moments.of(new[:, None])
        self._total = moments if self._total is None else self._total.merge(moments)
        found = sequence_interval(self._total, self._n_opt, LEVEL)
        self.path.append(Look(blocks, float(found.estimate[0]), float(found.low[0]), float(found.high[0])))
        last = len(self.path) == len(self._looks)
        self.stopped = last or (
            not self._until.fixed and self._until.enough(found, self._total, self._margin)
        )
