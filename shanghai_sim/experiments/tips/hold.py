"""Holding a court: from what is asked to verdict cards."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shanghai_sim.defaults import AGAINST
from shanghai_sim.errors import InputError
from shanghai_sim.experiments.summary import summary_csv
from shanghai_sim.experiments.tips.asking import budget_of, request_of, table_of
from shanghai_sim.experiments.tips.cards import Card, Court
from shanghai_sim.experiments.tips.court import (
    FULL,
    QUICK,
    Bench,
    Budget,
    Found,
    Progress,
    looks_of,
    most_games,
    try_all,
)
from shanghai_sim.experiments.tips.decisions import decisions_changed
from shanghai_sim.experiments.tips.docket import Docket, make_docket
from shanghai_sim.experiments.tips.tip import Tip, find_tips
from shanghai_sim.experiments.tips.trial import Seating
from shanghai_sim.simulation.arms import everybody, player_of
from shanghai_sim.simulation.part_folder import PartFolder
from shanghai_sim.simulation.plan import make_plan
from shanghai_sim.simulation.runner import cores

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

SECOND = "points-dumper"
#: Of the second policy: `SECOND`, or in a quick court nobody.
USUAL = "usual"
#: Blocks of one game each that show how fast this machine plays.
_PACE_BLOCKS = 100
Note = Callable[[str], None]


def tips(
    asked: Sequence[str | int] = (),
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    players: int | None = None,
    policy: str | Policy = AGAINST,
    second: str | Policy | None = USUAL,
    against: str | Sequence[str | Policy] | None = None,
    quick: bool = False,
    budget: Mapping[str, int] | None = None,
    seed: int = 1,
    coupling: str = "seat",
    workers: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    note: Note | None = None,
) -> Court:
    """Try pieces of advice and return a verdict card for each.

    Parameters
    ----------
    asked : sequence of str or int
        Numbers or names of tips, or TOML files that hold one; none: all that ship.
    rules, overrides, players, coupling, seed, workers
        As in `compare`.
    policy : str or Policy
        The player who follows a tip, or ignores it.
    second : str or Policy, optional
        A differently minded player who does so as well; None: nobody; "usual": points-dumper, if quick nobody.
    against : str or sequence, optional
        The others; by default the policy itself.
    quick : bool
        Few blocks, the readings of the tips alone, no second player, and no other rules.
    budget : mapping, optional
        Other numbers than usual: `screen`, `most` and `cell` blocks, `asked` games for decisions.
    out : str or Path, optional
        A folder in which everything that is played is kept, and the result.
    resume : bool
        Whether to go on with what stands there.
    progress : callable, optional
        Called with a stage, the games played in it and the games it takes at most.
    note : callable, optional
        Called once, before anything long, with an estimate in words.

    Returns
    -------
    Court

    Raises
    ------
    InputError
        If something asked for is wrong, or no tip can be tried.

    Notes
    -----
    A screen of all trials on the same blocks; fresh blocks, until decided, for those that it has not settled; and
    other tables on blocks of a fixed number (STATISTICS 7). Verdicts of a court hold together with 95 %.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> court = ss.tips([15], budget={"screen": 100, "most": 500, "cell": 20, "asked": 4}, quick=True)
    >>> court.cards[0].word.value
    'false'
    """
    chosen = find_tips(asked)
    if second == USUAL:
        second = None if quick else SECOND
    sizes = budget_of(QUICK if quick else FULL, budget)
    seating, other = table_of(rules, overrides, players, policy, second, against, seed, coupling)
    docket = make_docket(chosen, seating, other, short=quick)
    if not docket.family:
        raise InputError(
            *(f"tip {untried.tip.number}: {untried.cell}: {untried.reason}" for untried in docket.untried)
        )
    request = request_of(docket, sizes)
    with nullcontext() if out is None else PartFolder(Path(out), "tips", request, resume=resume) as folder:
        if note is not None and (folder is None or not folder.finished):
            kept = "; what is kept of them is not played again" if resume else ""
            note(estimate(docket, sizes, workers) + kept)
        bench = Bench(folder, workers, progress)
        found = try_all(docket.family, docket.cells, sizes, bench)
        decisions = decisions_changed(docket, sizes.asked, bench)
        court = Court(docket, sizes, tuple(_cards(docket, found, decisions)), found)
        if folder is not None and not folder.finished:
            folder.finish({"tips.csv": summary_csv(court.rows)})
    return court


def estimate(docket: Docket, budget: Budget, workers: int | None = None) -> str:
    """Return in words how many games a court plays and about how long that takes; plays a little to know."""
    games = most_games(docket.family, docket.cells, budget)
    seconds = _seconds_a_game(docket.seating) / (workers or cores())
    fixed = games["screen"] + games["cells"]
    # Nearly all go on to a first look, and most are decided there.
    looks = looks_of(budget)
    least = (fixed + games["final"] * looks[0] / looks[-1]) * seconds / 60
    most = (fixed + games["final"]) * seconds / 60
    about = _minutes(most) if len(looks) == 1 else f"{_minutes(least)} to {_minutes(most)}"
    tips_ = f"{len(docket.tips)} tip{'s' * (len(docket.tips) > 1)}"
    return (
        f"{tips_} in {len(docket.family)} trials: {games['screen']:,} games to screen them, "
        f"{games['cells']:,} at other tables, at most {games['final']:,} until decided; "
        f"about {about} minutes"
    )


def _minutes(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def _seconds_a_game(seating: Seating) -> float:
    plan = make_plan(
        seating.ruleset, [seating.policy], against=[seating.policy], players=seating.players, seed=seating.seed,
        namespace="pilot",
    )  # fmt: skip
    player = player_of(everybody(plan))
    begin = time.perf_counter()
    player(0, _PACE_BLOCKS)
    return (time.perf_counter() - begin) / _PACE_BLOCKS


def _cards(docket: Docket, found: Found, decisions: Mapping[Tip, dict[str, Any]]) -> list[Card]:
    return [
        Card(
            tip,
            tuple(ruling for ruling in found.family if ruling.trial.tip is tip),
            tuple(ruling for ruling in found.cells if ruling.trial.tip is tip),
            tuple(untried for untried in docket.untried if untried.tip is tip),
            decisions.get(tip),
        )
        for tip in docket.tips
    ]
