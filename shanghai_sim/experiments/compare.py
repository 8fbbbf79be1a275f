"""Compare: what a player would gain by another policy, or what other rules would change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shanghai_sim.errors import InputError
from shanghai_sim.experiments import stopping
from shanghai_sim.experiments.compare_rows import comparison_rows, sign_of
from shanghai_sim.experiments.comparison import Comparison, request_of
from shanghai_sim.experiments.estimands import Blocks, Question, joined
from shanghai_sim.experiments.luck import gain_of
from shanghai_sim.experiments.moments import Progress
from shanghai_sim.experiments.questions import question_of
from shanghai_sim.experiments.stopping import Look, Precision, Until, Watcher
from shanghai_sim.experiments.summary import summary_csv
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.inference.sequential import FIRST_LOOK
from shanghai_sim.simulation.arms import play_arms
from shanghai_sim.simulation.block_store import BlockFolder

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset

#: Blocks of the run that shows how much blocks differ, in a seed space of its own.
PILOT_BLOCKS = 500


def most_blocks(question: Question, until: Until, max_games: int | None) -> int:
    """Return the blocks that a run plays at the most.

    Raises
    ------
    InputError
        If that is more than can be kept.
    """
    if until.fixed:
        blocks = math.ceil(until.number / question.games_per_block)
    elif max_games is None:
        blocks = stopping.BUDGET
    else:
        blocks = math.ceil(max_games / question.games_per_block)
    if blocks > stopping.MOST_BLOCKS:
        most = stopping.MOST_BLOCKS * question.games_per_block
        raise InputError(f"{blocks * question.games_per_block:,} games: a comparison takes at most {most:,}")
    return int(stopping.looks_of(until, blocks)[-1])


def play_question(
    question: Question,
    blocks: int,
    *,
    first_block: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Blocks]:
    """Play the blocks of a question and yield what is kept of them, in order; as many as the caller takes."""
    before, size = first_block * question.games_per_block, question.games_per_block

    def told(done: int, _: int) -> None:
        if progress is not None:
            progress(before + done, (first_block + blocks) * size)

    for _, played in play_arms(
        question.arms, blocks, first_block=first_block, workers=workers, progress=told
    ):
        yield question.read(played)


def pilot_of(question: Question) -> Question:
    """Return the question as its pilot run asks it: with random words that the run itself does not use."""
    return question.in_namespace("pilot" if question.variant.plan.namespace != "pilot" else "tune")


def pilot_spread(question: Question, workers: int | None = None, progress: Progress | None = None) -> float:
    """Return the standard deviation of block values in a pilot run."""
    pieces = play_question(pilot_of(question), PILOT_BLOCKS, workers=workers, progress=progress)
    return float(joined(list(pieces)).gain(1.0).std(ddof=1))


def compare_question(
    question: Question,
    until: Until,
    *,
    max_games: int | None = None,
    workers: int | None = None,
    out: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Play a comparison until it is to stop.

    Parameters
    ----------
    question : Question
        What is asked.
    until : Until
        When to stop.
    max_games : int, optional
        Games at which a run that stops by itself stops at the latest.
    workers : int, optional
        Threads; the result does not depend on them.
    out : Path, optional
        A folder to keep what is played, and the result.
    resume : bool
        Whether to go on with what stands there.
    progress : callable, optional
        Called with the games played and the games at the most.
    """
    if question.luck and not until.fixed:
        raise InputError(
            "--luck goes with --until games=N: what looks decide is not corrected (in Python luck)"
        )
    limit = most_blocks(question, until, max_games)
    looks = stopping.looks_of(until, limit)
    asked = request_of(question, until, limit)
    with nullcontext() if out is None else BlockFolder(out, asked, resume=resume) as folder:
        n_opt = float(limit)
        if not until.fixed:
            planned = until.planned(pilot_spread(question, workers), question.margin)
            n_opt = float(np.clip(planned, FIRST_LOOK, limit))
        precision = Precision(n_opt, until.fixed)
        watcher = Watcher(until, looks, n_opt, question.margin)
        pieces: list[Blocks] = []
        sign = sign_of(question)
        for piece in _stretches(question, limit, folder, workers, progress):
            pieces.append(piece)
            if watcher.add(piece.gain(sign)):
                break
        values = joined(pieces).first(watcher.path[-1].blocks)
        found = _difference(gain_of(question, values, sign).values, precision, watcher.path[-1])
        rows = tuple(comparison_rows(question, values, precision, found))
        if folder is not None and not folder.finished:
            folder.finish(summary_csv(rows), values.arrays())
    return Comparison(question, until, limit, precision, values, tuple(watcher.path), rows)


def _difference(gain: Any, precision: Precision, last: Look) -> Interval:
    """Return the difference with its interval: of a run that was looked at, just what the last look saw."""
    if precision.fixed:
        return precision.interval(gain)
    return Interval(np.array(last.estimate), np.array(last.low), np.array(last.high), last.blocks)


def _stretches(
    question: Question,
    limit: int,
    folder: BlockFolder | None,
    workers: int | None,
    progress: Progress | None,
) -> Iterator[Blocks]:
    """Yield what is kept in the folder, then what is played beyond it and kept there too."""
    block = 0
    if folder is not None:
        for values in folder.stretches():
            yield Blocks(**values)
            block += len(values["differing"])
        if folder.finished:
            return
    if block >= limit:
        return
    for piece in play_question(
        question, limit - block, first_block=block, workers=workers, progress=progress
    ):
        if folder is not None:
            folder.add(block, piece.arrays())
        block += len(piece)
        yield piece


def compare(
    a: str | Policy,
    b: str | Policy | None = None,
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    rules_b: str | Path | Ruleset | None = None,
    overrides_b: Mapping[str, object] | Sequence[str] = (),
    against: str | Sequence[str | Policy] | None = None,
    everybody: bool = False,
    players: int | None = None,
    deals: Sequence[int] | None = None,
    until: str = "games=10000",
    max_games: int | None = None,
    gate: tuple[float, float] | None = None,
    luck: bool = False,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    workers: int | None = None,
) -> Comparison:
    """Return what a player gains by playing A and not B; or what changes when all play by other rules.

    Parameters
    ----------
    a, b : str or Policy
        The two policies; each sits in every seat in turn, on the same cards. Without `b`, give `rules_b` or
        `overrides_b`: `a` then sits in all seats under `rules` and under those.
    rules, rules_b : str, Path or Ruleset
        The rules; the second ones are by default the first, changed by `overrides_b`.
    overrides, overrides_b : mapping or sequence of str
        Options of the rules to change.
    against : str or sequence
        Who sits in the other seats, by default ``balanced``; several: a mixture drawn per block.
    everybody : bool
        What if the whole table changed: `a` in all seats, and `b` in all seats.
    players : int, optional
        By default 4 or the nearest number that the rules allow.
    deals, seed, namespace, coupling
        As in `run`.
    until : str
        ``"games=N"``, games of both sides in all; ``"decided"``: until there is a verdict; ``"width=X"``: until the
        interval is at most X points from end to end.
    max_games : int, optional
        Games at which a run stops that has not stopped by itself; by default those of 40,000 blocks.
    gate : tuple of float, optional
        Stop, in place of `until`, when a true difference of the second number, or of the first, can be ruled out
        (5 % error each).
    luck : bool
        Take the luck of the draws out of the difference where that makes it vary less (`until` with games only).
    workers : int, optional
        Threads; the result does not depend on them.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If something asked for is wrong.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> found = ss.compare("aggressive-buy", "balanced", until="games=2000")
    >>> found.difference < found.interval[1] < 0
    True
    """
    question = question_of(
        a, b, rules=rules, overrides=overrides, rules_b=rules_b, overrides_b=overrides_b, against=against,
        everybody=everybody, players=players, deals=deals, seed=seed, namespace=namespace, coupling=coupling,
    )  # fmt: skip
    question = question.without_luck() if luck else question
    rule = stopping.read_until(until) if gate is None else stopping.read_gate(",".join(map(str, gate)))
    return compare_question(question, rule, max_games=max_games, workers=workers)
