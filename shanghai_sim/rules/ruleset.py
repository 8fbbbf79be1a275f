"""Loading rulesets: layers of presets, a file and single changes become one checked `Ruleset`.

Every value remembers the layer it came from, so that a problem can be told with its file and key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from shanghai_sim.errors import InputError, RulesError
from shanghai_sim.rules.checks import CHECKS
from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.overrides import assign, merge, plain, split_assignment
from shanghai_sim.rules.reading import Problem, kinds, no_such, no_such_base, read_table, structure
from shanghai_sim.rules.values import Kind

__all__ = ["Ruleset", "changed_ruleset", "load_ruleset", "preset_names", "ruleset_from_options", "ruleset_of"]

_PRESETS = Path(__file__).parent / "presets"
#: What everything is built on at last.
ROOT = "shanghai"
#: The tables that a layer changes entry by entry.
MERGING = frozenset(
    {(name,) for name, kind in kinds(Ruleset).items() if not isinstance(kind, Kind)} | {("score", "points")}
)


class _Layers:
    """The values so far, and where each of them came from."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.origins: dict[tuple[str, ...], str] = {}
        self.lines: list[str] = []

    def add(self, layer: Mapping[str, Any], source: str) -> None:
        for keys in merge(self.values, layer, MERGING):
            self._note(keys, source)

    def assign(self, keys: tuple[str, ...], value: Any, source: str) -> None:
        if keys == ("based_on",):
            self.lines.append(
                f"{source}: a change cannot say what a ruleset is based on; name that ruleset instead"
            )
        elif isinstance(value, Mapping) and keys in MERGING:
            for key, item in value.items():
                self.assign((*keys, str(key)), item, source)
        elif problem := assign(self.values, keys, value):
            self.lines.append(f"{source}: {problem}")
        else:
            self._note(keys, source)

    def origin(self, *options: tuple[str, ...]) -> str:
        """Return the latest layer that brought one of the values, a part of it, or a table around it."""
        for known, source in reversed(self.origins.items()):
            if any(all(a == b for a, b in zip(known, keys, strict=False)) for keys in options):
                return source
        return self.origins.get(("name",), ROOT)

    def _note(self, keys: tuple[str, ...], source: str) -> None:
        self.origins.pop(keys, None)
        self.origins[keys] = source


def preset_names() -> tuple[str, ...]:
    """Return the names of the rulesets that ship, the default first."""
    names = sorted(path.stem for path in _PRESETS.glob("*.toml"))
    return (ROOT, *(name for name in names if name != ROOT))


def load_ruleset(name_or_path: str | Path, overrides: Mapping[str, object] | Sequence[str] = ()) -> Ruleset:
    """Return a ruleset: a preset, or a TOML or JSON file, with some options changed.

    Parameters
    ----------
    name_or_path : str or Path
        The name of a preset, or a file.
    overrides : mapping or sequence of str
        Options to change: ``{"buy.per_deal": 2}``, ``{"buy": {"per_deal": 2}}`` or ``["buy.per_deal=2"]``.

    Raises
    ------
    RulesError
        With one line for everything that is wrong.
    """
    layers = _Layers()
    name = str(name_or_path)
    if isinstance(name_or_path, str) and name in preset_names():
        _add_preset(layers, name)
    elif Path(name).is_file():
        _add_file(layers, Path(name))
    else:
        raise no_such("ruleset", name, preset_names(), RulesError)
    _add_overrides(layers, overrides)
    return _build(layers)


def ruleset_from_options(options: Mapping[str, Any], source: str = "options") -> Ruleset:
    """Return the ruleset that nested tables describe, such as those of `Ruleset.to_options`.

    Parameters
    ----------
    options : mapping
        As in a TOML file; what is left out comes from `based_on`, at last from ``shanghai``.
    source : str
        What to call the tables in error messages.

    Raises
    ------
    RulesError
        With one line for everything that is wrong.
    """
    layers = _Layers()
    _add_based(layers, options, source, default_name="unnamed")
    return _build(layers)


def changed_ruleset(ruleset: Ruleset, overrides: Mapping[str, object] | Sequence[str]) -> Ruleset:
    """Return a ruleset with some options changed.

    Parameters
    ----------
    ruleset : Ruleset
    overrides : mapping or sequence of str
        As in `load_ruleset`.

    Raises
    ------
    RulesError
        With one line for everything that is wrong.
    """
    layers = _Layers()
    layers.add(ruleset.to_options(), ruleset.name)
    _add_overrides(layers, overrides)
    return _build(layers)


def ruleset_of(item: str | Path | Ruleset, overrides: Mapping[str, object] | Sequence[str] = ()) -> Ruleset:
    """Return the ruleset that a name, a file or an object means, with some options changed.

    Parameters
    ----------
    item : str, Path or Ruleset
    overrides : mapping or sequence of str
        As in `load_ruleset`.

    Raises
    ------
    RulesError
        With one line for everything that is wrong.
    """
    if not isinstance(item, Ruleset):
        return load_ruleset(item, overrides)
    return changed_ruleset(item, overrides) if overrides else item


@cache
def _preset(name: str) -> dict[str, Any]:
    """Return the table of one preset as it stands in its file."""
    return read_table(_PRESETS / f"{name}.toml", RulesError)


def _add_preset(layers: _Layers, name: str) -> None:
    table = dict(_preset(name))
    base = table.pop("based_on", None if name == ROOT else ROOT)
    if base:
        _add_preset(layers, base)
    layers.add(table, name)


def _add_file(layers: _Layers, path: Path) -> None:
    _add_based(layers, read_table(path, RulesError), str(path), default_name=path.stem)


def _add_based(layers: _Layers, table: Mapping[str, Any], source: str, default_name: str) -> None:
    """Add a table and, below it, what it is based on."""
    table = dict(table)
    base = table.pop("based_on", ROOT)
    if base not in preset_names():
        layers.lines.append(f"{source}: {no_such_base(base, preset_names())}")
        base = ROOT
    _add_preset(layers, base)
    layers.add({"name": default_name, "title": f"Built on {base}"} | table, source)


def _add_overrides(layers: _Layers, overrides: Mapping[str, object] | Sequence[str]) -> None:
    if isinstance(overrides, Mapping):
        for key, value in overrides.items():
            layers.assign(tuple(str(key).split(".")), value, "overrides")
        return
    for text in [overrides] if isinstance(overrides, str) else overrides:
        try:
            keys, value = split_assignment(text)
        except InputError as error:
            layers.lines.append(f"--set {error}")
        else:
            layers.assign(keys, value, f"--set {text}")


def _build(layers: _Layers) -> Ruleset:
    """Return the ruleset of all layers, or raise with all that is wrong with it."""
    rules, problems = structure(layers.values, Ruleset)
    lines = layers.lines + [_line(layers.origin(problem.keys), problem) for problem in problems]
    if problems:
        # The checks still run on what could be read, so that one look shows all there is to mend.
        rules, _ = structure(_mended(layers.values, problems), Ruleset)
    assert rules is not None, "what the root preset says can be read"
    bad = {".".join(problem.keys[:2]) for problem in problems}
    for check, options in CHECKS:
        if not bad & {*options, *(option.partition(".")[0] for option in options)}:
            source = layers.origin(*(tuple(option.split(".")) for option in options))
            lines += [_line(source, problem) for problem in check(rules)]
    if lines:
        raise RulesError(*lines)
    return rules


def _line(source: str, problem: Problem) -> str:
    return f"{source}: {'.'.join(problem.keys)}: {problem.message}"


def _mended(values: Mapping[str, Any], problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the values with everything that could not be read as it is in the root preset."""
    mended: dict[str, Any] = plain(values)
    root = _preset(ROOT)
    for problem in problems:
        section, *rest = problem.keys
        table, original, key = mended, root, section
        if rest and isinstance(mended.get(section), dict) and section in root:
            table, original, key = mended[section], root[section], rest[0]
        if key in original:
            table[key] = plain(original[key])
        else:
            table.pop(key, None)
    return mended
