"""What the sources state of one entity, by relation and direction: counted first, read as needed.

Counting takes integers alone, so that a hub costs no more than the facts that are read of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from pyoxigraph import NamedNode

from kg.local.adjacency import Adjacency
from kg.local.segment import Segment
from kg.local.snapshot import Snapshot
from kg.local.table import Keys, text_keys
from kg.local.telling import Statement

__all__ = ["Group", "Grouped", "fair_shares", "grouped"]

# A relation, and whether the entity is its subject.
Use = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class _Edges:
    """Statements of one relation and direction by one source, of one id of the entity."""

    graph: NamedNode
    adjacency: Adjacency
    iri: str
    use: Use
    nodes: NDArray[np.uint32]

    @property
    def keys(self) -> Keys:
        """The keys of the nodes at the other end: of one name, the same in every source."""
        return self.adjacency.keys[self.nodes]

    def at(self, places: NDArray[np.bool_]) -> _Edges:
        """Some of the statements."""
        return replace(self, nodes=self.nodes[places])

    def statements(self) -> Iterator[Statement]:
        """They, in the order of the nodes."""
        relation, is_subject = self.use
        for other in self.adjacency.names(self.nodes):
            ends = (self.iri, other) if is_subject else (other, self.iri)
            yield Statement(self.graph, ends[0], relation, ends[1])


@dataclass(slots=True)
class Group:
    """All statements of one relation and direction, over the ids of the entity and the sources."""

    edges: list[_Edges] = field(default_factory=list)
    values: list[tuple[Statement, str]] = field(default_factory=list)  # each with its text

    def __len__(self) -> int:
        return sum(len(part.nodes) for part in self.edges) + len(self.values)

    def statements(self, most: int) -> Iterator[Statement]:
        """All of them where there are no more than `most`, else about so many.

        By the keys of the other ends, which are even over the names and no file's order. What
        several sources state of the same end comes whole, so that it may be a few more.
        """
        one = self if len(self) <= most else self._cut(most)
        for part in one.edges:
            yield from part.statements()
        for statement, _ in one.values:
            yield statement

    def _cut(self, most: int) -> Group:
        if most <= 0:
            return Group()
        of_values = text_keys(text for _, text in self.values)
        keys = np.concatenate([*(part.keys for part in self.edges), of_values])
        last = np.partition(keys, most - 1)[most - 1]
        return Group(
            [part.at(part.keys <= last) for part in self.edges],
            [self.values[place] for place in np.flatnonzero(of_values <= last).tolist()],
        )


@dataclass(frozen=True, slots=True)
class Grouped:
    """The groups of one entity, small ones first; `unnamed` statements have no named subject."""

    groups: tuple[Group, ...]
    unnamed: int


def grouped(snapshot: Snapshot, ids: Sequence[str]) -> Grouped:
    """What the sources state of the thing of these ids; that one of them is another is left out."""
    groups: dict[Use, Group] = {}
    unnamed = 0
    for graph, segment in snapshot.segments.items():
        for part in _edges_of(graph, segment, ids):
            named = part if part.use[1] else part.at(~part.adjacency.unnamed(part.nodes))
            unnamed += len(part.nodes) - len(named.nodes)
            if len(named.nodes):
                groups.setdefault(part.use, Group()).edges.append(named)
        for iri in ids:
            for relation, value in segment.values(iri):
                stated = Statement(graph, iri, relation, value)
                groups.setdefault((relation, True), Group()).values.append((stated, value.text))
    ordered = sorted(groups, key=lambda use: (len(groups[use]), use))
    return Grouped(tuple(groups[use] for use in ordered), unnamed)


def _edges_of(graph: NamedNode, segment: Segment, ids: Sequence[str]) -> Iterator[_Edges]:
    """The edges of these ids in one source, but those from one of them to another."""
    adjacency = segment.adjacency
    own = {iri: node for iri in ids if (node := adjacency.number(iri)) is not None}
    for iri, node in own.items():
        others = [number for number in own.values() if number != node]
        for edges, is_subject in ((adjacency.out(node), True), (adjacency.into(node), False)):
            # What an id states of itself is met in both directions and taken in one.
            kept = ~np.isin(edges.nodes, others if is_subject else [node, *others])
            relations, nodes = edges.relations[kept], edges.nodes[kept]
            used, counts = np.unique(relations, return_counts=True)
            ends = np.cumsum(counts)  # edges are sorted by relation
            for number, low, high in zip(used, ends - counts, ends, strict=True):
                use = (segment.relations[number], is_subject)
                yield _Edges(graph, adjacency, iri, use, nodes[low:high])


def fair_shares(sizes: Sequence[int], most: int) -> list[int]:
    """How many of each group to take, `most` in all: small groups whole, the large ones alike.

    `sizes` ascend.
    """
    shares = []
    for place, size in enumerate(sizes):
        share = min(size, most // (len(sizes) - place))
        shares.append(share)
        most -= share
    return shares
