"""Outs for Python: which cards help a hand, and how many copies of each may still be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from shanghai_sim.cards import JOKER, PLAIN_CODES, format_card, parse_hand
from shanghai_sim.errors import CardError
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.evaluate import Hand, hand_boards, prepare
from shanghai_sim.rules.ruleset import Ruleset

if TYPE_CHECKING:
    import pandas as pd


@frozen
class Outs:
    """The outs of a hand.

    Attributes
    ----------
    distance : int
        The contract distance now.
    copies : dict of str to int
        For each card that lowers it, and of which there are copies left, how many; the most copies first.
    unseen : int
        All copies that may still be drawn, outs or not.
    """

    distance: int
    copies: dict[str, int]
    unseen: int

    @property
    def total(self) -> int:
        """The copies of all outs together."""
        return sum(self.copies.values())

    def to_frame(self) -> pd.DataFrame:
        """Return a row per out: card, copies, and the chance that an unseen card is that one."""
        import pandas as pd

        frame = pd.DataFrame({"card": list(self.copies), "copies": list(self.copies.values())})
        frame["chance"] = frame["copies"] / self.unseen if self.unseen else 0.0
        return frame

    def save(self, folder: str | Path) -> None:
        """Write the outs as ``outs.csv`` into a folder, which is made where there is none."""
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        self.to_frame().to_csv(path / "outs.csv", index=False)


def outs(
    hand: Hand,
    contract: str | Contract,
    rules: str | Path | Ruleset = "shanghai",
    *,
    overrides: Mapping[str, object] | Sequence[str] = (),
    deal: int | None = None,
    players: int | None = None,
    seen: Hand = (),
) -> Outs:
    """Return the cards that would lower a hand's contract distance, and how many copies of them can still exist.

    Parameters
    ----------
    hand, contract, rules, overrides, deal
        As in `contract_distance`.
    players : int, optional
        How many play: that says how many packs there are. By default 4, or the nearest number that the ruleset
        allows.
    seen : str or iterable of str
        Cards known to be elsewhere: in melds, in the discard pile, in other hands.

    Returns
    -------
    Outs

    Raises
    ------
    CardError, RulesError
        As in `contract_distance`; and if hand and seen cards together are more than there are.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> ss.outs("7H 7D 8S 9S TS KC", "S3 R4", seen="JS 7H").copies
    {'JK': 4, '7S': 2, '7C': 2, 'JS': 1, '7D': 1}
    """
    import numpy as np

    from shanghai_sim.rules.distance import distances
    from shanghai_sim.rules.outs import outs_of_hands

    need, _, ruleset = prepare(contract, rules, overrides, deal)
    codes = parse_hand(hand)
    rows = np.array([hand_boards(codes)], np.int64)
    distance, board, joker = (np.zeros(1, np.int64) for _ in range(3))
    distances(rows, need, distance)
    outs_of_hands(rows, distance, need, board, joker)
    left = _copies_left(ruleset, players, [*codes, *parse_hand(seen)])
    found = [code for code in PLAIN_CODES if int(board[0]) >> code & 1] + [JOKER] * int(joker[0])
    copies = {
        format_card(code): left[code] for code in sorted(found, key=lambda c: -left[c]) if left[code] > 0
    }
    return Outs(int(distance[0]), copies, sum(left.values()))


def _copies_left(ruleset: Ruleset, players: int | None, known: list[int]) -> Counter[int]:
    """Return how many copies of each card there are besides those that are known."""
    number = ruleset.usual_players if players is None else players
    there = Counter({code: ruleset.packs_for(number) for code in PLAIN_CODES})
    there[JOKER] = ruleset.jokers_for(number)
    for code, copies in Counter(known).items():
        if copies > there[code]:
            raise CardError(
                f"{format_card(code)} is there {there[code]} times with {number} players, and {copies} are known"
            )
    return there - Counter(known)
