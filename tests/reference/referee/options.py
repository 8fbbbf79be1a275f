"""The options of the `game` event: their shape, as in FORMATS "Rulesets", and what they say for one deal."""

import re

from .cards import RANKS, is_card
from .violation import need

SOURCE = "FORMATS, Rulesets"


def whole(low, high=None):
    """Return a test for a whole number (never a bool) of at least `low` and at most `high`."""

    def test(x):
        return type(x) is int and x >= low and (high is None or x <= high)

    return test


def at_most_zero(x):
    return type(x) is int and x <= 0


def any_int(x):
    return type(x) is int


def flag(x):
    return type(x) is bool


def one_of(*words):
    return lambda x: isinstance(x, str) and x in words


def either(*tests):
    return lambda x: any(test(x) for test in tests)


def list_of(test):
    return lambda x: isinstance(x, list) and all(test(item) for item in x)


def by_players(test):
    return lambda x: (
        isinstance(x, dict)
        and all(isinstance(key, str) and key.isdigit() for key in x)
        and all(test(value) for value in x.values())
    )


def rank_or_card(x):
    return isinstance(x, str) and (x in list(RANKS) or is_card(x))


def points_table(x):
    return isinstance(x, dict) and set(x) == {*RANKS, "JK"} and all(any_int(value) for value in x.values())


def wild_points_table(x):
    return isinstance(x, dict) and all(rank_or_card(key) and any_int(value) for key, value in x.items())


def contract_text(x):
    # FORMATS: `S3 R4`; sizes from 3, runs of at most 14; 1-4 melds.
    if not isinstance(x, str) or not re.fullmatch(r"[SR][1-9]\d*( [SR][1-9]\d*){0,3}", x):
        return False
    return all(size >= 3 and (kind == "set" or size <= 14) for kind, size in parse_contract(x))


def parse_contract(text):
    """``"S3 R4"`` -> ``[("set", 3), ("run", 4)]``."""
    return [({"S": "set", "R": "run"}[word[0]], int(word[1:])) for word in text.split()]


unlimited = one_of("unlimited")

SCHEMA = {
    "players": {"min": whole(2, 8), "max": whole(2, 8)},
    "cards": {
        "packs": by_players(whole(1, 3)),
        "jokers": by_players(whole(0, 12)),
        "wild": list_of(rank_or_card),
        "ace": one_of("low", "high", "both"),
    },
    "deal": {
        "contracts": lambda x: list_of(contract_text)(x) and len(x) > 0,
        "hand_size": either(whole(3, 20), list_of(whole(3, 20))),
        "natural_only": list_of(whole(1)),
        "first_player_extra_card": flag,
    },
    "draw": {"discard_after_laying_down": flag},
    "buy": {
        "per_deal": either(whole(0), unlimited, list_of(either(whole(0), unlimited))),
        "per_game": either(whole(0), unlimited),
        "penalty_cards": whole(0),
        "own_discard": flag,
        "after_laying_down": flag,
        "no_meld_next_turn": flag,
    },
    "meld": {
        "longer_at_lay_down": flag,
        "lay_off_same_turn": flag,
        "max_wilds": either(one_of("any"), whole(0)),
        "naturals_outnumber_wilds": one_of("no", "at-least-equal", "strictly"),
        "wild_limits": one_of("lay-down", "always"),
        "set_suits": one_of("any", "distinct"),
        "same_rank_sets": flag,
        "runs_may_adjoin": flag,
    },
    "swap": {"melds": one_of("runs", "all", "none"), "freed_wild": one_of("hand", "table")},
    "go_out": {"discard": one_of("required", "optional"), "last_deal_takes_whole_hand": flag},
    "stock": {"when_empty": one_of("reshuffle", "end-deal"), "turn_limit": whole(1)},
    "score": {
        "points": points_table,
        "wild_points": wild_points_table,
        "first_turn_bonus": at_most_zero,
        "first_turn_bonus_without_wild": at_most_zero,
        "one_turn_bonus": at_most_zero,
        "one_turn_bonus_without_wild": at_most_zero,
        "tie": one_of("sudden-death", "shared"),
        "sudden_death_contract": either(one_of("last"), contract_text),
    },
}


def check_options(options, players):
    """Refuse options that are not a whole ruleset, or not one that can be played by so many."""
    need(isinstance(options, dict), "options are no object", SOURCE)
    sections = {key for key in options if key not in {"name", "title", "based_on"}}
    need(
        sections == set(SCHEMA),
        f"options: sections {sorted(sections ^ set(SCHEMA))} are missing or unknown",
        SOURCE,
    )
    for section, tests in SCHEMA.items():
        values = options[section]
        need(
            isinstance(values, dict) and set(values) == set(tests),
            f"options: keys of {section} are wrong",
            SOURCE,
        )
        for key, test in tests.items():
            need(test(values[key]), f"options: {section}.{key} = {values[key]!r}", SOURCE)
    n = last_deal(options)
    for value in (options["deal"]["hand_size"], options["buy"]["per_deal"]):
        # FORMATS: a list "one per deal" is as long as `contracts`.
        need(
            not isinstance(value, list) or len(value) == n,
            "options: a list has not one entry per deal",
            SOURCE,
        )
    need(
        all(deal <= n for deal in options["deal"]["natural_only"]),
        "options: natural_only names no deal",
        SOURCE,
    )
    # RULES 1: a run has at most 14 cards, 13 under either option on the ace.
    longest = 14 if options["cards"]["ace"] == "both" else 13
    for deal in range(1, n + 2):
        for kind, size in contract_of(options, deal):
            need(kind == "set" or size <= longest, "options: a run is longer than the ace allows", "RULES 1")
    fits = options["players"]["min"] <= players <= options["players"]["max"]
    need(fits, f"{players} players are not allowed", SOURCE)


def last_deal(options):
    return len(options["deal"]["contracts"])


def in_deal(options, value, deal):
    """Give the value for a deal; the last entry of a list serves sudden death (FORMATS, Rulesets)."""
    return value[min(deal, last_deal(options)) - 1] if isinstance(value, list) else value


def contract_of(options, deal):
    # RULES 7: sudden death has the last contract, or the one the option names.
    named = options["score"]["sudden_death_contract"]
    if deal > last_deal(options) and named != "last":
        return parse_contract(named)
    return parse_contract(in_deal(options, options["deal"]["contracts"], deal))


def hand_size_in(options, deal):
    return in_deal(options, options["deal"]["hand_size"], deal)


def buy_limit_in(options, deal):
    return in_deal(options, options["buy"]["per_deal"], deal)


def natural_only_in(options, deal):
    return min(deal, last_deal(options)) in options["deal"]["natural_only"]


def whole_hand_in(options, deal):
    # RULES 7: in sudden death it is all as in the last deal, the whole-hand option included.
    return options["go_out"]["last_deal_takes_whole_hand"] and deal >= last_deal(options)
