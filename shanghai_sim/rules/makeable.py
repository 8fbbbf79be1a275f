"""Whether any cards of the packs in play make a contract at all (RULES 5, 9): exactly."""

from __future__ import annotations

from shanghai_sim.cards import JOKER, N_RANKS, N_SUITS, PLAIN_CODES
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.counting import why_impossible
from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.playable import MOST_MELDS, MOST_PACKS


def why_never_made(rules: Ruleset, players: int, contract: Contract, natural_only: bool) -> str | None:
    """Return why no cards in play make a contract, or None where some do.

    Counting meld by meld finds the usual reasons. Where melds could still be in each other's way, all cards in
    play are evaluated as one hand; beyond the limits of what can be evaluated, only counting speaks.

    Parameters
    ----------
    rules : Ruleset
    players : int
        How many play.
    contract : Contract
        At its least sizes.
    natural_only : bool
        Whether it takes no wilds.
    """
    packs = rules.packs_for(players)
    if why := why_impossible(rules, players, contract, natural_only):
        return why
    if _is_roomy(rules, packs, contract) or packs > MOST_PACKS or len(contract.melds) > MOST_MELDS:
        return None
    short = _distance_of_all_cards(rules, players, contract, natural_only)
    if short == 0:
        return None
    return f"all cards in play together are {short} card{'s' * (short != 1)} short of its melds"


def _is_roomy(rules: Ruleset, packs: int, contract: Contract) -> bool:
    """Return whether each meld has naturals enough of its own: runs a suit each, sets a rank each, none wild."""
    ranks = {code % 16 for code in rules.wild_codes() - {JOKER}}
    runs, sets = len(contract.runs), len(contract.sets)
    # A rank that is wild leaves so many in a row to the runs on one side at least.
    longest = N_RANKS if not ranks else N_RANKS // 2
    most_in_set = N_SUITS if rules.meld.set_suits == "distinct" else N_SUITS * packs - runs
    return (
        packs > 1
        and len(ranks) <= 1
        and runs <= N_SUITS
        and sets <= N_RANKS - len(ranks)
        and all(size <= longest for size in contract.runs)
        and all(size <= most_in_set for size in contract.sets)
    )


def _distance_of_all_cards(rules: Ruleset, players: int, contract: Contract, natural_only: bool) -> int:
    import numpy as np

    from shanghai_sim.rules.distance import distances
    from shanghai_sim.rules.evaluate import hand_boards
    from shanghai_sim.rules.kernel_rules import contract_need

    cards = [*PLAIN_CODES] * rules.packs_for(players) + [JOKER] * rules.jokers_for(players)
    out = np.zeros(1, np.int64)
    need = contract_need(rules, contract, natural_only)
    distances(np.array([hand_boards(cards)], np.int64), need, out)
    return int(out[0])
