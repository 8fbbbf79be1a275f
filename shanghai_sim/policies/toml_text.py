"""A policy as the text of a TOML file that loads again as the same policy."""

from __future__ import annotations

from textwrap import wrap

from shanghai_sim.policies.parameters import PARAMETERS
from shanghai_sim.policies.policy import Policy
from shanghai_sim.rules.toml_text import toml_value

_WIDTH = 98


def policy_toml(policy: Policy, *, explain: bool = False) -> str:
    """Return a policy with all its parameters.

    Parameters
    ----------
    policy : Policy
    explain : bool
        Whether a comment above each parameter says what it means and which values it takes.
    """
    sections: dict[str, list[str]] = {}
    for parameter in PARAMETERS:
        section, _, name = parameter.key.rpartition(".")
        lines = sections.setdefault(section, [])
        if explain:
            meaning = f"{parameter.meaning} Takes {parameter.kind.allowed}."
            lines += [f"# {line}" for line in wrap(meaning, _WIDTH)]
        value = parameter.kind.write(policy.parameters[parameter.key])
        lines.append(f"{name} = {toml_value(value)}")
    head = [f"name = {toml_value(policy.name)}", f"title = {toml_value(policy.title)}"]
    blocks = [head + sections.pop("", []), *([f"[{name}]", *lines] for name, lines in sections.items())]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"
