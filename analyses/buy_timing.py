"""What is each buy worth, contract by contract, and can buys be saved?

Question
    The advice: save your buys for contracts 7 to 10. What is the first, second and third buy of each contract worth;
    and where a budget spans the game, what is one buy more in it worth, and which plan spends it best?
Design
    Under `shanghai`: `balanced` with at most k buys against at most k - 1, one player among others of `balanced`,
    deal by deal (a limit of k is played as one who has no more would play: what it keeps for cards that help moves
    along). Under budgets of several sizes: `balanced` against `balanced` with one buy less in the whole game. Under
    `shanghai-buy-budget`: plans against `balanced`, which spends as it goes; the best plan is searched for in the
    namespaces tune and select and reported from final. Intervals are over blocks; p-values corrected (Holm).
Answer
    In reports/buy_timing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pandas as pd

import shanghai_sim as ss
from analyses import buy_figures
from analyses.buy_plans import ALL, KEEP, MOVES, Plan, Search, later, split, starts
from analyses.differences import ALPHA, EQUAL, LEVEL, difference, judged, ranked, row_of
from analyses.report import Report, progress_of
from shanghai_sim.inference.blocks import Moments
from shanghai_sim.inference.intervals import mean_interval
from shanghai_sim.rules.feasibility import check_deals
from shanghai_sim.rules.ruleset import Ruleset

#: Its name begins so.
BEST = "the best plan found"
RULES, BUDGET_RULES = "shanghai", "shanghai-buy-budget"
PLAYERS = 4
BUDGETS = (4, 8, 12, 16, 20, 30)
#: The advice: no buys before this contract.
ADVICE_FROM = 7
ADVICE = f"buy.from_deal={ADVICE_FROM}"


def limited(buys: int, most: int) -> str:
    """Return `balanced` as it plays where it has so many buys in a deal and not the most that the rules allow."""
    return f"balanced+buy.max_buys={buys}+buy.keep={KEEP + most - buys}"


def needed(rules: Ruleset) -> list[int]:
    """Return the buys without which each contract cannot be made."""
    return [found.buys_needed or 0 for found in check_deals(rules, PLAYERS)]


def marginal(games: int, seed: int, namespace: str = "final") -> pd.DataFrame:
    """Return what each buy of each contract is worth to one player, in points of the deal."""
    rules = ss.load_rules(RULES)
    needs = needed(rules)
    cells = [
        (deal, k) for deal in range(1, rules.n_deals + 1) for k in range(1, (rules.buys_in(deal) or 0) + 1)
    ]
    rows = []
    with progress_of(cells, "buys") as items:
        for deal, k in items:
            most = rules.buys_in(deal) or 0
            about = {"deal": deal, "contract": rules.contract_in(deal), "buy": k, "needs": needs[deal - 1]}
            a, b = limited(k, most), limited(k - 1, most)
            rows.append(
                about | difference(a, b, games, seed, against="balanced", deals=[deal], namespace=namespace)
            )
    return pd.DataFrame(rows)


def spent(games: int, seed: int) -> pd.DataFrame:
    """Return how many cards `balanced` buys in each contract, and (deal 0) in a game."""
    found = ss.run("balanced", against="balanced", rules=RULES, games=games, seed=seed, keep=()).summary
    contracts = ss.load_rules(RULES).n_deals
    rows = found.query(f"metric == 'buys' and group == 'balanced' and deal <= {contracts}")
    return rows[["deal", "estimate", "low", "high", "n_blocks"]].sort_values("deal")


def budgets(games: int, seed: int) -> pd.DataFrame:
    """Return what the last buy of each budget is worth to one player, and how the table fares with the budget."""
    rows = []
    with progress_of(BUDGETS, "budgets") as sizes:
        for size in sizes:
            found = ss.compare(
                "balanced", "balanced+buy.reserve=1", against="balanced", until=f"games={games}", seed=seed,
                rules=BUDGET_RULES, overrides={"buy.per_game": size},
            )  # fmt: skip
            game = found.to_frame().query("part == 'game'").set_index("metric")
            points = mean_interval(Moments.of(found.block_frame()[["variant"]].to_numpy()))
            about = {"budget": size, "points": points.estimate[0]}
            about |= {"points_low": points.low[0], "points_high": points.high[0]}
            about |= {"buys": game.variant["buys"], "turns": game.variant["turns"]}
            rows.append(about | row_of(found))
    return judged(pd.DataFrame(rows))


def named_plans(needs: list[int], shares: tuple[int, ...]) -> dict[str, str]:
    """Return plans that a player can keep in mind, as changes of `balanced`."""

    def listed(key: str, values: Any) -> str:
        return f"buy.{key}={'/'.join(map(str, values))}"

    plans = {f"no buys before contract {deal}": f"buy.from_deal={deal}" for deal in (3, 4, 5, 6, 8)}
    return {f"save for contracts {ADVICE_FROM} to {len(needs)}": ADVICE} | plans | {
        "two a contract at most": "buy.max_buys=2",
        "one a contract, more where it is needed": listed("max_buys", (max(1, need) for need in needs)),
        "shared out by what buys are worth": listed("max_buys", shares),
        "only cards that help at once": f"buy.keep={ALL}",
        "leave what later contracts need": listed("reserve", later(needs)),
        "leave what they need, and only cards that help": f"{listed('reserve', later(needs))}+buy.keep={ALL}",
    }  # fmt: skip


def with_best(named: dict[str, str], best: Plan) -> dict[str, str]:
    """Return plans with the best one found; one of them that is the same gives way, and its name is kept beside."""
    rows = ss.load_policy(best.policy).rows(len(best.keep))
    same = [
        name for name, changes in named.items()
        if (ss.load_policy(f"balanced+{changes}").rows(len(best.keep)) == rows).all()
    ]  # fmt: skip
    name = ": ".join([BEST, *same])
    return {key: changes for key, changes in named.items() if key not in same} | {name: best.changes}


def plans(chosen: dict[str, str], games: int, seed: int) -> pd.DataFrame:
    """Return what each plan gains one player among others who spend as they go."""
    rows = []
    with progress_of(list(chosen.items()), "plans") as items:
        for name, changes in items:
            found = ss.compare(
                f"balanced+{changes}", "balanced", until=f"games={games}", seed=seed, rules=BUDGET_RULES
            )
            game = found.to_frame().query("part == 'game'").set_index("metric")
            about = {"plan": name, "changes": changes, "best": name.startswith(BEST)}
            rows.append(about | {"buys": game.variant["buys"]} | row_of(found))
    return ranked(rows)


def beside(best: Plan, games: int, seed: int) -> pd.DataFrame:
    """Return what is asked once of the best plan, and of the advice where buys cannot be carried over."""
    one_less = f"balanced+{Plan(best.keep, tuple(r + 1 for r in best.reserve), best.most).changes}"
    advice = f"balanced+{ADVICE}"
    questions = {
        "advice_without_budget": (advice, "balanced", {"rules": RULES}),
        "best_over_advice": (best.policy, advice, {"rules": BUDGET_RULES, "against": "balanced"}),
        "best_among_its_like": (best.policy, "balanced", {"rules": BUDGET_RULES, "against": best.policy}),
        "one_buy_more": (best.policy, one_less, {"rules": BUDGET_RULES, "against": "balanced"}),
    }
    rows = []
    with progress_of(list(questions.items()), "beside") as items:
        for name, (a, b, rest) in items:
            rows.append({"question": name, "rules": rest["rules"]} | difference(a, b, games, seed, **rest))
    return judged(pd.DataFrame(rows))


@click.command()
@click.option("--games", default=10_000, show_default=True, help="Games of each comparison of whole games.")
@click.option("--deals", default=20_000, show_default=True, help="Deals for each buy of each contract.")
@click.option("--tuning", default=1_500, show_default=True, help="Games of each comparison of the search.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Another folder than reports/buy_timing."
)
def main(games: int, deals: int, tuning: int, seed: int, out: Path | None) -> None:
    """Find what each buy is worth, what a budget is worth, and how to spend it; write the report."""
    report = Report("buy_timing", out)
    budget_rules = ss.load_rules(BUDGET_RULES)
    # The search has values of its own to begin with: what is reported has no part in it.
    rough = marginal(max(deals // 4, 1), seed, namespace="tune")
    shares, needs = split(rough, budget_rules.buys_per_game or 0), needed(budget_rules)
    search = Search(BUDGET_RULES, tuning, seed)
    best = search.best(starts(shares, needs), MOVES)
    chosen = with_best(named_plans(needs, shares), best)
    tables = {
        "marginal": judged(marginal(deals, seed), equal=0.0),
        "spent": spent(games, seed),
        "budgets": budgets(games, seed),
        "plans": plans(chosen, games, seed),
        "beside": beside(best, games, seed),
        "search": pd.DataFrame(search.rows),
        "shape": pd.DataFrame(
            {"deal": range(1, len(needs) + 1), "contract": [budget_rules.contract_in(d + 1) for d in range(len(needs))],
             "needs": needs, "reserve": best.reserve, "most": best.most, "keep": best.keep}
        ),
    }  # fmt: skip
    for name, table in tables.items():
        report.table(name, table)
    report.scope(
        rules=RULES, budget_rules=BUDGET_RULES, budget=budget_rules.buys_per_game, per_deal=budget_rules.buys_in(1),
        players=PLAYERS, seed=seed, games=games, deals=deals, tuning=tuning, equal=EQUAL, level=LEVEL, alpha=ALPHA,
        advice_from=ADVICE_FROM, contracts=len(needs),
    )  # fmt: skip
    report.figure("marginal", buy_figures.worth(tables["marginal"]))
    report.figure("plans", buy_figures.plans(tables["plans"], budget_rules.buys_per_game or 0))
    report.figure("budgets", buy_figures.budgets(tables["budgets"]))
    report.page()


if __name__ == "__main__":
    main()
