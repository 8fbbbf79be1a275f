"""A whole game, event by event: which event may come when, the deals in order, totals and winners."""

from .options import check_options, last_deal
from .scoring import lowest
from .shapes import check_event
from .table import Table
from .violation import ViolationError, need

FORMATS = "FORMATS, Transcript"


def check_transcript(events, deals=None):
    """Judge the transcript of one game, as in FORMATS "Transcript".

    Parameters
    ----------
    events : list of dict
        The events, one dict each, as read from JSON Lines.
    deals : sequence of int, optional
        Numbers of the deals that had to be played (as with ``--deals``; sudden death not counted). Left
        out, any ascending choice of the ruleset's deals is accepted: the transcript does not say.

    Returns
    -------
    list of str
        What is wrong: ``"event 12 (lay-off): what (RULES 5)"``, events counted from 0. Empty: a legal
        game. Judging stops at the first event that breaks a rule, as what follows stands on a broken table.
    """
    game = Game(None if deals is None else list(deals))
    for number, event in enumerate(events):
        try:
            game.event(event)
        except ViolationError as violation:
            name = event.get("event") if isinstance(event, dict) else event
            return [f"event {number} ({name}): {violation}"]
    try:
        need(game.last == "game-end", "the transcript breaks off before game-end", FORMATS)
    except ViolationError as violation:
        return [f"event {len(events)} (end): {violation}"]
    return []


def require_legal(events, deals=None):
    """Raise a ViolationError that says what is wrong with the transcript, if anything is."""
    for violation in check_transcript(events, deals):
        raise ViolationError(violation)


class Game:
    """A game in progress; ``last`` is the name of the last event between deals, or "playing" within one."""

    def __init__(self, deals):
        self.wanted = deals
        self.played = []
        self.last = None
        self.tied = None  # the seats of a sudden death, once announced
        self.winners = None  # settled by a sudden-death deal

    def event(self, event):
        check_event(event)
        name = event["event"]
        handler = {
            "game": self._game,
            "deal": self._deal,
            "sudden-death": self._sudden_death,
            "game-end": self._game_end,
        }.get(name, self._move)
        handler(event)

    def _game(self, event):
        need(self.last is None, "the game event is the first", FORMATS)
        self.players = len(event["policies"])
        check_options(event["options"], self.players)
        self.options, self.coupling = event["options"], event["coupling"]
        self.totals = [0] * self.players
        self.bought = [0] * self.players
        self.last = "game"

    def _after(self, *names):
        need(self.last in names, f"out of place: before it comes {' or '.join(names)}", FORMATS)

    def _deal(self, event):
        self._after("game", "deal-end", "sudden-death")
        number, n = event["deal"], last_deal(self.options)
        if self.last == "sudden-death":
            need(number == n + 1, f"sudden death is deal {n + 1}", "RULES 7")
        else:
            need(self.winners is None, "after sudden death the game is over", "RULES 7")
            need(number <= n, f"there are {n} deals", "RULES 8")
            need(not self.played or number > self.played[-1], "deals out of order", "RULES 8")
            if self.wanted is not None:
                due = self.wanted[len(self.played) : len(self.played) + 1]
                need(due == [number], f"deals {self.wanted} were asked for", "FORMATS, Commands")
            self.played.append(number)
        self.table = Table(self.options, self.players, self.coupling, event, self.bought)
        self.last = "playing"

    def _move(self, event):
        self._after("playing")
        need(event.get("seat", 0) < self.players, "no such seat", FORMATS)
        if event["event"] == "deal-end":
            self.table.end(event)
            self._score(event["scores"])
            self.last = "deal-end"
            return
        moves = {
            "reshuffle": self.table.reshuffle,
            "buy": self.table.buy,
            "draw": self.table.draw,
            "lay-down": self.table.lay_down,
            "lay-off": self.table.lay_off,
            "swap": self.table.swap,
            "discard": self.table.discard,
        }
        moves[event["event"]](event)
        # Cards are neither made nor lost: a check of this referee as much as of the game.
        need(self.table.has_all_cards(), "cards made or lost", "RULES 1")

    def _score(self, scores):
        if self.tied is None:
            self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        else:
            # RULES 7: totals do not change; among the tied the lower score wins, or they share.
            self.winners = lowest(scores, self.tied)

    def _all_deals_played(self):
        done = self.wanted is None or self.played == self.wanted
        need(done and self.played, f"deals {self.wanted} were asked for", "FORMATS, Commands")

    def _sudden_death(self, event):
        self._after("deal-end")
        need(self.tied is None, "one sudden death at most", "RULES 7")
        self._all_deals_played()
        need(self.options["score"]["tie"] == "sudden-death", "a tie is shared under this option", "RULES 7")
        tied = lowest(self.totals, range(self.players))
        need(len(tied) > 1, "no tie for the lowest", "RULES 7")
        need(event["seats"] == tied, f"the tied are {tied}", "RULES 7")
        self.tied = tied
        self.last = "sudden-death"

    def _game_end(self, event):
        self._after("deal-end")
        self._all_deals_played()
        need(event["totals"] == self.totals, f"the totals are {self.totals}", "RULES 7")
        winners = self.winners
        if winners is None:
            winners = lowest(self.totals, range(self.players))
            shared = self.options["score"]["tie"] == "shared"
            need(len(winners) == 1 or shared, "a tie is settled by sudden death", "RULES 7")
        need(event["winners"] == winners, f"the winners are {winners}", "RULES 7")
        self.last = "game-end"
