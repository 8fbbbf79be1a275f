"""Writing a ruleset as TOML that a person can read, change and load again."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from typing import Any

from shanghai_sim.rules.meanings import MEANINGS
from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.reading import kinds
from shanghai_sim.rules.values import Choice, Kind

_WIDTH = 110


def ruleset_toml(rules: Ruleset, *, explain: bool = False) -> str:
    """Return the whole ruleset as TOML, with the words that an option knows behind it.

    Parameters
    ----------
    rules : Ruleset
        The ruleset.
    explain : bool
        Whether each option comes with what it means, as a comment above it.
    """
    options = rules.to_options()
    lines = [
        f"{key} = {toml_value(options[key])}"
        for key, kind in kinds(Ruleset).items()
        if isinstance(kind, Kind)
    ]
    for section, cls in kinds(Ruleset).items():
        if isinstance(cls, Kind):
            continue
        lines += ["", f"[{section}]"]
        for key, kind in kinds(cls).items():
            if explain:
                lines += _comment(MEANINGS[f"{section}.{key}"])
            note = f"  # {kind.allowed}" if isinstance(kind, Choice) else ""
            lines += _entry(key, options[section][key], note)
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    """Return a sentence as lines of a comment."""
    mark = "# "
    return textwrap.wrap(text, _WIDTH, initial_indent=mark, subsequent_indent=mark, break_on_hyphens=False)


def _entry(key: str, value: Any, note: str) -> list[str]:
    """Return one value, a long list wrapped."""
    line = f"{key} = {toml_value(value)}{note}"
    if len(line) <= _WIDTH or not isinstance(value, list):
        return [line]
    rows = [""]
    for item in value:
        text = f"{toml_value(item)}, "
        if len(rows[-1]) + len(text) > _WIDTH - 2:
            rows.append("")
        rows[-1] += text
    return [f"{key} = [", *(f"  {row.rstrip()}" for row in rows), "]"]


def toml_value(value: Any) -> str:
    """Return a value in TOML; text is escaped as in JSON, which TOML reads as well."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
