"""Verdict cards: what a court found of each tip, as data and in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from shanghai_sim.experiments.saving import save_result
from shanghai_sim.experiments.tips.court import Budget, Found
from shanghai_sim.experiments.tips.docket import Docket, Untried
from shanghai_sim.experiments.tips.rows import card_rows
from shanghai_sim.experiments.tips.ruling import Ruling, Word
from shanghai_sim.experiments.tips.tip import Tip

if TYPE_CHECKING:
    import pandas as pd

GOOD, BAD = (Word.TRUE, Word.SMALL), (Word.FALSE,)


@frozen
class Card:
    """What was found of a tip.

    Attributes
    ----------
    tip : Tip
    rulings : tuple of Ruling
        Of all its trials that are judged; the first is the tip's.
    cells : tuple of Ruling
        Of the tip at other tables.
    untried : tuple of Untried
        What could not be tried, and why.
    decisions : dict or None
        Share of the decisions that it changes, `share` with `low` and `high`, and `games` behind it.
    """

    tip: Tip
    rulings: tuple[Ruling, ...]
    cells: tuple[Ruling, ...]
    untried: tuple[Untried, ...]
    decisions: dict[str, Any] | None

    @property
    def main(self) -> Ruling | None:
        """The ruling of the tip itself; None: it cannot be tried under these rules."""
        return next((r for r in self.rulings if r.trial.is_main), None)

    @property
    def second(self) -> Ruling | None:
        """The ruling of the tip followed by the other policy."""
        return next((r for r in self.rulings if r.trial.part == "policy"), None)

    @property
    def word(self) -> Word:
        """The verdict; `Word.DEPENDS` where one way is true and another false, or true for one player alone.

        Ways differ in how the advice is understood, or in options of the rules.
        """
        main = self.main
        if main is None:
            return Word.UNTRIED
        words = {r.word for r in self.rulings if r.trial.way.judged}
        if words & set(GOOD) and words & set(BAD):
            return Word.DEPENDS
        return main.word or Word.OPEN

    def turned(self, cell: Ruling) -> bool:
        """Return whether the sign at another table is the other one."""
        return self.main is not None and cell.sign * self.main.sign < 0


@frozen
class Court:
    """What a court found.

    Attributes
    ----------
    docket : Docket
        What was tried, at which table.
    budget : Budget
        How much was played at the most.
    cards : tuple of Card
        A card a tip.
    found : Found
        All rulings.
    """

    docket: Docket = field(repr=False)
    budget: Budget
    cards: tuple[Card, ...] = field(repr=False)
    found: Found = field(repr=False)

    @property
    def context(self) -> dict[str, Any]:
        """What every output names."""
        seating, found = self.docket.seating, self.found
        from shanghai_sim._version import ENGINE_VERSION

        return {
            "rules": seating.ruleset.name,
            "players": seating.players,
            "policies": f"{seating.policy.label} against {','.join(p.label for p in seating.against)}",
            "second": self.docket.second_label,
            "games": found.games,
            "blocks": max(ruling.blocks for ruling in found.family) if found.family else 0,
            "trials": len(found.family),
            "seed": seating.seed,
            "namespace": "select and final",
            "coupling": seating.coupling,
            "engine_version": ENGINE_VERSION,
        }

    @property
    def verdict(self) -> str:
        """The answer in words."""
        seating = self.docket.seating
        where = f"under {seating.ruleset.name} with {seating.players} players"
        if len(self.cards) == 1:
            card = self.cards[0]
            return f"Tip {card.tip.number}, {card.tip.advice.rstrip('.')!r}: {card.word} {where}."
        counts = {word: sum(card.word is word for card in self.cards) for word in Word}
        listed = [f"{n} {_plural(word, n)}" for word, n in counts.items() if n]
        most = "; ".join(listed)
        return f"Of {len(self.cards)} tips {where}: {most}."

    @property
    def finding(self) -> str:
        """The answer as a title: how many are true and false, and what costs most."""
        if len(self.cards) == 1:
            return f"{self.cards[0].tip.advice.rstrip('.')}: {self.cards[0].word}"
        true = sum(card.word in GOOD for card in self.cards)
        false = sum(card.word in BAD for card in self.cards)
        title = f"Of {len(self.cards)} tips {_are(true)} true and {_are(false)} false"
        judged = [(float(card.main.gain.estimate), card) for card in self.cards if card.main is not None]
        cost, worst = min(judged, key=lambda pair: pair[0], default=(0.0, self.cards[0]))
        if worst.word in BAD:
            title += f"; none costs more than {worst.tip.advice.rstrip('.')!r}: {-cost:.0f} points a game"
        return title

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All figures, a mapping a row (keys: simulation.question_columns.TIPS); NaN: no figure."""
        stands_out = {
            id(ruling): out for ruling, out in zip(self.found.family, self.found.stands_out, strict=True)
        }
        return [row for card in self.cards for row in card_rows(card, stands_out)]

    def to_frame(self) -> pd.DataFrame:
        """Return all figures as a frame."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def save(self, folder: str | Path) -> None:
        """Write ``tips.csv`` and ``tips.json`` into a folder, which is made where there is none."""
        about = {"verdict": self.verdict, "context": self.context}
        save_result(folder, "tips", self.rows, about)


def _are(n: int) -> str:
    return {0: "none is", 1: "1 is"}.get(n, f"{n} are")


def _plural(word: Word, n: int) -> str:
    """Return how a verdict is counted."""
    if n == 1:
        return {Word.NONE: "makes no difference", Word.RARE: "hardly ever matters"}.get(word, word.value)
    return {
        Word.NONE: "make no difference",
        Word.RARE: "hardly ever matter",
        Word.DEPENDS: "depend on how they are meant, on the rules or on who plays",
    }.get(word, word.value)
