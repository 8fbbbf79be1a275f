"""What follows from a ruleset before a card is dealt (RULES 9): who can make which contract, and how.

On the own turn after *b* buys with *p* penalty cards each, a hand of *h* cards holds ``h + 1 + b(1 + p)``.
The Finnish first player, dealt one card more, discards it in a turn without a draw: nothing changes for the
turns after. The last of many buys brings as many penalty cards as there still are. Other buys for which
penalty cards are missing, and turns in which there is nothing left to draw, are not considered.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.counting import greatest_size, n_cards
from shanghai_sim.rules.makeable import why_never_made
from shanghai_sim.rules.model import Ruleset


@frozen
class DealFeasibility:
    """What can happen in one deal.

    Attributes
    ----------
    deal : int
        The number of the deal; one past the last is sudden death.
    contract : Contract
        Its contract.
    hand_size : int
        The cards dealt to each player.
    buys_allowed : int or None
        How often a player can buy, by the limits and by who may buy what; None: without limit.
    buys_needed : int or None
        The least number of buys with which the contract can be laid down; None: it never can.
    never : str or None
        Why the contract can never be laid down.
    one_turn_buys : int or None
        The least number of buys with which a player can go out in the turn of laying down; None: never.
    first_turn_buys : int or None
        The same for the player's first turn, with the buys there can be before it.
    lay_down_ends_deal : bool
        Whether every lay-down ends the deal.
    """

    deal: int
    contract: Contract
    hand_size: int
    buys_allowed: int | None
    buys_needed: int | None
    never: str | None
    one_turn_buys: int | None
    first_turn_buys: int | None
    lay_down_ends_deal: bool


def buys_possible(rules: Ruleset, players: int, deal: int) -> int | None:
    """Return how often one player can buy in a deal; None: without limit.

    Both limits hold. Between two players the top discard is always the other one's to take and one's own to
    buy back, so that nothing but the turned-up card can be bought unless the own discard may be (RULES 3).
    """
    limits = [rules.buys_in(deal), rules.buys_per_game]
    if players == 2 and not rules.buy.own_discard:
        limits.append(0 if rules.deal.first_player_extra_card else 1)
    return min((limit for limit in limits if limit is not None), default=None)


def check_deal(rules: Ruleset, players: int, deal: int) -> DealFeasibility:
    """Return what can happen in one deal (1-based; one past the last is sudden death)."""
    contract = rules.contract_in(deal)
    allowed = buys_possible(rules, players, deal)
    never = why_never_made(rules, players, contract, rules.natural_only_in(deal))
    ways = [] if never else list(_ways(rules, players, deal, allowed))
    if not ways and not never:
        never = _too_small(rules, players, deal, allowed)
    out = [buys for buys, _, ends in ways if ends]
    early = [buys for buys in out if buys <= _buys_before_first_turn(rules, players)]
    return DealFeasibility(
        deal=deal,
        contract=contract,
        hand_size=rules.hand_size_in(deal),
        buys_allowed=allowed,
        buys_needed=ways[0][0] if ways else None,
        never=never,
        one_turn_buys=min(out, default=None),
        first_turn_buys=min(early, default=None),
        lay_down_ends_deal=bool(ways) and all(left <= 1 for _, left, _ in ways),
    )


def check_deals(rules: Ruleset, players: int) -> tuple[DealFeasibility, ...]:
    """Return what can happen in every deal; sudden death comes last where its contract is another one."""
    last = rules.n_deals
    if rules.score.tie == "sudden-death" and isinstance(rules.score.sudden_death_contract, Contract):
        last += 1
    return tuple(check_deal(rules, players, deal) for deal in range(1, last + 1))


def _kept_back(rules: Ruleset, deal: int) -> int:
    """Return how many cards a player must have besides the contract to lay down: one to discard, or none."""
    return 0 if rules.whole_hand_in(deal) or rules.go_out.discard == "optional" else 1


def _most_cards(rules: Ruleset, players: int, deal: int) -> int:
    """Return the most cards one player can hold: every other player's share stays with that player."""
    return n_cards(rules, players) - (players - 1) * rules.hand_size_in(deal)


def _ways(rules: Ruleset, players: int, deal: int, allowed: int | None) -> Iterator[tuple[int, int, bool]]:
    """Yield for each number of buys with which the contract can be laid down what happens then.

    Yields
    ------
    buys : int
        The number of buys.
    left : int
        The cards that the lay-down leaves in hand when every meld has its least size; 0 where it must take
        in the whole hand.
    ends : bool
        Whether the player can go out in that turn.
    """
    contract = rules.contract_in(deal)
    least = contract.cards + _kept_back(rules, deal)
    whole = rules.whole_hand_in(deal)
    room = sum(greatest_size(rules, players, meld) for meld in contract.melds) - contract.cards
    shed = 1  # the discard
    if whole or rules.meld.longer_at_lay_down:
        shed += room
    most = _most_cards(rules, players, deal)
    if rules.meld.lay_off_same_turn:
        shed = most
    buys = 0
    cards = rules.hand_size_in(deal) + 1
    while cards <= most and (allowed is None or buys <= allowed):
        left = cards - contract.cards
        if whole and 0 <= left <= room:
            yield buys, 0, True
        elif not whole and cards >= least:
            yield buys, left, left <= shed
        if cards == most:
            return
        buys += 1
        # A buyer pays the penalty cards there are, if any (RULES 6).
        cards = min(cards + 1 + rules.buy.penalty_cards, most)


def _buys_before_first_turn(rules: Ruleset, players: int) -> int:
    """Return how often a player can have bought before a first turn in which that player may lay down.

    The last to play sees one draw of each other player; the Finnish first player does not draw. Where buying
    forbids to meld in the next turn, nobody lays down in a first turn after a buy.
    """
    if rules.buy.no_meld_next_turn:
        return 0
    return players - (2 if rules.deal.first_player_extra_card else 1)


def _too_small(rules: Ruleset, players: int, deal: int, allowed: int | None) -> str:
    """Return why no number of buys will do."""
    contract = rules.contract_in(deal)
    keep = " and one to discard" if _kept_back(rules, deal) else ""
    takes = f"it takes {contract.cards} cards{keep}"
    most = _most_cards(rules, players, deal)
    if contract.cards + _kept_back(rules, deal) > most:
        return f"{takes}, and one of {players} players never has more than {most}"
    if allowed is None:
        return f"{takes}, and no number of buys makes a hand of that size"
    hand = rules.hand_size_in(deal) + 1 + allowed * (1 + rules.buy.penalty_cards)
    buys = "no buy" if allowed == 0 else f"{allowed} buy{'s' * (allowed != 1)}"
    if hand < contract.cards:
        return f"{takes}; with {buys} a hand holds {hand}"
    if rules.whole_hand_in(deal):
        return (
            f"it must take in the whole hand, and its melds never hold {rules.hand_size_in(deal) + 1} cards"
        )
    return f"{takes}; with {buys} a hand holds {hand}"
