"""Options of a ruleset that contradict each other or come to nothing: worth a warning, not a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from shanghai_sim.cards import JOKER
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.counting import n_wilds, shortage
from shanghai_sim.rules.feasibility import DealFeasibility, check_deals
from shanghai_sim.rules.kinds import cards_named
from shanghai_sim.rules.model import Ruleset

_Deals = tuple[DealFeasibility, ...]


@frozen
class Finding:
    """One thing to know before playing by a ruleset.

    Attributes
    ----------
    keys : tuple of str
        The dotted keys of the options concerned.
    message : str
        What is odd, in one sentence.
    """

    keys: tuple[str, ...]
    message: str


@frozen
class Feasibility:
    """What follows from a ruleset for a number of players.

    Attributes
    ----------
    players : int
        How many play.
    short : str or None
        Why there are too few cards for them, or None.
    deals : tuple of DealFeasibility
        A row a deal; sudden death comes last where its contract is another one.
    warnings : tuple of Finding
        Options that contradict each other or come to nothing.
    """

    players: int
    short: str | None
    deals: tuple[DealFeasibility, ...]
    warnings: tuple[Finding, ...]


def check_feasibility(rules: Ruleset, players: int) -> Feasibility:
    """Return all that follows from a ruleset for a number of players (RULES 9)."""
    deals = check_deals(rules, players)
    warnings = [warning for check in _CHECKS for warning in check(rules, players, deals)]
    return Feasibility(players, shortage(rules, players), deals, tuple(warnings))


def _too_few_cards(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    for number in range(rules.players.min, rules.players.max + 1):
        if number != players and (short := shortage(rules, number)):
            yield Finding(("players.max", "cards.packs"), short)
            return


def _buying(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    buy = rules.buy
    per_deal = buy.per_deal if isinstance(buy.per_deal, tuple) else (buy.per_deal,)
    none_per_deal = all(limit == 0 for limit in per_deal)
    if none_per_deal or buy.per_game == 0:
        limit = "buy.per_deal" if none_per_deal else "buy.per_game"
        idle = {
            "penalty_cards": buy.penalty_cards != 1,
            "own_discard": buy.own_discard,
            "after_laying_down": not buy.after_laying_down,
            "no_meld_next_turn": buy.no_meld_next_turn,
            "per_game": none_per_deal and buy.per_game not in {0, "unlimited"},
            "per_deal": not none_per_deal,
        }
        for key in (key for key, matters in idle.items() if matters):
            yield Finding((f"buy.{key}", limit), f"buy.{key} does nothing: {limit} = 0 allows no buying")
    elif players == 2 and not buy.own_discard:
        what = (
            "nobody can buy"
            if rules.deal.first_player_extra_card
            else "only the turned-up card can be bought"
        )
        yield Finding(
            ("buy.own_discard",),
            f"between 2 players {what}: a discard on offer is the buyer's own (buy.own_discard = false)",
        )


def _budget(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    budget = rules.buys_per_game
    needed = sum(deal.buys_needed or 0 for deal in deals if deal.deal <= rules.n_deals)
    if budget is not None and needed > budget:
        yield Finding(
            ("buy.per_game",),
            f"buy.per_game = {budget} is less than the {needed} buys that all contracts together need",
        )


def _bonuses(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    score = rules.score
    reach = {
        "first_turn_bonus": ("the first turn", any(deal.first_turn_buys is not None for deal in deals)),
        "one_turn_bonus": ("the turn of laying down", any(deal.one_turn_buys is not None for deal in deals)),
    }
    for name, (turn, reached) in reach.items():
        for key in (name, f"{name}_without_wild"):
            if getattr(score, key) and not reached:
                yield Finding((f"score.{key}",), f"score.{key} is out of reach: nobody can go out in {turn}")


def _wilds(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    meld, wild = rules.meld, rules.wild_codes()
    numbers = range(rules.players.min, rules.players.max + 1)
    jokers = any(rules.jokers_for(number) for number in numbers)
    limited = meld.max_wilds != "any" or meld.naturals_outnumber_wilds != "no"
    if meld.wild_limits == "always" and not limited:
        yield Finding(
            ("meld.wild_limits",),
            "meld.wild_limits does nothing: neither meld.max_wilds nor meld.naturals_outnumber_wilds is set",
        )
    if not any(n_wilds(rules, number) for number in numbers):
        if limited:
            yield Finding(
                ("cards.wild",), "the limits on wilds in a meld do nothing: there are no wild cards"
            )
        if rules.deal.natural_only:
            yield Finding(("deal.natural_only",), "deal.natural_only does nothing: there are no wild cards")
    if JOKER in wild and not jokers:
        yield Finding(
            ("cards.wild", "cards.jokers"), "cards.wild names JK, but cards.jokers puts none in the pack"
        )
    if JOKER not in wild and jokers:
        yield Finding(
            ("cards.wild", "cards.jokers"),
            "the jokers are dead cards, which fit nowhere and cost their points: cards.wild does not name JK",
        )


def _points(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    for name, _ in rules.score.wild_points:
        if not cards_named(name) & rules.wild_codes():
            yield Finding(
                ("score.wild_points", "cards.wild"),
                f"score.wild_points.{name} does nothing: cards.wild does not name it",
            )


def _swaps(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    if rules.swap.melds == "none" and rules.swap.freed_wild != "hand":
        yield Finding(("swap.freed_wild", "swap.melds"), 'swap.freed_wild does nothing: swap.melds = "none"')


def _sudden_death(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    if rules.score.tie == "shared" and isinstance(rules.score.sudden_death_contract, Contract):
        yield Finding(
            ("score.sudden_death_contract", "score.tie"),
            'score.sudden_death_contract does nothing: score.tie = "shared"',
        )


def _turns(rules: Ruleset, players: int, deals: _Deals) -> Iterator[Finding]:
    if rules.stock.turn_limit == 1 and rules.deal.first_player_extra_card:
        yield Finding(
            ("stock.turn_limit", "deal.first_player_extra_card"),
            "the first player never lays down: the one turn of stock.turn_limit = 1 is a discard alone",
        )


_CHECKS: tuple[Callable[[Ruleset, int, _Deals], Iterator[Finding]], ...] = (
    _too_few_cards,
    _buying,
    _budget,
    _bonuses,
    _wilds,
    _points,
    _swaps,
    _sudden_death,
    _turns,
)
