"""The pages agree with the source, and their links lead somewhere."""

import re

import pytest

from shanghai_sim import _version
from shanghai_sim.cli import COMMANDS
from tests.docs import pages, tables


def text_of(page):
    return (pages.ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", pages.PAGES)
def test_tables_are_those_of_the_source(page):
    assert tables.filled(text_of(page)) == text_of(page), "make docs writes them anew"


def test_every_table_stands_somewhere():
    assert {name for page in pages.PAGES for name in tables.names_in(text_of(page))} == set(tables.TABLES)


@pytest.mark.parametrize("page", pages.PAGES)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#\s]+)", text_of(page)):
        if not link.startswith(("http://", "https://")):
            assert (pages.ROOT / page).parent.joinpath(link).exists(), link


def test_every_command_is_shown():
    text = "".join(map(text_of, pages.PAGES))
    shown = {command.words[0] for block in pages.blocks(text) for command in pages.commands(block)}
    assert shown >= set(COMMANDS)


def test_versions_are_those_of_the_package():
    assert f"({_version.__version__}, engine version {_version.ENGINE_VERSION})" in text_of("CHANGELOG.md")
    citation = (pages.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {_version.__version__}\n" in citation
