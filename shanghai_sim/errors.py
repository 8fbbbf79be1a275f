"""The family of errors a user may meet: what is wrong, where, what is allowed, what to do.

Every error knows the exit code of the command line: 2 for a wrong call or wrong input, 1 for a run that
failed through the machine's fault.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ShanghaiSimError(Exception):
    """Base of all errors that are shown to the user as one clear message, without a traceback."""

    exit_code = 1


class InputError(ShanghaiSimError):
    """Something the user wrote is wrong: a name, a number, a file, a combination.

    Parameters
    ----------
    *problems : str
        One line each. Several are shown together, so that a file can be mended in one go.
    """

    exit_code = 2

    def __init__(self, *problems: str) -> None:
        # Each stays one line, whatever the user wrote into a key or a name.
        lines = tuple(problem.replace("\n", "\\n").replace("\r", "\\r") for problem in problems)
        super().__init__("\n".join(lines))
        self.problems = lines


class RulesError(InputError):
    """A ruleset that is wrong, contradicts itself, or cannot be played as asked."""


class PolicyError(InputError):
    """A policy that is unknown, wrong, or answers illegally."""


class CardError(InputError):
    """A card, hand or contract that cannot be read."""


class RunError(ShanghaiSimError):
    """A run that failed: a full disk, a folder that cannot be written, a broken result file."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the nearest known word, or an empty string.

    Parameters
    ----------
    word : str
        What the user wrote.
    known : iterable of str
        What is allowed.
    """
    lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), list(lower), n=1, cutoff=0.6)
    return f" (did you mean {lower[near[0]]!r}?)" if near else ""
