"""Games under options drawn at random before the referee; and its refusals of the engine's own games, spoilt."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.errors import RulesError
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset
from tests.reference.referee import check_transcript
from tests.reference.spoilers import CATALOGUE
from tests.unit.engine.test_secrecy import KINDS
from tests.unit.engine.test_tables import PLAYABLE

OPTIONS = {
    "cards.packs": ["{2=1}", "{2=2}", "{2=3}"],
    "cards.jokers": ["{}", "{2=1}", "{2=12}"],
    "cards.wild": ["['2']", "['JK','2']", "['2S','2C']", "['JK','KH','3']", "[]"],
    "cards.ace": ["low", "high"],
    "deal.hand_size": ["3", "5", "8", "14", "20"],
    "deal.contracts": [
        "['S3','R3','R13']",
        "['S3 S3','S3 R4','R4 R4']",
        "['S3 S3 R4','R4 S3 R4 S3']",
        "['S3 S3 S3 S3','R3 R3 R3 R3','R5 R5']",
    ],
    "deal.first_player_extra_card": ["true"],
    "draw.discard_after_laying_down": ["false"],
    "buy.per_deal": ["0", "1", "unlimited"],
    "buy.per_game": ["0", "1", "4"],
    "buy.penalty_cards": ["0", "2", "5"],
    "buy.own_discard": ["true"],
    "buy.after_laying_down": ["false"],
    "buy.no_meld_next_turn": ["true"],
    "swap.melds": ["all", "none"],
    "swap.freed_wild": ["table"],
    "go_out.discard": ["optional"],
    "stock.when_empty": ["end-deal"],
    "stock.turn_limit": ["1", "2", "7", "30"],
    "score.first_turn_bonus": ["-50"],
    "score.first_turn_bonus_without_wild": ["-100"],
    "score.one_turn_bonus": ["-25"],
    "score.one_turn_bonus_without_wild": ["-30"],
    "score.tie": ["shared"],
    "score.sudden_death_contract": ["R5 R5"],
    "score.points": ["{A=0,K=0,Q=0,J=0,T=0,9=0,8=0,7=0,6=0,5=0,4=0,3=0,2=0,JK=0}", "{JK=50}"],
    "score.wild_points": ["{2=20}"],
}


def drawn_game(rng: Random, most_deals: int):
    """Return the transcript of a game under options drawn at random, or None if nobody can play them."""
    changes = [f"{key}={rng.choice(values)}" for key, values in OPTIONS.items() if rng.random() < 0.3]
    players = rng.randint(2, 8)
    try:
        ruleset = load_ruleset(rng.choice(PLAYABLE), [*changes, "players.min=2", "players.max=8"])
        deals = sorted(rng.sample(range(1, ruleset.n_deals + 1), min(most_deals, ruleset.n_deals)))
        setup = Setup(
            ruleset, players, [load_policy(rng.choice(KINDS)) for _ in range(players)], deals=tuple(deals),
            seed=rng.randrange(1000), coupling=rng.choice(st.COUPLINGS),
        )  # fmt: skip
    except RulesError:
        return None
    return transcript(setup, rng.randrange(4 * players))


@pytest.mark.parametrize("seed", range(5))
def test_the_referee_finds_nothing_under_options_drawn_at_random(seed):
    rng = Random(seed)
    seen: Counter = Counter()
    games = 0
    while games < 16:
        events = drawn_game(rng, 2)
        if events is None:
            continue
        assert check_transcript(events) == [], events[0]["options"]
        games += 1
        seen.update(event["event"] for event in events)
        seen.update(event["reason"] for event in events if event["event"] == "deal-end")
    assert {"draw", "buy", "lay-down", "lay-off", "discard", "reshuffle", "out", "turn-limit"} <= set(seen)


def test_the_referee_refuses_the_engines_own_games_spoilt():
    """Each way of spoiling is tried on the games it applies to, and refused under the rule that it breaks."""
    rng = Random(77)
    tried: Counter = Counter()
    for _ in range(60):
        events = drawn_game(rng, 2)
        for name, spoiler in CATALOGUE.items() if events else ():
            spoilt = spoiler(events) if tried[name] < 2 else None
            if spoilt is not None:
                violations = check_transcript(spoilt)
                assert violations, (name, events[0])
                assert any(rule in violations[0] for rule in spoiler.rules), (name, violations)
                tried[name] += 1
    assert len(tried) >= 110


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_the_referee_finds_nothing_in_many_games(seed):
    rng = Random(seed)
    for _ in range(50):
        events = drawn_game(rng, 11)
        assert events is None or check_transcript(events) == [], events[0]["options"]
