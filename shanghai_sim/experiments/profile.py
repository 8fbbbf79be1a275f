"""Profile: how a policy plays, contract by contract, beside the others at its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from shanghai_sim.defaults import AGAINST
from shanghai_sim.experiments.moments import Progress, Values, play_moments
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.experiments.saving import save_result
from shanghai_sim.experiments.summary import TABLE, summary_rows
from shanghai_sim.experiments.traits import Portrait
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import Interval, mean_interval, ratio_interval
from shanghai_sim.inference.survival import curve_interval, median_interval
from shanghai_sim.simulation.aggregate import DEAL_PART
from shanghai_sim.simulation.columns import PROFILE, PROFILE_RATIOS
from shanghai_sim.simulation.laydowns import LayDowns
from shanghai_sim.simulation.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset
    from shanghai_sim.simulation.runner import Chunk

Row = dict[str, Any]


@frozen
class Profile:
    """How a policy plays.

    Attributes
    ----------
    plan : Plan
        What was asked: the policy in one seat, the others around it.
    mirror : Plan or None
        The other way round: one of the others among players of the policy. None where that says nothing
        new (two players, the policy among its own kind) or is not defined (a mixture).
    rows : tuple of dict
        The figures (keys: simulation.columns.PROFILE); NaN: no figure.
    """

    plan: Plan
    mirror: Plan | None
    rows: tuple[Row, ...] = field(repr=False)

    @property
    def verdict(self) -> str:
        """The answer in words: how good it is, and what kind of player."""
        return self._portrait().verdict()

    @property
    def finding(self) -> str:
        """The same in a few words, without games and seed."""
        return self._portrait().finding()

    @property
    def context(self) -> dict[str, Any]:
        """What every output names; `policies` has both tables."""
        tables = [plan.context()["policies"] for plan in (self.plan, self.mirror) if plan is not None]
        return self.plan.context() | {"policies": "; ".join(map(str, tables))}

    def to_frame(self) -> pd.DataFrame:
        """Return the figures, one a row."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def save(self, folder: str | Path) -> None:
        """Write ``profile.csv`` and ``profile.json`` (what was asked, and the answer) into a folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
        """
        about = {"verdict": self.verdict, "context": self.context, "request": self.plan.request()}
        save_result(folder, "profile", self.rows, about)

    def _portrait(self) -> Portrait:
        return Portrait(self.plan, self.mirror, self.rows)


def profile_plan(plan: Plan, *, workers: int | None = None, progress: Progress | None = None) -> Profile:
    """Play the table of a plan, and the one the other way round, and return the portrait of its policy.

    Parameters
    ----------
    plan : Plan
        One policy against others.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the games played and the games of both tables.
    """
    mirror = _mirror(plan)
    counts = LayDowns(plan)

    def watch(chunk: Chunk, batch: Any, values: Values) -> None:
        counts.add(chunk, batch)
        deals = values["deal"][:, :-1]
        values["pooled"] = deals.sum(axis=1)
        means = deals[..., DEAL_PART["points"]] / deals[..., DEAL_PART["seats"]]
        values["gap"] = means[..., 0] - means[..., 1]

    total = plan.games * (1 if mirror is None else 2)

    def told(before: int) -> Progress | None:
        return None if progress is None else lambda done, _: progress(before + done, total)

    moments = play_moments(plan, workers=workers, progress=told(0), watch=watch)
    rows = [*_summary(plan, moments), *_ratios(plan, moments), *_gaps(plan, moments), *_curves(plan, counts)]
    if mirror is not None:
        other = play_moments(mirror, workers=workers, progress=told(plan.games))
        rows += (row for row in _summary(mirror, other) if row["deal"] == 0)
    return Profile(plan, mirror, tuple(rows))


def _mirror(plan: Plan) -> Plan | None:
    """Return the plan the other way round, where it says something new."""
    if len(plan.against) != 1 or plan.players == 2 or plan.against == plan.policies:
        return None
    return evolve(plan, policies=plan.against, against=plan.policies)


def _row(plan: Plan, group: str, deal: int, metric: str, numbers: Sequence[Any], turn: int = 0) -> Row:
    contract = str(plan.ruleset.contract_in(deal)) if deal else ""
    seating = str(plan.context()["policies"])
    estimate, low, high, n_blocks = numbers
    values = (
        seating, group, deal, contract, turn, metric, float(estimate), float(low), float(high), n_blocks
    )  # fmt: skip
    return dict(zip([column.name for column in PROFILE], values, strict=True))


def _at(found: Interval, at: Any) -> tuple[Any, ...]:
    return found.estimate[at], found.low[at], found.high[at], found.n_blocks


def _summary(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[Row]:
    """Yield the figures that a run has too, sudden death left out."""
    for row in summary_rows(plan, moments):
        if row["group"] != TABLE and row["deal"] != plan.deal_numbers[-1]:
            numbers = [row[key] for key in ("estimate", "low", "high", "n_blocks")]
            yield _row(plan, row["group"], row["deal"], row["metric"], numbers)


def _ratios(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[Row]:
    """Yield the figures that are ratios of two records: of all deals together (deal 0), and of each."""
    for ratio in PROFILE_RATIOS:
        parts = DEAL_PART[ratio.part], DEAL_PART[ratio.whole]
        pooled, by_deal = (ratio_interval(moments[kind], *parts) for kind in ("pooled", "deal"))
        for g, label in enumerate(plan.group_labels):
            yield _row(plan, label, 0, ratio.name, _at(pooled, g))
            for slot, deal in enumerate(plan.deal_numbers[:-1]):
                yield _row(plan, label, deal, ratio.name, _at(by_deal, (slot, g)))


def _gaps(plan: Plan, moments: Mapping[str, Moments]) -> Iterator[Row]:
    """Yield by how many points the policy differs from the others in each deal."""
    found = mean_interval(moments["gap"])
    first, others = plan.group_labels
    for slot, deal in enumerate(plan.deal_numbers[:-1]):
        yield _row(plan, f"{first} minus {others}", deal, "points", _at(found, slot))


def _curves(plan: Plan, counts: LayDowns) -> Iterator[Row]:
    """Yield the median own turn of the lay-down, and the share down by each, of all deals and of each."""
    down, stopped = (
        np.concatenate([array[:, :-1].sum(axis=1, keepdims=True), array[:, :-1]], axis=1)
        for array in (counts.down, counts.stopped)
    )
    curve = curve_interval(down, stopped, plan.blocks)
    median = median_interval(curve)
    for g, label in enumerate(plan.group_labels):
        for slot, deal in enumerate((0, *plan.deal_numbers[:-1])):
            yield _row(plan, label, deal, "median_lay_down", _at(median, (slot, g)))
            for turn in range(1, down.shape[-1]):
                if np.isnan(curve.estimate[slot, g, turn]):
                    break
                yield _row(plan, label, deal, "down_by_turn", _at(curve, (slot, g, turn)), turn)


def profile(
    policy: str | Policy,
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    against: str | Sequence[str | Policy] | None = None,
    players: int | None = None,
    games: int = 4_000,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    deals: Sequence[int] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Profile:
    """Play games and return the portrait of a policy: what it wins, and how it plays each contract.

    Parameters
    ----------
    policy : str or Policy
        The policy; it sits in one seat and rotates through all of them.
    rules, overrides, against, players, seed, namespace, coupling, deals, workers
        As in `run`.
    games : int
        Games at each of two tables: the policy among the others, and one of the others among players of the
        policy. Rounded up to whole blocks.
    progress : callable, optional
        Called with the games played and the games in all.

    Returns
    -------
    Profile

    Raises
    ------
    InputError
        If something asked for is wrong.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> portrait = ss.profile("no-buy", games=800, deals=[1, 2])
    >>> float(portrait.to_frame().query("group == 'no-buy' and metric == 'buy_rate'").estimate.max())
    0.0
    """
    plan = requested_plan(
        policy,
        rules=rules,
        overrides=overrides,
        against=AGAINST if against is None else against,
        players=players,
        games=games,
        seed=seed,
        namespace=namespace,
        coupling=coupling,
        deals=deals,
    )
    return profile_plan(plan, workers=workers, progress=progress)
