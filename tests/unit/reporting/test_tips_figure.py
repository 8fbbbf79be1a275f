"""The figure and the text of a court, of made-up rows."""

from __future__ import annotations

import math

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from shanghai_sim.experiments.tips.tip import all_tips
from shanghai_sim.reporting.tips_figure import LOOKS, tips_figure
from shanghai_sim.reporting.tips_report import ordered, tips_report
from shanghai_sim.simulation.question_columns import TIPS

CONTEXT = {
    "rules": "shanghai",
    "players": 4,
    "policies": "balanced against balanced",
    "seed": 1,
    "games": 1_000,
}
_EMPTY = {
    column.name: "" if column.kind == "text" else math.nan if column.kind == "float64" else 0
    for column in TIPS
}
WORDS = list(LOOKS)


def row(tip, part, cell, estimate, verdict="", **more):
    return _EMPTY | {
        "tip": tip.number, "name": tip.name, "advice": tip.advice, "part": part, "cell": cell, "judged": 1,
        "verdict": verdict, "estimate": estimate, "low": estimate - 1.5, "high": estimate + 1.5,
        "sign": (estimate > 1.5) - (estimate < -1.5), "games_differing": 0.5, "decisions": 0.01, "games": 1_000,
        "n_blocks": 200, "stage": "final", "margin": 2.0, "said": "false" if part == "tip" else "", **more,
    }  # fmt: skip


def all_rows():
    """Return a row a tip, with every verdict among them."""
    return [
        row(tip, "tip", tip.main.title, 180.0 - 15 * i, WORDS[i % len(WORDS)])
        for i, tip in enumerate(all_tips())
    ]


def one_tip():
    tip = all_tips()[6]
    return [
        row(tip, "tip", tip.main.title, -40.0, "depends"),
        row(tip, "deal", "S3 S3", -3.0, deals="1"),
        *(row(tip, "way", way.title, -40.0 + 20 * i, "false") for i, way in enumerate(tip.ways)),
        row(tip, "policy", "points-dumper", -38.0, "false"),
        row(tip, "players", "3 players", -30.0),
        row(tip, "rules", "finnish", 6.0, turned=1),
        _EMPTY | {"tip": tip.number, "part": "rules", "cell": "x", "reason": "x has 7 deals, none of 8-10"},
    ]


@pytest.mark.parametrize("rows", [all_rows(), one_tip()], ids=["all", "one"])
def test_letters_stay_on_the_page_and_apart(rows):
    drawn = tips_figure(
        "Of 25 tips 6 are true and 9 are false; none costs more than 'Never buy'", CONTEXT, rows
    )
    canvas = FigureCanvasAgg(drawn)
    canvas.draw()
    renderer = canvas.get_renderer()
    shown = [text for text in drawn.findobj(Text) if text.get_text().strip() and text.get_visible()]
    boxes = [(text.get_text(), Text.get_window_extent(text, renderer)) for text in shown]
    for i, (text, box) in enumerate(boxes):
        assert drawn.bbox.x0 <= box.x0 < box.x1 <= drawn.bbox.x1, text
        for other, second in boxes[i + 1 :]:
            assert not box.overlaps(second), (text, other)


def test_the_best_advice_comes_first_and_what_cannot_be_tried_last():
    rows = all_rows()
    untried = rows[3] | {"estimate": math.nan, "verdict": "cannot be tried"}
    numbers = ordered([*rows[:3], untried, *rows[4:]])
    assert numbers[:3] == [1, 2, 3]
    assert numbers[-1] == 4


def test_a_card_says_what_the_rows_do():
    text = tips_report("Tip 7.", CONTEXT, one_tip(), {7: "as it is read"})
    lines = [line.strip() for line in text.splitlines()]
    assert text.startswith("Tip 7.\n")
    assert "DEPENDS; AS SAID FALSE" in text
    assert "Discards its jokers from turn 7 on: costs 40.0 points a game (38.5 to 41.5)." in lines
    assert "Most of it in contract 1 (S3 S3) -3.0." in lines
    assert any(line.startswith("followed by points-dumper") for line in lines)
    assert "At other tables: 3 players -, finnish +. It goes the other way with finnish" in " ".join(lines)
    assert "Not tried: x: x has 7 deals, none of 8-10." in lines
    assert "How it is read: as it is read" in lines
