"""A built-in policy as a user's compiled functions: what the second door into the engine is measured with."""

from __future__ import annotations

from typing import Any

from shanghai_sim.engine.seats import compile_decision
from shanghai_sim.policies import buy, discard, draw, play
from shanghai_sim.policies.policy import load_policy

_draw, _buy, _play, _discard = draw.draw, buy.buy, play.play, discard.discard


def functions_of(policy: str) -> tuple[Any, ...]:
    """Return the four decision functions of a built-in policy, its parameters frozen in them."""
    row = load_policy(policy).rows(1)[0]

    def draw_door(view, table):  # type: ignore[no-untyped-def]
        return _draw(view, table, row)

    def buy_door(view, table):  # type: ignore[no-untyped-def]
        return _buy(view, table, row)

    def play_door(view, table):  # type: ignore[no-untyped-def]
        return _play(view, table, row)

    def discard_door(view, table):  # type: ignore[no-untyped-def]
        return _discard(view, table, row)

    return tuple(compile_decision(door) for door in (draw_door, buy_door, play_door, discard_door))
