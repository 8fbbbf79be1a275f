"""How hard is each contract?

Question
    How soon is each contract down, with how many buys, how often is a player stuck with it, and are later
    contracts harder?
Design
    The same policy in all seats, under the rules and under the same rules with fewer buys a deal for everybody:
    a house rule, which all know and play by, and not a whim of one player. The share not yet down after each own
    turn is a Kaplan-Meier curve: whoever is cut off when another goes out counts for as long as it was at it.
    Contracts are ranked by the share of players who never get them down, with simultaneous intervals over blocks
    for the ranks and for each step to the next deal. Besides: random hands as dealt, and one player alone among
    others who only turn over cards.
Answer
    In reports/contract_atlas.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

import shanghai_sim as ss
from analyses.contract_alone import ALONE, turns_alone
from analyses.contract_counts import Level, Played, levels_of, played
from analyses.contract_figures import curves_figure, ranking_figure
from analyses.report import Report, progress_of
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import Interval, exact_interval, mean_interval, ratio_interval
from shanghai_sim.inference.multiplicity import max_t
from shanghai_sim.inference.resampling import quantile_intervals, rank_sets
from shanghai_sim.inference.survival import curve_interval, median_interval

#: Coverage of the intervals.
LEVEL = 0.95
#: What of the players alone is told: half of them, and all but one of ten.
SHARES = np.array([0.5, 0.9])


def _named(prefix: str, estimate: Any, low: Any, high: Any) -> dict[str, float]:
    return {prefix: float(estimate), f"{prefix}_low": float(low), f"{prefix}_high": float(high)}


def curve_rows(level: Level, found: Played) -> Iterator[dict[str, Any]]:
    """Yield the share of players not yet down after each own turn, of each deal that can be made."""
    curve = curve_interval(*found.counts(), found.blocks, LEVEL)
    for i, deal in enumerate(found.deals):
        for turn in range(1, curve.estimate.shape[-1]):
            if np.isnan(curve.estimate[i, turn]):
                break
            left = 1 - np.array([curve.estimate[i, turn], curve.high[i, turn], curve.low[i, turn]])
            yield {"deal": deal, "buys": level.label, "turn": turn} | _named("left", *left)


def buys_rows(level: Level, found: Played) -> Iterator[dict[str, Any]]:
    """Yield a row a deal: how many are stuck, what that costs, and when half of them would be down."""
    median = median_interval(curve_interval(*found.counts(), found.blocks, LEVEL))
    for deal in level.deals:
        row: dict[str, Any] = {
            "deal": deal,
            "buys": level.label,
            "own": level.own,
            "made": deal in found.deals,
            "ends": deal in level.ending,
        }
        if row["made"]:
            i = found.deals.index(deal)
            row |= _named("stuck", *_share(found.stuck[:, i]))
            costs = np.stack([found.stuck_points[:, i], found.stuck[:, i]], axis=1)
            points = ratio_interval(Moments.of(costs), 0, 1, LEVEL)
            row |= _named("points", points.estimate, points.low, points.high)
            row |= _named("half", median.estimate[i], median.low[i], median.high[i])
        else:
            row |= _named("stuck", 1, 1, 1)
        yield row | {"blocks": found.blocks}


def _share(values: Any) -> tuple[float, float, float]:
    """Return a mean share with its interval; the exact one, a block a case, where all blocks are alike."""
    mean = float(values.mean())
    if (values == values[0]).all() and mean in (0, 1):
        return mean, *exact_interval(round(mean) * len(values), len(values), LEVEL)
    found = mean_interval(Moments.of(values[:, None]), LEVEL)
    return mean, max(0.0, float(found.low[0])), min(1.0, float(found.high[0]))


def ranked(level: Level, found: Played, seed: int) -> pd.DataFrame:
    """Return rank 1 for the contract that most players never get down, and each step from deal to deal."""
    stuck = found.stuck_in(level.deals)
    ranks = rank_sets(stuck, seed, LEVEL)
    frame = pd.DataFrame(
        {"rank": ranks.rank, "rank_low": ranks.low, "rank_high": ranks.high}, index=level.deals
    )
    frame["step"] = "first"
    if len(stuck.T) > 1:
        band = max_t(np.diff(stuck, axis=1), seed).bands(LEVEL)
        frame.loc[level.deals[1:], "step"] = _says(band, "harder", "easier")
        frame.loc[level.deals[1:], ["change", "change_low", "change_high"]] = _columns(band)
    return frame


def with_losses(buys: pd.DataFrame, levels: list[tuple[Level, Played]], seed: int) -> pd.DataFrame:
    """Add how many players more are stuck with fewer buys than the rules allow, on the same cards.

    The intervals of all these differences hold together.
    """
    deals = levels[-1][0].deals
    shares = [found.stuck_in(deals) for _, found in levels]
    if len(shares) == 1:
        return buys
    band = max_t(np.concatenate([share - shares[-1] for share in shares[:-1]], axis=1), seed).bands(LEVEL)
    fewer = ~buys["own"]
    buys.loc[fewer, ["loss", "loss_low", "loss_high"]] = _columns(band)
    buys.loc[fewer, "says"] = _says(band, "more", "fewer")
    return buys


def _says(band: Interval, above: str, below: str) -> Any:
    return np.select([band.low > 0, band.high < 0], [above, below], "unclear")


def _columns(band: Interval) -> Any:
    return np.stack([band.estimate, band.low, band.high], axis=1)


def dealt_row(rules: ss.Ruleset, players: int, deal: int, hands: int, seed: int) -> dict[str, Any]:
    """Return the chances that a hand holds the contract, as dealt and with a card drawn, and what it lacks."""
    row: dict[str, Any] = {"hands": hands}
    for name, drawn in (("dealt", 0), ("drawn", 1)):
        found = ss.dealt_distances(
            rules=rules, players=players, deals=[deal], drawn=drawn, hands=hands, seed=seed
        )
        there = int(found.loc[found.distance == 0, "hands"].sum())
        # A contract of more cards than the hand has is no rare event: there is no such hand.
        fits = found.cards[0] >= rules.contract_in(deal).cards
        row |= _named(name, there / hands, *(exact_interval(there, hands, LEVEL) if fits else (0, 0)))
        if drawn == 0:
            mean = float((found.distance * found.hands).sum() / hands)
            error = np.sqrt((found.hands * (found.distance - mean) ** 2).sum() / (hands - 1) / hands)
            row |= _named("lacks", mean, mean - 1.96 * error, mean + 1.96 * error)
    return row


def alone_row(turns: Any, seed: int) -> dict[str, Any]:
    """Return by which own turn half of the players alone are down, and nine of ten."""
    found = quantile_intervals(turns, SHARES, seed, LEVEL)
    each = zip(("alone_half", "alone_most"), found.estimate, found.low, found.high, strict=True)
    row: dict[str, Any] = {"alone": len(turns), "alone_never": int(np.isinf(turns).sum())}
    for name, *numbers in each:
        row |= _named(name, *(x if np.isfinite(x) else np.nan for x in numbers))
    return row


def contracts(
    rules: ss.Ruleset,
    own: pd.DataFrame,
    ranks: pd.DataFrame,
    policy: str,
    players: int,
    sizes: dict[str, int],
) -> pd.DataFrame:
    """Return a row a contract: what is known of it under the rules as they are."""
    seed, rows = sizes["seed"], []
    with progress_of(own.to_dict("records"), "contracts") as records:
        for record in records:
            deal = record["deal"]
            contract = rules.contract_in(deal)
            row = {"contract": str(contract), "takes": contract.cards, "hand": rules.hand_size_in(deal)}
            row |= record | ranks.loc[deal].to_dict() | dealt_row(rules, players, deal, sizes["hands"], seed)
            if record["made"]:
                row |= alone_row(turns_alone(rules, policy, players, deal, sizes["alone"], seed), seed)
            rows.append(row)
    return pd.DataFrame(rows)


def analyse(
    rules: ss.Ruleset, policy: str, players: int, sizes: dict[str, int], workers: int | None
) -> dict[str, pd.DataFrame]:
    """Return the tables of the report."""
    found = []
    with progress_of(levels_of(rules, players), "numbers of buys") as levels:
        for level in levels:
            found.append((level, played(level, policy, players, sizes["games"], sizes["seed"], workers)))
    curves = [row for each in found for row in curve_rows(*each)]
    by_buys = pd.DataFrame(row for each in found for row in buys_rows(*each))
    own = by_buys[by_buys["own"]].drop(columns=["own"])
    ranks = ranked(*found[-1], sizes["seed"])
    return {
        "contracts": contracts(rules, own, ranks, policy, players, sizes),
        "buys": with_losses(by_buys, found, sizes["seed"]),
        "curves": pd.DataFrame(curves).assign(blocks=sizes["games"]),
    }


@click.command()
@click.option("--rules", default="shanghai", show_default=True, help="Name or file of a ruleset.")
@click.option("--policy", default="balanced", show_default=True, help="Who sits in all seats.")
@click.option("--players", type=int, help="By default 4 or the nearest number that the rules allow.")
@click.option("--games", default=6_000, show_default=True, help="Games with each number of buys.")
@click.option("--alone", default=1_500, show_default=True, help="Deals of each contract played alone.")
@click.option("--hands", default=4_000_000, show_default=True, help="Hands dealt for each contract.")
@click.option("--seed", default=1, show_default=True)
@click.option("--workers", type=int, help="Threads; nothing else depends on them.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another folder than reports/contract_atlas.",
)
def main(
    rules: str,
    policy: str,
    players: int | None,
    games: int,
    alone: int,
    hands: int,
    seed: int,
    workers: int | None,
    out: Path | None,
) -> None:
    """Play each contract with fewer and more buys, alone, and as dealt; write the report."""
    if out is None and rules != "shanghai":
        raise click.UsageError("reports/contract_atlas is about shanghai: for other rules give --out")
    ruleset = ss.load_rules(rules)
    players = players or ruleset.usual_players
    report = Report("contract_atlas", out)
    sizes = {"games": games, "alone": alone, "hands": hands, "seed": seed}
    tables = analyse(ruleset, policy, players, sizes, workers)
    for name, table in tables.items():
        report.table(name, table)
    report.scope(rules=ruleset.name, players=players, policy=policy, alone_change=ALONE, level=LEVEL, **sizes)
    report.figure("curves", curves_figure(tables["curves"], tables["buys"], tables["contracts"]))
    report.figure("ranking", ranking_figure(tables["contracts"]))
    report.page()


if __name__ == "__main__":
    main()
