"""Spoiling a deal: how it is dealt, how it ends and what it scores."""

from tests.reference.naive_rules import points

from .walk import spoils

FORMATS = "FORMATS"


# --- the deal ---


@spoils("deal", "RULES 2")
def another_dealer(e, s):
    return [{**e, "dealer": (e["dealer"] + 1) % s.players}]


@spoils("deal", "RULES 8", "RULES 7")
def a_deal_twice(e, s):
    return [{**e, "deal": s.deal}] if s.deal else None


@spoils("deal", "RULES 8", "RULES 7")
def a_deal_past_the_last(e, s):
    return [{**e, "deal": s.n_deals + 2}]


@spoils("deal", "RULES 8")
def another_contract(e, _):
    return [{**e, "contract": "S3 S7 R3"}]


@spoils("deal", "RULES 2")
def a_hand_is_too_small(e, _):
    hands = [*e["hands"][:-1], e["hands"][-1][1:]]
    return [{**e, "hands": hands, "stock": [*e["stock"], e["hands"][-1][0]]}]


@spoils("deal", "RULES 2")
def a_hand_is_missing(e, _):
    return [{**e, "hands": e["hands"][:-1], "stock": e["stock"] + e["hands"][-1]}]


@spoils("deal", "RULES 1")
def a_card_in_the_packs_too_often(e, s):
    hand = e["hands"][0]
    new = next(card for card in ["AS", "KD"] if card != hand[0])
    return [{**e, "hands": [[new, *hand[1:]], *e["hands"][1:]]}]


@spoils("deal", "RULES 1")
def a_card_short(e, _):
    return [{**e, "stock": e["stock"][:-1]}] if e["stock"] else None


@spoils("deal", "RULES 2")
def a_card_turned_up_or_not(e, _):
    if e["upcard"]:
        return [{**e, "upcard": None, "stock": [e["upcard"], *e["stock"]]}]
    return [{**e, "upcard": e["stock"][0], "stock": e["stock"][1:]}]


@spoils("deal reshuffle", FORMATS)
def the_stock_out_of_card_order(e, s):
    stock = e["stock"][::-1]
    return [{**e, "stock": stock}] if s.coupling == "seat" and stock != e["stock"] else None


# --- the end of a deal ---


def scores_now(s):
    return [sum(points(s.o, card) for card in hand) for hand in s.hands]


@spoils("deal-end", "RULES 7")
def a_loser_scores_five_less(e, s):
    loser = next(seat for seat in range(s.players) if seat != e["winner"])
    return [{**e, "scores": [score - 5 * (seat == loser) for seat, score in enumerate(e["scores"])]}]


@spoils("deal-end", "RULES 7")
def a_bonus_nobody_set(e, _):
    if e["winner"] is None:
        return None
    return [{**e, "scores": [score - 25 * (seat == e["winner"]) for seat, score in enumerate(e["scores"])]}]


@spoils("deal-end", "RULES 7")
def a_bonus_forgotten(e, _):
    if e["winner"] is None or e["scores"][e["winner"]] == 0:
        return None
    return [{**e, "scores": [max(score, 0) for score in e["scores"]]}]


@spoils("deal-end", "RULES 7")
def a_score_for_nobody(e, _):
    return [{**e, "scores": [*e["scores"], 0]}]


@spoils("deal-end", "RULES 6")
def another_winner(e, s):
    return [{**e, "winner": (e["winner"] + 1) % s.players}] if e["winner"] is not None else None


@spoils("deal-end", "RULES 6")
def a_winner_where_nobody_went_out(e, _):
    return [{**e, "winner": 0}] if e["winner"] is None else None


@spoils("deal-end", "RULES 6")
def another_reason(e, _):
    return [{**e, "reason": "turn-limit" if e["reason"] != "turn-limit" else "stock-empty"}]


@spoils("deal-end", FORMATS)
def a_deal_without_an_end(e, _):
    return []


@spoils("draw", "RULES 6")
def a_deal_cut_short(e, s):
    return [{"event": "deal-end", "winner": None, "reason": "turn-limit", "scores": scores_now(s)}, e]


@spoils("draw", "RULES 6")
def stock_called_empty_while_it_is_not(e, s):
    end = {"event": "deal-end", "winner": None, "reason": "stock-empty", "scores": scores_now(s)}
    return [end, e] if s.stock else None


@spoils("deal-end", "RULES 6")
def a_draw_after_going_out(e, s):
    if e["reason"] != "out" or not s.stock:
        return None
    seat = (e["winner"] + 1) % s.players
    return [{"event": "draw", "seat": seat, "from": "stock", "card": s.stock[0]}, e]


@spoils("deal-end", "RULES 6")
def a_turn_past_the_limit(e, s):
    if e["reason"] != "turn-limit":
        return None
    return [{"event": "draw", "seat": s.active, "from": "discard", "card": s.top}, e]


@spoils("deal-end", "RULES 6")
def play_goes_on_though_the_empty_stock_ends_it(e, s):
    if e["reason"] != "stock-empty":
        return None
    return [{"event": "draw", "seat": s.active, "from": "none", "card": None}, e]


@spoils("deal-end", "RULES 6")
def a_buy_when_the_stock_is_empty(e, s):
    if e["reason"] != "stock-empty" or s.bought_this_turn:
        return None
    buyers = [seat for seat in range(s.players) if s.can_buy(seat)]
    return [{**s.buy(buyers[0]), "penalty": []}, e] if buyers else None


@spoils("deal-end", "RULES 6")
def a_reshuffle_where_the_deal_ends(e, s):
    under = [card for card, _ in s.pile[:-1]]
    return [{"event": "reshuffle", "stock": under}, e] if e["reason"] == "stock-empty" and under else None
