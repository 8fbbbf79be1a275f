"""The terms of a contract in one int64: its melds in the order of search, and the options that bind them.

One number goes down through the calls as easily as any other, and a meld is cut off or made longer by
arithmetic. Runs come first, then sets, each from long to short, so that equal melds stand together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shanghai_sim._jit import kernel
from shanghai_sim.rules.runs import ACE_BOTH, ACE_HIGH, ACE_LOW, MAX_RUN, MIN_RUN, TABLES_PER_ACE

if TYPE_CHECKING:
    from shanghai_sim.rules.contract import Contract, Meld
    from shanghai_sim.rules.ruleset import Ruleset

MAX_MELDS = 4
#: The sets of the fast path (rules.cover).
SET_SIZE = 3

# Meld i: eight bits from bit 8 * i on, its size and above it 1 for a run; 0: there is none.
_MELD_BITS = 8
#: The most cards of a meld.
MOST_CARDS = 127
_RUN = 128
_MELDS = (1 << _MELD_BITS * MAX_MELDS) - 1
_MAX_WILDS_AT = 32  #: seven bits: most wilds in a meld; ANY: no limit
ANY = 127
_OUTNUMBER_AT = 39  #: two bits: meld.naturals_outnumber_wilds
_NO, _AT_LEAST_EQUAL, _STRICTLY = range(3)
_ACE_AT = 41  #: two bits: an ACE_ constant
DISTINCT_SUITS = 1 << 43  #: naturals of a set differ in suit
DIFFERENT_RANKS = 1 << 44  #: no two sets of one rank
NOT_ADJOINING = 1 << 45  #: no run begins right above another's top card
WHOLE_HAND = 1 << 46  #: the contract takes every card of the hand
NATURAL_ONLY = 1 << 47  #: no wilds at all
GENERAL = 1 << 48  #: the fast path cannot answer (rules.cover): rules.general does


@kernel
def n_melds(terms):
    """Return how many melds there are."""
    count = 0
    while count < MAX_MELDS and (terms >> (_MELD_BITS * count)) & MOST_CARDS != 0:
        count += 1
    return count


@kernel
def meld_size(terms, i):
    """Return the size of the i-th meld."""
    return (terms >> (_MELD_BITS * i)) & MOST_CARDS


@kernel
def is_run(terms, i):
    """Return whether the i-th meld is a run."""
    return (terms >> (_MELD_BITS * i)) & _RUN != 0


@kernel
def equal(terms, i, j):
    """Return whether the i-th and the j-th meld (0-4) are of one kind and size."""
    melds = terms & _MELDS
    return (melds >> (_MELD_BITS * i)) & (2 * _RUN - 1) == (melds >> (_MELD_BITS * j)) & (2 * _RUN - 1)


@kernel
def clash(terms, i, place, j, other):
    """Return whether the options forbid that the i-th and the j-th meld lie at two places together (RULES 5).

    A place is 16 times the suit and the lowest position of a run, or the rank of a set.
    """
    run = is_run(terms, i)
    if run != is_run(terms, j):
        return False
    if not run:
        return terms & DIFFERENT_RANKS != 0 and place == other
    if terms & NOT_ADJOINING == 0 or place // 16 != other // 16:
        return False
    return place + meld_size(terms, i) == other or other + meld_size(terms, j) == place


@kernel
def slots_of(terms):
    """Return how many cards the melds take."""
    total = 0
    for i in range(MAX_MELDS):
        total += meld_size(terms, i)
    return total


@kernel
def longer(terms, i, cards):
    """Return the terms with the i-th meld longer by a number of cards (MOST_CARDS at most in all)."""
    return terms + (cards << (_MELD_BITS * i))


@kernel
def without_first(terms):
    """Return the terms without the first meld."""
    return (terms & ~_MELDS) | ((terms & _MELDS) >> _MELD_BITS)


@kernel
def first_position(terms):
    """Return the lowest position of a run: 1, or 2 where the ace is high alone."""
    return 2 if (terms >> _ACE_AT) & 3 == ACE_HIGH else 1


@kernel
def last_position(terms):
    """Return the highest position of a run: 14, or 13 where the ace is low alone."""
    return 13 if (terms >> _ACE_AT) & 3 == ACE_LOW else 14


@kernel
def table_of(terms, length):
    """Return the run table (rules.runs) of a length from 3 to 13."""
    return ((terms >> _ACE_AT) & 3) * TABLES_PER_ACE + length - MIN_RUN


@kernel
def most_wilds(terms, size):
    """Return how many wilds a meld of a size may hold (RULES 5)."""
    if terms & NATURAL_ONLY != 0:
        return 0
    most = min(size, (terms >> _MAX_WILDS_AT) & ANY)
    outnumber = (terms >> _OUTNUMBER_AT) & 3
    if outnumber == _AT_LEAST_EQUAL:
        return min(most, size // 2)
    if outnumber == _STRICTLY:
        return min(most, (size - 1) // 2)
    return most


def search_order(contract: Contract) -> list[int]:
    """Return the places of the contract's melds in the order of search."""

    def key(i: int) -> tuple[bool, int, int]:
        meld = contract.melds[i]
        return meld.kind == "set", -meld.size, i

    return sorted(range(len(contract.melds)), key=key)


def is_fast_shape(contract: Contract) -> bool:
    """Return whether a contract has sets of three and runs of one length from 3 to 13 alone."""
    lengths = set(contract.runs)
    return (
        all(size == SET_SIZE for size in contract.sets)
        and len(lengths) <= 1
        and all(MIN_RUN <= size <= MAX_RUN for size in lengths)
    )


def ace_of(ruleset: Ruleset) -> int:
    """Return the ACE_ constant of a ruleset."""
    return {"low": ACE_LOW, "high": ACE_HIGH, "both": ACE_BOTH}[ruleset.cards.ace]


def grown_terms(ruleset: Ruleset) -> int:
    """Return terms without melds: the ace, and limits on wilds where they hold for grown melds too."""
    limits = _wild_limits(ruleset) if ruleset.meld.wild_limits == "always" else ANY << _MAX_WILDS_AT
    return limits | ace_of(ruleset) << _ACE_AT


def _wild_limits(ruleset: Ruleset) -> int:
    limit = ruleset.meld.max_wilds
    outnumber = {"no": _NO, "at-least-equal": _AT_LEAST_EQUAL, "strictly": _STRICTLY}
    most = ANY if limit == "any" else min(int(limit), ANY)
    return most << _MAX_WILDS_AT | outnumber[ruleset.meld.naturals_outnumber_wilds] << _OUTNUMBER_AT


def contract_terms(
    ruleset: Ruleset, contract: Contract, natural_only: bool = False, whole_hand: bool = False
) -> int:
    """Return the terms of a contract under a ruleset's options.

    Parameters
    ----------
    ruleset : Ruleset
    contract : Contract
        Of at most four melds.
    natural_only : bool
        Whether it takes no wilds.
    whole_hand : bool
        Whether it takes every card of the hand.
    """
    terms = _wild_limits(ruleset) | ace_of(ruleset) << _ACE_AT
    melds = [contract.melds[i] for i in search_order(contract)]
    for i, meld in enumerate(melds):
        terms |= (meld.size | (_RUN if meld.kind == "run" else 0)) << (_MELD_BITS * i)
    flags = {
        DISTINCT_SUITS: ruleset.meld.set_suits == "distinct" and len(contract.sets) > 0,
        DIFFERENT_RANKS: not ruleset.meld.same_rank_sets and len(contract.sets) > 1,
        NOT_ADJOINING: not ruleset.meld.runs_may_adjoin and len(contract.runs) > 1,
        WHOLE_HAND: whole_hand,
    }
    bound = sum(flag for flag, holds in flags.items() if holds)
    terms |= bound
    if bound or not is_fast_shape(contract) or (not natural_only and _limited(terms, melds)):
        terms |= GENERAL
    return terms | (NATURAL_ONLY if natural_only else 0)


def _limited(terms: int, melds: list[Meld]) -> bool:
    """Return whether wilds are limited in any of the melds."""
    return any((terms >> _MAX_WILDS_AT) & ANY < meld.size for meld in melds) or terms >> _OUTNUMBER_AT & 3 > 0
