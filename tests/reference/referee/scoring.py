"""What a deal and a game come to (RULES 7)."""

from .cards import points_of


def deal_scores(table, winner):
    """Score of each seat at the end of a deal; ``winner`` is None where nobody went out."""
    # Everyone scores the whole of what is left in hand, contract down or not.
    scores = [sum(points_of(table.options, card) * n for card, n in hand.items()) for hand in table.hands]
    if winner is not None:
        bonuses = [0]
        if table.turns[winner] == 1:
            bonuses.append(_bonus(table, winner, "first_turn_bonus"))
        if table.down_in_turn[winner] == table.turns[winner]:
            bonuses.append(_bonus(table, winner, "one_turn_bonus"))
        scores[winner] = min(bonuses)  # in place of the 0; where both apply the lower score counts
    return scores


def _bonus(table, seat, name):
    # FORMATS: the second figure stands in place of the first when no wild was melded; 0 means there is none.
    without = table.options["score"][name + "_without_wild"]
    return without if without != 0 and not table.melded_wild[seat] else table.options["score"][name]


def lowest(scores, seats):
    """Those of the seats whose score is lowest."""
    best = min(scores[seat] for seat in seats)
    return [seat for seat in seats if scores[seat] == best]
