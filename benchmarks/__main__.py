"""Print the speeds of this machine, as figures and as multiples of the reference kernel of the same run."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.doors import functions_of
from benchmarks.reference import in_turn
from shanghai_sim.cards import JOKER, PLAIN_CODES
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.distance import Need, distances
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.kernel_rules import contract_need, deal_need
from shanghai_sim.rules.ruleset import load_ruleset
from shanghai_sim.simulation.plan import make_plan
from shanghai_sim.simulation.runner import play

#: Deals that take the general search, with a hand as large as they take: ruleset, deal, cards.
_GENERAL = (
    ("shanghai-canonical", 2, 11),
    ("shanghai-canonical", 5, 12),
    ("shanghai-canonical", 9, 15),
    ("shanghai-canonical", 10, 15),
    ("contract-rummy", 3, 11),
    ("contract-rummy", 6, 13),
    ("contract-rummy", 7, 13),
    ("liverpool", 7, 15),
    ("liverpool", 7, 19),
)
_CONTRACTS = ("S3 S3", "S3 R4", "R4 R4", "S3 S3 R4", "R4 R4 S3", "S3 S3 R4 R4", "S3 R5 R5", "R4 R4 R4")


def best_of(work: Callable[[], object], repeats: int) -> float:
    """Return the shortest time of some repeats, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def show(what: str, nanoseconds: float, unit: float, extra: str = "") -> None:
    """Print a figure, and how many times the reference kernel it is."""
    print(
        f"{what:<44} {nanoseconds:>12,.0f} ns {nanoseconds / unit:>10,.0f} units  {extra}".rstrip(),
        flush=True,
    )


def table(policy: str, rules: str = "shanghai") -> Setup:
    return Setup(load_ruleset(rules), 4, [load_policy(policy)] * 4)


def evaluation() -> None:
    ruleset = load_ruleset("shanghai")
    for text in _CONTRACTS:
        distance(f"11 cards, {text}", contract_need(ruleset, Contract.parse(text)), 11)
    for name, deal, cards in _GENERAL:
        ruleset = load_ruleset(name)
        distance(f"{cards} cards, {name} {deal}", deal_need(ruleset, deal), cards)


def distance(what: str, need: Need, cards: int) -> None:
    """Time the distance of random hands, two packs with four jokers."""
    rng = Random(1)
    pack = [*PLAIN_CODES, *PLAIN_CODES, *[JOKER] * 4]
    hands = np.array([hand_boards(rng.sample(pack, cards)) for _ in range(20_000)], np.int64)
    out = np.zeros(len(hands), np.int64)
    seconds, unit = in_turn(lambda: distances(hands, need, out), 15 if cards == 11 else 5)
    show(f"distance, {what}", seconds / len(hands) * 1e9, unit)


def deals() -> None:
    for policy, rules in (
        ("plain", "shanghai"),
        ("aggressive-buy", "shanghai"),
        ("random", "shanghai"),
        ("plain", "shanghai-canonical"),
        ("plain", "liverpool"),
    ):
        setup = table(policy, rules)
        n = 200 * 4 * setup.ruleset.n_deals
        seconds, unit = in_turn(lambda setup=setup: play_blocks(setup, 0, 200), 10)
        show(
            f"a deal of four {policy}, {rules}",
            seconds / n * 1e9,
            unit,
            f"{n / seconds:,.0f} deals/s; {1e9 / (1.25 * seconds / n * 1e9 / unit):,.0f} at 1.25 ns a unit",
        )


def doors() -> None:
    setup = table("plain")
    functions = [(i, functions_of("plain")) for i in range(4)]
    n = 200 * 4 * setup.ruleset.n_deals
    units = {}
    for _ in range(8):  # taken in turn as well
        for name, way in (("first", None), ("second", functions)):
            seconds, unit = in_turn(lambda way=way: play_blocks(setup, 0, 200, functions=way), 2)
            units.setdefault(name, []).append(seconds / n * 1e9 / unit)
    ratios = np.array(units["second"]) / np.array(units["first"]) - 1
    print(
        f"{'the second door, of a deal':<44} {np.median(ratios):>+12.1%} ({ratios.min():+.1%} to {ratios.max():+.1%})"
    )


def threads() -> None:
    plan = make_plan(load_ruleset("shanghai"), [load_policy("plain")] * 4, games=16_000)
    pairs = [
        [best_of(lambda n=n: sum(1 for _ in play(plan, workers=n)), 1) for n in (1, 2)] for _ in range(5)
    ]
    gains = np.array([one / two for one, two in pairs])
    print(
        f"{'two threads against one':<44} {np.median(gains):>12.2f} times ({gains.min():.2f} to {gains.max():.2f})"
    )


def starts() -> None:
    command = [sys.executable, "-m", "shanghai_sim"]
    games = [*command, "run", "--policy", "plain", "--games", "1000"]
    distance = [sys.executable, "-c", "import shanghai_sim as s; s.contract_distance('7H', 'S3 R4')"]

    def call(words: list[str], folder: str) -> float:
        env = os.environ | {"SHANGHAI_SIM_CACHE_DIR": folder}
        return best_of(lambda: subprocess.run(words, env=env, capture_output=True, check=True), 1)

    for what, words in (("contract_distance", distance), ("run --games 1000", games)):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{'first ' + what + ' ever (compiles)':<44} {call(words, folder):>12.1f} s", flush=True)
            print(f"{'later ' + what:<44} {min(call(words, folder) for _ in range(3)):>12.1f} s", flush=True)
    help_ = [*command, "--help"]
    print(f"{'--help':<44} {min(call(help_, '') for _ in range(5)):>12.2f} s")


def cpu() -> str:
    """Return the name of the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main() -> None:
    print(f"{cpu()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(
        "unit: the reference kernel (a random word and a look-up in 16 KiB), timed in turn with each figure\n"
    )
    evaluation()
    deals()
    doors()
    threads()
    starts()


if __name__ == "__main__":
    main()
