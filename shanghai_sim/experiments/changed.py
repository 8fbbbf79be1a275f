"""Which decisions two policies take differently: how often a piece of advice says anything at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from shanghai_sim.experiments.decisions import Progress, decisions_met
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.experiments.saving import save_result
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import ratio_interval
from shanghai_sim.simulation.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

ALL = "all"


@frozen
class ChangedDecisions:
    """How many of the decisions that one policy meets another would take differently.

    Attributes
    ----------
    plan : Plan
        The policy that plays, against whom.
    other : str
        The policy that is asked as well.
    rows : tuple of dict
        For each kind of decision, and all together: `decision`, `met` (a game), `share` that differ with its 95 %
        interval `low` and `high`, and `n_blocks`.
    """

    plan: Plan
    other: str
    rows: tuple[dict[str, Any], ...] = field(repr=False)

    @property
    def verdict(self) -> str:
        """The answer in words."""
        row = self.rows[-1]
        return (
            f"{self.other} would take {100 * row['share']:.2f} % of the decisions otherwise that "
            f"{self.plan.policies[0].label} meets (95 % interval {100 * row['low']:.2f} to {100 * row['high']:.2f} %; "
            f"{self.plan.games:,} games)."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a row per kind of decision."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def save(self, folder: str | Path) -> None:
        """Write ``decisions.csv`` into a folder, which is made where there is none."""
        save_result(folder, "decisions", self.rows)


def changed_decisions(
    policy: str | Policy,
    other: str | Policy,
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    against: str | Sequence[str | Policy] | None = None,
    players: int | None = None,
    games: int = 100,
    seed: int = 1,
    namespace: str = "final",
    deals: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> ChangedDecisions:
    """Count the decisions that another policy would take differently in the very positions that one meets.

    Parameters
    ----------
    policy : str or Policy
        Who plays.
    other : str or Policy
        Who is asked at each decision as well.
    rules, overrides, against, players, seed, namespace, deals
        As in `run`.
    games : int
        Rounded up to whole blocks; the games are stepped through from Python, a hundred take some seconds.
    progress : callable, optional
        Called with the games played and all games.

    Returns
    -------
    ChangedDecisions

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> found = ss.changed_decisions("balanced", "balanced+buy.when=never", games=8).to_frame()
    >>> found.set_index("decision").share[["draw", "discard"]].tolist()
    [0.0, 0.0]
    """
    from shanghai_sim.policies.policy import load_policy

    plan = requested_plan(
        policy, rules=rules, overrides=overrides, against=against, players=players, games=games, seed=seed,
        namespace=namespace, deals=deals,
    )  # fmt: skip
    asked = load_policy(other) if isinstance(other, str) else other
    counts = counted(plan, [(plan.policies[0], asked)], progress)[0]
    return ChangedDecisions(plan, asked.label, tuple(share_rows(plan, counts)))


def counted(
    plan: Plan, pairs: Sequence[tuple[Policy, Policy]], progress: Progress | None = None
) -> NDArray[np.float64]:
    """Return how many decisions that the first policy of a plan meets two others take differently.

    Parameters
    ----------
    plan : Plan
        Who plays, and against whom.
    pairs : sequence of two Policy
        Who is asked at each decision; all pairs in one pass.
    progress : callable, optional
        Called with the games played and all games.

    Returns
    -------
    float64[pairs, blocks, kinds + 1, 2]
        Decisions met and decisions that differ, by kind and, last, all together.
    """
    from shanghai_sim.engine.situation import DECISIONS

    n_deals = plan.ruleset.n_deals
    policies = [policy for pair in pairs for policy in pair]
    known = [policies.index(policy) for policy in policies]
    rows = {i: policies[i].rows(n_deals) for i in set(known)}
    own = {i for i in rows if policies[i] == plan.policies[0]}
    discards = DECISIONS.index("discard")
    counts = np.zeros((len(pairs), plan.blocks, len(DECISIONS) + 1, 2))
    for block, table, view, answer in decisions_met(plan, progress):
        # Beside the card a discard says what it does to the distance, which is no other decision.
        mask = 0xFF if view.decision == discards else -1
        answers = {
            i: (answer if i in own else table.policy_answer(view, row)) & mask for i, row in rows.items()
        }
        differs = [answers[known[2 * i]] != answers[known[2 * i + 1]] for i in range(len(pairs))]
        for kind in (view.decision, -1):
            counts[:, block, kind, 0] += 1
            counts[:, block, kind, 1] += differs
    return counts


def share_rows(plan: Plan, counts: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Return the rows of `ChangedDecisions` of the counts of one pair, float64[blocks, kinds + 1, 2]."""
    from shanghai_sim.engine.situation import DECISIONS

    found = ratio_interval(Moments.of(counts), 1, 0)
    return [
        {
            "decision": name,
            "met": float(counts[:, i, 0].sum() / plan.games),
            "share": float(found.estimate[i]),
            "low": float(found.low[i]),
            "high": float(found.high[i]),
            "n_blocks": plan.blocks,
        }
        for i, name in enumerate((*DECISIONS, ALL))
    ]
