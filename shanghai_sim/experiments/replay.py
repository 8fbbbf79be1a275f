"""Replay: one game of a run, everything face up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shanghai_sim.defaults import MAX_GAMES
from shanghai_sim.errors import InputError
from shanghai_sim.experiments.estimands import Question
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.simulation.plan import Plan

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


def replay_plan(plan: Plan, game: int) -> list[dict[str, Any]]:
    """Return the events of one game of a plan (FORMATS, Transcript).

    Raises
    ------
    InputError
        If there is no such game.
    """
    from shanghai_sim.engine.transcript import transcript

    if not 0 <= game < MAX_GAMES:
        raise InputError(f"game: {game} is not a number from 0 to {MAX_GAMES - 1}")
    return transcript(plan.setup(), game)


def replay_question(question: Question, game: int) -> list[dict[str, Any]]:
    """Return the events of one game of a comparison, numbered as FORMATS says: block by block, A before B.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if not 0 <= game < MAX_GAMES:
        raise InputError(f"game: {game} is not a number from 0 to {MAX_GAMES - 1}")
    block, at = divmod(game, question.games_per_block)
    ours = question.variant.rotations
    arm, rotation = (question.variant, at) if at < ours else (question.baseline, at - ours)
    events = replay_plan(arm.plan, block * arm.plan.players + rotation)
    return [events[0] | {"game": game}, *events[1:]]


def replay(
    policies: str | Policy | Sequence[str | Policy],
    game: int = 0,
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    against: str | Sequence[str | Policy] | None = None,
    players: int | None = None,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    deals: Sequence[int] | None = None,
) -> list[dict[str, Any]]:
    """Return one game of a run, everything face up, as events.

    Parameters
    ----------
    policies, rules, overrides, against, players, seed, namespace, coupling, deals
        As in `run`; the same ones give the same game.
    game : int
        Its number, from 0: block ``game // players`` in rotation ``game % players``.

    Returns
    -------
    list of dict
        Events as FORMATS describes them, JSON-ready.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> events = ss.replay("plain", 5, rules="finnish", seed=3)
    >>> events[0]["event"], events[-1]["event"]
    ('game', 'game-end')
    """
    plan = requested_plan(
        policies,
        rules=rules,
        overrides=overrides,
        against=against,
        players=players,
        games=1,
        seed=seed,
        namespace=namespace,
        coupling=coupling,
        deals=deals,
    )
    return replay_plan(plan, game)
