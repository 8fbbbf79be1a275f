"""What if: branches of real positions, against exact values, and what cannot be asked."""

from __future__ import annotations

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.cards import JOKER, format_card, parse_card
from shanghai_sim.engine.situation import Situation, situation
from shanghai_sim.experiments.decisions import decisions_met
from shanghai_sim.experiments.run import requested_plan
from shanghai_sim.policies.view import FITS
from shanghai_sim.simulation.question_columns import WHAT_IF
from tests.unit.policies.decisions import decisions

#: A game so small that the value of a draw can be worked out: one turn each, and nobody ever lays down.
TINY = [
    "deal.contracts=['S3 S3 S3 S3']", "deal.hand_size=3", "stock.turn_limit=1", "buy.per_deal=0", "score.tie=shared",
]  # fmt: skip


def exact_values(table) -> dict[str, float]:
    """Return the expected points after either draw: the dearest natural of four cards goes."""
    rules = table.setup.ruleset
    points = rules.card_points()
    hand = table.hand(table.seat)

    def left(code: int) -> int:
        cards = [*hand, code]
        naturals = [points[c] for c in cards if c != JOKER]
        return sum(points[c] for c in cards) - max(naturals, default=points[JOKER])

    upcard = parse_card(situation(table, table.view()).upcard)
    return {"stock": float(np.mean([left(c) for c in table.stock()])), "discard": float(left(upcard))}


@pytest.mark.parametrize("coupling", ["seat", "pile"])
def test_a_tiny_game_has_its_exact_values(coupling):
    asked = {"rules": "shanghai", "overrides": TINY, "games": 3_000, "seed": 2, "coupling": coupling}
    found = ss.what_if("plain", decision="draw", options=("stock", "discard"), against="plain", **asked)
    plan = requested_plan("plain", against="plain", **asked)
    exact = [exact_values(table) for _, table, view, _ in decisions_met(plan) if view.decision == 0]
    assert found.decisions == len(exact) == 3_000
    stock, discard = (np.array([value[option] for value in exact]) for option in ("stock", "discard"))
    rows = found.to_frame().set_index("option")
    assert rows.points["discard"] == pytest.approx(discard.mean())
    half = (rows.high["discard"] - rows.low["discard"]) / 2
    assert abs(rows.difference["discard"] - (discard - stock).mean()) < 2 * half
    # Other shuffles of the same stock: the same expectation, less noise.
    more = ss.what_if(
        "plain", decision="draw", options=("stock", "discard"), against="plain", futures=8, **asked
    ).to_frame().set_index("option")  # fmt: skip
    narrow = (more.high["discard"] - more.low["discard"]) / 2
    assert narrow < half
    assert abs(more.difference["discard"] - (discard - stock).mean()) < 2 * narrow


def test_the_own_answer_as_an_option_changes_nothing():
    found = ss.what_if("balanced", decision="discard", options=("balanced", "balanced"), games=8)
    assert found.decisions > 100
    assert [row["difference"] for row in found.rows] == [0, 0]
    words = ss.what_if("balanced", decision="buy", options=("balanced+buy.when=never", "no"), games=8)
    assert words.rows[1]["difference"] == 0


def test_the_filter_sees_what_the_seat_sees():
    seen: list[Situation] = []

    def where(found: Situation) -> bool:
        seen.append(found)
        return found.distance == 1 and found.buys_left > 0

    found = ss.what_if("balanced", decision="buy", options=("no", "yes"), where=where, games=40, deals=[3])
    assert found.decisions == sum(s.distance == 1 and s.buys_left > 0 for s in seen) > 0
    assert {s.decision for s in seen} == {"buy"}
    assert {s.contract for s in seen} == {"R4 R4"}
    assert "points a deal" in found.verdict


def test_groups_are_what_a_filter_for_each_of_them_finds():
    asked = {"decision": "play", "options": ("lay-down", "wait"), "games": 40, "deals": [1, 2], "seed": 4}

    def group(seen: Situation):
        return None if seen.turn > 6 else (seen.deal, seen.turn > 3)

    found = ss.what_if("balanced", by={"cell": group, "deal": lambda seen: seen.deal}, **asked)
    deals = found.group_frame().query("by == 'deal' and option == 'wait'")
    assert deals.decisions.sum() == found.decisions
    frame = found.group_frame().query("by == 'cell'")
    assert set(frame.group) > {(1, False), (2, True)}
    for key in frame.group.unique():
        alone = ss.what_if("balanced", where=lambda seen, key=key: group(seen) == key, **asked)
        rows = frame[frame.group == key].drop(columns=["by", "group"]).to_dict("records")
        assert rows == [pytest.approx(row, nan_ok=True) for row in alone.rows]
    assert frame[frame.option == "wait"].decisions.sum() < found.decisions
    assert found.rows[1]["p"] < 0.05 or found.rows[1]["low"] < 0 < found.rows[1]["high"]


def test_a_few_blocks_have_no_interval():
    found = ss.what_if("balanced", decision="play", options=("lay-down", "wait"), games=8, deals=[1])
    assert found.decisions > 0
    assert found.to_frame()[["low", "high", "p"]].isna().all(axis=None)
    assert found.verdict.endswith("decisions in 2 blocks: too few to tell, it takes 10 blocks.")


def test_sudden_death_is_left_out():
    """Where no card has points every game ends in a tie; the deal that decides it is no deal of the game."""
    tied = ["score.points={A=0,K=0,Q=0,J=0,T=0,9=0,8=0,7=0,6=0,5=0,4=0,3=0,2=0,JK=0}", "stock.turn_limit=1"]
    asked = {"decision": "draw", "options": ("stock", "discard"), "overrides": tied, "deals": [1]}
    assert ss.what_if("plain", games=8, **asked).decisions == 8


def test_a_situation_in_words():
    for table, view, _ in decisions("balanced", 1):
        found = situation(table, view)
        hand = table.hand(view.seat)
        assert sorted(found.hand) == sorted(map(format_card, hand))
        assert found.points == sum(table.setup.ruleset.card_points()[c] for c in hand)
        assert found.wilds == hand.count(JOKER)
        others = [s for s in range(4) if s != view.seat]
        assert found.fewest_cards == min(len(table.hand(s)) for s in others)
        board = sum(1 << parse_card(card) for card in found.fits)
        assert board == int(table.state.table[FITS])
        assert table.situation(view) == found
        assert found.lead == min(table.totals[others]) - table.totals[view.seat]
        assert (found.deal, found.turn, found.down) == (table.deal, view.turn, view.down > 0)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (
            {"decision": "bye", "options": ("yes", "no")},
            "decision: must be draw, buy, play, discard, not 'bye'",
        ),
        ({"decision": "buy", "options": ("yes",)}, "at least two"),
        ({"decision": "buy", "options": ("yes", "nope")}, "for a buy: no, yes or a policy"),
        ({"decision": "buy", "options": ("yes", "no"), "futures": 0}, "futures: 0"),
    ],
)
def test_what_cannot_be_asked(asked, says):
    with pytest.raises(ss.InputError, match=says):
        ss.what_if("balanced", games=4, **asked)


def test_the_columns_are_those_that_are_documented():
    found = ss.what_if("plain", decision="draw", options=("stock", "discard"), games=4, deals=[1])
    assert list(found.rows[0]) == [column.name for column in WHAT_IF]


def test_no_such_decision():
    found = ss.what_if("no-buy", decision="buy", options=("no", "yes"), where=lambda _: False, games=4)
    assert found.decisions == 0
    assert found.verdict == "No such buy decision came up in 4 games."


def test_saved(tmp_path):
    found = ss.what_if("plain", decision="draw", options=("stock", "discard"), games=4, deals=[1])
    found.save(tmp_path / "new")
    assert (tmp_path / "new" / "what_if.csv").read_text().startswith("option,points,difference,low,high")
    assert not (tmp_path / "new" / "groups.csv").exists()
    options = ("stock", "discard")
    ss.what_if(
        "plain", decision="draw", options=options, games=4, deals=[1], by={"turn": lambda seen: seen.turn}
    ).save(tmp_path / "more")
    assert (tmp_path / "more" / "groups.csv").read_text().startswith("by,group,option,points")


def test_changed_decisions_count_what_differs():
    found = ss.changed_decisions("balanced", "balanced+buy.when=never", games=8)
    shares = found.to_frame().set_index("decision")
    assert shares.share[["draw", "play", "discard"]].tolist() == [0, 0, 0]
    bought = [answer for _, view, answer in decisions("balanced", 8) if view.decision == 1]
    assert 0 < shares.share["buy"] < 1
    assert 0 < np.mean(bought) < 1
    assert "would take" in found.verdict
    same = ss.changed_decisions("balanced", "balanced", games=4).to_frame()
    assert same.share.tolist() == 5 * [0]
