"""Rulesets for the naive dealer: `shanghai` written out as in FORMATS, and changes to it."""

import copy

RANKS = "A23456789TJQK"
ORDER = [rank + suit for suit in "SHDC" for rank in RANKS] + ["JK"]

SHANGHAI = {
    "name": "shanghai",
    "title": "Shanghai Rummy, ten deals",
    "players": {"min": 2, "max": 8},
    "cards": {"packs": {"2": 2, "5": 3}, "jokers": {"2": 4, "5": 6}, "wild": ["JK"], "ace": "both"},
    "deal": {
        "contracts": ["S3 S3", "S3 R4", "R4 R4"],
        "hand_size": 11,
        "natural_only": [],
        "first_player_extra_card": False,
    },
    "draw": {"discard_after_laying_down": True},
    "buy": {
        "per_deal": 3,
        "per_game": "unlimited",
        "penalty_cards": 1,
        "own_discard": False,
        "after_laying_down": True,
        "no_meld_next_turn": False,
    },
    "meld": {
        "longer_at_lay_down": False,
        "lay_off_same_turn": False,
        "max_wilds": "any",
        "naturals_outnumber_wilds": "no",
        "wild_limits": "lay-down",
        "set_suits": "any",
        "same_rank_sets": True,
        "runs_may_adjoin": True,
    },
    "swap": {"melds": "runs", "freed_wild": "hand"},
    "go_out": {"discard": "required", "last_deal_takes_whole_hand": False},
    "stock": {"when_empty": "reshuffle", "turn_limit": 60},
    "score": {
        "points": dict.fromkeys("98765432", 5) | dict.fromkeys("KQJT", 10) | {"A": 15, "JK": 25},
        "wild_points": {},
        "first_turn_bonus": 0,
        "first_turn_bonus_without_wild": 0,
        "one_turn_bonus": 0,
        "one_turn_bonus_without_wild": 0,
        "tie": "sudden-death",
        "sudden_death_contract": "last",
    },
}


def ruleset(changes=None):
    """`shanghai` (its first three deals) with options changed: ``{"buy.per_deal": 2}``."""
    options = copy.deepcopy(SHANGHAI)
    for key, value in (changes or {}).items():
        section, name = key.split(".", 1)
        options[section][name] = value
    return options


def is_wild(options, card):
    wild = options["cards"]["wild"]
    return card in wild or (card != "JK" and card[0] in wild)


def all_cards(options, players):
    """Every card of the game, in card order but for the packs."""

    def number(table):
        return max(((int(start), n) for start, n in table.items() if int(start) <= players), default=(0, 0))[
            1
        ]

    return ORDER[:52] * number(options["cards"]["packs"]) + ["JK"] * number(options["cards"]["jokers"])


def points(options, card):
    score = options["score"]
    if card != "JK" and is_wild(options, card):
        table = score["wild_points"]
        return table.get(card, table.get(card[0], score["points"][card[0]]))
    return score["points"]["JK" if card == "JK" else card[0]]


TIGHT = {"cards.packs": {"2": 1}, "cards.jokers": {"2": 2}}
LEVEL = {"score.points": dict.fromkeys([*RANKS, "JK"], 5)}
TABLE_SWAPS = {"swap.melds": "all", "swap.freed_wild": "table"}
MANY_WILDS = {"cards.wild": ["JK", "2", "3"], "score.wild_points": {"2": 20, "3S": 21}}
WHOLE_HAND = {
    "deal.contracts": ["S3 S3", "S3 R3"],
    "deal.hand_size": [8, 7],
    "go_out.last_deal_takes_whole_hand": True,
}
FINNISH = TABLE_SWAPS | {
    "cards.jokers": {},
    "cards.wild": ["2S", "2C"],
    "score.wild_points": {"2": 20},
    "deal.first_player_extra_card": True,
    "buy.per_deal": "unlimited",
    "buy.no_meld_next_turn": True,
    "go_out.discard": "optional",
}

#: name -> (players, changes). Together they use every option, each value of each choice.
VARIANTS = {
    "shanghai": (4, {}),
    "two players": (2, {}),
    "five players": (5, {"deal.contracts": ["S3 S3 S3", "S4 R5"], "buy.per_deal": [2, 4]}),
    "finnish": (3, FINNISH),
    "wild twos and threes": (3, MANY_WILDS | {"swap.melds": "all"}),
    "many wilds, freed to the table": (3, MANY_WILDS | TABLE_SWAPS),
    "wilds outnumbered": (
        3,
        MANY_WILDS
        | TABLE_SWAPS
        | {"meld.naturals_outnumber_wilds": "strictly", "meld.wild_limits": "always"},
    ),
    "wilds at least equalled": (3, MANY_WILDS | {"meld.naturals_outnumber_wilds": "at-least-equal"}),
    "one wild a meld": (3, MANY_WILDS | {"meld.max_wilds": 1, "meld.wild_limits": "always"}),
    "natural first": (3, MANY_WILDS | {"deal.natural_only": [1, 3]}),
    "dead jokers": (3, {"cards.wild": ["2"], "cards.jokers": {"2": 8}}),
    "suits and ranks": (3, {"meld.set_suits": "distinct", "meld.same_rank_sets": False} | MANY_WILDS),
    "no adjoining runs": (3, {"meld.runs_may_adjoin": False, "deal.contracts": ["R3 R3", "R4 R4"]}),
    "ace low": (3, {"cards.ace": "low", "deal.contracts": ["S3 R4", "R4 R4"]}),
    "ace high": (3, {"cards.ace": "high", "deal.contracts": ["S3 R4", "R4 R4"]}),
    "same turn": (3, {"meld.lay_off_same_turn": True, "score.one_turn_bonus": -25}),
    "longer melds": (3, {"meld.longer_at_lay_down": True, "deal.hand_size": [11, 12, 13]}),
    "whole hand": (3, WHOLE_HAND),
    "bonuses": (
        3,
        {
            "deal.contracts": ["S3 S3", "S3 R4"],
            "deal.hand_size": [6, 7],
            "score.first_turn_bonus": -25,
            "score.first_turn_bonus_without_wild": -50,
            "score.one_turn_bonus": -10,
            "score.one_turn_bonus_without_wild": -30,
        },
    ),
    "tight": (4, TIGHT),
    "tight, two penalty cards": (4, TIGHT | {"buy.penalty_cards": 2, "buy.per_game": 4}),
    "tight, no penalty": (4, TIGHT | {"buy.penalty_cards": 0, "buy.per_deal": "unlimited"}),
    "tight, deal ends": (4, TIGHT | {"stock.when_empty": "end-deal", "deal.hand_size": 10}),
    "very tight": (4, TIGHT | {"deal.hand_size": 13, "cards.jokers": {"2": 1}}),
    "stock only when down": (3, {"draw.discard_after_laying_down": False, "buy.after_laying_down": False}),
    "no buying": (3, {"buy.per_deal": 0, "swap.melds": "none"}),
    "own discard": (3, {"buy.own_discard": True}),
    "turn limit, ties": (3, LEVEL | {"stock.turn_limit": 1, "buy.per_deal": 0}),
    "ties, named contract": (
        4,
        LEVEL | TIGHT | {"stock.turn_limit": 2, "score.sudden_death_contract": "S4 S3"},
    ),
    "ties shared": (3, LEVEL | {"stock.turn_limit": 1, "score.tie": "shared", "buy.per_deal": 0}),
    "whole hand, sudden death": (3, LEVEL | WHOLE_HAND | {"stock.turn_limit": 1, "buy.per_deal": 0}),
}
