"""The golden games: kept as text for people, so that a changed course shows as a readable diff."""

from __future__ import annotations

from pathlib import Path

from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.reporting.replay_text import CardStyle, replay_text
from shanghai_sim.rules.ruleset import load_ruleset

#: name: rules, policies, coupling, deals, seed, game.
GAMES = {
    "shanghai-plain": ("shanghai", "plain,plain,plain,plain", "seat", (1, 6, 8), 7, 2),
    "shanghai-mixed-pile": ("shanghai", "aggressive-buy,no-buy,plain,random", "pile", (2, 9, 10), 1, 1),
    "finnish-mixed": ("finnish", "plain,aggressive-buy,no-buy", "seat", (1, 5, 7), 3, 5),
    "wild-twos-random": ("shanghai-wild-twos", "random,plain,random", "seat", (5,), 11, 0),
    "budget-crowd": ("shanghai-buy-budget", ",".join(["aggressive-buy"] * 8), "seat", (8,), 2, 0),
}


def golden_path(name: str) -> Path:
    return Path(__file__).parent / f"{name}.txt"


def as_text(name: str) -> str:
    rules, policies, coupling, deals, seed, game = GAMES[name]
    chosen = [load_policy(policy) for policy in policies.split(",")]
    setup = Setup(load_ruleset(rules), len(chosen), chosen, coupling=coupling, deals=deals, seed=seed)
    return replay_text(transcript(setup, game), CardStyle(symbols=False)) + "\n"
