"""A referee that knows the rules page and the transcript format, and nothing of the package under test.

``check_transcript(events)`` judges a whole game move by move and returns what is wrong with it. It is naive
on purpose: plain lists and dicts, every rule written out where it applies, next to its section of RULES.
"""

from .referee import check_transcript, require_legal
from .violation import ViolationError

__all__ = ["ViolationError", "check_transcript", "require_legal"]
