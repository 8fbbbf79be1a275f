"""Every ruling of the list is a test of the engine or the evaluation: which one, by its number."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
#: Files whose tests are named after rulings: ``test_12_and_20_the_whole_hand``.
FILES = [
    "unit/rules/test_rulings.py",  # hands
    "unit/engine/test_rulings.py",  # the stock, buying, laying off
    "unit/engine/test_rulings_melds.py",
    "unit/engine/test_rulings_games.py",
]
#: Rulings that are the subject of a whole file.
ELSEWHERE = {
    19: ("unit/engine/test_secrecy.py", "test_hidden_cards_and_streams_change_no_view_and_no_answer")
}
_NAMED = re.compile(r"^def test_((?:\d+_(?:and_)?)+)", re.MULTILINE)


def text_of(name: str) -> str:
    return (TESTS / name).read_text(encoding="utf-8")


def rulings() -> list[int]:
    """Return the numbers of the list."""
    return [int(n) for n in re.findall(r"^\| (\d+) \|", text_of("data/rulings.md"), re.MULTILINE)]


def numbers_tested() -> set[int]:
    """Return the numbers after which tests are named."""
    names = [name for file in FILES for name in _NAMED.findall(text_of(file))]
    return {int(number) for name in names for number in re.findall(r"\d+", name)}


def test_every_ruling_has_a_test_of_its_number():
    assert rulings() == list(range(1, 31))
    assert numbers_tested() | set(ELSEWHERE) == set(rulings())
    assert not numbers_tested() & set(ELSEWHERE)


def test_what_stands_elsewhere_is_there():
    for file, name in ELSEWHERE.values():
        assert f"\ndef {name}(" in text_of(file)
