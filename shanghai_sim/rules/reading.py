"""Reading TOML files and structuring their tables into frozen classes, all problems at once.

A class describes a table: each attribute is a table below it (an attrs class) or a value, whose kind is
found in its annotation. Everything here knows nothing about the rules themselves.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen
from cattrs import Converter
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn

from shanghai_sim.errors import InputError, did_you_mean
from shanghai_sim.rules.values import BadValue, Choice, Flag, Kind, show

T = TypeVar("T")


@frozen
class Problem:
    """One thing that is wrong.

    Attributes
    ----------
    keys : tuple of str
        Where: the keys from the top of the file down.
    message : str
        What is wrong and what is allowed.
    """

    keys: tuple[str, ...]
    message: str


def kind_of(hint: Any) -> Kind | None:
    """Return the kind of value that an annotation names, or None where it names a class."""
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Kind):
            return extra
    if hint is bool:
        return Flag()
    if get_origin(hint) is Literal:
        return Choice(get_args(hint))
    return None


@cache
def kinds(cls: type) -> dict[str, Kind | type]:
    """Return for every attribute of an attrs class its kind, or the class of the table it is."""
    hints = get_type_hints(cls, include_extras=True)
    return {a.name: kind_of(hints[a.name]) or hints[a.name] for a in attrs.fields(cls)}


def unstructure(thing: Any) -> dict[str, Any]:
    """Return the nested tables of a structured object, as TOML and JSON hold them."""
    cls: type = type(thing)
    return {
        name: kind.write(getattr(thing, name))
        if isinstance(kind, Kind)
        else unstructure(getattr(thing, name))
        for name, kind in kinds(cls).items()
    }


def dotted_keys(cls: type, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the keys of all values in a class and the tables below it."""
    keys: list[tuple[str, ...]] = []
    for name, kind in kinds(cls).items():
        keys += [(*above, name)] if isinstance(kind, Kind) else dotted_keys(kind, (*above, name))
    return keys


def structure(data: Mapping[str, Any], cls: type[T]) -> tuple[T | None, list[Problem]]:
    """Return the object that a nested table describes, or None and every problem with it.

    Parameters
    ----------
    data : mapping
        All values, none left out.
    cls : attrs class
        What the table is.
    """
    try:
        return _converter().structure(data, cls), []
    except (ClassValidationError, BadValue) as error:
        return None, list(_problems(error, (), cls))


@cache
def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook_factory(
        lambda hint: kind_of(hint) is not None,
        lambda hint: lambda value, _: kind_of(hint).read(value),  # type: ignore[union-attr]
    )

    # cattrs looks at plain types first, and would take any text for true.
    converter.register_structure_hook(bool, lambda value, _: Flag().read(value))

    def table(cls: type) -> Callable[[Any, Any], Any]:
        read: Callable[[Any, Any], Any] = make_dict_structure_fn(
            cls, converter, _cattrs_forbid_extra_keys=True
        )

        def check(value: Any, hint: Any) -> Any:
            if not isinstance(value, Mapping):
                raise BadValue(((), f"must be a table with {', '.join(kinds(cls))}, not {show(value)}"))
            return read(value, hint)

        return check

    converter.register_structure_hook_factory(attrs.has, table)
    return converter


def _problems(error: Exception, keys: tuple[str, ...], root: type) -> Iterable[Problem]:
    """Yield the problems that a failed structuring tells of."""
    if isinstance(error, ClassValidationError):
        named, others = error.group_exceptions()
        for inner, note in named:
            yield from _problems(inner, (*keys, note.name), root)
        for inner in others:
            yield from _problems(inner, keys, root)
    elif isinstance(error, ForbiddenExtraKeysError):
        for key in sorted(error.extra_fields):
            yield Problem((*keys, key), unknown_key(key, kinds(error.cl), dotted_keys(root)))
    elif isinstance(error, BadValue):
        yield from (Problem((*keys, *below), message) for below, message in error.problems)
    elif isinstance(error, KeyError):
        yield Problem((*keys, str(error.args[0])), "is missing")
    else:
        raise error


def unknown_key(key: str, here: Iterable[str], everywhere: Iterable[tuple[str, ...]]) -> str:
    """Return what to say of an unknown key: what may stand there and what may have been meant."""
    here = list(here)
    hint = did_you_mean(key, here)
    elsewhere = {path[-1]: ".".join(path) for path in everywhere}
    if not hint and (near := difflib.get_close_matches(key, elsewhere, n=1, cutoff=0.8)):
        hint = f" (did you mean '{elsewhere[near[0]]}'?)"
    return f"unknown key; allowed here: {', '.join(here)}{hint}"


def read_table(path: Path, error: type[InputError]) -> dict[str, Any]:
    """Return the contents of a TOML file, or of a JSON file whose name ends in ``.json``.

    Raises
    ------
    InputError
        One line, of the given class: the file, the line and what is wrong there.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise error(f"{path}: is not text in UTF-8") from None
    try:
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as problem:
        raise error(f"{path}: line {problem.lineno}: not valid JSON: {problem.msg}") from None
    except tomllib.TOMLDecodeError as problem:
        raise error(f"{path}: {_toml_problem(str(problem), text)}") from None
    except (
        ValueError,
        RecursionError,
    ) as problem:  # thousands of digits, lists in lists
        raise error(f"{path}: cannot be read: {problem}") from None
    if not isinstance(data, dict):
        raise error(f"{path}: must hold a table of options, not {show(data)}")
    return data


def _toml_problem(message: str, text: str) -> str:
    """Return a message of tomllib with the line in front."""
    reason, _, place = message.rpartition(" (at ")
    where = place.rstrip(")")
    if where.startswith("line "):
        where = where.replace(", column", ", character")
    else:
        where = f"line {max(1, len(text.splitlines()))}, at the end"
    return f"{where}: not valid TOML: {reason or message}"


def no_such(what: str, name: str, known: Iterable[str], error: type[InputError]) -> InputError:
    """Return the error for a name that is neither a preset nor a file.

    Parameters
    ----------
    what : str
        What is missing, in one word: "ruleset".
    name : str
        What the user wrote.
    known : iterable of str
        The names of the presets.
    error : class
        The class of the error.
    """
    path = Path(name)
    if path.is_dir():
        return error(f"{name}: is a folder, not a file")
    if path.suffix in {".toml", ".json"} or len(path.parts) > 1:
        folder = path.parent
        files = [str(folder / p.name) for p in folder.glob(f"*{path.suffix}")] if folder.is_dir() else []
        return error(f"{name}: no such file{did_you_mean(name, files)}")
    return error(f"unknown {what} {name!r}{did_you_mean(name, known) or _there_are(known)}, or a FILE.toml")


def no_such_base(base: object, known: Iterable[str]) -> str:
    """Return what to say of a `based_on` that names no preset."""
    hint = did_you_mean(base, known) if isinstance(base, str) else ""
    return f"based_on: must name a preset, not {show(base)}{hint or _there_are(known)}"


def _there_are(known: Iterable[str]) -> str:
    return f"; there are {', '.join(sorted(known))}"
