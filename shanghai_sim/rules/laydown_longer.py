"""Laying down more than the contract asks, where melds may be longer at lay-down (RULES 5).

The melds are chosen at their least sizes first (rules.laydown). Then the naturals that fit them follow, the
dearest first. Wilds follow only where the player goes out by it. What has to stay in hand stays, and the melds
stay such as may be laid down together.
"""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit, scratch
from shanghai_sim.rules import laydown_search as sr
from shanghai_sim.rules import melds
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, count_cards, count_wilds, remove_mask

#: The rows of a plan.
_ROWS = tm.MAX_MELDS * melds.MELD_WIDTH


@kernel
def _keeps_apart(plan, m, end, terms):
    """Return whether a run of the plan, made longer at an end, would still adjoin no other."""
    if terms & tm.NOT_ADJOINING == 0:
        return True
    low = plan[m + melds.LOW] - (1 if end == melds.END_LOW else 0)
    above = low + plan[m + melds.SIZE] + 1
    for i in range(tm.n_melds(terms)):
        other = i * melds.MELD_WIDTH
        if (
            other == m
            or plan[other + melds.KIND] != melds.RUN
            or plan[other + melds.SUIT] != plan[m + melds.SUIT]
        ):
            continue
        if plan[other + melds.LOW] == above or plan[other + melds.LOW] + plan[other + melds.SIZE] == low:
            return False
    return True


@kernel
def _may_grow(plan, m, code, end, wild, terms):
    """Return whether a card may be laid down with a meld of the plan as well, at an end."""
    if not melds.can_lay_off(plan, m, code, end, wild, terms):
        return False
    if plan[m + melds.KIND] == melds.RUN:
        return _keeps_apart(plan, m, end, terms)
    if wild or terms & tm.DISTINCT_SUITS == 0:
        # A set of wilds alone takes a rank that none of the others may have.
        return wild or plan[m + melds.RANK] != melds.NO_RANK or terms & tm.DIFFERENT_RANKS == 0
    return (plan[m + melds.SET_NATURALS] >> code) & 1 == 0 and plan[m + melds.RANK] != melds.NO_RANK


@kernel
def _grow(plan, code, wild, terms):
    """Put a card on a meld of the plan, on a run if there is a choice; return whether it went."""
    for kind in (melds.RUN, melds.SET):
        for i in range(tm.n_melds(terms)):
            m = i * melds.MELD_WIDTH
            if plan[m + melds.KIND] != kind:
                continue
            for end in (melds.END_LOW, melds.END_HIGH, melds.END_NONE):
                if _may_grow(plan, m, code, end, wild, terms):
                    melds.lay_off(plan, m, code, end, wild)
                    return True
    return False


@kernel
def _grow_by_natural(b1, terms, notes, plan):
    """Put the dearest natural that fits on a meld of the plan; return it, or NO_CARD where none fits."""
    tried = 0
    while True:
        best = melds.NO_CARD
        todo = b1 & ~tried
        while todo != 0:
            code = lowest_bit(todo)
            todo &= todo - 1
            if best == melds.NO_CARD or notes[sr.POINTS + code] > notes[sr.POINTS + best]:
                best = code
        if best == melds.NO_CARD or _grow(plan, best, False, terms):
            return best
        tried |= 1 << best


@kernel
def grow_melds(b1, b2, b3, jokers, keep, need, notes, plan):
    """Make the melds of a plan longer with what is left in hand, of which `keep` cards must stay.

    Parameters
    ----------
    b1, b2, b3, jokers : int64
        What the plan leaves of the hand.
    keep : int64
        0 or 1.
    need, notes, plan
        As in `laydown.choose_melds`.
    """
    terms = need.terms
    naturals = ALL_CARDS & ~need.wild_mask
    while count_cards(b1, b2, b3, jokers) > keep:
        code = _grow_by_natural(b1 & naturals, terms, notes, plan)
        if code == melds.NO_CARD:
            break
        b1, b2, b3 = remove_mask(b1, b2, b3, 1 << code)
    over = count_cards(b1, b2, b3, jokers) - keep
    if terms & tm.NATURAL_ONLY == 0:
        wilds = count_wilds(b1, b2, b3, jokers, need.wild_mask, need.joker_wild)
        if 0 < over <= wilds:
            _grow_by_wilds(b1, b2, b3, jokers, over, need, notes, plan)


@kernel
def _grow_by_wilds(b1, b2, b3, jokers, n, need, notes, plan):
    """Put n wilds on melds of the plan, or none where not all of them fit.

    Without NOT_ADJOINING no wild is in another's way, so that the first place for each will do. With it, and with
    limits on wilds besides, two runs that grow towards each other might share the gap better: then none go down.
    """
    before = scratch(_ROWS)
    for i in range(_ROWS):
        before[i] = plan[i]
    for _ in range(n):
        code, b1, b2, b3, jokers = sr.take_wild(b1, b2, b3, jokers, need.wild_mask, need.joker_wild, notes)
        if not _grow(plan, code, True, need.terms):
            for i in range(_ROWS):
                plan[i] = before[i]
            return
