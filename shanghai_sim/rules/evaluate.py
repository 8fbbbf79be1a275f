"""Hand evaluation for Python: contract distance, and the melds that lay a contract down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shanghai_sim.cards import JOKER, format_card, parse_hand, sort_cards
from shanghai_sim.errors import CardError, RulesError
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.playable import check_evaluable
from shanghai_sim.rules.ruleset import Ruleset, load_ruleset

if TYPE_CHECKING:
    import numpy as np

    from shanghai_sim.rules.distance import Need

Hand = str | Iterable[str]
#: Three packs at most, so a card is held three times at most.
MAX_COPIES = 3


def hand_boards(codes: Iterable[int]) -> list[int]:
    """Return a hand as boards (rules.boards): cards held once, twice, thrice, and the number of jokers.

    Raises
    ------
    CardError
        If a card is held more often than three packs allow.
    """
    boards = [0, 0, 0, 0]
    for code in codes:
        if code == JOKER:
            boards[3] += 1
            continue
        copies = [i for i in range(MAX_COPIES) if not boards[i] >> code & 1]
        if not copies:
            raise CardError(f"{format_card(code)} is held more than {MAX_COPIES} times: three packs at most")
        boards[copies[0]] |= 1 << code
    return boards


def contract_distance(
    hand: Hand,
    contract: str | Contract,
    rules: str | Path | Ruleset = "shanghai",
    *,
    overrides: Mapping[str, object] | Sequence[str] = (),
    deal: int | None = None,
) -> int:
    """Return how many cards a hand lacks to lay a contract down.

    The least number of cards, of one's choice, that must be added so that the contract can be laid down at
    its least sizes; the
    discard is not counted, and an added card counts as a natural, of which there are always enough copies.

    Parameters
    ----------
    hand : str or iterable of str
        E.g. ``"7H 7D 8S JK"``; up to three of a card.
    contract : str or Contract
        E.g. ``"S3 R4"`` or ``"1 set of 3 + 1 run of 4"``.
    rules : str, Path or Ruleset
        Whose wilds, ace and options on melds hold.
    overrides : mapping or sequence of str
        Options to change, when `rules` is not a Ruleset already.
    deal : int, optional
        Adds what that deal asks besides (`natural_only`, the whole hand in the last one).

    Returns
    -------
    int
        0 where the hand holds the contract.

    Raises
    ------
    CardError, RulesError
        If the hand, the contract or the rules cannot be read or evaluated.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> ss.contract_distance("7H 7D 8S JK 9S TS", "S3 R4")
    1
    """
    import numpy as np

    from shanghai_sim.rules.distance import distances

    need, parsed, ruleset = prepare(contract, rules, overrides, deal)
    out = np.zeros(1, np.int64)
    codes = parse_hand(hand)
    distances(np.array([hand_boards(codes)], np.int64), need, out)
    if out[0] > max(len(codes), parsed.cards):
        raise RulesError(
            f"{ruleset.name}: no melds of contract {parsed} take a whole hand of {len(codes)} cards"
        )
    return int(out[0])


def find_contract(
    hand: Hand,
    contract: str | Contract,
    rules: str | Path | Ruleset = "shanghai",
    *,
    overrides: Mapping[str, object] | Sequence[str] = (),
    deal: int | None = None,
) -> list[list[str]] | None:
    """Return melds that lay a contract down from a hand, or None where the hand does not hold it.

    Of all ways those with the fewest wilds come first, then the fewest points in cards that fit nowhere
    afterwards. No card is kept back for the discard.

    Parameters
    ----------
    hand, contract, rules, overrides, deal
        As in `contract_distance`.

    Returns
    -------
    list of list of str, or None
        The melds in the contract's order; the cards of a run in order, those of a set naturals first.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> ss.find_contract("QH QS QC 5H 6H JK 8H 2C", "S3 R4")
    [['QS', 'QH', 'QC'], ['5H', '6H', 'JK', '8H']]
    """
    import numpy as np

    from shanghai_sim.rules.kernel_rules import meld_order, points_by_code
    from shanghai_sim.rules.laydown import choose_one, new_plan

    need, parsed, ruleset = prepare(contract, rules, overrides, deal)
    boards = np.array(hand_boards(parse_hand(hand)), np.int64)
    plan = new_plan()
    if not choose_one(boards, need, meld_order(parsed), 0, 0, 0, points_by_code(ruleset), plan):
        return None
    return [_meld_cards(plan, i) for i in range(len(parsed.melds))]


def prepare(
    contract: str | Contract,
    rules: str | Path | Ruleset,
    overrides: Mapping[str, object] | Sequence[str],
    deal: int | None,
) -> tuple[Need, Contract, Ruleset]:
    """Return a contract as kernels read it, the contract and the ruleset; refuse what cannot be evaluated."""
    from shanghai_sim.rules.kernel_rules import contract_need

    ruleset = rules if isinstance(rules, Ruleset) else load_ruleset(rules, overrides)
    parsed = contract if isinstance(contract, Contract) else Contract.parse(contract)
    if deal is not None and not 1 <= deal <= ruleset.n_deals:
        raise RulesError(f"deal: {ruleset.name} has deals 1-{ruleset.n_deals}, not {deal}")
    natural_only = deal is not None and ruleset.natural_only_in(deal)
    whole_hand = deal is not None and ruleset.whole_hand_in(deal)
    check_evaluable(ruleset, parsed, natural_only)
    return contract_need(ruleset, parsed, natural_only, whole_hand), parsed, ruleset


def _meld_cards(plan: np.ndarray, i: int) -> list[str]:
    """Return the cards of the i-th meld row of a plan."""
    from shanghai_sim.rules import melds

    row = plan[i * melds.MELD_WIDTH : (i + 1) * melds.MELD_WIDTH].tolist()
    if row[melds.KIND] == melds.RUN:
        low = row[melds.LOW]
        return [format_card(row[melds.CARDS + p]) for p in range(low, low + row[melds.SIZE])]
    naturals = _codes(row[melds.SET_NATURALS : melds.SET_NATURALS + MAX_COPIES])
    wilds = _codes(row[melds.SET_WILDS : melds.SET_WILDS + MAX_COPIES])
    return [format_card(code) for code in [*naturals, *wilds, *[JOKER] * row[melds.SET_JOKERS]]]


def _codes(boards: list[int]) -> list[int]:
    return sort_cards(code for board in boards for code in range(64) if board >> code & 1)
