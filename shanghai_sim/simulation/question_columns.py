"""The columns of what comparisons, tournaments and sweeps return; see `columns`.

Nothing heavy is imported, so that the documentation can be made from these tables.
"""

from __future__ import annotations

from shanghai_sim.simulation.columns import SUMMARY, Column, Metric

#: The figures of a comparison, one a row.
COMPARISON = (
    Column(
        "part",
        "text",
        "`game`, `deal`, `seat`, or `size`: how large the difference is and how well it was seen",
    ),
    Column(
        "number",
        "int32",
        "number of the deal, from 1, or of the seat, from 0; else 0",
    ),
    Column("contract", "text", "contract of the deal; both where the rules differ in it"),
    Column("metric", "text", "which figure"),
    Column("variant", "float64", "its mean on the side of A, or of the first rules"),
    Column("baseline", "float64", "its mean on the side of B, or of the second rules"),
    Column(
        "estimate",
        "float64",
        "variant minus baseline; points of policies the other way round, so that more is better for A",
    ),
    Column("low", "float64", "lower end of the 95 % interval; over all deals, or all seats, at once"),
    Column("high", "float64", "upper end of the 95 % interval"),
    SUMMARY[-1],
)
#: The values of a comparison block by block.
BLOCKS = (
    Column("block", "int64", "number of the block, from 0"),
    Column("variant", "float64", "points a game of the variant, on the mean of the seats"),
    Column("baseline", "float64", "the same of the baseline"),
    Column(
        "difference",
        "float64",
        "by how much the variant is better in points; with rules, variant minus baseline",
    ),
    Column("win_difference", "float64", "share of the wins, variant minus baseline"),
    Column("games_differing", "int32", "games of the variant that differ from the baseline's in anything"),
)
#: The options of a what-if, one a row; of groups of decisions with `by` and `group` before them.
WHAT_IF = (
    Column("option", "text", "what is done at the decision"),
    Column("points", "float64", "points of the deal in the seat that decides, if it does this"),
    Column("difference", "float64", "points more than with the first option; above 0, it costs points"),
    Column("low", "float64", "lower end of the 95 % interval of the difference"),
    Column("high", "float64", "upper end"),
    Column("p", "float64", 'two-sided p-value of "no difference"'),
    Column("decisions", "int64", "decisions met"),
    Column("blocks_met", "int64", "blocks in which one was met"),
    SUMMARY[-1],
)
COMPARISON_METRICS = (
    Metric("points", "block", "points a game, or in this deal, of the player looked at"),
    Metric("win_share", "block", "share of the wins of the player looked at"),
    Metric("buys", "block", "cards that player bought in a game"),
    Metric("turns", "block", "turns of all seats in a game"),
    Metric("winner_points", "block", "points of the winner of a game"),
    Metric(
        "wins_variant", "block", "share w of the wins of the variant; of `wins_baseline`: of the baseline"
    ),
    Metric(
        "table_elo_variant",
        "block",
        "the same as `400 log10(w (P - 1) / (1 - w))` with P players, 0 for 1/P; `table_elo_baseline`: likewise",
    ),
    Metric("d", "block", "difference in points, in standard deviations of one game of one player"),
    Metric(
        "beats", "block", "chance to have fewer points than the baseline in the same seat with the same luck"
    ),
    Metric("games_to_notice", "block", "games of each kind until the better side is ahead with 95 % chance"),
    Metric("per_100_evenings", "block", "difference in points over 100 evenings of one game each"),
    Metric(
        "games_differing", "game", "share of the variant's games that differ from the baseline's in anything"
    ),
    Metric("blocks_differing", "block", "share of the blocks with such a game"),
    Metric("correlation", "block", "correlation of the two sides' points"),
    Metric("variance_reduction", "block", "how many times the games it would have taken without common luck"),
    Metric(
        "luck_worth",
        "block",
        "with luck: how many times the blocks taking the luck of the draws out is worth",
    ),
    Metric("luck_out", "block", "with luck: 1 if it was taken out of the difference in points, else 0"),
    Metric("smallest_effect", "block", "smallest true difference that so many blocks show with 80 % chance"),
    Metric("blocks_needed", "block", "about how many more blocks a verdict takes; 0: none"),
)

#: The figures of a tournament, one a row.
TOURNAMENT = (
    Column(
        "part",
        "text",
        "`field`: a policy against the field; `matrix`: one of a policy among others of another; `tables`: a policy at "
        "a composition of the table; `metagame`: what follows from the choice of a policy",
    ),
    Column("policy", "text", "the policy"),
    Column(
        "against",
        "text",
        "the others: empty in `field`, the policy of all other seats in `matrix`, who sits at the table in `tables`, "
        "the other policy of a `lead`",
    ),
    SUMMARY[2],
    Column("estimate", "float64", "its estimate"),
    Column("low", "float64", "lower end of its 95 % interval; empty where there is none"),
    Column("high", "float64", "upper end of its 95 % interval"),
    Column("n_blocks", "int64", "blocks behind the figure"),
)
TOURNAMENT_METRICS = (
    Metric(
        "points_better",
        "table",
        "points a game fewer than the others at the table, above 0 is better; intervals of a part hold together",
    ),
    Metric("win_share", "table", "wins of a seat of the policy, an equal share being 1 / players"),
    Metric("points", "game", "points of a seat of the policy (`tables` only)"),
    Metric(
        "rank",
        "tournament",
        "rank by `points_better` in `field`; the intervals hold for all ranks together",
    ),
    Metric("best", "resample", "share of resamples in which it is the best in `field`"),
    Metric("equilibrium", "resample", "its share in the symmetric mixture that nobody gains by leaving"),
    Metric(
        "alpha_rank", "resample", "share of time that a population that copies the successful spends with it"
    ),
    Metric(
        "lead", "resample", "least lead over the other policy whoever else sits there; above 0: it dominates"
    ),
    Metric("regret", "resample", "what one player gains at most by leaving the mixture (policy empty)"),
)

#: The grid points of a sweep, one a row: the values varied, these, and for each figure (`M`) those behind them.
SWEEP = (
    Column("baseline", "bool", "whether it is the policy, or the rules, as given"),
    Column("may_be_best", "bool", "no grid point is clearly better in points (not where rules are varied)"),
    Column("n_blocks", "int64", "blocks, the same ones for all grid points"),
)
SWEEP_FIGURE = (
    Column("M", "float64", "the figure"),
    Column("M_low", "float64", "lower end of its 95 % interval"),
    Column("M_high", "float64", "upper end"),
    Column("M_difference", "float64", "the figure less that of the baseline, on the same blocks"),
    Column(
        "M_difference_low",
        "float64",
        "lower end of its 95 % interval; those of all grid points hold together",
    ),
    Column("M_difference_high", "float64", "upper end"),
)
SWEEP_METRICS = (
    Metric("points", "game", "points of the policy; where rules are varied of a player"),
    Metric("win_share", "game", "wins of the policy (not where rules are varied)"),
    Metric("buys", "game", "cards it bought; where rules are varied a player"),
    Metric("turns", "game", "turns of all seats"),
    Metric("winner_points", "game", "points of the best seat (where rules are varied)"),
    Metric("margin", "game", "points between the best seat and the next (where rules are varied)"),
)

#: The verdict cards of tips, a figure a row.
TIPS = (
    Column("tip", "int32", "number of the tip"),
    Column("name", "text", "its short name"),
    Column("advice", "text", "the advice"),
    Column(
        "part",
        "text",
        "`tip`: the verdict; `deal`: its gain in a deal; `way`: each way to follow it, the one judged first; `policy`: "
        "another policy follows it; `players`, `field`, `rules`: at another table, a sign and no verdict",
    ),
    Column("cell", "text", "the way in words, the contract of a deal, the other policy, or the other table"),
    Column("follow", "text", "who follows it"),
    Column("ignore", "text", "who ignores it"),
    Column("judged", "int32", "1: a reading of the advice, 0: only shows what a change of it would do"),
    Column("rules", "text", "rules, with the options changed for it"),
    Column("players", "int32", "players at the table"),
    Column("against", "text", "the others at the table"),
    Column("deals", "text", "numbers of the deals played, or of the deal"),
    Column("verdict", "text", "the verdict; all verdicts hold together with 95 %"),
    Column(
        "said", "text", "the verdict of the tip's own way, where `verdict` is about all of them (`tip` only)"
    ),
    Column("found", "int32", "1: it stood out of the screen (e-BH, at most 10 % false finds among those)"),
    Column("sign", "int32", "1: the interval is above 0, -1: below, 0: it holds 0, or too few blocks differ"),
    Column("turned", "int32", "1: at this table the sign is the other one than that of the tip"),
    Column("estimate", "float64", "points a game by which following is better than ignoring"),
    Column("low", "float64", "lower end of its interval"),
    Column("high", "float64", "upper end of its interval"),
    Column("level", "float64", "coverage of that interval alone"),
    Column("margin", "float64", "points a game that make no practical difference"),
    Column(
        "wins", "float64", "share of the wins, following minus ignoring; empty where only some deals count"
    ),
    Column("games_differing", "float64", "share of games that come out otherwise in anything"),
    Column("games_differing_low", "float64", "lower end of its interval"),
    Column("games_differing_high", "float64", "upper end"),
    Column("decisions", "float64", "share of the policy's decisions that it changes (`tip` only)"),
    Column("decisions_low", "float64", "lower end of its 95 % interval"),
    Column("decisions_high", "float64", "upper end"),
    Column("stage", "text", "`screen`, `final` (fresh blocks, looked at as they came in) or `cell`"),
    Column("games", "int64", "games of both sides behind it"),
    Column("n_blocks", "int64", "blocks behind it"),
    Column("reason", "text", "why it could not be tried"),
)
