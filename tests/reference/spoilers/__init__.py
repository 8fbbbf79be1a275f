"""Ways of spoiling a legal transcript, each of which breaks one rule and has to be refused.

``CATALOGUE`` maps a name to a Spoiler: call it with the events of a legal game, of any source, for a spoilt copy or
None where it does not apply; ``spoiler.every(events)`` yields all of them, ``spoiler.rules`` names the sections broken.
"""

from . import deals, games, laying, table, turns  # noqa: F401 - importing them fills the catalogue
from .walk import CATALOGUE, Spoiler

__all__ = ["CATALOGUE", "Spoiler"]
