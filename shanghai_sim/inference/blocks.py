"""Moments of block values that can be merged: count, mean vector, co-moment matrix.

The independent unit is the block (errors work on blocks, never on games or seats), so everything
that an
interval needs is the first two moments of one vector per block. They are kept instead of the values:
memory does not grow with the run, and a run that goes on later starts from what it had.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """First and second moments of the vectors of `n` blocks.

    Parameters
    ----------
    n : int
        Number of blocks, 0 or more.
    mean : float64[..., k]
        Mean vector; leading axes hold independent cells (a deal, a group).
    comoment : float64[..., k, k]
        Sum over blocks of the outer product of deviations from the mean.

    Notes
    -----
    Merging follows Chan, Golub and LeVeque (1983), *Algorithms for computing the sample variance*. The result
    depends in its last
    bits on how the blocks were cut and in which order the pieces are merged, so callers cut
    into fixed chunks and merge in index order; then it is the same bit for bit.
    """

    n: int
    mean: FloatArray
    comoment: FloatArray

    @classmethod
    def of(cls, values: NDArray[np.floating] | NDArray[np.integer]) -> Moments:
        """Return the moments of block values.

        Parameters
        ----------
        values : number[n, ..., k]
            One vector (per cell) a block; at least one block.
        """
        data = np.asarray(values, dtype=np.float64)
        if data.ndim < 2 or data.shape[0] == 0:
            raise ValueError(f"block values need the shape (n, ..., k) with n of 1 or more, not {data.shape}")
        mean = data.mean(axis=0)
        deviations = data - mean
        # einsum, not BLAS: the order of summation must not depend on the number of threads.
        comoment = np.einsum("b...i,b...j->...ij", deviations, deviations, optimize=False)
        return cls(int(data.shape[0]), mean, comoment)

    def merge(self, other: Moments) -> Moments:
        """Return the moments of both sets of blocks together (`other` comes later in index order)."""
        if self.mean.shape != other.mean.shape:
            raise ValueError(f"moments of different shapes: {self.mean.shape} and {other.mean.shape}")
        n = self.n + other.n
        delta = other.mean - self.mean
        mean = self.mean + delta * (other.n / n)
        outer = delta[..., :, None] * delta[..., None, :]
        comoment = self.comoment + other.comoment + outer * (self.n * other.n / n)
        return Moments(n, mean, comoment)

    @property
    def covariance(self) -> FloatArray:
        """The sample covariance matrix, float64[..., k, k]; NaN where one block cannot give it."""
        if self.n < 2:
            return np.full_like(self.comoment, np.nan)
        return self.comoment / (self.n - 1)


def merge_all(pieces: Iterable[Moments]) -> Moments:
    """Return the moments of all pieces, merged from the first to the last (at least one piece)."""
    iterator = iter(pieces)
    total = next(iterator)
    for piece in iterator:
        total = total.merge(piece)
    return total


def to_arrays(moments: Mapping[str, Moments]) -> dict[str, NDArray[np.generic]]:
    """Return named moments as plain arrays that a file can hold; `from_arrays` is the way back, bit for bit."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, piece in moments.items():
        arrays[f"{name}.n"] = np.array(piece.n, dtype=np.int64)
        arrays[f"{name}.mean"] = piece.mean
        arrays[f"{name}.comoment"] = piece.comoment
    return arrays


def from_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> dict[str, Moments]:
    """Return the named moments that `to_arrays` took apart."""
    names = [key.removesuffix(".n") for key in arrays if key.endswith(".n")]
    return {
        name: Moments(
            int(arrays[f"{name}.n"]),
            np.asarray(arrays[f"{name}.mean"], dtype=np.float64),
            np.asarray(arrays[f"{name}.comoment"], dtype=np.float64),
        )
        for name in names
    }
