"""Spoiling lay-offs and swaps (RULES 3, 5, 6)."""

from .walk import spoils

FORMATS = "FORMATS"


def lay_off(seat, meld, card, end):
    return {"event": "lay-off", "seat": seat, "meld": meld, "card": card, "end": end}


def fitting_lay_off(s, seat):
    """Return a lay-off of a natural of the seat that would go on the table, or None."""
    for card in s.hands[seat]:
        for meld, end in s.fits(card):
            return lay_off(seat, meld, card, end)
    return None


def fitting_swap(s, seat, kind):
    """Return a swap by the seat of a card that stands for a wild in a meld of this kind, or None."""
    for card, meld, wild in s.swaps(s.hands[seat]):
        if s.melds[meld]["kind"] == kind:
            to = s.o["swap"]["freed_wild"]
            return {"event": "swap", "seat": seat, "meld": meld, "card": card, "wild": wild, "to": to}
    return None


def before(event, e):
    return [event, e] if event else None


# --- when, and by whom ---


@spoils("discard", "RULES 3")
def a_lay_off_before_the_own_contract(e, s):
    ready = s.drawn and not s.down[e["seat"]] and s.blocked[e["seat"]] != s.turns[e["seat"]]
    return before(fitting_lay_off(s, e["seat"]), e) if ready else None


@spoils("discard", "RULES 3")
def a_swap_before_the_own_contract(e, s):
    ready = s.drawn and not s.down[e["seat"]] and s.blocked[e["seat"]] != s.turns[e["seat"]]
    return before(fitting_swap(s, e["seat"], "run"), e) if ready else None


@spoils("discard", "RULES 5")
def a_lay_off_in_the_turn_of_laying_down(e, s):
    same = s.down[e["seat"]] == s.turns[e["seat"]] and not s.o["meld"]["lay_off_same_turn"]
    return before(fitting_lay_off(s, e["seat"]), e) if same else None


@spoils("discard", "RULES 5")
def a_swap_in_the_turn_of_laying_down(e, s):
    same = s.down[e["seat"]] == s.turns[e["seat"]] and not s.o["meld"]["lay_off_same_turn"]
    return before(fitting_swap(s, e["seat"], "run"), e) if same else None


@spoils("lay-down", "RULES 3")
def a_lay_off_ahead_of_the_lay_down(e, s):
    early = s.next["event"] == "lay-off" and s.next["meld"] < len(s.melds)
    return [s.next, e] if early else None


@spoils("discard", "RULES 4")
def a_lay_off_in_the_turn_after_buying(e, s):
    seat = e["seat"]
    barred = s.drawn and 0 < s.down[seat] < s.turns[seat] and s.blocked[seat] == s.turns[seat]
    return before(fitting_lay_off(s, seat), e) if barred else None


@spoils("discard", "RULES 4")
def a_lay_down_in_the_turn_after_buying(e, s):
    seat = e["seat"]
    barred = s.drawn and not s.down[seat] and s.blocked[seat] == s.turns[seat]
    if not barred:
        return None
    melds = []
    for number, word in enumerate(s.contract, start=len(s.melds)):
        n = int(word[1:])
        run = {"kind": "run", "suit": "H", "low": 2, "cards": [r + "H" for r in "23456789TJQKA"[:n]]}
        melds.append({"meld": number, **(run if word[0] == "R" else {"kind": "set", "cards": ["7H"] * n})})
    return [{"event": "lay-down", "seat": seat, "melds": melds}, e]


@spoils("draw", "RULES 3")
def a_lay_off_before_the_draw(e, s):
    return before(fitting_lay_off(s, e["seat"]), e) if s.down[e["seat"]] else None


@spoils("discard", "RULES 3", "RULES 6")
def a_lay_off_after_the_discard(e, s):
    if not s.down[e["seat"]]:
        return None
    late = fitting_lay_off(s, e["seat"])
    return [e, late] if late and late["card"] != e["card"] else None


@spoils("lay-off", "RULES 3")
def a_lay_off_by_another(e, s):
    return [{**e, "seat": (e["seat"] + 1) % s.players}]


@spoils("swap", "RULES 3")
def a_swap_by_another(e, s):
    return [{**e, "seat": (e["seat"] + 1) % s.players}]


# --- what goes where ---


@spoils("lay-off", "RULES 3", "RULES 5")
def a_card_laid_off_that_is_not_held(e, s):
    rank = e["card"][0]
    if s.melds[e["meld"]]["kind"] != "set" or not s.natural(e["card"]):
        return None
    new = s.absent(s.hands[e["seat"]], lambda card: card[0] == rank)
    return [{**e, "card": new}] if new else None


@spoils("lay-off", "RULES 5")
def another_suit_on_a_run(e, s):
    if s.melds[e["meld"]]["kind"] != "run" or not s.natural(e["card"]):
        return None
    others = [
        e["card"][0] + suit for suit in "SHDC" if suit != e["card"][1] and s.natural(e["card"][0] + suit)
    ]
    return [{**e, "card": others[0]}] if others else None


@spoils("lay-off", "RULES 5")
def another_rank_on_a_set(e, s):
    naturals = s.naturals(s.melds[e["meld"]])
    if s.melds[e["meld"]]["kind"] != "set" or not naturals:
        return None
    others = [card for card in s.hands[e["seat"]] if s.natural(card) and card[0] != naturals[0][0]]
    return [{**e, "card": others[0]}] if others and s.freed is None else None


@spoils("lay-off", "RULES 5", "RULES 1")
def the_other_end_of_a_run(e, s):
    other = {"low": "high", "high": "low"}.get(e["end"])
    wrong = other and s.natural(e["card"]) and (e["meld"], other) not in s.fits(e["card"])
    return [{**e, "end": other}] if wrong else None


@spoils("discard", "RULES 1", "RULES 5")
def a_card_beyond_the_end_of_a_run(e, s):
    if not s.may_play(e["seat"]):
        return None
    wilds = [card for card in s.hands[e["seat"]] if s.wild(card)] or s.hands[e["seat"]]
    for number, meld in enumerate(s.melds):
        if meld["kind"] == "run" and meld["low"] + len(meld["cards"]) - 1 == s.last:
            return [lay_off(e["seat"], number, wilds[0], "high"), e]
        if meld["kind"] == "run" and meld["low"] == s.first:
            return [lay_off(e["seat"], number, wilds[0], "low"), e]
    return None


@spoils("lay-off", FORMATS)
def a_lay_off_on_no_meld(e, s):
    return [{**e, "meld": len(s.melds)}]


@spoils("lay-off", FORMATS)
def an_end_of_a_set_or_none_of_a_run(e, _s):
    return [{**e, "end": "high" if e["end"] is None else None}]


@spoils("discard", "RULES 1")
def a_dead_joker_laid_off(e, s):
    dead = "JK" in s.hands[e["seat"]] and not s.wild("JK")
    sets = [number for number, meld in enumerate(s.melds) if meld["kind"] == "set"]
    fine = dead and s.may_play(e["seat"]) and sets
    return [lay_off(e["seat"], sets[0], "JK", None), e] if fine else None


def lay_off_over_the_limit(s, seat, wild, kind):
    """Return a lay-off of a wild on a meld of this kind, whose limits on wilds it breaks, or None."""
    for number, meld in enumerate(s.melds if s.o["meld"]["wild_limits"] == "always" else []):
        if meld["kind"] != kind or not s.over_wild_limits([*meld["cards"], wild]):
            continue
        if kind == "set":
            return lay_off(seat, number, wild, None)
        if meld["low"] > s.first:
            return lay_off(seat, number, wild, "low")
    return None


@spoils("discard", "RULES 5")
def a_wild_over_the_limit_laid_off(e, s):
    wilds = [card for card in s.hands[e["seat"]] if s.wild(card)]
    ready = wilds and s.may_play(e["seat"])
    return before(lay_off_over_the_limit(s, e["seat"], wilds[0], "set"), e) if ready else None


@spoils("discard", "RULES 5")
def a_wild_over_the_limit_at_the_end_of_a_run(e, s):
    wilds = [card for card in s.hands[e["seat"]] if s.wild(card)]
    ready = wilds and s.may_play(e["seat"])
    return before(lay_off_over_the_limit(s, e["seat"], wilds[0], "run"), e) if ready else None


@spoils("lay-off", "RULES 5")
def a_freed_wild_laid_off_over_the_limit(e, s):
    kinds = ["set", "run"] if s.freed else []
    found = [lay_off_over_the_limit(s, e["seat"], s.freed, kind) for kind in kinds]
    return next(([event] for event in found if event), None)


@spoils("discard", "RULES 6")
def the_last_card_laid_off(e, s):
    seat = e["seat"]
    if s.hands[seat] != [e["card"]] or s.o["go_out"]["discard"] == "optional" or not s.may_play(seat):
        return None
    return before(fitting_lay_off(s, seat), e)


# --- swaps ---


@spoils("swap", "RULES 5")
def a_swap_for_another_card_than_it_stands_for(e, s):
    wrong = [
        card
        for card in s.hands[e["seat"]]
        if s.natural(card) and (card, e["meld"], e["wild"]) not in s.swaps(s.hands[e["seat"]])
    ]
    return [{**e, "card": wrong[0]}] if wrong else None


@spoils("swap", "RULES 5")
def a_swap_of_a_wild_for_a_wild(e, s):
    wilds = [card for card in s.hands[e["seat"]] if s.wild(card)]
    return [{**e, "card": wilds[0]}] if wilds else None


@spoils("swap", "RULES 5")
def a_natural_taken_from_the_table(e, s):
    naturals = s.naturals(s.melds[e["meld"]])
    return [{**e, "wild": naturals[0]}] if naturals else None


@spoils("swap", "RULES 5")
def the_freed_wild_to_the_other_place(e, _s):
    return [{**e, "to": {"hand": "table", "table": "hand"}[e["to"]]}]


@spoils("swap", "RULES 3")
def a_card_swapped_that_is_not_held(e, s):
    if s.melds[e["meld"]]["kind"] != "set":
        return None
    rank = e["card"][0]
    new = s.absent(s.hands[e["seat"]], lambda card: card[0] == rank)
    return [{**e, "card": new}] if new else None


@spoils("lay-off", "RULES 5")
def a_freed_wild_that_is_not_laid_off(e, s):
    again = s.next["event"] == "lay-off" and s.next["card"] == e["card"]
    return [] if s.freed and not again and s.next["event"] != "deal-end" else None


@spoils("discard", "RULES 5")
def a_swap_in_a_set_against_the_option(e, s):
    barred = s.o["swap"]["melds"] != "all" and s.may_play(e["seat"])
    return before(fitting_swap(s, e["seat"], "set"), e) if barred else None


@spoils("discard", "RULES 5")
def a_swap_where_there_are_none(e, s):
    barred = s.o["swap"]["melds"] == "none" and s.may_play(e["seat"])
    return before(fitting_swap(s, e["seat"], "run"), e) if barred else None


@spoils("swap", FORMATS)
def a_swap_in_no_meld(e, s):
    return [{**e, "meld": len(s.melds)}]
