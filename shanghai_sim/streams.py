"""Keyed streams of random words (FORMATS, Seeds and games).

A word is a hash of a key and a counter, and a key a hash of (seed, namespace, block, deal, purpose, seat);
nothing is drawn in
sequence from a shared generator. So no policy can shift another's cards, and results depend neither on order
nor on threads. Both hashes are bijective mixers of 64 bits: words use the SplitMix64 finaliser (Steele, Lea
and
Flood 2014, constants of Stafford's variant 13), keys the one of MurmurHash3, so that a key is never a word.
"""

from __future__ import annotations

import numpy as np

from shanghai_sim._jit import wrapping

# Purposes of the streams of one deal.
HANDS = 1
STOCK = 2
NOISE = 3
# Purpose of the one stream per block outside deals: who sits in the other seats.
FIELD = 4

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WORD_1 = np.uint64(0xBF58476D1CE4E5B9)
_WORD_2 = np.uint64(0x94D049BB133111EB)
_KEY_1 = np.uint64(0xFF51AFD7ED558CCD)
_KEY_2 = np.uint64(0xC4CEB9FE1A85EC53)
_ONE = np.uint64(1)
_S27, _S30, _S31, _S32, _S33, _S11 = (np.uint64(n) for n in (27, 30, 31, 32, 33, 11))


@wrapping
def fold(key, value):
    """Return the key that follows from a key and one more non-negative number (int64)."""
    x = key + _GOLDEN * (np.uint64(value) + _ONE)
    x = (x ^ (x >> _S33)) * _KEY_1
    x = (x ^ (x >> _S33)) * _KEY_2
    return x ^ (x >> _S33)


@wrapping
def word(key, counter):
    """Return the 64-bit word number `counter` (int64, from 0) of the stream `key`."""
    x = key + _GOLDEN * (np.uint64(counter) + _ONE)
    x = (x ^ (x >> _S30)) * _WORD_1
    x = (x ^ (x >> _S27)) * _WORD_2
    return x ^ (x >> _S31)


@wrapping
def pick(key, counter, n):
    """Return a number in 0 .. n-1 (n below 2**32): the high part of 32 random bits times n."""
    return np.int64(((word(key, counter) >> _S32) * np.uint64(n)) >> _S32)


@wrapping
def bits53(key, counter):
    """Return a random int64 of 53 bits; the rest of the word is dropped, so that it does not give its key away."""
    return np.int64(word(key, counter) >> _S11)


@wrapping
def block_key(seed, namespace, block):
    """Return the key of a block; all streams of its games follow from it.

    Parameters
    ----------
    seed : int64
        0 or more.
    namespace : int64
        Index into defaults.NAMESPACES.
    block : int64
        0 or more.
    """
    return fold(fold(fold(_GOLDEN, seed), namespace), block)


@wrapping
def deal_key(block, deal, purpose, seat):
    """Return the key of one stream of a deal (`block`: the block's key)."""
    return fold(fold(fold(block, deal), purpose), seat)
