"""The compiled evaluation as its tests ask it: hands as text, options as those of the slow twins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from shanghai_sim.cards import JOKER, N_CODES, format_card, parse_card, parse_hand
from shanghai_sim.rules import melds
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.distance import Need, distances, distances_within
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.kernel_rules import contract_need, meld_order
from shanghai_sim.rules.laydown import choose_one, new_plan
from shanghai_sim.rules.model import Ruleset
from shanghai_sim.rules.ruleset import load_ruleset
from tests.reference.general_hands import Dealt
from tests.reference.plain_cards import NO_LIMITS, RANKS, SUITS, Limits
from tests.reference.slow_laydown import is_legal, slow_laydown, value_of, wilds_go_dearest_first

#: What the kernel's choice of melds minimises, in this order.
ORDER = ("wilds", "stuck", "points")
POINTS = {
    rank + suit: 15 if rank == "A" else 10 if rank in "TJQK" else 20 if rank == "2" else 5
    for rank in RANKS
    for suit in SUITS
} | {"JK": 25}

Found = tuple[list[list[str]], list[tuple[str, int] | None]]


@cache
def ruleset_of(wild: tuple[str, ...], ace: str, limits: Limits) -> Ruleset:
    """Return a ruleset with these wilds, ace and options on melds."""
    options: dict[str, object] = {"cards.wild": list(wild), "cards.ace": ace}
    for name, value in limits._asdict().items():
        options[f"meld.{name}"] = "any" if value is None else value
    return load_ruleset("shanghai", options)


@cache
def _need(
    wild: tuple[str, ...], ace: str, limits: Limits, contract: str, natural_only: bool, whole_hand: bool
) -> Need:
    return contract_need(ruleset_of(wild, ace, limits), Contract.parse(contract), natural_only, whole_hand)


def need_of(
    case: Dealt, limits: Limits = NO_LIMITS, natural_only: bool = False, whole_hand: bool = False
) -> Need:
    """Return what a case asks of its hand."""
    return _need(case.wild, case.ace, limits, case.contract, natural_only, whole_hand)


def _row(hand: Sequence[str]) -> np.ndarray:
    return np.array([hand_boards(parse_hand(hand))], np.int64)


def distance_of(hand: Sequence[str], need: Need) -> int:
    """Return the kernel's distance of one hand."""
    out = np.zeros(1, np.int64)
    distances(_row(hand), need, out)
    return int(out[0])


def is_within(hand: Sequence[str], need: Need, limit: int) -> bool:
    """Return the kernel's yes or no."""
    out = np.zeros(1, np.int64)
    distances_within(_row(hand), limit, need, out)
    return bool(out[0])


def planned(
    case: Dealt,
    need: Need,
    points: dict[str, int],
    fits: frozenset[str],
    keep: int = 0,
    longer: bool = False,
) -> Found | None:
    """Return the melds that the kernel chooses and the places of its runs (None for a set), or None.

    `keep` cards stay in hand, and `longer` lets the melds be longer than the contract says.
    """
    plan = new_plan()
    by_code = np.zeros(N_CODES, np.int64)
    for name, value in points.items():
        by_code[parse_card(name)] = value
    board = sum(1 << parse_card(name) for name in fits)
    contract = Contract.parse(case.contract)
    if not choose_one(
        _row(case.hand)[0], need, meld_order(contract), board, keep, int(longer), by_code, plan
    ):
        return None
    cards: list[list[str]] = []
    places: list[tuple[str, int] | None] = []
    for i in range(len(contract.melds)):
        row = plan[i * melds.MELD_WIDTH : (i + 1) * melds.MELD_WIDTH].tolist()
        if row[melds.KIND] == melds.RUN:
            low, size = row[melds.LOW], row[melds.SIZE]
            codes = [row[melds.CARDS + p] for p in range(low, low + size)]
            places.append((SUITS[row[melds.SUIT]], low))
        else:
            boards = (
                row[melds.SET_WILDS : melds.SET_WILDS + 3] + row[melds.SET_NATURALS : melds.SET_NATURALS + 3]
            )
            codes = [c for board in boards for c in range(64) if board >> c & 1]
            codes += [JOKER] * row[melds.SET_JOKERS]
            places.append(None)
        cards.append([format_card(code) for code in codes])
    return cards, places


def check_choice(
    case: Dealt, found: Found, points: dict[str, int], fits: frozenset[str], limits: Limits
) -> None:
    """Check that a lay-down is legal and the best of all."""
    laid, places = found
    options = {"wild": case.wild, "ace": case.ace, "limits": limits}
    assert is_legal(laid, case.hand, case.contract, runs=places, **options), (case, limits, found)
    best = slow_laydown(case.hand, case.contract, points=points, table_fits=fits, order=ORDER, **options)
    mine = value_of(laid, case.hand, case.contract, points=points, table_fits=fits, runs=places, **options)
    assert mine.ordered(ORDER) == best.value.ordered(ORDER), (case, limits, found)
    assert wilds_go_dearest_first(laid, case.hand, wild=case.wild, points=points), (case, limits, found)
