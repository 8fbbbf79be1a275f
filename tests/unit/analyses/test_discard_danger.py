"""Which discards feed whom: kinds of cards, like conditions, the command."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from analyses import discard_danger as dd
from analyses.danger_kinds import KINDS, SHOWN, Shown, close, kinds_of, same_rank, type_of
from analyses.positions import CARD, DISCARD, decisions
from shanghai_sim.cards import parse_card


def cards(text: str) -> list[int]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.parametrize(
    ("card", "others", "rank", "suit"),
    [
        ("7H", "7D 2C", True, False),
        ("7H", "9H", False, True),
        ("7H", "7H", True, True),
        ("7H", "TH 8D", False, False),
        ("AS", "QS", False, True),
        ("AS", "3S", False, True),
        ("KS", "2S JK", False, False),
        ("QS", "JK", False, False),
        ("7H", "", False, False),
    ],
)
def test_what_is_like_a_card(card, others, rank, suit):
    assert same_rank(parse_card(card), cards(others)) == rank
    assert close(parse_card(card), cards(others)) == suit


def test_sorts_of_contracts():
    assert [type_of(contract) for contract in ("S3 S3", "S3 R4", "R4 R4")] == [0, 1, 2]


def test_kinds_by_what_is_shown():
    """Positions of real games, with what others have shown told over again by the events seen."""
    seen = set()
    shown, slot = Shown(4), 0
    for _, table, view, answer in decisions("balanced", 1, 1):
        if table.slot != slot:
            shown, slot = Shown(4), table.slot
        if view.decision == DISCARD:
            for card in set(table.hand(view.seat)):
                kinds = kinds_of(card, table, view, shown)
                seen.update(kinds)
                assert kinds[0] == "any"
                if card == parse_card("JK"):
                    assert kinds[1:2] == ["joker"]
                    assert not set(SHOWN) & set(kinds)
                elif (view.seat + 1) % 4 in shown.down:
                    assert kinds[-1] in {"fits", "fits_not"}
                else:
                    assert ("nothing" in kinds) == (not set(SHOWN) & set(kinds))
        assert table.situation(view).others_down == len(shown.down - {view.seat})
        shown.see(view, answer)
    assert seen == set(KINDS) - {"chosen"}


def test_like_conditions_are_compared():
    """Kind one is met where cards are taken less, but within a condition it is taken more."""
    one, other = np.zeros((50, 2, 4)), np.zeros((50, 2, 4))
    one[:, :, dd.THROWS], other[:, :, dd.THROWS] = (2, 8), (8, 2)
    one[:, :, dd.TAKEN], other[:, :, dd.TAKEN] = (2, 2), (4, 0)
    values, beside, cases = dd.matched(one, other, dd.TAKEN)
    assert values.mean() == pytest.approx(0.2 * 0.5 + 0.8 * 0.25)
    assert (beside, cases) == (pytest.approx(0.2 * 0.5), 500)
    nothing = dd.matched(one, np.zeros_like(other), dd.TAKEN)
    assert (nothing[0].tolist(), nothing[2]) == (50 * [0.0], 0)


def test_what_a_throw_costs():
    costs = []
    for _, table, view, answer in decisions("balanced", 1, 2):
        if view.decision == DISCARD and view.size > 1:
            costs.append(dd.one_throw(table, view.seat, answer & CARD))
    frame = pd.DataFrame(costs, columns=["throws", "taken", "cost", "gain"])
    assert (frame["throws"] == 1).all()
    assert 0 < frame["taken"].mean() < 1
    assert (frame[frame["taken"] == 0][["cost", "gain"]] == 0).all().all()
    assert frame["gain"].abs().max() > 0


def test_the_command_writes_its_page(tmp_path):
    done = CliRunner().invoke(dd.main, ["--games", "3", "--out", str(tmp_path)], catch_exceptions=False)
    assert done.exit_code == 0
    assert "What to remember" in (tmp_path / "README.md").read_text()
    kinds = pd.read_csv(tmp_path / "kinds.csv").set_index("kind")
    assert set(kinds.index) == set(KINDS)
    thrown = kinds["chance_cases"]
    assert thrown["any"] == thrown[["joker", "ace", "high", "middle", "low"]].sum()
    assert thrown["any"] == thrown[["early", "between", "late"]].sum() == thrown["chosen"]
    assert thrown["any"] == thrown[["joker", "open", "fits", "fits_not"]].sum()
    assert len(pd.read_csv(tmp_path / "pairs.csv")) == len(dd.PAIRS)
    assert (tmp_path / "danger.svg").stat().st_size > 1_000
    assert (tmp_path / "pairs.svg").stat().st_size > 1_000
