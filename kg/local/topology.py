"""All sources' nodes and relations under one numbering, for what walks the graph as arrays.

The nodes are concepts: ids that stand for one thing share a number (kg.local.identity), so that a
join is never a hop. Made once per snapshot from its memory-mapped arrays, a few bytes per node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kg.local.adjacency import Adjacency, Direction, Edges
from kg.local.segment import Segment
from kg.local.table import Keys, text_keys

__all__ = ["Numbers", "Statements", "Topology"]

Numbers = NDArray[np.int64]
_EDGES_AT_ONCE = 500_000


@dataclass(frozen=True, slots=True)
class Statements:
    """Edges as one source states them, by its own numbers; `direction` is seen from `near`."""

    topology: Topology
    segment: int
    direction: Direction
    near: Numbers
    edges: Edges

    @property
    def near_concepts(self) -> NDArray[np.uint32]:
        """The concepts of the near ends."""
        return self.topology.concepts[self.segment][self.near]

    @property
    def far_concepts(self) -> NDArray[np.uint32]:
        """The concepts of the far ends."""
        return self.topology.concepts[self.segment][self.edges.nodes]

    @property
    def relations(self) -> Numbers:
        """The relations by their numbers over all sources."""
        return self.topology.renumbered[self.segment][self.edges.relations]

    def at(self, places: NDArray[np.integer] | NDArray[np.bool_]) -> Statements:
        """Some of the statements."""
        edges = Edges(self.edges.relations[places], self.edges.nodes[places])
        return replace(self, near=self.near[places], edges=edges)


@dataclass(frozen=True, slots=True)
class Topology:
    """Concepts are numbered by the order of their keys, relations by the order of their IRIs.

    `keys` and `degrees` have one value per concept; `concepts` and `renumbered` one array per
    segment: the concept of each of its nodes, the overall number of each of its relations. A
    degree counts the statements between nodes, over all ids and sources.
    """

    keys: Keys
    degrees: Numbers
    relations: tuple[str, ...]
    concepts: tuple[NDArray[np.uint32], ...]
    renumbered: tuple[Numbers, ...]
    adjacencies: tuple[Adjacency, ...]

    @property
    def greatest_degree(self) -> int:
        """The degree of the greatest hub."""
        return int(self.degrees.max(initial=0))

    @classmethod
    def of(cls, segments: Sequence[Segment], groups: Iterable[tuple[str, ...]]) -> Topology:
        """The topology of some segments; `groups` are the ids of one thing, its best known first.

        Time and memory grow with the nodes.
        """
        adjacencies = tuple(segment.adjacency for segment in segments)
        members, owners = _ownership(groups)
        owned = [_replaced(adjacency.keys, members, owners) for adjacency in adjacencies]
        keys = _distinct(owned)
        concepts = tuple(np.searchsorted(keys, own).astype(np.uint32) for own in owned)
        relations = tuple(sorted({iri for segment in segments for iri in segment.relations}))
        places = {iri: number for number, iri in enumerate(relations)}
        degrees = np.zeros(len(keys), dtype=np.int64)
        for adjacency, own in zip(adjacencies, concepts, strict=True):
            both = adjacency.counts("out") + adjacency.counts("in")
            degrees += np.bincount(own, weights=both, minlength=len(keys)).astype(np.int64)
        return cls(
            keys,
            degrees,
            relations,
            concepts,
            tuple(
                np.array([places[iri] for iri in segment.relations], dtype=np.int64)
                for segment in segments
            ),
            adjacencies,
        )

    def numbers(self, iris: Sequence[str]) -> Numbers:
        """The concept that is best known by each IRI, -1 for one that no source speaks of."""
        if not len(self.keys):
            return np.full(len(iris), -1, dtype=np.int64)
        keys = text_keys(iris)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, place, -1)

    def statements(
        self, directions: Sequence[Direction], chosen: NDArray[np.bool_]
    ) -> Iterator[Statements]:
        """The edges of the chosen concepts in these directions, piece by piece.

        `chosen` has one value per concept. "near" is the chosen end of an edge.
        """
        for segment, concepts in enumerate(self.concepts):
            numbers = np.flatnonzero(chosen[concepts])
            for direction in directions:
                yield from self._pieces(segment, direction, numbers)

    def _pieces(self, segment: int, direction: Direction, numbers: Numbers) -> Iterator[Statements]:
        adjacency = self.adjacencies[segment]
        ends = np.cumsum(adjacency.counts_of(direction, numbers))
        while len(numbers):
            most = max(1, int(np.searchsorted(ends, _EDGES_AT_ONCE, side="right")))
            rows, edges = adjacency.gather(direction, numbers[:most])
            yield Statements(self, segment, direction, numbers[rows], edges)
            numbers, ends = numbers[most:], ends[most:] - ends[most - 1]

    def without_unnamed(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The chosen concepts that have a name: unnamed nodes are no ends of a hop."""
        named = chosen.copy()
        for adjacency, concepts in zip(self.adjacencies, self.concepts, strict=True):
            numbers = np.flatnonzero(chosen[concepts])
            named[concepts[numbers[adjacency.unnamed(numbers)]]] = False
        return named


def _ownership(groups: Iterable[tuple[str, ...]]) -> tuple[Keys, Keys]:
    """The keys of all ids that are joined, sorted, and the key that each one's thing goes by."""
    pairs = [(iri, ids[0]) for ids in groups for iri in ids]
    members, owners = (text_keys([pair[end] for pair in pairs]) for end in (0, 1))
    order = np.argsort(members)
    return members[order], owners[order]


def _distinct(parts: Sequence[Keys]) -> Keys:
    """The keys of several arrays, sorted; numpy's own unique does not see that they nearly are."""
    keys: Keys = np.concatenate([np.empty(0, dtype=np.uint64), *parts])
    keys.sort(kind="stable")
    first = np.ones(len(keys), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first]


def _replaced(keys: Keys, members: Keys, owners: Keys) -> Keys:
    """Node keys, those of joined ids replaced by their thing's."""
    if not len(members):
        return keys
    place = np.minimum(np.searchsorted(members, keys), len(members) - 1)
    return np.where(members[place] == keys, owners[place], keys)
