"""How many of the decisions that a policy meets each tip changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from shanghai_sim.experiments.changed import counted, share_rows
from shanghai_sim.experiments.tips.court import Bench
from shanghai_sim.experiments.tips.docket import Docket
from shanghai_sim.experiments.tips.tip import Tip
from shanghai_sim.experiments.tips.trial import Trial
from shanghai_sim.simulation.plan import make_plan


def decisions_changed(docket: Docket, games: int, bench: Bench) -> dict[Tip, dict[str, Any]]:
    """Return for each tip the share of the decisions that it changes, among those that the policy meets."""
    found: dict[Tip, dict[str, Any]] = {}
    mains = [trial for tip in docket.tips if (trial := docket.main_of(tip)) is not None]
    seating = docket.seating
    told = bench.progress
    progress = None if told is None else partial(told, "decisions")
    for number, together in enumerate(_by_rules(mains)):
        plan = make_plan(
            together[0].question.variant.plan.ruleset, [seating.policy], against=seating.against,
            players=seating.players, games=games, seed=seating.seed, coupling=seating.coupling,
        )  # fmt: skip
        part = f"decisions-{number}"
        kept = None if bench.folder is None else bench.folder.get(part)
        if kept is None:
            kept = {"counts": counted(plan, [trial.sides for trial in together], progress)}
            if bench.folder is not None:
                bench.folder.keep(part, kept)
        for trial, counts in zip(together, kept["counts"], strict=True):
            found[trial.tip] = share_rows(plan, counts)[-1] | {"games": plan.games}
    return found


def _by_rules(trials: Sequence[Trial]) -> list[list[Trial]]:
    """Return trials in groups of the same rules."""
    groups: list[list[Trial]] = []
    for trial in trials:
        ruleset = trial.question.variant.plan.ruleset
        same = [group for group in groups if group[0].question.variant.plan.ruleset == ruleset]
        if same:
            same[0].append(trial)
        else:
            groups.append([trial])
    return groups
