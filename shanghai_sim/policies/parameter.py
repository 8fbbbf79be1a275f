"""What a parameter of a policy is: its key, kind, default and meaning, and its value as a number."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from shanghai_sim.rules.values import Choice, Kind, PerDeal, Whole


@frozen
class Parameter:
    """One parameter.

    Attributes
    ----------
    key : str
        The dotted key: table and name in the TOML file.
    item : Kind
        The kind of its value in one deal.
    default : int, float or str
        Its value where a policy does not say.
    meaning : str
        What it does, in one sentence.
    """

    key: str
    item: Kind
    default: Any
    meaning: str

    @property
    def kind(self) -> PerDeal:
        """The kind of its value: one for all deals, or a list with one per deal."""
        return PerDeal(self.item)

    def number(self, value: Any) -> float:
        """Return the number that stands for a value in one deal."""
        if isinstance(self.item, Whole) and value in self.item.words:
            return float(self.item.most + 1 + self.item.words.index(value))
        return float(self.item.words.index(value) if isinstance(self.item, Choice) else value)
