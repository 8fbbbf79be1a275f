"""Loading rulesets: layers, changes, and what is said of everything that is wrong."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shanghai_sim.errors import RulesError
from shanghai_sim.rules.reading import dotted_keys
from shanghai_sim.rules.ruleset import (
    Ruleset,
    changed_ruleset,
    load_ruleset,
    preset_names,
    ruleset_from_options,
    ruleset_of,
)
from shanghai_sim.rules.toml_text import ruleset_toml


def problems(*args, **kwargs):
    with pytest.raises(RulesError) as caught:
        load_ruleset(*args, **kwargs)
    assert caught.value.exit_code == 2
    assert str(caught.value).splitlines() == list(caught.value.problems)
    return list(caught.value.problems)


def one_problem(*args, **kwargs):
    (problem,) = problems(*args, **kwargs)
    return problem


@pytest.fixture
def write(tmp_path):
    def write(text, name="my-house.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_file_changes_what_it_names_and_no_more(write):
    path = write(
        'name = "mine"\ntitle = "Ours"\nbased_on = "finnish"\n[buy]\nper_deal = 2\n'
        "[score]\npoints = { JK = 50 }\n[cards]\npacks = { 2 = 3 }\n"
    )
    rules, finnish = load_ruleset(path), load_ruleset("finnish")
    assert (rules.name, rules.title, rules.buy.per_deal) == ("mine", "Ours", 2)
    assert rules.buy.no_meld_next_turn
    assert rules.cards.packs == ((2, 3),)  # replaced
    assert dict(rules.score.points) == dict(finnish.score.points) | {"JK": 50}  # merged by card
    assert load_ruleset(str(path)) == rules


def test_left_out_names_come_from_the_file_and_the_rest_from_shanghai(write):
    rules = load_ruleset(write("", "ours.toml"))
    assert (rules.name, rules.title) == ("ours", "Built on shanghai")
    assert rules.deal == load_ruleset("shanghai").deal


def test_wild_points_and_lists_are_replaced(write):
    rules = load_ruleset(
        write('based_on = "shanghai-wild-twos"\n[score]\nwild_points = {}\n[cards]\nwild = ["2c"]\n')
    )
    assert (rules.score.wild_points, rules.cards.wild) == ((), ("2C",))


def test_json_can_be_loaded(write):
    assert load_ruleset(write('{"buy": {"per_deal": 1}}', "a.json")).buy.per_deal == 1
    assert "a.json: line 1: not valid JSON" in one_problem(write("{", "a.json"))


def test_options_on_their_own():
    assert ruleset_from_options({"based_on": "liverpool", "players": {"max": 5}}).players.max == 5
    with pytest.raises(RulesError, match=r"^run\.json: players\.max: must be a whole number"):
        ruleset_from_options({"players": {"max": "x"}}, "run.json")


@pytest.mark.parametrize(
    "changes",
    [
        ["buy.per_deal=2", "score.points.JK=15", "cards.packs.5=2", "title=Bare"],
        [" buy.per_deal = 2 ", 'score."points".JK = 15', "cards.packs={ 2 = 2, 5 = 2 }", 'title="Bare"'],
        {"buy.per_deal": 2, "score": {"points": {"JK": 15}}, "cards.packs": {2: 2, 5: 2}, "title": "Bare"},
    ],
)
def test_ways_to_change_an_option(changes):
    rules = load_ruleset("shanghai", changes)
    assert (rules.buy.per_deal, rules.title) == (2, "Bare")
    assert dict(rules.score.points)["JK"] == 15
    assert rules.cards.packs == ((2, 2), (5, 2))
    assert rules.draw == load_ruleset("shanghai").draw


def test_one_change_alone_and_the_last_change_wins():
    assert load_ruleset("shanghai", "buy.per_deal=2").buy.per_deal == 2
    assert load_ruleset("shanghai", ["buy.per_deal=2", "buy.per_deal=unlimited"]).buys_in(1) is None


def test_a_contract_and_a_word_of_several_words():
    rules = load_ruleset(
        "shanghai", ["score.sudden_death_contract=S3 R5 R5", "deal.contracts=['2 sets of 4']"]
    )
    assert str(rules.contract_in(1)) == "S4 S4"
    assert str(rules.contract_in(2)) == "S3 R5 R5"
    assert rules.to_options()["score"]["sudden_death_contract"] == "S3 R5 R5"


def test_everything_wrong_is_told_at_once(write):
    path = write(
        'based_on = "shangai"\nper_game = 3\n[byu]\nper_deal = 1\n[buy]\nper_dael = 1\npenalty_cards = -1\n'
        'after_laying_down = "no"\n[swap]\nmelds = "run"\n[deal]\nhand_size = [11, 12]\n'
        'contracts = ["S3 R15", "x"]\n'
        "[score]\npoints = { JO = 1, K = -1 }\n[players]\nmin = 5\nmax = 4\n"
    )
    lines = problems(path, ["stock=3", "go_out.discard=optionel", "nonsense", "buy.penalty_cards.x=1"])
    text = "\n".join(lines)
    for expected in [
        f"{path}: based_on: must name a preset, not",
        "(did you mean 'shanghai'?)",
        f"{path}: per_game: unknown key; allowed here: name, title, ",
        "(did you mean 'buy.per_game'?)",
        f"{path}: byu: unknown key",
        "(did you mean 'buy'?)",
        f"{path}: buy.per_dael: unknown key; allowed here: per_deal, ",
        "(did you mean 'per_deal'?)",
        f"{path}: buy.penalty_cards: must be a whole number from 0 to 1000, not -1",
        f'{path}: buy.after_laying_down: must be true or false, not "no"',
        f'{path}: swap.melds: must be "runs", "all" or "none", not "run" (did you mean \'runs\'?)',
        "deal.contracts: entry 1 must be a contract",
        "a run has 3 to 14 cards, not 15",
        "deal.contracts: entry 2 must be a contract",
        f"{path}: score.points.JO: the key must be one of A K Q",
        f"{path}: score.points.K: must be a whole number from 0 to 10000, not -1",
        f"{path}: players.min: must be at most players.max = 4, not 5",
        "--set stock=3: stock: must be a table with when_empty, turn_limit, not 3",
        "--set go_out.discard=optionel: go_out.discard: must be",
        "(did you mean 'optional'?)",
        "--set 'nonsense': must be KEY=VALUE",
        "--set buy.penalty_cards.x=1: buy.penalty_cards is no table",
    ]:
        assert expected in text
    assert len(lines) == 16
    assert len(set(lines)) == 16


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("players.min=1", "whole number from 2 to 100, not 1"),
        ("players.min=3.0", "whole number from 2 to 100, not 3.0"),
        ("players.min=true", "not true"),
        ("cards.packs={}", "must be a table from numbers of players"),
        ("cards.packs={ 4 = 2 }", "must say how many for players.min = 3, but starts at 4"),
        ("cards.packs.x=2", "cards.packs.x: the key must be a number of players"),
        ("cards.packs.5=0", "cards.packs.5: must be a whole number from 1"),
        ("cards.jokers=4", "must be a table from numbers of players"),
        ("cards.wild=JK", "must be a list of wild cards"),
        ("cards.wild=['JX']", 'entry 1 must be "JK", a rank such as "2" or a card such as "2S"'),
        ("cards.wild=[2]", "entry 1 must be"),
        ("score.wild_points={ JK = 3 }", "a joker's points stand in score.points"),
        ("score.wild_points.JK=3", "score.wild_points.JK: the key must be a rank"),
        ("score.points.JK=2026-01-01", "not 2026-01-01"),
        ("score.first_turn_bonus=25", "whole number from -10000 to 0, not 25"),
        ("deal.contracts=[]", "must be a list of contracts"),
        ("deal.hand_size=[]", "or a list of these, one per deal"),
        ("deal.hand_size=[1,2,3]", "must have one entry per deal: deal.contracts has 10, this list 3"),
        ("deal.hand_size.3=12", "deal.hand_size is no table"),
        ("deal.natural_only=[11]", "must name deals from 1 to 10, not 11"),
        ("buy.per_deal=unlimitd", "(did you mean 'unlimited'?)"),
        ("buy.per_deal=[3]", "must have one entry per deal"),
        ("buy.per_deal={a=1}", "or a list of these"),
        ("meld.max_wilds=many", 'must be "any" or a whole number'),
        ("meld.max_wilds=0x1F3F", "not 7999"),
        ("stock.turn_limit=0", "whole number from 1 to 1000"),
        ("score.sudden_death_contract=lst", "(did you mean 'last'?)"),
        ('name="a\\nb"', "text on one line"),
        ("name=''", "text on one line"),
        ("based_on=finnish", "cannot say what a ruleset is based on"),
        ("=3", "must be KEY=VALUE"),
        ("buy..per_deal=3", "must be KEY=VALUE"),
        ("buy.per_deal=", "is no TOML value"),
        ("buy.per_deal=[1", "is no TOML value"),
        pytest.param(f"buy.per_deal={5000 * '['}", "is no TOML value", id="too deep"),
        ("buy.per_deal=1\nx=2", "is no TOML value"),
    ],
)
def test_impossible_values(change, says):
    line = one_problem("shanghai", [change])
    assert line.startswith("--set ")
    assert says in line


def test_the_ace_bounds_a_run():
    assert load_ruleset("shanghai", ["deal.contracts=['R14']"]).contract_in(1).cards == 14
    for ace in ("low", "high"):
        change = [f"cards.ace={ace}", "deal.contracts=['S3', 'R14']", "score.sudden_death_contract=R14"]
        first, second = problems("shanghai", change)
        assert (
            f'deal.contracts: entry 2: a run has at most 13 cards with cards.ace = "{ace}", not 14' in first
        )
        assert "score.sudden_death_contract: a run has at most 13 cards" in second


def test_a_list_left_from_the_base_is_blamed_on_the_file(write):
    path = write('based_on = "shanghai-growing"\n[deal]\ncontracts = ["S3 S3"]\n')
    assert one_problem(path) == (
        f"{path}: deal.hand_size: must have one entry per deal: deal.contracts has 1, this list 10"
    )


def test_a_change_in_the_api_is_named():
    assert one_problem("shanghai", {"buy.per_deal": None}).startswith("overrides: buy.per_deal: must be ")


def test_names_and_files_that_do_not_exist(write):
    assert one_problem("shangai") == "unknown ruleset 'shangai' (did you mean 'shanghai'?), or a FILE.toml"
    assert "; there are contract-rummy, finnish, " in one_problem("zzz")
    path = write("")
    near = path.with_name("my-hose.toml")
    assert one_problem(near) == f"{near}: no such file (did you mean '{path}'?)"
    assert one_problem(Path("no/where.toml")) == "no/where.toml: no such file"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[buy]\nper_deal 3\n", "line 2, character 10: not valid TOML: "),
        ("[buy]\nper_deal = 3\n\n[buy", "line 4, at the end: not valid TOML: "),
        ("a = 1\na = 2\n", "line 2"),
    ],
)
def test_broken_toml_is_told_with_its_line(write, text, where):
    path = write(text)
    assert one_problem(path).startswith(f"{path}: {where}")


def test_files_that_cannot_be_read(tmp_path, write):
    latin = tmp_path / "latin.toml"
    latin.write_bytes('title = "Böse"'.encode("latin-1"))
    assert one_problem(latin) == f"{latin}: is not text in UTF-8"
    assert one_problem(tmp_path) == f"{tmp_path}: is a folder, not a file"
    assert "cannot be read: " in one_problem(write(f"[buy]\nper_deal = {5000 * '9'}"))
    assert "cannot be read: " in one_problem(write(f"a = {5000 * '['}"))
    with_mark = write("\ufefftitle = 'With a mark'")
    assert load_ruleset(with_mark).title == "With a mark"
    assert "must hold a table" in one_problem(write("[]", "a.json"))


WORDS = st.sampled_from(
    [*"AJK237", "JK", "2S", "S3 R4", "R14", "any", "none", "unlimited", "last", "low", "", "a\nb"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


@given(
    st.sampled_from(preset_names()),
    st.dictionaries(st.sampled_from([".".join(keys) for keys in dotted_keys(Ruleset)]), VALUES, max_size=4),
)
@example("shanghai", {"cards.packs": {"a\nb": None}})
@example("shanghai", {"cards.wild": ["a\nb"]})
def test_any_change_gives_a_ruleset_that_round_trips_or_says_what_is_wrong(name, changes):
    try:
        rules = load_ruleset(name, changes)
    except RulesError as error:
        lines = error.problems
    else:
        lines = ()
        assert ruleset_from_options(rules.to_options()) == rules
        assert ruleset_from_options(tomllib.loads(ruleset_toml(rules))) == rules
    assert all(line.startswith("overrides: ") and "\n" not in line for line in lines)


def test_a_loaded_ruleset_is_changed():
    finnish = load_ruleset("finnish")
    changed = changed_ruleset(finnish, ["buy.per_deal=2", "score.points.A=20"])
    assert changed == load_ruleset("finnish", ["buy.per_deal=2", "score.points.A=20"])
    assert changed_ruleset(finnish, ()) == finnish
    with pytest.raises(RulesError, match=r"--set buy\.per_dael=2: buy\.per_dael: unknown key"):
        changed_ruleset(finnish, ["buy.per_dael=2"])
    # Callers may name one, or hand one over: changes are heeded either way.
    assert ruleset_of(finnish, ["buy.per_deal=2"]) == ruleset_of("finnish", ["buy.per_deal=2"])
    assert ruleset_of(finnish) is finnish
