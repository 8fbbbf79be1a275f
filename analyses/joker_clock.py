"""How long is a held joker an asset, and when does it become a liability?

Question
    "Never hold a joker after turn 6": what is a joker worth to a player whose contract is not down, turn by turn,
    contract by contract, and with so many of the others down?
Design
    Four players of `balanced`. At each of their discards with a joker in a hand whose contract is not down, the
    position is played out twice on the same cards: with the discard that `balanced` chooses, and with the joker
    thrown instead. What throwing it costs is what holding it is worth. Then whole policies in the place of
    `balanced`: some throw their jokers from a turn on, others wait before they use them. Intervals are over blocks;
    what a table calls clear is corrected for its number of rows.
Answer
    In reports/joker_clock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

import shanghai_sim as ss
from analyses.differences import EQUAL, LEVEL, difference, judged
from analyses.policies import drawn
from analyses.positions import CARD, DISCARD, decisions, ratios
from analyses.report import Report, progress_of
from shanghai_sim.cards import JOKER
from shanghai_sim.reporting import figures

#: The last own turn that the advice allows a joker.
ADVISED = 6
#: Own turns from here on count as one.
LATE = 12
#: So many others down, or more, and so many cards lacking, or more, count as one.
MOST_DOWN, MOST_LACKING = 2, 3
DOWN = {0: "nobody else is down", 1: "one other is down", 2: "two or three others are down"}
POLICY = "balanced"
#: Other habits with jokers: what a player does, and how it is written.
THROWING = {f"throws its jokers from turn {t} on": f"wild.dump_from_turn={t}" for t in (3, 4, 5, 6, 7, 8, 10)}
WAITING = {
    f"lays down only without jokers before turn {t}": f"wild.hold_until_turn={t}" for t in (3, 5, 8)
} | {
    f"before turn {t}, waits for cards that free a joker": f"wild.use=last+lay_down.until_turn={t}"
    for t in (5, 8)
}

#: What letters stand on where lines pass behind them.
BEHIND = {"facecolor": "white", "edgecolor": "none", "pad": 1}

Held = dict[str, Any]


def held_jokers(blocks: int, seed: int) -> list[Held]:
    """Return every joker held at a discard before the own contract is down, and what holding it was worth."""
    found = []
    for block, table, view, answer in decisions(POLICY, blocks, seed, what="jokers held"):
        chosen = answer & CARD
        if view.decision != DISCARD or view.jokers == 0 or view.down or chosen == JOKER:
            continue
        kept, thrown = (_points(table, card) for card in (chosen, JOKER))
        cost = thrown - kept
        own = cost[view.seat]
        seen = table.situation(view)
        found.append(
            {
                "block": block,
                "deal": seen.deal,
                "turn": seen.turn,
                "down": seen.others_down,
                "lacking": seen.distance,
                "worth": own,
                "others": -(cost.sum() - own) / (len(cost) - 1),
            }
        )
    return found


def _points(table: ss.Table, card: int) -> np.ndarray:
    """Return the points of the deal by seat if a card is discarded now."""
    branch = table.copy()
    branch.answer(card)
    branch.play_out()
    return np.array(branch.result()["points"])


def grouped(
    held: Sequence[Held],
    keys: Sequence[Hashable],
    key: Callable[[Held], Hashable],
    blocks: int,
    seed: int,
    value: str = "worth",
) -> pd.DataFrame:
    """Return what holding a joker is worth in each group: see `positions.ratios`, in the order of `keys`."""
    at = {group: i for i, group in enumerate(keys)}
    sums = np.zeros((blocks, len(keys), 2))
    for row in held:
        sums[row["block"], at[key(row)]] += (row[value], 1)
    return ratios(sums[:, :, 0], sums[:, :, 1], seed)


def by_turn(held: Sequence[Held], blocks: int, seed: int) -> pd.DataFrame:
    """Return the worth by others down and own turn."""
    keys = [(down, turn) for down in range(MOST_DOWN + 1) for turn in range(1, LATE + 1)]
    frame = grouped(
        held, keys, lambda row: (min(row["down"], MOST_DOWN), min(row["turn"], LATE)), blocks, seed
    )
    return pd.concat([pd.DataFrame(keys, columns=["down", "turn"]), frame], axis=1)


def by_lacking(held: Sequence[Held], blocks: int, seed: int) -> pd.DataFrame:
    """Return the worth by others down and cards that the hand lacks."""
    keys = [(down, lacking) for down in range(MOST_DOWN + 1) for lacking in range(1, MOST_LACKING + 1)]
    frame = grouped(
        held,
        keys,
        lambda row: (min(row["down"], MOST_DOWN), min(max(row["lacking"], 1), MOST_LACKING)),
        blocks,
        seed,
    )
    return pd.concat([pd.DataFrame(keys, columns=["down", "lacking"]), frame], axis=1)


def by_contract(held: Sequence[Held], blocks: int, seed: int) -> pd.DataFrame:
    """Return the worth by contract, until the advised turn and after it."""
    rules = ss.load_rules("shanghai")
    keys = [(deal, late) for deal in range(1, rules.n_deals + 1) for late in (False, True)]
    frame = grouped(held, keys, lambda row: (row["deal"], row["turn"] > ADVISED), blocks, seed)
    named = pd.DataFrame(keys, columns=["deal", "late"])
    named.insert(1, "contract", [str(rules.contract_in(deal)) for deal, _ in keys])
    return pd.concat([named, frame], axis=1)


def whole(held: Sequence[Held], blocks: int, seed: int) -> pd.DataFrame:
    """Return the worth until the advised turn and after it, to the player and as points of each of the others."""
    parts = []
    for value in ("worth", "others"):
        frame = grouped(held, [False, True], lambda row: row["turn"] > ADVISED, blocks, seed, value)
        frame.insert(0, "late", [False, True])
        frame.insert(0, "whose", value)
        parts.append(frame)
    return pd.concat(parts, ignore_index=True)


def turning(turns: pd.DataFrame) -> pd.DataFrame:
    """Return, by others down, until when a joker is clearly an asset and from when on clearly a liability.

    Empty where there is no such turn; `seen` is the last turn with enough cases.
    """
    rows = []
    for down, group in turns.groupby("down"):
        said: dict[str, list[int]] = defaultdict(list)
        for row in group.itertuples():
            said[str(row.says)].append(int(row.turn))
        known = [turn for says, some in said.items() if says != "few" for turn in some]
        rows.append(
            {
                "down": down,
                "asset_until": max(said["above"], default=None),
                # From then on for good: no later turn says anything else.
                "liability_from": min(
                    (
                        turn
                        for turn in said["below"]
                        if all(later in said["below"] for later in known if later > turn)
                    ),
                    default=None,
                ),
                "seen": max(known, default=None),
                "worth_at_end": group.loc[group["turn"] == max(known), "estimate"].iloc[0] if known else None,
            }
        )
    return pd.DataFrame(rows).astype({"asset_until": "Int64", "liability_from": "Int64", "seen": "Int64"})


def habits(games: int, seed: int) -> pd.DataFrame:
    """Return what other habits with jokers do to the points of a game, in the order of the habits."""
    rows = []
    steps = [
        (kind, *item)
        for kind, some in (("throwing", THROWING), ("waiting", WAITING))
        for item in some.items()
    ]
    with progress_of(steps, "habits") as items:
        for kind, habit, change in items:
            found = difference(f"{POLICY}+{change}", POLICY, games, seed)
            rows.append({"kind": kind, "habit": habit, "change": change} | found)
    return judged(pd.DataFrame(rows))


def clock_figure(turns: pd.DataFrame, title: str) -> Any:
    """Return the figure of the worth of a held joker by turn, a line for each number of others down."""
    from matplotlib.figure import Figure

    colours = {0: figures.BLUE, 1: figures.GREEN, 2: figures.ORANGE}
    with figures.style():
        figure = Figure(figsize=(9, 5.2), layout="constrained")
        axes = figure.subplots()
        known = turns[turns["says"] != "few"]
        for down, group in known.groupby("down"):
            x = group["turn"] + 0.12 * (down - 1)
            axes.plot(x, group["estimate"], "o-", color=colours[down], lw=2, ms=5)
            axes.vlines(x, group["low"], group["high"], color=colours[down], lw=1.6)
            axes.annotate(
                DOWN[down], (x.iloc[-1], group["estimate"].iloc[-1]), (10, 0), textcoords="offset points",
                color=colours[down], va="center", fontweight="bold", bbox=BEHIND,
            )  # fmt: skip
        axes.axhline(0, color="black", lw=1)
        axes.axvline(ADVISED + 0.5, color="#555555", lw=1, ls="--")
        axes.annotate(
            f"advice: none after turn {ADVISED}", (ADVISED + 0.5, 1), (6, -4), va="top",
            xycoords=axes.get_xaxis_transform(), textcoords="offset points", color="#555555", annotation_clip=False,
        )  # fmt: skip
        axes.set_xticks(range(1, LATE + 1), [*map(str, range(1, LATE)), f"{LATE}+"])
        axes.set_xlim(0.5, LATE + 5.3)
        axes.set_ylim(min([*known["low"], 0]) - 4, max([*known["high"], 0]) + 8)
        axes.text(0.6, -0.8, "below: a liability", va="top", color="#555555", fontsize=figures.NOTE_SIZE)
        axes.text(0.6, 0.8, "above: an asset", va="bottom", color="#555555", fontsize=figures.NOTE_SIZE)
        axes.set_xlabel("own turn in the deal")
        axes.set_ylabel("points that holding the joker saves (95 % intervals)")
        figures.title(figure, title, 62)
    return figure


def clock_title(turning_points: pd.DataFrame, worth: pd.DataFrame) -> str:
    """Return what the figure of the turns says."""
    late = turning_points.dropna(subset="liability_from")
    if not late.empty:
        first = late.sort_values("liability_from").iloc[0]
        return f"From turn {first['liability_from']:.0f} on a joker is a liability when {DOWN[int(first['down'])]}"
    after = worth.set_index(["whose", "late"]).loc[("worth", True)]
    if after["says"] == "above":
        return (
            f"Held after turn {ADVISED}, a joker still saves {after['estimate']:.0f} points; "
            "it is at no turn clearly a liability"
        )
    return "A joker in hand is at no turn clearly a liability"


@click.command()
@click.option("--games", default=10_000, show_default=True, help="Games of each comparison of habits.")
@click.option("--blocks", default=2_000, show_default=True, help="Games in which held jokers are tried.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Another folder than reports/joker_clock."
)
def main(games: int, blocks: int, seed: int, out: Path | None) -> None:
    """Play on with and without the joker, compare habits with jokers; write the report."""
    report = Report("joker_clock", out)
    held = held_jokers(blocks, seed)
    turns = by_turn(held, blocks, seed)
    tables = {
        "turns": turns,
        "turning": turning(turns),
        "lacking": by_lacking(held, blocks, seed),
        "contracts": by_contract(held, blocks, seed),
        "whole": whole(held, blocks, seed),
        "habits": habits(games, seed),
    }
    for name, table in tables.items():
        report.table(name, table)
    report.scope(
        rules="shanghai", players=4, policy=POLICY, seed=seed, games=games, played=blocks, held=len(held),
        advised=ADVISED, late=LATE, equal=EQUAL, level=LEVEL,
    )  # fmt: skip
    report.figure("clock", clock_figure(turns, clock_title(tables["turning"], tables["whole"])))
    best = tables["habits"].sort_values("difference").iloc[-1]
    title = (
        f"Better than playing like {POLICY}: who {best['habit']}"
        if best["says"] == "better"
        else "Throwing jokers, or waiting to use them, gains nothing"
    )
    report.figure("habits", drawn(tables["habits"], "habit", title, "points a game"))
    report.page()


if __name__ == "__main__":
    main()
