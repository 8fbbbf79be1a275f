"""The luck of the draw: against a slow recount, of mean 0, and without a trace in the game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from attrs import evolve

from shanghai_sim.cards import JOKER, PLAIN_CODES
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.luck import UNIT
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset
from tests.unit.policies.seen import Seen


def setup_of(rules: str, policy: str = "balanced", coupling: str = "seat", **rest) -> Setup:
    return Setup(load_ruleset(rules), 4, 4 * [load_policy(policy)], coupling=coupling, luck=True, **rest)


def useful(table: Table, seat: int) -> set[int]:
    """Return the cards that help a seat, one by one."""
    if table.state.table[v.SEATS + seat * v.SEAT_WIDTH + v.DOWN]:
        fits, wild = int(table.state.table[v.FITS]), bool(table.state.table[v.WILD_FITS])
        wilds = table.setup.ruleset.wild_codes()
        return {c for c in (*PLAIN_CODES, JOKER) if (wild if c in wilds else c != JOKER and fits >> c & 1)}
    view = table.view()._replace(seat=seat)
    hidden = table.state.hidden[st.HANDS + seat * st.HAND_WIDTH :]
    view = view._replace(distance=int(hidden[st.DISTANCE]))
    seen = Seen(table, view, load_policy("balanced").parameters)
    return {c for c in (*PLAIN_CODES, JOKER) if seen.is_out(c)}


@pytest.mark.parametrize("rules", ["shanghai", "shanghai-wild-twos", "shanghai-canonical"])
def test_a_draw_counts_what_it_gave_beyond_the_mean(rules):
    """Draws without a buy in between: one card more in the hand of the active player, known with the stock before."""
    table = Table(setup_of(rules, "balanced+buy.when=never"), 0)
    wilds = table.setup.ruleset.wild_codes()
    checked = 0
    while checked < 60:
        if table.deal_over:
            table.next_deal()
            continue
        active, stock = int(table.state.hidden[st.ACTIVE]), Counter(table.stock())
        view = table.view()
        last = view.decision in (v.DRAW, v.BUY) and stock
        helps, hand = useful(table, active) if last else set(), Counter(table.hand(active))
        before = table.state.hidden[st.LUCK : st.PLAN].copy()
        table.answer(table.built_in(view))
        gained = Counter(table.hand(active)) - hand
        drawn = Counter(table.stock())
        if not last or drawn.total() != stock.total() - 1 or table.deal_over:
            continue
        (code,) = gained
        worth = table.state.hidden[st.LUCK : st.PLAN] - before
        expected = [
            (code in kind) - sum(n for c, n in stock.items() if c in kind) / stock.total()
            for kind in (helps, wilds)
        ]
        assert worth[active * st.LUCKS :][: st.LUCKS] / UNIT == pytest.approx(expected, abs=2 / UNIT)
        assert np.count_nonzero(worth) <= st.LUCKS
        checked += 1


@pytest.mark.parametrize("coupling", ["seat", "pile"])
def test_its_mean_is_nothing(coupling):
    """Over 1,500 blocks, on the mean of the seats, within four standard errors."""
    setup = setup_of("shanghai", coupling=coupling, deals=(3,), seed=5)
    luck = play_blocks(setup, 0, 1_500, rotations=1).luck / UNIT
    means = luck.mean(axis=1)
    assert (means.std(axis=0) > 0).all()
    assert (abs(means.mean(axis=0)) < 4 * means.std(axis=0) / len(means) ** 0.5).all()


def test_recording_it_changes_no_game():
    setup = setup_of("shanghai-wild-twos", "balanced+noise=0.02")
    with_luck, without = play_blocks(setup, 0, 5), play_blocks(evolve(setup, luck=False), 0, 5)
    assert np.array_equal(with_luck.deals, without.deals)
    assert with_luck.luck.any()
    assert not without.luck.any()
