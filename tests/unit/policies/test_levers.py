"""Every parameter moves decisions: how often, and the way it says."""

from __future__ import annotations

from collections import Counter

import pytest

from shanghai_sim.cards import JOKER
from shanghai_sim.engine.stepper import _decide
from shanghai_sim.policies import view as v
from shanghai_sim.policies.parameters import PARAMETERS
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.kernel_rules import DEAL, KEEP
from tests.unit.policies.decisions import decisions
from tests.unit.policies.seen import sample

#: A change of each parameter from what `balanced` has, and the kinds of decisions that it moves.
MOVES = {
    "draw.min_gain": ("0", v.DRAW),
    "draw.deny": ("0.6", v.DRAW),
    "plan.sets_first": ("5", v.DISCARD),
    "plan.break_sets": ("1000", v.DISCARD),
    "buy.when": ("never", v.BUY),
    "buy.min_outs": ("3", v.BUY),
    "buy.max_buys": ("1", v.BUY),
    "buy.from_deal": ("4", v.BUY),
    "buy.until_turn": ("2", v.BUY),
    "buy.deny": ("0.3", v.BUY),
    "buy.keep": ("3", v.BUY),
    "buy.reserve": ("9", v.BUY),
    "lay_down.when": ("when-hand-small", v.PLAY),
    "lay_down.max_left": ("0", v.PLAY),
    "lay_down.from_turn": ("4", v.PLAY),
    "lay_down.until_turn": ("2", v.PLAY),
    "wild.hold_until_turn": ("99", v.PLAY),
    "wild.use": ("last", v.PLAY),
    "wild.dump_from_turn": ("2", v.DISCARD),
    "wild.dump": ("when-free", v.DISCARD),
    "lay_off.when": ("never", v.PLAY),
    "lay_off.keep_one": ("true", v.PLAY),
    "swap.use": ("always", v.PLAY),
    "discard.prefer": ("cheapest", v.DISCARD),
    "discard.distance": ("3", v.DISCARD),
    "discard.outs": ("0", v.DISCARD),
    "discard.danger": ("0", v.DISCARD),
    "discard.points": ("0", v.DISCARD),
    "discard.points_from_turn": ("99", v.DISCARD),
    "discard.points_once_down": ("5", v.DISCARD),
    "discard.points_near_out": ("20", v.DISCARD),
    "discard.keep_pairs": ("5", v.DISCARD),
    "discard.keep_connected": ("5", v.DISCARD),
    "opponents.memory": ("0", v.DISCARD),
    "opponents.block_leader": ("9", v.DISCARD),
    "opponents.near_out": ("9", v.DISCARD),
    "score.risk": ("3", v.DISCARD, v.BUY),
    "noise": ("1", v.DRAW, v.BUY, v.PLAY, v.DISCARD),
}
#: What else has to be set for a parameter to matter.
BESIDE = {
    "lay_down.max_left": "+lay_down.when=when-hand-small",
    "lay_down.until_turn": "+lay_down.when=when-out",
    "buy.keep": "+buy.min_outs=5",
    "wild.dump": "+wild.dump_from_turn=2",
    "opponents.near_out": "+discard.points_near_out=20",
}
#: The rules under which a parameter matters, where they are not those of `shanghai`.
UNDER = {"buy.reserve": "shanghai-buy-budget"}


def test_every_parameter_has_a_row():
    assert set(MOVES) == {parameter.key for parameter in PARAMETERS}


@pytest.mark.parametrize("key", MOVES)
def test_it_moves_the_decisions_that_it_should_and_no_others(key):
    value, *kinds = MOVES[key]
    base = f"balanced{BESIDE.get(key, '')}"
    rows = load_policy(f"{base}+{key}={value}").rows(10)
    seen, moved = Counter(), Counter()
    for table, view, answer in decisions(base, rules=UNDER.get(key, "shanghai")):
        other = int(_decide(view, table.state.table, rows[table.slot]))
        seen[view.decision] += 1
        moved[view.decision] += other != answer
    assert seen.total() > 1_000
    assert set(+moved) == set(kinds), (key, moved)
    assert all(0 < moved[kind] < seen[kind] for kind in kinds), (key, moved)


def test_it_waits_with_its_contract_until_few_cards_are_stuck():
    policy = "balanced+lay_down.when=when-hand-small+lay_down.max_left=2"
    answers, fewer = Counter(), 0
    for seen, answer in sample(v.PLAY, policy, "shanghai", every=1, games=6, others="balanced"):
        if seen.view.down == 0:
            assert (answer == v.LAY_DOWN) == (seen.stuck() <= 2)
            answers[answer] += 1
            fewer += seen.stuck() <= 2 < seen.left()
    assert min(answers[v.LAY_DOWN], answers[v.DONE], fewer) > 0


@pytest.mark.parametrize("rules", ["shanghai", "shanghai-canonical"])
def test_it_lays_down_only_to_go_out(rules):
    """In one turn with the discard, or with lay-offs where the rules let them follow at once."""
    answers, helped = Counter(), 0
    policy = "balanced+lay_down.when=when-out"
    for seen, answer in sample(v.PLAY, policy, rules, every=1, games=20, others="balanced"):
        if seen.view.down or seen.whole:
            continue
        assert answer == v.DONE or seen.goes_out()
        answers[answer] += 1
        helped += answer == v.LAY_DOWN and len(seen.hand) - seen.contract.cards > 1
    assert min(answers[v.LAY_DOWN], answers[v.DONE]) > 0
    assert (helped > 0) == (rules == "shanghai-canonical")


def test_it_lays_wilds_down_last():
    """It waits exactly as long as a natural may still come in the place of a wild of its contract."""
    answers = Counter()
    for seen, answer in sample(v.PLAY, "balanced+wild.use=last", "shanghai", every=1):
        if seen.view.down == 0:
            assert (answer == v.DONE) == seen.naturals_may_come()
            answers[answer] += 1
    assert min(answers[v.DONE], answers[v.LAY_DOWN]) > 0


def test_it_keeps_the_last_card_that_fits():
    kept = out = 0
    for seen, answer in sample(v.PLAY, "balanced+lay_off.keep_one=true", "shanghai", every=1):
        if not seen.view.down or seen.view.must_lay_off >= 0:
            continue
        fits = [c for c in seen.naturals if int(seen.array[v.FITS]) >> c & 1]
        if seen.array[v.WILD_FITS]:
            fits += [c for c in seen.hand if c == JOKER]
        if len(fits) == 1 and answer & 15 != v.SWAP:
            last = len(seen.hand) - 1 == int(seen.array[v.RULES + KEEP])
            assert (answer & 15 == v.LAY_OFF) == last
            kept += not last
            out += last
    assert min(kept, out) > 0


def test_it_keeps_buys_for_what_helps():
    """With its last two buys left it buys only what lowers its distance."""
    bought = 0
    for seen, answer in sample(v.BUY, "aggressive-buy+buy.keep=2", "shanghai", every=1):
        view = seen.view
        helps = view.distance > 0 and seen.distance(view.upcard) < view.distance
        if view.down == 0 and view.buys_left <= 2:
            assert answer == int(helps)
            bought += helps
        elif view.down == 0:
            assert answer == v.YES
    assert bought > 0


def test_it_throws_wilds_that_cost_no_more_than_all_else():
    thrown = kept = 0
    policy = "balanced+wild.dump_from_turn=1+wild.dump=when-free"
    for seen, answer in sample(v.DISCARD, policy, "shanghai", every=1):
        if seen.view.down or JOKER not in seen.hand:
            continue
        cost = {c: seen.distance(less=(c,)) for c in seen.hand}
        assert (answer & 255 == JOKER) == (cost[JOKER] == min(cost.values()))
        thrown += answer & 255 == JOKER
        kept += answer & 255 != JOKER
    assert min(thrown, kept) > 0


def test_it_keeps_wilds_while_naturals_may_come():
    """Before the turn it lays down only what takes no wild; whoever holds none need not wait."""
    waits = {True: 0, False: 0}
    for _, view, answer in decisions("balanced+wild.hold_until_turn=9"):
        if view.decision != v.PLAY or view.down != 0:
            continue
        if answer == v.DONE:
            assert view.turn < 9
            assert view.jokers > 0
        waits[answer == v.DONE] += 1
    assert min(waits.values()) > 0


def test_it_throws_wilds_from_a_turn_on():
    thrown = kept = 0
    for _, view, answer in decisions("balanced+wild.dump_from_turn=3"):
        if view.decision != v.DISCARD or view.down != 0 or view.jokers == 0:
            continue
        assert (answer & 255 == JOKER) == (view.turn >= 3)
        thrown += view.turn >= 3
        kept += view.turn < 3
    assert min(thrown, kept) > 0


def test_it_leaves_buys_of_the_game_for_later_deals():
    """With a reserve of 9 in deals 1 to 3 and of 5 after them, nobody has bought more often by then."""
    policy = "balanced+buy.reserve=[9,9,9,5,5,5,5,5,5,5]"
    most = Counter()
    for seen, answer in sample(v.BUY, policy, "shanghai-buy-budget", every=1, games=4):
        row, early = v.SEATS + seen.view.seat * v.SEAT_WIDTH, int(seen.array[v.RULES + DEAL]) <= 3
        most[early] = max(most[early], int(seen.array[row + v.GAME_BUYS]) + answer)
    assert most == {True: 3, False: 7}


def test_it_saves_its_buys():
    bought = {t.deal for t, view, answer in decisions("save-buys") if view.decision == v.BUY and answer}
    assert bought
    assert min(bought) >= 7
