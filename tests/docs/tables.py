"""Tables that are made from the source, between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from analyses.report import REPORTS, read_rows
from shanghai_sim.policies.parameters import PARAMETERS
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.policies.policy import preset_names as policy_names
from shanghai_sim.rules.meanings import MEANINGS
from shanghai_sim.rules.reading import kinds
from shanghai_sim.rules.ruleset import Ruleset, load_ruleset, preset_names
from shanghai_sim.rules.toml_text import toml_value
from shanghai_sim.rules.values import Kind
from shanghai_sim.simulation import columns, question_columns


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _columns(listed: Iterable[columns.Column]) -> str:
    return _table(("column", "type", "meaning"), ((f"`{c.name}`", c.kind, c.text) for c in listed))


def _metrics(listed: Iterable[columns.Metric]) -> str:
    return _table(("metric", "mean over each", "meaning"), ((f"`{m.name}`", m.per, m.text) for m in listed))


def _ratios() -> str:
    listed = columns.PROFILE_RATIOS
    rows = ((f"`{r.name}`", f"`{r.part}` / `{r.whole}`", r.text) for r in listed)
    return _table(("metric", "sum over sum", "meaning"), rows)


def _parameters() -> str:
    rows = ((f"`{p.key}`", p.item.allowed, f"`{p.default}`", p.meaning) for p in PARAMETERS)
    return _table(("parameter", "values", "default", "meaning"), rows)


def _policies() -> str:
    return _table(
        ("policy", "a player who"), ((f"`{name}`", load_policy(name).title) for name in policy_names())
    )


def _rulesets() -> str:
    rows = []
    for name in preset_names():
        ruleset = load_ruleset(name)
        least, most = ruleset.players.min, ruleset.players.max
        rows.append((f"`{name}`", ruleset.title, f"{least}-{most}", str(ruleset.n_deals)))
    return _table(("ruleset", "what it is", "players", "deals"), rows)


def _options(section: str) -> str:
    """Return the table of the options in one table of the TOML file."""
    defaults = load_ruleset("shanghai").to_options()[section]
    rows = []
    for key, kind in kinds(kinds(Ruleset)[section]).items():
        option = f"{section}.{key}"
        text = re.sub(r"[a-z_]+\.[a-z_]+", r"`\g<0>`", MEANINGS[option])
        rows.append((f"`{option}`", kind.allowed, f"`{toml_value(defaults[key])}`", text))
    return _table(("option", "values allowed", "default", "what it changes, and what follows"), rows)


#: Tips whose verdict may surprise, for the README.
SURPRISING = (1, 7, 24, 21, 3)


def _surprises() -> str:
    """Return the verdicts of some tips, from the report."""
    rows = {row["tip"]: row for row in read_rows(REPORTS / "tip_court" / "verdicts.csv")}
    listed = []
    for row in (rows[tip] for tip in SURPRISING):
        word = f"{row['verdict']}; as said {row['said']}" if row["verdict"] == "depends" else row["verdict"]
        listed.append((row["advice"], word, _effect(row), _but(row)))
    return _table(("advice", "verdict", "points a game that it saves", "but"), listed)


def _effect(row: Mapping[str, Any]) -> str:
    return f"{row['estimate']:+.1f} ({row['low']:+.1f} to {row['high']:+.1f})"


def _but(tip: Mapping[str, Any]) -> str:
    """Return the reading of a tip that is decided the other way, with what it saves."""
    for row in read_rows(REPORTS / "tip_court" / "tips.csv"):
        same = row["tip"] == tip["tip"] and row["part"] == "way" and row["judged"] and not row["reason"]
        if same and tip["verdict"] == "depends" and row["sign"] * tip["sign"] < 0:
            return f"{row['cell']}: {_effect(row)}"
    return ""


_SECTIONS = [name for name, kind in kinds(Ruleset).items() if not isinstance(kind, Kind)]

TABLES = {
    "games": lambda: _columns(columns.GAMES),
    "deals": lambda: _columns(columns.DEALS),
    "summary": lambda: _columns(columns.SUMMARY),
    "game-metrics": lambda: _metrics(columns.GAME_METRICS),
    "deal-metrics": lambda: _metrics(columns.DEAL_METRICS),
    "table-metrics": lambda: _metrics(columns.TABLE_METRICS),
    "profile": lambda: _columns(columns.PROFILE),
    "profile-ratios": _ratios,
    "profile-curves": lambda: _metrics(columns.PROFILE_CURVES),
    "comparison": lambda: _columns(question_columns.COMPARISON),
    "comparison-metrics": lambda: _metrics(question_columns.COMPARISON_METRICS),
    "blocks": lambda: _columns(question_columns.BLOCKS),
    "tournament": lambda: _columns(question_columns.TOURNAMENT),
    "tournament-metrics": lambda: _metrics(question_columns.TOURNAMENT_METRICS),
    "what-if": lambda: _columns(question_columns.WHAT_IF),
    "sweep": lambda: _columns((*question_columns.SWEEP, *question_columns.SWEEP_FIGURE)),
    "sweep-metrics": lambda: _metrics(question_columns.SWEEP_METRICS),
    "tips": lambda: _columns(question_columns.TIPS),
    "surprises": _surprises,
    "parameters": _parameters,
    "policies": _policies,
    "rulesets": _rulesets,
    **{f"options-{name.replace('_', '-')}": partial(_options, name) for name in _SECTIONS},
}
_MARKED = re.compile(r"(<!-- begin (?P<name>[a-z-]+) -->\n).*?(<!-- end (?P=name) -->)", re.DOTALL)


def names_in(text: str) -> list[str]:
    """Return the names of the tables on a page."""
    return [match["name"] for match in _MARKED.finditer(text)]


def filled(text: str) -> str:
    """Return a page with its tables made anew."""
    return _MARKED.sub(lambda match: f"{match[1]}{TABLES[match['name']]()}\n{match[3]}", text)
