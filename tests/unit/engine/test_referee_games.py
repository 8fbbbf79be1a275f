"""Games under options drawn at random before the referee; and its refusals of the engine's own games, spoilt."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from shanghai_sim.engine.transcript import transcript
from tests.reference.referee import check_transcript
from tests.reference.spoilers import CATALOGUE
from tests.unit.engine.drawn import drawn_setup
from tests.unit.engine.test_secrecy import KINDS


def drawn_game(rng: Random, most_deals: int) -> tuple[list[dict], tuple[int, ...]]:
    """Return the transcript of a game under options drawn at random, and which deals it had to be."""
    setup = drawn_setup(rng, KINDS, most_deals)
    return transcript(setup, rng.randrange(4 * setup.players)), setup.deals


@pytest.mark.parametrize("seed", range(5))
def test_the_referee_finds_nothing_under_options_drawn_at_random(seed):
    rng = Random(seed)
    seen: Counter = Counter()
    for _ in range(16):
        events, deals = drawn_game(rng, 2)
        assert check_transcript(events, deals) == [], events[0]["options"]
        seen.update(event["event"] for event in events)
        seen.update(event["reason"] for event in events if event["event"] == "deal-end")
    assert {"draw", "buy", "lay-down", "lay-off", "discard", "reshuffle", "out", "turn-limit"} <= set(seen)


def test_the_referee_refuses_the_engines_own_games_spoilt():
    """Each way of spoiling is tried on the games it applies to, and refused under the rule that it breaks."""
    rng = Random(77)
    tried: Counter = Counter()
    for _ in range(60):
        events, _ = drawn_game(rng, 2)
        for name, spoiler in CATALOGUE.items():
            spoilt = spoiler(events) if tried[name] < 2 else None
            if spoilt is not None:
                violations = check_transcript(spoilt)
                assert violations, (name, events[0])
                assert any(rule in violations[0] for rule in spoiler.rules), (name, violations)
                tried[name] += 1
    assert len(tried) >= 140


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_the_referee_finds_nothing_in_many_games(seed):
    rng = Random(seed)
    for _ in range(50):
        events, deals = drawn_game(rng, 11)
        assert check_transcript(events, deals) == [], events[0]["options"]
