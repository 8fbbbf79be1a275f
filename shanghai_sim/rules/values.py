"""Kinds of values that options and parameters take: how each is read, written and described.

A kind reads a value as TOML or JSON gives it and returns it in frozen form, or raises `BadValue`, which
says what is allowed. Its `write` is the way back. Rulesets and policies use the same kinds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from shanghai_sim.errors import did_you_mean

#: No count and no number of points goes beyond these; so sums of them stay far inside 32 bits.
MOST_COUNT = 1000
MOST_POINTS = 10_000
_LONGEST_SHOWN = 60


class BadValue(ValueError):  # noqa: N818 - it carries problems, each of which may be an error of its own
    """A value that cannot be read.

    Parameters
    ----------
    *problems : (tuple of str, str)
        For each problem the keys below the value where it stands (none: the value itself), and what is
        wrong.
    """

    def __init__(self, *problems: tuple[tuple[str, ...], str]) -> None:
        super().__init__("; ".join(message for _, message in problems))
        self.problems = problems


def show(value: object) -> str:
    """Return a value much as it stands in TOML, shortened where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def either(words: tuple[str, ...]) -> str:
    """Return quoted words as a choice: ``"a", "b" or "c"``."""
    *most, last = (f'"{word}"' for word in words)
    return f"{', '.join(most)} or {last}" if most else last


class Kind:
    """A kind of value. Subclasses say what is `allowed` and how to `read` it."""

    @property
    def allowed(self) -> str:
        """What may stand here, fit for "must be ..."."""
        raise NotImplementedError

    def read(self, value: Any) -> Any:
        """Return the value in frozen form.

        Raises
        ------
        BadValue
            If it is not allowed.
        """
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        """Return a frozen value as TOML and JSON hold it."""
        return value

    def refuse(self, value: object, hint: str = "") -> BadValue:
        """Return the error for a value that is not allowed."""
        return BadValue(((), f"must be {self.allowed}, not {show(value)}{hint}"))


@frozen
class Flag(Kind):
    """True or false."""

    allowed: str = "true or false"

    def read(self, value: Any) -> bool:
        """Return a truth value; numbers and words are none."""
        if not isinstance(value, bool):
            raise self.refuse(value)
        return value


@frozen
class Choice(Kind):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The words."""
        return either(self.words)

    def read(self, value: Any) -> str:
        """Return one of the words."""
        if not isinstance(value, str) or value not in self.words:
            raise self.refuse(value, did_you_mean(value, self.words) if isinstance(value, str) else "")
        return value


@frozen
class Whole(Kind):
    """A whole number in a range, or one of some words."""

    least: int = 0
    most: int = MOST_COUNT
    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The range and the words."""
        number = f"a whole number from {self.least} to {self.most}"
        return f"{either(self.words)} or {number}" if self.words else number

    def read(self, value: Any) -> int | str:
        """Return the number or the word."""
        if isinstance(value, str):
            if value in self.words:
                return value
            raise self.refuse(value, did_you_mean(value, self.words))
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise self.refuse(value)
        return value


@frozen
class Real(Kind):
    """A number in a range."""

    least: float
    most: float

    @property
    def allowed(self) -> str:
        """The range."""
        return f"a number from {self.least:g} to {self.most:g}"

    def read(self, value: Any) -> float:
        """Return the number as a float; what is no number at all is refused too."""
        if (
            not isinstance(value, int | float)
            or isinstance(value, bool)
            or not self.least <= value <= self.most
        ):
            raise self.refuse(value)
        return float(value)


@frozen
class Text(Kind):
    """Text on one line."""

    most: int = 200

    @property
    def allowed(self) -> str:
        """How long it may be."""
        return f"text on one line, of 1 to {self.most} characters"

    def read(self, value: Any) -> str:
        """Return the text without blanks around it."""
        if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value.strip()) <= self.most:
            raise self.refuse(value)
        return value.strip()


@frozen
class Listed(Kind):
    """A list of values of one kind.

    Attributes
    ----------
    item : Kind
        The kind of each value.
    what : str
        The list in words: "a list of ...".
    least : int
        How many values there must be.
    """

    item: Kind
    what: str
    least: int = 0

    @property
    def allowed(self) -> str:
        """The list in words."""
        return self.what

    def read(self, value: Any) -> tuple[Any, ...]:
        """Return the values; every bad one is named by its place in the list, from 1."""
        if not isinstance(value, list | tuple) or len(value) < self.least:
            raise self.refuse(value)
        values, problems = [], []
        for place, item in enumerate(value, 1):
            try:
                values.append(self.item.read(item))
            except BadValue as error:
                problems += [(keys, f"entry {place} {message}") for keys, message in error.problems]
        if problems:
            raise BadValue(*problems)
        return tuple(values)

    def write(self, value: Any) -> list[Any]:
        """Return a list."""
        return [self.item.write(item) for item in value]


@frozen
class PerDeal(Kind):
    """One value for all deals, or a list with one per deal."""

    item: Kind
    _list: Listed = field(init=False, repr=False)

    @_list.default
    def _make_list(self) -> Listed:
        return Listed(self.item, self.allowed, least=1)

    @property
    def allowed(self) -> str:
        """The kind of one value, and that it may be a list."""
        return f"{self.item.allowed}, or a list of these, one per deal"

    def read(self, value: Any) -> Any:
        """Return one value, or a tuple of them."""
        if isinstance(value, list | tuple):
            return self._list.read(value)
        try:
            return self.item.read(value)
        except BadValue as error:
            hint = re.search(r" \(did you mean .*\)$", str(error))
            raise self.refuse(value, hint[0] if hint else "") from None

    def write(self, value: Any) -> Any:
        """Return one value, or a list."""
        return self._list.write(value) if isinstance(value, tuple) else self.item.write(value)


@frozen
class Table(Kind):
    """A table from keys of one kind to values of another, kept as a sorted tuple of pairs.

    Attributes
    ----------
    key, item : Kind
        The kinds of the keys (which TOML and JSON hold as text) and of the values.
    what : str
        The table in words.
    least : int
        How many entries there must be.
    """

    key: Kind
    item: Kind
    what: str
    least: int = 0

    @property
    def allowed(self) -> str:
        """The table in words."""
        return self.what

    def read(self, value: Any) -> tuple[tuple[Any, Any], ...]:
        """Return the pairs in the order of their keys; every bad entry is named by its key."""
        if not isinstance(value, Mapping) or len(value) < self.least:
            raise self.refuse(value)
        pairs: dict[Any, Any] = {}
        problems: list[tuple[tuple[str, ...], str]] = []
        for written, item in value.items():
            try:
                key = self.key.read(written)
            except BadValue as error:
                problems += [((str(written),), f"the key {message}") for _, message in error.problems]
                continue
            if key in pairs:
                problems.append(((str(written),), "stands here twice"))
            try:
                pairs[key] = self.item.read(item)
            except BadValue as error:
                problems += [((str(written), *keys), message) for keys, message in error.problems]
        if problems:
            raise BadValue(*problems)
        return tuple(sorted(pairs.items(), key=lambda pair: self.order(pair[0])))

    def order(self, key: Any) -> Any:
        """Return what the entries are sorted by."""
        return key

    def write(self, value: Any) -> dict[str, Any]:
        """Return a table with text as keys."""
        return {str(key): self.item.write(item) for key, item in value}
