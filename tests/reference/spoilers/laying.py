"""Spoiling a lay-down (RULES 1, 3, 5, 6)."""

from tests.reference.naive_rules import points

from .walk import spoils

FORMATS = "FORMATS"


def with_meld(e, i, **changes):
    """Return the lay-down with its i-th meld changed."""
    melds = list(e["melds"])
    melds[i] = {**melds[i], **changes}
    return [{**e, "melds": melds}]


def with_card(e, i, j, card):
    cards = e["melds"][i]["cards"]
    return with_meld(e, i, cards=[*cards[:j], card, *cards[j + 1 :]])


def melds_of(e, kind, wanted=lambda _: True):
    return [i for i, meld in enumerate(e["melds"]) if meld["kind"] == kind and wanted(meld)]


def sized(s, e, i):
    """Least size of the i-th meld of the contract."""
    return int(s.contract[i][1:])


def whole_hand(s):
    return s.o["go_out"]["last_deal_takes_whole_hand"] and s.deal >= s.n_deals


@spoils("lay-down", "RULES 3")
def half_a_contract(e, _s):
    return [{**e, "melds": e["melds"][:-1]}] if len(e["melds"]) > 1 else None


@spoils("lay-down", "RULES 3")
def a_meld_beyond_the_contract(e, _s):
    extra = {**e["melds"][-1], "meld": e["melds"][-1]["meld"] + 1}
    return [{**e, "melds": [*e["melds"], extra]}]


@spoils("lay-down", "RULES 3", "RULES 6")
def a_second_lay_down(e, s):
    later = [{**meld, "meld": meld["meld"] + len(e["melds"])} for meld in e["melds"]]
    return [e, {**e, "melds": later}]


@spoils("lay-down", "RULES 3", "RULES 6", "RULES 7")
def a_lay_down_left_out(_e, s):
    return [] if s.next["event"] == "deal-end" else None


@spoils("lay-down", "RULES 3", "RULES 5", "RULES 6", "RULES 7", "FORMATS")
def a_contract_never_laid_down(e, s):
    # Where its cards cost nothing, a contract kept in hand can come to the same in the end.
    return [] if any(points(s.o, card) for meld in e["melds"] for card in meld["cards"]) else None


@spoils("lay-down", "RULES 3")
def melds_in_another_order(e, _s):
    kinds = [meld["kind"] for meld in e["melds"]]
    if kinds == kinds[::-1]:
        return None
    numbers = [meld["meld"] for meld in e["melds"]]
    return [{**e, "melds": [{**m, "meld": n} for m, n in zip(e["melds"][::-1], numbers, strict=True)]}]


@spoils("lay-down", FORMATS)
def meld_numbers_that_do_not_count_up(e, _s):
    return [{**e, "melds": [{**meld, "meld": meld["meld"] + 1} for meld in e["melds"]]}]


@spoils("lay-down", "RULES 3")
def a_lay_down_by_another(e, s):
    return [{**e, "seat": (e["seat"] + 1) % s.players}]


@spoils("draw", "RULES 3")
def a_lay_down_before_the_draw(e, s):
    return [s.next, e] if s.next["event"] == "lay-down" else None


@spoils("lay-down", "RULES 5")
def a_meld_too_short(e, s):
    i = len(e["melds"]) - 1
    return with_meld(e, i, cards=e["melds"][i]["cards"][: sized(s, e, i) - 1])


@spoils("lay-down", "RULES 5")
def a_meld_too_long(e, s):
    if s.o["meld"]["longer_at_lay_down"] or whole_hand(s):
        return None
    rest = list(s.hands[e["seat"]])
    for meld in e["melds"]:
        for card in meld["cards"]:
            rest.remove(card)
    for i in melds_of(e, "set"):
        ranks = {card[0] for card in s.naturals(e["melds"][i])}
        for card in rest:
            if s.wild(card) or (s.natural(card) and card[0] in ranks):
                return with_meld(e, i, cards=[*e["melds"][i]["cards"], card])
    return None


@spoils("lay-down", "RULES 5", "RULES 1")
def a_run_too_long(e, s):
    if s.o["meld"]["longer_at_lay_down"] or whole_hand(s):
        return None
    for i in melds_of(e, "run"):
        cards, low = e["melds"][i]["cards"], e["melds"][i]["low"]
        if low + len(cards) <= s.last:
            card = "A23456789TJQKA"[low + len(cards) - 1] + e["melds"][i]["suit"]
            return with_meld(e, i, cards=[*cards, card])
    return None


@spoils("lay-down", "RULES 5")
def a_set_of_two_ranks(e, s):
    for i in melds_of(e, "set", lambda meld: len(s.naturals(meld)) > 1):
        cards = e["melds"][i]["cards"]
        j = next(j for j, card in enumerate(cards) if s.natural(card))
        others = [c for c in s.hands[e["seat"]] if s.natural(c) and c[0] != cards[j][0]]
        if others:
            return with_card(e, i, j, others[0])
    return None


@spoils("lay-down", "RULES 5")
def a_run_of_two_suits(e, s):
    for i in melds_of(e, "run"):
        for j, card in enumerate(e["melds"][i]["cards"]):
            others = [card[0] + suit for suit in "SHDC" if suit != card[1] and s.natural(card[0] + suit)]
            if s.natural(card) and others:
                return with_card(e, i, j, others[0])
    return None


@spoils("lay-down", "RULES 5")
def a_run_with_a_gap(e, s):
    for i in melds_of(e, "run"):
        meld = e["melds"][i]
        rank = "A23456789TJQK"[(meld["low"] + len(meld["cards"]) - 1) % 13]  # one above the top card's
        if s.natural(rank + meld["suit"]) and s.natural(meld["cards"][-1]):
            return with_card(e, i, -1 + len(meld["cards"]), rank + meld["suit"])
    return None


@spoils("lay-down", "RULES 5", "RULES 1")
def a_run_that_begins_elsewhere(e, s):
    for i in melds_of(e, "run", s.naturals):
        return with_meld(e, i, low=e["melds"][i]["low"] + 1)
    return None


@spoils("lay-down", "RULES 5")
def a_run_of_another_suit(e, s):
    for i in melds_of(e, "run", s.naturals):
        return with_meld(e, i, suit="SHDCS"["SHDC".index(e["melds"][i]["suit"]) + 1])
    return None


@spoils("lay-down", "RULES 1")
def a_run_around_the_corner(e, s):
    for i in melds_of(e, "run"):
        suit, n = e["melds"][i]["suit"], len(e["melds"][i]["cards"])
        cards = [rank + suit for rank in ("KA23456789TJQK"[:n])]
        return with_meld(e, i, low=13, cards=cards)
    return None


@spoils("lay-down", "RULES 1")
def an_ace_on_the_side_the_option_forbids(e, s):
    ace = s.o["cards"]["ace"]
    for i in melds_of(e, "run") if ace != "both" else []:
        suit, n = e["melds"][i]["suit"], len(e["melds"][i]["cards"])
        low = 1 if ace == "high" else 15 - n
        cards = [("A23456789TJQKA"[p - 1]) + suit for p in range(low, low + n)]
        return with_meld(e, i, low=low, cards=cards)
    return None


@spoils("lay-down", "RULES 3")
def a_card_laid_down_that_is_not_held(e, s):
    if s.o["meld"]["set_suits"] == "distinct":
        return None
    for i in melds_of(e, "set", s.naturals):
        cards = e["melds"][i]["cards"]
        j = next(j for j, card in enumerate(cards) if s.natural(card))
        new = s.absent(s.hands[e["seat"]], lambda card, rank=cards[j][0]: card[0] == rank)
        if new:
            return with_card(e, i, j, new)
    return None


@spoils("lay-down", "RULES 1")
def a_dead_joker_in_a_meld(e, s):
    return with_card(e, 0, 0, "JK") if not s.wild("JK") else None


def a_wild(s):
    """Return a wild card of this ruleset."""
    key = s.o["cards"]["wild"][0]
    return key if len(key) == 2 else key + "S"


@spoils("lay-down", "RULES 5")
def nothing_but_wilds_against_the_limits(e, s):
    wilds = [a_wild(s)] * len(e["melds"][0]["cards"]) if s.o["cards"]["wild"] else []
    return with_meld(e, 0, cards=wilds) if s.over_wild_limits(wilds) else None


@spoils("lay-down", "RULES 5")
def one_wild_too_many(e, s):
    if not s.o["cards"]["wild"]:
        return None
    for i, meld in enumerate(e["melds"]):
        cards = list(meld["cards"])
        for j, card in enumerate(cards):
            cards[j] = card if s.wild(card) else a_wild(s)
            if s.over_wild_limits(cards):
                return with_meld(e, i, cards=cards)
    return None


@spoils("lay-down", "RULES 5")
def a_wild_in_a_natural_contract(e, s):
    natural_only = min(s.deal, s.n_deals) in s.o["deal"]["natural_only"]
    if not natural_only or not s.o["cards"]["wild"]:
        return None
    return with_card(e, 0, 0, a_wild(s))


@spoils("lay-down", "RULES 5")
def two_of_a_suit_in_a_set(e, s):
    if s.o["meld"]["set_suits"] != "distinct":
        return None
    for i in melds_of(e, "set", lambda meld: len(s.naturals(meld)) > 1):
        cards = e["melds"][i]["cards"]
        places = [j for j, card in enumerate(cards) if s.natural(card)]
        return with_card(e, i, places[0], cards[places[1]])
    return None


@spoils("lay-down", "RULES 5")
def two_sets_of_one_rank(e, s):
    if s.o["meld"]["same_rank_sets"]:
        return None
    ready = melds_of(e, "set", s.naturals)
    if len(ready) < 2:
        return None
    first, second = (e["melds"][i]["cards"] for i in ready[:2])
    same = (first + ["JK"] * 20)[: len(second)]
    fine = len(same) == len(second) and "JK" not in same[len(first) :]
    return with_meld(e, ready[1], cards=same) if fine else None


@spoils("lay-down", "RULES 5")
def two_runs_that_adjoin(e, s):
    runs = melds_of(e, "run")
    if s.o["meld"]["runs_may_adjoin"] or len(runs) < 2:
        return None
    suit, ranks, at = "H", "23456789TJQK", 2
    melds = list(e["melds"])
    for i in runs[:2]:
        n = len(melds[i]["cards"])
        cards = [rank + suit for rank in ranks[at - 2 : at - 2 + n]]
        melds[i] = {**melds[i], "suit": suit, "low": at, "cards": cards}
        at += n
    return [{**e, "melds": melds}] if at <= 14 else None


@spoils("lay-down", "RULES 6", "RULES 5")  # the shorter run may end right below another
def a_whole_hand_but_for_a_card(e, s):
    if not whole_hand(s):
        return None
    for i, meld in enumerate(e["melds"]):
        if len(meld["cards"]) > sized(s, e, i) and len(s.naturals(meld)) > 1:
            return with_meld(e, i, cards=meld["cards"][:-1])
    return None
