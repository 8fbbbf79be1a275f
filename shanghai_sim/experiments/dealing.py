"""Dealt hands: how near they are to a contract before a card is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from shanghai_sim.cards import JOKER, PLAIN_CODES
from shanghai_sim.defaults import MAX_SEED
from shanghai_sim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from shanghai_sim.rules.ruleset import Ruleset

Codes = NDArray[np.int64]
#: Hands held at once: they take 100 MB.
_AT_ONCE = 100_000


def dealt_distances(
    *,
    rules: str | Path | Ruleset = "shanghai",
    overrides: Mapping[str, object] | Sequence[str] = (),
    players: int | None = None,
    deals: Sequence[int] | None = None,
    drawn: int = 0,
    hands: int = 100_000,
    seed: int = 1,
) -> pd.DataFrame:
    """Deal hands at random and count at which contract distance they are.

    Parameters
    ----------
    rules, overrides, deals
        As in `run`.
    players : int, optional
        How many play, which says how many packs there are; by default 4 or the nearest number allowed.
    drawn : int
        Cards drawn from the stock on top of the hand dealt; with 1 they are those of the first turn.
    hands : int
        Hands of each deal, 1 or more. Deals of one hand size meet the same hands.
    seed : int
        0 or more. The hands are none of those of games played with it.

    Returns
    -------
    DataFrame
        Columns `deal`, `contract`, `cards` in hand, `distance`, and the number of `hands` at it; distances at
        which there are none are left out.

    Raises
    ------
    InputError
        If something asked for is wrong.

    Examples
    --------
    >>> import shanghai_sim as ss
    >>> found = ss.dealt_distances(deals=[1, 10], hands=1000)
    >>> found.query("deal == 10").distance.min() > found.query("deal == 1").distance.min() == 0
    True
    """
    import pandas as pd

    from shanghai_sim.rules.playable import check_playable
    from shanghai_sim.rules.ruleset import ruleset_of

    ruleset = ruleset_of(rules, overrides)
    players = ruleset.usual_players if players is None else players
    check_playable(ruleset, players)
    chosen = range(1, ruleset.n_deals + 1) if deals is None else sorted(set(deals))
    if not chosen or not 1 <= chosen[0] <= chosen[-1] <= ruleset.n_deals:
        raise InputError(f"deals: {ruleset.name} has deals 1 to {ruleset.n_deals}, not {list(chosen)}")
    if hands < 1 or drawn < 0 or not 0 <= seed <= MAX_SEED:
        raise InputError(f"hands are 1 or more, drawn and seed 0 or more, not {hands}, {drawn}, {seed}")
    pack = np.array([*PLAIN_CODES] * ruleset.packs_for(players) + [JOKER] * ruleset.jokers_for(players))
    rows: list[dict[str, Any]] = []
    for deal in chosen:
        size = ruleset.hand_size_in(deal) + drawn
        if size > len(pack):
            raise InputError(f"drawn: {size} cards are asked for, and there are {len(pack)}")
        counts = _counts(ruleset, deal, _dealt(pack, size, hands, seed))
        facts = {"deal": deal, "contract": str(ruleset.contract_in(deal)), "cards": size}
        rows += (facts | {"distance": int(d), "hands": int(counts[d])} for d in np.flatnonzero(counts))
    return pd.DataFrame(rows)


def _dealt(pack: Codes, size: int, hands: int, seed: int) -> Iterator[Codes]:
    """Yield hands, a row each: the first cards of a pack shuffled as far as that."""
    rng = np.random.Generator(np.random.Philox(seed))
    for start in range(0, hands, _AT_ONCE):
        n = min(_AT_ONCE, hands - start)
        cards = np.tile(pack, (n, 1))
        row = np.arange(n)
        for place in range(size):
            other = rng.integers(place, len(pack), n)
            cards[row, place], cards[row, other] = cards[row, other], cards[row, place]
        yield cards[:, :size]


def _counts(ruleset: Ruleset, deal: int, hands: Iterator[Codes]) -> Codes:
    """Return how many hands are at each distance."""
    from shanghai_sim.rules.distance import distances
    from shanghai_sim.rules.evaluate import prepare

    need, _, _ = prepare(ruleset.contract_in(deal), ruleset, (), deal)
    counts = np.zeros(1, np.int64)
    for codes in hands:
        found = np.zeros(len(codes), np.int64)
        distances(_boards(codes), need, found)
        more = np.bincount(found, minlength=len(counts))
        more[: len(counts)] += counts
        counts = more
    return counts


def _boards(codes: Codes) -> Codes:
    """Return hands as boards (rules.boards), a row each; `rules.evaluate.hand_boards` for many at once."""
    boards = np.zeros((len(codes), 4), np.int64)
    once, twice, thrice, jokers = boards.T
    for card in codes.T:
        joker = card == JOKER
        bit = np.where(joker, 0, np.int64(1) << card)
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        jokers += joker
    return boards
