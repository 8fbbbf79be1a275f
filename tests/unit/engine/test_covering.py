"""Options in pairs before the referee: in few games every two values of two options meet."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from shanghai_sim.defaults import COUPLINGS
from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.errors import RulesError
from shanghai_sim.rules.playable import check_playable
from shanghai_sim.rules.ruleset import load_ruleset
from tests.reference.referee import check_transcript
from tests.unit.engine.drawn import OPTIONS
from tests.unit.engine.test_secrecy import KINDS
from tests.unit.engine.test_tables import check_the_loop, setup_of

#: What a game can differ in, and the values; USUAL: as in `shanghai`. The lists of contracts are all of three deals.
USUAL = "as usual"
FACTORS = {
    **{key: [USUAL, *values] for key, values in OPTIONS.items()},
    "deal.contracts": OPTIONS["deal.contracts"],
    "players": list(range(2, 9)),
    "coupling": list(COUPLINGS),
    "policy": KINDS,
}
#: What, put together, may be too much: cards for all hands, a run longer than the ace allows.
CRAMPED = ("deal.contracts", "deal.hand_size", "cards.packs", "cards.jokers", "cards.ace", "players")

Game = dict[str, str | int]
Pair = tuple[tuple[str, str | int], tuple[str, str | int]]


def changes_of(game: Game) -> tuple[str, ...]:
    chosen = [f"{key}={value}" for key, value in game.items() if key in OPTIONS and value != USUAL]
    return (*chosen, "players.min=2", "players.max=8")


@cache
def _playable(values: tuple[tuple[str, str | int], ...]) -> bool:
    game = {
        "deal.contracts": FACTORS["deal.contracts"][0],
        "deal.hand_size": "3",
        "players": 2,
        **dict(values),
    }
    try:
        check_playable(load_ruleset("shanghai", changes_of(game)), game["players"])
    except RulesError:
        return False
    return True


def playable(game: Game) -> bool:
    """Tell whether a game, or the beginning of one, can be played."""
    return _playable(tuple((key, game[key]) for key in CRAMPED if key in game))


def pairs_of(game: Game) -> set[Pair]:
    return set(combinations(((key, game[key]) for key in FACTORS if key in game), 2))


@cache
def all_pairs() -> frozenset[Pair]:
    """Return all pairs of values of two factors that can be played together."""
    return frozenset(
        ((a, x), (b, y))
        for a, b in combinations(FACTORS, 2)
        for x, y in product(FACTORS[a], FACTORS[b])
        if playable({a: x, b: y})
    )


@cache
def covering() -> tuple[Game, ...]:
    """Return games in which all pairs come up.

    Each begins with a pair that is still missing, and adds, factor by factor, what brings most missing pairs.
    """
    rng = Random(1)
    missing, games = set(all_pairs()), []
    while missing:
        game: Game = dict(min(missing, key=str))
        for key in rng.sample([key for key in FACTORS if key not in game], len(FACTORS) - 2):
            values = [value for value in FACTORS[key] if playable({**game, key: value})]
            game[key] = max(
                rng.sample(values, len(values)),
                key=lambda value, key=key: len(missing & _new_pairs(game, key, value)),
            )
        missing -= pairs_of(game)
        games.append(game)
    return tuple(games)


def _new_pairs(game: Game, key: str, value: str | int) -> set[Pair]:
    order = list(FACTORS)
    new = (key, value)
    return {
        (new, other) if order.index(key) < order.index(other[0]) else (other, new) for other in game.items()
    }


def setup_for(game: Game, seed: int) -> Setup:
    first = KINDS.index(game["policy"])
    policies = (KINDS[first:] + KINDS[:first])[: game["players"]]
    return setup_of(
        "shanghai", game["players"], policies, changes_of(game), coupling=game["coupling"], seed=seed
    )


def check_game(game: Game, seed: int) -> Counter:
    """Play a game, put it before the referee, and return the events that came up."""
    events = transcript(setup_for(game, seed), seed % (2 * game["players"]))
    assert check_transcript(events, (1, 2, 3)) == [], (game, seed)
    return Counter(event["event"] for event in events)


def test_the_games_cover_every_pair():
    games = covering()
    assert len(games) < 100
    assert set().union(*map(pairs_of, games)) == all_pairs()
    # No pair is left out as unplayable but R14 with an ace that is low or high alone.
    assert sum(len(FACTORS[a]) * len(FACTORS[b]) for a, b in combinations(FACTORS, 2)) == len(all_pairs()) + 2
    used = Counter(item for game in games for item in game.items())
    assert min(used[key, value] for key, values in FACTORS.items() for value in values) >= 2


@pytest.mark.parametrize("seed", [0, 1])
def test_the_referee_finds_nothing(seed):
    seen: Counter = Counter()
    for number, game in enumerate(covering()):
        seen += check_game(game, 1000 * seed + number)
    assert {"draw", "buy", "lay-down", "lay-off", "swap", "discard", "reshuffle", "sudden-death"} <= set(seen)


def test_the_stepper_and_the_loop_play_the_same_games():
    for number, game in enumerate(covering()):
        check_the_loop(setup_for(game, number), 0, {number % game["players"]})


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_the_referee_finds_nothing_with_other_cards(seed):
    for number, game in enumerate(covering()):
        check_game(game, 1000 * seed + number)
