"""Laying down, laying off and swapping: one action at a time."""

from __future__ import annotations

from shanghai_sim._jit import kernel, lowest_bit, popcount
from shanghai_sim.policies import view as v
from shanghai_sim.policies.features import (
    card_is_wild,
    distinct_cards,
    nth_card,
    random_below,
    strays,
    wild_held,
)
from shanghai_sim.policies.lay_down import lays_down
from shanghai_sim.policies.parameters import LAY_OFF_KEEP_ONE, LAY_OFF_WHEN, NOISE, SWAP_USE
from shanghai_sim.rules import melds
from shanghai_sim.rules import terms as tm
from shanghai_sim.rules.boards import ALL_CARDS, count_wilds
from shanghai_sim.rules.kernel_rules import (
    GROWN,
    JOKER_WILD,
    KEEP,
    SWAP_MELDS,
    SWAP_NONE,
    SWAP_RUNS,
    SWAP_TO_TABLE,
)

# Places of the words of swap.use; lay_off.when has "never" first too.
_NEVER, _WHEN_STUCK, _ALWAYS = range(3)


@kernel
def play_answer(action, code, meld, end):
    """Return an answer to PLAY as one number."""
    return action | code << 4 | meld << 12 | end << 20


@kernel
def read_answer(answer):
    """Return action, card, meld and end of an answer to PLAY."""
    return answer & 15, (answer >> 4) & 255, (answer >> 12) & 255, (answer >> 20) & 3


@kernel
def _row(meld):
    return v.MELDS + meld * melds.MELD_WIDTH


@kernel
def _lay_off_natural(table, naturals):
    """Return the lay-off of a natural that fits: on a run where possible, since that opens the next place."""
    grown = table[v.RULES + GROWN]
    for kind in (melds.RUN, melds.SET):
        for i in range(table[v.N_MELDS]):
            m = _row(i)
            if table[m + melds.KIND] != kind:
                continue
            fitting = naturals & melds.fits_natural(table, m, grown)
            if fitting == 0:
                continue
            code = lowest_bit(fitting)
            if kind == melds.SET:
                return play_answer(v.LAY_OFF, code, i, melds.END_NONE)
            low = melds.free_position(table, m, melds.END_LOW, grown)
            at_low = low != 0 and melds.card_at(table[m + melds.SUIT], low) == code
            return play_answer(v.LAY_OFF, code, i, melds.END_LOW if at_low else melds.END_HIGH)
    return v.DONE


@kernel
def lay_off_wild(table, naturals, code):
    """Return the best lay-off of a wild: where a natural of the hand can follow, else on a set, else on a run."""
    grown = table[v.RULES + GROWN]
    first, last = tm.first_position(grown), tm.last_position(grown)
    found = v.DONE
    found_set = False
    for i in range(table[v.N_MELDS]):
        m = _row(i)
        if not melds.fits_wild(table, m, 0, grown):
            continue
        if table[m + melds.KIND] == melds.SET:
            if not found_set:
                found = play_answer(v.LAY_OFF, code, i, melds.END_NONE)
                found_set = True
            continue
        for end in (melds.END_LOW, melds.END_HIGH):
            position = melds.free_position(table, m, end, grown)
            if position == 0:
                continue
            after = position - 1 if end == melds.END_LOW else position + 1
            if first <= after <= last and (naturals >> melds.card_at(table[m + melds.SUIT], after)) & 1:
                return play_answer(v.LAY_OFF, code, i, end)
            if found == v.DONE:
                found = play_answer(v.LAY_OFF, code, i, end)
    return found


@kernel
def _swap_natural(view, table, candidates):
    """Return the swap of one of the candidate naturals for a wild on the table, or DONE."""
    rules = v.RULES
    if table[rules + SWAP_MELDS] == SWAP_NONE:
        return v.DONE
    to_table = table[rules + SWAP_TO_TABLE] == 1
    if to_table and view.size - 1 < table[rules + KEEP]:
        return v.DONE
    for i in range(table[v.N_MELDS]):
        m = _row(i)
        if table[m + melds.WILDS] == 0:
            continue
        if table[m + melds.KIND] == melds.SET and table[rules + SWAP_MELDS] == SWAP_RUNS:
            continue
        if to_table and not melds.freed_wild_fits(table, m, table[v.WILD_FITS] == 1, table[rules + GROWN]):
            continue
        todo = candidates
        while todo != 0:
            code = lowest_bit(todo)
            todo &= todo - 1
            if melds.wild_for(table, m, code, view.wild_mask) != melds.NO_CARD:
                return play_answer(v.SWAP, code, i, melds.END_NONE)
    return v.DONE


@kernel
def _may_lay_off(view, table, parameters, naturals):
    """Return whether a card may be laid off: the rules and the policy leave enough in hand.

    Who keeps one lays the last card that fits off only to go out with the discard behind it.
    """
    left = view.size - 1 - table[v.RULES + KEEP]
    if parameters[LAY_OFF_WHEN] == _NEVER or left < 0:
        return False
    if parameters[LAY_OFF_KEEP_ONE] == 0.0 or left == 0:
        return True
    fitting = naturals & table[v.FITS]
    cards = popcount(fitting) + popcount(fitting & view.b2) + popcount(fitting & view.b3)
    if table[v.WILD_FITS] == 1:
        joker_wild = table[v.RULES + JOKER_WILD]
        cards += count_wilds(view.b1, view.b2, view.b3, view.jokers, view.wild_mask, joker_wild)
    return cards > 1


@kernel
def _random_play(view, table):
    """Return a random action: each lay-down and each proposal of a lay-off or swap has an even chance."""
    if view.down == 0:
        return v.LAY_DOWN if random_below(view, 2, 0) == 1 else v.DONE
    n_melds = table[v.N_MELDS]
    rules = v.RULES
    cards = distinct_cards(view.b1, view.jokers)
    pick = random_below(view, 2 * cards, 0)
    code = nth_card(view.b1, view.jokers, pick // 2)
    start = random_below(view, n_melds, 1)
    for k in range(n_melds):
        i = (start + k) % n_melds
        m = _row(i)
        wild = card_is_wild(view, code)
        if pick % 2 == 1 and not wild:
            one = 1 << code if code < 64 and (view.b1 >> code) & 1 else 0
            answer = _swap_natural(view, table, one)
            if answer != v.DONE:
                return answer
        if view.size - 1 < table[rules + KEEP]:
            continue
        for end in (melds.END_LOW, melds.END_HIGH, melds.END_NONE):
            if melds.can_lay_off(table, m, code, end, wild, table[rules + GROWN]):
                return play_answer(v.LAY_OFF, code, i, end)
    return v.DONE


@kernel
def play(view, table, parameters):
    """Return the next action of the turn: DONE, LAY_DOWN, or a `play_answer` for LAY_OFF and SWAP.

    It is asked again until it says DONE. The contract is laid down as soon as the hand holds it and `lays_down` agrees.
    Afterwards naturals go on runs,
    then on sets; a natural that fits nowhere is swapped for the wild that stands for it; then wilds follow.
    """
    naturals = view.b1 & ALL_CARDS & ~view.wild_mask
    if view.must_lay_off >= 0:
        return lay_off_wild(table, naturals, view.must_lay_off)
    if strays(view, parameters[NOISE]):
        return _random_play(view, table)
    if view.down == 0:
        return v.LAY_DOWN if lays_down(view, table, parameters) else v.DONE
    lays_off = _may_lay_off(view, table, parameters, naturals)
    if parameters[SWAP_USE] == _ALWAYS:
        answer = _swap_natural(view, table, naturals)
        if answer != v.DONE:
            return answer
    if lays_off and naturals & table[v.FITS] != 0:
        return _lay_off_natural(table, naturals)
    if parameters[SWAP_USE] != _NEVER:
        answer = _swap_natural(view, table, naturals & ~table[v.FITS])
        if answer != v.DONE:
            return answer
    wild = wild_held(view, table)
    if lays_off and wild >= 0 and table[v.WILD_FITS] == 1:
        return lay_off_wild(table, naturals, wild)
    return v.DONE
