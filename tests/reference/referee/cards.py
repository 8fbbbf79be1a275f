"""Cards as two letters: rank and suit, or ``JK`` (RULES 1)."""

from collections import Counter

RANKS = "A23456789TJQK"
SUITS = "SHDC"
#: Card order: suits S H D C, ranks A to K, jokers last (FORMATS, Transcript).
ALL_CARDS = [rank + suit for suit in SUITS for rank in RANKS] + ["JK"]


def is_card(x):
    return isinstance(x, str) and x in ALL_CARDS


def in_card_order(cards):
    return cards == sorted(cards, key=ALL_CARDS.index)


def is_wild(options, card):
    # RULES 1: jokers are wild if the option lists them; "2" means all twos, "2S" that card.
    wild = options["cards"]["wild"]
    return card in wild or (card != "JK" and card[0] in wild)


def is_natural(options, card):
    # RULES 1: a joker that the option does not list is dead: neither wild nor natural, it fits nowhere.
    return card != "JK" and not is_wild(options, card)


def rank_at(position):
    """Rank at a position of a run: ace low 1, king 13, ace high 14 (FORMATS, Transcript)."""
    return RANKS[(position - 1) % 13]


def points_of(options, card):
    """Penalty points of a card (RULES 7); ``wild_points`` holds for wilds but jokers (FORMATS)."""
    score = options["score"]
    if card == "JK":
        return score["points"]["JK"]
    if is_wild(options, card):
        for key in (card, card[0]):
            if key in score["wild_points"]:
                return score["wild_points"][key]
    return score["points"][card[0]]


def _from_players_on(table, players):
    """``{2 = 2, 5 = 3}``: from 2 players on two, from 5 on three; below the first number none."""
    steps = [int(start) for start in table if int(start) <= players]
    return table[str(max(steps))] if steps else 0


def all_cards_of(options, players):
    """Every physical card of the game as a multiset (RULES 1)."""
    packs = _from_players_on(options["cards"]["packs"], players)
    jokers = _from_players_on(options["cards"]["jokers"], players)
    cards = Counter({card: packs for card in ALL_CARDS if card != "JK"})
    cards["JK"] = jokers
    return +cards
