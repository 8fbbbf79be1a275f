"""The fixed words and numbers of FORMATS that several rooms need; importing them loads nothing."""

from __future__ import annotations

#: Disjoint seed spaces: exploration never touches what reports use. Their order is part of every key.
NAMESPACES = ("final", "pilot", "tune", "select", "recheck")
#: How the stock is drawn: each seat from its own order, or all from one pile. In the order of the engine's codes.
COUPLINGS = ("seat", "pile")
#: How many play where nobody says, or the nearest number that the ruleset allows.
PLAYERS = 4
#: Who sits in the other seats where nobody says.
AGAINST = "balanced"
#: Seeds are non-negative 64-bit numbers.
MAX_SEED = 2**63 - 1
MAX_GAMES = 10**12
