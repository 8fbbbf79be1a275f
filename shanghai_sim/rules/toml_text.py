"""Writing a ruleset as TOML that a person can read, change and load again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.reading import kinds
from shanghai_sim.rules.values import Choice, Kind

_WIDTH = 110


def ruleset_toml(rules: Ruleset) -> str:
    """Return the whole ruleset as TOML, with the words that an option knows behind it."""
    options = rules.to_options()
    lines = [
        f"{key} = {_value(options[key])}" for key, kind in kinds(Ruleset).items() if isinstance(kind, Kind)
    ]
    for section, cls in kinds(Ruleset).items():
        if isinstance(cls, Kind):
            continue
        lines += ["", f"[{section}]"]
        for key, kind in kinds(cls).items():
            note = f"  # {kind.allowed}" if isinstance(kind, Choice) else ""
            lines += _entry(key, options[section][key], note)
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Any, note: str) -> list[str]:
    """Return one value, a long list wrapped."""
    line = f"{key} = {_value(value)}{note}"
    if len(line) <= _WIDTH or not isinstance(value, list):
        return [line]
    rows = [""]
    for item in value:
        text = f"{_value(item)}, "
        if len(rows[-1]) + len(text) > _WIDTH - 2:
            rows.append("")
        rows[-1] += text
    return [f"{key} = [", *(f"  {row.rstrip()}" for row in rows), "]"]


def _value(value: Any) -> str:
    """Return a value in TOML; text is escaped as in JSON, which TOML reads as well."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
