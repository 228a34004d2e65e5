"""What a chain is worth before anything is read of it: a sum, so that arrays can be searched by it.

    score = 0.4 · mean worth of the relations (ChainQuery.worth, 0..1)
          + 0.4 · mean rarity of the middle nodes + 0.2 · share of them that the text names
          − 0.1 · hops beyond the first − 0.1 · ends that are named inside a longer name alone

Rarity is 1 − log(1 + degree) / log(1 + greatest degree of the graph): a hub such as "Disease"
explains nothing. A chain of one hop has no middle node and counts as having the best possible:
0.6. So a direct fact scores 0.6 and more; two hops through a node that the text does not name
score less than 0.7, three less than 0.6. An entity named inside a longer name (头部 in
头部及眼后部疼痛) is one hop further from what is asked. A path scores between 1 and −0.1 · (k + 1).

Parts are rounded to multiples of 2⁻⁴⁰, so that sums are exact in whatever order they are made, and
ties are ties. They are broken by fewer hops, then kind, then the pair by the order of the
entities, then hop by hop by the edge: key (kg.local.table.text_key) of the subject's concept, IRI
of the relation, key of the object's concept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["base_score", "end_scores", "middle_scores", "rarity", "relation_scores"]

_WORTH, _RARITY, _NAMED, _PER_HOP, _PER_NESTED_END = 0.4, 0.4, 0.2, 0.1, 0.1
_FINEST = 2.0**40
Scores = NDArray[np.float64]


def rarity(degrees: NDArray[np.int64], greatest: int) -> Scores:
    """From 0 for a graph's greatest hub to 1 for a node without facts."""
    rare: Scores = 1 - np.log1p(degrees) / np.log1p(max(greatest, 1))
    return rare


def relation_scores(worth: Scores, hops: int) -> Scores:
    """What one hop of a relation adds to a chain of so many hops."""
    return _rounded(_WORTH * worth / hops)


def middle_scores(rare: Scores, named: NDArray[np.bool_], hops: int) -> Scores:
    """What a node in the middle adds to a chain of so many hops, two or more."""
    return _rounded((_RARITY * rare + _NAMED * named) / (hops - 1))


def end_scores(nested: NDArray[np.bool_]) -> Scores:
    """What an entity at either end adds to a chain."""
    return _rounded(np.where(nested, -_PER_NESTED_END, 0.0))


def base_score(hops: int) -> float:
    """What every chain of so many hops has."""
    return float(_rounded(np.array(_RARITY + _NAMED if hops == 1 else -_PER_HOP * (hops - 1))))


def _rounded(values: Scores) -> Scores:
    rounded: Scores = np.rint(values * _FINEST) / _FINEST
    return rounded
