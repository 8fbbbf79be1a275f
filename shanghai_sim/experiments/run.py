"""Run: games of given policies at one table, and how they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from shanghai_sim.defaults import AGAINST
from shanghai_sim.experiments.moments import Progress, Values, merged, moments_of, play_moments
from shanghai_sim.experiments.summary import summary_csv, summary_rows, verdict
from shanghai_sim.inference.blocks import Moments, from_arrays, to_arrays
from shanghai_sim.simulation.aggregate import block_values
from shanghai_sim.simulation.frames import deals_table, games_table
from shanghai_sim.simulation.plan import Plan, make_plan
from shanghai_sim.simulation.runner import Chunk, chunks, play
from shanghai_sim.simulation.store import RunFolder

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


@define
class Result:
    """What came out of a run.

    Attributes
    ----------
    plan : Plan
        What was asked.
    moments : dict of Moments
        Block moments, the kinds of `simulation.aggregate`.
    tables : dict
        pyarrow tables by name, as far as they were kept.
    """

    plan: Plan
    moments: dict[str, Moments]
    tables: dict[str, Any] = field(factory=dict, repr=False)

    @property
    def games(self) -> pd.DataFrame:
        """A row per game and seat (columns: simulation.columns.GAMES)."""
        return self._frame("games")

    @property
    def deals(self) -> pd.DataFrame:
        """A row per game, deal and seat (columns: simulation.columns.DEALS)."""
        return self._frame("deals")

    @property
    def summary(self) -> pd.DataFrame:
        """A row per group, deal and figure, with intervals (columns: simulation.columns.SUMMARY)."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The summary as plain rows, for printing: pandas takes a third of a second to load."""
        return summary_rows(self.plan, self.moments)

    @property
    def verdict(self) -> str:
        """The answer in words: who does better at this table, by how much, from how many games."""
        return verdict(self.plan, self.moments)

    def to_frame(self) -> pd.DataFrame:
        """Return the summary."""
        return self.summary

    def save(self, folder: str | Path) -> None:
        """Write the tables that were kept, and the summary, into a new run folder.

        Raises
        ------
        InputError
            If the folder cannot be written or holds something else.
        """
        with RunFolder(Path(folder), self.plan, tuple(self.tables)) as out:
            for chunk in chunks(self.plan):
                out.add(
                    chunk.index, {name: _rows_of(chunk, table) for name, table in self.tables.items()}, {}
                )
            out.finish(summary_csv(self.rows))

    def _frame(self, name: str) -> pd.DataFrame:
        if name not in self.tables:
            raise KeyError(f"{name} were not kept: run(..., keep=('games', 'deals')) keeps both")
        frame: pd.DataFrame = self.tables[name].to_pandas()
        return frame


def _tables(batch: Any, plan: Plan, first_block: int, names: Sequence[str]) -> dict[str, Any]:
    labels = tuple(policy.label for policy in plan.setup().members)
    make = {"games": games_table, "deals": deals_table}
    return {name: make[name](batch, plan, labels, first_block) for name in names}


def run_plan(
    plan: Plan,
    *,
    workers: int | None = None,
    keep: Sequence[str] = (),
    out: Path | None = None,
    save_deals: bool = False,
    resume: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Play a plan.

    Parameters
    ----------
    plan : Plan
        What to play.
    workers : int, optional
        Threads; the result does not depend on them.
    keep : sequence of str
        Tables to keep in memory: "games", "deals".
    out : Path, optional
        A run folder to write (FORMATS, Run folder).
    save_deals : bool
        Whether that gets the deals too.
    resume : bool
        Whether to go on with the run that stands in the folder.
    progress : callable, optional
        Called with the games played and the games of the plan.

    Raises
    ------
    InputError, RunError, PolicyError
        See `simulation.store.RunFolder` and `engine.batch.play_blocks`.
    """
    if out is None:
        return _in_memory(plan, workers, tuple(keep), progress)
    names = ("games", "deals") if save_deals else ("games",)
    with RunFolder(out, plan, names, resume=resume) as folder:
        if folder.finished:
            return _in_memory(plan, workers, tuple(keep), progress)
        for chunk, batch in play(plan, workers=workers, done=folder.done(), progress=progress):
            values = to_arrays(moments_of(block_values(batch, plan.group_sizes)))
            folder.add(chunk.index, _tables(batch, plan, chunk.first_block, names), values)
        moments = merged(from_arrays(values) for values in folder.values())
        result = Result(plan, moments)
        folder.finish(summary_csv(result.rows))
    if keep:
        import pyarrow.parquet as pq

        result.tables = {name: pq.read_table(out / f"{name}.parquet") for name in keep if name in names}
    return result


def _rows_of(chunk: Chunk, table: Any) -> Any:
    """Return the rows of a result table that belong to a chunk."""
    import pyarrow.compute as pc

    block = table["block"]
    first = pc.greater_equal(block, chunk.first_block)
    return table.filter(pc.and_(first, pc.less(block, chunk.first_block + chunk.n_blocks))).combine_chunks()


def _in_memory(plan: Plan, workers: int | None, keep: tuple[str, ...], progress: Progress | None) -> Result:
    parts: dict[str, list[Any]] = {name: [] for name in keep}

    def watch(chunk: Chunk, batch: Any, _: Values) -> None:
        for name, table in _tables(batch, plan, chunk.first_block, keep).items():
            parts[name].append(table)

    moments = play_moments(plan, workers=workers, progress=progress, watch=watch)
    if not keep:
        return Result(plan, moments)
    import pyarrow as pa

    return Result(plan, moments, {name: pa.concat_tables(tables) for name, tables in parts.items()})


def run(
    policies: str | Policy | Sequence[str | Policy],
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    against: str | Sequence[str | Policy] | None = None,
    players: int | None = None,
    games: int = 10_000,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    deals: Sequence[int] | None = None,
    workers: int | None = None,
    keep: Sequence[str] = ("games", "deals"),
) -> Result:
    """Play games and return how the policies did.

    Parameters
    ----------
    policies : str, Policy or sequence of them
        One per seat; or a single one, which meets `against` (by default ``balanced``) in the other seats.
    rules : str, Path or Ruleset
        The rules.
    overrides : mapping or sequence of str
        Options of the rules to change.
    against : str or sequence, optional
        Who sits in the other seats; several: a mixture drawn per block.
    players : int, optional
        By default as many as policies, else 4 or the nearest number that the rules allow.
    games : int
        Rounded up to whole blocks.
    seed, namespace, coupling, deals
        See FORMATS, Seeds and games.
    workers : int, optional
        Threads; the result does not depend on them.
    keep : sequence of str
        Tables to keep in memory, of "games" and "deals"; none for a long run.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If something asked for is wrong.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> result = ss.run("no-buy", games=400, seed=1)
    >>> sorted(result.summary.group.unique())
    ['(table)', 'balanced', 'no-buy', 'no-buy minus balanced']
    """
    plan = requested_plan(
        policies,
        rules=rules,
        overrides=overrides,
        against=against,
        players=players,
        games=games,
        seed=seed,
        namespace=namespace,
        coupling=coupling,
        deals=deals,
    )
    return run_plan(plan, workers=workers, keep=keep)


def requested_plan(
    policies: str | Policy | Sequence[str | Policy],
    *,
    rules: str | Path | Ruleset,
    overrides: Mapping[str, object] | Sequence[str],
    against: str | Sequence[str | Policy] | None,
    **rest: Any,
) -> Plan:
    """Return the plan for what Python callers may write: names or objects, see `run`."""
    from shanghai_sim.policies.policy import Policy, load_policy
    from shanghai_sim.rules.ruleset import ruleset_of

    def load(items: str | Policy | Sequence[str | Policy]) -> list[Policy]:
        if isinstance(items, str):
            items = items.split(",")
        each = [items] if isinstance(items, Policy) else items
        return [load_policy(item.strip()) if isinstance(item, str) else item for item in each]

    chosen = load(policies)
    if against is None and len(chosen) == 1:
        against = AGAINST
    return make_plan(
        ruleset_of(rules, overrides),
        chosen,
        against=load(against) if against is not None else (),
        **rest,
    )
