"""A policy sees what its player may see: hidden cards permuted, other streams changed, neighbours poisoned."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from shanghai_sim.engine import state as st
from shanghai_sim.engine.stepper import Table, _decide
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from tests.unit.engine.drawn import drawn_setup
from tests.unit.engine.scenes import set_hand
from tests.unit.engine.test_tables import POLICIES

#: Every preset and, together, every value of every parameter.
KINDS = [
    *POLICIES,
    "plain+draw.min_gain=0+buy.when=only-if-short+swap.use=always+discard.prefer=cheapest",
    "plain+lay_off.when=never+swap.use=never+buy.max_buys=1",
    "aggressive-buy+buy.until_turn=2+noise=0.5",
    "balanced+buy.min_outs=4+noise=0.05",
    "blocker+opponents.memory=2+opponents.block_leader=3+score.risk=2+discard.points_near_out=3",
    "balanced+plan.sets_first=2+plan.break_sets=1000+discard.distance=5+wild.use=last+wild.dump_from_turn=3",
    "balanced+lay_down.when=when-out+lay_off.keep_one=true+wild.dump_from_turn=2+wild.dump=when-free+buy.keep=1",
]
ROWS = [load_policy(kind).rows(1)[0] for kind in KINDS]


def decisions(n: int, seed: int, most: int = 150):
    """Yield tables at random decisions of random games, half of them after a lay-down, half with options changed."""
    rng = Random(seed)
    while n:
        setup = drawn_setup(rng, KINDS, 1, share=rng.choice((0.0, 0.2)))
        table = Table(setup, rng.randrange(50))
        melds_wanted, steps = rng.random() < 0.5, rng.randrange(most)
        while not table.deal_over and (steps > 0 or (melds_wanted and table.state.table[v.N_MELDS] == 0)):
            table.answer(table.built_in(table.view()))
            steps -= 1
        if not table.deal_over:
            n -= 1
            yield table, rng


def elsewhere(table: Table, rng: Random) -> Table:
    """Return the same public position with other hidden cards, other streams and other secrets of others."""
    seat, players = table.seat, table.setup.players
    twin = table.copy()
    hidden = twin.state.hidden
    others = [s for s in range(players) if s != seat]
    pool = [card for s in others for card in table.hand(s)] + table.stock()
    rng.shuffle(pool)
    for s in others:
        size = len(table.hand(s))
        down = hidden[st.HANDS + s * st.HAND_WIDTH + st.DISTANCE]
        set_hand(twin, s, pool[:size])
        if table.state.table[v.SEATS + s * v.SEAT_WIDTH + v.DOWN]:
            hidden[st.HANDS + s * st.HAND_WIDTH + st.DISTANCE] = down
        del pool[:size]
    set_hand(twin, st.STOCK_SEAT, pool)
    own = st.NOISE_STREAM + seat
    for stream in range(st.N_STREAMS):
        if stream != own:
            hidden[st.KEYS + stream] ^= rng.getrandbits(62)
            hidden[st.COUNTERS + stream] += rng.randrange(5)
    # Scratch that earlier decisions of others have left behind.
    for scratch in (slice(st.PLAN, st.NOTEBOOK), slice(st.LISTING, st.KEYS)):
        hidden[scratch] = [rng.getrandbits(40) for _ in hidden[scratch]]
    return twin


def answers(table: Table, view) -> list[int]:
    """Return what each kind of policy answers on a view."""
    return [int(_decide(view, table.state.table, row)) for row in ROWS]


def test_hidden_cards_and_streams_change_no_view_and_no_answer():
    """Hundreds of positions: other hands and the stock dealt anew, all streams but the own noise changed."""
    seen, answered = Counter(), Counter()
    for table, rng in decisions(300, seed=5):
        twin, again = elsewhere(table, rng), elsewhere(table, rng)
        assert Counter(twin.hand(table.seat)) == Counter(table.hand(table.seat))
        view = table.view()
        assert twin.view() == view
        assert again.view() == view
        wanted = answers(table, view)
        assert answers(twin, view) == wanted
        assert answers(again, view) == wanted
        seen[table.decision, view.down > 0] += 1
        answered.update((table.decision, answer) for answer in wanted)
    for decision in (v.DRAW, v.BUY, v.DISCARD):
        assert seen[decision, False] > 10
        assert seen[decision, True] > 0
    assert seen[v.PLAY, True] > 10
    # The answers are not all alike: the comparison has something to compare.
    assert min(answered[v.DRAW, a] for a in (0, 1)) > 50
    assert min(answered[v.BUY, a] for a in (0, 1)) > 50
    assert sum(decision == v.DISCARD for decision, _ in answered) > 20
    assert sum(decision == v.PLAY for decision, _ in answered) > 10


def test_a_policy_goes_on_alike_until_something_hidden_comes_out():
    """The answers stay equal over the rest of the seat's turn, as long as the views do."""
    steps = 0
    for table, rng in decisions(120, seed=6):
        if table.decision not in (v.PLAY, v.DISCARD):
            continue
        twin, seat = elsewhere(table, rng), table.seat
        while not table.deal_over and table.seat == seat and table.decision in (v.PLAY, v.DISCARD):
            view = table.view()
            assert twin.view() == view
            answer = table.built_in(view)
            assert twin.built_in(view) == answer
            table.answer(answer)
            twin.answer(answer)
            steps += 1
    assert steps > 50


@pytest.mark.nojit
def test_a_changed_hidden_card_would_be_noticed():
    """The comparison has teeth: a view that holds a card of the own hand changes with it."""
    table, rng = next(decisions(1, seed=7))
    twin = elsewhere(table, rng)
    hand = table.hand(table.seat)
    set_hand(twin, table.seat, hand[1:] + table.stock()[:1])
    assert twin.view() != table.view()


@pytest.mark.parametrize("poison", ["random", "ones", "most"])
def test_poisoned_neighbours_of_the_table_change_no_answer(poison):
    """The public array as a slice of a larger one: what lies around it is never read."""
    for table, rng in decisions(60, seed=8):
        view = table.view()
        wanted = answers(table, view)
        around = np.full(v.TABLE_SIZE + 2000, {"ones": -1, "most": 2**62, "random": 0}[poison], np.int64)
        if poison == "random":
            around[:] = [rng.getrandbits(62) for _ in around]
        inside = slice(1000, 1000 + v.TABLE_SIZE)
        around[inside] = table.state.table
        before = around.copy()
        table.state = table.state._replace(table=around[inside])
        assert answers(table, view) == wanted
        assert np.array_equal(around, before)
