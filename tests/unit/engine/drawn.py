"""Rulesets, options, players and policies drawn at random, to be played wherever a test wants variety."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shanghai_sim.defaults import COUPLINGS
from shanghai_sim.engine.batch import Setup
from shanghai_sim.errors import RulesError
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.ruleset import load_ruleset, preset_names

#: Values of the options other than those of `shanghai`, as on the command line. Lists of contracts are of three deals.
OPTIONS = {
    "cards.packs": ["{2=1}", "{2=2}", "{2=3}"],
    "cards.jokers": ["{}", "{2=1}", "{2=12}"],
    "cards.wild": ["['2']", "['JK','2']", "['2S','2C']", "['JK','KH','3']", "[]"],
    "cards.ace": ["low", "high"],
    "deal.hand_size": ["3", "5", "8", "14", "20", "[10,9,13]"],
    "deal.contracts": [
        "['S3','R3','R13']",
        "['S3 S3','S3 R4','R4 R4']",
        "['S3 S3 R4','R4 S3 R4 S3','R7 S4']",
        "['S3 S3 S3 S3','R3 R3 R3 R3','R5 R5']",
        "['S4 S3 R4 R5','R14','S5 R3']",
    ],
    "deal.natural_only": ["[1]", "[2,3]"],
    "deal.first_player_extra_card": ["true"],
    "draw.discard_after_laying_down": ["false"],
    "buy.per_deal": ["0", "1", "unlimited", "[2,'unlimited',0]"],
    "buy.per_game": ["0", "1", "4"],
    "buy.penalty_cards": ["0", "2", "5"],
    "buy.own_discard": ["true"],
    "buy.after_laying_down": ["false"],
    "buy.no_meld_next_turn": ["true"],
    "meld.longer_at_lay_down": ["true"],
    "meld.lay_off_same_turn": ["true"],
    "meld.max_wilds": ["0", "1", "2"],
    "meld.naturals_outnumber_wilds": ["at-least-equal", "strictly"],
    "meld.wild_limits": ["always"],
    "meld.set_suits": ["distinct"],
    "meld.same_rank_sets": ["false"],
    "meld.runs_may_adjoin": ["false"],
    "swap.melds": ["all", "none"],
    "swap.freed_wild": ["table"],
    "go_out.discard": ["optional"],
    "go_out.last_deal_takes_whole_hand": ["true"],
    "stock.when_empty": ["end-deal"],
    "stock.turn_limit": ["1", "2", "7", "30"],
    "score.first_turn_bonus": ["-50"],
    "score.first_turn_bonus_without_wild": ["-100"],
    "score.one_turn_bonus": ["-25"],
    "score.one_turn_bonus_without_wild": ["-30"],
    "score.tie": ["shared"],
    "score.sudden_death_contract": ["R5 R5"],
    "score.points": ["{A=0,K=0,Q=0,J=0,T=0,9=0,8=0,7=0,6=0,5=0,4=0,3=0,2=0,JK=0}", "{JK=50}"],
    "score.wild_points": ["{2=20}"],
}


def drawn_setup(rng: Random, kinds: Sequence[str], most_deals: int, share: float = 0.3) -> Setup:
    """Return a preset with a share of its options changed, some of its deals, and policies of some kinds.

    What nobody can play is drawn anew.
    """
    while True:
        changes = [f"{key}={rng.choice(values)}" for key, values in OPTIONS.items() if rng.random() < share]
        players = rng.randint(2, 8)
        try:
            ruleset = load_ruleset(rng.choice(preset_names()), [*changes, "players.min=2", "players.max=8"])
            deals = sorted(rng.sample(range(1, ruleset.n_deals + 1), min(most_deals, ruleset.n_deals)))
            return Setup(
                ruleset, players, [load_policy(rng.choice(kinds)) for _ in range(players)],
                deals=tuple(deals), seed=rng.randrange(1000), coupling=rng.choice(COUPLINGS),
            )  # fmt: skip
        except RulesError:
            continue
