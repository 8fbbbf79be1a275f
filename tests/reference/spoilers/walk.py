"""Walking through a legal transcript: what lies where before each event, and the register of spoilers."""

from tests.reference.naive_rules import ORDER, RANKS, is_wild

#: name -> Spoiler, filled by the `spoils` decorator.
CATALOGUE = {}


class Spoiler:
    """One way to break one rule: ``spoiler(events)`` gives a spoilt transcript, or None where it does not apply.

    ``rules`` are the sections one of which the referee has to name; ``every(events)`` yields all the spoilt
    transcripts that this spoiler can make of a legal one.
    """

    def __init__(self, name, kinds, rules, function):
        self.name, self.kinds, self.rules, self.function = name, kinds, rules, function

    def __call__(self, events):
        return next(self.every(events), None)

    def every(self, events):
        state = Walk()
        for i, event in enumerate(events):
            state.look_around(events, i)
            if event["event"] in self.kinds:
                spoilt = self.function(event, state)
                if spoilt is not None:
                    yield [*events[:i], *spoilt, *events[i + 1 :]]
            state.apply(event)


def spoils(kinds, *rules):
    """Register ``function(event, state)``: what stands in place of an event of these kinds, or None."""

    def register(function):
        name = function.__name__.replace("_", " ")
        CATALOGUE[name] = Spoiler(name, kinds.split(), rules, function)
        return function

    return register


class Walk:
    """What lies where before an event. It trusts the transcript, and judges nothing."""

    def look_around(self, events, i):
        self.before = events[i - 1] if i else None
        self.next = events[i + 1] if i + 1 < len(events) else None

    def apply(self, e):
        getattr(self, "_" + e["event"].replace("-", "_"))(e)

    def _game(self, e):
        self.o, self.coupling, self.players = e["options"], e["coupling"], len(e["policies"])
        self.n_deals = len(self.o["deal"]["contracts"])
        self.deal, self.over, self.sudden_death = None, False, False
        self.bought_in_game = [0] * self.players
        self.totals = [0] * self.players

    def _deal(self, e):
        self.deal, self.contract, self.over = e["deal"], e["contract"].split(), False
        self.hands = [list(hand) for hand in e["hands"]]
        self.pile = [(e["upcard"], None)] if e["upcard"] else []
        self.layers, self.melds, self.freed = [list(e["stock"])], [], None
        self.turns, self.down, self.bought, self.blocked = ([0] * self.players for _ in range(4))
        self.stock_before = None
        self._turn_of((e["dealer"] + 1) % self.players)
        self.drawn = not self.pile

    def _turn_of(self, seat):
        self.active, self.drawn, self.bought_this_turn = seat, False, False
        self.turns[seat] += 1

    def _reshuffle(self, e):
        self.stock_before = len(self.stock)
        self.layers.append(list(e["stock"]))
        del self.pile[:-1]

    def _take(self, card):
        next(layer for layer in self.layers if layer).remove(card)

    def _buy(self, e):
        seat = e["seat"]
        self.pile.pop()
        for card in e["penalty"]:
            self._take(card)
        self.hands[seat] += [e["card"], *e["penalty"]]
        self.bought[seat] += 1
        self.bought_in_game[seat] += 1
        self.blocked[seat] = self.turns[seat] + 1 if self.o["buy"]["no_meld_next_turn"] else 0
        self.bought_this_turn, self.stock_before = True, None

    def _draw(self, e):
        if e["from"] == "discard":
            self.pile.pop()
        elif e["from"] == "stock":
            self._take(e["card"])
        self.hands[e["seat"]] += [e["card"]] if e["card"] else []
        self.drawn, self.stock_before = True, None

    def _lay_down(self, e):
        for meld in e["melds"]:
            self.melds.append({**meld, "cards": list(meld["cards"])})
            for card in meld["cards"]:
                self.hands[e["seat"]].remove(card)
        self.down[e["seat"]] = self.turns[e["seat"]]
        self.over = not self.hands[e["seat"]]

    def _lay_off(self, e):
        meld = self.melds[e["meld"]]
        meld["cards"].insert(0 if e["end"] == "low" else len(meld["cards"]), e["card"])
        if e["end"] == "low":
            meld["low"] -= 1
        if self.freed is None:
            self.hands[e["seat"]].remove(e["card"])
        self.freed = None
        self.over = not self.hands[e["seat"]]

    def _swap(self, e):
        cards = self.melds[e["meld"]]["cards"]
        places = [
            i for i, wild in enumerate(cards) if wild == e["wild"] and self.stands(e["meld"], i, e["card"])
        ]
        cards[places[0]] = e["card"]
        self.hands[e["seat"]].remove(e["card"])
        if e["to"] == "hand":
            self.hands[e["seat"]].append(e["wild"])
        else:
            self.freed = e["wild"]

    def _discard(self, e):
        self.hands[e["seat"]].remove(e["card"])
        self.pile.append((e["card"], e["seat"]))
        self.over = not self.hands[e["seat"]]
        if not self.over:
            self._turn_of((e["seat"] + 1) % self.players)

    def _deal_end(self, e):
        if not self.sudden_death:
            self.totals = [a + b for a, b in zip(self.totals, e["scores"], strict=True)]

    def _sudden_death(self, _):
        self.sudden_death = True

    def _game_end(self, _):
        pass

    # --- questions ---

    @property
    def stock(self):
        return [card for layer in self.layers for card in layer]

    @property
    def top(self):
        return self.pile[-1][0]

    @property
    def hand(self):
        return self.hands[self.active]

    def wild(self, card):
        return is_wild(self.o, card)

    def natural(self, card):
        return card != "JK" and not self.wild(card)

    def naturals(self, meld):
        return [card for card in meld["cards"] if self.natural(card)]

    def over_wild_limits(self, cards):
        """Tell whether a meld of these cards has more wilds than the options allow at lay-down."""
        rules, wilds = self.o["meld"], sum(map(self.wild, cards))
        naturals = len(cards) - wilds
        outnumbered = {"no": False, "at-least-equal": wilds > naturals, "strictly": wilds >= naturals}
        over = rules["max_wilds"] != "any" and wilds > rules["max_wilds"]
        return over or (len(cards) > 0 and outnumbered[rules["naturals_outnumber_wilds"]])

    def stands(self, number, i, card):
        """Tell whether the natural is what the meld's i-th card, a wild, stands for."""
        meld = self.melds[number]
        if meld["kind"] == "run":
            return card == RANKS[(meld["low"] + i - 1) % 13] + meld["suit"]
        return card[0] in {c[0] for c in self.naturals(meld)[:1] or [card]}

    def fits(self, card):
        """All (meld, end) where a natural goes."""
        found = []
        for number, meld in enumerate(self.melds if self.natural(card) else []):
            if meld["kind"] == "set":
                found += (
                    [(number, None)] if card[0] in {c[0] for c in self.naturals(meld)[:1] or [card]} else []
                )
                continue
            for end, position in [("low", meld["low"] - 1), ("high", meld["low"] + len(meld["cards"]))]:
                inside = self.first <= position <= self.last
                if inside and card == RANKS[(position - 1) % 13] + meld["suit"]:
                    found.append((number, end))
        return found

    @property
    def first(self):
        return 2 if self.o["cards"]["ace"] == "high" else 1

    @property
    def last(self):
        return 13 if self.o["cards"]["ace"] == "low" else 14

    def swaps(self, hand):
        """All (card, meld, wild) where a natural of the hand stands for a wild, whatever the option on swaps."""
        return [
            (card, number, wild)
            for number, meld in enumerate(self.melds)
            for i, wild in enumerate(meld["cards"])
            for card in sorted(set(hand))
            if self.wild(wild) and self.natural(card) and self.stands(number, i, card)
        ]

    def may_play(self, seat):
        """Tell whether the seat may lay off now."""
        same = self.o["meld"]["lay_off_same_turn"]
        timely = self.down[seat] and (self.down[seat] < self.turns[seat] or same)
        ready = self.drawn and self.freed is None and not self.over
        return ready and seat == self.active and timely and self.blocked[seat] != self.turns[seat]

    def per_deal(self, value):
        return value[min(self.deal, self.n_deals) - 1] if isinstance(value, list) else value

    def at_limit(self, seat):
        """Return which limits on buys the seat has reached: "deal", "game"."""
        limits = {
            "deal": (self.per_deal(self.o["buy"]["per_deal"]), self.bought),
            "game": (self.o["buy"]["per_game"], self.bought_in_game),
        }
        return {name for name, (limit, n) in limits.items() if limit != "unlimited" and n[seat] >= limit}

    def can_buy(self, seat, but=()):
        """Tell whether a seat may buy the top discard, leaving out some conditions."""
        broken = self.at_limit(seat)
        if seat == self.active:
            broken.add("active")
        if not self.pile:
            broken.add("no card")
        elif self.pile[-1][1] == seat and not self.o["buy"]["own_discard"]:
            broken.add("discarder")
        if self.down[seat] and not self.o["buy"]["after_laying_down"]:
            broken.add("down")
        return broken <= set(but)

    def buy(self, seat):
        """Return the event of buying the top discard, with the penalty cards due if the stock has them."""
        penalty = self.stock[: self.o["buy"]["penalty_cards"]]
        return {"event": "buy", "seat": seat, "card": self.top, "penalty": penalty}

    def pays(self):
        return len(self.stock) >= self.o["buy"]["penalty_cards"]

    def absent(self, hand, wanted=lambda _: True):
        """Return a natural card that is not in the hand, the wanted kind, or None."""
        return next((c for c in ORDER if c not in hand and self.natural(c) and wanted(c)), None)
