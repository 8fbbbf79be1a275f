"""Ways to spoil a legal transcript, each in one thing; the referee must refuse them all.

A spoiler takes events that it may change, and returns them, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

Event = dict[str, Any]
Events = list[Event]
SPOILERS: dict[str, Callable[[Events], Events | None]] = {}


def spoiler(func: Callable[[Events], Events | None]) -> Callable[[Events], Events | None]:
    SPOILERS[func.__name__] = func
    return func


def spoilt(name: str, events: Events) -> Events | None:
    return SPOILERS[name](deepcopy(events))


def where(events: Events, kind: str, **wanted: Any) -> list[int]:
    return [
        i
        for i, e in enumerate(events)
        if e["event"] == kind and all(e.get(k) == x for k, x in wanted.items())
    ]


def on_first(kind: str, change: Callable[[Events, int], bool | None], **wanted: Any):
    """Return a spoiler that changes the first fitting event; `change` returns False where it cannot."""

    def spoil(events: Events) -> Events | None:
        for i in where(events, kind, **wanted):
            if change(events, i) is not False:
                return events
        return None

    return spoil


def simple(name: str, kind: str, change: Callable[[Events, int], bool | None], **wanted: Any) -> None:
    SPOILERS[name] = on_first(kind, change, **wanted)


def put(key: str, value: Any) -> Callable[[Events, int], bool | None]:
    def change(events: Events, i: int) -> bool | None:
        if events[i][key] == value:
            return False
        events[i][key] = value
        return None

    return change


def players(events: Events) -> int:
    return len(events[0]["policies"])


def hand_at(events: Events, i: int, seat: int) -> list[str]:
    """Return the hand of a seat before event i, from the events of its deal."""
    start = max(j for j in where(events, "deal") if j < i)
    hand = list(events[start]["hands"][seat])
    for e in events[start + 1 : i]:
        if e.get("seat") != seat:
            continue
        gained = {
            "draw": [e.get("card")],
            "buy": [e.get("card"), *e.get("penalty", [])],
            "swap": [e.get("wild")],
        }
        lost = {"lay-off": [e.get("card")], "discard": [e.get("card")], "swap": [e.get("card")]}
        hand += [c for c in gained.get(e["event"], []) if c]
        for card in lost.get(e["event"], []) + [c for m in e.get("melds", []) for c in m["cards"]]:
            hand.remove(card)
    return hand


def not_held(events: Events, i: int) -> str:
    hand = hand_at(events, i, events[i]["seat"])
    return next(r + s for s in "SHDC" for r in "A3456789TJQK" if r + s not in hand)


def next_seat(events: Events, i: int, key: str = "seat") -> bool | None:
    events[i][key] = (events[i][key] + 1) % players(events)
    return None


# The deal.
simple("wrong_dealer", "deal", lambda e, i: next_seat(e, i, "dealer"))
simple("wrong_contract", "deal", put("contract", "S3 S3 S3 S3"))
simple("wrong_number_of_the_deal", "deal", put("deal", 12))
simple("a_hand_too_small", "deal", lambda e, i: e[i]["stock"].append(e[i]["hands"][0].pop()) or None)
simple("a_card_missing_from_the_pack", "deal", lambda e, i: e[i]["stock"].pop() and None)
simple("a_card_too_many", "deal", lambda e, i: e[i]["stock"].append("7H") or None)
simple("no_upcard", "deal", put("upcard", None))


@spoiler
def pile_order_broken(events: Events) -> Events | None:
    if events[0]["coupling"] != "pile":
        return None
    for i in where(events, "deal"):
        stock = events[i]["stock"]
        for k in range(1, len(stock)):
            if stock[k] != stock[0]:
                stock[0], stock[k] = stock[k], stock[0]
                return events
    return None


# Turns and draws.
simple("draw_out_of_turn", "draw", next_seat)
simple("two_draws_in_a_turn", "draw", lambda e, i: e.insert(i, deepcopy(e[i])))
simple("no_draw", "draw", lambda e, i: e.pop(i) and None)
simple("drawn_card_is_not_in_the_stock", "draw", put("card", "ZZ"))
simple("discard_called_a_stock_card", "draw", put("from", "stock"), **{"from": "discard"})
simple("stock_card_called_a_discard", "draw", put("from", "discard"), **{"from": "stock"})
simple(
    "draws_nothing_though_there_are_cards", "draw", lambda e, i: e[i].update({"from": "none", "card": None})
)


# Buys.
def buyer(offset: int) -> Callable[[Events, int], bool | None]:
    def change(events: Events, i: int) -> bool | None:
        active = next(e["seat"] for e in events[i:] if e["event"] == "draw")
        seat = (active + offset) % players(events)
        if events[i]["seat"] == seat:
            return False
        events[i]["seat"] = seat
        return None

    return change


simple("the_active_player_buys", "buy", buyer(0))
simple("whoever_discarded_it_buys", "buy", buyer(-1))
simple("no_penalty_card", "buy", lambda e, i: e[i].update(penalty=[]) if e[i]["penalty"] else False)
simple("two_penalty_cards", "buy", lambda e, i: e[i]["penalty"].append(e[i]["card"]))
simple("another_card_is_bought", "buy", lambda e, i: put("card", not_held(e, i))(e, i))
simple(
    "a_buy_after_the_draw",
    "buy",
    lambda e, i: e.insert(i + 1, e.pop(i)) if e[i + 1]["event"] == "draw" else False,
)
simple("two_buys_in_a_turn", "buy", lambda e, i: e.insert(i, deepcopy(e[i])))


@spoiler
def a_buy_beyond_the_limit(events: Events) -> Events | None:
    if not where(events, "buy"):
        return None
    events[0]["options"]["buy"]["per_deal"] = 0
    return events


# Laying down.
simple("half_a_contract", "lay-down", lambda e, i: e[i]["melds"].pop() and None)
simple("meld_numbers_do_not_count_up", "lay-down", lambda e, i: e[i]["melds"][0].update(meld=77))
simple("a_meld_too_long", "lay-down", lambda e, i: e[i]["melds"][0]["cards"].append(not_held(e, i)))
simple("a_laid_card_is_not_held", "lay-down", lambda e, i: e[i]["melds"][0]["cards"].__setitem__(0, "ZZ"))
simple("a_second_lay_down", "lay-down", lambda e, i: e.insert(i, deepcopy(e[i])))


@spoiler
def cards_of_two_melds_exchanged(events: Events) -> Events | None:
    for i in where(events, "lay-down"):
        first, second = events[i]["melds"][:2]
        a, b = first["cards"][0], second["cards"][0]
        if (
            "JK" not in (a, b)
            and a[0] != b[0]
            and first["kind"] == second["kind"] == "set"
            and "2" not in a[0] + b[0]
        ):
            first["cards"][0], second["cards"][0] = b, a
            return events
    return None


@spoiler
def a_run_begins_elsewhere(events: Events) -> Events | None:
    for i in where(events, "lay-down"):
        for meld in events[i]["melds"]:
            if meld["kind"] == "run":
                meld["low"] = meld["low"] % 10 + 1
                return events
    return None


@spoiler
def a_run_of_another_suit(events: Events) -> Events | None:
    for i in where(events, "lay-down"):
        for meld in events[i]["melds"]:
            if meld["kind"] == "run":
                meld["suit"] = {"S": "H", "H": "D", "D": "C", "C": "S"}[meld["suit"]]
                return events
    return None


@spoiler
def a_set_called_a_run(events: Events) -> Events | None:
    for i in where(events, "lay-down"):
        for meld in events[i]["melds"]:
            if meld["kind"] == "set":
                meld.update(kind="run", suit="S", low=3)
                return events
    return None


@spoiler
def lays_down_without_drawing(events: Events) -> Events | None:
    for i in where(events, "lay-down"):
        if events[i - 1]["event"] == "draw" and events[i - 1]["card"] not in str(events[i]["melds"]):
            events[i - 1], events[i] = events[i], events[i - 1]
            return events
    return None


# Laying off and swapping.
simple("a_card_laid_off_is_not_held", "lay-off", lambda e, i: put("card", not_held(e, i))(e, i))
simple("laid_off_on_no_meld", "lay-off", put("meld", 99))
simple("a_set_with_an_end", "lay-off", put("end", "low"), end=None)
simple("a_run_without_an_end", "lay-off", put("end", None), end="high")
simple("laid_off_at_the_wrong_end", "lay-off", put("end", "high"), end="low")
simple("laid_off_by_another", "lay-off", next_seat)
simple("swap_of_a_card_not_held", "swap", lambda e, i: put("card", not_held(e, i))(e, i))
simple("swap_for_a_natural", "swap", put("wild", "7H"))
simple(
    "freed_wild_goes_elsewhere",
    "swap",
    lambda e, i: put("to", "table" if e[i]["to"] == "hand" else "hand")(e, i),
)
simple("swap_where_it_is_forbidden", "swap", lambda e, _: e[0]["options"]["swap"].update(melds="none"))


@spoiler
def lays_off_in_the_turn_of_laying_down(events: Events) -> Events | None:
    for i in where(events, "lay-off"):
        downs = [j for j in where(events, "lay-down", seat=events[i]["seat"]) if j < i]
        if downs and events[i]["card"] in hand_at(events, downs[-1] + 1, events[i]["seat"]):
            events.insert(downs[-1] + 1, events.pop(i))
            return events
    return None


@spoiler
def lays_off_after_the_discard(events: Events) -> Events | None:
    for i in where(events, "lay-off"):
        if events[i + 1]["event"] == "discard":
            events[i], events[i + 1] = events[i + 1], events[i]
            return events
    return None


# Discards.
simple("no_discard", "discard", lambda e, i: e.pop(i) and None)
simple("two_discards", "discard", lambda e, i: e.insert(i, deepcopy(e[i])))
simple("discards_a_card_not_held", "discard", lambda e, i: put("card", not_held(e, i))(e, i))
simple("discard_by_another", "discard", next_seat)


# Reshuffles.
simple("no_reshuffle", "reshuffle", lambda e, i: e.pop(i) and None)
simple("reshuffle_loses_a_card", "reshuffle", lambda e, i: e[i]["stock"].pop() and None)
simple("reshuffle_without_need", "draw", lambda e, i: e.insert(i, {"event": "reshuffle", "stock": []}))


# Ends.
simple("the_deal_does_not_end", "deal-end", lambda e, i: e.pop(i) and None)
simple("another_winner", "deal-end", lambda e, i: next_seat(e, i, "winner"), reason="out")
simple("another_reason", "deal-end", put("reason", "stock-empty"), reason="out")
simple("a_wrong_score", "deal-end", lambda e, i: e[i]["scores"].__setitem__(0, e[i]["scores"][0] + 5))
simple("a_move_after_the_end", "deal-end", lambda e, i: e.insert(i + 1, deepcopy(e[i - 1])))
simple("a_wrong_total", "game-end", lambda e, i: e[i]["totals"].__setitem__(0, e[i]["totals"][0] + 5))
simple("all_win", "game-end", lambda e, i: put("winners", list(range(players(e))))(e, i))
simple("nobody_wins", "game-end", put("winners", []))
simple("no_end", "game-end", lambda e, i: e.pop(i) and None)
simple("others_were_tied", "sudden-death", lambda e, i: put("seats", list(range(players(e))))(e, i))
simple("a_tie_passed_over", "sudden-death", lambda e, i: e.pop(i) and None)
simple("another_turn_limit", "game", lambda e, _: e[0]["options"]["stock"].update(turn_limit=1))
simple("other_points", "game", lambda e, _: e[0]["options"]["score"]["points"].update(K=9, A=14, **{"5": 4}))
