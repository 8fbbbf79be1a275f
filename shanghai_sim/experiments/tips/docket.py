"""The docket: which trials a court has, at the table it is held at and at others, and what cannot be tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from shanghai_sim.errors import InputError
from shanghai_sim.experiments.tips.tip import Tip, Way
from shanghai_sim.experiments.tips.trial import Seating, Trial, make_trial

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy

#: Numbers of players, fields and rules beside those that the court is held with.
PLAYERS = (3, 4, 5, 6)
WEAK = "novice"
STRONG = ("balanced", "points-dumper", "safe-discard")
RULES = (
    "shanghai", "shanghai-one-buy", "shanghai-growing", "shanghai-wild-twos", "shanghai-natural-first", "finnish"
)  # fmt: skip


@frozen
class Untried:
    """A trial that cannot be.

    Attributes
    ----------
    tip : Tip
    way : Way
    part, cell : str
        As in `Trial`.
    reason : str
        Why not.
    """

    tip: Tip
    way: Way
    part: str
    cell: str
    reason: str


@frozen
class Docket:
    """All trials of a court.

    Attributes
    ----------
    seating : Seating
        The table at which it is held.
    second : Policy or None
        The policy that checks that a verdict is not about the first one alone.
    tips : tuple of Tip
    family : list of Trial
        Those that are judged.
    cells : list of Trial
        Those at other tables.
    untried : list of Untried
    """

    seating: Seating
    second: Policy | None
    tips: tuple[Tip, ...]
    family: list[Trial] = field(factory=list)
    cells: list[Trial] = field(factory=list)
    untried: list[Untried] = field(factory=list)

    def main_of(self, tip: Tip) -> Trial | None:
        """Return the trial that is judged as the tip: its first reading that can be tried under these rules."""
        return next((t for t in self.family if t.tip is tip and t.is_main), None)

    @property
    def second_label(self) -> str:
        """The second policy, where one plays."""
        return next((trial.cell for trial in self.family if trial.part == "policy"), "none")


def make_docket(
    tips: Sequence[Tip], seating: Seating, second: Policy | None, *, short: bool = False
) -> Docket:
    """Return the trials of tips.

    Parameters
    ----------
    tips : sequence of Tip
    seating : Seating
        The table.
    second : Policy, optional
        Another policy to follow the tips.
    short : bool
        Leave out ways that are not judged, and other rules.
    """
    docket = Docket(seating, second, tuple(tips))
    for tip in tips:
        for way in tip.ways:
            if way.judged or not short:
                _add(docket, docket.family, tip, way, seating, "way", way.title)
        main = docket.main_of(tip)
        if main is None:
            continue
        if second is not None and second.parameters != seating.policy.parameters:
            other = evolve(seating, policy=second)
            _add(docket, docket.family, tip, main.way, other, "policy", second.label)
        for part, cell, table in other_tables(seating, short=short):
            _add(docket, docket.cells, tip, main.way, table, part, cell)
    return docket


def other_tables(seating: Seating, *, short: bool = False) -> Iterator[tuple[str, str, Seating]]:
    """Yield the tables beside that of a court: in what they differ, in words how, and the table."""
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import load_ruleset

    allowed = seating.ruleset.players
    for players in PLAYERS:
        if players != seating.players and allowed.min <= players <= allowed.max:
            yield "players", f"{players} players", evolve(seating, players=players)
    for words, names in (("weak", (WEAK,)), ("strong", STRONG)):
        field_ = tuple(load_policy(name) for name in names)
        if field_ != seating.against:
            yield "field", f"{words} field", evolve(seating, against=field_)
    if short:
        return
    for name in RULES:
        ruleset = load_ruleset(name)
        if ruleset != seating.ruleset and ruleset.players.min <= seating.players <= ruleset.players.max:
            yield "rules", name, evolve(seating, ruleset=ruleset)


def _add(
    docket: Docket, trials: list[Trial], tip: Tip, way: Way, seating: Seating, part: str, cell: str
) -> None:
    try:
        trials.append(make_trial(tip, way, seating, part, cell))
    except InputError as error:
        docket.untried.append(Untried(tip, way, part, cell, "; ".join(error.problems)))
