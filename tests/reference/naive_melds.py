"""Finding a contract in a hand for the naive dealer: random backtracking, giving up early."""

from .naive_rules import RANKS

PATIENCE = 150  # melds tried per search


def limits(options, is_wild, cards):
    """Return whether the wilds of these cards are within the two limits on wilds."""
    n = sum(map(is_wild, cards))
    rules = options["meld"]
    most = len(cards) if rules["max_wilds"] == "any" else rules["max_wilds"]
    spare = {"no": len(cards), "at-least-equal": 0, "strictly": -1}[rules["naturals_outnumber_wilds"]]
    return n <= most and n - (len(cards) - n) <= spare


class Finder:
    """Looks for one deal's contract, ``[("S", 3), ("R", 4)]``, under the options."""

    def __init__(self, options, is_wild, rng, contract, natural_only, whole):
        self.o, self.is_wild, self.rng = options, is_wild, rng
        self.contract, self.natural_only, self.whole = contract, natural_only, whole
        ace = options["cards"]["ace"]
        self.first, self.last = (2 if ace == "high" else 1), (13 if ace == "low" else 14)

    def find(self, hand, whole):
        """Return the melds in order, as in a lay-down event but for their numbers, or None."""
        hand = [card for card in hand if card != "JK" or self.is_wild(card)]
        for _ in range(4 if whole or self.o["meld"]["longer_at_lay_down"] else 1):
            sizes = self.sizes(len(hand), whole)
            self.patience = PATIENCE
            melds = self.search(hand, sizes, []) if sizes else None
            if melds:
                return melds
        return None

    def sizes(self, n, whole):
        sizes = [size for _, size in self.contract]
        extra = n - sum(sizes)
        if extra < 0:
            return None
        if not whole:
            longer = self.o["meld"]["longer_at_lay_down"] and not self.whole
            extra = self.rng.choice([0, 0, 1, 2, extra]) if longer else 0
        for _ in range(extra):
            sizes[self.rng.randrange(len(sizes))] += 1
        return sizes

    def search(self, hand, sizes, melds):
        if len(melds) == len(sizes):
            return melds if self.together(melds) else None
        for meld in self.candidates(hand, self.contract[len(melds)][0], sizes[len(melds)]):
            self.patience -= 1
            if self.patience < 0:
                return None
            rest = list(hand)
            for card in meld["cards"]:
                rest.remove(card)
            found = self.search(rest, sizes, [*melds, meld])
            if found:
                return found
        return None

    def together(self, melds):
        rules = self.o["meld"]
        ranks = [c[0] for m in melds if m["kind"] == "set" for c in m["cards"] if not self.is_wild(c)]
        sets = [m for m in melds if m["kind"] == "set" and not all(map(self.is_wild, m["cards"]))]
        if not rules["same_rank_sets"] and len(set(ranks)) < len(sets):
            return False
        runs = sorted((m["suit"], m["low"], m["low"] + len(m["cards"])) for m in melds if m["kind"] == "run")
        touch = [a for a in runs for b in runs if a[0] == b[0] and a[2] == b[1]]
        return rules["runs_may_adjoin"] or not touch

    def candidates(self, hand, kind, n):
        """All melds of n cards that the hand holds, those with few wilds first."""
        wilds = [card for card in hand if self.is_wild(card)]
        naturals = [card for card in hand if not self.is_wild(card)]
        self.rng.shuffle(wilds)
        found = []
        if kind == "S":
            for rank in [*sorted({card[0] for card in naturals}), None]:
                cards = [card for card in naturals if card[0] == rank]
                if self.o["meld"]["set_suits"] == "distinct":
                    cards = sorted(set(cards))
                self.rng.shuffle(cards)
                for k in range(max(0 if rank is None else 1, n - len(wilds)), min(n, len(cards)) + 1):
                    mixed = cards[:k] + wilds[: n - k]
                    self.rng.shuffle(mixed)
                    found.append({"kind": "set", "cards": mixed})
        for suit in "SHDC" if kind == "R" else "":
            for low in range(self.first, self.last - n + 2):
                cards, left, held = [], list(wilds), list(naturals)
                for position in range(low, low + n):
                    card = RANKS[(position - 1) % 13] + suit
                    if card in held and not (left and self.rng.random() < 0.1):
                        held.remove(card)
                        cards.append(card)
                    elif left:
                        cards.append(left.pop())
                if len(cards) == n:
                    found.append({"kind": "run", "suit": suit, "low": low, "cards": cards})
        fine = [m for m in found if len(m["cards"]) == n and self.allowed(m["cards"])]
        return sorted(fine, key=lambda m: sum(map(self.is_wild, m["cards"])) + 1.5 * self.rng.random())

    def allowed(self, cards):
        return limits(self.o, self.is_wild, cards) and not (
            self.natural_only and any(map(self.is_wild, cards))
        )
