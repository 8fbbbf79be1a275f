"""The columns of all results, in one place: names are part of the public interface (FORMATS, Run folder).

Nothing heavy is imported, so that the documentation can be made from these tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Column:
    """One column of a result table.

    Parameters
    ----------
    name : str
        In snake_case.
    kind : str
        Storage: ``int8``, ``int32``, ``int64``, ``float64``, ``bool``, or ``text`` (dictionary-encoded).
    text : str
        What it says, with the unit.
    """

    name: str
    kind: str
    text: str


@dataclass(frozen=True)
class Metric:
    """One figure of the summary: a mean over the cases that `per` counts.

    Parameters
    ----------
    name : str
        In snake_case.
    per : str
        What is averaged over; figures whose cases vary from block to block are ratios of sums.
    text : str
        What it says, with the unit.
    """

    name: str
    per: str
    text: str


_PLACE = (
    Column("game", "int64", "number of the game, from 0; `replay --game` shows it"),
    Column("block", "int64", "seed block: games of one block share their chance streams"),
    Column("rotation", "int8", "rotation of the policies through the seats, from 0"),
)
_WHO = (
    Column("seat", "int8", "seat, from 0; seat 0 deals first"),
    Column("policy", "text", "policy in this seat, as asked for"),
    Column("policy_index", "int8", "place of the policy in the list asked for, from 0"),
)

#: games.parquet, a row per game and seat.
GAMES = (
    *_PLACE,
    *_WHO,
    Column("points", "int32", "points of the game, fewer are better"),
    Column("win_share", "float64", "1 for the winner, 1/k where k share the win, else 0"),
    Column("rank", "float64", "rank in the game, 1 is best; equal ranks share their mean"),
    Column("deals_laid_down", "int32", "deals in which the contract was laid down"),
    Column("buys", "int32", "cards bought"),
    Column("turns", "int32", "turns taken by this seat"),
    Column("sudden_death", "bool", "whether a tie was played off in one more deal"),
)

#: The part of deals.parquet that the engine records, in the order of its columns.
DEAL_RECORD = (
    Column("points", "int32", "points of the deal, a bonus included"),
    Column("laid_down", "int32", "1 if the contract was laid down"),
    Column("lay_down_turn", "int32", "own turn, from 1, in which it was laid down; 0 if it was not"),
    Column("went_out", "int32", "1 if this seat ended the deal by going out"),
    Column("buys_offered", "int32", "times a card could have been bought"),
    Column("buys", "int32", "cards bought"),
    Column("discards_taken", "int32", "turns that began with the top discard"),
    Column("wilds_left", "int32", "wilds in hand at the end of the deal"),
    Column(
        "wilds_held",
        "int32",
        "wilds that came into the hand: dealt, drawn, bought, as a penalty, or freed into it by a swap",
    ),
    Column("wilds_discarded", "int32", "wilds discarded"),
    Column("wild_turns", "int32", "wilds in hand after the discard, summed over own turns"),
    Column("peak_hand", "int32", "most cards held at any time"),
    Column("lay_offs", "int32", "cards laid off"),
    Column("swaps", "int32", "wilds swapped for natural cards"),
    Column("turns", "int32", "turns taken by this seat"),
    Column("end_reason", "text", "how the deal ended: out, turn-limit or stock-empty"),
    Column("reshuffles", "int32", "times the discard pile was shuffled in the deal"),
)

#: deals.parquet, a row per game, deal played and seat.
DEALS = (
    *_PLACE,
    Column("deal", "int32", "number of the deal, from 1; one past the last is sudden death"),
    *_WHO,
    *DEAL_RECORD,
)

#: How a deal can end, in the order of the engine's codes.
END_REASONS = ("out", "turn-limit", "stock-empty")

#: Summary of the whole game (deal 0) by group.
GAME_METRICS = (
    Metric("points", "seat and game", "points a game, fewer are better"),
    Metric("win_share", "seat and game", "share of the wins"),
    Metric("rank", "seat and game", "mean rank, 1 is best"),
    Metric("deals_laid_down", "seat and game", "deals a game in which the contract was laid down"),
    Metric("buys", "seat and game", "cards bought a game"),
    Metric("turns", "seat and game", "own turns a game"),
)

#: Summary of one deal by group. All but one are means over the seats that played the deal.
DEAL_METRICS = tuple(
    Metric(column.name, "lay-down" if column.name == "lay_down_turn" else "seat and deal", column.text)
    for column in DEAL_RECORD
    if column.name not in ("end_reason", "reshuffles")
)

#: Summary of the table as a whole: by deal and (deal 0) over the game.
TABLE_METRICS = (
    Metric("ended_out", "deal", "share of deals that ended by going out"),
    Metric("ended_turn_limit", "deal", "share of deals that ended at the turn limit"),
    Metric("ended_stock_empty", "deal", "share of deals that ended with an empty stock"),
    Metric("reshuffles", "game", "times a game, or in this deal, that the discard pile was shuffled"),
    Metric("turns", "game", "turns of all seats in a game, or in this deal"),
    Metric("sudden_death", "game", "share of games that a tie took into sudden death"),
)


@dataclass(frozen=True)
class Ratio:
    """One figure of a portrait: a record of the deal over another, both summed over all seats and deals meant.

    Parameters
    ----------
    name : str
        In snake_case.
    part, whole : str
        Names of columns of `DEAL_RECORD`.
    text : str
        What it says.
    """

    name: str
    part: str
    whole: str
    text: str


#: What a portrait has beside the figures of the summary.
PROFILE_RATIOS = (
    Ratio("buy_rate", "buys", "buys_offered", "share of the buys offered that it took"),
    Ratio("take_rate", "discards_taken", "turns", "share of own turns that began with the top discard"),
    Ratio(
        "wild_age",
        "wild_turns",
        "wilds_held",
        "own turns that a wild stayed in hand: discards that it outlasted there, on the mean of all wilds held",
    ),
    Ratio("wilds_left_share", "wilds_left", "wilds_held", "share of the wilds held that it was stuck with"),
    Ratio(
        "wilds_discarded_share", "wilds_discarded", "wilds_held", "share of the wilds held that it discarded"
    ),
)
PROFILE_CURVES = (
    Metric(
        "down_by_turn",
        "seat and deal",
        "share of contracts down by this own turn, if nobody else ended the deal (Kaplan-Meier)",
    ),
    Metric("median_lay_down", "seat and deal", "own turn by which half of them are down, from that curve"),
)

#: summary.csv, a row per group, deal and figure.
SUMMARY = (
    Column(
        "group",
        "text",
        "policy or policies meant; `(table)`: the table as a whole; `A minus B`: a difference",
    ),
    Column("deal", "int32", "number of the deal, from 1; 0: the whole game"),
    Column("metric", "text", "which figure"),
    Column("estimate", "float64", "its estimate; empty where no case occurred"),
    Column("low", "float64", "lower end of the 95 % interval; empty with fewer than two blocks"),
    Column("high", "float64", "upper end of the 95 % interval"),
    Column("n_blocks", "int64", "blocks behind the figure"),
)


#: The figures of a portrait, one a row.
PROFILE = (
    Column("table", "text", "who sat there: one policy against others"),
    SUMMARY[0],
    SUMMARY[1],
    Column("contract", "text", "contract of the deal; empty: the whole game"),
    Column("turn", "int32", "own turn, from 1, that a point of a curve is for; else 0"),
    *SUMMARY[2:],
)


def arrow_schema(columns: tuple[Column, ...]) -> Any:
    """Return the fixed pyarrow schema of a table of these columns."""
    import pyarrow as pa

    kinds = {
        "int8": pa.int8(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
        "text": pa.dictionary(pa.int8(), pa.string()),
    }
    return pa.schema([pa.field(column.name, kinds[column.kind], nullable=False) for column in columns])
