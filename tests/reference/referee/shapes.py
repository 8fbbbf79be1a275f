"""What each event looks like (FORMATS, Transcript): its keys and the type of each value."""

from .cards import is_card
from .options import either, list_of, one_of, whole
from .violation import need

SOURCE = "FORMATS, Transcript"


def text(x):
    return isinstance(x, str)


def null(x):
    return x is None


def anything(_):
    return True


def integer(x):
    return type(x) is int


def a_set(x):
    return isinstance(x, dict) and _fits(x, {"meld": whole(0), "kind": one_of("set"), "cards": cards})


def a_run(x):
    keys = {"meld": whole(0), "kind": one_of("run"), "suit": one_of(*"SHDC"), "low": integer, "cards": cards}
    return isinstance(x, dict) and _fits(x, keys)


seat = whole(0)
cards = list_of(is_card)

SHAPES = {
    "game": {
        "version": whole(1, 1),
        "rules": text,
        "options": anything,  # check_options says more
        "seed": integer,
        "game": whole(0),
        "coupling": one_of("seat", "pile"),
        "policies": list_of(text),
    },
    "deal": {
        "deal": whole(1),
        "contract": text,
        "dealer": seat,
        "hands": list_of(cards),
        "upcard": either(is_card, null),
        "stock": cards,
    },
    "draw": {"seat": seat, "from": one_of("stock", "discard", "none"), "card": either(is_card, null)},
    "buy": {"seat": seat, "card": is_card, "penalty": cards},
    "lay-down": {"seat": seat, "melds": list_of(either(a_set, a_run))},
    "lay-off": {"seat": seat, "meld": whole(0), "card": is_card, "end": either(one_of("low", "high"), null)},
    "swap": {"seat": seat, "meld": whole(0), "card": is_card, "wild": is_card, "to": one_of("hand", "table")},
    "discard": {"seat": seat, "card": is_card},
    "reshuffle": {"stock": cards},
    "deal-end": {
        "winner": either(seat, null),
        "reason": one_of("out", "turn-limit", "stock-empty"),
        "scores": list_of(integer),
    },
    "sudden-death": {"seats": list_of(seat)},
    "game-end": {"totals": list_of(integer), "winners": list_of(seat)},
}


def _fits(x, keys):
    return set(x) == set(keys) and all(test(x[key]) for key, test in keys.items())


def check_event(event):
    """Refuse what is no event at all."""
    need(isinstance(event, dict) and text(event.get("event")), "no event", SOURCE)
    need(event["event"] in SHAPES, "an unknown event", SOURCE)
    shape, found = SHAPES[event["event"]], set(event) - {"event"}
    need(found == set(shape), f"keys {sorted(found ^ set(shape), key=str)} are missing or unknown", SOURCE)
    for key, test in shape.items():
        need(test(event[key]), f"{key} = {event[key]!r}", SOURCE)
    if event["event"] == "draw":
        need(
            (event["from"] == "none") == (event["card"] is None),
            "card is null where nothing is drawn",
            SOURCE,
        )
