"""A frozen request: what is to be played, checked, with a canonical form for manifests and comparisons."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from shanghai_sim.defaults import COUPLINGS, MAX_GAMES, MAX_SEED, NAMESPACES
from shanghai_sim.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from shanghai_sim.policies.policy import Policy
    from shanghai_sim.rules.ruleset import Ruleset


@frozen
class Plan:
    """What is to be played; make one with `make_plan`.

    Attributes
    ----------
    ruleset : Ruleset
        The rules.
    players : int
        Players at the table.
    policies : tuple of Policy
        One per seat, or the one that rotates through the seats while the others hold `against`.
    against : tuple of Policy
        The mixture in the other seats, drawn per block; empty where `policies` fills all seats.
    games : int
        Games to play, whole blocks.
    seed : int
        0 or more.
    namespace : str
        Seed space (FORMATS, Seeds and games).
    coupling : str
        "seat" or "pile" (docs/kernels.md).
    deals : tuple of int or None
        Numbers of the deals played, rising; None: all.
    """

    ruleset: Ruleset
    players: int
    policies: tuple[Policy, ...]
    against: tuple[Policy, ...]
    games: int
    seed: int
    namespace: str
    coupling: str
    deals: tuple[int, ...] | None

    @property
    def blocks(self) -> int:
        """Number of blocks: every block is played in as many rotations as there are players."""
        return self.games // self.players

    @property
    def deal_numbers(self) -> tuple[int, ...]:
        """Numbers of the deals by slot; the last slot, one past the ruleset's last deal, is sudden death."""
        played = self.deals or tuple(range(1, self.ruleset.n_deals + 1))
        return (*played, self.ruleset.n_deals + 1)

    @property
    def deals_apart(self) -> bool:
        """Whether what happens in a deal depends on no other deal, so that each can be played alone."""
        seated = (*self.policies, *self.against)
        return self.ruleset.buys_per_game is None and not any(policy.heeds_scores for policy in seated)

    @property
    def against_label(self) -> str:
        """The mixture as it is written on the command line."""
        return ",".join(policy.label for policy in self.against)

    @property
    def group_labels(self) -> tuple[str, ...]:
        """Names of the groups that results are given for, all different."""
        if self.against:
            first, rest = self.policies[0].label, self.against_label
            return (first, f"{rest} (the others)" if rest == first else rest)
        labels = [policy.label for policy in self.policies]
        return tuple(
            f"{label} ({i + 1})" if labels.count(label) > 1 else label for i, label in enumerate(labels)
        )

    @property
    def group_sizes(self) -> tuple[int, ...]:
        """Seats of each group; groups are consecutive policy indices."""
        return (1, self.players - 1) if self.against else (1,) * self.players

    def request(self) -> dict[str, Any]:
        """Return what was asked, in full and ready for JSON; equal requests give equal results."""
        return {
            "rules": self.ruleset.to_options(),
            "players": self.players,
            "policies": [_policy_in_full(policy) for policy in self.policies],
            "against": [_policy_in_full(policy) for policy in self.against],
            "games": self.games,
            "blocks": self.blocks,
            "seed": self.seed,
            "namespace": self.namespace,
            "coupling": self.coupling,
            "deals": list(self.deals) if self.deals else None,
        }

    def context(self) -> dict[str, str | int]:
        """Return what every output names: seed, games, blocks, players, rules, policies and so on."""
        from shanghai_sim._version import ENGINE_VERSION

        seated = ",".join(policy.label for policy in self.policies)
        return {
            "rules": self.ruleset.name,
            "players": self.players,
            "policies": f"{seated} against {self.against_label}" if self.against else seated,
            "games": self.games,
            "blocks": self.blocks,
            "deals": ",".join(map(str, self.deals)) if self.deals else "all",
            "seed": self.seed,
            "namespace": self.namespace,
            "coupling": self.coupling,
            "engine_version": ENGINE_VERSION,
        }

    def setup(self) -> Any:
        """Return the engine's form of the plan."""
        from shanghai_sim.engine.batch import Setup

        alone = len(self.against) == 1
        return Setup(
            self.ruleset,
            self.players,
            self.policies + self.against * (self.players - 1) if alone else self.policies,
            mixture=() if alone else self.against,
            seed=self.seed,
            namespace=self.namespace,
            coupling=self.coupling,
            deals=self.deals,
        )


def make_plan(
    ruleset: Ruleset,
    policies: Sequence[Policy],
    *,
    against: Sequence[Policy] = (),
    players: int | None = None,
    games: int = 10_000,
    seed: int = 1,
    namespace: str = "final",
    coupling: str = "seat",
    deals: Sequence[int] | None = None,
) -> Plan:
    """Check a request and return it as a plan.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    policies : sequence of Policy
        One per seat; or exactly one, with `against`.
    against : sequence of Policy
        Who sits in the other seats: one policy, or a mixture drawn per block.
    players : int, optional
        By default as many as policies, else 4 or the nearest number that the ruleset allows.
    games : int
        At least 1; rounded up to whole blocks.
    seed : int
        0 to 2**63 - 1.
    namespace, coupling : str
        See `Plan`.
    deals : sequence of int, optional
        Numbers of the deals to play, from 1.

    Raises
    ------
    InputError
        With a line for each thing that is wrong; RulesError where the rules cannot be played so.
    """
    from shanghai_sim.rules.playable import check_playable

    if players is None:
        players = ruleset.usual_players if against else len(policies)
    problems = []
    if against and len(policies) != 1:
        problems.append(
            f"{len(policies)} policies and others against them: give one policy per seat, or one alone"
        )
    elif not against and len(policies) != players:
        problems.append(f"one policy per seat is needed: {players} players, {len(policies)} policies")
    if not 1 <= games <= MAX_GAMES:
        problems.append(f"games: {games} is not a number from 1 to {MAX_GAMES}")
    if not 0 <= seed <= MAX_SEED:
        problems.append(f"seed: {seed} is not a number from 0 to 2**63 - 1")
    problems += _not_in("namespace", namespace, NAMESPACES) + _not_in("coupling", coupling, COUPLINGS)
    chosen = None if deals is None else tuple(sorted(set(deals)))
    if chosen is not None and not chosen:
        problems.append("deals: none chosen")
    elif chosen and not 1 <= chosen[0] <= chosen[-1] <= ruleset.n_deals:
        bad = chosen[0] if chosen[0] < 1 else chosen[-1]
        problems.append(f"deals: {ruleset.name} has deals 1 to {ruleset.n_deals}, there is no deal {bad}")
    if problems:
        raise InputError(*problems)
    check_playable(ruleset, players)
    blocks = -(-games // players)
    return Plan(
        ruleset, players, tuple(policies), tuple(against), blocks * players, seed, namespace, coupling,
        None if chosen and len(chosen) == ruleset.n_deals else chosen,
    )  # fmt: skip


def canonical_json(data: Mapping[str, Any]) -> str:
    """Return JSON text that is the same for the same data, whatever the order of keys."""
    return json.dumps(data, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return a line for each value in which two requests differ, with its dotted key.

    Parameters
    ----------
    old, new : mapping
        Two results of `Plan.request`, of which `old` may come from a file.
    """
    before, after = (_flat(json.loads(canonical_json(request))) for request in (old, new))
    keys = sorted(before.keys() | after.keys())
    return [
        f"{key}: {before.get(key, 'nothing')} there, {after.get(key, 'nothing')} asked"
        for key in keys
        if before.get(key) != after.get(key)
    ]


def _flat(value: Any, prefix: str = "") -> dict[str, str]:
    """Return nested data as one mapping of dotted keys to JSON texts."""
    if isinstance(value, dict) and value:
        items = [(f"{prefix}.{key}" if prefix else str(key), inner) for key, inner in value.items()]
    elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        items = [(f"{prefix}.{i + 1}", inner) for i, inner in enumerate(value)]
    else:
        return {prefix: json.dumps(value, ensure_ascii=False)}
    flat: dict[str, str] = {}
    for key, inner in items:
        flat |= _flat(inner, key)
    return flat


def _policy_in_full(policy: Policy) -> dict[str, Any]:
    return {"label": policy.label, **policy.to_dict()}


def _not_in(what: str, word: str, known: Sequence[str]) -> list[str]:
    if word in known:
        return []
    return [f"{what}: {word!r} is not one of {', '.join(known)}{did_you_mean(word, known)}"]
