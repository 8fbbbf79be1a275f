"""The referee against legal games of the naive dealer, the same games spoilt, and positions written by hand."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tests.reference.naive_game import NaiveGame
from tests.reference.naive_rules import SHANGHAI, VARIANTS, ruleset
from tests.reference.referee import ViolationError, check_transcript, require_legal
from tests.reference.referee.cards import points_of
from tests.reference.referee.melds import check_contract, grown, has_place, swapped
from tests.reference.referee.options import check_options
from tests.reference.scripted import Script
from tests.reference.spoilers import CATALOGUE

# Rare things need a game in which they happen.
SEEDS = {"ties shared": 3, "tight, two penalty cards": 3}


@cache
def game(variant, coupling, seed=None):
    players, changes = VARIANTS[variant]
    return NaiveGame(
        ruleset(changes), players, SEEDS.get(variant, 0) if seed is None else seed, coupling
    ).events


@pytest.mark.parametrize(("variant", "coupling"), list(product(VARIANTS, ["pile", "seat"])))
def test_legal_games_pass(variant, coupling):
    assert check_transcript(game(variant, coupling)) == []
    require_legal(game(variant, coupling, 1))


def test_neither_referee_nor_dealer_knows_the_package():
    here = Path(__file__).parent
    sources = [*here.glob("naive_*.py"), *here.glob("referee/*.py"), *here.glob("spoilers/*.py")]
    assert len(sources) > 10
    assert not [path.name for path in sources if "shanghai_sim" in path.read_text()]


@pytest.mark.parametrize("name", CATALOGUE)
def test_spoilt_games_are_refused_for_the_rule_they_break(name):
    spoiler, tried = CATALOGUE[name], 0
    for variant, coupling in product(VARIANTS, ["pile", "seat"]):
        events = game(variant, coupling)
        spoilt = spoiler(events)
        if spoilt is None:
            continue
        first = next((i for i, pair in enumerate(zip(events, spoilt, strict=False)) if pair[0] != pair[1]), 0)
        found = check_transcript(spoilt)
        assert len(found) == 1, (name, variant, coupling)
        assert any(rule in found[0] for rule in spoiler.rules), found
        assert int(found[0].split()[1]) >= first, found
        with pytest.raises(ViolationError, match="event"):
            require_legal(spoilt)
        tried += 1
        if tried == 2:
            break
    assert tried > 0, "no game to spoil so"


# --- which deals are played ---


def test_some_deals_only():
    events = NaiveGame(ruleset(), 3, 5, deals=[1, 3]).events
    assert check_transcript(events) == check_transcript(events, [1, 3]) == []
    assert "were asked for" in check_transcript(events, [1, 2, 3])[0]
    assert "were asked for" in check_transcript(events, [1])[0]
    assert "were asked for" in check_transcript(events, [1, 3, 4])[0]
    assert [e["dealer"] for e in events if e["event"] == "deal"][:2] == [0, 2]


@pytest.mark.parametrize("events", [[], [7], [None], [{}], [{"event": 3}], [{"event": "game"}]])
def test_what_is_no_transcript(events):
    assert "FORMATS" in check_transcript(events)[0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players.min", 1), ("players.max", 9), ("cards.packs", {"2": 4}), ("cards.packs", {2: 2}),
        ("cards.jokers", {"2": 13}), ("cards.wild", ["joker"]), ("cards.wild", "JK"), ("cards.ace", "any"),
        ("deal.contracts", []), ("deal.contracts", ["S2"]), ("deal.contracts", ["R15"]),
        ("deal.contracts", ["S3 S3 S3 S3 S3"]), ("deal.contracts", ["s3"]), ("deal.hand_size", 21),
        ("deal.hand_size", [11, 11]), ("deal.natural_only", [4]), ("deal.first_player_extra_card", 0),
        ("draw.discard_after_laying_down", "yes"), ("buy.per_deal", -1), ("buy.per_deal", [3]),
        ("buy.per_game", True), ("buy.penalty_cards", "unlimited"), ("meld.max_wilds", "none"),
        ("meld.wild_limits", "never"), ("swap.melds", "sets"), ("go_out.discard", "never"),
        ("stock.turn_limit", 1.0), ("score.points", {"A": 15}), ("score.wild_points", {"two": 20}),
        ("score.first_turn_bonus", 25), ("score.tie", "replay"), ("score.sudden_death_contract", "first"),
    ],
)  # fmt: skip
def test_options_that_are_none(key, value):
    with pytest.raises(ViolationError, match="FORMATS"):
        check_options(ruleset({key: value}), 4)


def test_options_that_no_cards_can_satisfy():
    check_options(ruleset({"deal.contracts": ["R14"]}), 4)
    for ace in ("low", "high"):
        with pytest.raises(ViolationError, match="RULES 1"):
            check_options(ruleset({"deal.contracts": ["R14"], "cards.ace": ace}), 4)
    with pytest.raises(ViolationError):
        check_options({key: value for key, value in SHANGHAI.items() if key != "swap"}, 4)
    with pytest.raises(ViolationError):
        check_options(None, 4)


# --- melds ---


def a_set(text):
    return {"kind": "set", "cards": text.split()}


def a_run(text, low, suit):
    return {"kind": "run", "suit": suit, "low": low, "cards": text.split()}


def lays(melds, contract, **changes):
    """Tell whether these melds can be laid down as the contract of a deal that is not the last."""
    options = ruleset(
        {"deal.contracts": [contract, contract]} | {k.replace("__", "."): v for k, v in changes.items()}
    )
    try:
        check_contract(options, 1, melds)
    except ViolationError:
        return False
    return True


def test_rulings_on_melds():
    assert lays([a_set("7D 7S JK"), a_set("9S 9C JK")], "S3 S3")  # 1
    assert lays([a_set("QH QS QC"), a_run("5H 6H JK 8H", 5, "H")], "S3 R4")  # 2
    assert lays([a_run("9H TH JH QH KH AH", 9, "H")], "R6")  # 3
    assert lays([a_run("8H 9H TH JH QH KH AH", 8, "H")], "R7")
    assert lays([a_run("JD QD KD JK", 11, "D")], "R4")  # 4: both placements
    assert lays([a_run("JK JD QD KD", 10, "D")], "R4")
    assert lays([a_run("5H JK JK JK", 5, "H")], "R4")  # 5
    for cards in ("5H 5H 6H 7H", "5H 6C 7H 8H", "5H 6H 7H 9H"):  # 6
        assert not any(lays([a_run(cards, low, "H")], "R4") for low in range(-1, 16))
    assert not any(lays([a_run("KH AH 2H 3H", low, "H")], "R4") for low in range(-1, 16))
    assert not any(lays([a_run("JK AH 2H 3H", low, "H")], "R4") for low in range(-1, 16))
    wild_twos = {"cards__wild": ["JK", "2"]}
    assert lays([a_set("2S 2H JK")], "S3", **wild_twos)  # 8
    assert not lays([a_set("2S 2H JK")], "S3", **wild_twos, meld__max_wilds=2)
    assert not lays([a_set("2S 2H JK")], "S3", **wild_twos, meld__naturals_outnumber_wilds="at-least-equal")
    assert not lays([a_set("2S 2H JK")], "S3", **wild_twos, deal__natural_only=[1])


def test_options_on_melds():
    assert lays([a_run("AS 2S 3S 4S", 1, "S")], "R4", cards__ace="low")
    assert not lays([a_run("AS 2S 3S 4S", 1, "S")], "R4", cards__ace="high")
    assert lays([a_run("JS QS KS AS", 11, "S")], "R4", cards__ace="high")
    assert not lays([a_run("JS QS KS JK", 11, "S")], "R4", cards__ace="low")
    assert lays([a_run("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", 1, "S")], "R14")
    assert not lays([a_set("7H 7H 7H 7D")], "S3")
    assert lays([a_set("7H 7H 7H 7D")], "S3", meld__longer_at_lay_down=True)
    distinct = {"meld__set_suits": "distinct", "cards__wild": ["JK", "2S"]}
    assert not lays([a_set("7H 7H 7D")], "S3", **distinct)
    assert lays([a_set("7H 2S 2S")], "S3", **distinct)
    assert lays([a_set("2H 2S 2S")], "S3", **distinct)  # black twos among red ones
    sevens = [a_set("7H 7S JK"), a_set("7D 7C JK")]
    assert lays(sevens, "S3 S3")
    assert not lays(sevens, "S3 S3", meld__same_rank_sets=False)
    assert lays([a_set("JK JK JK"), a_set("JK JK JK")], "S3 S3", meld__same_rank_sets=False)
    two = [a_run("7H 8H 9H", 7, "H"), a_run("4H 5H 6H", 4, "H")]
    assert lays(two, "R3 R3")
    assert not lays(two, "R3 R3", meld__runs_may_adjoin=False)
    apart = [a_run("7H 8H 9H", 7, "H"), a_run("4D 5D 6D", 4, "D")]
    assert lays(apart, "R3 R3", meld__runs_may_adjoin=False)
    corner = [a_run("QH KH AH", 12, "H"), a_run("2H 3H 4H", 2, "H")]
    assert lays(corner, "R3 R3", meld__runs_may_adjoin=False)  # nothing goes around the corner
    overlap = [a_run("7H 8H 9H", 7, "H"), a_run("5H 6H 7H", 5, "H")]
    assert lays(overlap, "R3 R3", meld__runs_may_adjoin=False)


def test_growing_and_swapping():
    options = ruleset({"swap.melds": "all"})
    sevens = grown(options, a_set("JK JK JK"), "7H", None)  # ruling 28
    assert grown(options, sevens, "JK", None)["cards"].count("JK") == 4
    with pytest.raises(ViolationError):
        grown(options, sevens, "8H", None)
    with pytest.raises(ViolationError):
        grown(options, a_run("JH QH KH AH", 11, "H"), "JK", "high")
    with pytest.raises(ViolationError):
        grown(options, a_run("5H JK JK JK", 5, "H"), "5C", "high")  # ruling 5
    with pytest.raises(ViolationError):
        grown(options, a_run("5H 6H 7H 8H", 5, "H"), "9D", "high")  # ruling 17
    assert swapped(options, a_set("JK JK JK"), "7H", "JK")["cards"] == ["7H", "JK", "JK"]
    assert swapped(options, a_run("JK 6H JK", 5, "H"), "7H", "JK")["cards"] == ["JK", "6H", "7H"]
    with pytest.raises(ViolationError):
        swapped(options, a_set("7S 7D JK"), "8H", "JK")
    with pytest.raises(ViolationError):
        swapped(ruleset(), a_set("7S 7D JK"), "7H", "JK")
    strict = ruleset({"meld.naturals_outnumber_wilds": "strictly", "meld.wild_limits": "always"})
    assert has_place(strict, [a_set("7S 7D 7H")], "JK")
    assert not has_place(strict, [a_set("7S 7D JK")], "JK")
    assert not has_place(ruleset(), [a_run("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", 1, "S")], "JK")


# --- scripted deals ---


def test_ruling_10_and_26_what_is_reshuffled():
    script = Script({"cards.packs": {"2": 1}, "cards.jokers": {}, "deal.hand_size": 16}, 3)
    for seat in (1, 2, 0):
        script.draw(seat, "stock").discard(seat)
    a, b, c, top = script.pile
    assert script.stock == []
    assert "reshuffle is missing" in script.fork().buy(2, top, []).fault()
    assert "without its top" in script.fork().add("reshuffle", stock=[a, b, c, top]).fault()
    bought = script.fork().add("reshuffle", stock=[a, b, c]).buy(2, top, [a])
    assert bought.fork().draw(1, "stock", b).discard(1).fault() is None
    assert "there is a card" in bought.fork().draw(1, "none").fault()
    assert "from the stock" in bought.fork().draw(1, "discard", top).fault()
    drawn = script.fork().add("reshuffle", stock=[c, a, b])
    assert drawn.fork().draw(1, "stock", c).discard(1).fault() is None
    assert "next card" in drawn.fork().draw(1, "stock", a).fault()


def test_ruling_11_nothing_left():
    script = Script({"cards.packs": {"2": 1}, "cards.jokers": {}, "deal.hand_size": 17}, 3)
    (up,) = script.pile
    assert script.fork().draw(1, "discard", up).discard(1).fault() is None
    passed = script.fork().draw(1, "none").discard(1)
    assert passed.fault() is None
    assert "reshuffle is missing" in passed.draw(2, "none").fault()  # two lie there now
    assert script.fork().buy(2, up, []).draw(1, "none").discard(1).fault() is None
    assert "stock is empty" in script.fork().draw(1, "stock", "7H").fault()
    assert "penalty" in script.fork().buy(2, up, ["7H"]).fault()


def test_ruling_13_a_card_is_kept_to_discard():
    hand = ["7H", "7D", "7S", "9H", "9D", "9S"]
    rules = {"deal.hand_size": 5, "deal.contracts": ["S3 S3", "S3 S3"], "meld.longer_at_lay_down": True}
    melds = [a_set("7H 7D 7S"), a_set("9H 9D 9S")]
    for changes, fault in [({}, "kept to discard"), ({"go_out.discard": "optional"}, None)]:
        script = Script(rules | changes, 3, hands={1: hand[:5]}, stock=hand[5:])
        script.draw(1, "stock").lay_down(1, melds)
        found = script.fault()
        assert found is None if fault is None else fault in found
    script = Script(rules, 3, hands={1: ["7C", *hand[:4]]}, stock=hand[4:5])
    assert "does not hold" in script.draw(1, "stock").lay_down(1, melds).fault()


def test_ruling_12_and_20_the_whole_hand():
    rules = {"deal.hand_size": 6, "deal.contracts": ["S3 S3"], "go_out.last_deal_takes_whole_hand": True}
    script = Script(rules, 3, hands={1: ["7H", "7D", "7S", "9H", "9D", "9S"]}, stock=["9C"])
    short = script.fork().draw(1, "stock").lay_down(1, [a_set("7H 7D 7S"), a_set("9H 9D 9S")])
    assert "every card" in short.fault()
    whole = script.fork().draw(1, "stock").lay_down(1, [a_set("7H 7D 7S"), a_set("9H 9D 9S 9C")])
    assert whole.fault() is None
    assert "over" in whole.fork().draw(2, "stock").fault()


def test_ruling_22_both_fit_and_one_is_discarded():
    rules = {"deal.hand_size": 7, "deal.contracts": ["S3 S3", "S3 S3"]}
    hand = ["7H", "7D", "7S", "9H", "9D", "9S", "KC"]
    script = Script(rules, 3, hands={1: hand}, stock=["7C", "2C", "3C", "9C"])
    script.draw(1, "stock").lay_down(1, [a_set("7H 7D 7S"), a_set("9H 9D 9S")])
    assert "turn of laying down" in script.fork().lay_off(1, 0, "7C").fault()  # ruling 29
    script.discard(1, "KC").draw(2, "stock").discard(2).draw(0, "stock").discard(0).draw(1, "stock")
    script.lay_off(1, 0, "7C")
    assert "kept to discard" in script.fork().lay_off(1, 1, "9C").fault()
    assert script.fork().discard(1, "9C").fault() is None


def test_ruling_30_points_of_wilds():
    both = ruleset({"cards.wild": ["JK", "2"], "score.wild_points": {"2": 20, "2S": 30}})
    assert [points_of(both, card) for card in ("2H", "2S", "JK", "AS")] == [20, 30, 25, 15]
    black = ruleset({"cards.wild": ["2S", "2C"], "score.wild_points": {"2": 20}})
    assert [points_of(black, card) for card in ("2S", "2H", "JK")] == [20, 5, 25]
