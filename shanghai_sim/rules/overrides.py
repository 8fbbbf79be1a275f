"""Changes to single options: ``key=value`` as on the command line, and layers of nested tables."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Mapping
from typing import Any

from shanghai_sim.errors import InputError

_BARE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+. -]*")


def split_assignment(text: str) -> tuple[tuple[str, ...], Any]:
    """Return the keys and the value of ``key=value``.

    Parameters
    ----------
    text : str
        Keys are joined by dots; the value is TOML, a bare word is text.

    Raises
    ------
    InputError
        If the text is no such thing.
    """
    key, equals, value = text.partition("=")
    keys = tuple(part.strip().strip("\"'") for part in key.split("."))
    if not equals or not all(keys):
        raise InputError(f"{text!r}: must be KEY=VALUE, such as buy.per_deal=2")
    return keys, parse_value(value)


def parse_value(text: str) -> Any:
    """Return a written value: TOML, or a bare word as text.

    Raises
    ------
    InputError
        If it is neither.
    """
    text = text.strip()
    try:
        data = tomllib.loads(f"value = {text}")
        if list(data) == ["value"]:
            return data["value"]
    except (ValueError, RecursionError):  # no TOML, or a number of thousands of digits, or too deep a list
        if _BARE.fullmatch(text):
            return text
    raise InputError(
        f"{text!r} is no TOML value (a number, true, a word, \"text\", [a, list], {{ a = 'table' }})"
    )


def plain(value: Any) -> Any:
    """Return a value as TOML gives it: dicts with text as keys, lists; nothing shared with the original."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def merge(
    base: dict[str, Any],
    layer: Mapping[str, Any],
    merging: Container[tuple[str, ...]],
    above: tuple[str, ...] = (),
) -> list[tuple[str, ...]]:
    """Put a layer of values over others, in place, and return the keys of all values it brings.

    Parameters
    ----------
    base : dict
        What stands below.
    layer : mapping
        What replaces it.
    merging : container of keys
        The tables that are merged entry by entry; every other value replaces the one below.
    above : tuple of str
        The keys of the table that is being merged.
    """
    brought = []
    for key, value in layer.items():
        keys = (*above, str(key))
        below = base.get(str(key))
        if keys in merging and isinstance(value, Mapping) and isinstance(below, dict):
            brought += merge(below, value, merging, keys)
        else:
            base[str(key)] = plain(value)
            brought.append(keys)
    return brought


def assign(base: dict[str, Any], keys: tuple[str, ...], value: Any) -> str | None:
    """Set one value at the end of a path of keys, in place.

    A path may end inside a table that a layer would replace: ``cards.packs.5`` changes that entry alone.

    Returns
    -------
    str or None
        What is wrong where the path leads through something that is no table.
    """
    table = base
    for depth, key in enumerate(keys[:-1], 1):
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            return f"{'.'.join(keys[:depth])} is no table, it has no {'.'.join(keys[depth:])!r}"
    table[keys[-1]] = plain(value)
    return None
