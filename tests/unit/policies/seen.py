"""What a seat that has to decide sees, as cards, and what it could weigh, worked out slowly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from typing import Any

import numpy as np

from shanghai_sim.cards import JOKER, PLAIN_CODES
from shanghai_sim.engine.stepper import Table
from shanghai_sim.policies import view as v
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.distance import distances
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.kernel_rules import deal_need
from tests.unit.engine.test_tables import meld_cards, meld_rows
from tests.unit.policies.decisions import decisions


class Seen:
    """One decision; `p` are the parameters of the policy that takes it."""

    def __init__(self, table: Table, view: v.View, p: Mapping[str, Any]) -> None:
        self.table, self.array, self.view, self.p = table, table.state.table, view, p
        self.rules, self.need = table.setup.ruleset, deal_need(table.setup.ruleset, table.deal)
        self.contract = self.rules.contract_in(table.deal)
        self.players = table.setup.players
        self.hand = table.hand(view.seat)
        self.wilds = self.rules.wild_codes()
        self.naturals = [c for c in self.hand if c != JOKER and c not in self.wilds]
        self.whole = self.rules.whole_hand_in(table.deal)
        pile = self.array[v.PILE_CARDS : v.PILE_CARDS + self.array[v.PILE]].tolist()
        self.lying = Counter([*pile, *(card for row in meld_rows(table) for card in meld_cards(row))])
        self.others = [s for s in range(self.players) if s != view.seat]
        self.rows = [
            self.array[v.SEATS + s * v.SEAT_WIDTH :][: v.SEAT_WIDTH].tolist() for s in range(self.players)
        ]

    def distance(self, *more: int, less: tuple[int, ...] = (), hand: list[int] | None = None) -> int:
        start = self.hand if hand is None else hand
        cards = list((Counter([*start, *more]) - Counter(less)).elements())
        out = np.zeros(1, np.int64)
        distances(np.array([hand_boards(cards)], np.int64), self.need, out)
        return int(out[0])

    def live(self, code: int) -> int:
        return self.rules.packs_for(self.players) - self.hand.count(code) - self.lying[code]

    def places(self, card: int) -> list[int]:
        """Return the positions at which a card may stand in a run."""
        lowest, highest = {"low": (1, 13), "high": (2, 14), "both": (1, 14)}[self.rules.cards.ace]
        return [p for p in ([1, 14] if card % 16 == 0 else [card % 16 + 1]) if lowest <= p <= highest]

    def near(self, a: int, b: int, reach: int) -> bool:
        close = any(abs(p - q) <= reach for p in self.places(a) for q in self.places(b))
        return a // 16 == b // 16 and close

    def relatives(self, code: int) -> list[int]:
        """Return those of its rank if there is a set, of its suit at most four places away if there is a run."""
        reach = min(max(self.contract.runs, default=1) - 1, 4)
        return [
            card
            for card in PLAIN_CODES
            if (self.contract.sets and card % 16 == code % 16)
            or (self.contract.runs and self.near(card, code, reach))
        ]

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

    # The others.

    def danger(self, code: int) -> float:
        """Return the use of a card to each of the others who may get it, by how easily they get it."""
        total = 0.0
        for k in range(1, self.players):
            seat = (self.view.seat + k) % self.players
            leads = self._score(seat) == min(map(self._score, self.others)) < self._score(self.view.seat)
            weight = 1 + self.p["opponents.block_leader"] if leads else 1.0
            total += self._chance(k) * weight * self._use(seat, code)
        return total

    def _score(self, seat: int) -> int:
        return int(self.rows[seat][v.SCORE])

    def _chance(self, k: int) -> float:
        """Return 1 for the next player, before whom the discard lies; half for the others who may buy it."""
        row = self.rows[(self.view.seat + k) % self.players]
        down = row[v.DOWN] > 0
        if k == 1 and (not down or self.rules.draw.discard_after_laying_down):
            return 1.0
        limits = (self.rules.buys_in(self.table.deal), self.rules.buy.per_game)
        used = (row[v.BUYS], row[v.GAME_BUYS])
        out = any(isinstance(most, int) and n >= most for n, most in zip(used, limits, strict=True))
        return 0.0 if out or (down and not self.rules.buy.after_laying_down) else 0.5

    def _use(self, seat: int, code: int) -> float:
        if self.rows[seat][v.DOWN]:
            return float(int(self.array[v.FITS]) >> code & 1)
        taken, thrown, passed = (
            sum(self._remembered(seat, i) >> c & 1 for c in self.relatives(code)) for i in range(3)
        )
        return max(0.0, 0.5 + 0.5 * taken - 0.2 * thrown - 0.1 * passed)

    def _remembered(self, seat: int, i: int) -> int:
        if self.p["opponents.memory"] == "all":
            return int(self.rows[seat][v.TAKEN + i])
        turn, board = self.rows[seat][v.TURNS], 0
        for t in range(max(0, turn - self.p["opponents.memory"] + 1), turn + 1):
            place = seat * v.RECENT_TURNS + t % v.RECENT_TURNS
            board |= int(self.array[v.RECENT + place * v.RECENT_WIDTH + i])
        return board

    def caution(self) -> float:
        lead = min(map(self._score, self.others)) - self._score(self.view.seat)
        return max(0.0, 1 + self.p["score.risk"] * min(1.0, max(-1.0, lead / 100)))

    def points_count(self) -> float:
        """Return what a penalty point counts in a discard."""
        down = [self.rows[s] for s in self.others if self.rows[s][v.DOWN]]
        few = any(row[v.HAND_SIZE] <= self.p["opponents.near_out"] for row in down)
        dry = self.rules.stock.when_empty == "end-deal" and self.array[v.STOCK] <= self.players
        once = self.p["discard.points_once_down"] if down else 1.0
        return (
            self.caution()
            * self.p["discard.points"]
            * once
            * (self.p["discard.points_near_out"] if few or dry else 1.0)
        )

    # The plan.

    def full_sets(self) -> list[int]:
        """Return the ranks of which naturals fill a set, each as often as they do."""
        size = min(self.contract.sets, default=99)
        ranks = Counter(c % 16 for c in self.naturals)
        return [rank for rank, n in ranks.items() for _ in range(n // size)]

    def full_runs(self) -> int:
        """Return in how many suits naturals fill a run."""
        size = min(self.contract.runs, default=99)
        found = 0
        for suit in range(4):
            held = {p for c in self.naturals if c // 16 == suit for p in self.places(c)}
            found += any(set(range(low, low + size)) <= held for low in range(1, 15))
        return found

    def counts_for_plan(self, code: int) -> float:
        first, contract = self.p["plan.sets_first"], self.contract
        if not contract.sets or not contract.runs:
            return 0.0
        if first > 0 and len(self.full_sets()) < len(contract.sets):
            return float(first * (self._mates(code)))
        if first < 0 and self.full_runs() < len(contract.runs):
            return float(-first * self._neighbours(code))
        return 0.0

    def _mates(self, code: int) -> int:
        return sum(c != JOKER and c % 16 == code % 16 for c in self.hand) - 1

    def _neighbours(self, code: int) -> int:
        return sum(self.near(c, code, 2) for c in set(self.hand) - {code, JOKER})

    def cost(self, code: int) -> float:
        """Return what the distance of a natural that costs some counts."""
        mixed = self.contract.sets and self.contract.runs
        breaks = mixed and self.full_runs() < len(self.contract.runs) and code % 16 in self.full_sets()
        return max(0.0, self.p["discard.distance"] - (self.p["plan.break_sets"] if breaks else 0.0))

    def worth(self, code: int, *, outs: bool, costs: bool) -> float:
        """Return what a discard is worth to the policy."""
        worth = self.points_count() * self.rules.card_points()[code] - self.counts_for_plan(code)
        worth -= self.caution() * self.p["discard.danger"] * self.danger(code)
        worth -= self.p["discard.keep_pairs"] * self._mates(code)
        worth -= self.p["discard.keep_connected"] * self._neighbours(code)
        if outs:
            worth -= self.p["discard.outs"] * self.outs_lost(code)
        return worth - (self.cost(code) if costs else 0.0)

    def naturals_may_come(self) -> bool:
        """Return whether the contract takes wilds, and a natural that can still come would spare one."""
        now = self.distance(hand=self.naturals)
        live = (c for c in PLAIN_CODES if c not in self.wilds and self.live(c) > 0)
        return now > 0 and any(self.distance(c, hand=self.naturals) < now for c in live)

    def left(self) -> int:
        """Return how many cards are left over behind the contract at its least sizes and the discard."""
        keep = int(self.rules.go_out.discard == "required")
        return len(self.hand) - self.contract.cards - keep

    def stuck(self) -> int:
        """Return how many of these fit no meld, where those that fit can all be spared."""
        fits = [c for c in set(self.naturals) if int(self.array[v.FITS]) >> c & 1]
        return self.left() - (len(fits) if self.distance(less=tuple(fits)) == 0 else 0)

    def goes_out(self) -> bool:
        """Return whether, the contract laid down at its least sizes, the rest can be discarded or laid off at once."""
        if self.left() <= 0:
            return True
        fits = [c for c in set(self.naturals) if int(self.array[v.FITS]) >> c & 1]
        at_once = self.rules.meld.lay_off_same_turn
        return at_once and any(self.distance(less=less) == 0 for less in combinations(fits, self.left()))


def sample(
    kind: int, policy: str, rules: str, every: int = 4, games: int = 1, others: str | None = None
) -> Iterator[tuple[Seen, int]]:
    """Yield every so many of the decisions of a kind in games: what its seat sees, what the policy answers."""
    parameters = load_policy(policy).parameters
    of_kind = (found for found in decisions(policy, games, rules, others) if found[1].decision == kind)
    for table, view, answer in islice(of_kind, 0, None, every):
        yield Seen(table, view, parameters), answer
