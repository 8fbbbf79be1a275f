"""What can be played, and one clear line for what cannot."""

import pytest

from shanghai_sim.errors import RulesError
from shanghai_sim.rules.playable import LIMITS, check_playable
from shanghai_sim.rules.ruleset import load_ruleset, preset_names


def refused(changes, players=4, name="shanghai"):
    with pytest.raises(RulesError) as caught:
        check_playable(load_ruleset(name, changes), players)
    return list(caught.value.problems)


@pytest.mark.parametrize(
    "changes",
    [
        [],
        ["deal.contracts=['S3 R7', 'R13 S3 S3', 'R3 R3', 'S3 S3 S3 S3']"],
        ["score.sudden_death_contract=R5 R5"],
        ["score.sudden_death_contract=S4 R5 R6", "score.tie=shared"],
        ["deal.hand_size=20"],
        ["deal.hand_size=3"],
        ["cards.packs={2=1}", "cards.jokers={}"],
        ["cards.packs={2=3}", "cards.jokers={2=12}"],
        ["meld.wild_limits=always", "meld.max_wilds=1", "cards.ace=low", "cards.wild=['2','3S']"],
        ["deal.contracts=['R7 S4', 'R4 R5', 'S3 S3 S3 S3', 'R14', 'S14']"],
        ["meld.longer_at_lay_down=true", "meld.lay_off_same_turn=true", "deal.natural_only=[2]"],
        ["meld.set_suits=distinct", "meld.same_rank_sets=false", "meld.runs_may_adjoin=false"],
        ["meld.naturals_outnumber_wilds=strictly", "go_out.last_deal_takes_whole_hand=true"],
        ["buy.per_deal=unlimited", "buy.penalty_cards=0", "swap.melds=all", "go_out.discard=optional"],
        ["stock.when_empty=end-deal", "score.one_turn_bonus=-5", "deal.first_player_extra_card=true"],
    ],
)
def test_what_can_be_played(changes):
    check_playable(load_ruleset("shanghai", changes), 4)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_can_be_played_by_all_its_numbers_of_players(name):
    ruleset = load_ruleset(name)
    for players in range(ruleset.players.min, ruleset.players.max + 1):
        check_playable(ruleset, players)


@pytest.mark.parametrize(
    ("changes", "players", "what"),
    [
        (["cards.packs={2=4}"], 4, "4 packs for 4 players"),
        (["cards.jokers={2=13}"], 4, "13 jokers for 4 players"),
        (["deal.hand_size=21"], 4, "a hand of 21 in deal 1"),
        (["deal.hand_size=[11,11,2,2,11,11,11,11,11,11]"], 4, "a hand of 2 in deal 3"),
        (["deal.contracts=['S3 S3 S3 S3 S3']"], 4, "contract 1 (S3 S3 S3 S3 S3) has 5 melds"),
        (["players.max=9", "cards.packs={2=3}"], 9, "9 players"),
    ],
)
def test_beyond_the_limits(changes, players, what):
    assert refused(changes, players) == [f"shanghai: {what}. {LIMITS}"]


def test_the_sentence_on_limits():
    assert LIMITS == (
        "Limits of what can be played: "
        "1-3 packs, 0-12 jokers, hands of 3-20, contracts of 1-4 melds, 2-8 players."
    )


def test_players():
    assert refused([], 2) == ["shanghai: is for 3 to 8 players, not 2"]
    assert refused([], 9) == ["shanghai: is for 3 to 8 players, not 9"]
    assert "52 cards are too few for 5 players" in refused(["cards.packs={2=1}", "cards.jokers={}"], 5)[0]
