"""Options of a ruleset that contradict each other or come to nothing: a warning each."""

import pytest

from shanghai_sim.rules.contradictions import check_feasibility
from shanghai_sim.rules.ruleset import load_ruleset


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        ("progressive", ["buy.penalty_cards=2"], "buy.penalty_cards does nothing: buy.per_deal = 0"),
        ("progressive", ["buy.per_game=3"], "buy.per_game does nothing"),
        ("shanghai", ["buy.per_game=0"], "buy.per_deal does nothing: buy.per_game = 0"),
        (
            "shanghai",
            ["buy.per_game=3"],
            "buy.per_game = 3 is less than the 4 buys that all contracts together need",
        ),
        ("shanghai-growing", ["score.first_turn_bonus=-25"], "score.first_turn_bonus is out of reach"),
        (
            "shanghai-growing",
            ["score.one_turn_bonus_without_wild=-5"],
            "score.one_turn_bonus_without_wild is out of",
        ),
        ("shanghai", ["meld.wild_limits=always"], "meld.wild_limits does nothing"),
        ("shanghai", ["swap.melds=none", "swap.freed_wild=table"], "swap.freed_wild does nothing"),
        ("shanghai", ["score.wild_points={2=20}"], "score.wild_points.2 does nothing"),
        ("shanghai", ["cards.jokers={}"], "cards.wild names JK, but cards.jokers puts none"),
        ("shanghai", ["cards.wild=['2']"], "the jokers are dead cards"),
        (
            "finnish",
            ["cards.wild=[]", "score.wild_points={}", "deal.natural_only=[1]"],
            "deal.natural_only does nothing",
        ),
        ("finnish", ["cards.wild=[]", "score.wild_points={}", "meld.max_wilds=1"], "the limits on wilds"),
        (
            "shanghai",
            ["score.tie=shared", "score.sudden_death_contract=R10"],
            "score.sudden_death_contract does",
        ),
        ("finnish", ["stock.turn_limit=1"], "the first player never lays down"),
    ],
)
def test_options_that_come_to_nothing(name, changes, says):
    messages = [finding.message for finding in check_feasibility(load_ruleset(name, changes), 4).warnings]
    assert any(message.startswith(says) for message in messages)
    assert len(messages) == 1


def test_a_bonus_in_reach_is_no_matter():
    changes = ["score.first_turn_bonus=-25", "score.one_turn_bonus=-50"]
    assert check_feasibility(load_ruleset("shanghai", changes), 4).warnings == ()
