"""The report of a run: the answer first, then a table by policy and one by deal."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from shanghai_sim.reporting.tables import table_lines

_TABLE = "(table)"
Rows = Sequence[Mapping[str, Any]]


class Figures:
    """Look-up in summary rows (keys: simulation.columns.SUMMARY)."""

    def __init__(self, summary: Rows) -> None:
        self._rows = {(row["group"], row["deal"], row["metric"]): row for row in summary}

    def text(self, group: str, deal: int, metric: str, digits: int = 1, scale: float = 1) -> str:
        """Return ``estimate ± half-width`` of a figure; a dash where there is none."""
        row = self._rows[group, deal, metric]
        estimate, half = row["estimate"], (row["high"] - row["low"]) / 2
        if isnan(estimate):
            return "-"
        shown = f"{scale * estimate:.{digits}f}"
        return shown if isnan(half) else f"{shown} ± {scale * half:.{digits}f}"

    def plain(self, group: str, deal: int, metric: str, digits: int = 1, scale: float = 1) -> str:
        """Return the estimate alone."""
        return self.text(group, deal, metric, digits, scale).partition(" ")[0]

    def value(self, group: str, deal: int, metric: str) -> float:
        """Return the estimate as a number."""
        return float(self._rows[group, deal, metric]["estimate"])

    def interval(self, group: str, deal: int, metric: str) -> str:
        """Return ``estimate (low-high)`` of a whole number, as far as they are known and differ."""
        row = self._rows[group, deal, metric]
        if isnan(row["estimate"]):
            return "-"
        ends = [f"{row[key]:.0f}" for key in ("low", "high") if not isnan(row[key])]
        if not ends or (ends[0] == ends[-1] == f"{row['estimate']:.0f}" and len(ends) == 2):
            return f"{row['estimate']:.0f}"
        return f"{row['estimate']:.0f} ({'-'.join(ends)}{'' if len(ends) == 2 else '+'})"

    def deals(self) -> list[int]:
        """Return the numbers of the deals that were played."""
        return sorted({deal for _, deal, _ in self._rows if deal > 0})


def run_report(
    verdict: str,
    context: Mapping[str, Any],
    groups: Sequence[str],
    contracts: Mapping[int, str],
    summary: Rows,
) -> str:
    """Return the report as text, at most 100 columns wide but for long names.

    Parameters
    ----------
    verdict : str
        The answer in words.
    context : mapping
        What was asked: rules, players, policies, games, blocks, seed and so on.
    groups : sequence of str
        The groups of the summary, in the order asked for.
    contracts : mapping of int to str
        The contract of each deal.
    summary : sequence of mappings
        Rows of simulation.columns.SUMMARY.
    """
    figures = Figures(summary)
    ranked = sorted(groups, key=lambda group: figures.value(group, 0, "points"))
    parts = [[verdict], by_policy(figures, ranked), _how_it_ended(figures, contracts)]
    if len(groups) == 2:
        parts[2:2] = [_by_deal(figures, groups, contracts)]
    else:
        parts[2:2] = [
            _one_figure(figures, ranked, contracts, "points a deal", "points", 1, 1),
            _one_figure(figures, ranked, contracts, "% laid down", "laid_down", 1, 100),
            _one_figure(figures, ranked, contracts, "own turn of the lay-down", "lay_down_turn", 2, 1),
            _one_figure(figures, ranked, contracts, "buys a deal", "buys", 2, 1),
            _one_figure(figures, ranked, contracts, "wilds stuck in hand at the end", "wilds_left", 2, 1),
        ]
    parts.append(footer(context))
    return "\n\n".join("\n".join(part) for part in parts)


def by_policy(figures: Figures, groups: Sequence[str]) -> list[str]:
    """Return the table of the whole game, a row a group."""
    rows = [
        {
            "policy": group,
            "points a game": figures.text(group, 0, "points"),
            "% of wins": figures.text(group, 0, "win_share", scale=100),
            "mean rank": figures.text(group, 0, "rank", 2),
            "deals laid down": figures.text(group, 0, "deals_laid_down", 2),
            "buys a game": figures.text(group, 0, "buys", 2),
        }
        for group in groups
    ]
    return table_lines(rows, left=["policy"])


def _name(deal: int, contracts: Mapping[int, str]) -> int | str:
    """Return the number of a deal; the last contract is that of sudden death."""
    return "tie" if deal == max(contracts) else deal


def _by_deal(figures: Figures, groups: Sequence[str], contracts: Mapping[int, str]) -> list[str]:
    """Return the table by deal for two groups, set side by side."""
    first, second = groups

    def pair(deal: int, metric: str, digits: int, scale: float = 1) -> str:
        return " / ".join(figures.plain(group, deal, metric, digits, scale) for group in groups)

    rows = [
        {
            "deal": _name(deal, contracts),
            "contract": contracts[deal],
            "points": figures.text(first, deal, "points"),
            "others": figures.text(second, deal, "points"),
            "% laid down": figures.text(first, deal, "laid_down", scale=100),
            "others ": figures.plain(second, deal, "laid_down", scale=100),
            "on turn": pair(deal, "lay_down_turn", 1),
            "buys": pair(deal, "buys", 1),
            "wilds stuck": pair(deal, "wilds_left", 2),
        }
        for deal in figures.deals()
    ]
    title = f"By deal, {first} and the others ({second}); --format csv has the intervals of all figures:"
    return [title, *table_lines(rows, left=["contract"])]


def _one_figure(
    figures: Figures, groups: Sequence[str], contracts: Mapping[int, str],
    title: str, metric: str, digits: int, scale: float,
) -> list[str]:  # fmt: skip
    rows = [
        {"deal": _name(deal, contracts), "contract": contracts[deal]}
        | {group: figures.text(group, deal, metric, digits, scale) for group in groups}
        for deal in figures.deals()
    ]
    return [f"By deal, {title}:", *table_lines(rows, left=["contract"])]


def _how_it_ended(figures: Figures, contracts: Mapping[int, str]) -> list[str]:
    def share(metric: str) -> str:
        return figures.text(_TABLE, 0, metric, 2, 100) + " %"

    deals = sum(deal != max(contracts) for deal in figures.deals())
    return [
        f"Deals that end by going out: {share('ended_out')}; at the turn limit: {share('ended_turn_limit')};",
        f"with an empty stock: {share('ended_stock_empty')}.",
        f"A game of {deals} deals takes {figures.text(_TABLE, 0, 'turns')} turns of all seats together and "
        f"{figures.text(_TABLE, 0, 'reshuffles', 2)} reshuffles;",
        f"{share('sudden_death')} of the games end in a tie that one more deal decides.",
    ]


def footer(context: Mapping[str, Any]) -> list[str]:
    """Return what a report ends with: how to read it, and what it depends on."""
    return [
        "Fewer points are better. ± is half of a 95 % interval, from blocks. All of it holds for these rules",
        "and these opponents only:",
        *context_lines(context),
    ]


def context_lines(context: Mapping[str, Any]) -> list[str]:
    """Return what a result depends on, as lines of text."""
    named = {key.replace("_", " "): value for key, value in context.items()}
    items = [
        f"{key} {value:,}" if key in ("games", "blocks") else f"{key} {value}" for key, value in named.items()
    ]
    return textwrap.wrap(" · ".join(items), 100, break_on_hyphens=False)


def run_json(verdict: str, context: Mapping[str, Any], summary: Rows, **more: Mapping[str, Any]) -> str:
    """Return the same as JSON: verdict, context, what else there is, and the rows (null: no figure)."""

    def known(row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: None if isinstance(value, float) and isnan(value) else value for key, value in row.items()
        }

    parts = {name: known(part) for name, part in more.items()}
    whole = {"verdict": verdict, "context": dict(context), **parts, "summary": [*map(known, summary)]}
    return json.dumps(whole, indent=2, ensure_ascii=False)
