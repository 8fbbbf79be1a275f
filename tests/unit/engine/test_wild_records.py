"""What is recorded of wilds, against a recount from the transcript, card by card."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.engine.metrics import DEAL_COLUMNS
from shanghai_sim.engine.transcript import transcript
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset
from tests.unit.engine.drawn import drawn_setup
from tests.unit.engine.test_secrecy import KINDS

FIGURES = ("wilds_held", "wilds_discarded", "wild_turns", "wilds_left")


class Recount:
    """Follows the hands of a transcript; `seen` counts ways in which a wild came and went."""

    def __init__(self, wild):
        self.wild = wild
        self.seen = Counter()

    def is_wild(self, card):
        return card in self.wild or (card != "JK" and card[0] in self.wild)

    def deals(self, events):
        """Yield the figures of each deal: a list by seat."""
        for event in events:
            getattr(self, event["event"].replace("-", "_"), lambda event: None)(event)
            if event["event"] == "deal-end":
                for seat, hand in enumerate(self.hands):
                    self.figures[seat]["wilds_left"] = sum(map(self.is_wild, hand))
                yield [[figures[name] for name in FIGURES] for figures in self.figures]

    def got(self, seat, cards, how):
        self.hands[seat] += cards
        wilds = sum(map(self.is_wild, cards))
        self.figures[seat]["wilds_held"] += wilds
        self.seen[how] += wilds

    def gave(self, seat, cards, how):
        for card in cards:
            self.hands[seat].remove(card)
        self.seen[how] += sum(map(self.is_wild, cards))

    def deal(self, event):
        self.hands = [[] for _ in event["hands"]]
        self.figures = [Counter() for _ in event["hands"]]
        for seat, hand in enumerate(event["hands"]):
            self.got(seat, hand, "dealt")

    def draw(self, event):
        if event["card"] is not None:
            self.got(event["seat"], [event["card"]], event["from"])

    def buy(self, event):
        self.got(event["seat"], [event["card"]], "bought")
        self.got(event["seat"], event["penalty"], "penalty")

    def lay_down(self, event):
        for meld in event["melds"]:
            self.gave(event["seat"], meld["cards"], "laid down")

    def lay_off(self, event):
        # A wild freed onto the table was never in the hand.
        if self.freed == event["card"]:
            self.freed = None
            self.seen["onto the table"] += 1
        else:
            self.gave(event["seat"], [event["card"]], "laid off")

    freed = None

    def swap(self, event):
        self.gave(event["seat"], [event["card"]], "swapped away")
        if event["to"] == "hand":
            self.got(event["seat"], [event["wild"]], "freed")
        else:
            self.freed = event["wild"]

    def reshuffle(self, event):
        self.seen["reshuffled"] += sum(map(self.is_wild, event["stock"]))

    def discard(self, event):
        seat = event["seat"]
        self.gave(seat, [event["card"]], "discarded")
        self.figures[seat]["wilds_discarded"] += self.is_wild(event["card"])
        self.figures[seat]["wild_turns"] += sum(map(self.is_wild, self.hands[seat]))


def recounted(setup, game):
    """Check a game's records against the transcript; return in which ways wilds came and went."""
    block, rotation = divmod(game, setup.players)
    records = play_blocks(setup, block, 1).deals[rotation]
    events = transcript(setup, game)
    recount = Recount(set(events[0]["options"]["cards"]["wild"]))
    columns = [DEAL_COLUMNS.index(name) for name in FIGURES]
    slots = [setup.deal_numbers.index(event["deal"]) for event in events if event["event"] == "deal"]
    for slot, expected in zip(slots, recount.deals(events), strict=True):
        assert records[slot][:, columns].tolist() == expected, (setup, game, slot)
        for held, discarded, _, left in expected:
            assert discarded + left <= held
    return recount.seen


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("rules", "changes", "policies"),
    [
        ("shanghai", (), ("balanced", "random", "joker-dumper")),
        ("shanghai-wild-twos", ("swap.melds=all",), ("random", "plain+swap.use=always", "joker-hoarder")),
        ("finnish", ("swap.freed_wild=table", "cards.jokers={2=12}"), ("plain+swap.use=always",) * 3),
        ("shanghai", ("cards.wild=['2S','2C']", "cards.packs={2=1}"), ("aggressive-buy", "random") * 2),
    ],
)
def test_records_of_wilds(rules, changes, policies):
    setup = Setup(
        load_ruleset(rules, changes), len(policies), [load_policy(policy) for policy in policies], seed=5,
        deals=(1, 3, 6),
    )  # fmt: skip
    seen = recounted(setup, 0) + recounted(setup, 1)
    assert seen["dealt"] > 0
    assert seen["laid down"] > 0


def test_records_of_wilds_under_options_drawn_at_random():
    rng = Random(11)
    seen = Counter()
    for _ in range(80):
        setup = drawn_setup(rng, KINDS, 2)
        seen += recounted(setup, rng.randrange(4 * setup.players))
    ways = {
        "dealt", "stock", "discard", "bought", "penalty", "freed", "laid down", "laid off", "onto the table",
        "discarded", "reshuffled",
    }  # fmt: skip
    assert {way for way in ways if seen[way]} == ways
    assert seen["swapped away"] == 0
