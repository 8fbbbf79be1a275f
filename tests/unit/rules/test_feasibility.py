"""What follows from the rules: every statement of RULES 9, and the corners around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shanghai_sim.rules.contradictions import check_feasibility
from shanghai_sim.rules.counting import shortage, why_impossible
from shanghai_sim.rules.feasibility import buys_possible, check_deal, check_deals
from shanghai_sim.rules.ruleset import load_ruleset, preset_names


def deals(name, *changes, players=4):
    return check_deals(load_ruleset(name, changes), players)


def needed(name, *changes, players=4):
    return [deal.buys_needed for deal in deals(name, *changes, players=players)]


def one(contract, *changes, players=4):
    """Return the only deal of `shanghai` with one contract."""
    rules = load_ruleset("shanghai", [f"deal.contracts=['{contract}']", *changes])
    return check_deal(rules, players, 1)


# The statements of RULES 9, in their order.


def test_with_11_cards_and_one_penalty_card():
    by_size = {size: one(f"S{size}", "cards.jokers={2=12}").buys_needed for size in range(6, 16)}
    assert by_size == dict.fromkeys(range(6, 12), 0) | {12: 1, 13: 1, 14: 2, 15: 2}


def test_shanghai_needs_buys_in_its_last_three_deals():
    assert needed("shanghai") == [0, 0, 0, 0, 0, 0, 0, 2, 1, 1]
    assert needed("shanghai-two-buys") == needed("shanghai")


def test_with_one_buy_contract_8_can_never_be_made():
    found = deals("shanghai-one-buy")
    assert [deal.deal for deal in found if deal.buys_needed is None] == [8]
    assert found[7].never == "it takes 14 cards and one to discard; with 1 buy a hand holds 14"


def test_growing_hands_need_no_buy():
    assert set(needed("shanghai-growing")) == {0}


@pytest.mark.parametrize(
    ("name", "from_7"),
    [
        ("shanghai-alternate", [1, 1, 2, 1]),
        ("shanghai-canonical", [1, 1, 2, 2]),
        ("shanghai-long-runs", [1, 0, 1, 0]),
    ],
)
def test_the_other_deals_that_need_buys(name, from_7):
    assert needed(name) == 6 * [0] + from_7


def test_the_eleventh_deal_needs_two():
    assert needed("shanghai-big")[10] == 2


def test_three_runs_of_7_are_out_of_reach():
    found = one("R7 R7 R7")
    assert found.never == "it takes 21 cards and one to discard; with 3 buys a hand holds 18"


@pytest.mark.parametrize("name", ["finnish", "contract-rummy", "liverpool", "progressive"])
def test_the_seven_deal_rulesets_need_no_buys(name):
    assert needed(name) == 7 * [0]


def test_going_out_in_the_turn_of_laying_down():
    found = deals("shanghai")
    in_reach = {
        deal.deal: (deal.one_turn_buys, deal.first_turn_buys)
        for deal in found
        if deal.one_turn_buys is not None
    }
    assert in_reach == {6: (0, 0), 9: (1, 1)}
    by_size = {size: one(f"S{size}", "cards.jokers={2=12}").one_turn_buys for size in range(6, 16)}
    assert {size: buys for size, buys in by_size.items() if buys is not None} == {11: 0, 13: 1, 15: 2}


def test_in_progressive_every_lay_down_ends_the_deal():
    assert all(deal.lay_down_ends_deal and deal.one_turn_buys == 0 for deal in deals("progressive"))
    assert not any(deal.lay_down_ends_deal for deal in deals("shanghai"))


# Around them.


@given(
    hand=st.integers(3, 20),
    penalty=st.integers(0, 3),
    buys=st.none() | st.integers(0, 5),
    sizes=st.lists(st.integers(3, 6), min_size=1, max_size=4),
    discard=st.sampled_from(["required", "optional"]),
)
def test_buys_needed_by_trying_them_one_by_one(hand, penalty, buys, sizes, discard):
    contract = " ".join(f"S{size}" for size in sizes)
    changes = {
        "deal.contracts": [contract],
        "deal.hand_size": hand,
        "buy.penalty_cards": penalty,
        "buy.per_deal": "unlimited" if buys is None else buys,
        "go_out.discard": discard,
    }
    found = check_deal(load_ruleset("shanghai", changes), 3, 1)
    keep = {"required": {1}, "optional": {0, 1}}[discard]
    most = 108 - 2 * hand
    held = {b: min(most, hand + 1 + b * (1 + penalty)) for b in range(70 if buys is None else buys + 1)}
    lay_down = [b for b, cards in held.items() if sum(sizes) + min(keep) <= cards]
    go_out = [b for b in lay_down if held[b] - sum(sizes) in keep]
    assert found.buys_needed == min(lay_down, default=None)
    assert found.one_turn_buys == min(go_out, default=None)
    assert found.first_turn_buys == min((b for b in go_out if b <= 2), default=None)
    assert (found.never is None) == bool(lay_down)


@pytest.mark.parametrize("name", preset_names())
def test_the_first_turn_is_no_better_than_any(name):
    for players in range(max(3, load_ruleset(name).players.min), 7):
        for deal in deals(name, players=players):
            assert deal.never is None or name == "shanghai-one-buy"
            assert deal.first_turn_buys is None or deal.first_turn_buys == deal.one_turn_buys


def test_buys_before_the_first_turn_are_those_in_the_turns_before_it():
    """Going out with 15 cards takes two buys, with 17 three: of three players the last one sees two turns."""
    assert one("R5 R5 R5", players=3).first_turn_buys == 2
    assert one("R5 R6 R6", players=3).one_turn_buys == 3
    assert one("R5 R6 R6", players=3).first_turn_buys is None
    assert one("R5 R6 R6", players=4).first_turn_buys == 3
    assert one("R5 R6 R6", "deal.first_player_extra_card=true", players=4).first_turn_buys is None
    assert one("R5 R5 R5", "buy.no_meld_next_turn=true").first_turn_buys is None
    assert one("R5 R5 R5", "buy.no_meld_next_turn=true").one_turn_buys == 2


def test_finnish():
    found = deals("finnish")
    assert [deal.deal for deal in found if deal.one_turn_buys is not None] == [7]
    assert (found[6].one_turn_buys, found[6].first_turn_buys, found[6].lay_down_ends_deal) == (0, 0, False)
    assert found[0].buys_allowed is None


def test_between_two_players_next_to_nothing_can_be_bought():
    finnish = load_ruleset("finnish")
    assert [buys_possible(finnish, players, 1) for players in (2, 3)] == [0, None]
    two = ["players.min=2"]
    assert buys_possible(load_ruleset("shanghai", two), 2, 1) == 1
    assert buys_possible(load_ruleset("shanghai", [*two, "buy.own_discard=true"]), 2, 1) == 3
    assert [d.deal for d in deals("shanghai", *two, players=2) if d.never] == [8]
    (note,) = check_feasibility(finnish, 2).warnings
    assert note.message.startswith("between 2 players nobody can buy")


def test_both_limits_hold():
    assert needed("shanghai", "buy.per_game=1")[7:] == [None, 1, 1]
    assert buys_possible(load_ruleset("shanghai", ["buy.per_game=2"]), 4, 1) == 2
    assert needed("shanghai", "buy.per_deal=[3,3,3,3,3,3,3,1,1,0]")[7:] == [None, 1, None]


def test_no_discard_saves_a_card():
    assert one("R4 R4 R4", "go_out.discard=optional").buys_needed == 0
    assert one("R4 R4 R4", "go_out.discard=optional").one_turn_buys == 0
    assert one("R4 R4 S3", "go_out.discard=optional").one_turn_buys == 0
    assert one("S3 S3", "go_out.discard=optional").one_turn_buys is None


def test_longer_melds_and_lay_offs_take_up_the_rest():
    assert one("S3 S3").one_turn_buys is None
    assert one("S3 S3", "meld.longer_at_lay_down=true").one_turn_buys == 0
    assert one("S3 S3", "meld.lay_off_same_turn=true").one_turn_buys == 0
    assert one("R13", "deal.hand_size=15", "meld.longer_at_lay_down=true").one_turn_buys is None  # 16 cards
    assert (
        one("R13", "deal.hand_size=14", "meld.longer_at_lay_down=true").one_turn_buys == 0
    )  # 14 and a discard


def test_a_last_deal_that_takes_the_whole_hand():
    last = deals("contract-rummy")[-1]
    assert (last.buys_needed, last.one_turn_buys, last.lay_down_ends_deal) == (0, 0, True)
    tight = one("R13", "go_out.last_deal_takes_whole_hand=true", "deal.hand_size=13", "buy.per_deal=0")
    assert (tight.buys_needed, tight.lay_down_ends_deal) == (0, True)  # a run of 14
    over = one("R13", "go_out.last_deal_takes_whole_hand=true", "deal.hand_size=14", "buy.per_deal=0")
    assert over.never == "it must take in the whole hand, and its melds never hold 15 cards"
    low = one(
        "R13",
        "go_out.last_deal_takes_whole_hand=true",
        "deal.hand_size=13",
        "buy.per_deal=0",
        "cards.ace=low",
    )
    assert low.buys_needed is None
    assert one("R4 R4 R4", "go_out.last_deal_takes_whole_hand=true").buys_needed == 0  # 12 of 12


def test_sudden_death_has_a_row_where_its_contract_is_another():
    assert len(deals("shanghai")) == 10
    found = deals("shanghai", "score.sudden_death_contract=S3 S3 R4 R4")
    assert (found[-1].deal, found[-1].buys_needed) == (11, 2)
    assert len(deals("shanghai", "score.sudden_death_contract=S3 S3 R4 R4", "score.tie=shared")) == 10


def test_too_few_cards():
    rules = load_ruleset("shanghai", ["deal.hand_size=20", "cards.jokers={}"])
    assert shortage(rules, 3) is None
    assert shortage(rules, 8) == (
        "156 cards are too few for 8 players: hands of 20, the turned-up card and one to draw take 162"
    )
    assert shortage(load_ruleset("shanghai", ["deal.hand_size=20"]), 8) is None  # 162, to the card
    assert check_feasibility(rules, 3).warnings[0].message == shortage(rules, 8)
    assert (
        one(
            "S3 S3 S3 S3", "cards.packs={2=1}", "cards.jokers={}", "deal.hand_size=10", "buy.per_deal=9"
        ).never
        is None
    )
    crowd = one(
        "S20", "cards.packs={2=1}", "cards.wild=['2','3','4','5']", "deal.hand_size=12", "buy.per_deal=9"
    )
    assert crowd.never == "it takes 20 cards and one to discard, and one of 4 players never has more than 20"


def test_the_last_buy_takes_the_penalty_cards_there_are():
    """58 cards, 44 in other hands: a buy with two penalty cards makes 14 of 12, not 15, and 13 are enough."""
    tight = ["cards.packs={2=1}", "buy.penalty_cards=2"]
    assert one("R4 R4 R4", *tight, players=5).buys_needed == 1
    assert one("R5 R4 R4", *tight, players=5).buys_needed == 1
    short = one("R5 R5 R4", *tight, players=5)
    assert short.never == "it takes 14 cards and one to discard, and one of 5 players never has more than 14"


@pytest.mark.parametrize(
    ("contract", "changes", "why"),
    [
        ("S9", ["cards.jokers={}"], "a set of 9 finds at most 8 natural cards, and may take 0 wilds"),
        ("S9", ["cards.jokers={2=1}"], None),
        ("S9", ["deal.natural_only=[1]"], "a set of 9 finds at most 8"),
        ("S9", ["meld.max_wilds=0"], "a set of 9 finds"),
        ("S5", ["meld.set_suits=distinct", "meld.max_wilds=1"], None),
        (
            "S6",
            ["meld.set_suits=distinct", "meld.max_wilds=1"],
            "a set of 6 finds at most 4 natural cards, and may take 1 wild",
        ),
        ("S8", ["meld.set_suits=distinct", "meld.naturals_outnumber_wilds=at-least-equal"], None),
        ("S8", ["meld.set_suits=distinct", "meld.naturals_outnumber_wilds=strictly"], "may take 3 wilds"),
        ("R13", ["cards.wild=['2']", "deal.natural_only=[1]"], "a run of 13 finds at most 12 natural cards"),
        ("R12", ["cards.wild=['2']", "deal.natural_only=[1]"], None),
        (
            "R12",
            ["cards.wild=['2']", "deal.natural_only=[1]", "cards.ace=low"],
            "a run of 12 finds at most 11",
        ),
        ("R13", ["cards.wild=['2S']", "deal.natural_only=[1]"], None),
        (
            13 * "S3 " + "S3",
            ["meld.same_rank_sets=false"],
            "it has 14 sets, all of different ranks, and there are 13",
        ),
        (12 * "S3 " + "S3", ["meld.same_rank_sets=false"], None),
        (
            12 * "S3 " + "S3",
            ["meld.same_rank_sets=false", "cards.wild=['2']", "deal.natural_only=[1]"],
            "are 12 ranks",
        ),
        (
            "R13 R13 R13 R13 R4",
            ["cards.packs={2=1}", "cards.jokers={}"],
            "it takes 56 cards, and only 52 fit",
        ),
    ],
)
def test_contracts_that_no_cards_satisfy(contract, changes, why):
    rules = load_ruleset("shanghai", [f"deal.contracts=['{contract}']", *changes])
    said = why_impossible(rules, 4, rules.contract_in(1), rules.natural_only_in(1))
    assert said == why or (why and why in said)
    if why:
        assert check_deal(rules, 4, 1).never == said
