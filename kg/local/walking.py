"""Walks over the rows of a subgraph, many at once as arrays and in pieces of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.local.subgraph import Rows
from kg.local.topology import Numbers

__all__ = ["Next", "Places", "Scores", "Values", "Walks", "next_hops", "pieces", "walked"]

_AT_ONCE = 1 << 17  # hops that are looked at together
Scores = NDArray[np.float64]
Places = NDArray[np.integer] | NDArray[np.bool_] | slice


@dataclass(frozen=True, slots=True)
class Values:
    """What each edge and each node in the middle add to a chain of some length."""

    base: float
    edges: Scores
    nodes: Scores


@dataclass(frozen=True, slots=True)
class Walks:
    """Walks of one length, as columns: their nodes, their edges, what they have scored."""

    nodes: tuple[NDArray[np.integer], ...]
    edges: tuple[NDArray[np.integer], ...]
    scores: Scores

    @classmethod
    def begin(cls, nodes: Numbers, values: Values) -> Walks:
        """Walks that have not left these nodes yet."""
        return cls((nodes,), (), np.full(len(nodes), values.base))

    def at(self, places: Places) -> Walks:
        """Some of the walks."""
        return Walks(
            tuple(column[places] for column in self.nodes),
            tuple(column[places] for column in self.edges),
            self.scores[places],
        )


@dataclass(frozen=True, slots=True)
class Next:
    """Next hops: the place of the walk that each continues, its edge, the node it leads to."""

    before: Numbers
    edges: NDArray[np.int32]
    heads: NDArray[np.int32]

    def at(self, places: Places) -> Next:
        """Some of the hops."""
        return Next(self.before[places], self.edges[places], self.heads[places])


def pieces(walks: Walks, rows: Rows, most: int = _AT_ONCE) -> Iterator[Walks]:
    """The walks in parts that have a bounded number of next hops."""
    tips = walks.nodes[-1]
    ends = np.cumsum(rows.starts[tips + 1] - rows.starts[tips])
    low = 0
    while low < len(tips):
        done = ends[low - 1] if low else 0
        high = max(low + 1, int(np.searchsorted(ends, done + most, side="right")))
        yield walks.at(slice(low, high))
        low = high


def next_hops(walks: Walks, rows: Rows) -> Next:
    """Every next hop of every walk that leads to a node that the walk has not met."""
    low = rows.starts[walks.nodes[-1]]
    counts = rows.starts[walks.nodes[-1] + 1] - low
    ends = np.cumsum(counts)
    before = np.repeat(np.arange(len(counts)), counts)
    places = np.repeat(low - ends + counts, counts) + np.arange(len(before))
    found = Next(before, rows.edges[places], rows.heads[places])
    met = np.zeros(len(before), dtype=bool)
    for column in walks.nodes[:-1]:  # no edge leads from a node to itself
        met |= column[before] == found.heads
    return found.at(~met) if met.any() else found


def walked(walks: Walks, hops: Next, values: Values) -> Walks:
    """The walks after these hops, to nodes in the middle of a chain."""
    longer = walks.at(hops.before)
    scores = longer.scores + values.edges[hops.edges]
    scores += values.nodes[hops.heads]
    return Walks((*longer.nodes, hops.heads), (*longer.edges, hops.edges), scores)
