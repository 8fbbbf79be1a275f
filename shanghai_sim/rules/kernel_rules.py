"""Rules as kernels read them: one row of int64 per deal, with named columns.

Values, not compile-time constants: a sweep over rules compiles nothing. A row holds all that the engine and
the policies need to know of one deal, so that one array goes down through the calls.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from shanghai_sim._jit import kernel
from shanghai_sim.cards import JOKER, N_CODES, PLAIN_CODES
from shanghai_sim.rules.distance import Need
from shanghai_sim.rules.runs import run_table
from shanghai_sim.rules.terms import (
    MAX_MELDS,
    ace_of,
    contract_terms,
    grown_terms,
    is_fast_shape,
    search_order,
)

if TYPE_CHECKING:
    from shanghai_sim.rules.contract import Contract
    from shanghai_sim.rules.ruleset import Ruleset

#: Stands for "unlimited" in a limit of buys.
UNLIMITED = 1 << 30
SWAP_NONE, SWAP_RUNS, SWAP_ALL = 0, 1, 2

PLAYERS = 0
DEAL = 1  #: its number, from 1
DEALER = 2
HAND_SIZE = 3
EXTRA_CARD = 4  #: 1: the first player is dealt one card more, and no card is turned up
PACKS = 5
JOKERS = 6
# The contract and the wilds: see rules.distance.Need.
SETS, RUNS, TABLE, SLOTS, WILD_MASK, JOKER_WILD, TERMS = range(7, 14)
LUCK = 14  #: 1: what luck each seat has in its draws is recorded (engine.luck); no rule, and 0 by default
GROWN = 15  #: terms of melds on the table: the ace, and the limits on wilds where they hold there too
ORDER = 16  #: four columns: for each meld of the contract its place in the order of search (rules.terms)
KEEP = 20  #: cards that a lay-down or lay-off must leave in hand: 1 if the last card must be a discard
LONGER = 21  #: 1: melds may be longer at lay-down than the contract says
LAY_OFF_AT_ONCE = 22  #: 1: lay-offs and swaps begin in the turn of laying down
BUYS = 23  #: buys per player in this deal
GAME_BUYS = 24  #: buys per player in the game
PENALTY = 25  #: penalty cards per buy
OWN_DISCARD = 26
BUY_WHEN_DOWN = 27
NO_MELD_AFTER_BUY = 28
DRAW_WHEN_DOWN = 29  #: 1: a player whose contract is down may take the discard
SWAP_MELDS = 30  #: SWAP_ constant
SWAP_TO_TABLE = 31  #: 1: the freed wild is laid off at once
END_ON_EMPTY = 32  #: 1: nothing is reshuffled
TURN_LIMIT = 33
FIRST_TURN, FIRST_TURN_CLEAN, ONE_TURN, ONE_TURN_CLEAN = 34, 35, 36, 37  #: bonuses, 0 or less
POINTS = 38  #: 64 columns: penalty points by card code
N_CLASSES = POINTS + N_CODES  #: how many different penalty points naturals have
CLASSES = N_CLASSES + 1  #: up to 13 boards: the cards of each, the dearest first
N_COLUMNS = CLASSES + 13


@kernel
def need_of(rules):
    """Return what the contract of a deal asks of a hand."""
    return Need(
        rules[SETS],
        rules[RUNS],
        rules[TABLE],
        rules[SLOTS],
        rules[WILD_MASK],
        rules[JOKER_WILD],
        rules[TERMS],
    )


@kernel
def is_wild(rules, code):
    """Return whether a card is wild."""
    if code == JOKER:
        return rules[JOKER_WILD] == 1
    return (rules[WILD_MASK] >> code) & 1 == 1


def contract_need(
    ruleset: Ruleset, contract: Contract, natural_only: bool = False, whole_hand: bool = False
) -> Need:
    """Return a contract as kernels read it.

    Parameters
    ----------
    ruleset : Ruleset
    contract : Contract
        Of at most four melds.
    natural_only, whole_hand : bool
        What the deal asks besides (Ruleset.natural_only_in, Ruleset.whole_hand_in).
    """
    wilds = ruleset.wild_codes()
    fast = is_fast_shape(contract) and not whole_hand
    length = contract.runs[0] if fast and contract.runs else 0
    return Need(
        len(contract.sets) if fast else 0,
        len(contract.runs) if fast else 0,
        run_table(length, ace_of(ruleset)) if length else 0,
        contract.cards,
        sum(1 << code for code in wilds if code != JOKER),
        int(JOKER in wilds),
        contract_terms(ruleset, contract, natural_only, whole_hand),
    )


def deal_need(ruleset: Ruleset, deal: int) -> Need:
    """Return what a deal asks of a hand."""
    contract = ruleset.contract_in(deal)
    return contract_need(ruleset, contract, ruleset.natural_only_in(deal), ruleset.whole_hand_in(deal))


def meld_order(contract: Contract) -> np.ndarray:
    """Return for each meld of a contract its place in the order of search (int64[4], the rest 0)."""
    order = np.zeros(MAX_MELDS, np.int64)
    for level, i in enumerate(search_order(contract)):
        order[i] = level
    return order


def points_by_code(ruleset: Ruleset) -> np.ndarray:
    """Return the penalty points by card code (int64[64])."""
    points = np.zeros(N_CODES, np.int64)
    for code, value in ruleset.card_points().items():
        points[code] = value
    return points


# Kept, since designs of many small tables ask for the same rows again and again.
@lru_cache(maxsize=1024)
def deal_row(ruleset: Ruleset, players: int, deal: int) -> np.ndarray:
    """Return the rules of one deal as kernels read them; the array cannot be written to.

    Parameters
    ----------
    ruleset : Ruleset
        Playable with this number of players (rules.playable.check_playable).
    players : int
        2-8.
    deal : int
        From 1; one past the last is sudden death.

    Returns
    -------
    ndarray of int64, shape (N_COLUMNS,)
    """
    row = np.zeros(N_COLUMNS, np.int64)
    contract = ruleset.contract_in(deal)
    row[SETS : TERMS + 1] = deal_need(ruleset, deal)
    row[GROWN] = grown_terms(ruleset)
    row[ORDER : ORDER + MAX_MELDS] = meld_order(contract)
    row[PLAYERS] = players
    row[DEAL] = deal
    row[DEALER] = (deal - 1) % players
    row[HAND_SIZE] = ruleset.hand_size_in(deal)
    row[EXTRA_CARD] = ruleset.deal.first_player_extra_card
    row[PACKS] = ruleset.packs_for(players)
    row[JOKERS] = ruleset.jokers_for(players)
    whole = ruleset.whole_hand_in(deal)
    row[KEEP] = ruleset.go_out.discard == "required" and not whole
    row[LONGER] = ruleset.meld.longer_at_lay_down and not whole
    row[LAY_OFF_AT_ONCE] = ruleset.meld.lay_off_same_turn
    in_deal = ruleset.buys_in(deal)
    row[BUYS] = UNLIMITED if in_deal is None else in_deal
    row[GAME_BUYS] = UNLIMITED if ruleset.buy.per_game == "unlimited" else ruleset.buy.per_game
    row[PENALTY] = ruleset.buy.penalty_cards
    row[OWN_DISCARD] = ruleset.buy.own_discard
    row[BUY_WHEN_DOWN] = ruleset.buy.after_laying_down
    row[NO_MELD_AFTER_BUY] = ruleset.buy.no_meld_next_turn
    row[DRAW_WHEN_DOWN] = ruleset.draw.discard_after_laying_down
    row[SWAP_MELDS] = {"none": SWAP_NONE, "runs": SWAP_RUNS, "all": SWAP_ALL}[ruleset.swap.melds]
    row[SWAP_TO_TABLE] = ruleset.swap.freed_wild == "table"
    row[END_ON_EMPTY] = ruleset.stock.when_empty == "end-deal"
    row[TURN_LIMIT] = ruleset.stock.turn_limit
    score = ruleset.score
    row[FIRST_TURN] = score.first_turn_bonus
    row[FIRST_TURN_CLEAN] = score.first_turn_bonus_without_wild or score.first_turn_bonus
    row[ONE_TURN] = score.one_turn_bonus
    row[ONE_TURN_CLEAN] = score.one_turn_bonus_without_wild or score.one_turn_bonus
    row[POINTS : POINTS + N_CODES] = points_by_code(ruleset)
    naturals = [code for code in PLAIN_CODES if code not in ruleset.wild_codes()]
    values = sorted({int(row[POINTS + code]) for code in naturals}, reverse=True)
    row[N_CLASSES] = len(values)
    for i, value in enumerate(values):
        row[CLASSES + i] = sum(1 << code for code in naturals if row[POINTS + code] == value)
    row.setflags(write=False)
    return row
