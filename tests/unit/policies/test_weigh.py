"""What weighs in a discard or a buy, against the same worked out slowly from the cards on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from shanghai_sim.cards import JOKER, PLAIN_CODES, format_card
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.rules.distance import distances
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.kernel_rules import deal_need
from tests.unit.engine.test_tables import meld_cards, meld_rows
from tests.unit.policies.decisions import decisions

RULES = ["shanghai", "finnish", "shanghai-canonical", "liverpool", "shanghai-wild-twos"]
OUTS, DANGER, POINTS = 4.0, 2.0, 0.5
MIN_OUTS = 5


class Seen:
    """What the seat to decide sees, as cards."""

    def __init__(self, table: Table, view: v.View) -> None:
        self.table, self.array, self.view = table, table.state.table, view
        self.rules, self.need = table.setup.ruleset, deal_need(table.setup.ruleset, table.deal)
        self.contract = self.rules.contract_in(table.deal)
        self.hand = table.hand(self.view.seat)
        self.whole = self.rules.whole_hand_in(table.deal)
        pile = self.array[v.PILE_CARDS : v.PILE_CARDS + self.array[v.PILE]].tolist()
        self.lying = Counter([*pile, *(card for row in meld_rows(table) for card in meld_cards(row))])

    def distance(self, *more: int, less: tuple[int, ...] = ()) -> int:
        cards = list((Counter([*self.hand, *more]) - Counter(less)).elements())
        out = np.zeros(1, np.int64)
        distances(np.array([hand_boards(cards)], np.int64), self.need, out)
        return int(out[0])

    def live(self, code: int) -> int:
        packs = self.rules.packs_for(self.table.setup.players)
        return packs - self.hand.count(code) - self.lying[code]

    def relatives(self, code: int) -> list[int]:
        """Return those of its rank if there is a set, of its suit at most four places away if there is a run."""
        lowest, highest = {"low": (1, 13), "high": (2, 14), "both": (1, 14)}[self.rules.cards.ace]
        reach = min(max(self.contract.runs, default=1) - 1, 4)

        def places(card: int) -> list[int]:
            return [p for p in ([1, 14] if card % 16 == 0 else [card % 16 + 1]) if lowest <= p <= highest]

        def related(card: int) -> bool:
            if self.contract.sets and card % 16 == code % 16:
                return True
            near = any(abs(p - q) <= reach for p in places(card) for q in places(code))
            return bool(self.contract.runs) and card // 16 == code // 16 and near

        return [card for card in PLAIN_CODES if related(card)]

    def is_out(self, card: int, *more: int, less: tuple[int, ...] = ()) -> bool:
        if (Counter([*self.hand, *more]) - Counter(less))[card] == 3:
            return False
        limit = self.view.distance - (0 if self.whole else 1)
        return limit >= 0 and self.distance(card, *more, less=less) <= limit

    def outs_lost(self, code: int) -> int:
        lost = (c for c in self.relatives(code) if self.is_out(c) and not self.is_out(c, less=(code,)))
        return sum(self.live(c) for c in lost)

    def outs_gained(self, code: int) -> int:
        gained = (c for c in self.relatives(code) if self.is_out(c, code) and not self.is_out(c))
        return sum(self.live(c) for c in gained)

    def danger(self, code: int) -> float:
        """Return the next player's use of a card, and half of that of the others who may still buy."""
        players = self.table.setup.players
        total = 0.0
        for k in range(1, players):
            row = v.SEATS + (self.view.seat + k) % players * v.SEAT_WIDTH
            bought, down = int(self.array[row + v.BUYS]), bool(self.array[row + v.DOWN])
            limit = self.rules.buys_in(self.table.deal)
            weight = 1.0 if k == 1 else 0.5 if not down and (limit is None or bought < limit) else 0.0
            total += weight * self._use(row, down, code)
        return total

    def _use(self, row: int, down: bool, code: int) -> float:
        if down:
            never = not self.rules.draw.discard_after_laying_down and not self.rules.buy.after_laying_down
            return float(not never and bool(int(self.array[v.FITS]) >> code & 1))
        taken, thrown = (
            sum(int(self.array[row + column]) >> c & 1 for c in self.relatives(code))
            for column in (v.TAKEN, v.DISCARDED)
        )
        return max(0.0, 0.5 + 0.5 * taken - 0.2 * thrown)


POLICY = (
    f"balanced+buy.min_outs={MIN_OUTS}+discard.outs={OUTS}+discard.danger={DANGER}+discard.points={POINTS}"
)


def sample(kind: int, rules: str) -> Iterator[tuple[Seen, int]]:
    """Yield every fourth decision of a kind in a game: what its seat sees, what the policy answers."""
    of_kind = (found for found in decisions(POLICY, 1, rules) if found[1].decision == kind)
    for table, view, answer in islice(of_kind, 0, None, 4):
        yield Seen(table, view), answer


@pytest.mark.parametrize("rules", RULES)
def test_the_discard_weighs_most(rules):
    """Of the naturals that cost least distance it has the most points, less outs lost, less danger."""
    checked = several = 0
    for seen, answer in sample(v.DISCARD, rules):
        naturals = {c for c in seen.hand if c != JOKER and c not in seen.rules.wild_codes()}
        dead = JOKER in seen.hand and JOKER not in seen.rules.wild_codes()
        if not naturals or dead or seen.view.down:
            continue
        cost = {c: seen.distance(less=(c,)) for c in naturals}
        free = [c for c in naturals if cost[c] == min(cost.values())]
        weighs = min(cost.values()) <= seen.view.distance
        worth = {
            c: POINTS * seen.rules.card_points()[c]
            - (OUTS * seen.outs_lost(c) if weighs else 0.0)
            - DANGER * seen.danger(c)
            for c in free
        }
        chosen = answer & 255
        assert chosen in free
        if len(free) > 1:
            assert worth[chosen] == pytest.approx(max(worth.values())), (format_card(chosen), worth)
            several += len({round(x, 6) for x in worth.values()}) > 1
        checked += 1
    assert checked > 15
    assert several > 8


@pytest.mark.parametrize("rules", ["shanghai", "finnish", "liverpool"])
def test_buys_for_outs(rules):
    found = Counter()
    for seen, answer in sample(v.BUY, rules):
        code = seen.view.upcard
        wild = code in seen.rules.wild_codes()
        if seen.view.down:
            continue
        helps = seen.view.distance > 0 and seen.distance(code) < seen.view.distance
        outs = 0 if wild or code == JOKER or seen.hand.count(code) == 3 else seen.outs_gained(code)
        expected = helps or outs >= MIN_OUTS
        assert answer == int(expected), (format_card(code), helps, outs)
        found["helps" if helps else "outs" if expected else "no"] += 1
    assert min(found["helps"], found["outs"], found["no"]) > 0
