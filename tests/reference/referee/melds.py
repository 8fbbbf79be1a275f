"""Which sets and runs are legal, and what may be added to them or swapped (RULES 5).

A meld on the table is a dict: ``kind`` "set" or "run" and ``cards``; a run also has its ``suit`` and ``low``
(position of its first card).
"""

from .cards import is_natural, is_wild, rank_at
from .options import contract_of, natural_only_in, whole_hand_in
from .violation import ViolationError, need

FIVE = "RULES 5"


def first_position(options):
    # RULES 1: the ace is low or high; "high" alone makes the two the lowest card of a run.
    return 2 if options["cards"]["ace"] == "high" else 1


def last_position(options):
    return 13 if options["cards"]["ace"] == "low" else 14


def naturals(options, cards):
    return [card for card in cards if is_natural(options, card)]


def wilds(options, cards):
    return [card for card in cards if is_wild(options, card)]


def set_rank(options, cards):
    """Rank of a set, or None while it is made of wilds alone: the first natural gives it (RULES 5)."""
    ranks = [card[0] for card in naturals(options, cards)]
    return ranks[0] if ranks else None


def within_wild_limits(options, cards):
    n_wild, n_natural = len(wilds(options, cards)), len(naturals(options, cards))
    # RULES 5: at most N wilds in a meld; never more wilds than naturals, or always fewer.
    most, outnumber = options["meld"]["max_wilds"], options["meld"]["naturals_outnumber_wilds"]
    if most != "any" and n_wild > most:
        return False
    if outnumber == "at-least-equal" and n_wild > n_natural:
        return False
    return not (outnumber == "strictly" and n_wild >= n_natural)


def check_shape(options, meld):
    """Refuse what is no set (same rank) or run (consecutive ranks of one suit) at all."""
    for card in meld["cards"]:
        need(card != "JK" or is_wild(options, card), "a dead joker fits nowhere", "RULES 1")
    if meld["kind"] == "set":
        ranks = {card[0] for card in naturals(options, meld["cards"])}
        need(len(ranks) <= 1, f"a set of the ranks {sorted(ranks)}", FIVE)
        return
    low, high = meld["low"], meld["low"] + len(meld["cards"]) - 1
    inside = first_position(options) <= low and high <= last_position(options)
    need(inside, f"a run from position {low} to {high}", "RULES 1")
    for position, card in enumerate(meld["cards"], start=low):
        stands = is_wild(options, card) or card == rank_at(position) + meld["suit"]
        need(stands, f"{card} at position {position} of a run of {meld['suit']}", FIVE)


def check_contract(options, deal, melds):
    """Refuse melds that are not the contract of the deal, in the ruleset's order."""
    contract = contract_of(options, deal)
    # RULES 3: all of it in one play, and no melds beyond the contract.
    need(len(melds) == len(contract), f"{len(melds)} melds for a contract of {len(contract)}", "RULES 3")
    # RULES 5: exactly the size, by option more; RULES 6: in a whole-hand deal melds may be longer.
    longer = options["meld"]["longer_at_lay_down"] or whole_hand_in(options, deal)
    for meld, (kind, size) in zip(melds, contract, strict=True):
        need(meld["kind"] == kind, f"a {meld['kind']} where the contract has a {kind}", "RULES 3")
        n = len(meld["cards"])
        need(n == size or (longer and n > size), f"a {kind} of {n} cards for one of {size}", FIVE)
        check_shape(options, meld)
        need(within_wild_limits(options, meld["cards"]), f"too many wilds in {meld['cards']}", FIVE)
        # RULES 5: no wilds at all in the contract of given deals; RULES 1: a wild two counts as a wild there.
        natural = not natural_only_in(options, deal) or not wilds(options, meld["cards"])
        need(natural, "a wild in a natural-only contract", FIVE)
        if kind == "set" and options["meld"]["set_suits"] == "distinct":
            suits = [card[1] for card in naturals(options, meld["cards"])]
            need(len(suits) == len(set(suits)), "two naturals of one suit in a set", FIVE)
    if not options["meld"]["same_rank_sets"]:
        ranks = [set_rank(options, meld["cards"]) for meld in melds if meld["kind"] == "set"]
        ranks = [rank for rank in ranks if rank is not None]  # a set of wilds alone has no rank yet
        need(len(ranks) == len(set(ranks)), "two sets of one rank", FIVE)
    if not options["meld"]["runs_may_adjoin"]:
        runs = [meld for meld in melds if meld["kind"] == "run"]
        for lower in runs:
            for upper in runs:
                # RULES 5: one begins right above the other's top card.
                adjoin = lower["suit"] == upper["suit"] and upper["low"] == lower["low"] + len(lower["cards"])
                need(not adjoin, f"two adjoining runs of {lower['suit']}", FIVE)


def grown(options, meld, card, end):
    """Return the meld with the card laid off at that end; a violation if it does not go there (RULES 5)."""
    if meld["kind"] == "set":
        need(end is None, "a set has no ends", "FORMATS, Transcript")
        new = {**meld, "cards": [*meld["cards"], card]}
    else:
        need(end in {"low", "high"}, "which end of the run?", "FORMATS, Transcript")
        if end == "low":
            new = {**meld, "low": meld["low"] - 1, "cards": [card, *meld["cards"]]}
        else:
            new = {**meld, "cards": [*meld["cards"], card]}
    check_shape(options, new)
    if options["meld"]["wild_limits"] == "always":
        need(within_wild_limits(options, new["cards"]), f"too many wilds in the grown {new['cards']}", FIVE)
    return new


def has_place(options, melds, card):
    """Can the card be laid off anywhere? Try every meld and end."""
    for meld in melds:
        for end in [None] if meld["kind"] == "set" else ["low", "high"]:
            try:
                grown(options, meld, card, end)
            except ViolationError:
                continue
            return True
    return False


def swapped(options, meld, card, wild):
    """Return the meld with the natural card in the wild's place; a violation if that may not be (RULES 5)."""
    allowed = options["swap"]["melds"]
    may = allowed == "all" or (allowed == "runs" and meld["kind"] == "run")
    need(may, f"no swaps in a {meld['kind']}", FIVE)
    need(is_natural(options, card), f"{card} is no natural card", FIVE)
    need(is_wild(options, wild), f"{wild} is no wild", FIVE)
    for i, held in enumerate(meld["cards"]):
        if held != wild:
            continue
        # A run's wild stands for one card, a set's for any card of its rank (of any, while it has none).
        if meld["kind"] == "run":
            stands = card == rank_at(meld["low"] + i) + meld["suit"]
        else:
            stands = set_rank(options, meld["cards"]) in {None, card[0]}
        if stands:
            return {**meld, "cards": [*meld["cards"][:i], card, *meld["cards"][i + 1 :]]}
    need(False, f"no {wild} in the meld stands for {card}", FIVE)
    return None
