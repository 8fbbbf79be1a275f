"""Which hand evaluations four `balanced` ask for in a deal, and what for (``python -m benchmarks.calls [RULES]``).

The games are played in plain Python, where calls can be counted; they are the games of the compiled loop.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

os.environ["SHANGHAI_SIM_JIT"] = "0"

#: Modules, functions counted where they call them, and what each function that calls asks for.
COUNTED = {
    "policies.features": "distance_within",
    "policies.weigh": "distance_within",
    "policies.weighed_discard": "distance_within",
    "policies.lay_down": "distance_within",
    "rules.outs": "naturals_placed",
    "engine.deal": "distance_within",
}
PURPOSE = {
    "_free_of": "discard: which cards cost no distance",
    "outs_lost": "discard: which outs would be lost",
    "_placing": "discard: which cards have a place in a plan",
    "gains_outs": "buy: does it bring outs",
    "helps": "buy: does it help",
    "worth_drawing": "draw: does the top discard help",
    "is_within": "engine: the distance after a card gained",
}
DECISIONS = ("draw", "buy", "play", "discard")


def counting(function: Callable[..., Any], counts: Counter[str]) -> Callable[..., Any]:
    """Return a function that counts its calls by the first function above it that has a purpose."""

    def counted(*args: Any) -> Any:
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_name not in PURPOSE:
            frame = frame.f_back
        counts["other" if frame is None else PURPOSE[frame.f_code.co_name]] += 1
        return function(*args)

    return counted


def asking(function: Callable[..., Any], name: str, counts: Counter[str]) -> Callable[..., Any]:
    """Return a decision function that counts how often it is asked."""

    def asked(*args: Any) -> Any:
        counts[f"decisions: {name}"] += 1
        return function(*args)

    return asked


def main() -> None:
    """Play five games and print the counts per deal."""
    from shanghai_sim.engine import seats
    from shanghai_sim.engine.batch import Setup, play_blocks
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import load_ruleset

    rules = load_ruleset(sys.argv[1] if len(sys.argv) > 1 else "shanghai")
    counts: Counter[str] = Counter()
    for name, function in COUNTED.items():
        module = import_module(f"shanghai_sim.{name}")
        setattr(module, function, counting(getattr(module, function), counts))
    for name in DECISIONS:
        setattr(seats, name, asking(getattr(seats, name), name, counts))
    players = rules.usual_players
    batch = play_blocks(Setup(rules, players, players * [load_policy("balanced")]), 0, 5, rotations=1)
    deals = len(batch.totals) * rules.n_deals
    for what, number in counts.most_common():
        print(f"{number / deals:8.1f}  {what}")
    total = sum(number for what, number in counts.items() if not what.startswith("decisions"))
    print(
        f"{total / deals:8.1f}  evaluations in all, a deal ({deals} deals of {rules.name}, {players} players)"
    )


if __name__ == "__main__":
    main()
