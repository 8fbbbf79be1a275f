"""What of a ruleset can be played (FORMATS, "Limits of what can be played")."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_sim.errors import RulesError
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.feasibility import shortage
from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.values import show

MOST_PACKS = 3
MOST_JOKERS = 12
HANDS = range(3, 20 + 1)
MOST_MELDS = 4
PLAYERS = range(2, 8 + 1)
LIMITS = (
    f"Limits of what can be played: 1-{MOST_PACKS} packs, 0-{MOST_JOKERS} jokers, "
    f"hands of {HANDS[0]}-{HANDS[-1]}, contracts of 1-{MOST_MELDS} melds, {PLAYERS[0]}-{PLAYERS[-1]} players."
)

_SET = 3
_RUNS = range(3, 13 + 1)
#: Options with the only value that can be played so far.
_ONLY: dict[tuple[str, str], object] = {
    ("meld", "longer_at_lay_down"): False,
    ("meld", "lay_off_same_turn"): False,
    ("meld", "max_wilds"): "any",
    ("meld", "naturals_outnumber_wilds"): "no",
    ("meld", "set_suits"): "any",
    ("meld", "same_rank_sets"): True,
    ("meld", "runs_may_adjoin"): True,
    ("deal", "natural_only"): (),
    ("go_out", "last_deal_takes_whole_hand"): False,
}
#: Those of them that matter to whether a hand holds a contract.
_EVALUATION = {
    ("meld", "max_wilds"),
    ("meld", "naturals_outnumber_wilds"),
    ("meld", "set_suits"),
    ("meld", "same_rank_sets"),
    ("meld", "runs_may_adjoin"),
}


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
    problems += [f"{what} cannot be played yet; it loads and checks" for what in _not_built(rules)]
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


def _not_built(rules: Ruleset) -> Iterator[str]:
    """Yield the options and contracts that the engine does not know yet."""
    options = rules.to_options()
    for (section, key), only in _ONLY.items():
        if getattr(getattr(rules, section), key) != only:
            yield f"{section}.{key} = {show(options[section][key])}"
    for name, contract in _contracts(rules):
        yield from _odd_melds(name, contract)


def _odd_melds(name: str, contract: Contract) -> Iterator[str]:
    """Yield what of a contract's melds the evaluation does not know yet."""
    if any(size != _SET for size in contract.sets):
        yield f"{name} with sets of other sizes than {_SET}"
    if len(set(contract.runs)) > 1:
        yield f"{name} with runs of several lengths"
    if any(size not in _RUNS for size in contract.runs):
        yield f"{name} with a run of {max(contract.runs)}"


def check_evaluable(rules: Ruleset, contract: Contract, deal: int | None) -> None:
    """Refuse a contract that cannot be evaluated under the rules, by themselves or those of a deal.

    Raises
    ------
    RulesError
        With one line for everything that stands in the way.
    """
    options = rules.to_options()
    wanted = [key for key in _ONLY if key in _EVALUATION]
    if deal is not None and rules.natural_only_in(deal):
        wanted.append(("deal", "natural_only"))
    if deal is not None and rules.whole_hand_in(deal):
        wanted.append(("go_out", "last_deal_takes_whole_hand"))
    problems = [
        f"{section}.{key} = {show(options[section][key])}"
        for section, key in wanted
        if getattr(getattr(rules, section), key) != _ONLY[section, key]
    ]
    problems += _odd_melds(f"contract {contract}", contract)
    if len(contract.melds) > MOST_MELDS:
        problems.append(f"contract {contract} with {len(contract.melds)} melds")
    if problems:
        raise RulesError(*(f"{rules.name}: {problem} cannot be evaluated yet" for problem in problems))
