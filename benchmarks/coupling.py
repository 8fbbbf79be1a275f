"""What common random numbers gain: rotation alone, one pile for all, a stock order per seat.

For each pair of policies A, B the design is "one A among B, in every seat, against the one all-B game". Printed are
the correlation of the two arms, block by block, and the variance-reduction factor: the variance of an unpaired design
with one seat a game and as many games, over that of this one. "Rotation alone" plays the arms on different blocks.
"""

from __future__ import annotations

import sys

import numpy as np

from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset

BLOCKS = 4000
PLAYERS = 4
PAIRS = (
    ("plain+swap.use=never", "plain"),
    ("plain+buy.max_buys=2", "plain"),
    ("no-buy", "plain"),
    ("aggressive-buy", "plain"),
    ("random", "plain"),
)


def _setup(policies: list[str], coupling: str) -> Setup:
    return Setup(
        load_ruleset("shanghai"),
        PLAYERS,
        [load_policy(p) for p in policies],
        coupling=coupling,
        namespace="pilot",
    )


def _arms(a: str, b: str, coupling: str, shift: int) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Return A's and B's mean outcome per block, and the variance of a single seat's outcome in a game of each arm."""
    field = [b] * (PLAYERS - 1)
    with_a = play_blocks(_setup([a, *field], coupling), 0, BLOCKS)
    # With equal policies all rotations of a block are the same game: one is enough.
    all_b = play_blocks(_setup([b, *field], coupling), shift, BLOCKS)
    y_a = -with_a.totals[with_a.policy == 0].reshape(BLOCKS, PLAYERS)
    y_b = -all_b.totals[::PLAYERS]
    return y_a.mean(axis=1), y_b.mean(axis=1), float(y_a[:, 0].var(ddof=1)), float(y_b[:, 0].var(ddof=1))


def measure(a: str, b: str, coupling: str, shift: int = 0) -> tuple[float, float, float, float]:
    """Return difference, its standard error, correlation and variance-reduction factor."""
    y_a, y_b, v_a, v_b = _arms(a, b, coupling, shift)
    difference = y_a - y_b
    error = difference.std(ddof=1) / np.sqrt(BLOCKS)
    games = BLOCKS * (PLAYERS + 1)
    return (
        float(difference.mean()),
        float(error),
        float(np.corrcoef(y_a, y_b)[0, 1]),
        float((v_a + v_b) / (games / 2) / error**2),
    )


def main() -> None:
    """Print a Markdown table."""
    print(f"shanghai, {PLAYERS} players, {BLOCKS} blocks a cell, seed 1, namespace pilot\n")
    print("| A against three B | points a game of A minus B | | rotation alone | pile | seat |")
    print("|---|---|---|---|---|---|")
    for a, b in PAIRS:
        found = [measure(a, b, "seat", BLOCKS), measure(a, b, "pile"), measure(a, b, "seat")]
        difference, error = -found[2][0], found[2][1]
        print(f"| `{a}`, `{b}` | {difference:+.1f} ± {1.96 * error:.1f} | correlation | ", end="")
        print(" | ".join(f"{row[2]:.2f}" for row in found) + " |")
        print("| | | variance reduction | " + " | ".join(f"{row[3]:.1f}" for row in found) + " |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
