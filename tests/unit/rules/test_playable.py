"""What can be played, and one clear line for what cannot."""

import pytest

from shanghai_sim.errors import RulesError
from shanghai_sim.rules.playable import LIMITS, check_playable
from shanghai_sim.rules.ruleset import load_ruleset


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
        ["meld.wild_limits=always", "cards.ace=low", "cards.wild=['2','3S']"],
        ["buy.per_deal=unlimited", "buy.penalty_cards=0", "swap.melds=all", "go_out.discard=optional"],
        ["stock.when_empty=end-deal", "score.one_turn_bonus=-5", "deal.first_player_extra_card=true"],
    ],
)
def test_what_can_be_played(changes):
    check_playable(load_ruleset("shanghai", changes), 4)


@pytest.mark.parametrize(
    "name", ["shanghai", "shanghai-growing", "shanghai-long-runs", "finnish", "shanghai-big"]
)
def test_presets_that_can_be_played(name):
    for players in (3, 4, 6):
        check_playable(load_ruleset(name), players)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("meld.longer_at_lay_down=true", None),
        ("meld.lay_off_same_turn=true", None),
        ("meld.max_wilds=1", "meld.max_wilds = 1"),
        ("meld.naturals_outnumber_wilds=strictly", 'meld.naturals_outnumber_wilds = "strictly"'),
        ("meld.set_suits=distinct", 'meld.set_suits = "distinct"'),
        ("meld.same_rank_sets=false", None),
        ("meld.runs_may_adjoin=false", None),
        ("deal.natural_only=[2]", "deal.natural_only = [2]"),
        ("go_out.last_deal_takes_whole_hand=true", None),
        ("deal.contracts=['S3 R4', 'S4']", "contract 2 (S4) with sets of other sizes than 3"),
        ("deal.contracts=['R4 R5']", "contract 1 (R4 R5) with runs of several lengths"),
        ("deal.contracts=['R14']", "contract 1 (R14) with a run of 14"),
        (
            "score.sudden_death_contract=S3 S4",
            "the contract of sudden death (S3 S4) with sets of other sizes than 3",
        ),
    ],
)
def test_not_yet(change, what):
    what = what or change.replace("=", " = ")
    assert refused([change]) == [f"shanghai: {what} cannot be played yet; it loads and checks"]


def test_all_at_once():
    assert len(refused([], name="shanghai-canonical")) == 2


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
