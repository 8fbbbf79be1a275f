"""When contracts are laid down, and how long the seats were at it that did not get there: counts that add up."""

from __future__ import annotations

from typing import Any

import numpy as np

from shanghai_sim.simulation.aggregate import RECORD, by_policy
from shanghai_sim.simulation.plan import Plan
from shanghai_sim.simulation.runner import Chunk

#: Parts that the blocks of a plan are cut into at most; errors come from how these differ.
MAX_PARTS = 200


class LayDowns:
    """Counts of seats by deal, group and own turn, apart for each of some parts of the blocks.

    Memory does not grow with the run, and whole numbers add up to the same in any order.

    Attributes
    ----------
    down : int64[parts, n_slots, n_groups, turns + 1]
        Seats that laid their contract down in this own turn.
    stopped : int64[parts, n_slots, n_groups, turns + 1]
        Seats whose deal ended, contract not down, when this own turn was their last; 0: before their first.

    Notes
    -----
    A turn that the stock's end cuts short (stock.when_empty = end-deal) counts as one in which the contract
    could have been laid down.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        parts = min(MAX_PARTS, plan.blocks)
        turns = plan.ruleset.stock.turn_limit
        shape = (parts, len(plan.deal_numbers), len(plan.group_sizes), turns + 1)
        self.down = np.zeros(shape, np.int64)
        self.stopped = np.zeros(shape, np.int64)

    def add(self, chunk: Chunk, batch: Any) -> None:
        """Count the games of a chunk."""
        parts, n_slots, n_groups, n_turns = self.down.shape
        plan = self._plan
        _, record = by_policy(batch)
        down = record[..., RECORD["laid_down"]] == 1
        turn = np.where(down, record[..., RECORD["lay_down_turn"]], record[..., RECORD["turns"]])
        block = np.arange(len(turn)) // plan.players + chunk.first_block
        # The last part is not short: block b of n is in part b * parts // n.
        part = block * parts // plan.blocks
        slot = np.arange(n_slots)[:, None]
        group = np.repeat(np.arange(n_groups), plan.group_sizes)
        cell = ((part[:, None, None] * n_slots + slot) * n_groups + group) * n_turns + turn
        played = np.ones(down.shape, np.bool_)
        played[:, -1] = batch.sudden_death[:, None]
        size, shape = self.down.size, self.down.shape
        self.down += np.bincount(cell[down & played], minlength=size).reshape(shape)
        self.stopped += np.bincount(cell[~down & played], minlength=size).reshape(shape)
