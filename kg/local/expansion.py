"""Guided expansion: the open paths of two hops, in whatever directions, that begin at one entity.

Where too many second hops would have to be looked at, the neighbours whose relation to the entity
is worth most are taken first, of equal ones those with the fewest facts.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from kg.deadline import Deadline
from kg.local.best import Best, Chosen
from kg.local.subgraph import BOTH, Area, Subgraph, rows_of, subgraph_of, with_neighbours
from kg.local.topology import Numbers, Topology
from kg.local.walking import Scores, Values, Walks, next_hops, pieces, walked

__all__ = ["MOST_HOPS", "Expansion", "Found"]

MOST_HOPS = 2_000_000  # second hops that are looked at


class Found(NamedTuple):
    """The best paths, and the number of all."""

    best: Chosen
    number: int


class Expansion:
    """The paths from one concept; `complete` turns False when the time or a limit cuts them off."""

    def __init__(self, topology: Topology, entity: int, deadline: Deadline) -> None:
        self._topology, self._entity, self._deadline = topology, entity, deadline
        self._alone = np.zeros(len(topology.keys), dtype=bool)
        self._alone[entity] = True
        self._near, self.complete = with_neighbours(topology, self._alone, deadline)

    def relations(self) -> Numbers:
        """The relations of the entity and of its neighbours."""
        counts = np.zeros(len(self._topology.relations), dtype=np.int64)
        for piece in self._topology.statements(BOTH, self._near):
            if self._deadline.expired:
                self.complete = False
                break
            counts += np.bincount(piece.relations, minlength=len(counts))
        return np.flatnonzero(counts)

    def subgraph(self, worth: Scores) -> Subgraph:
        """The facts of the entity and of the neighbours that are looked at.

        `worth` has one value per relation of the topology.
        """
        self._leave_out(worth)
        ball, whole = with_neighbours(self._topology, self._near, self._deadline)
        area = Area(self._near, ball, True, whole)
        linked = np.array([self._entity])
        graph, in_time = subgraph_of(self._topology, area, linked, self._deadline)
        self.complete &= in_time
        return graph

    def _leave_out(self, worth: Scores) -> None:
        """Leave only so many neighbours near that their facts are not too many."""
        best = np.zeros(len(self._near))
        for piece in self._topology.statements(BOTH, self._alone):
            np.maximum.at(best, piece.far_concepts, worth[piece.relations])
        neighbours = np.flatnonzero(self._near & ~self._alone)
        degrees = self._topology.degrees[neighbours]
        order = np.lexsort((degrees, -best[neighbours]))
        degrees = degrees[order]
        fitting = (degrees <= MOST_HOPS) & (
            np.cumsum(np.where(degrees <= MOST_HOPS, degrees, 0)) <= MOST_HOPS
        )
        self._near[neighbours[order[~fitting]]] = False
        self.complete &= bool(fitting.all())

    def search(self, graph: Subgraph, values: Values, keep: int, per_middle: int) -> Found:
        """Count the paths and keep the best, so many per node in the middle."""
        best, count = Best(len(graph.nodes), keep, per_middle), 0
        rows = {direction: rows_of(graph, direction) for direction in BOTH}
        begun = Walks.begin(graph.linked, values)
        for first, second in product(BOTH, BOTH):
            walks = walked(begun, next_hops(begun, rows[first]), values)
            walks = walks.at(self._near[graph.nodes[walks.nodes[-1]]])
            for piece in pieces(walks, rows[second]):
                if self._deadline.expired:
                    self.complete = False
                    return Found(best.chosen(), count)
                hops = next_hops(piece, rows[second])
                count += len(hops.before)
                scores = piece.scores[hops.before] + values.edges[hops.edges]
                edges = np.stack((piece.edges[0][hops.before], hops.edges), axis=1)
                best.add(Chosen(scores, piece.nodes[1][hops.before].astype(np.int64), edges))
        return Found(best.chosen(), count)
