"""The grid of a sweep: which parameters of a policy, or options of the rules, take which values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from shanghai_sim.errors import InputError, did_you_mean
from shanghai_sim.policies.parameters import BY_KEY
from shanghai_sim.rules.overrides import assign, parse_value
from shanghai_sim.rules.reading import kinds
from shanghai_sim.rules.ruleset import Ruleset, ruleset_from_options
from shanghai_sim.rules.values import BadValue, Kind

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy

#: Grid points of one sweep.
MOST_POINTS = 100
#: What may stand before a key to say where it belongs.
POLICY, RULES = "policy", "rules"


@frozen
class Axis:
    """One thing that is varied.

    Attributes
    ----------
    key : str
        The parameter or option.
    where : str
        `POLICY` or `RULES`.
    texts : tuple of str
        Its values as they are shown.
    values : tuple
        The values, as a policy's parameter holds them or as TOML gives them.
    own : str
        The value as given, as it is shown.
    """

    key: str
    where: str
    texts: tuple[str, ...]
    values: tuple[Any, ...] = field(repr=False)
    own: str


@frozen
class Point:
    """A point of the grid, or the baseline beside it.

    Attributes
    ----------
    texts : tuple of str
        The value of each axis, as it is shown.
    policy : Policy
    ruleset : Ruleset
    baseline : bool
        Whether it is policy and rules as given.
    """

    texts: tuple[str, ...]
    policy: Policy = field(repr=False)
    ruleset: Ruleset = field(repr=False)
    baseline: bool


def read_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return keys and values of ``key=value,value`` as on the command line.

    Parameters
    ----------
    texts : sequence of str
        Commas within brackets, braces or quotes part no values.

    Raises
    ------
    InputError
        With a line for everything that is no such thing.
    """
    vary: dict[str, list[str]] = {}
    problems = []
    for text in texts:
        key, equals, values = text.partition("=")
        key = key.strip()
        if not equals or not key or not values.strip():
            problems.append(f"--vary {text!r}: must be KEY=VALUE,VALUE,... such as buy.max_buys=0,1,2,3")
        elif key in vary:
            problems.append(f"--vary {key}: given twice; name all its values in one")
        else:
            vary[key] = _split(values)
    if problems:
        raise InputError(*problems)
    return vary


def _split(text: str) -> list[str]:
    """Return what the commas outside brackets, braces and quotes part."""
    pieces, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            pieces.append("")
            continue
        pieces[-1] += letter
    return [piece.strip() for piece in pieces]


def read_axes(vary: Mapping[str, Sequence[Any]], policy: Policy, ruleset: Ruleset) -> tuple[Axis, ...]:
    """Return what is varied.

    Parameters
    ----------
    vary : mapping of str to sequence
        Keys, with ``policy:`` or ``rules:`` before them where need be, and values; texts are read as on the command
        line.
    policy, ruleset
        As given.

    Raises
    ------
    InputError
        With a line for everything that is wrong.
    """
    problems: list[str] = []
    axes = []
    for named, values in vary.items():
        try:
            where, key = _place(named)
            axes.append(_axis(where, key, values, policy, ruleset))
        except InputError as error:
            problems += error.problems
    if not vary:
        problems.append("nothing is varied: --vary buy.max_buys=0,1,2,3, for one, varies a parameter")
    if not problems and len({axis.where for axis in axes}) > 1:
        problems.append(
            "parameters of the policy and options of the rules are not varied together: change the rules with --set "
            "and run a sweep for each"
        )
    points = 1
    for axis in axes:
        points *= len(axis.values)
    if points > MOST_POINTS:
        problems.append(f"the grid has {points:,} points; a sweep takes at most {MOST_POINTS}")
    if problems:
        raise InputError(*problems)
    return tuple(axes)


def _place(named: str) -> tuple[str, str]:
    """Return where a key belongs, and the key."""
    before, colon, after = named.partition(":")
    key = after.strip() if colon else named.strip()
    if colon and before not in (POLICY, RULES):
        raise InputError(f"--vary {named}: before the colon stands {POLICY} or {RULES}, not {before!r}")
    found = [POLICY] * (key in BY_KEY) + [RULES] * _is_rule(key)
    if colon:
        found = [where for where in found if where == before]
    if len(found) == 1:
        return found[0], key
    if found:
        raise InputError(
            f"--vary {key}: is a parameter of policies and an option of rules: say {POLICY}:{key} or {RULES}:{key}"
        )
    known = [*BY_KEY] * (before != RULES or not colon) + _rule_keys() * (before != POLICY or not colon)
    what = {POLICY: "no parameter of policies", RULES: "no option of rules"}.get(
        before if colon else "", "neither a parameter of policies nor an option of rules"
    )
    raise InputError(
        f"--vary {key}: {what}{did_you_mean(key, known)}; 'policies show balanced --explain' and "
        "'rules show shanghai --explain' list them"
    )


def _rule_keys() -> list[str]:
    sections = {name: kind for name, kind in kinds(Ruleset).items() if not isinstance(kind, Kind)}
    return [f"{name}.{key}" for name, section in sections.items() for key in kinds(section)]


def _is_rule(key: str) -> bool:
    return ".".join(key.split(".")[:2]) in _rule_keys()


def _axis(where: str, key: str, values: Sequence[Any], policy: Policy, ruleset: Ruleset) -> Axis:
    problems: list[str] = []
    read: list[Any] = []
    for value in values:
        try:
            read.append(_parameter(key, value) if where == POLICY else _option(key, value, ruleset))
        except InputError as error:
            problems += error.problems
    texts = [_text(value) for value in read]
    problems += [
        f"--vary {key}: {text} is given twice" for text in dict.fromkeys(texts) if texts.count(text) > 1
    ]
    if not values:
        problems.append(f"--vary {key}: names no value")
    if problems:
        raise InputError(*problems)
    own = policy.parameters[key] if where == POLICY else _own_option(key, ruleset)
    return Axis(key, where, tuple(texts), tuple(read), _text(own))


def _parameter(key: str, value: Any) -> Any:
    """Return a value of a policy's parameter as it holds it."""
    if isinstance(value, str):
        written = [parse_value(part) for part in value.split("/")]
        value = written if len(written) > 1 else written[0]
    try:
        return BY_KEY[key].kind.read(value)
    except BadValue as error:
        raise InputError(*(f"--vary {key}: {message}" for _, message in error.problems)) from None


def _option(key: str, value: Any, ruleset: Ruleset) -> Any:
    """Return a value of an option as TOML gives it; the rules with it are made, so that it is checked."""
    if isinstance(value, str):
        value = parse_value(value)
    _with_option(key, value, ruleset)
    return value


def _with_option(key: str, value: Any, ruleset: Ruleset) -> Ruleset:
    options = ruleset.to_options()
    if problem := assign(options, tuple(key.split(".")), value):
        raise InputError(f"--vary {key}: {problem}")
    return ruleset_from_options(options, f"--vary {key}={_text(value)}")


def _own_option(key: str, ruleset: Ruleset) -> Any:
    value: Any = ruleset.to_options()
    for part in key.split("."):
        value = value.get(part, "none") if isinstance(value, Mapping) else "none"
    return value


def _text(value: Any) -> str:
    """Return a value as it is shown: much as it is written on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return "/".join(map(_text, value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value)


def grid(axes: Sequence[Axis], policy: Policy, ruleset: Ruleset) -> tuple[Point, ...]:
    """Return the points of the grid, the last axis fastest; before them the baseline if it is none of them."""
    points = []
    for chosen in product(*(zip(axis.texts, axis.values, strict=True) for axis in axes)):
        texts = tuple(text for text, _ in chosen)
        varied, rules = policy, ruleset
        for axis, (text, value) in zip(axes, chosen, strict=True):
            if axis.where == POLICY:
                parameters = {**varied.parameters, axis.key: value}
                varied = evolve(varied, parameters=parameters, label=f"{varied.label}+{axis.key}={text}")
            else:
                rules = _with_option(axis.key, value, rules)
        same = varied.parameters == policy.parameters and rules.to_options() == ruleset.to_options()
        points.append(Point(texts, policy if same else varied, rules, same))
    if any(point.baseline for point in points):
        return tuple(points)
    return (Point(tuple(axis.own for axis in axes), policy, ruleset, True), *points)
