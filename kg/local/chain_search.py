"""All simple chains of a subgraph between its linked nodes, shape by shape: counted, the best kept.

A shape is which hops go along the edges ("out") and which against them ("in"). Walks grow from
the first entity over hops that can still reach an entity, and never meet a node twice. The last
hop is only counted, unless the walk with the best last hop may be chosen: so the hundreds of
thousands of others are never built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.local.adjacency import Direction
from kg.local.best import Best, Chosen
from kg.local.subgraph import Rows, Subgraph, rows_of, rows_to_linked
from kg.local.topology import Numbers
from kg.local.walking import Next, Scores, Values, Walks, next_hops, pieces, walked
from kg.model import CHAIN_KINDS, ChainKind

__all__ = ["ChainSearch", "Shape", "shapes"]

_OFFERED_AT_ONCE = 1 << 14  # few, so that what comes later is measured against them
_BACK: dict[Direction, Direction] = {"out": "in", "in": "out"}


@dataclass(frozen=True, slots=True)
class Shape:
    """The directions of a chain's hops.

    `turned`: a chain between a later and an earlier entity is told from the earlier one.
    `twice`: read from its other end it has the same shape, so that every chain comes up twice.
    """

    kind: ChainKind
    hops: tuple[Direction, ...]
    turned: bool = False
    twice: bool = False


def shapes(kinds: tuple[ChainKind, ...], hops: int) -> Iterator[Shape]:
    """The shapes of chains of so many hops (HyKGE, Eqs. 5-7).

    Of two shapes that are one read from the other end, only that whose first arm is the longer.
    """
    out: tuple[Direction, ...] = ("out",)
    into: tuple[Direction, ...] = ("in",)
    if "path" in kinds:
        yield Shape("path", out * hops)
    for short in range(1, hops // 2 + 1):
        long, twice = hops - short, 2 * short == hops
        if "co-ancestor" in kinds:
            yield Shape("co-ancestor", out * long + into * short, True, twice)
        if "co-occurrence" in kinds:
            yield Shape("co-occurrence", into * long + out * short, True, twice)


@dataclass(frozen=True, slots=True)
class _LastHops:
    """The hops that end at an entity.

    `table` has a column per entity and the number of such hops that lead to it; `row_of` gives a
    node's row, the first being that of all nodes without any.
    """

    rows: Rows
    row_of: Numbers
    table: Numbers
    totals: Numbers


class ChainSearch:
    """One search: `found` counts by kind, `best` holds what was worth keeping.

    `complete` turns False when the time runs out. `pairs` (entities × entities, symmetric) has what
    a chain scores for its ends, -inf where none is sought; without it all pairs are alike.
    The group of a chain is its kind and pair: (kind · entities + first) · entities + second.
    """

    def __init__(
        self,
        graph: Subgraph,
        keep: int,
        per_pair: int,
        deadline: Deadline,
        pairs: Scores | None = None,
    ) -> None:
        size = len(graph.linked)
        self._pairs = np.zeros((size, size)) if pairs is None else pairs.copy()
        np.fill_diagonal(self._pairs, -np.inf)
        self._sought = np.isfinite(self._pairs)
        self._unsought = _places(~self._sought)
        self.best = Best(len(CHAIN_KINDS) * size * size, keep, per_pair)
        self.complete = True
        self.found: dict[ChainKind, int] = dict.fromkeys(CHAIN_KINDS, 0)
        self._graph, self._deadline, self._size = graph, deadline, size
        self._entity_of = np.full(len(graph.nodes), -1, dtype=np.int64)
        self._entity_of[graph.linked] = np.arange(size)
        self._all: dict[Direction, Rows] = {
            "out": rows_of(graph, "out"),
            "in": rows_of(graph, "in"),
        }
        self._rows: dict[tuple[Direction, ...], Rows] = {}
        self._last: dict[Direction, _LastHops] = {}

    def search(self, shape: Shape, values: Values) -> None:
        """Count the chains of a shape and offer the good ones; stops at the deadline."""
        counted = 0
        last = self._last_hops(shape.hops[-1])
        begun = Walks.begin(self._graph.linked[self._sought.any(axis=1)], values)
        for walks in self._grown(begun, shape.hops, values):
            ways = self._ways(walks, last)
            counted += int(ways.sum())
            self._finish(walks, shape, last, values)
        self.found[shape.kind] += counted // 2 if shape.twice else counted

    def pair(self, group: int) -> tuple[ChainKind, int, int]:
        """The kind and the entities of a group."""
        rest, second = divmod(group, self._size)
        kind, first = divmod(rest, self._size)
        return CHAIN_KINDS[kind], first, second

    def _grown(self, walks: Walks, hops: tuple[Direction, ...], values: Values) -> Iterator[Walks]:
        """The walks over all hops but the last, piece by piece."""
        if len(hops) == 1:
            yield walks
            return
        begun = len(walks.nodes) == 1  # then looking at all hops is less work than sorting them out
        rows = self._all[hops[0]] if begun else self._rows_towards(hops)
        for piece in pieces(walks, rows):
            if self._deadline.expired:
                self.complete = False
                return
            following = next_hops(piece, rows)
            if begun:
                following = following.at(self._useful(hops[1:])[following.heads])
            grown = walked(piece, following, values)
            yield from self._grown(grown, hops[1:], values)

    def _ways(self, walks: Walks, last: _LastHops) -> Numbers:
        """In how many ways each walk ends at an entity that is sought and that it has not met."""
        ends = last.row_of[walks.nodes[-1]]
        first = self._entity_of[walks.nodes[0]]
        ways: Numbers = last.totals[ends]
        for column in self._unsought.T:
            other = column[first]
            known = np.flatnonzero(other >= 0)
            ways[known] -= last.table[ends[known], other[known]]
        for nodes in walks.nodes[1:-1]:
            met = self._entity_of[nodes]
            known = np.flatnonzero(met >= 0)
            known = known[self._sought[first[known], met[known]]]
            ways[known] -= last.table[ends[known], met[known]]
        return ways

    def _finish(self, walks: Walks, shape: Shape, last: _LastHops, values: Values) -> None:
        """Build the chains of those walks that may be chosen."""
        walks = self._promising(walks, self._floors(shape), values)
        for piece in pieces(walks, last.rows, _OFFERED_AT_ONCE):
            if self._deadline.expired:
                self.complete = False
                return
            floors = self._floors(shape)
            piece = self._promising(piece, floors, values)
            hops = next_hops(piece, last.rows)
            scores = piece.scores[hops.before] + values.edges[hops.edges]
            first = self._entity_of[piece.nodes[0]][hops.before]
            second = self._entity_of[hops.heads]
            good = scores >= floors[first, second]
            if shape.twice:
                good &= first < second
            places = np.flatnonzero(good)
            chains = piece.at(hops.before[places]), hops.at(places)
            scores += self._pairs[first, second]
            self._offer(shape, scores[places], chains, (first[places], second[places]))

    def _promising(self, walks: Walks, floors: Scores, values: Values) -> Walks:
        """The walks that may be chosen if they end by the best of hops."""
        lowest = floors.min(axis=1) - values.edges.max(initial=0.0)
        first = self._entity_of[walks.nodes[0]]
        return walks.at(np.flatnonzero(walks.scores >= lowest[first]))

    def _floors(self, shape: Shape) -> Scores:
        """What a chain of this shape must score beside its ends, by first and second entity."""
        kind = CHAIN_KINDS.index(shape.kind)
        floors: Scores = self.best.floors.reshape(-1, self._size, self._size)[kind].copy()
        floors[~self._sought] = np.inf
        floors[self._sought] -= self._pairs[self._sought]
        if shape.turned:
            upper = np.triu(np.ones(floors.shape, dtype=bool))
            return np.where(upper, floors, floors.T)
        return floors

    def _offer(
        self, shape: Shape, scores: Scores, chains: tuple[Walks, Next], pair: tuple[Numbers, ...]
    ) -> None:
        walks, hops = chains
        edges = np.stack((*walks.edges, hops.edges), axis=1).astype(np.int32)
        first, second = pair
        if shape.turned:
            back = first > second
            edges[back] = edges[back, ::-1]
            first, second = np.minimum(first, second), np.maximum(first, second)
        kind = CHAIN_KINDS.index(shape.kind)
        self.best.add(Chosen(scores, (kind * self._size + first) * self._size + second, edges))

    def _useful(self, hops: tuple[Direction, ...]) -> NDArray[np.bool_]:
        """Which nodes have a walk of these hops to an entity."""
        starts = self._rows_towards(hops).starts
        useful: NDArray[np.bool_] = starts[1:] > starts[:-1]
        return useful

    def _rows_towards(self, hops: tuple[Direction, ...]) -> Rows:
        """The hops of the first direction after which the others can end at an entity."""
        if hops not in self._rows:
            rows = self._all[hops[0]]
            if len(hops) == 1:
                self._rows[hops] = rows_to_linked(self._graph, self._all[_BACK[hops[0]]])
            else:
                keep = self._useful(hops[1:])[rows.heads]
                before = np.concatenate(([0], np.cumsum(keep)))
                self._rows[hops] = Rows(before[rows.starts], rows.edges[keep], rows.heads[keep])
        return self._rows[hops]

    def _last_hops(self, direction: Direction) -> _LastHops:
        if direction not in self._last:
            rows = self._rows_towards((direction,))
            counts = np.diff(rows.starts)
            row_of = np.where(counts > 0, np.cumsum(counts > 0), 0)
            cells = np.repeat(row_of, counts) * self._size + self._entity_of[rows.heads]
            table = np.bincount(cells, minlength=(int(row_of.max(initial=0)) + 1) * self._size)
            table = table.reshape(-1, self._size)
            self._last[direction] = _LastHops(rows, row_of, table, table.sum(axis=1))
        return self._last[direction]


def _places(chosen: NDArray[np.bool_]) -> Numbers:
    """Per row the places of what is chosen in it, filled up with -1."""
    counts = chosen.sum(axis=1)
    places = np.full((len(chosen), int(counts.max(initial=0))), -1, dtype=np.int64)
    for row, own in zip(places, chosen, strict=True):
        row[: own.sum()] = np.flatnonzero(own)
    return places
