"""From what callers may write, names or objects, to a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shanghai_sim.defaults import AGAINST
from shanghai_sim.errors import InputError
from shanghai_sim.experiments.estimands import Question, policy_question, rules_question, tables_question

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

Changes = Mapping[str, object] | Sequence[str]


def question_of(
    a: str | Policy,
    b: str | Policy | None,
    *,
    rules: str | Path | Ruleset,
    overrides: Changes,
    rules_b: str | Path | Ruleset | None,
    overrides_b: Changes,
    against: str | Sequence[str | Policy] | None,
    everybody: bool = False,
    **rest: Any,
) -> Question:
    """Return the question; see `compare.compare` for what may be written.

    Raises
    ------
    InputError
        With a line for everything that is wrong.
    """
    other_rules = rules_b is not None or bool(overrides_b)
    if b is None and not other_rules:
        raise InputError(
            "one policy alone is compared with nothing: name a second one, or other rules "
            "(--rules-b or --set-b; in Python rules_b or overrides_b)"
        )
    if b is not None and other_rules:
        raise InputError(
            "either two policies or two sets of rules: leave out the second policy, or the second rules"
        )
    if other_rules and against is not None:
        raise InputError(
            "with other rules the policy sits in all seats: leave out --against (in Python against)"
        )
    if everybody and (other_rules or against is not None):
        raise InputError(
            "--everybody puts each policy in all seats: leave out other rules and --against (in Python everybody)"
        )
    problems: list[str] = []

    def tried(function: Any, *args: Any) -> Any:
        try:
            return function(*args)
        except InputError as error:
            problems.extend(line for line in error.problems if line not in problems)
            return None

    ruleset = tried(_rules, rules, overrides)
    variant = tried(_policy, a)
    baseline: Any = None if b is None else tried(_policy, b)
    if against is None:
        against = AGAINST
    items = against.split(",") if isinstance(against, str) else against
    field = [tried(_policy, item) for item in items]
    if not other_rules:
        if problems:
            raise InputError(*problems)
        if everybody:
            return tables_question(ruleset, variant, baseline, **rest)
        return policy_question(ruleset, variant, baseline, against=field, **rest)
    second = rules if rules_b is None else rules_b
    changes = (overrides, (*_texts(overrides), *_texts(overrides_b)) if rules_b is None else overrides_b)
    ruleset_b = tried(_rules, second, changes[1])
    if problems:
        raise InputError(*problems)
    names = (_name(ruleset, changes[0]), _name(ruleset_b, changes[1]))
    return rules_question((ruleset, ruleset_b), names, variant, **rest)


def _policy(item: str | Policy) -> Policy:
    from shanghai_sim.policies.policy import load_policy

    return load_policy(item.strip()) if isinstance(item, str) else item


def _rules(item: str | Path | Ruleset, overrides: Changes) -> Ruleset:
    from shanghai_sim.rules.ruleset import Ruleset, load_ruleset

    if not isinstance(item, Ruleset):
        return load_ruleset(item, overrides)
    if overrides:
        raise InputError(
            "options are changed of rulesets that are named, not of loaded ones: load them changed"
        )
    return item


def _texts(changes: Changes) -> tuple[str, ...]:
    """Return changes of rules as they are written on the command line."""
    from shanghai_sim.rules.toml_text import toml_value

    if isinstance(changes, Mapping):
        return tuple(f"{key}={toml_value(value)}" for key, value in changes.items())
    return tuple(changes)


def _name(ruleset: Ruleset, changes: Changes) -> str:
    """Return what one of two rulesets is called: its name and what was changed, as policies are written."""
    return "+".join((ruleset.name, *_texts(changes)))
