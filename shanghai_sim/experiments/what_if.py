"""What if: the same position played out in two ways, on the same cards to come.

At each decision of a kind that a filter picks, the position is copied, each option is played there, and all seats then
play on as they would. What differs at the end is what the decision was worth: an intervention, never a correlation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from shanghai_sim.errors import InputError, PolicyError, did_you_mean
from shanghai_sim.experiments.decisions import Progress, decisions_met
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.experiments.saving import save_result
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import p_values, ratio_interval
from shanghai_sim.simulation.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.engine.situation import Situation
    from shanghai_sim.engine.stepper import Table
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.policies.view import View
    from shanghai_sim.rules.ruleset import Ruleset

#: The answers that have words of their own, by decision.
WORDS: dict[str, dict[str, int]] = {
    "draw": {"stock": 0, "discard": 1},
    "buy": {"no": 0, "yes": 1},
    "play": {"wait": 0, "lay-down": 1},
    "discard": {},
}
#: Blocks that must have met such a decision before there is an interval.
LEAST_MET = 10
Answer = Callable[["Table", "View"], int]
Sums = NDArray[np.float64]


@frozen
class WhatIf:
    """What the options of a decision were worth.

    Attributes
    ----------
    plan : Plan
        Who met the decisions, against whom.
    decision : str
        Their kind.
    options : tuple of str
        As asked for.
    decisions : int
        How many there were.
    rows : tuple of dict
        A row per option (keys: simulation.question_columns.WHAT_IF).
    groups : tuple of dict
        The same rows for each group of decisions alone, with the `group` and the name of the way that made it (`by`),
        in the order in which groups came up.
    """

    plan: Plan
    decision: str
    options: tuple[str, ...]
    decisions: int
    rows: tuple[dict[str, Any], ...] = field(repr=False)
    groups: tuple[dict[str, Any], ...] = field(repr=False, default=())

    @property
    def verdict(self) -> str:
        """The answer in words, of the best option but the first beside the first."""
        if self.decisions == 0:
            return f"No such {self.decision} decision came up in {self.plan.games:,} games."
        if math.isnan(self.rows[0]["low"]):
            return (
                f"{self.decisions:,} such {self.decision} decisions in {self.rows[0]['blocks_met']} blocks: "
                f"too few to tell, it takes {LEAST_MET} blocks."
            )
        first, best = self.rows[0], min(self.rows[1:], key=lambda row: row["difference"])
        size, low, high = (-best[key] for key in ("difference", "high", "low"))
        counted = f"{self.decisions:,} decisions in {self.plan.games:,} games"
        if low <= 0 <= high:
            return (
                f"No clear difference: {best['option']} saves {size:.2f} points a deal beside {first['option']} "
                f"(95 % interval {low:.2f} to {high:.2f}; {counted})."
            )
        better, worse = (best, first) if size > 0 else (first, best)
        ends = sorted((abs(low), abs(high)))
        return (
            f"{better['option']} is better than {worse['option']} by {abs(size):.2f} points a deal "
            f"(95 % interval {ends[0]:.2f} to {ends[1]:.2f}; {counted})."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a row per option."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def group_frame(self) -> pd.DataFrame:
        """Return a row per group and option."""
        import pandas as pd

        return pd.DataFrame(self.groups)

    def save(self, folder: str | Path) -> None:
        """Write ``what_if.csv``, and ``groups.csv`` where there are any, into a folder, which is made if need be."""
        save_result(folder, "what_if", self.rows)
        if self.groups:
            save_result(folder, "groups", self.groups)


def what_if(
    policy: str | Policy,
    *,
    decision: str,
    options: Sequence[str],
    where: Callable[[Situation], bool] | None = None,
    by: Mapping[str, Callable[[Situation], Hashable]] | None = None,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    against: str | Sequence[str | Policy] | None = None,
    players: int | None = None,
    games: int = 400,
    futures: int = 1,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    deals: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> WhatIf:
    """Return what the options of a decision are worth where a policy meets it.

    Parameters
    ----------
    policy : str or Policy
        Who meets the decisions, and plays on after each option.
    decision : str
        "draw", "buy", "play" (before the own contract is down) or "discard".
    options : sequence of str
        At least two. "stock" or "discard" for a draw, "yes" or "no" for a buy, "lay-down" or "wait" for a play; or a
        policy (``balanced+discard.outs=0``), whose answer is taken at this one decision. A decision counts where
        all options are legal.
    where : callable, optional
        Takes a `Situation`, which holds only what the seat sees, and says whether the decision counts.
    by : mapping of str to callable, optional
        Ways to group the decisions, all answered in one pass over the games. Each takes a `Situation` and returns the
        group that the decision belongs to, such as ``(seen.deal, seen.turn)``; None: to none.
    rules, overrides, against, players, seed, namespace, coupling, deals
        As in `run`.
    games : int
        Rounded up to whole blocks; stepped through from Python, a hundred take some seconds.
    futures : int
        In how many shuffles of the unseen stock each option is played out; the first is that of the game.
    progress : callable, optional
        Called with the games played and all games.

    Returns
    -------
    WhatIf

    Raises
    ------
    InputError
        If a decision or an option is not known.

    Notes
    -----
    The independent unit is the block: differences are ratios of sums over blocks (decisions that a block has more of
    count more), with the linearised error. Decisions that fewer than 10 blocks met have no
    interval. Sudden death is left out: its points change no total.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> found = ss.what_if("balanced", decision="draw", options=("stock", "discard"), games=8,
    ...                    where=lambda seen: seen.upcard == "JK" and not seen.down)
    >>> found.decisions >= 0
    True
    """
    plan = requested_plan(
        policy, rules=rules, overrides=overrides, against=against, players=players, games=games, seed=seed,
        namespace=namespace, coupling=coupling, deals=deals,
    )  # fmt: skip
    answers = _answers(decision, options, plan.ruleset.n_deals)
    if futures < 1:
        raise InputError(f"futures: {futures} is not a number from 1 on")
    from shanghai_sim.engine.situation import DECISIONS, situation

    kind = DECISIONS.index(decision)
    sums = _sums(plan, options)
    groups: dict[str, dict[Hashable, Sums]] = {name: {} for name in by or ()}
    sudden_death = len(plan.deal_numbers) - 1
    for block, table, view, _ in decisions_met(plan, progress):
        if view.decision != kind or (decision == "play" and view.down) or table.slot == sudden_death:
            continue
        seen = situation(table, view) if where or by else None
        if where is not None and not where(cast("Situation", seen)):
            continue
        points = [_points(table, view, answer, futures) for answer in answers]
        if None in points:
            continue
        sums[block] += (1, *points)
        for name, group_of in (by or {}).items():
            group = group_of(cast("Situation", seen))
            if group is not None:
                groups[name].setdefault(group, _sums(plan, options))[block] += (1, *points)
    rows = [
        {"by": name, "group": group} | row
        for name, found in groups.items()
        for group, part in found.items()
        for row in _rows(options, part)
    ]
    total = int(sums[:, 0].sum())
    return WhatIf(plan, decision, tuple(options), total, tuple(_rows(options, sums)), tuple(rows))


def _answers(decision: str, options: Sequence[str], n_deals: int) -> list[Answer]:
    """Return for each option a function from a position to an answer."""
    if decision not in WORDS:
        raise InputError(
            f"decision: must be {', '.join(WORDS)}, not {decision!r}{did_you_mean(decision, WORDS)}"
        )
    if len(options) < 2:
        raise InputError("options: at least two are needed, the first to compare with")
    return [_answer(decision, option, n_deals) for option in options]


def _answer(decision: str, option: str, n_deals: int) -> Answer:
    from shanghai_sim.policies.policy import load_policy

    words = WORDS[decision]
    if option in words:
        return lambda table, view: words[option]
    try:
        rows = load_policy(option).rows(n_deals)
    except PolicyError as error:
        known = f"{', '.join(words)} or a policy" if words else "a policy"
        raise InputError(
            *(f"options: {line}; for a {decision}: {known}" for line in error.problems)
        ) from None
    return lambda table, view: table.policy_answer(view, rows)


def _points(table: Table, view: View, answer: Answer, futures: int) -> float | None:
    """Return the mean points of the deal in the seat that decides, if it answers so; None: it may not."""
    total = 0
    for future in range(futures):
        branch = table.copy()
        branch.reshuffle_future(future)
        try:
            branch.answer(answer(branch, view))
        except PolicyError:
            return None
        branch.play_out()
        total += branch.result()["points"][view.seat]
    return total / futures


def _sums(plan: Plan, options: Sequence[str]) -> Sums:
    """Return room for the decisions of each block, then the points after each option."""
    return np.zeros((plan.blocks, 1 + len(options)))


def _rows(options: Sequence[str], sums: Sums) -> Iterator[dict[str, Any]]:
    decisions = int(sums[:, 0].sum())
    for i, option in enumerate(options, 1):
        pair = np.stack([sums[:, i] - sums[:, 1], sums[:, 0]], axis=1)
        found = ratio_interval(Moments.of(pair), 0, 1)
        met = int((sums[:, 0] > 0).sum())
        # The linearised error of decisions of one block is 0, and of a few it is far too small.
        low, high, p = (
            (float(found.low), float(found.high), float(p_values(found)))
            if met >= LEAST_MET
            else (math.nan,) * 3
        )
        yield {
            "option": option,
            "points": float(sums[:, i].sum() / decisions) if decisions else float("nan"),
            "difference": float(found.estimate),
            "low": low,
            "high": high,
            "p": p,
            "decisions": decisions,
            "blocks_met": met,
            "n_blocks": len(sums),
        }
