"""Which discards feed whom?

Question
    How likely is it that somebody takes a card that is thrown, what does it then cost the player who threw it, and
    which cards are dangerous: by kind of card, contract, turn, and by what the others have shown?
Design
    Four players of `balanced`. At each of their discards a card of the hand, picked at random and not by the policy,
    is thrown in a copy of the game: is it drawn by the next player, or bought? Where it is, the deal is played out
    twice on the same cards: as it goes, and with everybody made to leave that card. The difference in the points of
    who threw it is what its being taken costs. Where a player who heeds danger and one who does not would throw
    different cards, both are played out. Intervals are over blocks; what is called clear holds for a whole table.
Answer
    In reports/discard_danger.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

import shanghai_sim as ss
from analyses.danger_figures import danger_figure, pairs_figure
from analyses.danger_kinds import KINDS, SHOWN, TYPES, Shown, kinds_of, type_of
from analyses.positions import CARD, DISCARD, LEAST, contrasts, decisions, leave, linear, ratios, taker
from analyses.report import Report

POLICY = "balanced"
HEEDLESS, HEEDFUL = f"{POLICY}+discard.danger=0", f"{POLICY}+discard.danger=6"
#: What is added up for each kind: throws, those taken, what these cost who threw them, and saved who took them.
THROWS, TAKEN, COST, GAIN = range(4)
#: Own turns from here on count as one.
LATE = 10
#: Throws of either kind that a turn under a contract needs, to be compared there.
MATCHED = 20
WITH_SETS, WITH_RUNS = ("sets", "mixed"), ("mixed", "runs")
#: Which kinds are compared: with which other ones, in which contracts, in which words. All are compared within the same
#: turn and sort of contract, but late and early ones.
PAIRS = {
    "took_rank": ("open", WITH_SETS, "the next player took one of its rank (with sets)"),
    "took_near": ("open", WITH_RUNS, "the next player took one close to it in its suit (with runs)"),
    "threw_rank": ("open", WITH_SETS, "the next player threw one of its rank (with sets)"),
    "threw_near": ("open", WITH_RUNS, "the next player threw one close to it in its suit (with runs)"),
    "other_rank": ("open", WITH_SETS, "another player took one of its rank (with sets)"),
    "other_near": ("open", WITH_RUNS, "another player took one close to it in its suit (with runs)"),
    "fits": ("fits_not", TYPES, "the next player is down and it fits a meld on the table"),
    "fits_not": ("any", TYPES, "the next player is down and it fits no meld"),
    "joker": ("any", TYPES, "it is a joker"),
    "ace": ("any", TYPES, "it is an ace"),
    "high": ("any", TYPES, "it is a king, queen, jack or ten"),
    "middle": ("any", TYPES, "it is a nine to a six"),
    "low": ("any", TYPES, "it is a five to a two"),
    "late": ("early", TYPES, "it is thrown after turn six, not until turn three"),
    "chosen": ("any", TYPES, "a good player chose it, not chance"),
}  # fmt: skip
#: Where the two that differ in heeding danger meet.
PLACES = {
    "all": "all of them",
    "next_down": "the next player is down",
    "other_down": "the next player is not down, another one is",
    "nobody_down": "none of the others is down",
}


def _thrown(table: ss.Table, card: int) -> tuple[ss.Table, int | None]:
    """Return the game in which a card is thrown now, up to its being taken, and by which seat; None: by nobody."""
    branch = table.copy()
    branch.answer(card)
    return branch, taker(branch)


def _result(table: ss.Table) -> np.ndarray:
    table.play_out()
    return np.array(table.result()["points"])


def one_throw(table: ss.Table, seat: int, card: int) -> tuple[float, float, float, float]:
    """Return 1, whether a card is taken that is thrown now, what this costs who threw it, and saves who takes it."""
    branch, who = _thrown(table, card)
    if who is None:
        return 1, 0, 0, 0
    left = table.copy()
    left.answer(card)
    leave(left)
    more = _result(branch) - _result(left)
    return 1, 1, more[seat], -more[who]


def _heeding(table: ss.Table, view: Any, rows: list[np.ndarray]) -> tuple[float, float, float, float] | None:
    """Return 1, what a player saves who heeds danger here, and whether either card is taken; None: both throw one."""
    cards = [table.policy_answer(view, row) & CARD for row in rows]
    if cards[0] == cards[1]:
        return None
    (careless, fed), (careful, spared) = (_thrown(table, card) for card in cards)
    saved = (_result(careless) - _result(careful))[view.seat]
    return 1, saved, fed is not None, spared is not None


def _place(seat: int, shown: Shown) -> str:
    others = shown.down - {seat}
    if (seat + 1) % len(shown.took) in others:
        return "next_down"
    return "other_down" if others else "nobody_down"


def throws(blocks: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return sums of throws (blocks, kinds, types, turns, 4), and of where heeding differs (blocks, places, 4)."""
    kinds, places = list(KINDS), list(PLACES)
    sums = np.zeros((blocks, len(kinds), len(TYPES), LATE, 4))
    heeded = np.zeros((blocks, len(places), 4))
    deal = (-1, -1)
    for block, table, view, answer in decisions(POLICY, blocks, seed, what="discards"):
        if (block, table.slot) != deal:
            if block != deal[0]:
                random = np.random.default_rng((seed, block))
                rows = [
                    ss.load_policy(name).rows(table.setup.ruleset.n_deals) for name in (HEEDLESS, HEEDFUL)
                ]
            deal = (block, table.slot)
            shown = Shown(table.setup.players)
            contract = type_of(str(table.setup.ruleset.contract_in(table.deal)))
        # The last card of a hand ends the deal.
        if view.decision == DISCARD and view.size > 1:
            card = int(random.choice(table.hand(view.seat)))
            at = [kinds.index(kind) for kind in kinds_of(card, table, view, shown)]
            when = min(view.turn, LATE) - 1
            sums[block, at, contract, when] += one_throw(table, view.seat, card)
            chosen = one_throw(table, view.seat, answer & CARD)
            sums[block, kinds.index("chosen"), contract, when] += chosen
            found = _heeding(table, view, rows)
            if found is not None:
                for place in ("all", _place(view.seat, shown)):
                    heeded[block, places.index(place)] += found
        shown.see(view, answer)
    return sums, heeded


def _columns(
    sums: np.ndarray, cases: np.ndarray, seed: int, name: str, *, share: bool = False
) -> pd.DataFrame:
    """Return ratios with their intervals as columns that begin with a name; a share lies between 0 and 1."""
    frame = ratios(sums, cases, seed)[["estimate", "low", "high", "cases"]]
    frame[["low", "high"]] = frame[["low", "high"]].clip(0, 1) if share else frame[["low", "high"]]
    return frame.set_axis([name, f"{name}_low", f"{name}_high", f"{name}_cases"], axis=1)


def kinds_table(sums: np.ndarray, seed: int) -> pd.DataFrame:
    """Return for each kind the chance that somebody takes it, by contract, and what that costs; riskiest first."""
    by_type = sums.sum(axis=3)
    whole = by_type.sum(axis=2)
    parts = [
        pd.DataFrame({"kind": list(KINDS), "words": list(KINDS.values())}),
        _columns(whole[..., TAKEN], whole[..., THROWS], seed, "chance", share=True),
        *(
            _columns(by_type[:, :, i, TAKEN], by_type[:, :, i, THROWS], seed, name, share=True)
            for i, name in enumerate(TYPES)
        ),
        _columns(whole[..., COST], whole[..., TAKEN], seed, "cost"),
        _columns(whole[..., GAIN], whole[..., TAKEN], seed, "gain"),
        _columns(whole[..., COST], whole[..., THROWS], seed, "feeding"),
    ]
    frame = pd.concat(parts, axis=1)
    frame["blocks"] = len(sums)
    return frame.sort_values("chance", ascending=False, kind="stable", na_position="last")


def matched(one: np.ndarray, other: np.ndarray, what: int) -> tuple[np.ndarray, float, int]:
    """Return how much more a throw of one kind brings about than one of another under like conditions.

    Parameters
    ----------
    one, other : float64[blocks, conditions, 4]
        Sums of throws.
    what : int
        TAKEN: how often it is taken; COST: what that costs.

    Returns
    -------
    values : float64[blocks]
        Their mean is the difference within a condition, weighted by how often the first kind meets each.
    beside : float
        Of the other kind, weighted likewise.
    cases : int
        Throws of the first kind that are compared.
    """
    n_one, n_other = one[..., THROWS].sum(axis=0), other[..., THROWS].sum(axis=0)
    weights = np.where((n_one >= MATCHED) & (n_other >= MATCHED), n_one, 0.0)
    cases = int(weights.sum())
    weights /= max(1, cases)
    sides = [linear(side[..., what], side[..., THROWS]) @ weights for side in (one, other)]
    return sides[0] - sides[1], float(sides[1].mean()), cases


def pairs_table(sums: np.ndarray, seed: int, what: int = TAKEN) -> pd.DataFrame:
    """Return how much likelier (or dearer) a throw of one kind is than of another; intervals hold for all pairs."""
    kinds = list(KINDS)
    rows, values = [], []
    for kind, (beside, types, words) in PAIRS.items():
        some = sums[:, :, [TYPES.index(name) for name in types]]
        if kind == "late":
            some = some.sum(axis=3)
        one, other = (
            some[:, kinds.index(name)].reshape(len(sums), -1, sums.shape[-1]) for name in (kind, beside)
        )
        value, level, cases = matched(one, other, what)
        values.append(value)
        row = {"kind": kind, "beside": beside, "words": words, "shown": kind in SHOWN}
        rows.append(row | {"beside_value": level, "cases": cases})
    frame = pd.concat([pd.DataFrame(rows), contrasts(np.stack(values, axis=1), seed)], axis=1)
    frame.insert(4, "value", frame["beside_value"] + frame["estimate"])
    frame.loc[frame["cases"] < LEAST, "says"] = "few"
    frame["blocks"] = len(sums)
    return frame.sort_values("estimate", ascending=False, kind="stable")


def heeding_table(heeded: np.ndarray, seed: int) -> pd.DataFrame:
    """Return what heeding danger saves where it changes the discard, and how often either card is taken."""
    frame = ratios(heeded[..., 1], heeded[..., 0], seed)
    total = heeded.sum(axis=0)
    with np.errstate(invalid="ignore"):
        frame["careless_taken"], frame["careful_taken"] = total[:, 2] / total[:, 0], total[:, 3] / total[:, 0]
    frame.insert(0, "words", list(PLACES.values()))
    frame.insert(0, "place", list(PLACES))
    return frame


@click.command()
@click.option("--games", "blocks", default=1_000, show_default=True, help="Games in which cards are thrown.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another folder than reports/discard_danger.",
)
def main(blocks: int, seed: int, out: Path | None) -> None:
    """Throw cards of every kind and see who takes them; write the report."""
    report = Report("discard_danger", out)
    sums, heeded = throws(blocks, seed)
    kinds = kinds_table(sums, seed)
    report.table("kinds", kinds)
    pairs = pairs_table(sums, seed)
    report.table("pairs", pairs)
    report.table("costs", pairs_table(sums, seed, COST))
    report.table("heeding", heeding_table(heeded, seed))
    report.scope(
        rules="shanghai", players=4, policy=POLICY, heedless=HEEDLESS, heedful=HEEDFUL, seed=seed, blocks=blocks,
        level=0.95, least=LEAST,
    )  # fmt: skip
    report.figure("danger", danger_figure(kinds))
    report.figure("pairs", pairs_figure(pairs))
    report.page()


if __name__ == "__main__":
    main()
