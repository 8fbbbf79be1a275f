"""Hands dealt at random, against hands evaluated one by one and against counting."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import shanghai_sim as ss
from shanghai_sim.cards import JOKER, PLAIN_CODES, format_card
from shanghai_sim.experiments.dealing import _dealt
from shanghai_sim.inference.intervals import exact_interval


def test_every_hand_is_counted_at_its_distance():
    pack = np.array([*PLAIN_CODES] * 2 + [JOKER] * 4)
    hands = [[format_card(code) for code in row] for row in next(_dealt(pack, 11, 200, 7))]
    each = [ss.contract_distance(hand, "S3 R4") for hand in hands]
    found = ss.dealt_distances(deals=[2], hands=200, seed=7)
    assert dict(zip(found.distance, found.hands, strict=True)) == {
        distance: each.count(distance) for distance in sorted(set(each))
    }
    assert set(found.cards) == {11}
    assert set(found.contract) == {"S3 R4"}


def test_hands_come_from_the_pack_and_all_alike():
    pack = np.arange(108)
    hands = np.concatenate(list(_dealt(pack, 12, 108_000, 1)))
    assert hands.shape == (108_000, 12)
    assert (np.diff(np.sort(hands, axis=1), axis=1) > 0).all()
    # Each of 108 cards in each of 12 places 1000 times; seven standard deviations are beyond all of 1296.
    counts = np.array([np.bincount(place, minlength=108) for place in hands.T])
    assert abs(counts - 1000).max() < 7 * 1000**0.5


def test_a_chance_that_can_be_counted():
    """Three cards of a natural pack are a set of three: a rank, and three of its eight cards."""
    options = {"deal.hand_size": 3, "deal.contracts": ["S3"], "cards.jokers": {}, "buy.per_deal": 0}
    found = ss.dealt_distances(overrides=options, hands=200_000)
    there = int(found.query("distance == 0").hands.sum())
    low, high = exact_interval(there, 200_000, 0.9999)
    assert low < 13 * comb(8, 3) / comb(104, 3) < high


def test_a_card_drawn_brings_no_hand_farther_away():
    dealt, drawn = (ss.dealt_distances(deals=[5], drawn=extra, hands=5_000) for extra in (0, 1))
    mean = [float((found.distance * found.hands).sum() / 5_000) for found in (dealt, drawn)]
    assert mean[1] < mean[0]
    assert set(drawn.cards) == {12}


@pytest.mark.parametrize(
    "wrong", [{"hands": 0}, {"drawn": -1}, {"drawn": 200}, {"seed": -1}, {"players": 2}, {"deals": [11]}]
)
def test_what_cannot_be_dealt_is_refused(wrong):
    with pytest.raises(ss.ShanghaiSimError):
        ss.dealt_distances(**{"hands": 10} | wrong)
