"""Files of tips: what is found by which name, and what is said of one that is wrong."""

from __future__ import annotations

import pytest

import shanghai_sim as ss
from shanghai_sim.experiments.tips.tip import all_tips, find_tips


def test_they_are_found_by_number_and_name_each_once():
    assert [tip.number for tip in find_tips([7, "memory", "7"])] == [7, 2]
    assert find_tips(()) == all_tips()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("number = 1", "way: must be one table or more"),
        ("number = 1\nname = 'x'\nadvice = 'y'\n[[way]]\ntitle = 'z'", "reading: is missing"),
        (
            "number = 1\nname = 'x'\nadvice = 'y'\nreading = 'r'\n[[way]]\ntitle = 'z'\nfolow = []",
            "way 1: folow: unknown key; allowed here: title, follow, ignore, deals, rules, judged (did you mean",
        ),
        (
            "number = 1\nname = 'x'\nadvice = 'y'\nreading = 'r'\n[[way]]\ntitle = 'z'\ndeals = '9-8'",
            "way 1: deals: must be deals such as 8-10, or one of all, mixed, one-turn, first-turn",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text, said, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ss.InputError) as error:
        find_tips([str(path)])
    assert said in str(error.value)


def test_changes_that_there_are_not_and_numbers_given_twice_are_refused(tmp_path):
    path = tmp_path / "mine.toml"
    head = "number = 15\nname = 'x'\nadvice = 'y'\nreading = 'r'\n[[way]]\ntitle = 'z'\n"
    path.write_text(head + "follow = ['buy.untill_turn=1']\nrules = ['buy.per_dael=2']\njudged = false")
    with pytest.raises(ss.InputError) as error:
        find_tips([str(path)])
    said = str(error.value).splitlines()
    assert len(said) == 3
    assert "buy.untill_turn: unknown key" in said[0]
    assert "buy.per_dael: unknown key" in said[1]
    assert said[2].endswith("way 1: judged: must be true, since the first way is judged as the tip")
    path.write_text(head + "follow = ['buy.until_turn=1']")
    with pytest.raises(ss.InputError, match="two tips have number 15: give one of them another"):
        find_tips([15, str(path)])


def test_an_unknown_tip_is_refused_with_a_hint():
    with pytest.raises(ss.InputError, match="did you mean 'joker-clock'"):
        find_tips(["joker-clok"])
