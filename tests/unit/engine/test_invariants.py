"""What holds after every step, checked against the cards themselves and the slow twins, over hundreds of deals."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from shanghai_sim.cards import format_card
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup
from shanghai_sim.engine.metrics import DEAL_COLUMNS
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules import melds
from shanghai_sim.rules.ruleset import load_ruleset
from tests.reference.plain_cards import Limits
from tests.reference.referee.melds import within_wild_limits
from tests.reference.slow_distance import slow_distance, slow_whole_hand_distance
from tests.unit.engine.test_tables import (
    POLICIES,
    POSITIONS,
    RULESETS,
    check_invariants,
    meld_cards,
    meld_rows,
)

#: The presets, and what none of them does.
KINDS = [
    *POLICIES,
    "balanced+buy.min_outs=4",
    "balanced+discard.prefer=cheapest+noise=0.1",
    "aggressive-buy+draw.min_gain=0+swap.use=always",
    "plain+noise=0.2+buy.when=only-if-short",
    "plain+lay_off.when=never+discard.prefer=cheapest",
]
MANY = "cards.jokers={2=12}"
#: Options beyond those of the rulesets that ship, to be put on top of them.
CHANGES = [
    (), ("buy.penalty_cards=3", "buy.own_discard=true"), ("cards.wild=['2','JK']", "swap.melds=all"),
    ("cards.wild=['2']",), ("cards.ace=low", "go_out.discard=optional"), ("cards.ace=high",),
    ("stock.when_empty=end-deal", "deal.hand_size=16"), ("deal.hand_size=20", "buy.per_deal=unlimited"),
    ("cards.jokers={2=12}", "swap.melds=all", "swap.freed_wild=table"), ("cards.packs={2=3}", "cards.jokers={}"),
    ("meld.longer_at_lay_down=true", "meld.set_suits=distinct"), ("meld.lay_off_same_turn=true", MANY),
    ("meld.max_wilds=1", "meld.wild_limits=always", "swap.melds=all", "swap.freed_wild=table", MANY),
    ("meld.naturals_outnumber_wilds=strictly", "meld.wild_limits=always", "cards.wild=['2','JK']"),
    ("meld.naturals_outnumber_wilds=at-least-equal", "meld.same_rank_sets=false"),
    ("meld.runs_may_adjoin=false", "deal.natural_only=[1,2,3,4,5]"), ("go_out.last_deal_takes_whole_hand=true",),
]  # fmt: skip


def options_of(setup: Setup) -> dict:
    options = setup.ruleset.to_options()
    return {"wild": tuple(options["cards"]["wild"]), "ace": options["cards"]["ace"]}


def limits_of(table: Table) -> dict:
    """Return the options on melds that bind a contract of this deal, as the slow twins take them."""
    ruleset = table.setup.ruleset
    limits = {name: getattr(ruleset.meld, name) for name in Limits._fields}
    if ruleset.natural_only_in(table.deal):
        return limits | {"max_wilds": 0}
    return limits | {"max_wilds": None if limits["max_wilds"] == "any" else limits["max_wilds"]}


def takes_a_wild(options: dict, cards: list[str]) -> bool:
    """Return whether the limits on wilds, where they hold for grown melds, leave room for one more."""
    wild = [*options["cards"]["wild"], "JK"]
    always = options["meld"]["wild_limits"] == "always"
    return not always or within_wild_limits(options | {"cards": {"wild": wild}}, [*cards, "JK"])


def check_boards(table: Table) -> None:
    """Check how hands and melds are stored: nothing negative, copies in order, no two places for one card."""
    hidden, array = table.state.hidden, table.state.table
    for row in (*range(table.setup.players), st.STOCK_SEAT):
        start = st.HANDS + row * st.HAND_WIDTH
        b1, b2, b3, jokers, size, distance = (int(x) for x in hidden[start : start + 6])
        assert b1 & b2 == b2
        assert b2 & b3 == b3
        assert min(b1, b2, b3, jokers, size, distance) >= 0
    assert min(int(array[column]) for column in (v.N_MELDS, v.PILE, v.STOCK, v.RESHUFFLES)) >= 0
    wild_fits = False
    options = table.setup.ruleset.to_options()
    wild = options["cards"]["wild"]
    first, last = POSITIONS[table.setup.ruleset.cards.ace]
    for row in meld_rows(table):
        cards = [format_card(card) for card in meld_cards(row)]
        wilds = [card for card in cards if card in wild or (card != "JK" and card[0] in wild)]
        assert row[melds.WILDS] == len(wilds)
        low, high = row[melds.LOW], row[melds.LOW] + row[melds.SIZE] - 1
        if row[melds.KIND] == melds.SET:
            wild_fits |= takes_a_wild(options, cards)
            ranks = {card[0] for card in cards if card not in wilds}
            assert len(ranks) <= 1
            assert (row[melds.RANK] == melds.NO_RANK) == (not ranks)
        else:
            assert first <= low <= high <= last
            wild_fits |= (first < low or high < last) and takes_a_wild(options, cards)
            outside = [p for p in range(1, 15) if not low <= p <= high]
            assert all(row[melds.CARDS + p] == melds.NO_CARD for p in outside)
    assert array[v.WILD_FITS] == wild_fits


def check_turn(table: Table) -> None:
    """Check who is asked what, and that the pile knows who discarded its top card."""
    hidden, array, players = table.state.hidden, table.state.table, table.setup.players
    if table.deal_over:
        return
    active, decider = int(hidden[st.ACTIVE]), int(hidden[st.DECIDER])
    seats = array[v.SEATS : v.SEATS + players * v.SEAT_WIDTH].reshape(players, -1)
    before = (active - 1) % players
    turned_up = seats[:, v.DISCARDED].sum() == 0
    assert (decider == active) == (table.decision != v.BUY)
    if table.decision in (v.DRAW, v.BUY):
        assert array[v.PILE] > 0
        assert array[v.DISCARDER] == (-1 if turned_up else before)
        top = int(array[v.PILE_CARDS + array[v.PILE] - 1])
        assert turned_up or int(seats[before, v.DISCARDED]) >> top & 1
    if table.decision == v.BUY:
        options = table.setup.ruleset.buy
        assert options.own_discard or decider != array[v.DISCARDER]
        limit = table.setup.ruleset.buys_in(table.deal)
        assert limit is None or seats[decider, v.BUYS] < limit
    # Turns go round: nobody is more than one ahead, and whoever comes later has not more.
    first = (int(table.deal) % players) if players else 0
    order = [int(seats[(first + i) % players, v.TURNS]) for i in range(players)]
    assert order == sorted(order, reverse=True)
    assert order[0] - order[-1] <= 1
    assert (seats[:, v.DOWN] <= seats[:, v.TURNS]).all()


def check_slowly(table: Table, seat: int) -> None:
    """Check the distance kept for a hand against the slow twins."""
    if table.state.table[v.SEATS + seat * v.SEAT_WIDTH + v.DOWN]:
        return
    ruleset = table.setup.ruleset
    hand = [format_card(card) for card in table.hand(seat)]
    kept = table.state.hidden[st.HANDS + seat * st.HAND_WIDTH + st.DISTANCE]
    twin = slow_whole_hand_distance if ruleset.whole_hand_in(table.deal) else slow_distance
    options = options_of(table.setup) | limits_of(table)
    try:
        expected = twin(hand, str(ruleset.contract_in(table.deal)), **options)
    except ValueError:
        assert kept > len(hand)  # no melds take so many cards
    else:
        assert kept == expected


def check_record(table: Table) -> None:
    """Check the record of a deal that is over against what lies on the table."""
    record = {name: table.records[table.slot, :, i] for i, name in enumerate(DEAL_COLUMNS)}
    points = table.setup.ruleset.card_points()
    wild = table.setup.ruleset.wild_codes()
    for seat in range(table.setup.players):
        hand = table.hand(seat)
        out = bool(record["went_out"][seat])
        assert out == (not hand)
        assert (
            (record["points"][seat] <= 0) if out else record["points"][seat] == sum(points[c] for c in hand)
        )
        assert record["wilds_left"][seat] == sum(c in wild for c in hand)
        assert record["peak_hand"][seat] >= len(hand)
        assert (record["lay_down_turn"][seat] > 0) == record["laid_down"][seat]
        assert record["buys"][seat] <= record["buys_offered"][seat]
    assert record["went_out"].sum() <= 1
    assert (record["end_reason"] == (0 if record["went_out"].any() else record["end_reason"][0])).all()


def games():
    """Yield setups: each ruleset with each number of players, both couplings, shifting policies and options."""
    rng = Random(6)
    n = 0
    for rules in RULESETS:
        for players in range(2, 9):
            changes = (*CHANGES[n % len(CHANGES)], "players.min=2", "players.max=8")
            ruleset = load_ruleset(rules, changes if n % 2 else changes[-2:])
            kinds = [KINDS[(n + i) % len(KINDS)] for i in range(players)]
            deals = tuple(sorted(rng.sample(range(1, ruleset.n_deals + 1), 2)))
            n += 1
            yield Setup(
                ruleset, players, [load_policy(kind) for kind in kinds], seed=n, deals=deals,
                coupling=st.COUPLINGS[n % 2],
            )  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_everything_holds_after_every_step(part):
    deals, seen = 0, Counter()
    for setup in list(games())[part::4]:
        table = Table(setup, part)
        while True:
            step = 0
            while True:
                check_turn(table)
                if step % 5 == part or table.deal_over:
                    check_invariants(table)
                    check_boards(table)
                if step % 23 == part:
                    check_slowly(table, table.seat)
                if table.deal_over:
                    break
                seen[table.decision] += 1
                table.answer(table.built_in(table.view()))
                step += 1
            check_record(table)
            deals += 1
            if table.over:
                break
            table.next_deal()
    assert deals >= 36
    assert set(seen) == {v.DRAW, v.BUY, v.PLAY, v.DISCARD}


@pytest.mark.nojit
def test_a_deal_leaves_the_rules_and_what_is_hidden_from_it_alone():
    """Playing changes neither the rules on the table nor the keys of the streams."""
    setup = Setup(load_ruleset("finnish"), 3, [load_policy("plain")] * 3, seed=3, deals=(2,))
    table = Table(setup, 0)
    rules = table.state.table[v.RULES :].copy()
    keys = table.state.hidden[st.KEYS : st.KEYS + st.N_STREAMS].copy()
    table.play_out()
    assert np.array_equal(table.state.table[v.RULES :], rules)
    assert np.array_equal(table.state.hidden[st.KEYS : st.KEYS + st.N_STREAMS], keys)
