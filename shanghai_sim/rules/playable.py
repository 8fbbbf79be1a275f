"""What of a ruleset can be played (FORMATS, "Limits of what can be played")."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_sim.errors import RulesError
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.counting import breaks_options, shortage
from shanghai_sim.rules.model import Ruleset

MOST_PACKS = 3
MOST_JOKERS = 12
HANDS = range(3, 20 + 1)
MOST_MELDS = 4
PLAYERS = range(2, 8 + 1)
LIMITS = (
    f"Limits of what can be played: 1-{MOST_PACKS} packs, 0-{MOST_JOKERS} jokers, "
    f"hands of {HANDS[0]}-{HANDS[-1]}, contracts of 1-{MOST_MELDS} melds, {PLAYERS[0]}-{PLAYERS[-1]} players."
)


def check_playable(rules: Ruleset, players: int) -> None:
    """Refuse what cannot be played.

    Parameters
    ----------
    rules : Ruleset
        The ruleset, which has loaded and so is right in itself.
    players : int
        How many play.

    Raises
    ------
    RulesError
        With one line for everything that stands in the way.
    """
    check_players(rules, players)
    problems = [f"{what}. {LIMITS}" for what in _beyond_limits(rules, players)]
    if not problems and (short := shortage(rules, players)):
        problems.append(short)
    if problems:
        raise RulesError(*(f"{rules.name}: {problem}" for problem in problems))


def check_players(rules: Ruleset, players: int) -> None:
    """Refuse a number of players that the ruleset does not allow, with a `RulesError`."""
    least, most = rules.players.min, rules.players.max
    if not least <= players <= most:
        raise RulesError(f"{rules.name}: is for {least} to {most} players, not {players}")


def _contracts(rules: Ruleset) -> Iterator[tuple[str, Contract]]:
    """Yield every contract that may come up, with its name."""
    for deal in range(1, rules.n_deals + 1):
        yield f"contract {deal} ({rules.contract_in(deal)})", rules.contract_in(deal)
    last = rules.score.sudden_death_contract
    if rules.score.tie == "sudden-death" and isinstance(last, Contract):
        yield f"the contract of sudden death ({last})", last


def _beyond_limits(rules: Ruleset, players: int) -> Iterator[str]:
    """Yield what is outside the limits."""
    if players not in PLAYERS:
        yield f"{players} players"
    if (packs := rules.packs_for(players)) > MOST_PACKS:
        yield f"{packs} packs for {players} players"
    if (jokers := rules.jokers_for(players)) > MOST_JOKERS:
        yield f"{jokers} jokers for {players} players"
    hands = {rules.hand_size_in(deal): deal for deal in range(rules.n_deals, 0, -1)}
    yield from (f"a hand of {hand} in deal {deal}" for hand, deal in hands.items() if hand not in HANDS)
    for name, contract in _contracts(rules):
        if len(contract.melds) > MOST_MELDS:
            yield f"{name} has {len(contract.melds)} melds"


def check_evaluable(rules: Ruleset, contract: Contract, natural_only: bool) -> None:
    """Refuse a contract that cannot be evaluated: of too many melds, or such as no cards can make.

    Parameters
    ----------
    rules : Ruleset
        Whose options on melds hold.
    contract : Contract
        At its least sizes.
    natural_only : bool
        Whether it takes no wilds.

    Raises
    ------
    RulesError
        With one line for what stands in the way.
    """
    if len(contract.melds) > MOST_MELDS:
        raise RulesError(f"{rules.name}: contract {contract} has {len(contract.melds)} melds. {LIMITS}")
    if why := breaks_options(rules, contract, natural_only):
        raise RulesError(f"{rules.name}: no cards can make contract {contract}: {why}")
