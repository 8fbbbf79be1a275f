"""A row or more for every option: what happens under one value is neither played nor let pass under another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from shanghai_sim.errors import RulesError
from shanghai_sim.rules.ruleset import load_ruleset
from shanghai_sim.rules.values import Choice, Flag
from tests.reference.referee import check_transcript
from tests.reference.spoilers.walk import Walk
from tests.unit.engine.test_rules_happen import NOTHING, STRAY, SWAPPER, games
from tests.unit.rules.test_meanings import OPTIONS, kind_of

Events = list[dict[str, Any]]
Happens = Callable[[dict[str, Any], Walk], Any]


class Row(NamedTuple):
    """What an option allows under one value and forbids under another.

    Attributes
    ----------
    option, allows, forbids : str
        The option, and the two values.
    happens : callable
        Tells of an event and of what lies where before it whether it is what the one value allows alone.
    rule : str
        What the referee says is broken when a game with such an event is judged under the other value.
    base : tuple of str
        Other options, under which it happens often.
    played : mapping
        Policies, deals and number of the games.
    still : callable, optional
        What goes on under the value that forbids.
    """

    option: str
    allows: str
    forbids: str
    happens: Happens
    rule: str
    base: tuple[str, ...] = ()
    played: Mapping[str, Any] = {}
    still: Happens | None = None


def on(kind: str, happens: Happens) -> Happens:
    """Return the same question, asked of events of one kind alone."""
    return lambda e, s: e["event"] == kind and happens(e, s)


def in_meld(kind: str, happens: Callable[[dict[str, Any], Walk], Any]) -> Happens:
    """Return the question whether a meld of that kind ("set run": any) is laid down of which this is true."""
    return on("lay-down", lambda e, s: any(m["kind"] in kind.split() and happens(m, s) for m in e["melds"]))


def wilds(s: Walk, meld: dict[str, Any]) -> int:
    return sum(s.wild(card) for card in meld["cards"])


def naturals_alike(meld: dict[str, Any], s: Walk, part: int) -> bool:
    """Tell whether two naturals of a meld have the same rank (part 0), suit (1)."""
    parts = [card[part] for card in s.naturals(meld)]
    return len(set(parts)) < len(parts)


def set_ranks(e: dict[str, Any], s: Walk) -> list[str]:
    """Return the ranks of the sets of a lay-down that hold a natural."""
    naturals = [s.naturals(meld) for meld in e["melds"] if meld["kind"] == "set"]
    return [cards[0][0] for cards in naturals if cards]


def adjoining(e: dict[str, Any], _: Walk) -> bool:
    places = [(m["suit"], m["low"], m["low"] + len(m["cards"])) for m in e["melds"] if m["kind"] == "run"]
    return any(a[0] == b[0] and a[2] == b[1] for a in places for b in places)


def wild_laid_off(e: dict[str, Any], s: Walk) -> bool:
    return e["event"] == "lay-off" and s.wild(e["card"])


def wilds_after(e: dict[str, Any], s: Walk) -> tuple[int, int]:
    """Return the wilds and the naturals of a meld once a wild has been laid off on it; other events: none, some."""
    if not wild_laid_off(e, s):
        return 0, 1
    meld = s.melds[e["meld"]]
    return wilds(s, meld) + 1, len(s.naturals(meld))


def melds_fresh(e: dict[str, Any], s: Walk) -> bool:
    """Tell whether a seat melds that bought since its last turn."""
    if e["event"] in ("game", "deal"):
        s.fresh = set()
    elif e["event"] == "buy":
        s.fresh.add(e["seat"])
    elif e["event"] == "discard":
        s.fresh.discard(e["seat"])
    return e["event"] in ("lay-down", "lay-off", "swap") and e["seat"] in s.fresh


def same_turn(e: dict[str, Any], s: Walk) -> bool:
    return s.down[e["seat"]] == s.turns[e["seat"]]


def larger(e: dict[str, Any], s: Walk) -> bool:
    return sum(len(meld["cards"]) for meld in e["melds"]) > sum(int(word[1:]) for word in s.contract)


def scores(*wanted: int) -> Happens:
    return on("deal-end", lambda e, _: e["winner"] is not None and e["scores"][e["winner"]] in wanted)


def ends_the_deal(_: dict[str, Any], s: Walk) -> bool:
    return s.next["event"] == "deal-end"


def in_set(e: dict[str, Any], s: Walk) -> bool:
    return s.melds[e["meld"]]["kind"] == "set"


odd_score = on("deal-end", lambda e, _: any(score % 5 for score in e["scores"]))
two_deals = "deal.contracts=['S3 S3','S3 R4']"
jokers = "cards.jokers={2=12}"
small = ("deal.hand_size=3", "deal.contracts=['S3']", "cards.packs={2=3}", jokers)
runs = ("deal.contracts=['R3 R3']",)
one, two, five = {"deals": (1,)}, {"deals": (2,)}, {"deals": (5,)}
many = (jokers, "cards.wild=['JK','2','3','4']")
#: Naturals of five ranks alone, and at least two of them in a set.
few = ("cards.wild=['JK','2','3','4','5','6','7','8','9']", "meld.max_wilds=1")
crowd = ("deal.hand_size=18", "buy.penalty_cards=2")
clean = ("deal.hand_size=[6,8]", two_deals, "buy.per_deal=0")
plain = {"policies": ("plain", "no-buy"), "deals": (1, 2), "n": 9}
swappers = {"policies": (SWAPPER,), "deals": (2, 5), "n": 6}
strays = {"policies": (STRAY,), "n": 6}

ROWS = [
    Row("players.min", "3", "5", on("game", lambda e, _: len(e["policies"]) == 4), "FORMATS"),
    Row("players.max", "8", "3", on("game", lambda e, _: len(e["policies"]) == 4), "FORMATS"),
    Row("cards.packs", "{2=2}", "{2=1}", in_meld("set", lambda m, s: naturals_alike(m, s, 1)), "RULES 1"),
    Row("cards.jokers", "{2=4}", "{}", in_meld("set run", lambda m, _: "JK" in m["cards"]), "RULES 1"),
    Row("cards.wild", "['JK']", "[]", in_meld("set run", lambda m, _: "JK" in m["cards"]), "RULES 1"),
    Row("cards.wild", "['JK','2']", "['JK']",
        in_meld("set", lambda m, s: {c[0] for c in m["cards"]} > {"2"} and s.naturals(m)), "RULES 5"),
    Row("cards.ace", "both", "low", in_meld("run", lambda m, _: m["low"] == 12), "RULES 1", runs, {"n": 9}),
    Row("cards.ace", "both", "high", in_meld("run", lambda m, _: m["low"] == 1), "RULES 1", runs, {"n": 9}),
    Row("deal.contracts", "['S3 S3','S3 R4']", "['S3 R4','S3 R4']",
        on("lay-down", lambda e, _: len(set_ranks(e, _)) == 2), "RULES 8", (), one),
    Row("deal.hand_size", "12", "11", on("deal", lambda e, _: {12} == set(map(len, e["hands"]))), "RULES 2"),
    Row("deal.hand_size", "[11,13]", "11", on("deal", lambda e, _: {13} == set(map(len, e["hands"]))),
        "RULES 2", (two_deals,), {"deals": (1, 2)}),
    Row("deal.natural_only", "[]", "[1]", in_meld("set run", lambda m, s: wilds(s, m) > 0), "RULES 5", (jokers,),
        one, still=wild_laid_off),
    Row("deal.first_player_extra_card", "true", "false",
        on("discard", lambda _, s: s.before["event"] == "deal"), "RULES 2"),
    Row("draw.discard_after_laying_down", "true", "false",
        on("draw", lambda e, s: e["from"] == "discard" and s.down[e["seat"]]), "RULES 3", (), strays),
    Row("buy.per_deal", "2", "1", on("buy", lambda e, s: s.bought[e["seat"]] >= 1), "RULES 4",
        still=on("buy", lambda e, s: True)),
    Row("buy.per_deal", "1", "0", on("buy", lambda e, s: True), "RULES 4"),
    Row("buy.per_deal", "unlimited", "3", on("buy", lambda e, s: s.bought[e["seat"]] >= 3), "RULES 4", (),
        {"deals": (10,)}, still=on("buy", lambda e, s: s.bought[e["seat"]] == 2)),
    Row("buy.per_deal", "3", "[0,3]", on("buy", lambda e, s: s.deal == 1), "RULES 4", (two_deals,),
        {"deals": (1, 2)}, still=on("buy", lambda e, s: s.deal == 2)),
    Row("buy.per_game", "unlimited", "4", on("buy", lambda e, s: s.bought_in_game[e["seat"]] >= 4), "RULES 4", (),
        {"deals": (1, 5, 8)}, still=on("buy", lambda e, s: s.bought_in_game[e["seat"]] == 3)),
    Row("buy.penalty_cards", "2", "1", on("buy", lambda e, _: len(e["penalty"]) == 2), "RULES 3"),
    Row("buy.penalty_cards", "1", "0", on("buy", lambda e, _: len(e["penalty"]) == 1), "RULES 3",
        still=on("buy", lambda e, s: True)),
    Row("buy.own_discard", "true", "false", on("buy", lambda e, s: s.pile[-1][1] == e["seat"]), "RULES 3", (),
        {"policies": ("aggressive-buy", "no-buy", "no-buy", "no-buy")}),
    Row("buy.after_laying_down", "true", "false", on("buy", lambda e, s: s.down[e["seat"]]), "RULES 4", (), strays,
        still=on("buy", lambda e, s: True)),
    Row("buy.no_meld_next_turn", "false", "true", melds_fresh, "RULES 4", (), {"deals": (1, 2), "n": 6},
        still=on("lay-down", lambda e, s: s.bought[e["seat"]])),
    Row("meld.longer_at_lay_down", "true", "false", on("lay-down", larger), "RULES 5", (jokers,), five),
    Row("meld.lay_off_same_turn", "true", "false", on("lay-off", same_turn), "RULES 5", (), one,
        still=on("lay-off", lambda e, s: True)),
    Row("meld.lay_off_same_turn", "true", "false", on("swap", same_turn), "RULES 5", ("swap.melds=all", jokers),
        swappers, still=on("swap", lambda e, s: True)),
    Row("meld.max_wilds", "any", "1", in_meld("set run", lambda m, s: wilds(s, m) > 1), "RULES 5", (jokers,), two,
        still=in_meld("set run", lambda m, s: wilds(s, m) == 1)),
    Row("meld.max_wilds", "1", "0", in_meld("set run", lambda m, s: wilds(s, m) > 0), "RULES 5", (jokers,), two,
        still=wild_laid_off),
    Row("meld.naturals_outnumber_wilds", "no", "at-least-equal",
        in_meld("set run", lambda m, s: wilds(s, m) > len(s.naturals(m))), "RULES 5",
        (*small, "cards.packs={2=1}"), {"n": 9}, still=in_meld("set", lambda m, s: wilds(s, m) == 1)),
    Row("meld.naturals_outnumber_wilds", "at-least-equal", "strictly",
        in_meld("run", lambda m, s: wilds(s, m) == len(s.naturals(m))), "RULES 5", (jokers,), two,
        still=in_meld("set run", lambda m, s: wilds(s, m) == 1)),
    Row("meld.wild_limits", "lay-down", "always", lambda e, s: wilds_after(e, s)[0] > 1, "RULES 5",
        ("meld.max_wilds=1", jokers), two, still=wild_laid_off),
    Row("meld.wild_limits", "lay-down", "always", lambda e, s: wilds_after(e, s)[0] >= wilds_after(e, s)[1], "RULES 5",
        ("meld.naturals_outnumber_wilds=strictly", *many), one, still=wild_laid_off),
    Row("meld.set_suits", "any", "distinct", in_meld("set", lambda m, s: naturals_alike(m, s, 1)), "RULES 5", (),
        five, still=on("lay-off", lambda e, s: in_set(e, s) and e["card"] in s.melds[e["meld"]]["cards"])),
    Row("meld.same_rank_sets", "true", "false",
        on("lay-down", lambda e, s: len(set(set_ranks(e, s))) < len(set_ranks(e, s))), "RULES 5",
        (*few, "deal.contracts=['S3 S3 S3 S3']", "deal.hand_size=20"), still=on("lay-down", lambda e, s: True)),
    Row("meld.runs_may_adjoin", "true", "false", on("lay-down", adjoining), "RULES 5",
        ("deal.contracts=['R3 R3 R3']", "deal.hand_size=16"), {"n": 9}),
    Row("swap.melds", "all", "runs", on("swap", in_set), "RULES 5", (jokers,), swappers,
        still=on("swap", lambda e, s: True)),
    Row("swap.melds", "runs", "none", on("swap", lambda e, s: True), "RULES 5", (jokers,), swappers),
    Row("swap.freed_wild", "table", "hand", on("lay-off", lambda e, s: s.freed == e["card"]), "RULES 5", (jokers,),
        swappers, still=on("swap", lambda e, _: e["to"] == "hand")),
    Row("go_out.discard", "optional", "required", on("lay-off", ends_the_deal), "RULES 6", many, plain),
    Row("go_out.discard", "optional", "required", on("lay-down", ends_the_deal), "RULES 6", ("deal.hand_size=5",),
        plain, still=on("lay-down", lambda e, s: True)),
    Row("go_out.last_deal_takes_whole_hand", "true", "false", on("lay-down", ends_the_deal), "RULES 5",
        ("deal.contracts=['S3 S3']",), {"n": 6, "policies": ("plain",)}, still=on("lay-down", lambda e, s: True)),
    Row("go_out.last_deal_takes_whole_hand", "false", "true",
        on("discard", lambda e, s: s.down[e["seat"]] and len(s.hands[e["seat"]]) > 1), "RULES 6",
        ("deal.contracts=['S3 S3']",), {"n": 6, "policies": ("plain",)}, still=on("lay-down", lambda e, s: True)),
    Row("stock.when_empty", "reshuffle", "end-deal", on("reshuffle", lambda e, s: True), "RULES 6",
        crowd, {"deals": (8, 10), "players": 6},
        still=on("deal-end", lambda e, _: e["reason"] == "stock-empty")),
    Row("stock.when_empty", "end-deal", "reshuffle", on("deal-end", lambda e, _: e["reason"] == "stock-empty"),
        "RULES 6", crowd, {"deals": (8, 10), "players": 6}),
    Row("stock.turn_limit", "60", "3", on("discard", lambda e, s: s.turns[e["seat"]] > 3), "RULES 6",
        still=on("deal-end", lambda e, _: e["reason"] == "turn-limit")),
    Row("score.points", "{JK=26}", "{JK=25}", odd_score, "RULES 7", (jokers,), {"n": 6}),
    Row("score.wild_points", "{2=21}", "{}", odd_score, "RULES 7", ("cards.wild=['JK','2']",), {"n": 9}),
    Row("score.first_turn_bonus", "-50", "0", scores(-50), "RULES 7", small, {"n": 20}, still=scores(0)),
    Row("score.first_turn_bonus_without_wild", "-90", "0", scores(-90), "RULES 7",
        (*small[:3], "cards.jokers={2=2}", "score.first_turn_bonus=-50"), {"players": 8, "n": 30}, still=scores(-50)),
    Row("score.one_turn_bonus", "-25", "0", scores(-25), "RULES 7", clean, plain,
        still=scores(0)),
    Row("score.one_turn_bonus_without_wild", "-60", "0", scores(-60), "RULES 7",
        (*clean, "cards.jokers={2=1}", "score.one_turn_bonus=-25"), plain, still=scores(-25)),
    Row("score.tie", "sudden-death", "shared", on("sudden-death", lambda e, s: True), "RULES 7", (NOTHING % 0,), one),
    Row("score.tie", "shared", "sudden-death", on("game-end", lambda e, s: not s.sudden_death), "RULES 7",
        (NOTHING % 0,), one),
    Row("score.sudden_death_contract", "S3 S3 R5", "last", on("deal", lambda e, _: e["contract"] == "S3 S3 R5"),
        "RULES 8", (NOTHING % 0,), {**one, "n": 1}, still=on("sudden-death", lambda e, s: True)),
]  # fmt: skip


def count(events: Events, happens: Happens) -> int:
    """Return how often something happens in a game."""
    walk, n = Walk(), 0
    for i, event in enumerate(events):
        walk.look_around(events, i)
        n += bool(happens(event, walk))
        walk.apply(event)
    return n


def changes_of(row: Row, value: str) -> tuple[str, ...]:
    return ("players.min=2", *row.base, f"{row.option}={value}")


def found_under(row: Row, value: str) -> list[Events]:
    """Return games, which the referee accepts."""
    played = {"n": 3, "deals": (1,) if "deal.contracts" in "".join(row.base) else (1, 2), **row.played}
    return games(*row.base, f"{row.option}={value}", **played)


def judged_under(events: Events, row: Row, value: str) -> str:
    """Return what the referee says of a game when the option has another value."""
    options = load_ruleset("shanghai", changes_of(row, value)).to_options()
    return "".join(check_transcript([{**events[0], "options": options}, *events[1:]]))


def test_every_option_has_a_row():
    assert {row.option for row in ROWS} == set(OPTIONS)
    for option in OPTIONS:
        values = {value for row in ROWS if row.option == option for value in (row.allows, row.forbids)}
        if isinstance(kind_of(option), Choice):
            assert values == set(kind_of(option).words)
        elif isinstance(kind_of(option), Flag):
            assert values == {"true", "false"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.option}: {row.allows} not {row.forbids}")
def test_an_option_does_what_it_says(row):
    with_it = [events for events in found_under(row, row.allows) if count(events, row.happens)]
    assert with_it
    for events in with_it:
        assert row.rule in judged_under(events, row, row.forbids)
        assert not judged_under(events, row, row.allows)
    if row.option.startswith("players."):
        with pytest.raises(RulesError):
            found_under(row, row.forbids)
        return
    without = found_under(row, row.forbids)
    assert not any(count(events, row.happens) for events in without)
    assert row.still is None or any(count(events, row.still) for events in without)
