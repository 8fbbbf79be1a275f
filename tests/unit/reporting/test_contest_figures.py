"""The figures of tournaments and sweeps: what is written on them, and that no two labels meet."""

from __future__ import annotations

from functools import cache

import pytest
from matplotlib.text import Text

import shanghai_sim as ss
from shanghai_sim.policies.policy import preset_names
from shanghai_sim.reporting.sweep_figure import _scale, sweep_figure
from shanghai_sim.reporting.tournament_figure import tournament_figure

QUICK = {"rules": "shanghai-quick-odd", "deals": [1, 2]}
TOURNAMENTS = [
    (tuple(preset_names()), {"games": 1_000}),
    (("balanced", "plain"), {"games": 800}),
    (("balanced", "plain+buy.max_buys=1+wild.hold_until_turn=4", "no-buy"), {"games": 300, "players": 3}),
]
SWEEPS = [
    {"buy.max_buys": [0, 1, 2, 3]},
    {"buy.max_buys": [0, 1, 3, 99], "buy.when": ["always", "if-outs-grow"]},
    {"buy.max_buys": [0, 1], "buy.when": ["always", "never", "if-it-helps"]},
    {"discard.outs": [0, 1, 2, 4, 8, 16]},
    {"discard.distance": [1, 10, 100]},
    {"buy.per_deal": [0, 1, 2, 3]},
    {"buy.per_deal": [0, 3], "meld.max_wilds": ["any", 1]},
]


@cache
def tournament(case):
    policies, rest = TOURNAMENTS[case]
    found = ss.tournament(policies, **QUICK, **rest)
    return tournament_figure(found.finding, found.context, found.ranking.labels, found.rows)


@cache
def sweep(case):
    found = ss.sweep("balanced", SWEEPS[case], games=1_000, **QUICK)
    return sweep_figure(found.finding, found.context, found.keys, found.rows, found.asked.of_rules)


def texts(drawn):
    renderer = drawn.canvas.get_renderer()
    drawn.canvas.draw()
    shown = [text for text in drawn.findobj(Text) if text.get_text().strip() and text.get_visible()]
    return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in shown]


@pytest.mark.parametrize(
    ("draw", "case"),
    [
        *((tournament, case) for case in range(len(TOURNAMENTS))),
        *((sweep, case) for case in range(len(SWEEPS))),
    ],
)
def test_letters_stay_on_the_page_and_apart(draw, case):
    drawn = draw(case)
    page, boxes = drawn.bbox, texts(drawn)
    for text, box in boxes:
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text
    for i, (text, box) in enumerate(boxes):
        for other, second in boxes[i + 1 :]:
            assert not box.overlaps(second), (text, other)


def test_what_is_written_of_a_tournament():
    words = {text for text, _ in texts(tournament(0))}
    assert {text.split()[0] for text in words} >= set(preset_names())
    assert {"1", "15"} <= words
    assert any(text.startswith("\N{LEFTWARDS ARROW} \N{MINUS SIGN}") for text in words)
    assert any("In brackets" in text and "rounds of 15" in " ".join(text.split()) for text in words)
    assert "One of the row among 3 of the column" in words


def test_what_is_written_of_a_sweep():
    words = {text for text, _ in texts(sweep(0))}
    assert {"as given: 99", "buy.max_buys", "Points a game better than as given"} <= words
    words = {text for text, _ in texts(sweep(1))}
    assert {"as given", "buy.max_buys", "buy.when"} <= words
    assert any("Framed: the best found" in text for text in words)
    assert "Points a game more than as given" in {text for text, _ in texts(sweep(5))}


@pytest.mark.parametrize(
    ("values", "kind", "places"),
    [
        ("0 1 2 3", "number", [0, 1, 2, 3]),
        ("99 0 1", "place", [2, 0, 1]),
        ("0 1 2 4 8 16", "place", [0, 1, 2, 3, 4, 5]),
        ("1 10 100", "log", [1, 10, 100]),
        ("1 2 4 8 16", "log", [1, 2, 4, 8, 16]),
        ("1 2 3 4 5 6 7 8 9 10", "number", list(range(1, 11))),
        ("1 2 999", "place", [0, 1, 2]),
        ("always never", "place", [0, 1]),
        ("unlimited 3 0", "place", [0, 1, 2]),
    ],
)
def test_scales(values, kind, places):
    assert _scale(values.split()) == (kind, places)


def test_more_than_two_things_are_not_drawn():
    with pytest.raises(ss.InputError, match="one or two things varied, not 3"):
        sweep_figure("", {}, ["a", "b", "c"], [], False)
