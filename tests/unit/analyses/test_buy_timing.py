"""What buys are worth: plans and their search, and the report as a whole."""

from __future__ import annotations

import pandas as pd
import pytest
from click.testing import CliRunner

import shanghai_sim as ss
from analyses import buy_timing
from analyses.buy_plans import ALL, KEEP, MOVES, Plan, Search, later, merged, split, starts

NEEDS = [0, 0, 0, 0, 0, 0, 0, 2, 1, 1]
GREEDY = Plan((KEEP,) * 10, (0,) * 10, (ALL,) * 10)


def rows_of(spec: str) -> list[list[float]]:
    return ss.load_policy(spec).rows(10).tolist()


def test_plans_start_from_what_balanced_does_under_these_rules():
    parameters = ss.load_policy("balanced").to_dict()["parameters"]["buy"]
    assert (parameters["keep"], parameters["reserve"]) == (KEEP, 0)
    rules = ss.load_rules(buy_timing.BUDGET_RULES)
    assert {rules.buys_in(deal) for deal in range(1, 11)} == {ALL}
    assert rows_of(GREEDY.policy) == rows_of("balanced") == rows_of(f"balanced+buy.keep={KEEP}")
    assert buy_timing.needed(rules) == NEEDS


def test_a_plan_is_written_as_parameters():
    plan = Plan((KEEP,) * 9 + (ALL,), (4,) * 10, (ALL,) * 10)
    assert plan.changes == "buy.keep=2/2/2/2/2/2/2/2/2/3+buy.reserve=4"
    assert rows_of(plan.policy) == rows_of("balanced+buy.keep=[2,2,2,2,2,2,2,2,2,3]+buy.reserve=4")


def test_a_limit_is_played_as_who_has_no_more_buys_would_play():
    """But for what a discard gives to others, who under the rules have no more buys either."""
    asked = {"games": 20, "seed": 2, "deals": [3]}
    limited = ss.run(4 * [f"{buy_timing.limited(1, 3)}+discard.danger=0"], **asked)
    one_buy = ss.run(4 * ["balanced+discard.danger=0"], overrides={"buy.per_deal": 1}, **asked)
    assert limited.games.points.tolist() == one_buy.games.points.tolist()


def test_the_best_split_of_a_budget():
    """One buy of the second deal is worth less than nothing, two of them most of all."""
    worth = {(1, 1): 5, (1, 2): 1, (2, 1): -9, (2, 2): 20, (3, 1): 4, (3, 2): 3}
    values = pd.DataFrame(
        [(*key, value) for key, value in worth.items()], columns=["deal", "buy", "difference"]
    )
    assert [split(values, n) for n in (0, 1, 2, 3, 4, 5)] == [
        (0, 0, 0), (1, 0, 0), (0, 2, 0), (1, 2, 0), (1, 2, 1), (1, 2, 2),
    ]  # fmt: skip
    assert later((1, 2, 1)) == (3, 1, 0)


def test_a_plan_changes_a_little_and_changes_go_together():
    plan = starts((0, 0, 0, 1, 1, 1, 1, 3, 2, 3), NEEDS)[2]
    assert plan.reserve == (4, 4, 4, 4, 4, 4, 4, 2, 1, 0)
    seen = {other for move in MOVES for other in move(plan)}
    assert len(seen) > 40
    assert all(min(other.reserve + other.most + other.keep) >= 0 for other in seen)
    assert all(rows_of(other.policy) for other in seen)
    first, second = (Plan(plan.keep, plan.reserve, (n, m, *plan.most[2:])) for n, m in ((1, ALL), (2, 2)))
    assert merged(plan, [first, second]).most[:3] == (1, 2, ALL)


def test_a_search_keeps_what_is_better():
    harmful = Plan(GREEDY.keep, GREEDY.reserve, (0,) * 10)
    search = Search(buy_timing.BUDGET_RULES, 40, 1)
    assert search.best([harmful], [lambda _: [GREEDY]]) == GREEDY
    spaces = [row["namespace"] for row in search.rows]
    assert set(spaces) == {"tune", "select"}
    assert spaces[-1] == "select"


def test_the_best_plan_stands_for_one_that_is_the_same():
    named = {"twice": "buy.max_buys=2", "helpful": f"buy.keep={ALL}"}
    found = buy_timing.with_best(named, Plan((ALL,) * 10, (0,) * 10, (ALL,) * 10))
    assert found == {"twice": "buy.max_buys=2", "the best plan found: helpful": "buy.keep=3"}


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(buy_timing, "BUDGETS", (4, 12))
    monkeypatch.setattr(buy_timing, "MOVES", ())


@pytest.mark.usefixtures("short")
def test_the_report(tmp_path):
    arguments = ["--games", "15", "--deals", "25", "--tuning", "5", "--out", str(tmp_path)]
    done = CliRunner().invoke(buy_timing.main, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    marginal = pd.read_csv(tmp_path / "marginal.csv")
    assert len(marginal) == 30
    assert {"deal", "contract", "buy", "difference", "low", "high", "blocks", "says"} <= set(marginal)
    plans = pd.read_csv(tmp_path / "plans.csv")
    assert plans["best"].sum() == 1
    assert buy_timing.ADVICE in plans["changes"].tolist()
    for name in ("marginal", "plans", "budgets"):
        assert (tmp_path / f"{name}.svg").stat().st_size > 1_000
    assert "# What is each buy worth" in (tmp_path / "README.md").read_text()
