"""The answer of a comparison in words, for every verdict; and the report around it."""

from __future__ import annotations

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.experiments.compare_words import Words, rounded
from shanghai_sim.experiments.questions import question_of
from shanghai_sim.experiments.stopping import read_until
from shanghai_sim.inference.intervals import Interval
from shanghai_sim.reporting.compare_report import compare_report


def words(low, high, n=1000, differing=10, b="balanced", **options):
    nothing = {"rules": "shanghai", "overrides": (), "rules_b": None, "overrides_b": (), "against": None}
    question = question_of("no-buy", b, **(nothing | options))
    found = Interval(np.array((low + high) / 2), np.array(low), np.array(high), n)
    return Words(question, read_until("decided"), found, differing, None)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (3, 5, "no-buy is meaningfully better than balanced: it scores 4.0 points a game fewer ({3.0 to 5.0})."),
        (-5, -3, "no-buy is meaningfully worse than balanced: it scores 4.0 points a game more ({3.0 to 5.0})."),
        (1, 4, "no-buy is better than balanced, perhaps only a little: "
         "it scores 2.5 points a game fewer ({1.0 to 4.0})."),
        (-4, -1, "no-buy is worse than balanced, perhaps only a little: "
         "it scores 2.5 points a game more ({1.0 to 4.0})."),
        (-1, 1.5, "no-buy and balanced are practically equal: no-buy scores 0.2 points a game fewer "
         "({1.0 more to 1.5 fewer}); less than 2 points do not count."),
        (-1, 5, "Not decided between no-buy and balanced: no-buy scores 2.0 points a game fewer "
         "({1.0 more to 5.0 fewer}); about 6,300 more games would tell."),
    ],
)  # fmt: skip
def test_every_verdict(low, high, text):
    whole = text.replace("{", "95 % interval ").replace("}", "; 5,000 games against balanced")
    assert words(low, high).verdict() == whole


def test_deals_rules_and_few_games():
    assert "4.0 points over these deals fewer" in words(3, 5, deals=[8]).verdict()
    few = words(3, 5, n=199).verdict()
    assert few.startswith("Too few games to tell: no-buy scores 4.0 points a game fewer")
    assert few.endswith("1,000 games are the least.")
    rules = words(3, 5, b=None, rules_b="finnish", deals=[1])
    assert rules.verdict().startswith(
        "shanghai gives meaningfully more points than finnish: a player scores 4.0 points"
    )
    assert rules.finding() == (
        "shanghai gives meaningfully more points than finnish: 4.0 points over these deals more"
    )
    assert (
        words(-1, 1).finding()
        == "no-buy and balanced are practically equal: 0.0 points a game more with the first"
    )
    same = words(0, 0, differing=0)
    assert same.finding() == "no-buy and balanced: exactly the same"
    assert same.verdict().endswith("comes up in less than 1 of 333 blocks.")


@pytest.mark.parametrize(
    ("number", "shown"), [(7, 7), (99, 99), (101, 110), (6_250, 6_300), (12_345, 13_000)]
)
def test_no_more_figures_than_are_known(number, shown):
    assert rounded(number) == shown


def report(*names, **options):
    found = ss.compare(*names, **options)
    return compare_report(found.verdict, found.context, found.about, found.rows)


def test_the_report():
    text = report("no-buy", "balanced", until="games=2000")
    assert "Judged by wins alone: meaningfully worse." in text
    assert "(all of them add up to the game)" in text
    assert "the number of games was fixed before" in text
    assert "WARNING" not in text
    assert max(map(len, text.splitlines()[1:])) <= 100
    some = report("no-buy", "balanced", until="decided", deals=[7, 8])
    assert "0.4 points (2 in a whole game, in proportion to the deals played)" in " ".join(some.split())
    assert "would have at 40,000 blocks" in " ".join(some.split())
    assert "points over these deals" in some
    for few in ("games=5", "games=10"):
        assert "nan" not in report("no-buy", "balanced", until=few)
    assert "d = " not in report("balanced", "balanced", until="games=1000", deals=[1])


def test_a_design_that_hurts_is_warned_of():
    found = ss.compare("no-buy", "balanced", until="games=1000", deals=[1])
    rows = [dict(row) for row in found.rows]
    for row in rows:
        if row["metric"] == "variance_reduction":
            row["estimate"] = 0.8
    assert "WARNING: below 1" in " ".join(
        compare_report(found.verdict, found.context, found.about, rows).split()
    )
