"""Playing trials together on the same blocks, in slices that are kept as they are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shanghai_sim.experiments.tips.trial import Trial
from shanghai_sim.inference.blocks import Moments, from_arrays, merge_all, to_arrays
from shanghai_sim.simulation.arms import Arm, Played, joined, player_of
from shanghai_sim.simulation.part_folder import PartFolder
from shanghai_sim.simulation.runner import CHUNK_GAMES, in_order

#: Games of a slice, about; what an interrupted run loses at most. Fixed, since results depend on it in last bits.
SLICE_GAMES = 20_000
Progress = Callable[[int], None]


def unique_arms(trials: Sequence[Trial], namespace: str) -> tuple[list[Arm], list[tuple[int, int]]]:
    """Return the arms that trials need, each once, and the numbers of each trial's two."""
    arms: list[Arm] = []
    pairs = []
    for trial in trials:
        numbers = []
        for arm in trial.arms(namespace):
            if arm not in arms:
                arms.append(arm)
            numbers.append(arms.index(arm))
        pairs.append((numbers[0], numbers[1]))
    return arms, pairs


def games_of(trials: Sequence[Trial]) -> int:
    """Return the games that a block of all trials takes together."""
    return sum(arm.rotations for arm in unique_arms(trials, "final")[0])


def play_trials(
    trials: Sequence[Trial],
    first_block: int,
    blocks: int,
    *,
    stage: str,
    namespace: str,
    folder: PartFolder | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Moments]:
    """Play all trials on the same blocks and return the moments of what is kept of them (`trial.Trial.kept`).

    Parameters
    ----------
    trials : sequence of Trial
        At least one.
    first_block, blocks : int
        Which blocks.
    stage : str
        A name for what is kept in the folder, different for every stage of a request.
    namespace : str
        The seed space.
    folder : PartFolder, optional
        Where slices are kept; those that stand there are not played again.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the number of games played since the last call.
    """
    arms, pairs = unique_arms(trials, namespace)
    games = sum(arm.rotations for arm in arms)
    size = max(1, SLICE_GAMES // games)
    slices = []
    for start in range(first_block, first_block + blocks, size):
        n = min(size, first_block + blocks - start)
        part = f"{stage}-{start:06d}"
        kept = None if folder is None else folder.get(part)
        if kept is None:
            found = _slice(trials, arms, pairs, start, n, workers, progress)
            if folder is not None:
                folder.keep(part, to_arrays({str(i): moments for i, moments in enumerate(found)}))
        else:
            named = from_arrays(kept)
            found = [named[str(i)] for i in range(len(trials))]
            if progress is not None:
                progress(n * games)
        slices.append(found)
    return [merge_all(pieces) for pieces in zip(*slices, strict=True)]


def _slice(
    trials: Sequence[Trial],
    arms: Sequence[Arm],
    pairs: Sequence[tuple[int, int]],
    first_block: int,
    blocks: int,
    workers: int | None,
    progress: Progress | None,
) -> list[Moments]:
    """Play a slice: a task is some blocks of one arm, so that threads are busy with few blocks of many arms too."""
    players = [player_of(arm) for arm in arms]
    tasks = [
        (i, start, min(step, first_block + blocks - start))
        for i, arm in enumerate(arms)
        for step in (max(1, CHUNK_GAMES // arm.rotations),)
        for start in range(first_block, first_block + blocks, step)
    ]
    pieces: list[list[Played]] = [[] for _ in arms]
    for (i, _, n), played in in_order(lambda task: players[task[0]](*task[1:]), tasks, workers):
        pieces[i].append(played)
        if progress is not None:
            progress(n * arms[i].rotations)
    whole = [joined(parts) for parts in pieces]
    return [
        Moments.of(trial.kept([whole[i] for i in pair])) for trial, pair in zip(trials, pairs, strict=True)
    ]
