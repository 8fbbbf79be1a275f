"""What a comparison found, in words."""

from __future__ import annotations

from attrs import frozen

from shanghai_sim.experiments.estimands import Question
from shanghai_sim.experiments.stopping import Until
from shanghai_sim.inference.gate import GateOutcome
from shanghai_sim.inference.intervals import MIN_BLOCKS, MIN_BLOCKS_FOR_VERDICT, Interval
from shanghai_sim.inference.verdicts import Verdict, judge
from shanghai_sim.inference.verdicts import verdict as verdict_of

_GATE = {GateOutcome.PASS: "pass", GateOutcome.FAIL: "fail", GateOutcome.GO_ON: "undecided"}


@frozen
class Words:
    """The answer of a comparison.

    Attributes
    ----------
    question : Question
    until : Until
    found : Interval
        The difference; more is better for the variant, or where all seats change more points.
    differing : int
        Games of the variant that differ from the baseline's in anything.
    gate : GateOutcome or None
        What the gate says.
    """

    question: Question
    until: Until
    found: Interval
    differing: int
    gate: GateOutcome | None

    def verdict(self) -> str:
        """Return the answer: which side is better, by how much, how sure, from how many games."""
        return self._answer() if self.gate is None else f"Gate {self._gate()}: {self._answer()}"

    def _answer(self) -> str:
        n = self.found.n_blocks
        games = f"{n * self.question.games_per_block:,} games"
        if self.question.kind == "policies":
            games += f" against {self.question.variant.plan.against_label}"
        if self.differing == 0:
            return self._nothing_differs(games)
        interval = f"95 % interval {self._range()}; {games}" if n >= MIN_BLOCKS else games
        if n < MIN_BLOCKS_FOR_VERDICT:
            least = MIN_BLOCKS_FOR_VERDICT * self.question.games_per_block
            return f"Too few games to tell: {self._size()} ({interval}); {least:,} games are the least."
        return self._by_policy(interval) if self.question.kind == "policies" else self._by_table(interval)

    def finding(self) -> str:
        """Return the same in a few words, for a figure's title."""
        if self.differing == 0:
            return f"{self._names()}: exactly the same"
        if self.found.n_blocks < MIN_BLOCKS_FOR_VERDICT:
            return f"{self._names()}: too few games to tell"
        return f"{self._judged()}: {self._size(short=True)}"

    def _names(self) -> str:
        return " and ".join(self.question.names)

    def _verdict(self) -> Verdict:
        return verdict_of(float(self.found.low), float(self.found.high), self.question.margin)

    def _judged(self) -> str:
        """Return which side is better, without how much; where all seats change, which gives more points."""
        first, second = self.question.names
        said = self._verdict()
        if said is Verdict.UNDECIDED:
            return f"Not decided between {first} and {second}"
        if said is Verdict.EQUAL:
            same = (
                "practically equal" if self.question.kind == "policies" else "practically the same in points"
            )
            return f"{first} and {second} are {same}"
        small = said in (Verdict.BETTER, Verdict.WORSE)
        if self.question.kind != "policies":
            word = "more" if said in (Verdict.MUCH_BETTER, Verdict.BETTER) else "fewer"
            how = "perhaps only a few" if small else "meaningfully"
            return f"{first} gives {how} {word} points than {second}"
        word = "better" if said in (Verdict.MUCH_BETTER, Verdict.BETTER) else "worse"
        if small:
            return f"{first} is {word} than {second}, perhaps only a little"
        return f"{first} is meaningfully {word} than {second}"

    def _by_policy(self, interval: str) -> str:
        said = self._verdict()
        text = f"{self._judged()}: {self._size()} ({interval})"
        if said is Verdict.EQUAL:
            return f"{text}; less than {self.question.margin:g} points do not count."
        return f"{text}{self._more_blocks()}."

    def _by_table(self, interval: str) -> str:
        text = f"{self._judged()}: {self._size()} ({interval}){self._more_blocks()}."
        if self.question.kind == "tables":
            return text
        policy = self.question.variant.plan.policies[0].label
        return f"{text} {policy} sits in all seats, not tuned anew for either."

    def _more_blocks(self) -> str:
        low, high, n = float(self.found.low), float(self.found.high), self.found.n_blocks
        said = judge(low, high, self.question.margin, n)
        if said.verdict is not Verdict.UNDECIDED or not said.blocks_needed:
            return ""
        games = said.blocks_needed * self.question.games_per_block
        return f"; about {rounded(games):,} more games would tell"

    def _size(self, *, short: bool = False) -> str:
        """Return the difference as a clause."""
        first, second = self.question.names
        estimate = float(self.found.estimate)
        per = "a game" if self.question.variant.plan.deals is None else "over these deals"
        amount = f"{abs(estimate):.1f} points {per} {self._direction(estimate)}"
        if short:
            return (
                amount
                if self._one_is_better() or self.question.kind != "policies"
                else f"{amount} with the first"
            )
        if self.question.kind != "policies":
            where = "under" if self.question.kind == "rules" else "at"
            return f"a player scores {amount} {where} {first} than {where} {second}"
        return f"{'it' if self._one_is_better() else first} scores {amount}"

    def _one_is_better(self) -> bool:
        return self.found.n_blocks >= MIN_BLOCKS_FOR_VERDICT and self._verdict() not in (
            Verdict.UNDECIDED,
            Verdict.EQUAL,
        )

    def _direction(self, estimate: float) -> str:
        fewer = estimate > 0 if self.question.kind == "policies" else estimate < 0
        return "fewer" if fewer else "more"

    def _range(self) -> str:
        """Return the interval, nearest end first: both ends on one side, or from fewer to more."""
        low, high = float(self.found.low), float(self.found.high)
        if low * high >= 0:
            near, far = sorted((abs(low), abs(high)))
            return f"{near:.1f} to {far:.1f}"
        ends = sorted((low, high), key=abs)
        return " to ".join(f"{abs(end):.1f} {self._direction(end)}" for end in ends)

    def _gate(self) -> str:
        gate = self.until.gate
        assert gate is not None
        assert self.gate is not None
        asked = f"a difference of {gate.d1:g} rather than {gate.d0:g}"
        return f"{_GATE[self.gate]} ({asked})"

    def _nothing_differs(self, games: str) -> str:
        text = f"{self._names()} are exactly the same: in {games} not one thing went otherwise"
        n = self.found.n_blocks
        if self._same_play() or n < MIN_BLOCKS_FOR_VERDICT:
            return f"{text}."
        # The rule of three: the largest share that leaves no trace in n blocks with chance 5 %.
        return f"{text}; whatever sets them apart comes up in less than 1 of {n // 3:,} blocks."

    def _same_play(self) -> bool:
        ours, theirs = (arm.plan for arm in self.question.arms)
        return ours.policies[0].parameters == theirs.policies[0].parameters and ours.ruleset == theirs.ruleset


def rounded(number: int) -> int:
    """Return a number to two figures, upwards: more would be more than is known."""
    step = int(10 ** max(0, len(str(number)) - 2))
    return -(-number // step) * step
