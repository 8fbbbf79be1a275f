"""Laying down melds longer than the contract asks, against the slow twin and against what must hold of any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from tests.reference.general_hands import (
    FAST_CONTRACTS,
    MIXED_CONTRACTS,
    Dealt,
    random_limits,
    stratified_hands,
)
from tests.reference.plain_cards import NO_LIMITS, Limits, parse_contract, split
from tests.reference.slow_longer import Down, Rules, legal, longer_by, slow_longer
from tests.unit.rules.evaluation import POINTS, distance_of, need_of, planned

NOTHING_FITS: frozenset[str] = frozenset()


def cases(n: int, seed: int) -> Iterator[tuple[Dealt, Limits, bool]]:
    """Yield hands that hold their contract, half of them under limits, some without wilds in the contract."""
    rng = Random(seed)
    contracts = [c for c in [*FAST_CONTRACTS, *MIXED_CONTRACTS] if len(c.split()) < 4]

    def all_cases() -> Iterator[tuple[Dealt, Limits, bool]]:
        for case in stratified_hands(1_000 * n, seed, contracts):
            limits = random_limits(rng) if rng.random() < 0.5 else NO_LIMITS
            shapes = parse_contract(case.contract)
            if any(limits.fewest_wilds(shape) > limits.most_wilds(shape.size) for shape in shapes):
                continue
            natural_only = rng.random() < 0.1 and not any(limits.fewest_wilds(shape) for shape in shapes)
            if distance_of(case.hand, need_of(case, limits, natural_only)) == 0:
                yield case, limits, natural_only

    return islice(all_cases(), n)


def check_longer(case: Dealt, limits: Limits, natural_only: bool, keep: int) -> str:
    """Check one lay-down; return what kind it was."""
    need = need_of(case, limits, natural_only)
    found = planned(case, need, POINTS, NOTHING_FITS, keep, longer=True)
    if len(case.hand) < need.slots + keep:
        assert found is None, (case, limits)
        return "too few cards"
    plain = planned(case, need, POINTS, NOTHING_FITS)
    assert found is not None, (case, limits)
    assert plain is not None, (case, limits)
    told = (case, limits, natural_only, keep, found)
    rules = Rules(case.wild, case.ace, limits._replace(max_wilds=0) if natural_only else limits)
    down, before = Down(*found), Down(*plain)

    # Legal at the sizes they have, and no less than the contract; what must stay stays.
    assert legal(down, case.hand, rules), told
    assert all(
        len(cards) >= shape.size
        for cards, shape in zip(down.cards, parse_contract(case.contract), strict=True)
    ), told
    left = sorted((Counter(case.hand) - down.laid).elements())
    assert len(left) >= keep, told

    # The melds of the least sizes are in it, and no natural is left that might still go down.
    assert not any(Counter(a) - Counter(b) for a, b in zip(before.cards, down.cards, strict=True)), told
    naturals, wilds, _ = split(left, case.wild)
    if len(left) > keep:
        assert not any(longer_by(down, card, case.hand, rules) for card in naturals), told

    # The same naturals as the twin's; wilds go down exactly where that leaves no more than has to stay.
    _, twin_left, twin_wilds = slow_longer(before, case.hand, keep, POINTS, rules)
    twin_naturals, twins, _ = split(twin_left, case.wild)
    assert naturals == twin_naturals, told
    assert len(wilds) == len(twins) - twin_wilds, (told, twin_left, twin_wilds)
    if twin_wilds:
        assert len(left) == keep, told
        return "out with wilds"
    if len(down.laid) == len(before.laid) and down.laid == before.laid:
        return "no longer"
    return "out" if len(left) == keep else "longer"


def test_longer_melds_agree_with_the_twin():
    seen: Counter[str] = Counter()
    for i, case in enumerate(cases(1_500, 1)):
        seen[check_longer(*case, keep=i % 2)] += 1
    assert set(seen) == {"too few cards", "out with wilds", "out", "longer", "no longer"}, seen
    assert min(seen.values()) >= 15, seen


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 8))
def test_longer_melds_agree_with_the_twin_on_many_hands(seed):
    for i, case in enumerate(cases(3_000, seed)):
        check_longer(*case, keep=i % 2)


RUNS_TOWARDS_EACH_OTHER = "AS 2S 3S 4S 5S 6S 9S TS JS QS KS AS"


@pytest.mark.nojit
@pytest.mark.parametrize(("wilds", "kind"), [(1, "out with wilds"), (2, "no longer")])
def test_one_wild_has_a_place_between_two_runs_that_must_not_adjoin(wilds, kind):
    """A second one has none, and one alone would not bring the player out."""
    hand = [*RUNS_TOWARDS_EACH_OTHER.split(), *["JK"] * wilds]
    case = Dealt(hand, "R6 R6", ("JK",), "both", 2)
    assert check_longer(case, Limits(runs_may_adjoin=False), natural_only=False, keep=0) == kind
    assert check_longer(case, NO_LIMITS, natural_only=False, keep=0) == "out with wilds"


@pytest.mark.nojit
def test_longer_melds_agree_with_the_twin_in_plain_python():
    for i, case in enumerate(cases(30, 9)):
        check_longer(*case, keep=i % 2)
