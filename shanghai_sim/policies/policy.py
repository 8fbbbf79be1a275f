"""Policies as data: loading them by name or from a file, with single parameters changed (FORMATS)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from shanghai_sim.errors import InputError, PolicyError, did_you_mean
from shanghai_sim.policies.parameters import BY_KEY, HEED_SCORES, N_PARAMETERS, PARAMETERS
from shanghai_sim.rules.overrides import parse_value
from shanghai_sim.rules.reading import no_such, no_such_base, read_table, unknown_key
from shanghai_sim.rules.values import BadValue, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PRESETS = Path(__file__).parent / "presets"
_TEXTS = {"name": Text(60), "title": Text()}
_SECTIONS = {key.partition(".")[0] for key in BY_KEY if "." in key}
_CHANGE = re.compile(r"\+(?=[\w.-]+\s*=)")


@frozen
class Policy:
    """One way to play.

    Attributes
    ----------
    name : str
        The name of the preset or file it comes from.
    title : str
        What a player of this kind does, in one sentence.
    parameters : dict
        For every key of `PARAMETERS` a value, or a tuple with one per deal.
    label : str
        The policy as the user wrote it, for tables.
    """

    name: str
    title: str
    parameters: Mapping[str, Any] = field(converter=dict, hash=False)
    label: str

    def changed(self, changes: Sequence[str]) -> Policy:
        """Return the policy with single parameters changed, written as on the command line.

        Parameters
        ----------
        changes : sequence of str
            Such as ``buy.max_buys=1``; none: the policy as it is.

        Raises
        ------
        PolicyError
            With a line for each change that is not allowed.
        """
        values = dict(self.parameters)
        label = "+".join((self.label, *changes))
        if problems := _change(values, changes, label):
            raise PolicyError(*problems)
        return evolve(self, parameters=values, label=label)

    @property
    def heeds_scores(self) -> bool:
        """Whether what it does in a deal depends on the scores of the deals before."""
        values = [self.parameters[key] for key in HEED_SCORES]
        return any(any(value) if isinstance(value, tuple) else value != 0 for value in values)

    def rows(self, n_deals: int) -> NDArray[np.float64]:
        """Return the parameters as numbers.

        Parameters
        ----------
        n_deals : int
            The number of deals in a game, sudden death not counted.

        Returns
        -------
        ndarray of float64, shape (n_deals + 1, N_PARAMETERS)
            A row a deal; the last one, for sudden death, repeats the one before.

        Raises
        ------
        PolicyError
            If a list is not as long as there are deals.
        """
        import numpy as np

        rows = np.empty((n_deals + 1, N_PARAMETERS))
        problems = []
        for column, parameter in enumerate(PARAMETERS):
            value = self.parameters[parameter.key]
            values = value if isinstance(value, tuple) else n_deals * (value,)
            if len(values) != n_deals:
                problems.append(
                    f"{self.label}: {parameter.key}: must have one value per deal: "
                    f"the ruleset has {n_deals} deals, this list {len(values)}"
                )
                continue
            rows[:, column] = [parameter.number(v) for v in (*values, values[-1])]
        if problems:
            raise PolicyError(*problems)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the policy in full, JSON-ready; `parameters` is nested as in the TOML file."""
        nested: dict[str, Any] = {}
        for parameter in PARAMETERS:
            section, _, name = parameter.key.rpartition(".")
            table = nested.setdefault(section, {}) if section else nested
            table[name] = parameter.kind.write(self.parameters[parameter.key])
        return {"label": self.label, "name": self.name, "title": self.title, "parameters": nested}


def preset_names() -> tuple[str, ...]:
    """Return the names of the policies that ship."""
    return tuple(sorted(path.stem for path in _PRESETS.glob("*.toml")))


def load_policy(spec: str | Path) -> Policy:
    """Return the policy that a text names.

    Parameters
    ----------
    spec : str or Path
        ``NAME`` or ``FILE.toml``, then any number of ``+key=value``; a value per deal is written with
        slashes: ``plain+buy.max_buys=0/0/0/3``.

    Raises
    ------
    PolicyError
        With one line for everything that is wrong.
    """
    label = str(spec)
    name, *changes = _CHANGE.split(label)
    values, problems = _base(name)
    problems += _change(values, changes, label)
    if problems:
        raise PolicyError(*problems)
    texts = {key: values.pop(key) for key in _TEXTS}
    return Policy(**texts, parameters=values, label=label)


def _change(values: dict[str, Any], changes: Sequence[str], label: str) -> list[str]:
    """Make changes such as ``buy.max_buys=1``, in place, and return a line for each that is not allowed."""
    problems = []
    for change in changes:
        key, _, text = change.partition("=")
        try:
            written = [parse_value(part) for part in text.split("/")]
        except InputError as error:
            problems.append(f"{label}: {key.strip()}: {error}")
        else:
            layer = {key.strip(): written if len(written) > 1 else written[0]}
            problems += _add(values, layer, label)
    return problems


def _base(name: str) -> tuple[dict[str, Any], list[str]]:
    """Return the values of a preset or a file, over the defaults, and what is wrong with them."""
    values: dict[str, Any] = {parameter.key: parameter.default for parameter in PARAMETERS}
    if name in preset_names():
        return values, _add(values, _preset(name), name)
    path = Path(name)
    if re.search(r"\.py(:|$)", name) or name.startswith("rollout:"):
        raise PolicyError(
            f"{name}: not built yet; a policy is one of {', '.join(preset_names())}, or a FILE.toml"
        )
    if "+" in name and not path.is_file():
        raise PolicyError(
            f"{name}: after a + there must be key=value, such as {name.partition('+')[0]}+noise=0.1"
        )
    if not path.is_file():
        raise no_such("policy", name, preset_names(), PolicyError)
    table = _flat(read_table(path, PolicyError))
    problems = []
    base = table.pop("based_on", None)
    if base in preset_names():
        problems += _add(values, _preset(base), base)
    elif base is not None:
        problems.append(f"{name}: {no_such_base(base, preset_names())}")
    values |= {"name": path.stem, "title": f"Built on {base or 'the defaults'}."}
    return values, problems + _add(values, table, name)


@cache
def _preset(name: str) -> dict[str, Any]:
    """Return the dotted keys and values of one preset, over those of the one that it builds on."""
    table = _flat(read_table(_PRESETS / f"{name}.toml", PolicyError))
    base = table.pop("based_on", None)
    return _preset(base) | table if base else table


def _flat(table: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Return nested tables as one with dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{above}{key}.")
        else:
            flat[f"{above}{key}"] = value
    return flat


def _add(values: dict[str, Any], layer: Mapping[str, Any], source: str) -> list[str]:
    """Put values over others, in place, and return a line for each that is not allowed."""
    lines = []
    for key, value in layer.items():
        kind = _TEXTS.get(key) or (BY_KEY[key].kind if key in BY_KEY else None)
        if kind is None:
            lines.append(f"{source}: {key}: {_unknown(key)}")
            continue
        try:
            values[key] = kind.read(value)
        except BadValue as error:
            lines += [f"{source}: {key}: {message}" for _, message in error.problems]
    return lines


def _unknown(key: str) -> str:
    section, _, name = key.rpartition(".")
    everywhere = [tuple(known.split(".")) for known in BY_KEY]
    if key in _SECTIONS:
        return f"must be a table with {', '.join(path[1] for path in everywhere if path[0] == key)}"
    if section in _SECTIONS:
        return unknown_key(name, [path[1] for path in everywhere if path[0] == section], everywhere)
    if section:
        return f"unknown key; tables are {', '.join(sorted(_SECTIONS))}{did_you_mean(key, BY_KEY)}"
    alone = (known for known in BY_KEY if "." not in known)
    return unknown_key(key, (*_TEXTS, "based_on", *sorted(_SECTIONS), *alone), everywhere)
