"""Maximal marginal relevance as in KG-Rank: what is like the evidence taken before counts less.

Repeatedly takes the t with the highest sim(q, t) − λ(S) · mean over s in S of sim(t, s), where
λ(S) = 0.1 + 0.01·|S| and S is what was chosen before; the first is taken by sim(q, t) alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["mmr_order", "mmr_picks"]

_LAMBDA, _LAMBDA_STEP = 0.1, 0.01
# Values that agree to so many decimals are equal: sums in another order differ in the sixteenth.
_DECIMALS = 10


def mmr_order(
    relevance: NDArray[np.floating], vectors: NDArray[np.floating], count: int
) -> list[int]:
    """The indices of the `count` best in the order in which they are taken; see `mmr_picks`."""
    return [index for index, _ in mmr_picks(relevance, vectors, count)]


def mmr_picks(
    relevance: NDArray[np.floating], vectors: NDArray[np.floating], count: int
) -> list[tuple[int, float]]:
    """The `count` best with the value that each had when it was taken.

    `relevance` is sim(q, t), or what stands in for it (a re-ranker's score): shape (n,). `vectors`
    are rows of unit length, whose products are sim(t, s): shape (n, dimensions). Of equal values
    the lower index is taken.
    """
    likeness = np.asarray(vectors, dtype=np.float64)
    left = np.asarray(relevance, dtype=np.float64).copy()  # minus infinity once taken
    sums = np.zeros(len(left))
    picks: list[tuple[int, float]] = []
    for size in range(min(count, len(left))):
        values = left
        if picks:
            sums += likeness @ likeness[picks[-1][0]]
            values = left - (_LAMBDA + _LAMBDA_STEP * size) * (sums / size)
        rounded = np.round(values, _DECIMALS)
        best = int(np.argmax(rounded))
        picks.append((best, float(rounded[best])))
        left[best] = -np.inf
    return picks
