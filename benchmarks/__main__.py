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
from benchmarks.reference import reference_ns
from shanghai_sim.cards import JOKER, PLAIN_CODES
from shanghai_sim.engine.batch import Setup, play_blocks
from shanghai_sim.policies.policy import load_policy
from shanghai_sim.rules.contract import Contract
from shanghai_sim.rules.distance import distances
from shanghai_sim.rules.evaluate import hand_boards
from shanghai_sim.rules.kernel_rules import contract_need
from shanghai_sim.rules.ruleset import load_ruleset
from shanghai_sim.simulation.plan import make_plan
from shanghai_sim.simulation.runner import play

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
    print(
        f"{what:<44} {nanoseconds:>12,.0f} ns {nanoseconds / unit:>10,.0f} units  {extra}".rstrip(),
        flush=True,
    )


def table(policy: str, rules: str = "shanghai") -> Setup:
    return Setup(load_ruleset(rules), 4, [load_policy(policy)] * 4)


def evaluation(unit: float) -> None:
    rng = Random(1)
    pack = [*PLAIN_CODES, *PLAIN_CODES, *[JOKER] * 4]
    hands = np.array([hand_boards(rng.sample(pack, 11)) for _ in range(20_000)], np.int64)
    out = np.zeros(len(hands), np.int64)
    ruleset = load_ruleset("shanghai")
    for text in _CONTRACTS:
        need = contract_need(ruleset, Contract.parse(text))
        seconds = best_of(lambda need=need: distances(hands, need, out), 7)
        show(f"contract distance, 11 cards, {text}", seconds / len(hands) * 1e9, unit)


def deals(unit: float) -> None:
    for policy in ("plain", "aggressive-buy", "random"):
        setup = table(policy)
        n = 500 * 4 * setup.ruleset.n_deals
        seconds = best_of(lambda setup=setup: play_blocks(setup, 0, 500), 5)
        show(f"a deal of four {policy}", seconds / n * 1e9, unit, f"{n / seconds:,.0f} deals/s")


def doors(unit: float) -> None:
    setup = table("plain")
    functions = [(i, functions_of("plain")) for i in range(4)]
    n = 500 * 4 * setup.ruleset.n_deals
    ways = (None, functions)
    seconds = [best_of(lambda way=way: play_blocks(setup, 0, 500, functions=way), 1) for way in ways]
    for _ in range(8):  # taken in turn: the machine's speed moves
        again = [best_of(lambda way=way: play_blocks(setup, 0, 500, functions=way), 1) for way in ways]
        seconds = [min(pair) for pair in zip(seconds, again, strict=True)]
    show("a deal through the second door", seconds[1] / n * 1e9, unit, f"{seconds[1] / seconds[0] - 1:+.1%}")


def threads() -> None:
    plan = make_plan(load_ruleset("shanghai"), [load_policy("plain")] * 4, games=16_000)
    one, two = (best_of(lambda n=n: sum(1 for _ in play(plan, workers=n)), 2) for n in (1, 2))
    print(f"{'two threads against one':<44} {one / two:>12.2f} times")


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
    unit = reference_ns()
    print(f"{cpu()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"reference kernel (a random word and a look-up in 16 KiB): {unit:.2f} ns, the unit below\n")
    evaluation(unit)
    deals(unit)
    doors(unit)
    threads()
    starts()


if __name__ == "__main__":
    main()
