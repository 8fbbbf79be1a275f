"""What the cards of a game depend on: seed, namespace, block and deal, never on policies or how games are played."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.special import chdtrc

from shanghai_sim.cards import ALL_CODES, JOKER
from shanghai_sim.defaults import NAMESPACES
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.stepper import Table
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset
from tests.unit.engine.scenes import scene, text_of
from tests.unit.engine.test_tables import POLICIES, setup_of


def cards_of(table: Table):
    """Return everything that was dealt: hands by seat, the pile, the stock."""
    pile = table.state.table[v.PILE_CARDS : v.PILE_CARDS + table.state.table[v.PILE]]
    hands = [table.hand(seat) for seat in range(table.setup.players)]
    return hands, pile.tolist(), table.stock()


def dealt(setup: Setup, game: int):
    """Return what every deal of a game started with, as its own policies play it."""
    table, starts = Table(setup, game), []
    while True:
        starts.append(cards_of(table))
        table.play_out()
        if table.slot == setup.n_slots - 2:
            return starts
        table.next_deal()


def records(table: Table) -> np.ndarray:
    table.play_out()
    while not table.over:
        table.next_deal()
        table.play_out()
    return table.records


@pytest.mark.parametrize("rules", ["shanghai-growing", "finnish"])
@pytest.mark.parametrize("coupling", st.COUPLINGS)
def test_policies_rotations_and_other_deals_shift_no_deck(rules, coupling):
    """Every deal of a block starts alike under all policies, in all rotations, whichever deals are played."""
    setup = setup_of(rules, 3, ["plain"], coupling=coupling, seed=8)
    wanted = dealt(setup, 6)
    for policies in (["random"], ["aggressive-buy"], POLICIES):
        for rotation in (1, 2):
            assert dealt(setup_of(rules, 3, policies, coupling=coupling, seed=8), 6 + rotation) == wanted
    some = dealt(setup_of(rules, 3, coupling=coupling, seed=8, deals=(2, 5)), 6)
    assert some == [wanted[1], wanted[4]]


def test_seed_namespace_block_and_deal_make_other_decks():
    starts = [dealt(setup_of(seed=seed, deals=(1, 2)), game) for seed in (1, 2) for game in (0, 4, 8)]
    starts += [dealt(setup_of(namespace=name, deals=(1, 2)), 0) for name in NAMESPACES[1:]]
    hands = [str(start[0]) for game in starts for start in game]
    assert len(set(hands)) == len(hands) == 2 * (6 + len(NAMESPACES) - 1)


def test_rules_of_play_shift_no_deck():
    """A rule that deals the same number of cards deals the same cards: arms of a sweep meet the same luck."""
    wanted = dealt(setup_of(seed=4), 5)
    for change in ("buy.per_deal=0", "score.points.JK=15", "cards.wild=['2']", "stock.turn_limit=2"):
        assert dealt(setup_of(seed=4, changes=[change]), 5) == wanted


@pytest.mark.nojit
def test_a_policy_that_draws_more_numbers_shifts_nothing():
    setup = setup_of(policies=["plain", "aggressive-buy"], deals=(1, 8), seed=3)
    wanted = records(Table(setup, 2))
    greedy = Table(setup, 2)
    for _ in setup.deal_numbers[:-1]:
        while not greedy.deal_over:
            for _ in range(3):
                view = greedy.view()
            greedy.answer(greedy.built_in(view))
        if not greedy.over:
            greedy.next_deal()
    assert np.array_equal(records(greedy), wanted)


def test_noise_is_the_own_arms_and_new_at_each_decision():
    """Equal policies at one table act on different bits, and a policy takes its bits to every seat."""
    noise: dict[tuple[int, int], list[int]] = {}
    for game in range(4):
        table = Table(setup_of(policies=["random"], seed=2), game)
        while not table.deal_over:
            view = table.view()
            noise.setdefault((view.seat, int(table.who[view.seat])), []).append(view.noise)
            table.answer(table.built_in(view))
    assert len(noise) == 16
    everything = [bits for stream in noise.values() for bits in stream]
    assert len(set(everything)) == len(everything)
    assert all(0 <= bits < 1 << 53 for bits in everything)


def test_a_buy_moves_the_next_card_of_the_pile_but_no_seats_own_order():
    """Under "seat" the active player draws the same card whether or not another bought, unless it was the penalty."""
    outcomes = Counter()
    for coupling in st.COUPLINGS:
        for game in range(60):
            table = Table(setup_of(policies=["plain"], coupling=coupling, seed=21, deals=(9,)), game)
            table.answer(v.FROM_STOCK)
            active, buyer = int(table.state.hidden[st.ACTIVE]), table.seat
            held = {seat: Counter(table.hand(seat)) for seat in (active, buyer)}
            other = table.copy()
            other.answer(v.YES)
            while table.decision == v.BUY:
                table.answer(v.NO)
            drawn, after_buy = (Counter(t.hand(active)) - held[active] for t in (table, other))
            bought = Counter(other.hand(buyer)) - held[buyer]
            outcomes[coupling, drawn == after_buy] += 1
            if coupling == "pile":
                # The penalty card is the one that the active player would have drawn.
                assert not drawn - bought
    # The two cards may be equal by chance, or the penalty the very card.
    assert outcomes["seat", True] >= 57
    assert outcomes["pile", True] <= 5


@pytest.mark.parametrize("players", [3, 5])
def test_a_game_is_the_same_in_any_batch(players):
    chosen = [load_policy("plain+noise=0.1"), load_policy("aggressive-buy"), load_policy("random")]
    mixed = Setup(
        load_ruleset("shanghai-quick-odd"), players, chosen[:1], mixture=chosen, seed=12, namespace="pilot"
    )
    seated = setup_of("shanghai-quick-odd", players, seed=12)
    for setup in (mixed, seated):
        whole = play_blocks(setup, 0, 6)
        for parts in ([(0, 1), (1, 3), (4, 2)], [(5, 1), (2, 3), (0, 2)]):
            for first, n in parts:
                part = play_blocks(setup, first, n)
                for one, all_of_it in zip(part, whole, strict=True):
                    assert np.array_equal(one, all_of_it[first * players : (first + n) * players])
        for game in (0, 2 * players + 1, 6 * players - 1):
            end = transcript(setup, game)[-1]
            assert end["totals"] == whole.totals[game].tolist()
            assert end["winners"] == np.flatnonzero(whole.win[game]).tolist()


def p_value(counts: Counter, n: int, expected: dict) -> float:
    statistic = sum((counts[code] - n * share) ** 2 / (n * share) for code, share in expected.items())
    return float(chdtrc(len(expected) - 1, statistic))


@pytest.mark.parametrize("players", [4, 5])
def test_the_first_cards_are_uniform(players):
    """The card turned up, the first draw of the stock, and the cards of the first hand."""
    packs, jokers = (2, 4) if players == 4 else (3, 6)
    total = 52 * packs + jokers
    expected = {code: (jokers if code == JOKER else packs) / total for code in ALL_CODES}
    n, turned, drawn, held = 2500, Counter(), Counter(), Counter()
    setup = setup_of(players=players, policies=["no-buy"], seed=77, deals=(1,))
    table = Table(setup, 0)
    for block in range(n):
        table.block, table.slot = block, -1
        table.next_deal()
        first = table.hand(1)
        turned.update(table.state.table[v.PILE_CARDS : v.PILE_CARDS + 1].tolist())
        held.update(first)
        table.answer(v.FROM_STOCK)
        while table.decision == v.BUY:
            table.answer(v.NO)
        drawn.update(Counter(table.hand(1)) - Counter(first))
    assert p_value(turned, n, expected) > 1e-4
    assert p_value(drawn, n, expected) > 1e-4
    # The cards of one hand are drawn without putting back, so that these counts vary a little less.
    assert p_value(held, 11 * n, expected) > 1e-4


@pytest.mark.nojit
@pytest.mark.parametrize("coupling", st.COUPLINGS)
def test_after_a_reshuffle_the_order_does_not_depend_on_how_much_was_drawn_before(coupling):
    """Orders are keyed by the number of the reshuffle: arms that drew differently meet the same luck again."""
    pile = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS 3H 4H 5H 6H 7H 8H 9H TH JH"
    drawn = {}
    for before in (0, 1, 17, 900):
        for number in (0, 1):
            table = scene(hands={1: "AD"}, stock="", pile=pile, decision=v.DRAW, coupling=coupling)
            table.state.hidden[st.COUNTERS : st.COUNTERS + st.PILE_STREAM + 1] += before
            table.state.table[v.RESHUFFLES] = number
            table.answer(v.FROM_STOCK)
            while table.decision == v.BUY:
                table.answer(v.NO)
            drawn.setdefault(number, set()).add((text_of(table, 1), tuple(table.stock())))
    assert [len(cards) for cards in drawn.values()] == [1, 1]
    assert drawn[0] != drawn[1]
