"""Whole games before the referee, and golden ones unchanged."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from shanghai_sim.defaults import COUPLINGS
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.rules.ruleset import load_ruleset, preset_names
from tests.golden.games import GAMES, as_text, golden_path
from tests.reference.referee import check_transcript
from tests.unit.engine.test_secrecy import KINDS
from tests.unit.engine.test_tables import POLICIES, RULESETS, setup_of


def covering():
    """Yield (rules, players, coupling, policies, deals): each ruleset with all that it can be played with.

    The policies move on from game to game, and every other deal is played, so that all of them come up.
    """
    for i, rules in enumerate(RULESETS):
        ruleset = load_ruleset(rules)
        shift = 3 * i
        for k, players in enumerate(range(ruleset.players.min, ruleset.players.max + 1)):
            for c, coupling in enumerate(COUPLINGS):
                deals = tuple(range(1 + (k + c) % 2, ruleset.n_deals + 1, 2))
                seated = [KINDS[(shift + seat) % len(KINDS)] for seat in range(players)]
                shift += players
                yield rules, players, coupling, seated, deals


@cache
def _game(rules, players, coupling, policies, deals, changes):
    setup = setup_of(rules, players, policies, changes, coupling=coupling, deals=deals, seed=17)
    return transcript(setup, 0)


def game(rules, players, coupling, policies, deals=None, changes=()):
    return _game(rules, players, coupling, tuple(policies), deals, changes)


def test_the_games_cover_every_pair():
    """Each ruleset meets each policy, deal, coupling and number of players that it allows; each policy too."""
    met = set()
    for rules, players, coupling, policies, deals in covering():
        met |= {(rules, x) for x in (players, coupling, *policies)}
        met |= {(rules, "deal", deal) for deal in deals}
        met |= {(policy, x) for policy in policies for x in (players, coupling)}
    for rules in preset_names():
        ruleset = load_ruleset(rules)
        allowed = range(ruleset.players.min, ruleset.players.max + 1)
        assert {(rules, x) for x in (*allowed, *COUPLINGS, *KINDS)} <= met
        assert {(rules, "deal", deal) for deal in range(1, ruleset.n_deals + 1)} <= met
    assert {(policy, x) for policy in KINDS for x in (*range(3, 9), *COUPLINGS)} <= met


@pytest.mark.parametrize("rules", RULESETS)
def test_the_referee_finds_nothing(rules):
    cases = [case for case in covering() if case[0] == rules]
    assert len(cases) >= 10
    for case in cases:
        assert check_transcript(game(*case), case[-1]) == [], case


OPTIONS = [
    ("buy.per_deal=1",), ("buy.per_deal=0",), ("buy.per_game=4",), ("buy.penalty_cards=0",),
    ("buy.penalty_cards=2",), ("buy.own_discard=true",), ("buy.after_laying_down=false",),
    ("buy.no_meld_next_turn=true",), ("draw.discard_after_laying_down=false",), ("swap.melds=all",),
    ("swap.melds=none",), ("swap.melds=all", "swap.freed_wild=table"), ("swap.freed_wild=table",),
    ("go_out.discard=optional",), ("go_out.discard=optional", "swap.freed_wild=table"),
    ("stock.when_empty=end-deal", "buy.penalty_cards=3"), ("stock.turn_limit=3",),
    ("score.first_turn_bonus=-50", "deal.contracts=['S3 S3']", "deal.hand_size=6"),
    ("score.one_turn_bonus=-25", "score.one_turn_bonus_without_wild=-50", "go_out.discard=optional"),
    ("score.tie=shared", "score.points={A=0,K=0,Q=0,J=0,T=0}"), ("cards.ace=low",), ("cards.ace=high",),
    ("cards.wild=['2']",), ("cards.wild=['2S','2C']", "swap.melds=all"), ("cards.jokers={}",),
    ("cards.jokers={2=12}",), ("deal.first_player_extra_card=true",), ("deal.hand_size=20",),
    ("score.sudden_death_contract=R5 R5 R5", "score.points={A=0,K=0,Q=0,J=0,T=0,JK=0}"),
    ("deal.hand_size=18", "buy.per_deal=unlimited", "cards.packs={2=2}", "cards.jokers={2=4}"),
    ("deal.contracts=['R3','S3 S3 S3 S3','R3 R3 R3 R3','S3 R13']", "players.min=2"),
]  # fmt: skip


@pytest.mark.parametrize("changes", OPTIONS, ids=" ".join)
def test_the_referee_finds_nothing_under_other_options(changes):
    crowd = 8 if "deal.hand_size=18" in changes else 5
    for players, coupling in ((4, "seat"), (crowd if "cards.packs={2=2}" not in changes else 5, "pile")):
        assert check_transcript(game("shanghai", players, coupling, POLICIES, None, changes)) == []


def all_games():
    yield from ((case, ()) for case in covering())
    yield from ((("shanghai", 4, "seat", POLICIES, None), changes) for changes in OPTIONS)


def test_everything_that_can_happen_happens():
    """The games before the referee hold every kind of event and of end, so that it has seen them all."""
    seen = Counter()
    for case, changes in all_games():
        for event in game(*case, changes):
            seen[event["event"]] += 1
            seen["from", event.get("from")] += 1
            seen["reason", event.get("reason")] += 1
            seen["to", event.get("to")] += 1
    kinds = {"draw", "buy", "lay-down", "lay-off", "swap", "discard", "reshuffle", "sudden-death"}
    wanted = kinds | {("from", "discard"), ("from", "none"), ("reason", "turn-limit")}
    wanted |= {("reason", "stock-empty"), ("to", "hand"), ("to", "table")}
    assert wanted <= set(seen), wanted - set(seen)


def test_transcripts_are_json_and_the_same_every_time():
    again = transcript(setup_of("finnish", 3, POLICIES, coupling="seat", seed=17), 0)
    assert json.loads(json.dumps(again)) == again == game("finnish", 3, "seat", POLICIES)


@pytest.mark.nojit
@pytest.mark.parametrize("name", GAMES)
def test_golden_game_is_unchanged(name):
    assert as_text(name) == golden_path(name).read_text(encoding="utf-8"), "make golden writes it anew"
