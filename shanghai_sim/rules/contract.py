"""Contracts and their notation (FORMATS, "Cards, contracts"; RULES 5).

A contract is written ``S3 R4``: kind and size of each meld, in the ruleset's order. Input also takes
``2 sets of 3 + 1 run of 4``.
"""

from __future__ import annotations

import re
from typing import Literal

from attrs import frozen

from shanghai_sim.errors import CardError

LEAST_MELD = 3
#: A run goes from the ace below the two to the ace above the king at most.
LONGEST_RUN = 14
#: Beyond any table: it keeps a slip of the pen from becoming a contract of millions of cards.
_LARGEST_SET = 99
_MOST_MELDS = 20

_SHORT = re.compile(r"([SR])(\d{1,3})", re.IGNORECASE)
_LONG = re.compile(r"(\d{1,2}) (set|run)s? of (\d{1,3})", re.IGNORECASE)
_NOTATION = "a contract is written 'S3 R4' or '1 set of 3 + 1 run of 4'"


@frozen
class Meld:
    """One meld of a contract.

    Attributes
    ----------
    kind : {"set", "run"}
        A set is cards of one rank, a run consecutive ranks of one suit.
    size : int
        The least number of cards, from 3; a run has at most 14.
    """

    kind: Literal["set", "run"]
    size: int

    def __str__(self) -> str:
        return f"{'S' if self.kind == 'set' else 'R'}{self.size}"


@frozen
class Contract:
    """The melds a player puts on the table in one play.

    Attributes
    ----------
    melds : tuple of Meld
        At least one, in the ruleset's order.
    """

    melds: tuple[Meld, ...]

    @classmethod
    def parse(cls, text: str) -> Contract:
        """Return the contract that a text names.

        Parameters
        ----------
        text : str
            ``"S3 R4"`` or ``"2 sets of 3 + 1 run of 4"``; case does not matter, melds may be separated by
            spaces (the short form), ``+`` or commas.

        Raises
        ------
        CardError
            If the text is no contract, or a meld has an impossible size.
        """
        melds: list[Meld] = []
        for part in re.split(r"[+,]", text):
            words = " ".join(part.split())
            if match := _LONG.fullmatch(words):
                melds += int(match[1]) * [_meld(match[2], int(match[3]), text)]
                continue
            for word in words.split() or [""]:
                match = _SHORT.fullmatch(word)
                if not match:
                    raise CardError(f"not a contract: {text!r}; {_NOTATION}")
                melds.append(_meld(match[1], int(match[2]), text))
        if not 1 <= len(melds) <= _MOST_MELDS:
            raise CardError(f"not a contract: {text!r}; it has 1 to {_MOST_MELDS} melds")
        return cls(tuple(melds))

    def __str__(self) -> str:
        return " ".join(map(str, self.melds))

    @property
    def cards(self) -> int:
        """The least number of cards the contract takes."""
        return sum(meld.size for meld in self.melds)

    @property
    def sets(self) -> tuple[int, ...]:
        """The sizes of the sets, in the contract's order."""
        return tuple(meld.size for meld in self.melds if meld.kind == "set")

    @property
    def runs(self) -> tuple[int, ...]:
        """The sizes of the runs, in the contract's order."""
        return tuple(meld.size for meld in self.melds if meld.kind == "run")


def _meld(kind: str, size: int, text: str) -> Meld:
    """Return one meld of a contract that is being read, or say why there is none of that size."""
    is_set = kind.lower().startswith("s")
    most = _LARGEST_SET if is_set else LONGEST_RUN
    if not LEAST_MELD <= size <= most:
        name = "set" if is_set else "run"
        raise CardError(f"not a contract: {text!r}; a {name} has {LEAST_MELD} to {most} cards, not {size}")
    return Meld("set" if is_set else "run", size)
