"""The seam between engine and policies: who decides, and through which door.

A seat of kind BUILT_IN is a row of parameters for the built-in decision functions, called directly. A seat of
another
kind brings four functions ``int64(view, table)``, compiled to one type, so that the engine never recompiles
for them. Either way a policy is given the view and the table alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from shanghai_sim._jit import decision, kernel
from shanghai_sim.engine import state as st
from shanghai_sim.engine.look import look
from shanghai_sim.engine.turn import step
from shanghai_sim.policies import view as v
from shanghai_sim.policies.buy import buy
from shanghai_sim.policies.discard import discard
from shanghai_sim.policies.draw import draw
from shanghai_sim.policies.play import play

BUILT_IN, FUNCTIONS = 0, 1


@kernel
def built_in(view, table, parameters):
    """Return the built-in answer to whichever decision the view is of."""
    if view.decision == v.DRAW:
        return draw(view, table, parameters)
    if view.decision == v.BUY:
        return buy(view, table, parameters)
    if view.decision == v.PLAY:
        return play(view, table, parameters)
    return discard(view, table, parameters)


@kernel
def play_deal(state, who, kinds, parameters, draws, buys, plays, discards):
    """Play a deal to its end, from whatever state it is in.

    Parameters
    ----------
    state : State
    who : int64[8]
        The policy in each seat.
    kinds : int64[8]
        BUILT_IN or FUNCTIONS, by policy.
    parameters : float64[8, N_PARAMETERS]
        By policy.
    draws, buys, plays, discards : tuples of eight function values
        By policy.
    """
    hidden, table = state.hidden, state.table
    while hidden[st.DECISION] != v.OVER and hidden[st.STATUS] == st.FINE:
        view = look(state)
        policy = who[view.seat]
        # Chosen here and not in a function of its own: the tuples are 96 words that a call would copy.
        if kinds[policy] == BUILT_IN:
            step(state, built_in(view, table, parameters[policy]))
        elif view.decision == v.DRAW:
            step(state, draws[policy](view, table))
        elif view.decision == v.BUY:
            step(state, buys[policy](view, table))
        elif view.decision == v.PLAY:
            step(state, plays[policy](view, table))
        else:
            step(state, discards[policy](view, table))


@kernel
def play_built_in(state, who, parameters):
    """Do what `play_deal` does where all policies are built in: no function values have to be handed over."""
    hidden, table = state.hidden, state.table
    while hidden[st.DECISION] != v.OVER and hidden[st.STATUS] == st.FINE:
        view = look(state)
        step(state, built_in(view, table, parameters[who[view.seat]]))


def _never(view, table):
    return 0


@lru_cache(maxsize=1)
def no_functions() -> tuple[Any, ...]:
    """Return eight function values for seats that bring none; they are never called."""
    return 8 * (compile_decision(_never),)


def compile_decision(func: Callable[[Any, Any], int]) -> Any:
    """Return a decision function ``int64(view, table)`` as the engine takes it."""
    return decision(func, v.View)
