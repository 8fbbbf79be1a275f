"""Ten figures of a table under one coupling, block by block; with a planted fault on request.

Run as a program it prints them as JSON: ``python -m tests.statistical.law COUPLING SEED BLOCKS [fault]``. The
fault replaces the penalty card's draw by one from the wrong order: the first card of the stock in card order.
"""

from __future__ import annotations

import json
import math
import sys

import numpy as np

from shanghai_sim._jit import kernel
from shanghai_sim.cards import JOKER
from shanghai_sim.engine import metrics, turn
from shanghai_sim.engine import state as st
from shanghai_sim.policies import view as v
from shanghai_sim.rules.boards import remove_mask

FIGURES = (
    "points", "laid_down", "lay_down_turn", "buys_offered", "buys", "discards_taken", "wilds_left", "peak_hand",
    "lay_offs", "turns",
)  # fmt: skip
_honest = turn.draw_card


@kernel
def faulty_draw_card(state, seat, keep):
    """Draw as `stock.draw_card` does, but a penalty card (keep 0) from the wrong order."""
    if keep != 0 or state.table[v.STOCK] == 0:
        return _honest(state, seat, keep)
    hidden = state.hidden
    row = st.hand_row(st.STOCK_SEAT)
    hidden[row + st.SIZE] -= 1
    state.table[v.STOCK] -= 1
    for code in range(64):
        if (hidden[row] >> code) & 1:
            b1, b2, b3 = remove_mask(hidden[row], hidden[row + 1], hidden[row + 2], 1 << code)
            hidden[row], hidden[row + 1], hidden[row + 2] = b1, b2, b3
            return code
    hidden[row + st.JOKERS_HELD] -= 1
    return JOKER


def figures(coupling: str, seed: int, blocks: int) -> np.ndarray:
    """Return the mean of each figure in each block (float64[blocks, 10])."""
    from shanghai_sim.engine.batch import Setup, play_blocks
    from shanghai_sim.policies.policy import load_policy
    from shanghai_sim.rules.ruleset import load_ruleset

    policies = [load_policy(p) for p in ("plain", "aggressive-buy", "no-buy", "random")]
    setup = Setup(load_ruleset("shanghai"), 4, policies, seed=seed, coupling=coupling, namespace="recheck")
    deals = play_blocks(setup, 0, blocks).deals[:, :-1]
    columns = [metrics.DEAL_COLUMNS.index(name) for name in FIGURES]
    return deals.reshape(blocks, -1, metrics.N_DEAL_COLUMNS)[..., columns].mean(axis=1)


def p_values(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return two-sided p-values of equal means, figure by figure; blocks are the units."""
    error = np.sqrt(a.var(axis=0, ddof=1) / len(a) + b.var(axis=0, ddof=1) / len(b))
    z = np.abs(a.mean(axis=0) - b.mean(axis=0)) / error
    return np.array([math.erfc(x / math.sqrt(2)) for x in z])


def holm(p: np.ndarray, level: float) -> list[str]:
    """Return the figures whose equality Holm's step-down procedure rejects at a family-wise level."""
    rejected = []
    for k, i in enumerate(np.argsort(p, kind="stable")):
        if p[i] > level / (len(p) - k):
            break
        rejected.append(FIGURES[i])
    return rejected


if __name__ == "__main__":
    if sys.argv[4:] == ["fault"]:
        turn.draw_card = faulty_draw_card
    print(json.dumps(figures(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])).tolist()))
