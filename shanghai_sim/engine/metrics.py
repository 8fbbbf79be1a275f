"""What is recorded per deal and seat (units: RULES and docs/columns)."""

from __future__ import annotations

POINTS = 0
LAID_DOWN = 1
LAY_DOWN_TURN = 2
WENT_OUT = 3
BUYS_OFFERED = 4
BUYS = 5
DISCARDS_TAKEN = 6
WILDS_LEFT = 7
WILDS_HELD = 8
WILDS_DISCARDED = 9
WILD_TURNS = 10
PEAK_HAND = 11
LAY_OFFS = 12
SWAPS = 13
TURNS = 14
END_REASON = 15
RESHUFFLES = 16

#: Names of the columns above, in their order.
DEAL_COLUMNS = (
    "points",
    "laid_down",
    "lay_down_turn",
    "went_out",
    "buys_offered",
    "buys",
    "discards_taken",
    "wilds_left",
    "wilds_held",
    "wilds_discarded",
    "wild_turns",
    "peak_hand",
    "lay_offs",
    "swaps",
    "turns",
    "end_reason",
    "reshuffles",
)
N_DEAL_COLUMNS = len(DEAL_COLUMNS)

# Values of END_REASON.
OUT, TURN_LIMIT, STOCK_EMPTY = 0, 1, 2
END_REASONS = ("out", "turn-limit", "stock-empty")
