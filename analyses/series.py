"""Long series of real blocks, played once and cut into runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import shanghai_sim as ss

Series = NDArray[np.float64]
#: One deal is cheap; its blocks vary as those of a game do.
DEALS = (2,)
NOISY = "balanced+noise=0.05"
CHANGED = "balanced+noise=0.02"
OTHER_RULES = "shanghai-one-buy"


def on_other_blocks(blocks: int, workers: int | None = None) -> dict[str, Series]:
    """Return differences of one policy to itself, each block set against the next one, by rules.

    The two sides of a block are the same policy with different luck, so the true difference is 0.
    """
    found = ss.compare(
        "balanced", rules_b=OTHER_RULES, deals=DEALS, until=f"games={4 * blocks}", workers=workers
    ).block_frame()
    sides = {"shanghai": found.variant, OTHER_RULES: found.baseline}
    return {rules: (side[::2].to_numpy() - side[1::2].to_numpy())[:blocks] for rules, side in sides.items()}


def with_noise(blocks: int, workers: int | None = None) -> ss.Comparison:
    """Return a policy with random slips against itself: the slips of the two sides differ, the luck does not."""
    return ss.compare(NOISY, NOISY, against=NOISY, deals=DEALS, until=f"games={5 * blocks}", workers=workers)


def changed(blocks: int, namespace: str, workers: int | None = None) -> Series:
    """Return differences of a policy with a few slips to the one without."""
    found = ss.compare(
        CHANGED, "balanced", deals=DEALS, until=f"games={5 * blocks}", namespace=namespace, workers=workers
    )
    return np.asarray(found.block_frame().difference)
