"""Which chains join given entities (HyKGE, Eqs. 5-7), and where paths from one alone lead.

The nodes are things, whatever ids the sources know them by, and the edges facts, however many
sources state them. All chains are found and counted as arrays; only the chosen become objects.
The score that they are chosen by is defined in kg.local.chain_scores. Texts and rankers are for
others to use on what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.local.best import Chosen
from kg.local.chain_scores import (
    base_score,
    end_scores,
    middle_scores,
    rarity,
    relation_scores,
)
from kg.local.chain_search import ChainSearch, shapes
from kg.local.edge_facts import Edge, told
from kg.local.expansion import Expansion
from kg.local.relations import relations_of
from kg.local.snapshot import Snapshot
from kg.local.subgraph import Subgraph, subgraph_between
from kg.local.topology import Numbers, Topology
from kg.local.walking import Scores, Values
from kg.model import CHAIN_KINDS, ChainKind, ChainSet, Hop, Path
from kg.protocols import ChainQuery

__all__ = ["chains_of"]


def chains_of(
    snapshot: Snapshot,
    entities: Sequence[str],
    query: ChainQuery,
    language: str,
    deadline: Deadline,
) -> ChainSet:
    """The chains between these IRIs, or the paths of two hops that begin at a lone one.

    IRIs of one thing count as one entity, those that no source speaks of join nothing. `found`
    has every kind, 0 for one that was not asked for; it is exact when the result is complete.
    """
    ids = snapshot.clusters(entities)
    concepts = list(dict.fromkeys(ids[iri][0] for iri in entities))
    linked = snapshot.topology.numbers(concepts)
    linked = linked[linked >= 0]
    asked = _Asked(snapshot, query, language, deadline)
    if len(concepts) == 1 and len(linked) == 1:
        return asked.expansions(int(linked[0]))
    return asked.between(linked)


class _Asked:
    """One question on one snapshot."""

    def __init__(
        self, snapshot: Snapshot, query: ChainQuery, language: str, deadline: Deadline
    ) -> None:
        self._snapshot, self._query = snapshot, query
        self._language, self._deadline = language, deadline
        self._topology: Topology = snapshot.topology

    def between(self, linked: Numbers) -> ChainSet:
        """The chains between these concepts, pair by pair in their order."""
        query, deadline = self._query, self._deadline
        if len(linked) < 2:
            return _none(complete=True)
        graph, complete = subgraph_between(self._topology, linked, query.hops, deadline)
        worth = self._worth(graph.used)
        search = ChainSearch(graph, query.keep, query.per_pair, deadline, self._pairs(linked))
        for hops in range(1, query.hops + 1):
            values = self._values(graph, worth, hops)
            for shape in shapes(query.kinds, hops):
                search.search(shape, values)
        chosen = search.best.chosen()
        pairs = [search.pair(group) for group in chosen.groups.tolist()]
        begins = [(kind, int(linked[first])) for kind, first, _ in pairs]
        paths = self._paths(graph, chosen, begins)
        return ChainSet(paths, search.found, complete and search.complete)

    def _pairs(self, linked: Numbers) -> Scores:
        """What a chain scores for its ends, by the places of both; -inf where none is sought."""
        ends = end_scores(np.isin(linked, self._numbers(self._query.nested)))
        pairs: Scores = ends[:, None] + ends
        places = {number: place for place, number in enumerate(linked.tolist())}
        for pair in self._query.apart:
            here = [places[n] for n in self._numbers(pair).tolist() if n in places]
            if len(here) == 2:
                pairs[here, here[::-1]] = -np.inf
        return pairs

    def expansions(self, entity: int) -> ChainSet:
        """Open paths of two hops that begin at a concept; `per_pair` counts per middle node."""
        query = self._query
        if query.hops < 2 or "path" not in query.kinds:
            return _none(complete=True)
        expansion = Expansion(self._topology, entity, self._deadline)
        relations = expansion.relations()
        worth = np.zeros(len(self._topology.relations))
        worth[relations] = self._worth(relations)
        graph = expansion.subgraph(worth)
        values = self._values(graph, worth[graph.used], 2)
        chosen, count = expansion.search(graph, values, query.keep, query.per_pair)
        begins: list[tuple[ChainKind, int]] = [("path", entity)] * len(chosen)
        found = {**dict.fromkeys(CHAIN_KINDS, 0), "path": count}
        return ChainSet(self._paths(graph, chosen, begins), found, expansion.complete)

    def _worth(self, relations: Numbers) -> Scores:
        """The worth of these relations, asked for at once in the order of their IRIs."""
        iris = [self._topology.relations[number] for number in relations.tolist()]
        known = relations_of(self._snapshot, iris, self._language)
        return np.asarray(self._query.worth([known[iri] for iri in iris]), dtype=np.float64)

    def _values(self, graph: Subgraph, worth: Scores, hops: int) -> Values:
        edges = relation_scores(worth, hops)[graph.relations]
        if hops == 1:
            return Values(base_score(hops), edges, np.zeros(len(graph.nodes)))
        rare = rarity(self._topology.degrees[graph.nodes], self._topology.greatest_degree)
        named = np.isin(graph.nodes, self._numbers(self._query.named))
        nodes = middle_scores(rare, named, hops)
        return Values(base_score(hops), edges, nodes)

    def _numbers(self, iris: Iterable[str]) -> Numbers:
        """The concepts of these IRIs, each once; those that no source speaks of are -1."""
        ids = self._snapshot.clusters(iris)
        concepts = dict.fromkeys(members[0] for members in ids.values())
        return self._topology.numbers(list(concepts))

    def _paths(
        self, graph: Subgraph, chosen: Chosen, begins: Sequence[tuple[ChainKind, int]]
    ) -> tuple[Path, ...]:
        """The chosen chains as objects; each begins at a concept and goes from edge to edge."""
        numbers = np.unique(chosen.edges[chosen.edges >= 0])
        edges = dict(zip(numbers.tolist(), _edges(graph, numbers), strict=True))
        triples = told(self._snapshot, list(edges.values()), self._language)
        paths = []
        rows = zip(begins, chosen.edges.tolist(), chosen.scores.tolist(), strict=True)
        for (kind, node), row, score in rows:
            hops = []
            for edge in (edges[number] for number in row if number >= 0):
                forward = edge.subject == node
                hops.append(Hop(triples[edge], forward))
                node = edge.object if forward else edge.subject
            paths.append(Path(kind, tuple(hops), score))
        return tuple(paths)


def _edges(graph: Subgraph, numbers: NDArray[np.integer]) -> Iterator[Edge]:
    columns = (
        graph.nodes[graph.subjects[numbers]],
        graph.used[graph.relations[numbers]],
        graph.nodes[graph.objects[numbers]],
    )
    return map(Edge._make, zip(*(column.tolist() for column in columns), strict=True))


def _none(complete: bool) -> ChainSet:
    return ChainSet((), dict.fromkeys(CHAIN_KINDS, 0), complete)
