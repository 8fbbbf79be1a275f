"""A naive dealer: plays random legal games as transcripts, without the package under test or the referee.

It looks for legal moves by constructing them, where the referee judges finished ones. Deals are stacked (any
order of the cards is a legal deal), so that contracts do go down.
"""

import random

from .naive_melds import Finder, limits
from .naive_rules import ORDER, RANKS, all_cards, is_wild, points


class NaiveGame:
    """One game; ``events`` is its transcript."""

    def __init__(self, options, players, seed, coupling="pile", deals=None):
        self.o, self.players, self.coupling = options, players, coupling
        self.rng = random.Random(f"{seed} {coupling}")
        self.n_deals = len(options["deal"]["contracts"])
        self.bought_in_game = [0] * players
        self.events = []
        self.say("game", version=1, rules=options["name"], options=options, seed=seed, game=0,
                 coupling=coupling, policies=["random"] * players)  # fmt: skip
        totals = [0] * players
        for deal in deals or range(1, self.n_deals + 1):
            totals = [a + b for a, b in zip(totals, self.play_deal(deal), strict=True)]
        winners = [seat for seat in range(players) if totals[seat] == min(totals)]
        if len(winners) > 1 and options["score"]["tie"] == "sudden-death":
            self.say("sudden-death", seats=winners)
            scores = self.play_deal(self.n_deals + 1)
            best = min(scores[seat] for seat in winners)
            winners = [seat for seat in winners if scores[seat] == best]
        self.say("game-end", totals=totals, winners=winners)

    def say(self, event, **values):
        self.events.append({"event": event, **values})

    def chance(self, p):
        return self.rng.random() < p

    def at(self, value):
        return value[min(self.deal, self.n_deals) - 1] if isinstance(value, list) else value

    def wild(self, card):
        return is_wild(self.o, card)

    def dead(self, card):
        return card == "JK" and not self.wild(card)

    # --- a deal ---

    def play_deal(self, deal):
        self.deal = deal
        self.last = deal >= self.n_deals
        named = self.o["score"]["sudden_death_contract"]
        text = named if deal > self.n_deals and named != "last" else self.at(self.o["deal"]["contracts"])
        self.contract = [(word[0], int(word[1:])) for word in text.split()]
        self.whole = self.last and self.o["go_out"]["last_deal_takes_whole_hand"]
        natural_only = min(deal, self.n_deals) in self.o["deal"]["natural_only"]
        self.finder = Finder(self.o, self.wild, self.rng, self.contract, natural_only, self.whole)
        players = range(self.players)
        self.melds, self.down = [], [0 for _ in players]  # down: own turn number
        self.turns, self.bought, self.blocked = ([0 for _ in players] for _ in range(3))
        self.melded_wild = [False for _ in players]
        dealer = (deal - 1) % self.players
        first = (dealer + 1) % self.players
        extra = self.o["deal"]["first_player_extra_card"]
        deck = all_cards(self.o, self.players)
        self.rng.shuffle(deck)
        size = self.at(self.o["deal"]["hand_size"])
        self.hands = [self.stack(deck, size + (extra and seat == first)) for seat in players]
        self.pile = [] if extra else [(deck.pop(), None)]
        self.stock = [deck]
        if self.coupling == "seat":
            deck.sort(key=ORDER.index)
        self.say("deal", deal=deal, contract=text, dealer=dealer, hands=[list(hand) for hand in self.hands],
                 upcard=self.pile[0][0] if self.pile else None, stock=list(deck))  # fmt: skip
        seat, reason = first, None
        while reason is None:
            if self.turns[seat] == self.o["stock"]["turn_limit"]:
                reason = "turn-limit"
            else:
                self.turns[seat] += 1
                reason = self.turn(seat)
                if reason is None:
                    seat = (seat + 1) % self.players
        winner = seat if reason == "out" else None
        scores = [sum(points(self.o, card) for card in hand) for hand in self.hands]
        if winner is not None:
            scores[winner] = self.bonus(winner)
        self.say("deal-end", winner=winner, reason=reason, scores=scores)
        return scores

    def stack(self, deck, size):
        """Deal a hand from the deck, often with most of a contract in it."""
        hand = []
        if self.chance(0.8):
            some = self.rng.sample(deck, min(len(deck), 40))
            melds = self.finder.find(some, whole=False) or []
            for card in [card for meld in melds for card in meld["cards"]][
                : size - self.rng.choice([0, 0, 1])
            ]:
                deck.remove(card)
                hand.append(card)
        while len(hand) < size:
            hand.append(deck.pop())
        self.rng.shuffle(hand)
        return hand

    def bonus(self, seat):
        score, figures = self.o["score"], [0]
        for name, due in [
            ("first_turn", self.turns[seat] == 1),
            ("one_turn", self.down[seat] == self.turns[seat]),
        ]:
            if due:
                plain, natural = score[f"{name}_bonus"], score[f"{name}_bonus_without_wild"]
                figures.append(plain if self.melded_wild[seat] or not natural else natural)
        return min(figures)

    # --- a turn: returns the reason the deal ended, or None ---

    def turn(self, seat):
        if self.turns[seat] > 1 or self.pile:
            if not self.draw(seat):
                return "stock-empty"
            if self.blocked[seat] != self.turns[seat]:
                self.play(seat)
        if not self.hands[seat]:
            return "out"
        card = self.worst(self.hands[seat])
        self.hands[seat].remove(card)
        self.pile.append((card, seat))
        self.say("discard", seat=seat, card=card)
        return None if self.hands[seat] else "out"

    def worst(self, hand):
        def use(card):
            if self.wild(card):
                return 9
            near = [abs(ORDER.index(c) - ORDER.index(card)) for c in hand if c[1] == card[1]]
            return sum(c[0] == card[0] for c in hand) + sum(d < 3 for d in near) + self.rng.random()

        return self.rng.choice(hand) if self.chance(0.1) else min(hand, key=use)

    def left(self):
        return sum(len(layer) for layer in self.stock)

    def reshuffle_for(self, n):
        if self.left() < n and len(self.pile) > 1 and self.o["stock"]["when_empty"] == "reshuffle":
            cards = [card for card, _ in self.pile[:-1]]
            self.rng.shuffle(cards)
            if self.coupling == "seat":
                cards.sort(key=ORDER.index)
            self.pile = self.pile[-1:]
            self.stock.append(cards)
            self.say("reshuffle", stock=list(cards))

    def take(self):
        layer = next(layer for layer in self.stock if layer)
        return layer.pop(0 if self.coupling == "pile" else self.rng.randrange(len(layer)))

    def draw(self, seat):
        top = self.pile[-1][0]
        if not self.down[seat] or self.o["draw"]["discard_after_laying_down"]:
            fine = not self.down[seat] and self.finder.find([*self.hands[seat], top], self.whole)
            if self.chance(0.9 if fine else 0.2):
                self.pile.pop()
                self.hands[seat].append(top)
                self.say("draw", seat=seat, **{"from": "discard"}, card=top)
                return True
        ends = self.o["stock"]["when_empty"] == "end-deal"
        if not (ends and not self.left()):
            self.offer(seat)
        if ends and not self.left():
            return False
        self.reshuffle_for(1)
        card = self.take() if self.left() else None
        if card:
            self.hands[seat].append(card)
        self.say("draw", seat=seat, **{"from": "stock" if card else "none"}, card=card)
        return True

    def offer(self, active):
        rules = self.o["buy"]
        top, discarder = self.pile[-1]
        for seat in [(active + i) % self.players for i in range(1, self.players)]:
            limits = [(self.at(rules["per_deal"]), self.bought), (rules["per_game"], self.bought_in_game)]
            full = any(limit != "unlimited" and count[seat] >= limit for limit, count in limits)
            down = self.down[seat] and not rules["after_laying_down"]
            own = seat == discarder and not rules["own_discard"]
            if full or down or own or self.chance(0.85):
                continue
            self.reshuffle_for(rules["penalty_cards"])
            self.pile.pop()
            penalty = [self.take() for _ in range(min(rules["penalty_cards"], self.left()))]
            self.hands[seat] += [top, *penalty]
            self.bought[seat] += 1
            self.bought_in_game[seat] += 1
            self.blocked[seat] = self.turns[seat] + 1 if rules["no_meld_next_turn"] else 0
            self.say("buy", seat=seat, card=top, penalty=penalty)
            return

    # --- the table ---

    def play(self, seat):
        hand, keep = self.hands[seat], 0 if self.o["go_out"]["discard"] == "optional" else 1
        if not self.down[seat]:
            melds = self.finder.find(hand, self.whole)
            n = sum(len(meld["cards"]) for meld in melds or [])
            if not melds or (n != len(hand) if self.whole else len(hand) - n < keep):
                return
            for number, meld in enumerate(melds, start=len(self.melds)):
                meld["meld"] = number
                for card in meld["cards"]:
                    hand.remove(card)
                    self.melded_wild[seat] |= self.wild(card)
            self.melds += melds
            self.down[seat] = self.turns[seat]
            self.say("lay-down", seat=seat, melds=[{**meld, "cards": list(meld["cards"])} for meld in melds])
        if self.down[seat] == self.turns[seat] and not self.o["meld"]["lay_off_same_turn"]:
            return
        while hand and self.chance(0.8):
            offs = [(card, *place) for card in sorted(set(hand)) for place in self.places(card)]
            swaps = self.swaps(hand, keep)
            if swaps and self.chance(0.8):
                self.swap(seat, *self.rng.choice(swaps))
            elif offs and len(hand) > keep:
                card, number, end = self.rng.choice(offs)
                hand.remove(card)
                self.lay_off(seat, card, number, end)
            else:
                return

    def span(self):
        ace = self.o["cards"]["ace"]
        return (2 if ace == "high" else 1), (13 if ace == "low" else 14)

    def places(self, card):
        """All (meld number, end) where a card can be laid off."""
        found, (first, last) = [], self.span()
        for meld in self.melds:
            cards = meld["cards"]
            loose = self.o["meld"]["wild_limits"] == "lay-down"
            if self.dead(card) or not (loose or limits(self.o, self.wild, [*cards, card])):
                continue
            if meld["kind"] == "set":
                rank = next((c[0] for c in cards if not self.wild(c)), card[0])
                if self.wild(card) or card[0] == rank:
                    found.append((meld["meld"], None))
                continue
            for end, position in [("low", meld["low"] - 1), ("high", meld["low"] + len(cards))]:
                fits = self.wild(card) or card == RANKS[(position - 1) % 13] + meld["suit"]
                if first <= position <= last and fits:
                    found.append((meld["meld"], end))
        return found

    def lay_off(self, seat, card, number, end):
        meld = self.melds[number]
        meld["cards"].insert(0 if end == "low" else len(meld["cards"]), card)
        if end == "low":
            meld["low"] -= 1
        self.melded_wild[seat] |= self.wild(card)
        self.say("lay-off", seat=seat, meld=number, card=card, end=end)

    def swaps(self, hand, keep):
        """All (card, meld number, place in it) of swaps; to the table only if the wild can go somewhere."""
        found, rules = [], self.o["swap"]
        for meld in self.melds:
            if rules["melds"] == "none" or (meld["kind"] == "set" and rules["melds"] == "runs"):
                continue
            rank = next((c[0] for c in meld["cards"] if not self.wild(c)), None)
            for i, wild in enumerate(meld["cards"]):
                for card in sorted(
                    {c for c in hand if self.wild(wild) and not self.wild(c) and not self.dead(c)}
                ):
                    if meld["kind"] == "set":
                        stands = rank in {None, card[0]}
                    else:
                        stands = card == RANKS[(meld["low"] + i - 1) % 13] + meld["suit"]
                    if stands and (rules["freed_wild"] == "hand" or len(hand) > keep):
                        meld["cards"][i] = card
                        if rules["freed_wild"] == "hand" or self.places(wild):
                            found.append((card, meld["meld"], i))
                        meld["cards"][i] = wild
        return found

    def swap(self, seat, card, number, i):
        meld, to = self.melds[number], self.o["swap"]["freed_wild"]
        wild, meld["cards"][i] = meld["cards"][i], card
        self.hands[seat].remove(card)
        self.say("swap", seat=seat, meld=number, card=card, wild=wild, to=to)
        if to == "hand":
            self.hands[seat].append(wild)
        else:
            self.lay_off(seat, wild, *self.rng.choice(self.places(wild)))
