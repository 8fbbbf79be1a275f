"""The court: a screen of all trials, fresh blocks for those that need them, and other tables beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from shanghai_sim.experiments.tips.play import games_of, play_trials
from shanghai_sim.experiments.tips.ruling import Ruling, beside, screened, watched
from shanghai_sim.experiments.tips.trial import GAIN, Trial
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.evalues import e_bh, log_e_values
from shanghai_sim.inference.power import blocks_for
from shanghai_sim.inference.sequential import BATCH, FIRST_LOOK, look_grid, mixture_parameter
from shanghai_sim.simulation.part_folder import PartFolder

#: False finds among those that stand out of the screen, at most.
FALSE_FINDS = 0.10
#: Called with the name of a stage, the games played in it and the games it takes at most.
Progress = Callable[[str, int, int], None]


@frozen
class Budget:
    """How much is played.

    Attributes
    ----------
    screen : int
        Blocks of the screen.
    most : int
        Fresh blocks of a trial at the most.
    cell : int
        Blocks at each other table.
    asked : int
        Games in which decisions are asked for.
    """

    screen: int
    most: int
    cell: int
    asked: int


FULL = Budget(screen=4_000, most=40_000, cell=2_000, asked=400)
QUICK = Budget(screen=200, most=500, cell=100, asked=40)


@frozen
class Found:
    """What the court found of all trials.

    Attributes
    ----------
    family : list of Ruling
        Of every trial that is judged, in order.
    stands_out : list of bool
        Which of them the screen found (e-BH, `FALSE_FINDS`).
    cells : list of Ruling
        Of every trial at another table.
    games : int
        All games played.
    """

    family: list[Ruling]
    stands_out: list[bool]
    cells: list[Ruling]
    games: int


@frozen
class Bench:
    """Where and how trials are played.

    Attributes
    ----------
    folder : PartFolder or None
        Where parts are kept.
    workers : int or None
        Threads.
    progress : callable or None
    """

    folder: PartFolder | None = None
    workers: int | None = None
    progress: Progress | None = None

    def play(
        self,
        trials: Sequence[Trial],
        first: int,
        blocks: int,
        stage: str,
        namespace: str,
        told: Progress | None,
    ) -> list[Moments]:
        """Play trials on the same blocks; see `play.play_trials`."""
        total, done = games_of(trials) * blocks, 0

        def count(games: int) -> None:
            nonlocal done
            done += games
            if told is not None:
                told(stage, done, total)

        return play_trials(
            trials, first, blocks, stage=stage, namespace=namespace, folder=self.folder, workers=self.workers,
            progress=count,
        )  # fmt: skip


def most_games(family: Sequence[Trial], cells: Sequence[Trial], budget: Budget) -> dict[str, int]:
    """Return the games of each stage, at the most."""
    return {
        "screen": games_of(family) * budget.screen,
        "final": games_of(family) * int(looks_of(budget)[-1]),
        "cells": games_of(cells) * budget.cell if cells else 0,
    }


def looks_of(budget: Budget) -> NDArray[np.int64]:
    """Return the numbers of fresh blocks at which the court looks; fewer than a first look's decide nothing."""
    return look_grid(budget.most, min(FIRST_LOOK, budget.most), min(BATCH, budget.most))


def try_all(family: Sequence[Trial], cells: Sequence[Trial], budget: Budget, bench: Bench) -> Found:
    """Play the screen, the fresh blocks and the other tables.

    Parameters
    ----------
    family : sequence of Trial
        All that are judged, at least one; their verdicts hold together.
    cells : sequence of Trial
        Those at other tables, which show signs and are not judged.
    budget : Budget
    bench : Bench
    """
    screen = bench.play(family, 0, budget.screen, "screen", "select", bench.progress)
    rulings = [screened(trial, moments, len(family)) for trial, moments in zip(family, screen, strict=True)]
    games = games_of(family) * budget.screen + _final(rulings, screen, budget, bench)
    games += games_of(cells) * budget.cell if cells else 0
    return Found(rulings, _stands_out(screen), _cells(cells, budget, bench), games)


def _stands_out(screen: Sequence[Moments]) -> list[bool]:
    """Return which trials the screen finds to do something, with few false finds among the finds."""
    n = screen[0].n
    mean = np.array([moments.mean[GAIN] for moments in screen])
    sd = np.array([_spread(moments) for moments in screen])
    return [bool(found) for found in e_bh(log_e_values(mean, sd, n, mixture_parameter(n)), FALSE_FINDS)]


def _final(rulings: list[Ruling], screen: Sequence[Moments], budget: Budget, bench: Bench) -> int:
    """Play fresh blocks of all trials that the screen has not settled, put their rulings in its place, count games."""
    looks = looks_of(budget)
    planned = [
        float(np.clip(blocks_for(ruling.trial.tip.margin, _spread(moments)), looks[0], looks[-1]))
        for ruling, moments in zip(rulings, screen, strict=True)
    ]
    waiting = [i for i, ruling in enumerate(rulings) if not ruling.done]
    so_far: dict[int, Moments] = {}
    before = games = 0
    for look in map(int, looks):
        if not waiting:
            break
        trials = [rulings[i].trial for i in waiting]
        told = _over_looks(bench.progress, games_of(trials), before, int(looks[-1]))
        played = bench.play(trials, before, look - before, "final", "final", told)
        for i, moments in zip(waiting, played, strict=True):
            so_far[i] = so_far[i].merge(moments) if i in so_far else moments
            rulings[i] = watched(
                rulings[i].trial, so_far[i], planned[i], len(rulings), last=look == looks[-1]
            )
        waiting = [i for i in waiting if not rulings[i].done]
        games += games_of(trials) * (look - before)
        before = look
    return games


def _over_looks(progress: Progress | None, games: int, before: int, most: int) -> Progress | None:
    """Return a progress that counts from the first look to the last one, were all trials to go on."""
    if progress is None:
        return None
    told = progress
    return lambda stage, done, _: told(stage, before * games + done, most * games)


def _cells(cells: Sequence[Trial], budget: Budget, bench: Bench) -> list[Ruling]:
    """Play all trials at other tables."""
    if not cells:
        return []
    played = bench.play(cells, 0, budget.cell, "cells", "final", bench.progress)
    counts: dict[int, int] = {}
    for trial in cells:
        counts[trial.tip.number] = counts.get(trial.tip.number, 0) + 1
    return [
        beside(trial, moments, counts[trial.tip.number]) for trial, moments in zip(cells, played, strict=True)
    ]


def _spread(moments: Moments) -> float:
    """Return the standard deviation of the blocks' gains."""
    return float(np.sqrt(max(moments.covariance[GAIN, GAIN], 0.0)))
