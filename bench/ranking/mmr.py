"""MMR over 500 triples: ours beside the loop over pairs of its definition.

    python bench/ranking/mmr.py [--triples 500] [--top 20]

The loop takes one cosine per pair in Python, as KG-Rank's published code does, from vectors that
are there already; it recomputes them in every round. Both must give the same order.
`--top 500` orders all; the loop then takes minutes.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from numpy.typing import NDArray

from kg.ranking.mmr import mmr_order

DIMENSIONS = 384  # MiniLM's
GROUPS = 20  # triples of one relation are alike


def vectors(count: int) -> NDArray[np.float32]:
    """Unit vectors in groups, as the triples of one entity are: the first is the question."""
    random = np.random.default_rng(11)
    centres = random.normal(size=(GROUPS, DIMENSIONS))
    shared = random.normal(size=DIMENSIONS)  # all are about one entity
    rows = shared + centres[random.integers(GROUPS, size=count + 1)]
    rows += 0.7 * random.normal(size=rows.shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Of one pair."""
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def pairwise(question: NDArray[np.float64], triples: NDArray[np.float64], count: int) -> list[int]:
    """The definition as a loop."""
    chosen: list[int] = []
    left = list(range(len(triples)))
    while left and len(chosen) < count:
        weight = 0.1 + 0.01 * len(chosen)
        best, best_value = -1, -np.inf
        for place in left:
            value = cosine(question, triples[place])
            if chosen:
                alike = [cosine(triples[place], triples[other]) for other in chosen]
                value -= weight * sum(alike) / len(alike)
            if value > best_value + 1e-10:
                best, best_value = place, value
        chosen.append(best)
        left.remove(best)
    return chosen


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--triples", type=int, default=500)
    parser.add_argument("--top", type=int, default=20)
    given = parser.parse_args()
    rows = vectors(given.triples)
    question, triples = rows[0], rows[1:]
    ours: list[float] = []
    for _ in range(20):
        began = time.perf_counter()
        order = mmr_order(triples @ question, triples, given.top)
        ours.append(time.perf_counter() - began)
    began = time.perf_counter()
    expected = pairwise(question.astype(float), triples.astype(float), given.top)
    loop = time.perf_counter() - began
    best = min(ours)
    print("| triples | taken | pairwise loop s | ours ms | times faster | same order |")
    print("|---:|---:|---:|---:|---:|---|")
    same = "yes" if order == expected else "NO"
    print(
        f"| {given.triples} | {given.top} | {loop:.3g} | {best * 1000:.3g} | "
        f"{loop / best:,.0f} | {same} |"
    )
    return 0 if order == expected else 1


if __name__ == "__main__":
    sys.exit(main())
