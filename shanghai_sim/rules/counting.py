"""Simple counts that show whether any cards at all can make a contract under the options (RULES 1, 5)."""

from __future__ import annotations

from shanghai_sim.cards import JOKER, N_RANKS, N_SUITS, PLAIN_CODES
from shanghai_sim.rules.contract import LONGEST_RUN, Contract, Meld
from shanghai_sim.rules.model import Ruleset


def n_cards(rules: Ruleset, players: int) -> int:
    """Return the number of cards in play."""
    return len(PLAIN_CODES) * rules.packs_for(players) + rules.jokers_for(players)


def n_wilds(rules: Ruleset, players: int) -> int:
    """Return the number of wild cards in play."""
    wild = rules.wild_codes()
    jokers = rules.jokers_for(players) if JOKER in wild else 0
    return rules.packs_for(players) * len(wild - {JOKER}) + jokers


def shortage(rules: Ruleset, players: int) -> str | None:
    """Return why the cards are too few to deal to a number of players, or None where they suffice.

    Besides the hands there must be the turned-up card, or the first player's extra one, and a card to draw.
    """
    hand = max(rules.hand_size_in(deal) for deal in range(1, rules.n_deals + 1))
    needed = players * hand + 2
    cards = n_cards(rules, players)
    if needed <= cards:
        return None
    extra = "the extra" if rules.deal.first_player_extra_card else "the turned-up"
    return (
        f"{cards} cards are too few for {players} players: "
        f"hands of {hand}, {extra} card and one to draw take {needed}"
    )


def longest_run(rules: Ruleset) -> int:
    """Return the greatest number of cards of a run."""
    return LONGEST_RUN if rules.cards.ace == "both" else LONGEST_RUN - 1


def most_wilds(rules: Ruleset, size: int, natural_only: bool) -> int:
    """Return how many cards of a meld may be wild when it is laid down with a size."""
    most = size
    if rules.meld.max_wilds != "any":
        most = min(most, int(rules.meld.max_wilds))
    if rules.meld.naturals_outnumber_wilds == "at-least-equal":
        most = min(most, size // 2)
    if rules.meld.naturals_outnumber_wilds == "strictly":
        most = min(most, (size - 1) // 2)
    return 0 if natural_only else most


def greatest_size(rules: Ruleset, players: int, meld: Meld) -> int:
    """Return how many cards a meld may have at most, limits on wilds aside."""
    if meld.kind == "run":
        return longest_run(rules)
    return N_SUITS * rules.packs_for(players) + n_wilds(rules, players)


def breaks_options(rules: Ruleset, contract: Contract, natural_only: bool) -> str | None:
    """Return why a contract cannot be made with any number of packs, or None where it can."""
    longest = longest_run(rules)
    for meld in contract.melds:
        if meld.kind == "run" and meld.size > longest:
            return f'a run has at most {longest} cards with cards.ace = "{rules.cards.ace}"'
        allowed = most_wilds(rules, meld.size, natural_only)
        if meld.kind == "set" and rules.meld.set_suits == "distinct" and meld.size > N_SUITS + allowed:
            return (
                f"a set of {meld.size} has at most {N_SUITS} natural cards of different suits, "
                f"and may take {allowed} wild{'s' * (allowed != 1)}"
            )
    return None


def why_impossible(rules: Ruleset, players: int, contract: Contract, natural_only: bool) -> str | None:
    """Return why no cards make a contract, or None where counting finds no reason.

    Parameters
    ----------
    rules : Ruleset
        The options on wilds and suits, and the packs.
    players : int
        How many play.
    contract : Contract
        The contract, at its least sizes.
    natural_only : bool
        Whether it takes no wilds.
    """
    wilds = n_wilds(rules, players)
    for meld in contract.melds:
        allowed = min(wilds, most_wilds(rules, meld.size, natural_only))
        naturals = (
            _naturals_in_set(rules, players) if meld.kind == "set" else _naturals_in_run(rules, meld.size)
        )
        if naturals + allowed < meld.size:
            return (
                f"a {meld.kind} of {meld.size} finds at most {naturals} natural cards, "
                f"and may take {allowed} wild{'s' * (allowed != 1)}"
            )
    ranks = N_RANKS - sum(_is_wild_rank(rules, rank) for rank in range(N_RANKS)) if natural_only else N_RANKS
    if not rules.meld.same_rank_sets and len(contract.sets) > ranks:
        return (
            f"it has {len(contract.sets)} sets, all of different ranks, and there are {ranks} ranks for them"
        )
    usable = sum(most_wilds(rules, meld.size, natural_only) for meld in contract.melds)
    cards = n_cards(rules, players) - rules.jokers_for(players)
    naturals = cards - rules.packs_for(players) * len(rules.wild_codes() - {JOKER})
    if (there := naturals + min(wilds, usable)) < contract.cards:
        return f"it takes {contract.cards} cards, and only {there} fit"
    return None


def _is_wild_rank(rules: Ruleset, rank: int) -> bool:
    return all(16 * suit + rank in rules.wild_codes() for suit in range(N_SUITS))


def _naturals_in_set(rules: Ruleset, players: int) -> int:
    """Return the greatest number of naturals of one rank that a set may hold."""
    wild = rules.wild_codes()
    suits = max(sum(16 * suit + rank not in wild for suit in range(N_SUITS)) for rank in range(N_RANKS))
    return suits if rules.meld.set_suits == "distinct" else suits * rules.packs_for(players)


def _naturals_in_run(rules: Ruleset, size: int) -> int:
    """Return the greatest number of naturals that one run of a size may hold."""
    first = 1 if rules.cards.ace == "high" else 0
    last = N_RANKS - 1 if rules.cards.ace == "low" else N_RANKS
    wild = rules.wild_codes()
    return max(
        sum(16 * suit + place % N_RANKS not in wild for place in range(low, low + size))
        for suit in range(N_SUITS)
        for low in range(first, last - size + 2)
    )
