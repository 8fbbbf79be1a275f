"""What weighs in a discard or a buy, against the same worked out slowly from the cards on the table."""

from __future__ import annotations

from collections import Counter

import pytest

from shanghai_sim.cards import JOKER, format_card
from shanghai_sim.policies import view as v
from tests.unit.policies.seen import sample

RULES = ["shanghai", "finnish", "shanghai-canonical", "liverpool", "shanghai-wild-twos"]
BASE = "balanced+buy.min_outs=5+buy.keep=1+discard.outs=4+discard.danger=2+discard.points=0.5"
#: Everything else that a discard may weigh.
MORE = [
    "+opponents.memory=1+discard.keep_pairs=1",
    "+opponents.memory=3+opponents.block_leader=3+discard.keep_connected=1",
    "+score.risk=2+discard.points_once_down=3",
    "+score.risk=-2+discard.points_near_out=4+opponents.near_out=8",
    "+plan.sets_first=3+discard.distance=6",
    "+plan.sets_first=-3+plan.break_sets=1000",
    "+plan.break_sets=4+discard.distance=9",
]


@pytest.mark.parametrize(
    ("rules", "more"), [*((rules, "") for rules in RULES), *(("shanghai", more) for more in MORE)]
)
def test_the_discard_weighs_most(rules, more):
    """Points count for a card; outs lost, danger, distance and what stands beside it count against it."""
    checked = several = costly = 0
    for seen, answer in sample(v.DISCARD, BASE + more, rules):
        naturals = set(seen.naturals)
        dead = JOKER in seen.hand and JOKER not in seen.wilds
        if not naturals or dead or seen.view.down:
            continue
        cost = {c: seen.distance(less=(c,)) for c in naturals}
        free = {c for c in naturals if cost[c] == min(cost.values())}
        outs = min(cost.values()) <= seen.view.distance
        worth = {
            c: seen.worth(c, outs=outs and c in free, costs=c not in free)
            for c in (naturals if outs else free)
        }
        chosen = answer & 255
        costly += chosen not in free
        if len(worth) > 1:
            assert worth[chosen] == pytest.approx(max(worth.values())), (format_card(chosen), worth)
            several += len({round(x, 6) for x in worth.values()}) > 1
        checked += 1
    assert checked > 15
    assert several > 8
    assert (costly > 0) == ("discard.distance" in more or "plan.break" in more)


@pytest.mark.parametrize("rules", ["shanghai", "finnish", "liverpool"])
def test_buys_for_outs(rules):
    found: Counter[str] = Counter()
    for seen, answer in sample(v.BUY, BASE, rules):
        code = seen.view.upcard
        if seen.view.down:
            continue
        helps = seen.view.distance > 0 and seen.distance(code) < seen.view.distance
        useless = code in seen.wilds or code == JOKER or seen.hand.count(code) == 3
        outs = 0 if useless else seen.outs_gained(code)
        expected = helps or (outs >= 5 and seen.view.buys_left > 1)
        assert answer == int(expected), (format_card(code), helps, outs)
        found["helps" if helps else "outs" if expected else "no"] += 1
    assert min(found["helps"], found["outs"], found["no"]) > 0
