"""Edges between concepts back into the facts that the sources state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kg.local.snapshot import Snapshot
from kg.local.telling import Statement, Telling
from kg.model import Triple

__all__ = ["Edge", "told"]


class Edge(NamedTuple):
    """A fact by the numbers of kg.local.topology: concepts, and the relation over all sources."""

    subject: int
    relation: int
    object: int


def told(snapshot: Snapshot, edges: Sequence[Edge], language: str) -> dict[Edge, Triple]:
    """Each edge as a triple: all its sources, told as the first of them states it."""
    if not edges:
        return {}
    stated = sorted(
        _statements(snapshot, edges),
        key=lambda one: (one[0], one[1].graph.value, one[1].subject, str(one[1].object)),
    )
    telling = Telling(snapshot, [statement for _, statement in stated], language)
    places: dict[Edge, list[int]] = {}
    for place, (edge, _) in enumerate(stated):
        places.setdefault(edge, []).append(place)
    return {edge: telling.triple(places[edge]) for edge in edges}


def _statements(snapshot: Snapshot, edges: Sequence[Edge]) -> Iterator[tuple[Edge, Statement]]:
    topology, graphs = snapshot.topology, list(snapshot.segments)
    subjects, objects = (np.zeros(len(topology.keys), dtype=bool) for _ in range(2))
    subjects[[edge.subject for edge in edges]] = True
    objects[[edge.object for edge in edges]] = True
    wanted = set(edges)
    for piece in topology.statements(("out",), subjects):
        near = piece.at(np.flatnonzero(objects[piece.far_concepts]))
        columns = (near.near_concepts, near.relations, near.far_concepts)
        found = [Edge(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
        places = [place for place, edge in enumerate(found) if edge in wanted]
        stated = near.at(np.array(places, dtype=np.int64))
        names = topology.adjacencies[piece.segment].names
        ends = zip(names(stated.near), names(stated.edges.nodes), strict=True)
        for place, (subject, value) in zip(places, ends, strict=True):
            relation = topology.relations[found[place].relation]
            yield found[place], Statement(graphs[piece.segment], subject, relation, value)
