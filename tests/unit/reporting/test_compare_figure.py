"""The figure of a comparison: what is written on it, and that no two labels meet."""

from __future__ import annotations

import io
from functools import cache

import pytest

import shanghai_sim as ss
from shanghai_sim.reporting import figures
from shanghai_sim.reporting.compare_figure import compare_figure
from tests.unit.reporting.test_profile_figure import texts

CASES = [
    (("balanced", "aggressive-buy"), {"until": "decided"}),
    (("no-buy", "balanced"), {"until": "games=6000"}),
    (("balanced", "save-buys"), {"until": "games=4000", "deals": (7, 8)}),
    (("balanced",), {"rules_b": "finnish", "until": "games=400"}),
    (("balanced+buy.max_buys=0/0/0/0/0/0/3/3/3/3", "balanced"), {"until": "games=1000", "players": 3}),
    (("balanced", "no-buy"), {"until": "games=8"}),
]


@cache
def figure(case):
    names, options = CASES[case]
    found = ss.compare(*names, **options)
    looks = [(look.blocks, look.estimate, look.low, look.high) for look in found.path]
    return compare_figure(found.finding, found.context, found.about, looks, found.rows)


@pytest.mark.parametrize(
    ("case", "title", "why"),
    [
        (
            0,
            "balanced is meaningfully better than aggressive-buy: ",
            "blocks played; stopped by itself at 500",
        ),
        (1, "no-buy is meaningfully worse than balanced: ", "blocks played; 1,200 were fixed before"),
        (2, "balanced and save-buys: exactly the same", "blocks played; 500 were fixed before"),
        (3, "balanced", "blocks played; 200 were fixed before"),
        (5, "balanced and no-buy: too few games to tell", "blocks played; 1 were fixed before"),
    ],
)
def test_what_is_written(case, title, why):
    words = [text for text, _ in texts(figure(case))]
    assert why in words
    assert "By contract" in words
    if case != 3:
        assert any(text.startswith(title) for text in words)
    else:
        assert any(" points than finnish: " in text for text in words)
        assert any(" / " in text for text in words)
    assert any("practically equal" in text and "seed 1" in text for text in words)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_letters_stay_on_the_page_and_apart(case):
    drawn = figure(case)
    page = drawn.bbox
    boxes = texts(drawn)
    for text, box in boxes:
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text
    words = [(text, box) for text, box in boxes if len(text) > 1]
    for i, (text, box) in enumerate(words):
        for other, second in words[i + 1 :]:
            assert not box.overlaps(second), (text, other)


def test_the_same_figure_gives_the_same_bytes():
    written = []
    for _ in range(2):
        file = io.BytesIO()
        figures.write_figure(figure(0), file, ".svg")
        written.append(file.getvalue())
    assert written[0] == written[1]
