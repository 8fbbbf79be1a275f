"""Playing blocks of games from Python: what is asked, and arrays of what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from attrs import field, frozen

from shanghai_sim.defaults import COUPLINGS, NAMESPACES
from shanghai_sim.engine import game as gm
from shanghai_sim.engine.metrics import N_DEAL_COLUMNS
from shanghai_sim.engine.seats import BUILT_IN, no_functions
from shanghai_sim.engine.state import LUCKS, STATUS_TEXTS, new_state
from shanghai_sim.errors import PolicyError
from shanghai_sim.policies.parameters import N_PARAMETERS
from shanghai_sim.policies.view import MAX_PLAYERS
from shanghai_sim.rules.kernel_rules import LUCK, deal_row
from shanghai_sim.rules.playable import check_playable

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


def _tuple(items: Sequence[Policy]) -> tuple[Policy, ...]:
    return tuple(items)


@frozen
class Setup:
    """Which games are meant: everything that a game depends on, but its number.

    Attributes
    ----------
    ruleset : Ruleset
    players : int
    policies : tuple of Policy
        One per seat; or, with a mixture, the one policy that meets it.
    mixture : tuple of Policy
        From which the other seats' policies are drawn, block by block; empty: none.
    seed : int
    namespace : str
    coupling : str
        "seat" or "pile".
    deals : tuple of int or None
        The deals to play, rising; None: all.
    luck : bool
        Whether the luck of the draws is recorded (engine.luck).

    Raises
    ------
    RulesError
        If these rules cannot be played by this many players.
    """

    ruleset: Ruleset
    players: int
    policies: tuple[Policy, ...] = field(converter=_tuple)
    mixture: tuple[Policy, ...] = field(converter=_tuple, default=())
    seed: int = 1
    namespace: str = "final"
    coupling: str = "seat"
    deals: tuple[int, ...] | None = None
    luck: bool = False

    def __attrs_post_init__(self) -> None:
        check_playable(self.ruleset, self.players)
        if len(self.policies) != (1 if self.mixture else self.players):
            raise PolicyError(
                f"{self.players} players need {self.players} policies, not {len(self.policies)}"
            )

    @property
    def members(self) -> tuple[Policy, ...]:
        """The policies that can sit at the table: those of the seats, or the one and then the mixture."""
        return (*self.policies, *self.mixture)

    @property
    def deal_numbers(self) -> tuple[int, ...]:
        """Numbers of the deals, by slot; the last one is sudden death."""
        played = self.deals or tuple(range(1, self.ruleset.n_deals + 1))
        return (*played, self.ruleset.n_deals + 1)

    @property
    def n_slots(self) -> int:
        """Number of deals played, and one for sudden death."""
        return len(self.deal_numbers)


class Batch(NamedTuple):
    """What happened in some blocks; games in order, seats in order."""

    deals: np.ndarray  #: int32[games, slots, players, N_DEAL_COLUMNS], see engine.metrics
    sudden_death: np.ndarray  #: bool[games]: the last slot was played
    totals: np.ndarray  #: int32[games, players]
    win: np.ndarray  #: float64[games, players]: 1/k for each of k winners
    rank: np.ndarray  #: float64[games, players]: 1 is best, equal totals share the mean rank
    policy: np.ndarray  #: int8[games, players]: which of the game's policies sits there
    member: np.ndarray  #: int8[games, players]: index into Setup.members
    luck: np.ndarray  #: int64[games, players, LUCKS], see engine.luck; all 0 where it is not asked for


def rules_rows(setup: Setup) -> np.ndarray:
    """Return the rules of each slot as kernels read them (int64[slots, N_COLUMNS])."""
    rows = np.stack([deal_row(setup.ruleset, setup.players, deal) for deal in setup.deal_numbers])
    rows[:, LUCK] = setup.luck
    return rows


def parameter_rows(setup: Setup) -> np.ndarray:
    """Return the parameters of each member in each slot (float64[members, slots, N_PARAMETERS])."""
    slots = np.array(setup.deal_numbers) - 1
    return np.stack([policy.rows(setup.ruleset.n_deals)[slots] for policy in setup.members])


def game_options(setup: Setup, first_block: int, n_blocks: int, rotations: int) -> np.ndarray:
    """Return the numbers that `game.play_games` takes (int64[OPTIONS])."""
    options = np.zeros(gm.OPTIONS, np.int64)
    options[gm.FIRST_BLOCK] = first_block
    options[gm.N_BLOCKS] = n_blocks
    options[gm.ROTATIONS] = rotations
    options[gm.SEED] = setup.seed
    options[gm.NAMESPACE] = NAMESPACES.index(setup.namespace)
    options[gm.COUPLING] = COUPLINGS.index(setup.coupling)
    options[gm.SUDDEN_DEATH] = setup.ruleset.score.tie == "sudden-death"
    options[gm.MIXTURE] = len(setup.mixture)
    return options


def compile_kernels() -> None:
    """Compile what `play_blocks` runs, or load it from disk.

    The thread that Ctrl-C interrupts should do this: in another one compiling goes on to its end.
    """
    no_functions()
    gm.play_games.dispatcher  # noqa: B018 - making it compiles


def play_blocks(
    setup: Setup,
    first_block: int,
    n_blocks: int,
    functions: Sequence[tuple[int, tuple[Any, ...]]] | None = None,
    rotations: int | None = None,
) -> Batch:
    """Play whole blocks: each in as many rotations as there are players, or in the first ones of these.

    The interpreter lock is released, and nothing is shared between calls, so that threads may play at once.

    Parameters
    ----------
    setup : Setup
    first_block, n_blocks : int
        0 or more, 1 or more.
    functions : sequence of (int, tuple), optional
        Policies of another kind: their index, and four compiled functions for draw, buy, play and discard.
    rotations : int, optional
        1 to the number of players, by default that number.

    Returns
    -------
    Batch
        Game g of it is block ``first_block + g // rotations`` in rotation ``g % rotations``.

    Raises
    ------
    PolicyError
        If a policy answers illegally; it names the game to replay.
    """
    players = setup.players
    rotations = players if rotations is None else rotations
    games = n_blocks * rotations
    tables = [list(no_functions()) for _ in range(4)]
    kinds = np.full(MAX_PLAYERS, BUILT_IN, np.int64)
    for index, four in functions or ():
        kinds[index] = 1 - BUILT_IN
        for table, function in zip(tables, four, strict=True):
            table[index] = function
    batch = Batch(
        np.zeros((games, setup.n_slots, players, N_DEAL_COLUMNS), np.int32),
        np.zeros(games, np.bool_),
        np.zeros((games, players), np.int32),
        np.zeros((games, players)),
        np.zeros((games, players)),
        np.zeros((games, players), np.int8),
        np.zeros((games, players), np.int8),
        np.zeros((games, players, LUCKS), np.int64),
    )
    where = np.zeros(gm.WHERE, np.int64)
    gm.play_games(
        game_options(setup, first_block, n_blocks, rotations), rules_rows(setup), parameter_rows(setup), kinds,
        *map(tuple, tables), new_state(), np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS, np.int64),
        np.zeros((MAX_PLAYERS, N_PARAMETERS)), *batch, where,
    )  # fmt: skip
    if where[gm.STATUS]:
        raise PolicyError(
            f"seat {where[gm.CULPRIT]} gave {STATUS_TEXTS[where[gm.STATUS]]} "
            f"in game {where[gm.GAME]}, deal {where[gm.DEAL]} (seed {setup.seed})"
        )
    return batch
