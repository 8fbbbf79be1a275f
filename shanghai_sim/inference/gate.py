"""A gate for changes: does this help by d1, or by no more than d0? A sequential test of two hypotheses.

It answers sooner than an interval can, and says less: publish the interval beside it, since the mean of a run that
stopped because it looked good is too good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class GateOutcome(StrEnum):
    """What the gate says after a look."""

    PASS = "accept H1"
    FAIL = "accept H0"
    GO_ON = "go on"


@dataclass(frozen=True)
class Gate:
    """A generalised sequential probability ratio test of the mean of block values.

    Wald's test (1945) with the variance estimated from the data (generalised: Li, Liu and Ying 2014), as tests of
    chess engines use it. Look at batch ends, from some hundreds of blocks on.

    Parameters
    ----------
    d0, d1 : float
        Means under H0 and H1 in the unit of the values, ``d0 < d1``; higher is better for the variant.
    alpha, beta : float
        Chance to pass at d0 and to fail at d1, each above 0, together below 1.
    """

    d0: float
    d1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.d0 < self.d1:
            raise ValueError(f"d0 must be below d1, not {self.d0} and {self.d1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"alpha and beta must be above 0, together below 1: {self.alpha}, {self.beta}")

    @property
    def thresholds(self) -> tuple[float, float]:
        """The log-likelihood ratios to accept H0 at and H1 at: ``ln(beta / (1 - alpha)), ln((1 - beta) / alpha)``."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_ratio(self, n: int, mean: float, sd: float) -> float:
        """Return ``n (d1 - d0) (2 mean - d0 - d1) / (2 sd^2)``, the log-likelihood ratio of H1 to H0.

        Parameters
        ----------
        n : int
            Blocks so far, 2 or more.
        mean, sd : float
            Mean and standard deviation of their values. Without any spread the ratio is infinite, or 0 for a
            mean just midway.
        """
        if n < 2:
            raise ValueError(f"a gate needs two blocks or more, not {n}")
        lead = 2 * mean - self.d0 - self.d1
        if sd == 0:
            return math.copysign(math.inf, lead) if lead != 0 else 0.0
        return n * (self.d1 - self.d0) * lead / (2 * sd**2)

    def outcome(self, n: int, mean: float, sd: float) -> GateOutcome:
        """Return what the gate says after n blocks; parameters as in `log_ratio`."""
        ratio = self.log_ratio(n, mean, sd)
        fail, passed = self.thresholds
        if ratio >= passed:
            return GateOutcome.PASS
        return GateOutcome.FAIL if ratio <= fail else GateOutcome.GO_ON
