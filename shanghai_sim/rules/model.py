"""The ruleset as an object: its options, and what holds in a deal and for a number of players."""

from __future__ import annotations

from typing import Annotated, Any

from attrs import frozen

from shanghai_sim.cards import ALL_CODES, JOKER, RANKS
from shanghai_sim.defaults import PLAYERS
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.kinds import cards_named
from shanghai_sim.rules.reading import unstructure
from shanghai_sim.rules.sections import (
    UNLIMITED,
    Buy,
    Cards,
    Deal,
    Draw,
    GoOut,
    Melds,
    Players,
    Score,
    Steps,
    Stock,
    Swap,
)
from shanghai_sim.rules.values import Text


@frozen
class Ruleset:
    """A whole ruleset, checked and resolved.

    The sections and their fields are those of the TOML file (FORMATS, "Rulesets"). Deals are numbered from
    1; any number past the last deal means the sudden-death deal.
    """

    name: Annotated[str, Text(60)]
    title: Annotated[str, Text()]
    players: Players
    cards: Cards
    deal: Deal
    draw: Draw
    buy: Buy
    meld: Melds
    swap: Swap
    go_out: GoOut
    stock: Stock
    score: Score

    @property
    def usual_players(self) -> int:
        """How many play where nobody says: 4, or the nearest number that the ruleset allows."""
        return min(max(PLAYERS, self.players.min), self.players.max)

    @property
    def n_deals(self) -> int:
        """The number of deals in a game, sudden death not counted."""
        return len(self.deal.contracts)

    def contract_in(self, deal: int) -> Contract:
        """Return the contract of a deal."""
        if deal > self.n_deals and isinstance(self.score.sudden_death_contract, Contract):
            return self.score.sudden_death_contract
        return self.deal.contracts[self._index(deal)]

    def hand_size_in(self, deal: int) -> int:
        """Return the number of cards dealt to each player in a deal (without a first player's extra card)."""
        size = self.deal.hand_size
        return size[self._index(deal)] if isinstance(size, tuple) else size

    def buys_in(self, deal: int) -> int | None:
        """Return how often a player may buy in a deal, by the limit per deal alone; None: without limit."""
        buys = self.buy.per_deal
        limit = buys[self._index(deal)] if isinstance(buys, tuple) else buys
        return None if limit == UNLIMITED else int(limit)

    @property
    def buys_per_game(self) -> int | None:
        """How often a player may buy in a whole game, sudden death included; None: without limit."""
        return None if self.buy.per_game == UNLIMITED else int(self.buy.per_game)

    def natural_only_in(self, deal: int) -> bool:
        """Return whether the contract of a deal takes no wilds."""
        return self._index(deal) + 1 in self.deal.natural_only

    def whole_hand_in(self, deal: int) -> bool:
        """Return whether the contract of a deal must take in the whole hand (RULES 6)."""
        return self.go_out.last_deal_takes_whole_hand and deal >= self.n_deals

    def packs_for(self, players: int) -> int:
        """Return the number of packs for a number of players."""
        return _step(self.cards.packs, players)

    def jokers_for(self, players: int) -> int:
        """Return the number of jokers, of all packs together, for a number of players."""
        return _step(self.cards.jokers, players)

    def wild_codes(self) -> frozenset[int]:
        """Return the codes of the wild cards."""
        return frozenset(code for name in self.cards.wild for code in cards_named(name))

    def card_points(self) -> dict[int, int]:
        """Return the penalty points of every card code, jokers included (RULES 7).

        A wild that is no joker costs what `score.wild_points` says of it, of the card before its rank.
        """
        points = dict(self.score.points)
        costs = {code: points["JK" if code == JOKER else RANKS[code % 16]] for code in ALL_CODES}
        wild = self.wild_codes() - {JOKER}
        for name, cost in sorted(self.score.wild_points, key=lambda pair: len(pair[0])):
            costs |= dict.fromkeys(cards_named(name) & wild, cost)
        return costs

    def to_options(self) -> dict[str, Any]:
        """Return the whole ruleset as nested tables, JSON-ready, its keys those of the TOML file."""
        return unstructure(self)

    def _index(self, deal: int) -> int:
        """Return the place of a deal in lists with one entry per deal."""
        if deal < 1:
            raise ValueError(f"deals are numbered from 1, there is no deal {deal}")
        return min(deal, self.n_deals) - 1


def _step(steps: Steps, players: int) -> int:
    """Return the number that holds from the greatest number of players that is not above the given one."""
    return next((number for start, number in reversed(steps) if start <= players), 0)
