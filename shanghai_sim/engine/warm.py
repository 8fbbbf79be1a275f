"""Compiling everything that games, replays and evaluation need, so that later starts only load it."""

from __future__ import annotations

from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.stepper import Table
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.evaluate import contract_distance, find_contract
from shanghai_sim.rules.live_outs import outs
from shanghai_sim.rules.ruleset import load_ruleset

_HAND = "7H 7D 7S 4C 5C 6C 7C KS"


def warm_up() -> None:
    """Run every compiled entry once, on one short game and one hand.

    Kernels do not depend on rules, policies or the number of players: one game compiles them for all.
    """
    ruleset = load_ruleset("shanghai")
    contract = Contract.parse("S3 R4")
    contract_distance(_HAND, contract, ruleset)
    find_contract(_HAND, contract, ruleset)
    outs(_HAND, contract, ruleset)
    least = ruleset.players.min
    setup = Setup(ruleset, least, least * (load_policy("plain"),), deals=(1,))
    play_blocks(setup, 0, 1)
    transcript(setup, 0)
    table = Table(setup, 0)
    table.reshuffle_future(1)
    while not table.deal_over:
        table.answer(table.built_in(table.view()))
