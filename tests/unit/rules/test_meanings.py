"""The sentences that say what options mean: one for every option, and about what the option is."""

import re

import pytest

from shanghai_sim.rules.meanings import MEANINGS
from shanghai_sim.rules.reading import dotted_keys, kinds
from shanghai_sim.rules.ruleset import Ruleset, load_ruleset
from shanghai_sim.rules.values import Choice, Flag

OPTIONS = {".".join(keys): keys for keys in dotted_keys(Ruleset) if keys not in {("name",), ("title",)}}


def kind_of(option):
    section, key = OPTIONS[option]
    return kinds(kinds(Ruleset)[section])[key]


def test_every_option_has_a_meaning_and_every_meaning_an_option():
    assert list(MEANINGS) == list(OPTIONS)  # in the order of the schema
    assert len(set(MEANINGS.values())) == len(MEANINGS)


@pytest.mark.parametrize("option", MEANINGS)
def test_a_meaning_is_one_sentence(option):
    text = MEANINGS[option]
    assert re.fullmatch(r"[A-Z][^\n|`]{20,240}\.", text), text
    assert not re.search(r"[.!?] |  ", text), text


@pytest.mark.parametrize("option", MEANINGS)
def test_a_meaning_tells_of_the_values_there_are(option):
    kind, text = kind_of(option), MEANINGS[option]
    quoted = set(re.findall(r'"([a-z-]+)"', text))
    if isinstance(kind, Choice):
        assert quoted == set(kind.words)
    else:
        assert all(f'"{word}"' in kind.allowed for word in quoted)
    if isinstance(kind, Flag):
        section, key = OPTIONS[option]
        other = not load_ruleset("shanghai").to_options()[section][key]
        assert re.match(f"With {str(other).lower()}[ ,]", text)


@pytest.mark.parametrize("option", MEANINGS)
def test_a_meaning_names_only_options_that_there_are(option):
    assert set(re.findall(r"[a-z_]+\.[a-z_]+", MEANINGS[option])) <= set(OPTIONS) - {option}
