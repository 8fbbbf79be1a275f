"""What is played for the atlas of contracts: one policy in all seats, with each number of buys allowed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import shanghai_sim as ss
from shanghai_sim.rules.feasibility import check_deals
from shanghai_sim.rules.ruleset import ruleset_from_options

#: Numbers of buys a deal that are tried where the rules allow more.
FEWER = (0, 1, 2, 3)
#: Parts of the blocks that the errors of a curve come from, at most.
PARTS = 200
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Level:
    """The rules with a number of buys.

    Parameters
    ----------
    label : str
        How many buys a deal.
    own : bool
        Whether the rules are as they were.
    rules : Ruleset
        The rules.
    makeable : tuple of int
        Deals whose contract can be made so.
    ending : tuple of int
        Those of them in which whoever lays down goes out at once, since no card is left over.
    """

    label: str
    own: bool
    rules: ss.Ruleset
    makeable: tuple[int, ...]
    ending: tuple[int, ...]

    @property
    def deals(self) -> list[int]:
        """All deals, those too whose contract cannot be made."""
        return list(range(1, self.rules.n_deals + 1))


def levels_of(rules: ss.Ruleset, players: int) -> list[Level]:
    """Return the rules with fewer buys for everybody, from none on, and at last as they are."""
    limits = [rules.buys_in(deal) for deal in range(1, rules.n_deals + 1)]
    most = max(np.inf if limit is None else limit for limit in limits)
    found = [_level(str(buys), _with_fewer(rules, buys), players, own=False) for buys in FEWER if buys < most]
    # With so few buys that no contract can be made there is nothing to play.
    return [*(level for level in found if level.makeable), _level(_label(limits), rules, players, own=True)]


def _label(limits: list[int | None]) -> str:
    known = [limit for limit in limits if limit is not None]
    if len(known) < len(limits):
        return "no limit"
    low, high = min(known), max(known)
    return str(low) if low == high else f"{low}-{high}"


def _with_fewer(rules: ss.Ruleset, buys: int) -> ss.Ruleset:
    limits = [rules.buys_in(deal) for deal in range(1, rules.n_deals + 1)]
    options = rules.to_options()
    options["buy"]["per_deal"] = [buys if limit is None else min(buys, limit) for limit in limits]
    return ruleset_from_options(options)


def _level(label: str, rules: ss.Ruleset, players: int, own: bool) -> Level:
    found = [deal for deal in check_deals(rules, players) if deal.deal <= rules.n_deals]
    makeable = tuple(deal.deal for deal in found if deal.buys_needed is not None)
    ending = tuple(deal.deal for deal in found if deal.lay_down_ends_deal)
    return Level(label, own, rules, makeable, ending)


@dataclass(frozen=True)
class Played:
    """Seats that played some deals; arrays of shape [blocks, deals, seats] but for shares.

    Parameters
    ----------
    deals : tuple of int
        Numbers of the deals.
    down : bool
        Whether the seat laid down.
    last_turn : int64
        The own turn in which it did, or its last one.
    points : int64
        Points of the deal.
    turn_limit : int
        Turns a deal has at most.
    """

    deals: tuple[int, ...]
    down: NDArray[np.bool_]
    last_turn: Counts
    points: Counts
    turn_limit: int

    @property
    def blocks(self) -> int:
        """Games, all of them different."""
        return len(self.down)

    @property
    def stuck(self) -> NDArray[np.float64]:
        """Share of the seats that never got down, float64[blocks, deals]."""
        return np.asarray(1 - self.down.mean(axis=2))

    def stuck_in(self, deals: list[int]) -> NDArray[np.float64]:
        """Return the same for other deals; all seats where the contract cannot be made."""
        shares = np.ones((self.blocks, len(deals)))
        for i, deal in enumerate(self.deals):
            shares[:, deals.index(deal)] = self.stuck[:, i]
        return shares

    @property
    def stuck_points(self) -> NDArray[np.float64]:
        """Points of the seats that never got down, over all seats, float64[blocks, deals]."""
        return np.asarray((self.points * ~self.down).mean(axis=2))

    def counts(self) -> tuple[Counts, Counts]:
        """Return seats that laid down in each own turn, and those cut off there: [parts, deals, turns]."""
        parts = min(PARTS, self.blocks)
        part = np.arange(self.blocks)[:, None, None] * parts // self.blocks
        deal = np.arange(len(self.deals))[None, :, None]
        cells = np.broadcast_arrays(part, deal, self.last_turn)
        both = np.zeros((2, parts, len(self.deals), self.turn_limit + 1), np.int64)
        np.add.at(both, (1 - self.down, *cells), 1)
        return both[0], both[1]


def played(
    level: Level, policy: str, players: int, games: int, seed: int, workers: int | None = None
) -> Played:
    """Play games of the deals that can be made; sudden death is left out.

    All seats play alike, so that another rotation of a block is the same game again, and one of them is looked at.
    """
    result = ss.run(
        [policy] * players,
        rules=level.rules,
        games=games * players,
        seed=seed,
        deals=level.makeable,
        workers=workers,
        keep=("deals",),
    )
    frame = result.deals
    frame = frame[(frame["rotation"] == 0) & (frame["deal"] <= level.rules.n_deals)]
    frame = frame.sort_values(["block", "deal", "seat"], kind="stable")
    columns = {
        name: frame[name].to_numpy(np.int64).reshape(-1, len(level.makeable), players)
        for name in ("laid_down", "lay_down_turn", "turns", "points")
    }
    down = columns["laid_down"] == 1
    turn = np.where(down, columns["lay_down_turn"], columns["turns"])
    return Played(level.makeable, down, turn, columns["points"], level.rules.stock.turn_limit)
