"""Whether any cards at all make a contract: against the slow twin, with all cards in play as one hand."""

from __future__ import annotations

from random import Random

import pytest

from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.feasibility import check_deal
from shanghai_sim.rules.makeable import why_never_made
from shanghai_sim.rules.ruleset import load_ruleset, preset_names
from tests.reference.general_hands import random_limits
from tests.reference.plain_cards import RANKS, SUITS
from tests.reference.slow_distance import slow_distance

CONTRACTS = [
    "S4 R13", "S3 S3 S3 S3", "R13 R13 R13 R13", "S4 S4 R13 R13", "S3 R13 R13 R13", "S8 S8 R13", "R14", "S8 R12",
    "S5 R7", "R7 R7 R7 R7", "S12 R14", "S9 S9", "R14 R14 R14 R14", "S4 S4 S4 S4", "S6 R10 R10",
]  # fmt: skip


def all_cards(packs: int, jokers: int) -> list[str]:
    return [rank + suit for rank in RANKS for suit in SUITS] * packs + ["JK"] * jokers


def makes(contract: str, packs: int, jokers: int, **options) -> bool:
    """Return whether some cards of the packs make a contract, by the slow twin."""
    try:
        return slow_distance(all_cards(packs, jokers), contract, **options) == 0
    except ValueError:
        return False


def test_agrees_with_the_twin():
    rng = Random(1)
    found = set()
    for i in range(200):
        contract = CONTRACTS[i % len(CONTRACTS)]
        packs, jokers = rng.choice((1, 1, 2, 3)), rng.choice((0, 0, 1, 4))
        limits = random_limits(rng)
        options = {f"meld.{k}": "any" if x is None else x for k, x in limits._asdict().items()}
        wild = rng.choice((["JK"], ["JK", "2"], ["2S", "2C"]))
        cards = {
            "cards.wild": wild,
            "cards.packs": {"2": packs},
            "cards.jokers": {"2": jokers} if jokers else {},
        }
        rules = load_ruleset("shanghai", options | cards)
        expected = makes(contract, packs, jokers, wild=tuple(wild), **limits._asdict())
        said = why_never_made(rules, 3, Contract.parse(contract), natural_only=False)
        assert (said is None) == expected, (contract, packs, jokers, limits, wild, said)
        found.add(expected)
    assert found == {True, False}


@pytest.mark.parametrize(
    ("contract", "changes", "why"),
    [
        ("S4 R13", [], "all cards in play together are 1 card short of its melds"),
        ("S4 R13", ["cards.jokers={2=1}"], None),
        ("R13 R13 R13 R13", [], None),
        ("S3 S3 S3 R13", ["meld.same_rank_sets=false"], None),
    ],
)
def test_melds_in_each_others_way(contract, changes, why):
    """One pack: a run from ace to king leaves three of each rank."""
    rules = load_ruleset(
        "shanghai", ["cards.packs={2=1}", "cards.jokers={}", f"deal.contracts=['{contract}']", *changes]
    )
    assert why_never_made(rules, 3, rules.contract_in(1), natural_only=False) == why
    if why:
        assert check_deal(rules, 3, 1).never == why


@pytest.mark.parametrize("name", preset_names())
def test_every_contract_that_ships_can_be_made_by_some_cards(name):
    rules = load_ruleset(name)
    for players in range(rules.players.min, rules.players.max + 1):
        for deal in range(1, rules.n_deals + 1):
            natural_only = rules.natural_only_in(deal)
            assert why_never_made(rules, players, rules.contract_in(deal), natural_only) is None
