"""What each named policy says of itself shows in its figures, beside three `balanced` at the same table."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from shanghai_sim.engine.batch import Batch, Setup, play_blocks
from shanghai_sim.engine.metrics import DEAL_COLUMNS
from shanghai_sim.policies.policy import load_policy, preset_names
from shanghai_sim.rules.ruleset import load_ruleset

BLOCKS = 60
#: A figure per deal of each policy, and whether it is higher (1) or lower (-1) than that of `balanced`.
TRAITS = {
    "aggressive-buy": ("buys", 1),
    "blocker": ("discards_taken", 1),
    "fast-meld": ("lay_down_turn", -1),
    "joker-dumper": ("wilds_left", -1),
    "joker-hoarder": ("wilds_left", 1),
    "no-buy": ("buys", -1),
    "novice": ("points", 1),
    "patient-meld": ("lay_down_turn", 1),
    "plain": ("laid_down", -1),
    "points-dumper": ("laid_down", -1),
    "random": ("points", 1),
    "safe-discard": ("laid_down", 0),
    "save-buys": ("buys", -1),
    "thrifty-buy": ("buys", -1),
}


@cache
def played(name: str) -> Batch:
    policies = [load_policy(name), *3 * [load_policy("balanced")]]
    return play_blocks(Setup(load_ruleset("shanghai"), 4, policies, seed=8), 0, BLOCKS)


def difference(name: str, column: str) -> tuple[float, float]:
    """Return the mean per deal less that of the others, and half of a 99 % interval from blocks."""
    batch = played(name)
    values = batch.deals[:, :-1, :, DEAL_COLUMNS.index(column)].astype(float)
    if column == "lay_down_turn":
        # Whoever never lays down in a deal counts as one turn later than its last.
        turns = batch.deals[:, :-1, :, DEAL_COLUMNS.index("turns")]
        values = np.where(values > 0, values, turns + 1)
    own = (batch.policy == 0)[:, None, :]
    mine = (values * own).sum(axis=(1, 2)) / values.shape[1]
    others = (values * ~own).sum(axis=(1, 2)) / (3 * values.shape[1])
    blocks = (mine - others).reshape(BLOCKS, 4).mean(axis=1)
    return float(blocks.mean()), float(2.66 * blocks.std(ddof=1) / BLOCKS**0.5)


def test_every_policy_has_a_trait():
    assert set(TRAITS) | {"balanced"} == set(preset_names())


@pytest.mark.parametrize("name", [name for name, (_, sign) in TRAITS.items() if sign])
def test_its_trait_shows(name):
    column, sign = TRAITS[name]
    mean, half = difference(name, column)
    assert sign * mean > half, (name, column, mean, half)


@pytest.mark.parametrize("name", [name for name, (_, sign) in TRAITS.items() if not sign])
def test_close_to_balanced_in_the_contract(name):
    """It differs from `balanced` in what it throws, not in how often it lays down."""
    column, _ = TRAITS[name]
    mean, half = difference(name, column)
    assert abs(mean) < half + 0.02, (name, mean, half)


def test_save_buys_buys_in_the_last_four_contracts_alone():
    batch = played("save-buys")
    buys = batch.deals[:, :-1, :, DEAL_COLUMNS.index("buys")].astype(int)
    mine = (buys * (batch.policy == 0)[:, None, :]).sum(axis=(0, 2))
    assert mine[:6].sum() == 0
    assert mine[6:].min() > 0


def test_safe_discard_throws_what_others_want_less():
    """The next player takes fewer discards from it than from `balanced`."""
    batch = played("safe-discard")
    taken = batch.deals[:, :-1, :, DEAL_COLUMNS.index("discards_taken")].sum(axis=1)
    behind = np.roll(batch.policy == 0, 1, axis=1)
    after_it = (taken * behind).sum(axis=1)
    after_others = (taken * (~behind & (batch.policy != 0))).sum(axis=1) / 2
    blocks = (after_it - after_others).reshape(BLOCKS, 4).mean(axis=1)
    assert blocks.mean() + 2.66 * blocks.std(ddof=1) / BLOCKS**0.5 < 0


@pytest.mark.parametrize("name", sorted(TRAITS))
def test_none_beats_balanced(name):
    """Not one of them scores fewer points a game, as far as so few games can tell (99 %)."""
    batch = played(name)
    mine = (batch.totals * (batch.policy == 0)).sum(axis=1)
    others = (batch.totals.sum(axis=1) - mine) / 3
    blocks = (mine - others).reshape(BLOCKS, 4).mean(axis=1)
    assert blocks.mean() + 2.66 * blocks.std(ddof=1) / BLOCKS**0.5 > 0
