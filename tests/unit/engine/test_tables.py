"""Tables play the same games as the compiled loop; and what other tests need to look into a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import numpy as np
import pytest

from shanghai_sim._jit import entry
from shanghai_sim.cards import JOKER, PLAIN_CODES
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.deal import full_distance
from shanghai_sim.engine.stepper import Table
from shanghai_sim.engine.transcript import winners
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules import melds
from shanghai_sim.rules.kernel_rules import WILD_MASK
from shanghai_sim.rules.ruleset import load_ruleset, preset_names

RULESETS = preset_names()
POLICIES = ["plain", "random", "aggressive-buy", "no-buy"]


def setup_of(rules="shanghai", players=4, policies=POLICIES, changes=(), **rest) -> Setup:
    chosen = [load_policy(policies[i % len(policies)]) for i in range(players)]
    return Setup(load_ruleset(rules, changes), players, chosen, **rest)


@entry
def _distance(state, seat):
    return full_distance(state, seat)


def meld_rows(table: Table):
    array = table.state.table
    for i in range(array[v.N_MELDS]):
        start = v.MELDS + i * melds.MELD_WIDTH
        yield array[start : start + melds.MELD_WIDTH].tolist()


def meld_cards(row: list[int]) -> list[int]:
    if row[melds.KIND] == melds.RUN:
        low = row[melds.LOW]
        return [row[melds.CARDS + p] for p in range(low, low + row[melds.SIZE])]
    boards = row[melds.SET_WILDS : melds.SET_WILDS + 3] + row[melds.SET_NATURALS : melds.SET_NATURALS + 3]
    return [c for board in boards if board for c in range(64) if board >> c & 1] + [JOKER] * row[
        melds.SET_JOKERS
    ]


#: Lowest and highest position of a run, by cards.ace.
POSITIONS = {"low": (1, 13), "high": (2, 14), "both": (1, 14)}


def fitting(table: Table) -> set[int]:
    """Return the naturals that fit some meld, worked out anew from the cards on the table."""
    rules = table.state.table[v.RULES :]
    wild = int(rules[WILD_MASK])
    first, last = POSITIONS[table.setup.ruleset.cards.ace]
    found = set()
    for row in meld_rows(table):
        if row[melds.KIND] == melds.SET:
            ranks = {c % 16 for c in meld_cards(row) if c != JOKER and not wild >> c & 1}
            found |= {c for c in PLAIN_CODES if not ranks or c % 16 in ranks}
            continue
        low, high = row[melds.LOW], row[melds.LOW] + row[melds.SIZE] - 1
        for position in (low - 1, high + 1):
            if first <= position <= last:
                found.add(16 * row[melds.SUIT] + (position - 1) % 13)
    return {c for c in found if not wild >> c & 1}


def check_open_cards(table: Table) -> None:
    """Check the boards of the cards that lie face up against melds and pile."""
    array = table.state.table
    pile = [int(c) for c in array[v.PILE_CARDS : v.PILE_CARDS + array[v.PILE]]]
    lying = Counter([*pile, *(card for row in meld_rows(table) for card in meld_cards(row))])
    boards = [int(x) for x in array[v.OPEN : v.OPEN + 4]]
    assert boards[3] == lying[JOKER]
    assert all(sum(b >> c & 1 for b in boards[:3]) == lying[c] for c in PLAIN_CODES)


def check_invariants(table: Table) -> None:
    check_open_cards(table)
    setup, array, hidden = table.setup, table.state.table, table.state.hidden
    cards = Counter(table.stock())
    for seat in range(setup.players):
        hand = table.hand(seat)
        cards.update(hand)
        assert len(hand) == hidden[st.HANDS + seat * st.HAND_WIDTH + st.SIZE]
        assert len(hand) == array[v.SEATS + seat * v.SEAT_WIDTH + v.HAND_SIZE]
        down = array[v.SEATS + seat * v.SEAT_WIDTH + v.DOWN]
        kept = hidden[st.HANDS + seat * st.HAND_WIDTH + st.DISTANCE]
        assert kept == (0 if down else _distance(table.state, seat))
    cards.update(array[v.PILE_CARDS : v.PILE_CARDS + array[v.PILE]].tolist())
    for row in meld_rows(table):
        laid = meld_cards(row)
        assert len(laid) == row[melds.SIZE]
        cards.update(laid)
    packs, jokers = setup.ruleset.packs_for(setup.players), setup.ruleset.jokers_for(setup.players)
    assert cards == Counter(dict.fromkeys(PLAIN_CODES, packs) | ({JOKER: jokers} if jokers else {}))
    assert len(table.stock()) == array[v.STOCK]
    if array[v.N_MELDS]:
        board = int(array[v.FITS])
        assert {c for c in PLAIN_CODES if board >> c & 1} == fitting(table)


def check_the_loop(setup: Setup, block: int, rotations: Iterable[int]) -> None:
    """Check that a table plays what the compiled loop plays, in some rotations of a block."""
    batch = play_blocks(setup, block, 1)
    for rotation in rotations:
        table = Table(setup, block * setup.players + rotation)
        table.play_out()
        while not table.over:
            table.next_deal()
            table.play_out()
        played = slice(None) if batch.sudden_death[rotation] else slice(0, -1)
        assert np.array_equal(table.records[played], batch.deals[rotation][played])
        assert np.array_equal(table.totals, batch.totals[rotation])
        assert winners(table) == np.flatnonzero(batch.win[rotation]).tolist()


@pytest.mark.parametrize("rules", RULESETS)
def test_the_stepper_and_the_loop_play_the_same_games(rules):
    ruleset = load_ruleset(rules)
    for players in range(ruleset.players.min, ruleset.players.max + 1):
        for coupling in st.COUPLINGS:
            setup = setup_of(rules, players, coupling=coupling, seed=players)
            check_the_loop(setup, 3, (0, players - 1))


def test_two_players_can_play_and_mixtures_are_drawn_once_per_block():
    setup = setup_of(players=2, changes=["players.min=2"])
    assert play_blocks(setup, 0, 5).totals.shape == (10, 2)
    mixed = Setup(
        load_ruleset("shanghai"), 4, (load_policy("plain"),), mixture=tuple(map(load_policy, POLICIES))
    )
    batch = play_blocks(mixed, 0, 50)
    by_policy = np.take_along_axis(batch.member, np.argsort(batch.policy, axis=1), axis=1).reshape(50, 4, 4)
    assert (by_policy == by_policy[:, :1]).all()
    assert (by_policy[:, 0, 0] == 0).all()
    assert set(np.unique(by_policy[:, 0, 1:])) == {1, 2, 3, 4}


def positions(n: int, **rest):
    """Yield tables at random decisions of random games."""
    rng = Random(5)
    while n:
        rules = rng.choice(RULESETS)
        ruleset = load_ruleset(rules)
        players = rng.randint(ruleset.players.min, ruleset.players.max)
        deal = (rng.randint(1, ruleset.n_deals),)
        table = Table(
            setup_of(rules, players, deals=deal, seed=rng.randrange(1000), **rest), rng.randrange(40)
        )
        for _ in range(rng.randrange(120)):
            if table.deal_over:
                break
            table.answer(table.built_in(table.view()))
        if not table.deal_over:
            n -= 1
            yield table, rng


def write_hand(table: Table, row: int, cards: list[int]) -> None:
    hidden = table.state.hidden
    boards = [0, 0, 0, 0]
    for card in cards:
        if card == JOKER:
            boards[3] += 1
        else:
            level = next(k for k in range(3) if not boards[k] >> card & 1)
            boards[level] |= 1 << card
    start = st.HANDS + row * st.HAND_WIDTH
    hidden[start : start + 4] = boards
