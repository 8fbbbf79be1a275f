"""One deal: what lies where, whose turn it is, and each move checked against RULES before it is made."""

from collections import Counter

from .cards import all_cards_of, is_wild
from .melds import check_contract, grown, has_place, swapped
from .options import buy_limit_in, contract_of, hand_size_in, whole_hand_in
from .scoring import deal_scores
from .stock import Stock
from .violation import need


class Table:
    """A deal in progress; every method is one event of the transcript.

    ``stage``: "draw" (the active player has to draw; others may buy), "play" (after the draw), "discard" (a
    turn that is a discard alone), "over" (only `deal-end` may follow).
    """

    def __init__(self, options, players, coupling, event, bought_in_game):
        self.options, self.players = options, players
        self.deal = event["deal"]
        self.bought_in_game = bought_in_game  # runs on from deal to deal (RULES 4)
        self.bought = [0] * players
        self.turns = [0] * players
        self.down_in_turn = [None] * players  # own turn number of laying down
        self.no_meld_in_turn = [None] * players  # own turn number in which a buyer may not meld
        self.melded_wild = [False] * players
        self.melds = []
        self.freed = None  # a swapped wild that has to be laid off next
        self.stock_before_reshuffle = None  # set right after a reshuffle
        self.over = None  # "out" or "turn-limit"
        self._check_deal(event)
        self.hands = [Counter(hand) for hand in event["hands"]]
        self.stock = Stock(coupling)
        self.stock.put_under(event["stock"])
        # The pile remembers who discarded; nobody discarded the turned-up card (RULES 3: either may buy it).
        self.pile = [] if event["upcard"] is None else [(event["upcard"], None)]
        # RULES 2: the player to the dealer's left plays first.
        self._begin_turn((event["dealer"] + 1) % players)
        if options["deal"]["first_player_extra_card"]:
            self.stage = "discard"  # RULES 2: that first turn, counted as a turn, is a discard alone

    def _check_deal(self, event):
        contract = " ".join(f"{kind[0].upper()}{size}" for kind, size in contract_of(self.options, self.deal))
        need(event["contract"] == contract, f"the contract is {contract}", "RULES 8")
        # RULES 2 and 7: seat 0 deals first, the dealer moves on each deal and into sudden death.
        need(event["dealer"] == (self.deal - 1) % self.players, "not that seat's deal", "RULES 2")
        extra = self.options["deal"]["first_player_extra_card"]
        need((event["upcard"] is None) == extra, "a card turned up, or none, against the option", "RULES 2")
        need(len(event["hands"]) == self.players, "a hand for each player", "RULES 2")
        for seat, hand in enumerate(event["hands"]):
            first = seat == (event["dealer"] + 1) % self.players
            size = hand_size_in(self.options, self.deal) + (1 if extra and first else 0)
            need(len(hand) == size, f"seat {seat} gets {size} cards", "RULES 2")
        cards = Counter(event["stock"]) + Counter([] if extra else [event["upcard"]])
        for hand in event["hands"]:
            cards += Counter(hand)
        self.packs = all_cards_of(self.options, self.players)
        need(cards == self.packs, "the cards are not exactly the packs and jokers", "RULES 1")

    # --- the cards ---

    def _take_from_hand(self, seat, cards):
        missing = Counter(cards) - self.hands[seat]
        need(not missing, f"seat {seat} does not hold {sorted(missing)}", "RULES 3")
        self.hands[seat] -= Counter(cards)

    def cards_in_hand(self, seat):
        return sum(self.hands[seat].values())

    def has_all_cards(self):
        """Return whether the cards, wherever they lie, are the packs: it must never change."""
        cards = [*self.stock.cards(), *(card for card, _ in self.pile)]
        for hand in self.hands:
            cards += hand.elements()
        for meld in self.melds:
            cards += meld["cards"]
        if self.freed is not None:
            cards.append(self.freed)
        # As dicts, which compare fast: no count is 0 here, and it is asked after every move.
        return dict(Counter(cards)) == dict(self.packs)

    # --- turns ---

    def _begin_turn(self, seat):
        self.active, self.stage, self.bought_this_turn = seat, "draw", False
        if self.turns[seat] == self.options["stock"]["turn_limit"]:
            # RULES 6: the deal ends before a player would take more turns than the limit.
            self.stage, self.over = "over", "turn-limit"
        else:
            self.turns[seat] += 1

    def _end_if_hand_is_empty(self, seat):
        # RULES 6: a deal ends at once when a hand is empty. A freed wild still has to be laid off.
        if self.cards_in_hand(seat) == 0 and self.freed is None:
            self.stage, self.over = "over", "out"

    def _need_stage(self, *stages):
        need(self.over is None, "the deal is over", "RULES 6")
        need(self.stage in stages, f"out of place: the stage of the turn is {self.stage}", "RULES 3")

    # --- reshuffle, buy, draw (RULES 3, 4, 6) ---

    def reshuffle(self, event):
        self._need_stage("draw")
        shuffles = self.options["stock"]["when_empty"] == "reshuffle"
        need(shuffles, "nothing is shuffled under this option", "RULES 6")
        need(self.stock_before_reshuffle is None, "two reshuffles on end", "RULES 6")
        # Only when the stock has too few cards for a draw, or for a penalty that can still become due.
        due = 1 if self.bought_this_turn else max(1, self.options["buy"]["penalty_cards"])
        need(len(self.stock) < due, "the stock has cards enough", "RULES 6")
        # The pile without its top card (which is the card being bought, in a buy).
        under = [card for card, _ in self.pile[:-1]]
        need(under, "the pile has no card to give", "RULES 6")
        exact = Counter(event["stock"]) == Counter(under)
        need(exact, "not exactly the pile without its top card", "RULES 6")
        self.stock_before_reshuffle = len(self.stock)
        self.stock.put_under(event["stock"])
        self.pile = self.pile[-1:]

    def _too_few(self, wanted):
        """Refuse a missing or needless reshuffle for a draw or penalty of so many cards."""
        before = self.stock_before_reshuffle
        if before is not None:
            need(before < wanted, f"a reshuffle without need: {before} cards for {wanted}", "RULES 6")
        elif self.options["stock"]["when_empty"] == "reshuffle" and len(self.stock) < wanted:
            need(len(self.pile) <= 1, "a reshuffle is missing before it", "RULES 6")
        self.stock_before_reshuffle = None

    def buy(self, event):
        self._need_stage("draw")  # before the active player's draw, not in a turn that is a discard alone
        seat, rules = event["seat"], self.options["buy"]
        need(not self.bought_this_turn, "a second buy in one turn", "RULES 3")
        need(seat != self.active, "the active player does not buy", "RULES 3")
        top, discarder = self.pile[-1] if self.pile else (None, None)
        need(top == event["card"], f"{event['card']} is not the top discard", "RULES 3")
        need(
            discarder != seat or rules["own_discard"], "who discarded the card may not buy it back", "RULES 3"
        )
        limit = buy_limit_in(self.options, self.deal)
        within = limit == "unlimited" or self.bought[seat] < limit
        need(within, f"over the limit of {limit} a deal", "RULES 4")
        limit = rules["per_game"]
        within = limit == "unlimited" or self.bought_in_game[seat] < limit
        need(within, f"over the limit of {limit} a game", "RULES 4")
        down = self.down_in_turn[seat] is not None
        need(not down or rules["after_laying_down"], "no buying once the own contract is down", "RULES 4")
        if self.options["stock"]["when_empty"] == "end-deal":
            need(len(self.stock) > 0, "the stock is empty when chosen: nobody buys", "RULES 6")
        self._too_few(rules["penalty_cards"])
        # RULES 6: a buyer pays the penalty cards there are.
        n = min(rules["penalty_cards"], len(self.stock))
        need(len(event["penalty"]) == n, f"{n} penalty cards are due", "RULES 3")
        self.pile.pop()
        self.hands[seat][event["card"]] += 1
        for card in event["penalty"]:
            self.stock.take(card)
            self.hands[seat][card] += 1
        self.bought[seat] += 1
        self.bought_in_game[seat] += 1
        self.bought_this_turn = True
        if rules["no_meld_next_turn"]:
            self.no_meld_in_turn[seat] = self.turns[seat] + 1

    def draw(self, event):
        self._need_stage("draw")
        seat, source, card = event["seat"], event["from"], event["card"]
        need(seat == self.active, f"it is the turn of seat {self.active}", "RULES 3")
        if source == "discard":
            need(self.stock_before_reshuffle is None, "a reshuffle without need", "RULES 6")
            # RULES 3: after a buy the discard then on top is offered to nobody.
            need(not self.bought_this_turn, "after a buy the active player draws from the stock", "RULES 3")
            down = self.down_in_turn[seat] is not None
            free = self.options["draw"]["discard_after_laying_down"]
            need(not down or free, "once the contract is down, only from the stock", "RULES 3")
            need(self.pile and self.pile[-1][0] == card, f"{card} is not the top discard", "RULES 3")
            self.pile.pop()
        else:
            ends = self.options["stock"]["when_empty"] == "end-deal" and len(self.stock) == 0
            need(not ends, "the deal ends when the stock is empty", "RULES 6")
            self._too_few(1)
            if source == "stock":
                self.stock.take(card)
            else:
                need(len(self.stock) == 0, "there is a card to draw", "RULES 6")
        if card is not None:
            self.hands[seat][card] += 1
        self.stage = "play"

    # --- the table (RULES 3, 5, 6) ---

    def _may_leave(self, left):
        # RULES 6: the last card must be a discard, or by option may be laid down or off.
        optional = self.options["go_out"]["discard"] == "optional"
        need(left > 0 or optional, "a card must be kept to discard", "RULES 6")

    def _need_play(self, seat):
        self._need_stage("play")
        need(seat == self.active, f"it is the turn of seat {self.active}", "RULES 3")
        # RULES 4: by option a buyer may not meld in the next turn.
        need(self.no_meld_in_turn[seat] != self.turns[seat], "no melding in the turn after buying", "RULES 4")

    def _need_down(self, seat):
        down = self.down_in_turn[seat]
        need(down is not None, "the own contract is not down", "RULES 3")
        same = self.options["meld"]["lay_off_same_turn"]
        need(down < self.turns[seat] or same, "not in the turn of laying down", "RULES 5")

    def _meld(self, number):
        need(0 <= number < len(self.melds), f"there is no meld {number}", "FORMATS, Transcript")
        return self.melds[number]

    def lay_down(self, event):
        seat, melds = event["seat"], event["melds"]
        self._need_play(seat)
        need(self.down_in_turn[seat] is None, "a second lay-down in the deal", "RULES 3")
        check_contract(self.options, self.deal, melds)
        numbers = [meld["meld"] for meld in melds]
        right = list(range(len(self.melds), len(self.melds) + len(melds)))
        need(numbers == right, f"the melds are numbered {right}", "FORMATS, Transcript")
        cards = [card for meld in melds for card in meld["cards"]]
        self._take_from_hand(seat, cards)
        left = self.cards_in_hand(seat)
        if whole_hand_in(self.options, self.deal):
            need(left == 0, "the contract must take in every card of the hand", "RULES 6")
        else:
            self._may_leave(left)
        self.melds += [{**meld, "cards": list(meld["cards"])} for meld in melds]
        self.down_in_turn[seat] = self.turns[seat]
        self.melded_wild[seat] = any(is_wild(self.options, card) for card in cards)
        self._end_if_hand_is_empty(seat)

    def lay_off(self, event):
        seat, card = event["seat"], event["card"]
        self._need_play(seat)
        self._need_down(seat)
        meld = grown(self.options, self._meld(event["meld"]), card, event["end"])
        if self.freed is None:
            self._take_from_hand(seat, [card])
        else:
            need(card == self.freed, f"the freed {self.freed} is laid off first", "RULES 5")
            self.freed = None
        self._may_leave(self.cards_in_hand(seat))
        self.melds[event["meld"]] = meld
        self.melded_wild[seat] = self.melded_wild[seat] or is_wild(self.options, card)
        self._end_if_hand_is_empty(seat)

    def swap(self, event):
        seat, card, wild = event["seat"], event["card"], event["wild"]
        self._need_play(seat)
        self._need_down(seat)
        need(self.freed is None, f"the freed {self.freed} is laid off first", "RULES 5")
        to = event["to"]
        need(to == self.options["swap"]["freed_wild"], f"freed wilds do not go to the {to}", "RULES 5")
        meld = swapped(self.options, self._meld(event["meld"]), card, wild)
        self._take_from_hand(seat, [card])
        self.melds[event["meld"]] = meld
        if to == "hand":
            self.hands[seat][wild] += 1
        else:
            # RULES 6: no swap whose wild must be laid off may leave the hand empty, unless by option.
            self._may_leave(self.cards_in_hand(seat))
            # RULES 5: without a legal place for the wild there is no swap.
            need(has_place(self.options, self.melds, wild), f"no place for the freed {wild}", "RULES 5")
            self.freed = wild

    def discard(self, event):
        seat, card = event["seat"], event["card"]
        self._need_stage("play", "discard")  # after the draw; exactly one, as the turn then passes (RULES 3)
        need(seat == self.active, f"it is the turn of seat {self.active}", "RULES 3")
        need(self.freed is None, f"the freed {self.freed} is laid off first", "RULES 5")
        self._take_from_hand(seat, [card])
        self.pile.append((card, seat))
        self._end_if_hand_is_empty(seat)
        if self.over is None:
            self._begin_turn((seat + 1) % self.players)  # clockwise

    # --- the end (RULES 6, 7) ---

    def end(self, event):
        reason = self.over
        if reason is None:
            ends = self.options["stock"]["when_empty"] == "end-deal"
            empty = ends and self.stage == "draw" and len(self.stock) == 0
            need(empty, "nothing ends the deal here", "RULES 6")
            reason = "stock-empty"
        need(event["reason"] == reason, f"the deal ended by {reason}", "RULES 6")
        winner = self.active if reason == "out" else None
        need(event["winner"] == winner, f"the winner is {winner}", "RULES 6")
        scores = deal_scores(self, winner)
        need(event["scores"] == scores, f"the scores are {scores}", "RULES 7")
