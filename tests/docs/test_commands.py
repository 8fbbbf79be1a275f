"""Every command in README and docs runs, and prints what the page shows."""

import pytest

from tests.docs import pages


@pytest.mark.parametrize("page", pages.PAGES)
def test_commands_of_a_page(page, tmp_path):
    for block in pages.blocks((pages.ROOT / page).read_text(encoding="utf-8")):
        pages.write_file(block, tmp_path)
        for command in pages.commands(block):
            printed = pages.run(command, tmp_path)
            assert pages.shorten(printed, command.shown) == list(command.shown), "make docs writes it anew"


def test_there_are_commands():
    text = "".join((pages.ROOT / page).read_text(encoding="utf-8") for page in pages.PAGES)
    assert sum(1 for block in pages.blocks(text) for _ in pages.commands(block)) >= 10


PAGE = """
```toml
# file: a.toml
based_on = "finnish"
```
```console
$ make run
$ shanghai-sim rules show a.toml
name = "finnish"
...
$ shanghai-sim rules lst  # exit 2
$ shanghai-sim --help
```
"""


def test_reading_a_page():
    blocks = list(pages.blocks(PAGE))
    assert [block.kind for block in blocks] == ["toml", "console"]
    first, second, third = pages.commands(blocks[1])
    assert first == pages.Command(("rules", "show", "a.toml"), 8, ('name = "finnish"', "..."), 0)
    assert PAGE.splitlines()[8] == 'name = "finnish"'
    assert (second.words, second.code, second.shown) == (("rules", "lst"), 2, ())
    assert third.code == 0


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        ((), []),
        (("x",), ["a", "b", "c", "d"]),
        (("x", "..."), ["a", "..."]),
        (("x", "...", "y", "z"), ["a", "...", "c", "d"]),
    ],
)
def test_shortening(shown, kept):
    assert pages.shorten(["a", "b", "c", "d"], shown) == kept


def test_another_exit_code_fails(tmp_path):
    command = pages.Command(("ruls",), 0, (), 0)
    with pytest.raises(AssertionError, match="did you mean"):
        pages.run(command, tmp_path)
