"""The sections of a ruleset, field for field the tables of its TOML file (FORMATS, "Rulesets").

Every field carries the kind of its value, which reads, writes and describes it. What an option means is
said in RULES: players and cards 1, deal 2, draw 3, buy 4, meld and swap 5, go_out and stock 6, score 7.
"""

from __future__ import annotations

from typing import Annotated, Literal

from attrs import frozen

from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.kinds import CardName, CardTable, ContractText, FromPlayersOn, PlayerNumber, PointKey
from shanghai_sim.rules.values import MOST_POINTS, Listed, PerDeal, Whole

UNLIMITED = "unlimited"

_Limit = Whole(0, words=(UNLIMITED,))
Steps = tuple[tuple[int, int], ...]
Points = tuple[tuple[str, int], ...]
Count = Annotated[int, Whole(0)]
Bonus = Annotated[int, Whole(-MOST_POINTS, 0)]


def _from_players_on(least: int, what: str) -> FromPlayersOn:
    return FromPlayersOn(
        PlayerNumber(),
        Whole(least, 100),
        f"a table from numbers of players to numbers of {what}, such as {{ 2 = {2 * least or 4} }}",
        least=least,
    )


@frozen
class Players:
    """How many may play."""

    min: Annotated[int, Whole(2, 100)]
    max: Annotated[int, Whole(2, 100)]


@frozen
class Cards:
    """The packs, what is wild in them, and where the ace stands in a run."""

    packs: Annotated[Steps, _from_players_on(1, "packs")]
    jokers: Annotated[Steps, _from_players_on(0, "jokers")]
    wild: Annotated[
        tuple[str, ...], Listed(CardName(joker=True), 'a list of wild cards: "JK", ranks or cards')
    ]
    ace: Literal["low", "high", "both"]


@frozen
class Deal:
    """The deals of a game: their contracts and what is dealt."""

    contracts: Annotated[
        tuple[Contract, ...],
        Listed(ContractText(), 'a list of contracts, one per deal, such as ["S3 S3", "S3 R4"]', least=1),
    ]
    hand_size: Annotated[int | tuple[int, ...], PerDeal(Whole(1))]
    natural_only: Annotated[tuple[int, ...], Listed(Whole(1), "a list of numbers of deals")]
    first_player_extra_card: bool


@frozen
class Draw:
    """What may be drawn."""

    discard_after_laying_down: bool


@frozen
class Buy:
    """Buying out of turn."""

    per_deal: Annotated[int | str | tuple[int | str, ...], PerDeal(_Limit)]
    per_game: Annotated[int | str, _Limit]
    penalty_cards: Count
    own_discard: bool
    after_laying_down: bool
    no_meld_next_turn: bool


@frozen
class Melds:
    """Laying down and laying off."""

    longer_at_lay_down: bool
    lay_off_same_turn: bool
    max_wilds: Annotated[int | str, Whole(0, words=("any",))]
    naturals_outnumber_wilds: Literal["no", "at-least-equal", "strictly"]
    wild_limits: Literal["lay-down", "always"]
    set_suits: Literal["any", "distinct"]
    same_rank_sets: bool
    runs_may_adjoin: bool


@frozen
class Swap:
    """Swapping a natural card for the wild that stands in its place."""

    melds: Literal["runs", "all", "none"]
    freed_wild: Literal["hand", "table"]


@frozen
class GoOut:
    """How a hand may become empty."""

    discard: Literal["required", "optional"]
    last_deal_takes_whole_hand: bool


@frozen
class Stock:
    """When the stock, or everybody's patience, is at an end."""

    when_empty: Literal["reshuffle", "end-deal"]
    turn_limit: Annotated[int, Whole(1)]


@frozen
class Score:
    """Penalty points, bonuses and ties."""

    points: Annotated[
        Points,
        CardTable(PointKey(), Whole(0, MOST_POINTS), "a table of points, such as { A = 15, JK = 25 }"),
    ]
    wild_points: Annotated[
        Points,
        CardTable(
            CardName(joker=False),
            Whole(0, MOST_POINTS),
            "a table of points by rank or card, such as { 2 = 20 } (a joker's stand in score.points)",
        ),
    ]
    first_turn_bonus: Bonus
    first_turn_bonus_without_wild: Bonus
    one_turn_bonus: Bonus
    one_turn_bonus_without_wild: Bonus
    tie: Literal["sudden-death", "shared"]
    sudden_death_contract: Annotated[Contract | Literal["last"], ContractText(("last",))]
