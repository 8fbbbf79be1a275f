"""The rulesets that ship: RULES 8, row by row."""

import json
import tomllib

import pytest

from shanghai_sim.cards import JOKER, parse_card
from shanghai_sim.rules.contradictions import check_feasibility
from shanghai_sim.rules.ruleset import load_ruleset, preset_names, ruleset_from_options
from shanghai_sim.rules.toml_text import ruleset_toml

SHANGHAI = "S S · S R · R R · S S S · S S R · R R S · S S S · S S R R · S R5 R5 · R R R"
FIRST_SIX = "S S · S R · R R · S S S · S S R · R R S"
SEVEN = "S S · S R · R R · S S S · S S R · S R R · R R R"
CONTRACTS = {
    "shanghai": SHANGHAI,
    "shanghai-alternate": f"{FIRST_SIX} · S S S S · S S S R · R R S S · R R R",
    "shanghai-growing": SHANGHAI,
    "shanghai-long-runs": f"{FIRST_SIX} · R R R · R7 · S R5 R5 · R10",
    "shanghai-two-buys": SHANGHAI,
    "shanghai-one-buy": SHANGHAI,
    "shanghai-wild-twos": SHANGHAI,
    "shanghai-natural-first": SHANGHAI,
    "shanghai-quick-odd": "S S · R R · S S R · S S S · S R5 R5",
    "shanghai-quick-even": "S R · S S S · R R S · S S R R · R R R",
    "shanghai-big": f"{SHANGHAI} · R5 R5 R5",
    "shanghai-buy-budget": SHANGHAI,
    "shanghai-canonical": ("S S · S R · R R · S S S · S R7 · S S R5 · R R R · S R10 · S S S R5 · R5 R5 R5"),
    "finnish": SEVEN,
    "contract-rummy": SEVEN,
    "liverpool": SEVEN,
    "progressive": SEVEN,
}


def test_all_ship():
    assert set(preset_names()) == set(CONTRACTS)
    assert preset_names()[0] == "shanghai"


@pytest.mark.parametrize("name", CONTRACTS)
def test_contracts(name):
    rules = load_ruleset(name)
    sizes = {"S": "S3", "R": "R4"}
    written = [
        " ".join(sizes.get(meld, meld) for meld in deal.split()) for deal in CONTRACTS[name].split(" · ")
    ]
    assert [str(contract) for contract in rules.deal.contracts] == written
    assert rules.name == name


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_ruleset_round_trips_and_has_nothing_odd_in_it(name):
    rules = load_ruleset(name)
    assert ruleset_from_options(rules.to_options()) == rules
    assert ruleset_from_options(json.loads(json.dumps(rules.to_options()))) == rules
    assert ruleset_from_options(tomllib.loads(ruleset_toml(rules))) == rules
    assert hash(rules) == hash(load_ruleset(name))
    for players in range(max(3, rules.players.min), rules.players.max + 1):
        found = check_feasibility(rules, players)
        assert (found.short, found.warnings) == (None, ())


def changed(name):
    """Return the options in which a ruleset differs from `shanghai`, contracts and names aside."""
    base, options = load_ruleset("shanghai").to_options(), load_ruleset(name).to_options()
    return {
        f"{section}.{key}": value
        for section, table in options.items()
        if isinstance(table, dict)
        for key, value in table.items()
        if value != base[section][key] and key != "contracts"
    }


CONTRACT_RUMMY = {
    "deal.hand_size": [10, 10, 10, 10, 12, 12, 12],
    "meld.runs_may_adjoin": False,
    "swap.melds": "none",
    "score.points": {"A": 15, "K": 10, "Q": 10, "J": 10, "T": 10}
    | {str(n): n for n in range(2, 10)}
    | {"JK": 15},
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shanghai-alternate", {}),
        ("shanghai-growing", {"deal.hand_size": 3 * [11] + 4 * [13] + 3 * [15]}),
        ("shanghai-long-runs", {}),
        ("shanghai-two-buys", {"buy.per_deal": 2}),
        ("shanghai-one-buy", {"buy.per_deal": 1}),
        ("shanghai-wild-twos", {"cards.wild": ["JK", "2"], "score.wild_points": {"2": 20}}),
        ("shanghai-natural-first", {"deal.natural_only": [1]}),
        ("shanghai-quick-odd", {}),
        ("shanghai-quick-even", {}),
        ("shanghai-big", {}),
        ("shanghai-buy-budget", {"buy.per_game": 12}),
        (
            "shanghai-canonical",
            {
                "buy.per_deal": 8 * [3] + 2 * [4],
                "meld.naturals_outnumber_wilds": "strictly",
                "meld.lay_off_same_turn": True,
                "score.one_turn_bonus": -25,
                "score.one_turn_bonus_without_wild": -50,
            },
        ),
        (
            "finnish",
            {
                "players.min": 2,
                "players.max": 6,
                "cards.packs": {"2": 2, "6": 3},
                "cards.jokers": {},
                "cards.wild": ["2S", "2C"],
                "deal.hand_size": 12,
                "deal.first_player_extra_card": True,
                "buy.per_deal": "unlimited",
                "buy.no_meld_next_turn": True,
                "swap.melds": "all",
                "swap.freed_wild": "table",
                "go_out.discard": "optional",
                "score.wild_points": {"2": 20},
            },
        ),
        (
            "contract-rummy",
            CONTRACT_RUMMY
            | {
                "cards.jokers": {"2": 1, "5": 2},
                "buy.per_deal": 0,
                "go_out.last_deal_takes_whole_hand": True,
            },
        ),
        ("liverpool", CONTRACT_RUMMY | {"go_out.last_deal_takes_whole_hand": True}),
        ("progressive", CONTRACT_RUMMY | {"deal.hand_size": [6, 7, 8, 9, 10, 11, 12], "buy.per_deal": 0}),
    ],
)
def test_what_else_differs_from_shanghai(name, expected):
    assert changed(name) == expected


def test_cards_for_a_number_of_players():
    rules = load_ruleset("shanghai")
    assert [(rules.packs_for(n), rules.jokers_for(n)) for n in (2, 4, 5, 8)] == [
        (2, 4),
        (2, 4),
        (3, 6),
        (3, 6),
    ]
    finnish = load_ruleset("finnish")
    assert [(finnish.packs_for(n), finnish.jokers_for(n)) for n in (2, 5, 6)] == [(2, 0), (2, 0), (3, 0)]


def test_points():
    points = load_ruleset("shanghai").card_points()
    assert len(points) == 53
    assert [points[parse_card(c)] for c in ("AS", "KD", "TH", "9C", "2S")] == [15, 10, 10, 5, 5]
    assert points[JOKER] == 25
    finnish = load_ruleset("finnish").card_points()
    assert [finnish[parse_card(c)] for c in ("2S", "2C", "2H", "2D", "3C")] == [20, 20, 5, 5, 5]
    wild_twos = load_ruleset("shanghai-wild-twos").card_points()
    assert [wild_twos[parse_card(c)] for c in ("2S", "2H", "3H")] == [20, 20, 5]


def test_the_points_of_a_wild_card_go_before_those_of_its_rank():
    rules = load_ruleset("shanghai-wild-twos", ["score.wild_points={ 2S = 50, 2 = 20, 3 = 99 }"])
    points = rules.card_points()
    assert [points[parse_card(c)] for c in ("2S", "2C", "3S")] == [50, 20, 5]


def test_what_is_wild():
    assert load_ruleset("shanghai").wild_codes() == {JOKER}
    assert load_ruleset("finnish").wild_codes() == {parse_card("2S"), parse_card("2C")}
    assert len(load_ruleset("shanghai-wild-twos").wild_codes()) == 5


def test_asking_for_a_deal():
    rules = load_ruleset(
        "shanghai-canonical",
        ["deal.natural_only=[10]", "go_out.last_deal_takes_whole_hand=true", "buy.per_game=9"],
    )
    assert [rules.buys_in(deal) for deal in (1, 8, 9, 10, 11)] == [3, 3, 4, 4, 4]
    assert rules.buys_per_game == 9
    assert [rules.natural_only_in(deal) for deal in (9, 10, 11)] == [False, True, True]
    assert [rules.whole_hand_in(deal) for deal in (9, 10, 11)] == [False, True, True]
    growing = load_ruleset("shanghai-growing")
    assert [growing.hand_size_in(deal) for deal in (3, 4, 10, 11)] == [11, 13, 15, 15]
    assert load_ruleset("finnish").buys_in(1) is None
    with pytest.raises(ValueError, match="numbered from 1"):
        rules.contract_in(0)


def test_the_contract_of_sudden_death():
    assert str(load_ruleset("shanghai").contract_in(11)) == "R4 R4 R4"
    hardest = load_ruleset("shanghai", {"score.sudden_death_contract": "1 set of 3 + 2 runs of 5"})
    assert [str(hardest.contract_in(deal)) for deal in (10, 11)] == ["R4 R4 R4", "S3 R5 R5"]
