"""The figure of a portrait: what is written on it, and that no two labels meet."""

from __future__ import annotations

import io
import subprocess
import sys
from functools import cache

import pytest
from matplotlib.text import Text

import shanghai_sim as ss
from shanghai_sim.policies.policy import preset_names
from shanghai_sim.reporting import figures
from shanghai_sim.reporting.profile_figure import profile_figure

CASES = [
    ("save-buys", {}),
    ("random", {"deals": (8,), "against": "balanced,plain"}),
    ("balanced", {"deals": (1, 2)}),
    ("balanced+buy.max_buys=0", {"rules": "finnish", "players": 5}),
]


@cache
def figure(case, games=800):
    name, options = CASES[case]
    found = ss.profile(name, games=games, **options)
    return profile_figure(found.finding, found.context, found.plan.group_labels, found.rows)


def texts(drawn):
    """Return the texts that are seen, each with its box on the page, a label's line to its curve left out."""
    renderer = drawn.canvas.get_renderer()
    drawn.canvas.draw()
    shown = [text for text in drawn.findobj(Text) if text.get_text().strip() and text.get_visible()]
    return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in shown]


def test_what_is_written():
    words = {text for text, _ in texts(figure(0))}
    assert any(text.startswith("save-buys: loses ") for text in words)
    assert {
        "save-buys",
        "balanced",
        "S3 S3 R4 R4   8",
        "8  S3 S3 R4 R4",
        "Buys taken of those offered (%)",
    } <= words
    assert any("95 % intervals" in text and "games 800" in text and "seed 1" in text for text in words)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_letters_stay_on_the_page_and_apart(case):
    drawn = figure(case)
    page = drawn.bbox
    boxes = texts(drawn)
    for text, box in boxes:
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text
    # Numbers at the ends of curves may be near each other; everything with words may not.
    words = [(text, box) for text, box in boxes if len(text) > 3]
    for i, (text, box) in enumerate(words):
        for other, second in words[i + 1 :]:
            assert not box.overlaps(second), (text, other)


def test_a_single_block_is_drawn_too():
    assert texts(figure(0, 4))


@pytest.mark.parametrize("ending", figures.KINDS)
def test_the_same_figure_gives_the_same_bytes(ending):
    written = []
    for _ in range(2):
        file = io.BytesIO()
        figures.write_figure(figure(2), file, ending)
        written.append(file.getvalue())
    assert written[0] == written[1]
    assert b"date" not in written[0].lower().replace(b"validate", b"")


def test_colours_are_fixed_by_name():
    assert len(set(figures.COLOURS.values())) == len(figures.COLOURS)
    assert figures.colour("balanced (the others)") == figures.COLOURS["balanced"]
    assert figures.two_colours("balanced", "balanced (the others)") == (
        figures.COLOURS["balanced"],
        figures.GREY,
    )
    assert {figures.colour(name) for name in preset_names()} <= set(figures.COLOURS.values())
    assert figures.colour("my.toml") != figures.COLOURS["balanced"]


def test_pyplot_is_never_loaded():
    code = (
        "import sys, shanghai_sim as ss\n"
        "from shanghai_sim.reporting.profile_figure import profile_figure\n"
        "found = ss.profile('no-buy', games=40, deals=[1])\n"
        "profile_figure(found.finding, found.context, found.plan.group_labels, found.rows)\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
