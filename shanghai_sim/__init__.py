"""A simulator that tells what is good play, and what is a good rule, in Shanghai Rummy.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from shanghai_sim._version import ENGINE_VERSION, __version__

_HOMES = {
    "CardError": "errors",
    "Comparison": "experiments.comparison",
    "Court": "experiments.tips.cards",
    "InputError": "errors",
    "Policy": "policies.policy",
    "PolicyError": "errors",
    "Profile": "experiments.profile",
    "Result": "experiments.run",
    "RulesError": "errors",
    "Ruleset": "rules.ruleset",
    "RunError": "errors",
    "Setup": "engine.batch",
    "ShanghaiSimError": "errors",
    "Sweep": "experiments.sweep",
    "Table": "engine.stepper",
    "Tournament": "experiments.tournament",
    "changed_decisions": "experiments.changed",
    "compare": "experiments.compare",
    "contract_distance": "rules.evaluate",
    "dealt_distances": "experiments.dealing",
    "find_contract": "rules.evaluate",
    "load_policy": "policies.policy",
    "load_rules": "rules.ruleset",
    "outs": "rules.live_outs",
    "profile": "experiments.profile",
    "replay": "experiments.replay",
    "run": "experiments.run",
    "sweep": "experiments.sweep",
    "tips": "experiments.tips.hold",
    "tournament": "experiments.tournament",
    "what_if": "experiments.what_if",
}
#: Names that are called otherwise at home.
_THERE = {"load_rules": "load_ruleset"}

__all__ = [
    "ENGINE_VERSION",
    "CardError",
    "Comparison",
    "Court",
    "InputError",
    "Policy",
    "PolicyError",
    "Profile",
    "Result",
    "RulesError",
    "Ruleset",
    "RunError",
    "Setup",
    "ShanghaiSimError",
    "Sweep",
    "Table",
    "Tournament",
    "__version__",
    "changed_decisions",
    "compare",
    "contract_distance",
    "dealt_distances",
    "find_contract",
    "load_policy",
    "load_rules",
    "outs",
    "profile",
    "replay",
    "run",
    "sweep",
    "tips",
    "tournament",
    "what_if",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), _THERE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
