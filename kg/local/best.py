"""The best chains of very many: so many of each group, so many in all, in one fixed order.

Chains are rows of arrays. Whatever is thrown away could not have been chosen, so the result is
that of sorting all of them, in memory that does not grow with their number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Best", "Chosen"]

_PENDING = 8_192  # chains that wait to be compared
Scores = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Chains as columns; `edges` has a row per chain, filled up with -1."""

    scores: Scores
    groups: Numbers
    edges: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.scores)

    def at(self, places: NDArray[np.integer] | NDArray[np.bool_]) -> Chosen:
        """Some of the chains."""
        return Chosen(self.scores[places], self.groups[places], self.edges[places])


class Best:
    """Takes chains in any order; groups are numbers below `groups`.

    `floors` has the score per group below which a chain cannot be chosen any more; it only rises.
    Ties go to the shorter chain, then to the lower group, then to the lower edges, one by one.
    """

    def __init__(self, groups: int, keep: int, per_group: int) -> None:
        self.floors = np.full(groups, -np.inf if keep > 0 and per_group > 0 else np.inf)
        self._keep, self._per_group = keep, per_group
        self._parts: list[Chosen] = []
        self._waiting = 0

    def add(self, found: Chosen) -> None:
        """Offer chains of one length; those below their group's floor are dropped."""
        found = found.at(found.scores >= self.floors[found.groups])
        self._parts.append(found)
        self._waiting += len(found)
        if self._waiting > max(_PENDING, self._keep):
            self._parts, self._waiting = [self.chosen()], 0

    def chosen(self) -> Chosen:
        """The best so far, best first."""
        every = self._good_enough(_joined(self._parts))
        hops = (every.edges >= 0).sum(axis=1)
        order = np.lexsort((*every.edges.T[::-1], every.groups, hops, -every.scores))
        every = every.at(order)
        by_group = np.argsort(every.groups, kind="stable")
        ranks = np.empty(len(every), dtype=np.int64)
        ranks[by_group] = _ranks(every.groups[by_group])
        return every.at(np.flatnonzero(ranks < self._per_group)[: self._keep])

    def _good_enough(self, every: Chosen) -> Chosen:
        """Raise the floors by the scores alone; the chains that still reach them, ties included."""
        order = np.lexsort((-every.scores, every.groups))
        scores, groups = every.scores[order], every.groups[order]
        ranks = _ranks(groups)
        last = np.flatnonzero(ranks == self._per_group - 1)
        self.floors[groups[last]] = np.maximum(self.floors[groups[last]], scores[last])
        within = scores[ranks < self._per_group]
        if len(within) >= self._keep > 0:
            place = len(within) - self._keep
            np.maximum(self.floors, np.partition(within, place)[place], out=self.floors)
        return every.at(every.scores >= self.floors[every.groups])


def _joined(parts: list[Chosen]) -> Chosen:
    width = max((part.edges.shape[1] for part in parts), default=0)
    edges = np.full((sum(map(len, parts)), width), -1, dtype=np.int32)
    low = 0
    for part in parts:
        edges[low : low + len(part), : part.edges.shape[1]] = part.edges
        low += len(part)
    empty = np.empty(0, dtype=np.int64)
    return Chosen(
        np.concatenate([empty.astype(np.float64), *(part.scores for part in parts)]),
        np.concatenate([empty, *(part.groups for part in parts)]),
        edges,
    )


def _ranks(groups: Numbers) -> Numbers:
    """The place of each row among those of its group, in sorted groups."""
    places = np.arange(len(groups))
    first = np.diff(groups, prepend=-1) != 0
    return places - np.maximum.accumulate(np.where(first, places, 0))
