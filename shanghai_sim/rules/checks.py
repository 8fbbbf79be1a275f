"""What must hold between the options of a ruleset for it to load at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shanghai_sim.rules.contract import LONGEST_RUN, Contract
from shanghai_sim.rules.kinds import POINT_KEYS
from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.reading import Problem


def _players(rules: Ruleset) -> Iterator[Problem]:
    least, most = rules.players.min, rules.players.max
    if least > most:
        yield Problem(("players", "min"), f"must be at most players.max = {most}, not {least}")


def _packs(rules: Ruleset) -> Iterator[Problem]:
    first = rules.cards.packs[0][0]
    if first > rules.players.min:
        yield Problem(
            ("cards", "packs"),
            f"must say how many for players.min = {rules.players.min}, but starts at {first}",
        )


def _points(rules: Ruleset) -> Iterator[Problem]:
    named = dict(rules.score.points)
    if missing := [key for key in POINT_KEYS if key not in named]:
        yield Problem(("score", "points"), f"must name every card; missing: {' '.join(missing)}")


def _one_per_deal(section: str, name: str) -> Callable[[Ruleset], Iterator[Problem]]:
    def check(rules: Ruleset) -> Iterator[Problem]:
        value = getattr(getattr(rules, section), name)
        if isinstance(value, tuple) and len(value) != rules.n_deals:
            yield Problem(
                (section, name),
                f"must have one entry per deal: deal.contracts has {rules.n_deals}, this list {len(value)}",
            )

    return check


def _natural_only(rules: Ruleset) -> Iterator[Problem]:
    for deal in rules.deal.natural_only:
        if deal > rules.n_deals:
            yield Problem(("deal", "natural_only"), f"must name deals from 1 to {rules.n_deals}, not {deal}")


def _long_runs(rules: Ruleset, contract: Contract) -> str | None:
    longest = LONGEST_RUN if rules.cards.ace == "both" else LONGEST_RUN - 1
    long = [size for size in contract.runs if size > longest]
    return (
        f'a run has at most {longest} cards with cards.ace = "{rules.cards.ace}", not {long[0]}'
        if long
        else None
    )


def _runs(rules: Ruleset) -> Iterator[Problem]:
    for deal, contract in enumerate(rules.deal.contracts, 1):
        if message := _long_runs(rules, contract):
            yield Problem(("deal", "contracts"), f"entry {deal}: {message}")


def _sudden_death_runs(rules: Ruleset) -> Iterator[Problem]:
    last = rules.score.sudden_death_contract
    if isinstance(last, Contract) and (message := _long_runs(rules, last)):
        yield Problem(("score", "sudden_death_contract"), message)


#: Each check with the options it looks at: where one of those cannot be read, the check has nothing to say.
CHECKS: tuple[tuple[Callable[[Ruleset], Iterator[Problem]], tuple[str, ...]], ...] = (
    (_players, ("players.min", "players.max")),
    (_packs, ("players.min", "cards.packs")),
    (_one_per_deal("deal", "hand_size"), ("deal.hand_size", "deal.contracts")),
    (_one_per_deal("buy", "per_deal"), ("buy.per_deal", "deal.contracts")),
    (_natural_only, ("deal.natural_only", "deal.contracts")),
    (_runs, ("deal.contracts", "cards.ace")),
    (_sudden_death_runs, ("score.sudden_death_contract", "cards.ace")),
    (_points, ("score.points",)),
)
