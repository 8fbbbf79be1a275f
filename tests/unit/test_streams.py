"""Keyed streams: words as published, independent of order, different for different keys, uniform."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import chdtrc

from shanghai_sim._jit import entry
from shanghai_sim.streams import FIELD, HANDS, NOISE, STOCK, block_key, deal_key, fold, pick, word

pytestmark = pytest.mark.nojit

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
#: A fair stream passes each of the tests below with a chance of 1 - 1e-4; the seeds are fixed.
LEVEL = 1e-4


@entry
def _words(key, counters, out):
    for i in range(counters.shape[0]):
        out[i] = word(key, counters[i])


@entry
def _picks(key, counters, n, out):
    for i in range(counters.shape[0]):
        out[i] = pick(key, counters[i], n)


@entry
def _first_picks(seed, block, n, out):
    """Write the first number of many neighbouring streams: of blocks in a row, each with eight seats."""
    for i in range(out.shape[0]):
        out[i] = pick(deal_key(block_key(seed, 0, block + i // 8), 1, STOCK, i % 8), 0, n)


@entry
def _key(seed, namespace, block, deal, purpose, seat):
    return deal_key(block_key(seed, namespace, block), deal, purpose, seat)


@entry
def _field_key(seed, block, index):
    return fold(fold(block_key(seed, 0, block), FIELD), index)


def words(key, counters):
    out = np.zeros(len(counters), np.uint64)
    _words(np.uint64(key), np.asarray(counters, np.int64), out)
    return out


def picks(key, n, count, start=0):
    out = np.zeros(count, np.int64)
    _picks(np.uint64(key), np.arange(start, start + count), n, out)
    return out


def uniformity(values, n):
    """Return the p-value of the chi-square test that numbers below n are equally likely."""
    expected = len(values) / n
    statistic = ((np.bincount(values, minlength=n) - expected) ** 2 / expected).sum()
    return chdtrc(n - 1, statistic)


def naive_mix(x, shifts, factors):
    for shift, factor in zip(shifts, (*factors, 1), strict=True):
        x = (x ^ (x >> shift)) * factor & MASK
    return x


def naive_word(key, counter):
    x = (key + GOLDEN * (counter + 1)) & MASK
    return naive_mix(x, (30, 27, 31), (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def naive_key(*parts):
    key = GOLDEN
    for part in parts:
        x = (key + GOLDEN * (part + 1)) & MASK
        key = naive_mix(x, (33, 33, 33), (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53))
    return key


def test_words_and_keys_are_those_of_the_published_mixers():
    # The published first outputs of SplitMix64 from seed 1234567.
    assert words(1234567, [0, 1]).tolist() == [6457827717110365317, 3203168211198807973]
    for parts in ((1, 0, 0, 1, HANDS, 0), (7, 4, 10**9, 11, NOISE, 63), (2**40, 2, 3, 5, STOCK, 8)):
        key = naive_key(*parts)
        assert int(_key(*parts)) == key
        counters = [0, 1, 2, 1 << 32, 5 << 32]
        assert words(key, counters).tolist() == [naive_word(key, counter) for counter in counters]


def test_a_word_depends_on_its_key_and_counter_alone():
    key = _key(3, 0, 17, 4, STOCK, 2)
    counters = np.arange(2000)
    straight = words(key, counters)
    order = np.random.default_rng(1).permutation(2000)
    words(_key(3, 0, 17, 4, STOCK, 3), counters)
    assert np.array_equal(words(key, counters[order]), straight[order])
    assert words(key, [1234])[0] == straight[1234]
    for n in (1, 2, 52, 108, 168):
        numbers = picks(key, n, 2000)
        assert np.array_equal(numbers, (straight >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


def test_every_part_of_a_key_counts():
    parts = list(product((1, 2, 3), range(5), (0, 1, 2, 3, 4), (1, 2, 11), (HANDS, STOCK, NOISE), range(9)))
    keys = {int(_key(*part)) for part in parts}
    keys |= {int(_field_key(seed, block, i)) for seed in (1, 2, 3) for block in range(5) for i in range(1, 8)}
    assert len(keys) == len(parts) + 3 * 5 * 7


def test_neighbouring_streams_do_not_overlap():
    """Seeds, blocks and seats next to each other: the same words nowhere, neither shifted nor in step."""
    places = product((1, 2, 3, 4), (0, 1, 2, 3, 4), (1, 2), (STOCK, NOISE), (0, 1))
    keys = [_key(seed, 0, block, deal, purpose, seat) for seed, block, deal, purpose, seat in places]
    streams = np.stack([words(key, np.arange(300)) for key in keys])
    assert len(np.unique(streams)) == streams.size
    bits = np.unpackbits(streams.view(np.uint8), axis=1).astype(float) - 0.5
    correlations = np.corrcoef(bits)[np.triu_indices(len(keys), 1)]
    n = bits.shape[1]
    # Of independent streams these are 12,720 normal figures with a known spread.
    assert np.abs(correlations).max() < 5.5 / np.sqrt(n)
    assert 0.97 < correlations.std() * np.sqrt(n) < 1.03


@pytest.mark.parametrize("n", [2, 13, 54, 108, 162])
def test_numbers_are_uniform_along_a_stream_and_across_streams(n):
    assert uniformity(picks(_key(1, 0, 0, 1, STOCK, 0), n, 20_000), n) > LEVEL
    assert uniformity(picks(_key(1, 0, 0, 1, STOCK, 0), n, 20_000, start=3 << 32), n) > LEVEL
    across = np.zeros(20_000, np.int64)
    _first_picks(1, 0, n, across)
    assert uniformity(across, n) > LEVEL


def test_successive_numbers_are_uniform_in_pairs():
    along = picks(_key(9, 0, 4, 2, NOISE, 3), 12, 30_000)
    assert uniformity(along[:-1:2] * 12 + along[1::2], 144) > LEVEL
    across = np.zeros(30_000, np.int64)
    _first_picks(5, 100, 12, across)
    assert uniformity(across[:-1:2] * 12 + across[1::2], 144) > LEVEL


def test_each_bit_of_the_words_is_fair():
    stream = words(_key(4, 1, 2, 3, HANDS, 0), np.arange(20_000))
    ones = np.unpackbits(stream.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=0, dtype=np.int64)
    assert np.abs(ones - 10_000).max() < 4.5 * np.sqrt(5_000)
