"""Spoiling the frame: the game event, the form of events, the end of the game."""

from .walk import spoils

FORMATS = "FORMATS"


# --- the game event, and the form of events ---


@spoils("game", FORMATS)
def another_version(e, _):
    return [{**e, "version": 2}]


@spoils("game", FORMATS)
def an_option_is_missing(e, _):
    buy = {key: value for key, value in e["options"]["buy"].items() if key != "own_discard"}
    return [{**e, "options": {**e["options"], "buy": buy}}]


@spoils("game", FORMATS)
def an_option_is_unknown(e, _):
    return [{**e, "options": {**e["options"], "stock": {**e["options"]["stock"], "colour": "blue"}}}]


@spoils("game", FORMATS)
def an_option_has_an_impossible_value(e, _):
    return [{**e, "options": {**e["options"], "stock": {**e["options"]["stock"], "turn_limit": 0}}}]


@spoils("game", FORMATS)
def more_players_than_the_ruleset_allows(e, _):
    return [{**e, "policies": ["random"] * (e["options"]["players"]["max"] + 1)}]


@spoils("game", FORMATS)
def no_game_event(e, _):
    return []


@spoils("deal", FORMATS)
def a_second_game_event(e, s):
    return [s.before, e] if s.before["event"] == "game" else None


@spoils("discard", FORMATS)
def an_unknown_key(e, _):
    return [{**e, "why": "useless"}]


@spoils("discard", FORMATS)
def a_key_is_missing(e, _):
    return [{key: value for key, value in e.items() if key != "card"}]


@spoils("discard", FORMATS)
def an_unknown_event(e, _):
    return [{**e, "event": "throw"}]


@spoils("discard", FORMATS)
def a_seat_as_text(e, _):
    return [{**e, "seat": str(e["seat"])}]


@spoils("draw", FORMATS)
def a_seat_that_is_not_there(e, s):
    return [{**e, "seat": s.players}]


@spoils("discard", FORMATS)
def a_card_in_small_letters(e, _):
    return [{**e, "card": e["card"].lower()}]


@spoils("deal-end", FORMATS)
def a_score_that_is_no_whole_number(e, _):
    return [{**e, "scores": [float(score) for score in e["scores"]]}]


# --- the end of the game ---


@spoils("game-end", "RULES 7")
def another_total(e, _):
    return [{**e, "totals": [e["totals"][0] + 5, *e["totals"][1:]]}]


@spoils("game-end", "RULES 7")
def sudden_death_counted_in_the_totals(e, s):
    scores = s.before["scores"]
    if not s.sudden_death or not any(scores):
        return None
    return [{**e, "totals": [a + b for a, b in zip(e["totals"], scores, strict=True)]}]


@spoils("game-end", "RULES 7")
def another_seat_wins(e, s):
    losers = [seat for seat in range(s.players) if seat not in e["winners"]]
    return [{**e, "winners": losers[:1]}] if losers else None


@spoils("game-end", "RULES 7")
def one_of_the_winners_left_out(e, _):
    return [{**e, "winners": e["winners"][1:]}]


@spoils("game-end", FORMATS)
def the_transcript_breaks_off(e, _):
    return []


@spoils("game-end", FORMATS)
def something_after_the_end(e, _):
    return [e, e]


def lowest(s):
    return [seat for seat, total in enumerate(s.totals) if total == min(s.totals)]


@spoils("game-end", "RULES 7")
def sudden_death_without_a_tie(e, s):
    if s.sudden_death or len(lowest(s)) > 1:
        return None
    return [{"event": "sudden-death", "seats": lowest(s)}, e]


@spoils("game-end", "RULES 7")
def sudden_death_where_ties_are_shared(e, s):
    shared = s.o["score"]["tie"] == "shared" and len(lowest(s)) > 1
    return [{"event": "sudden-death", "seats": lowest(s)}, e] if shared else None


@spoils("sudden-death", "RULES 7")
def a_tie_left_as_it_is(e, s):
    return [{"event": "game-end", "totals": s.totals, "winners": e["seats"]}]


@spoils("sudden-death", "RULES 8")
def sudden_death_not_announced(e, _):
    return []


@spoils("sudden-death", "RULES 7")
def one_of_the_tied_left_out(e, _):
    return [{**e, "seats": e["seats"][1:]}]
