"""Spoiling the course of a turn: draws, buys, reshuffles, discards (RULES 3, 4, 6)."""

from .walk import spoils

# --- draws ---


@spoils("draw", "RULES 3")
def a_draw_out_of_turn(e, s):
    return [{**e, "seat": (e["seat"] + 1) % s.players}]


@spoils("draw", "RULES 3")
def two_draws_in_a_turn(e, s):
    left = [card for card in s.stock if card != e["card"]]
    return [e, {"event": "draw", "seat": e["seat"], "from": "stock", "card": left[0]}] if left else None


@spoils("draw", "RULES 3")
def no_draw(_e, s):
    return [] if s.stock_before is None else None


@spoils("draw", "RULES 3")
def another_card_of_the_pile(e, s):
    if e["from"] != "discard":
        return None
    below = [card for card, _ in s.pile if card != e["card"]]
    return [{**e, "card": below[-1]}] if below else None


@spoils("draw", "RULES 2", "RULES 6")
def a_stock_card_from_nowhere(e, s):
    absent = s.absent(s.stock)
    return [{**e, "card": absent}] if e["from"] == "stock" and absent else None


@spoils("draw", "RULES 2")
def not_the_next_card_of_the_stock(e, s):
    if e["from"] != "stock" or s.coupling != "pile":
        return None
    others = [card for card in s.stock if card != e["card"]]
    return [{**e, "card": others[0]}] if others else None


@spoils("draw", "RULES 6")
def nothing_drawn_though_there_is_a_card(e, s):
    could = e["from"] != "none" and (
        s.stock or (len(s.pile) > 1 and s.o["stock"]["when_empty"] == "reshuffle")
    )
    return [{**e, "from": "none", "card": None}] if could else None


@spoils("draw", "RULES 6")
def a_draw_from_an_empty_stock(e, _s):
    return [{**e, "from": "stock", "card": "7H"}] if e["from"] == "none" else None


@spoils("draw", "RULES 3")
def the_discard_after_a_buy(e, s):
    if not s.bought_this_turn or not s.pile or s.stock_before is not None:
        return None
    return [{**e, "from": "discard", "card": s.top}]


@spoils("draw", "RULES 3")
def the_discard_once_the_contract_is_down(e, s):
    barred = s.down[e["seat"]] and not s.o["draw"]["discard_after_laying_down"]
    if not barred or not s.pile or s.bought_this_turn or s.stock_before is not None:
        return None
    return [{**e, "from": "discard", "card": s.top}]


@spoils("discard", "RULES 3")
def a_draw_in_the_turn_that_is_a_discard_alone(e, s):
    if not s.o["deal"]["first_player_extra_card"] or s.before["event"] != "deal":
        return None
    return [{"event": "draw", "seat": e["seat"], "from": "stock", "card": s.stock[0]}, e]


# --- reshuffles ---


@spoils("reshuffle", "RULES 6")
def no_reshuffle(_e, _s):
    return []


@spoils("reshuffle", "RULES 6")
def the_top_card_shuffled_too(e, s):
    return [{**e, "stock": sorted([*e["stock"], s.top], key=order)}]


@spoils("reshuffle", "RULES 6")
def a_card_kept_out_of_the_reshuffle(e, _s):
    return [{**e, "stock": e["stock"][1:]}]


@spoils("reshuffle", "RULES 6")
def another_card_shuffled(e, s):
    absent = s.absent([card for card, _ in s.pile])
    return [{**e, "stock": sorted([*e["stock"][1:], absent], key=order)}] if absent else None


@spoils("reshuffle", "RULES 6", "RULES 3")
def reshuffled_twice(e, _s):
    return [e, e]


@spoils("draw", "RULES 6")
def a_reshuffle_without_need(e, s):
    under = sorted((card for card, _ in s.pile[:-1]), key=order)
    enough = len(s.stock) >= max(1, s.o["buy"]["penalty_cards"])
    return (
        [{"event": "reshuffle", "stock": under}, e] if under and enough and s.stock_before is None else None
    )


@spoils("draw", "RULES 6")
def the_discard_after_a_reshuffle(e, s):
    if s.stock_before is None or s.bought_this_turn:
        return None
    barred = s.down[e["seat"]] and not s.o["draw"]["discard_after_laying_down"]
    return None if barred else [{**e, "from": "discard", "card": s.top}]


@spoils("buy", "RULES 6")
def a_reshuffle_for_a_buy_that_never_came(_e, s):
    fine = s.stock_before and s.next["event"] == "draw" and s.next["from"] == "stock"
    return [] if fine else None


@spoils("discard", "RULES 3", "RULES 6")
def a_reshuffle_in_the_middle_of_a_turn(e, s):
    under = sorted((card for card, _ in s.pile[:-1]), key=order)
    return [{"event": "reshuffle", "stock": under}, e] if under else None


def order(card):
    """Card order, so that nothing but the cards is wrong."""
    return "SHDCK".index(card[1]), "A23456789TJQK".index(card[0]) if card != "JK" else 0


# --- buys ---


@spoils("buy", "RULES 3")
def the_active_player_buys(e, s):
    return [{**e, "seat": s.active}]


@spoils("buy", "RULES 3")
def who_discarded_it_buys_it_back(e, s):
    discarder = s.pile[-1][1]
    barred = discarder is not None and not s.o["buy"]["own_discard"]
    return [{**e, "seat": discarder}] if barred and s.can_buy(discarder, ["discarder"]) else None


@spoils("buy", "RULES 3")
def a_penalty_card_missing(e, _s):
    return [{**e, "penalty": e["penalty"][1:]}] if e["penalty"] else None


@spoils("buy", "RULES 3")
def a_penalty_card_too_many(e, s):
    n = len(e["penalty"])
    return [{**e, "penalty": [*e["penalty"], s.stock[n]]}] if len(s.stock) > n else None


@spoils("buy", "RULES 2", "RULES 6")
def a_penalty_card_from_nowhere(e, s):
    absent = s.absent(s.stock)
    return [{**e, "penalty": [absent, *e["penalty"][1:]]}] if absent and e["penalty"] else None


@spoils("buy", "RULES 2")
def a_penalty_card_from_further_down(e, s):
    others = [card for card in s.stock if e["penalty"] and card != e["penalty"][0]]
    return [{**e, "penalty": [others[0], *e["penalty"][1:]]}] if s.coupling == "pile" and others else None


@spoils("buy", "RULES 2", "RULES 6")
def a_shuffled_card_before_what_is_left(e, s):
    layers = [layer for layer in s.layers if layer]
    if len(layers) < 2 or not e["penalty"]:
        return None
    later = [card for card in layers[1] if card not in layers[0]]
    return [{**e, "penalty": [later[0], *e["penalty"][1:]]}] if later else None


@spoils("buy", "RULES 3")
def another_card_than_the_top_is_bought(e, s):
    below = [card for card, _ in s.pile if card != e["card"]]
    return [{**e, "card": below[-1]}] if below else None


@spoils("buy", "RULES 3")
def two_buys_in_a_turn(e, s):
    if len(s.pile) < 2 or len(s.stock) < 2 * s.o["buy"]["penalty_cards"]:
        return None
    others = [seat for seat in range(s.players) if seat != e["seat"] and s.can_buy(seat, ["discarder"])]
    n = s.o["buy"]["penalty_cards"]
    second = {"event": "buy", "card": s.pile[-2][0], "penalty": s.stock[n : 2 * n]}
    return [e, {**second, "seat": others[0]}] if others else None


@spoils("draw", "RULES 3")
def a_buy_after_the_draw(e, s):
    if e["from"] != "stock" or s.bought_this_turn or len(s.stock) < 1 + s.o["buy"]["penalty_cards"]:
        return None
    buyers = [seat for seat in range(s.players) if s.can_buy(seat)]
    rest = list(s.stock)
    rest.remove(e["card"])
    return [e, {**s.buy(buyers[0]), "penalty": rest[: s.o["buy"]["penalty_cards"]]}] if buyers else None


def one_buy_more(e, s, broken):
    """Buy by a seat that may not, for this one reason."""
    if e["from"] == "discard" or s.bought_this_turn or s.stock_before is not None or not s.pays():
        return None
    seats = [seat for seat in range(s.players) if s.can_buy(seat, [broken]) and not s.can_buy(seat)]
    return [s.buy(seats[0]), e] if seats and s.stock else None


@spoils("draw", "RULES 4")
def a_buy_over_the_limit_of_the_deal(e, s):
    return one_buy_more(e, s, "deal")


@spoils("draw", "RULES 4")
def a_buy_over_the_limit_of_the_game(e, s):
    return one_buy_more(e, s, "game")


@spoils("draw", "RULES 4")
def a_buy_after_laying_down(e, s):
    return one_buy_more(e, s, "down")


@spoils("discard", "RULES 3")
def a_buy_in_the_first_turn_of_an_extra_card(e, s):
    if not s.o["deal"]["first_player_extra_card"] or s.before["event"] != "deal":
        return None
    seat = (e["seat"] + 1) % s.players
    return [{"event": "buy", "seat": seat, "card": e["card"], "penalty": s.stock[:1]}, e]


# --- discards ---


@spoils("discard", "RULES 3", "RULES 6")
def no_discard(_e, _s):
    return []


@spoils("discard", "RULES 3", "RULES 6")
def two_discards(e, s):
    rest = list(s.hands[e["seat"]])
    rest.remove(e["card"])
    return [e, {**e, "card": rest[0]}] if rest else None


@spoils("discard", "RULES 3")
def a_discard_that_is_not_held(e, s):
    absent = s.absent(s.hands[e["seat"]])
    return [{**e, "card": absent}] if absent else None


@spoils("discard", "RULES 3")
def a_discard_by_another(e, s):
    seat = (e["seat"] + 1) % s.players
    return [{**e, "seat": seat, "card": s.hands[seat][0]}]


@spoils("draw", "RULES 3")
def a_discard_before_the_draw(e, s):
    return [{"event": "discard", "seat": e["seat"], "card": s.hands[e["seat"]][0]}, e]
