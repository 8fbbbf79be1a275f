"""Slow twins of the statistics: plain loops straight from the formulas, one number at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product


def mean_sd(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation (n - 1)."""
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1))


# Sequences and looks.


def sequence(values: Sequence[float], n_opt: float, alpha: float) -> tuple[float, float]:
    """Return the asymptotic confidence sequence's interval after all values."""
    n = len(values)
    r = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / n_opt
    mean, sd = mean_sd(values)
    half = sd * math.sqrt((2 * (n * r + 1) / (n**2 * r)) * math.log(math.sqrt(n * r + 1) / alpha))
    return mean - half, mean + half


def bernstein(values: Sequence[float], alpha: float) -> tuple[float, float]:
    """Return centre and half-width of the empirical-Bernstein sequence after all values, each in [0, 1]."""
    bets, weighted, spread = 0.0, 0.0, 0.0
    for i in range(1, len(values) + 1):
        before = values[: i - 1]
        means = [(0.5 + sum(values[:j])) / (j + 1) for j in range(i)]  # xbar_0 .. xbar_{i-1}
        v = (0.25 + sum((x - means[j + 1]) ** 2 for j, x in enumerate(before))) / i
        bet = min(0.5, math.sqrt(2 * math.log(2 / alpha) / (v * i * math.log(1 + i))))
        bets += bet
        weighted += bet * values[i - 1]
        spread += (values[i - 1] - means[i - 1]) ** 2 * (-math.log(1 - bet) - bet)
    return weighted / bets, (math.log(2 / alpha) + spread) / bets


def looks(budget: int, first: int, batch: int, percent: int) -> list[int]:
    """Return the looks by trying every number of blocks."""
    end = next(n for n in range(budget, budget + batch) if n % batch == 0)
    found: list[int] = []
    for n in range(1, end + 1):
        if n % batch == 0 and n >= first and (not found or 100 * n >= (100 + percent) * found[-1]):
            found.append(n)
    return found if found and found[-1] == end else [*found, end]


def log_ratio_of_normals(values: Sequence[float], d0: float, d1: float) -> float:
    """Return the log-likelihood ratio of two normal means, value by value, with the variance found."""
    _, sd = mean_sd(values)
    return math.fsum(((x - d0) ** 2 - (x - d1) ** 2) / (2 * sd**2) for x in values)


# Many comparisons.


def holm_rejects(p_values: Sequence[float], alpha: float) -> list[bool]:
    """Return what Holm's steps reject: the smallest p against alpha/k, the next against alpha/(k-1), ..."""
    rejected = [False] * len(p_values)
    for step, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[i] > alpha / (len(p_values) - step):
            break
        rejected[i] = True
    return rejected


def max_t_draw(values: Sequence[Sequence[float]], multipliers: Sequence[float]) -> float:
    """Return one draw of the multiplier bootstrap from rows of block values."""
    n = len(values)
    largest = 0.0
    for k in range(len(values[0])):
        column = [row[k] for row in values]
        mean, sd = mean_sd(column)
        if max(column) > min(column):
            t = math.fsum(g * (x - mean) for g, x in zip(multipliers, column, strict=True))
            largest = max(largest, abs(t) / (sd * math.sqrt(n)))
    return largest


def e_value(mean: float, sd: float, n: int, r: float) -> float:
    """Return the e-value of the normal mixture by adding up likelihood ratios over the mixture's means.

    In units of sd: the mixture is normal with mean 0 and variance r, and n values with mean z make a mean of mu
    likelier than 0 by ``exp(n mu z - n mu^2 / 2)``.
    """
    z, step, total = mean / sd, 1e-3, 0.0
    for i in range(-10_000, 10_001):
        mu = i * step * math.sqrt(r)
        total += math.exp(n * mu * z - n * mu**2 / 2 - mu**2 / (2 * r)) * step / math.sqrt(2 * math.pi)
    return total


def e_bh(e_values: Sequence[float], alpha: float) -> list[bool]:
    """Return the rejections of e-BH, from all down to none."""
    count = len(e_values)
    for k in range(count, 0, -1):
        threshold = count / (alpha * k)
        rejected = [e >= threshold for e in e_values]
        if sum(rejected) >= k:
            return rejected
    return [False] * count


# Resamples.


def quantile(blocks: Sequence[Sequence[float]], times: Sequence[int], p: float) -> float:
    """Return the quantile of the observations of blocks that come up so many times each."""
    pooled = sorted(
        x
        for block, often in zip(blocks, times, strict=True)
        for _ in range(often)
        for x in block
        if not math.isnan(x)
    )
    return next(x for i, x in enumerate(pooled) if (i + 1) / len(pooled) >= p - 1e-12)


def ranks(means: Sequence[float]) -> list[int]:
    """Return one more than the number of strictly better ones."""
    return [1 + sum(other > mean for other in means) for mean in means]


# Luck.


def one_slope_adjusted(values: Sequence[float], luck: Sequence[float]) -> list[float]:
    """Return values less slope times luck, the slope from the blocks of the other parity."""
    slopes = []
    for half in (0, 1):
        d, x = values[half::2], luck[half::2]
        d_mean, x_mean = sum(d) / len(d), sum(x) / len(x)
        together = sum((a - d_mean) * (b - x_mean) for a, b in zip(d, x, strict=True))
        slopes.append(together / sum((b - x_mean) ** 2 for b in x))
    return [d - slopes[1 - i % 2] * x for i, (d, x) in enumerate(zip(values, luck, strict=True))]


# The game of policies. A payoff is looked up by (policy, sorted tuple of all policies at the table).

Payoffs = dict[tuple[int, tuple[int, ...]], float]


def expected(payoffs: Payoffs, policy: int, mixture: Sequence[float], players: int) -> float:
    """Return a policy's expected payoff by seating every possible row of others."""
    total = 0.0
    for others in product(range(len(mixture)), repeat=players - 1):
        chance = math.prod(mixture[other] for other in others)
        total += chance * payoffs[policy, tuple(sorted((policy, *others)))]
    return total


def dominates(payoffs: Payoffs, i: int, j: int, policies: int, players: int) -> bool:
    """Return whether i does strictly better than j against any others."""
    return all(
        payoffs[i, tuple(sorted((i, *others)))] > payoffs[j, tuple(sorted((j, *others)))]
        for others in product(range(policies), repeat=players - 1)
    )


def takeover(
    payoffs: Payoffs, resident: int, mutant: int, players: int, alpha: float, population: int
) -> float:
    """Return the chance that a mutant takes over, seating every possible group of the others in the population."""

    def fitness(me: int, rest: list[int]) -> float:
        tables = [payoffs[me, tuple(sorted((me, *others)))] for others in combinations(rest, players - 1)]
        return math.fsum(tables) / len(tables)

    total, term = 1.0, 1.0
    for q in range(1, population):
        of_mutant = fitness(mutant, [mutant] * (q - 1) + [resident] * (population - q))
        of_resident = fitness(resident, [mutant] * q + [resident] * (population - q - 1))
        term *= math.exp(-alpha * (of_mutant - of_resident))
        total += term
    return 1 / total


def alpha_rank(payoffs: Payoffs, policies: int, players: int, alpha: float, population: int) -> list[float]:
    """Return the stationary distribution by letting the chain run until it settles."""
    move = [[0.0] * policies for _ in range(policies)]
    for i in range(policies):
        for j in range(policies):
            if i != j:
                move[i][j] = takeover(payoffs, i, j, players, alpha, population) / (policies - 1)
        move[i][i] = 1 - sum(move[i])
    # Squaring the matrix again and again is a million million steps of the chain.
    for _ in range(40):
        move = [
            [sum(move[i][m] * move[m][j] for m in range(policies)) for j in range(policies)]
            for i in range(policies)
        ]
        move = [[x / sum(row) for x in row] for row in move]
    return move[0]
