"""A verdict card as rows of figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from shanghai_sim.experiments.tips.docket import Untried
from shanghai_sim.experiments.tips.ruling import LEVEL, Ruling
from shanghai_sim.experiments.tips.trial import Trial
from shanghai_sim.inference.multiplicity import bonferroni_level
from shanghai_sim.simulation.question_columns import TIPS

if TYPE_CHECKING:
    from shanghai_sim.experiments.tips.cards import Card

Row = dict[str, Any]
_NAN = math.nan
_NOTHING: Row = {column.name: _NAN if column.kind.startswith("float") else 0 for column in TIPS} | {
    column.name: "" for column in TIPS if column.kind == "text"
}


def card_rows(card: Card, stands_out: Mapping[int, bool]) -> Iterator[Row]:
    """Yield the rows of a card: the tip, its contracts, its ways, the other policy, and other tables.

    Parameters
    ----------
    card : Card
    stands_out : mapping
        By the identity of a ruling, whether the screen found that the trial does something.
    """
    head = _NOTHING | {
        "tip": card.tip.number, "name": card.tip.name, "advice": card.tip.advice, "margin": card.tip.margin
    }  # fmt: skip
    main = card.main
    if main is None:
        yield head | {"part": "tip", "cell": card.tip.main.title, "verdict": card.word.value}
    else:
        said = {"part": "tip", "verdict": card.word.value, "said": str(main.word)}
        yield _ruled(head, main) | said | {"found": int(stands_out[id(main)])} | _decisions(card)
        yield from _deals(head, main)
    for ruling in card.rulings:
        yield _ruled(head, ruling) | {"verdict": str(ruling.word), "found": int(stands_out[id(ruling)])}
    for ruling in card.cells:
        yield _ruled(head, ruling) | {"turned": int(card.turned(ruling))}
    for untried in card.untried:
        yield (
            head
            | {
                "part": untried.part,
                "cell": untried.cell,
                "reason": untried.reason,
                "judged": int(untried.way.judged),
            }
            | _sides(untried)
        )


def _ruled(head: Row, ruling: Ruling) -> Row:
    trial = ruling.trial
    plan = trial.question.variant.plan
    share, share_low, share_high = ruling.share
    return head | _sides(trial) | {
        "part": trial.part,
        "cell": trial.cell,
        "judged": int(trial.way.judged),
        "rules": "+".join((plan.ruleset.name, *trial.way.rules)),
        "players": plan.players,
        "against": plan.against_label,
        "deals": ",".join(map(str, trial.deals)),
        "sign": ruling.sign,
        "estimate": float(ruling.gain.estimate),
        "low": float(ruling.gain.low),
        "high": float(ruling.gain.high),
        "level": ruling.level,
        "wins": ruling.win_gain,
        "games_differing": share,
        "games_differing_low": share_low,
        "games_differing_high": share_high,
        "stage": ruling.stage,
        "games": ruling.games,
        "n_blocks": ruling.blocks,
    }  # fmt: skip


def _deals(head: Row, main: Ruling) -> Iterator[Row]:
    """Yield what the tip gains in each contract, on the blocks of its verdict."""
    found = main.deals
    row = _ruled(head, main)
    level = bonferroni_level(LEVEL, len(main.trial.deals))
    contracts = main.trial.question.contracts
    for i, (deal, contract) in enumerate(zip(main.trial.deals, contracts, strict=True)):
        low, high = float(found.low[i]), float(found.high[i])
        yield row | {
            "part": "deal", "cell": contract, "deals": str(deal), "estimate": float(found.estimate[i]), "low": low,
            "high": high, "level": level, "sign": (int(low > 0) - int(high < 0)) * int(main.vouched), "wins": _NAN,
            "games_differing": _NAN, "games_differing_low": _NAN, "games_differing_high": _NAN,
        }  # fmt: skip


def _sides(what: Trial | Untried) -> Row:
    if isinstance(what, Untried):
        return {"follow": "+".join(what.way.follow), "ignore": "+".join(what.way.ignore)}
    follow, ignore = what.sides
    return {"follow": follow.label, "ignore": ignore.label}


def _decisions(card: Card) -> Row:
    if card.decisions is None:
        return {}
    return {
        "decisions": card.decisions["share"],
        "decisions_low": card.decisions["low"],
        "decisions_high": card.decisions["high"],
    }
