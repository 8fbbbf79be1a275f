"""The parameters of a policy: keys, kinds, defaults, and their columns in a row of numbers.

The decision functions read a policy as one row of float64, a column a parameter in the order of
`PARAMETERS`. A word stands in it as its place among the words of its choice, beside numbers behind the last of them.
"""

from __future__ import annotations

from shanghai_sim.policies.parameter import Parameter
from shanghai_sim.rules.values import Choice, Flag, Real, Whole

#: Own turns of each player that are kept on record; `opponents.memory` = "all" looks at the whole deal.
MOST_REMEMBERED = 16

PARAMETERS = (
    Parameter(
        "draw.min_gain",
        Whole(0, 1),
        1,
        "Takes the top discard only if it lowers the contract distance by this much; 0: always takes it.",
    ),
    Parameter(
        "draw.deny",
        Real(0, 100),
        0.0,
        "Takes a discard that does not help it if its danger in other hands is at least this; 0: never.",
    ),
    Parameter(
        "plan.sets_first",
        Real(-100, 100),
        0.0,
        "In a contract of sets and runs, how many points it counts for each other card of a natural's rank in hand, "
        "until the sets are full; below 0 the same for its near cards in the suit, until the runs are full.",
    ),
    Parameter(
        "plan.break_sets",
        Real(0, 1000),
        0.0,
        "In a contract of sets and runs, how many points less a card of a full set counts for its distance "
        "(discard.distance) while the runs are not full: from there on it may break a set to chase them.",
    ),
    Parameter(
        "buy.when",
        Choice(("never", "only-if-short", "if-it-helps", "if-outs-grow", "always")),
        "if-it-helps",
        "When it buys; only-if-short: the card helps, and the hand is too small for the contract "
        "and what must be kept to discard; if-outs-grow: it helps, or brings buy.min_outs live outs more.",
    ),
    Parameter(
        "buy.min_outs",
        Whole(1, 999),
        8,
        "How many live outs more a card must bring that buy.when = if-outs-grow takes though it does not help.",
    ),
    Parameter("buy.max_buys", Whole(0, 99), 99, "Buys so often in a deal at most."),
    Parameter("buy.from_deal", Whole(1, 999), 1, "Buys only in this deal of the game and those after it."),
    Parameter(
        "buy.until_turn", Whole(0, 999), 999, "Buys only while its own turns in the deal are at most this."
    ),
    Parameter(
        "buy.deny",
        Real(0, 100),
        0.0,
        "Buys a discard that does not help it if its danger in other hands is at least this; 0: never.",
    ),
    Parameter(
        "buy.keep",
        Whole(0, 99),
        0,
        "How many buys it keeps for cards that lower its distance: others it buys only while more are left.",
    ),
    Parameter(
        "buy.reserve",
        Whole(0, 999),
        0,
        "How many buys of a limit per game it leaves for later deals: it buys only while more of them are left.",
    ),
    Parameter(
        "lay_down.when",
        Choice(("at-once", "when-hand-small", "when-out")),
        "at-once",
        "When it lays its contract down; when-hand-small: once the cards left over are few enough "
        "(lay_down.max_left); when-out: only to go out in that very turn, with lay-offs where the rules let them "
        "follow at once.",
    ),
    Parameter(
        "lay_down.max_left",
        Whole(0, 20),
        3,
        "How many cards that fit no meld on the table lay_down.when = when-hand-small may keep behind the discard.",
    ),
    Parameter("lay_down.from_turn", Whole(0, 999), 0, "Before this own turn it does not lay down."),
    Parameter(
        "lay_down.until_turn",
        Whole(1, 999),
        999,
        "From this own turn on it lays down at once, whatever it was waiting for.",
    ),
    Parameter(
        "wild.hold_until_turn",
        Whole(0, 999),
        0,
        "Before this own turn it lays down only a contract that takes none of its wilds.",
    ),
    Parameter(
        "wild.use",
        Choice(("at-once", "last")),
        "at-once",
        "Whether wilds go into the contract as soon as they complete it; last: it waits while a natural that may "
        "still come would take the place of one.",
    ),
    Parameter(
        "wild.dump_from_turn",
        Whole(0, 999),
        999,
        "From this own turn on, its contract not down yet, it discards its wilds, one a turn.",
    ),
    Parameter(
        "wild.dump",
        Choice(("always", "when-free")),
        "always",
        "Which wilds it dumps from then on; when-free: only one that costs no more distance than any other discard.",
    ),
    Parameter("lay_off.when", Choice(("never", "always")), "always", "When it lays cards off."),
    Parameter(
        "lay_off.keep_one",
        Flag(),
        False,
        "Whether it keeps the last card that it could lay off, until it can go out with it.",
    ),
    Parameter(
        "swap.use",
        Choice(("never", "when-stuck", "always")),
        "when-stuck",
        "When it swaps a natural card for a wild; when-stuck: only a card that fits no meld otherwise.",
    ),
    Parameter(
        "discard.prefer",
        Choice(("dearest", "cheapest")),
        "dearest",
        "Which card it discards of those that cost it equally much distance.",
    ),
    Parameter(
        "discard.distance",
        Real(0, 1000),
        1000.0,
        "How many points it counts for a discard that costs distance, where another costs none.",
    ),
    Parameter(
        "discard.outs",
        Real(0, 100),
        0.0,
        "How many points it counts for each live out that a discard would cost; a live out is a copy that may "
        "still be drawn of a card that lowers the contract distance.",
    ),
    Parameter(
        "discard.danger",
        Real(0, 100),
        0.0,
        "How many points it counts for another player's use of the discard, guessed from what lies on the table "
        "and from what that player took and threw.",
    ),
    Parameter(
        "discard.points",
        Real(0, 10),
        1.0,
        "How much the penalty points of a card count beside its outs and its danger; 0: not at all.",
    ),
    Parameter(
        "discard.points_from_turn",
        Whole(0, 999),
        0,
        "Before this own turn the points of a card do not count in what it weighs (discard.points).",
    ),
    Parameter(
        "discard.points_once_down",
        Real(0, 100),
        1.0,
        "How many times as much discard.points counts once another player is down; 1: no more than before.",
    ),
    Parameter(
        "discard.points_near_out",
        Real(0, 100),
        1.0,
        "How many times as much discard.points counts once the end of the deal is near (opponents.near_out).",
    ),
    Parameter(
        "discard.keep_pairs",
        Real(0, 100),
        0.0,
        "How many points it counts for each other card of its rank in hand.",
    ),
    Parameter(
        "discard.keep_connected",
        Real(0, 100),
        0.0,
        "How many points it counts for each card of its suit in hand that is at most two places away.",
    ),
    Parameter(
        "opponents.memory",
        Whole(0, MOST_REMEMBERED, ("all",)),
        "all",
        "For how many of a player's last turns it remembers what that player took, threw and passed on.",
    ),
    Parameter(
        "opponents.block_leader",
        Real(0, 100),
        0.0,
        "How many times more danger counts in the hand of the player who leads, where it does not lead itself.",
    ),
    Parameter(
        "opponents.near_out",
        Whole(0, 99),
        3,
        "With how many cards in hand a player whose contract is down counts as near going out.",
    ),
    Parameter(
        "score.risk",
        Real(-10, 10),
        0.0,
        "How much more points and danger count, and outs less in a buy, with a lead of 100 points, and the other way "
        "round when behind; below 0: it plays safe when behind.",
    ),
    Parameter("noise", Real(0, 1), 0.0, "The share of its decisions that are a random legal action."),
)

N_PARAMETERS = len(PARAMETERS)
BY_KEY = {parameter.key: parameter for parameter in PARAMETERS}
#: What makes a deal depend on those before it, where it is not 0.
HEED_SCORES = ("opponents.block_leader", "score.risk")

# The columns by name, for code that cannot look keys up.
(
    DRAW_MIN_GAIN,
    DRAW_DENY,
    PLAN_SETS_FIRST,
    PLAN_BREAK_SETS,
    BUY_WHEN,
    BUY_MIN_OUTS,
    BUY_MAX_BUYS,
    BUY_FROM_DEAL,
    BUY_UNTIL_TURN,
    BUY_DENY,
    BUY_KEEP,
    BUY_RESERVE,
    LAY_DOWN_WHEN,
    LAY_DOWN_MAX_LEFT,
    LAY_DOWN_FROM_TURN,
    LAY_DOWN_UNTIL_TURN,
    WILD_HOLD_UNTIL_TURN,
    WILD_USE,
    WILD_DUMP_FROM_TURN,
    WILD_DUMP,
    LAY_OFF_WHEN,
    LAY_OFF_KEEP_ONE,
    SWAP_USE,
    DISCARD_PREFER,
    DISCARD_DISTANCE,
    DISCARD_OUTS,
    DISCARD_DANGER,
    DISCARD_POINTS,
    DISCARD_POINTS_FROM_TURN,
    DISCARD_POINTS_ONCE_DOWN,
    DISCARD_POINTS_NEAR_OUT,
    DISCARD_KEEP_PAIRS,
    DISCARD_KEEP_CONNECTED,
    OPPONENTS_MEMORY,
    OPPONENTS_BLOCK_LEADER,
    OPPONENTS_NEAR_OUT,
    SCORE_RISK,
    NOISE,
) = range(N_PARAMETERS)
