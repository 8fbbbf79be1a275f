"""Tips as data: a piece of advice, the ways to follow it and to ignore it, and where it applies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from attrs import frozen

from shanghai_sim.errors import InputError, did_you_mean
from shanghai_sim.rules.reading import read_table, structure
from shanghai_sim.rules.values import BadValue, Kind, Listed, Real, Text, Whole

_FOLDER = Path(__file__).parent
#: Words for deals that depend on the rules.
DEAL_WORDS = ("all", "mixed", "one-turn", "first-turn")
_RANGE = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")


@frozen
class Deals(Kind):
    """In which deals advice applies: numbers such as ``8-10``, or a word of `DEAL_WORDS`."""

    @property
    def allowed(self) -> str:
        """What may stand here."""
        return f"deals such as 8-10, or one of {', '.join(DEAL_WORDS)}"

    def read(self, value: Any) -> str:
        """Return the text if it names deals."""
        found = _RANGE.fullmatch(value) if isinstance(value, str) else None
        if value in DEAL_WORDS or (found and 1 <= int(found[1]) <= int(found[2] or found[1])):
            return str(value)
        raise BadValue(((), f"must be {self.allowed}, not {value!r}"))


@frozen
class Way:
    """One way to follow a piece of advice, beside one to ignore it.

    Attributes
    ----------
    title : str
        What whoever follows it does, and what the other does.
    follow, ignore : tuple of str
        Changes of the policy on the two sides, such as ``buy.when=never``; none: the policy as it is.
    deals : str
        Where it applies: ``all``, numbers such as ``8-10``, ``mixed`` (contracts of sets and runs), ``one-turn``
        or ``first-turn`` (where a player can go out in the turn of laying down, or in the first turn). In all
        other deals both sides ignore it.
    rules : tuple of str
        Options of the rules that are changed for both sides, such as ``buy.per_game=12``.
    judged : bool
        Whether it is a reading of the advice; other ways only show what a change of it would do.
    """

    title: Annotated[str, Text()]
    follow: Annotated[tuple[str, ...], Listed(Text(), "a list of changes")]
    ignore: Annotated[tuple[str, ...], Listed(Text(), "a list of changes")]
    deals: Annotated[str, Deals()]
    rules: Annotated[tuple[str, ...], Listed(Text(), "a list of changes")]
    judged: bool


@frozen
class _Head:
    """What a file says of the tip as a whole."""

    number: Annotated[int, Whole(1, 999)]
    name: Annotated[str, Text(40)]
    advice: Annotated[str, Text()]
    reading: Annotated[str, Text(600)]
    turns: Annotated[tuple[str, ...], Listed(Text(), "a list of parameters")]
    margin: Annotated[float, Real(0.01, 1000)]


@frozen
class Tip:
    """A piece of advice.

    Attributes
    ----------
    number : int
        Its number on the list, from 1.
    name : str
        Its short name.
    advice : str
        The advice in one sentence, as players say it.
    reading : str
        How it is understood here, for players.
    turns : tuple of str
        The parameters of policies that following it turns.
    margin : float
        Points a game that make no practical difference.
    ways : tuple of Way
        The first is what is judged as the tip.
    """

    number: int
    name: str
    advice: str
    reading: str
    turns: tuple[str, ...]
    margin: float
    ways: tuple[Way, ...]

    @property
    def main(self) -> Way:
        """The way that is judged as the tip."""
        return self.ways[0]


_HEAD = {"turns": [], "margin": 2.0}
_WAY = {"follow": [], "ignore": [], "deals": "all", "rules": [], "judged": True}


def read_tip(path: Path) -> Tip:
    """Return the tip that a TOML file holds.

    Raises
    ------
    InputError
        With a line for everything that is wrong.
    """
    table = read_table(path, InputError)
    ways = table.pop("way", [])
    if not isinstance(ways, list) or not ways or not all(isinstance(way, Mapping) for way in ways):
        raise InputError(f"{path}: way: must be one table or more, each headed [[way]]")
    head, problems = structure(_HEAD | table, _Head)
    lines = [f"{path}: {'.'.join(problem.keys)}: {problem.message}" for problem in problems]
    read: list[Way] = []
    for number, way in enumerate(ways, 1):
        made, problems = structure(_WAY | dict(way), Way)
        lines += [
            f"{path}: way {number}: {'.'.join(problem.keys)}: {problem.message}" for problem in problems
        ]
        if made is not None:
            read.append(made)
            lines += [f"{path}: way {number}: {line}" for line in _wrong_changes(made)]
    if read and not read[0].judged:
        lines.append(f"{path}: way 1: judged: must be true, since the first way is judged as the tip")
    if head is None or lines:
        raise InputError(*lines)
    return Tip(head.number, head.name, head.advice, head.reading, head.turns, head.margin, tuple(read))


def _wrong_changes(way: Way) -> list[str]:
    """Return a line for each change of a policy or of the rules that there is not."""
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import load_ruleset

    plain = load_policy("plain")
    lines: list[str] = []
    for check, changes in (
        (plain.changed, way.follow),
        (plain.changed, way.ignore),
        (lambda options: load_ruleset("shanghai", options), way.rules),
    ):
        try:
            check(changes)
        except InputError as error:
            lines += error.problems
    return lines


@cache
def all_tips() -> tuple[Tip, ...]:
    """Return the tips that ship, in the order of their numbers."""
    return tuple(sorted((read_tip(path) for path in _FOLDER.glob("*.toml")), key=lambda tip: tip.number))


def find_tips(asked: Sequence[str | int]) -> tuple[Tip, ...]:
    """Return the tips that numbers, names or files name, each once; all that ship where nothing is asked.

    Raises
    ------
    InputError
        With a line for each that there is not.
    """
    if not asked:
        return all_tips()
    known = {name: tip for tip in all_tips() for name in (str(tip.number), tip.name)}
    found: list[Tip] = []
    lines: list[str] = []
    for item in map(str, asked):
        try:
            tip = known[item] if item in known else _from_file(item)
        except InputError as error:
            lines += error.problems
        else:
            found += [tip] if tip not in found else []
    numbers = [tip.number for tip in found]
    lines += [
        f"two tips have number {number}: give one of them another"
        for number in dict.fromkeys(numbers)
        if numbers.count(number) > 1
    ]
    if lines:
        raise InputError(*lines)
    return tuple(found)


def _from_file(item: str) -> Tip:
    if item.endswith(".toml") and Path(item).is_file():
        return read_tip(Path(item))
    if item.endswith(".toml"):
        raise InputError(f"{item}: no such file")
    names = [tip.name for tip in all_tips()]
    hint = did_you_mean(item, names) or f"; there are 1 to {len(names)}: {', '.join(names)}; or a FILE.toml"
    raise InputError(f"there is no tip {item!r}{hint}")
