"""Table: the loop's own games one decision at a time; copies; every kind of illegal answer refused."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from shanghai_sim.cards import ALL_CODES, format_card, parse_hand
from shanghai_sim.engine import state as st
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.stepper import Table
from shanghai_sim.errors import PolicyError
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset
from tests.unit.engine.scenes import Run, Set, lay_off, scene, swap
from tests.unit.engine.test_tables import check_invariants, positions, setup_of


def played(table: Table) -> Table:
    table.play_out()
    while not table.over:
        table.next_deal()
        table.play_out()
    return table


@pytest.mark.parametrize("players", range(2, 9))
def test_mixtures_and_chosen_deals_are_the_loops_own_games(players):
    changes = ["players.min=2", "players.max=8", "stock.turn_limit=25"]
    field = [load_policy(spec) for spec in ("random", "plain+noise=0.1", "aggressive-buy+swap.use=always")]
    setup = Setup(
        load_ruleset("shanghai-buy-budget", changes), players, field[:1], mixture=field, seed=40 + players,
        namespace="tune", coupling=st.COUPLINGS[players % 2], deals=(2, 3, 10),
    )  # fmt: skip
    batch = play_blocks(setup, 2, 2)
    for g in range(2 * players):
        table = played(Table(setup, 2 * players + g))
        assert table.members == batch.member[g].tolist()
        assert table.who[:players].tolist() == batch.policy[g].tolist()
        slots = slice(None) if batch.sudden_death[g] else slice(0, -1)
        assert np.array_equal(table.records[slots], batch.deals[g, slots])
        assert np.array_equal(table.totals, batch.totals[g])


def test_sudden_death_is_the_loops_own():
    changes = [
        "score.points={A=0,K=0,Q=0,J=0,T=0,9=0,8=0,7=0,6=0,5=0,4=0,3=0,2=0,JK=1}",
        "stock.turn_limit=3",
    ]
    setup = setup_of(players=3, changes=changes, deals=(1,), seed=5)
    batch = play_blocks(setup, 0, 6)
    tied = np.flatnonzero(batch.sudden_death)
    assert 3 <= len(tied) < 18
    for g in tied:
        table = played(Table(setup, int(g)))
        assert table.slot == 1
        assert table.deal == 11
        assert np.array_equal(table.records, batch.deals[g])
        low = batch.totals[g] == batch.totals[g].min()
        best = batch.deals[g, -1, :, 0][low].min()
        assert np.array_equal(batch.win[g] > 0, low & (batch.deals[g, -1, :, 0] == best))
    assert batch.win.sum(axis=1) == pytest.approx(1)


@pytest.mark.nojit
def test_copies_branch_and_the_branches_do_not_touch():
    """From one position: the same answers give the same future; other answers leave the original alone."""
    for table, rng in positions(12):
        before = [array.copy() for array in table.state]
        first, second = table.copy(), table.copy().copy()
        for branch in (first, second):
            branch.play_out()
        assert np.array_equal(first.records, second.records)
        assert all(np.array_equal(a, b) for a, b in zip(first.state, second.state, strict=True))
        other = table.copy()
        while not other.deal_over and rng.random() < 0.98:
            other.answer(other.built_in(other.view()))
        assert all(np.array_equal(a, b) for a, b in zip(before, table.state, strict=True))
        assert not table.records.any()
        table.play_out()
        assert np.array_equal(table.records, first.records)


def test_a_whole_game_goes_on_from_a_copy():
    table = Table(setup_of("shanghai-quick-odd", 5, seed=6), 3)
    table.play_out()
    table.next_deal()
    for _ in range(30):
        table.answer(table.built_in(table.view()))
    copy = table.copy()
    assert np.array_equal(played(copy).records, played(table).records)
    assert copy.slot == table.slot


def refused(table: Table, *answers: int, what: str) -> None:
    """Check that answers are refused, that nothing has changed, and that the game goes on."""
    seat = table.seat
    before = [array.copy() for array in table.state]
    for answer in answers:
        with pytest.raises(PolicyError, match=f"seat {seat} gave an illegal {what}"):
            table.answer(answer)
    table.state.hidden[st.CULPRIT] = before[1][st.CULPRIT]
    scratch = slice(st.PLAN, st.KEYS)
    table.state.hidden[scratch] = before[1][scratch]
    assert all(np.array_equal(a, b) for a, b in zip(before, table.state, strict=True))
    after = table.copy()
    if table.decision == v.PLAY and table.state.hidden[st.MUST_LAY_OFF] < 0:
        after.answer(v.DONE)
    after.play_out()


@pytest.mark.nojit
def test_illegal_draws_and_buys():
    table = scene(hands={1: "7H 8H", 2: "KS"}, pile="QS", decision=v.DRAW)
    refused(table, 2, -1, 99, what="draw")
    down = {"hands": {1: "7H 8H"}, "pile": "QS", "decision": v.DRAW, "down": (1,)}
    refused(scene(changes=["draw.discard_after_laying_down=false"], **down), v.FROM_PILE, what="draw")
    scene(**down).answer(v.FROM_PILE)
    table.answer(v.FROM_STOCK)
    assert table.decision == v.BUY
    refused(table, 2, -1, 256, what="answer to a buy")


@pytest.mark.nojit
def test_illegal_discards():
    table = scene(hands={1: "7H 8H 2S"}, decision=v.DISCARD)
    held = parse_hand("7H 8H 2S")
    refused(table, *(code for code in ALL_CODES if code not in held), what="discard")
    refused(table, -1, 64, 14, 15, 29, 255, what="discard")


TABLE = [Run("5H 6H JK 8H", 5), Set("TD TC TH"), Set("9S JK 9D"), Run("JS QS KS AS", 11)]


def play(hand: str, *, down=(1,), melds=TABLE, changes=(), **rest) -> Table:
    return scene(hands={1: hand}, down=down, melds=melds, changes=changes, decision=v.PLAY, **rest)


@pytest.mark.nojit
@pytest.mark.parametrize(
    "answer",
    [
        lay_off("9D", 0, "high"), lay_off("9C", 0, "high"),  # ruling 17: the rank fits, the suit does not
        lay_off("9H", 0, "low"), lay_off("9H", 0, None), lay_off("4H", 0, "high"),
        lay_off("TS", 1, "high"), lay_off("9D", 1, None), lay_off("JK", 1, "low"), lay_off("JK", 3, "high"),
        lay_off("7H", 0, "high"), lay_off("TS", 3, "high"), lay_off("TS", 4, None), lay_off("TS", 255, None),
        lay_off("AH", 0, "low"), lay_off("3C", 1, None), v.LAY_DOWN, 15, 4, -1,
    ],
)  # fmt: skip
def test_illegal_lay_offs(answer):
    refused(play("9D 9C 9H 4H TS JK AH"), answer, what="meld, lay-off or swap")


@pytest.mark.nojit
def test_a_lay_off_needs_the_own_contract_and_a_card_to_discard():
    refused(play("9H 4H TS", down=()), lay_off("9H", 0, "high"), what="meld")
    refused(play("9H"), lay_off("9H", 0, "high"), what="meld")
    last = play("9H", changes=["go_out.discard=optional"])
    last.answer(lay_off("9H", 0, "high"))
    assert last.deal_over
    assert last.result()["went_out"][1] == 1


@pytest.mark.nojit
def test_illegal_swaps():
    # Runs alone by default; the natural must be held, and be the card that the wild stands for.
    refused(play("7H 9C 8D JK"), swap("9C", 2), what="meld")
    refused(play("8H 6H JK"), swap("7H", 0), swap("8H", 0), swap("6H", 0), swap("JK", 0), what="meld")
    refused(play("7H TS"), swap("TS", 1), swap("7H", 3), swap("7H", 9), what="meld")
    refused(play("7H 9C", down=()), swap("7H", 0), what="meld")
    every = ["swap.melds=all"]
    refused(play("7H 9C 8D", changes=every), swap("8D", 2), swap("7H", 2), what="meld")
    refused(play("7H 9C", changes=["swap.melds=none"]), swap("7H", 0), what="meld")
    for changes, answer, hand in (
        ((), swap("7H", 0), "JK 9C 8D"),
        (every, swap("7H", 0), "JK 9C 8D"),
        (every, swap("9C", 2), "JK 7H 8D"),
    ):
        table = play("7H 9C 8D", changes=changes)
        table.answer(answer)
        assert sorted(map(format_card, table.hand(1))) == sorted(hand.split())


@pytest.mark.nojit
def test_a_freed_wild_is_laid_off_before_anything_else():
    table = play("7H 9H 8D", changes=["swap.freed_wild=table"])
    table.answer(swap("7H", 0))
    others = (v.DONE, v.LAY_DOWN, lay_off("9H", 0, "high"), swap("9H", 2), lay_off("JK", 3, "high"))
    refused(table, *others, what="meld")
    table.answer(lay_off("JK", 2, None))
    table.answer(lay_off("9H", 0, "high"))
    # The wild that was freed must find a place, and a card must be left to discard.
    full = [Run("AS 2S 3S 4S 5S JK 7S 8S 9S TS JS QS KS AS", 1)]
    refused(play("6S 8D", melds=full, changes=["swap.freed_wild=table"]), swap("6S", 0), what="meld")
    refused(play("7H", changes=["swap.freed_wild=table"]), swap("7H", 0), what="meld")
    play("6S 8D", melds=full).answer(swap("6S", 0))


@pytest.mark.nojit
def test_illegal_lay_downs():
    contract = {"deals": (1,), "melds": [], "down": ()}
    refused(play("7H 7D 7C 9S 9D TC 2S", **contract), v.LAY_DOWN, what="meld")
    # Six cards of twelve can be laid down; six of six cannot, but by option.
    refused(play("7H 7D 7C 9S 9D 9C", **contract), v.LAY_DOWN, what="meld")
    optional = play("7H 7D 7C 9S 9D 9C", changes=["go_out.discard=optional"], **contract)
    optional.answer(v.LAY_DOWN)
    assert optional.deal_over
    table = play("7H 7D 7C 9S 9D JK 2S 7S", **contract)
    table.answer(v.LAY_DOWN)
    # Ruling 29: nothing is laid off in the turn of laying down; a discard is due.
    assert table.decision == v.DISCARD
    refused(table, lay_off("7S", 0, None), what="discard")


def test_nothing_is_answered_when_a_deal_is_over():
    table = Table(setup_of(), 0)
    table.play_out()
    records = table.records.copy()
    for answer in (0, 1, *table.hand(1)):
        with pytest.raises(PolicyError, match="the deal is over"):
            table.answer(answer)
    assert np.array_equal(table.records, records)


def test_random_answers_never_break_the_table():
    """Whatever is answered is refused, and nothing moves, or legal, and no card is lost."""
    counts = Counter()
    for table, rng in positions(60):
        for _ in range(40):
            if table.deal_over:
                break
            code = rng.choice([rng.choice(ALL_CODES), *table.hand(table.seat)])
            anywhere = (
                rng.choice([v.LAY_OFF, v.SWAP]) | code << 4 | rng.randrange(4) << 12 | rng.randrange(4) << 20
            )
            answer = {v.PLAY: anywhere, v.DISCARD: code}.get(table.decision, rng.randrange(-1, 3))
            seat, decision = table.seat, table.decision
            try:
                table.answer(answer)
            except PolicyError:
                counts["refused"] += 1
                assert (table.seat, table.decision) == (seat, decision)
                check_invariants(table)
                if decision != v.PLAY or rng.random() < 0.1:
                    table.answer(table.built_in(table.view()))
            else:
                counts[decision] += 1
                check_invariants(table)
    assert min(counts[kind] for kind in ("refused", v.DRAW, v.BUY, v.DISCARD)) > 50
    assert counts[v.PLAY] > 0
