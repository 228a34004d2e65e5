"""Chains over the whole CMeKG: exact numbers, counted another way by matrix products."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.adjacency import Adjacency, AdjacencyWriter
from kg.local.chain_search import ChainSearch, shapes
from kg.local.subgraph import subgraph_between
from kg.local.topology import Topology
from kg.local.walking import Values
from kg.model import CHAIN_KINDS, ChainSet, Hop
from kg.protocols import ChainQuery
from kg.sources.cmekg.files import find_dictionary, read_dictionary
from tests.needs import need

ENTITIES = (
    "偏头痛 头痛 阿司匹林 布洛芬 眼痛 恶心 呕吐 高血压 阿米替林 曲马多 钙通道阻滞剂 抗抑郁药 "
    "胃溃疡 胃痛 消化不良 反流性食管炎 雷尼替丁 硫糖铝 糖尿病 哮喘"
).split()
Numbers = dict[str, list[int]]  # by kind, of one, two and three hops


def test_the_search_is_exact_on_every_triple_of_the_file(tmp_path: Path) -> None:
    need(find_spec("pyCMeKG") is not None, "CMeKG comes with the package PyCMeKG (make test)")
    dictionary = read_dictionary(find_dictionary(None))
    writer, relations = AdjacencyWriter(tmp_path), dict[str, int]()
    for subject, facts in dictionary.items():
        for relation, values in facts.items():
            number = relations.setdefault(relation, len(relations))
            for value in values:
                writer.edge(writer.node(subject), number, writer.node(value))
    writer.finish(*writer.edges())
    segment: Any = _OnlyEdges(Adjacency(tmp_path), list(relations))
    topology = Topology.of([segment], [])
    soon, linked = Deadline.after(120), topology.numbers(ENTITIES)
    graph, complete = subgraph_between(topology, linked, 3, soon)
    search = ChainSearch(graph, 200, 12, soon)
    three_hop_co_occurrences = 0
    for hops in (1, 2, 3):
        values = Values(0.0, np.zeros(len(graph.subjects)), np.zeros(len(graph.nodes)))
        for shape in shapes(CHAIN_KINDS, hops):
            before = search.found[shape.kind]
            search.search(shape, values)
            if shape.kind == "co-occurrence" and hops == 3:
                three_hop_co_occurrences = search.found[shape.kind] - before
    assert complete and search.complete and len(search.best.chosen()) == 200
    assert sum(search.found.values()) == 862_216
    assert three_hop_co_occurrences == 728_366


class _OnlyEdges:
    """As much of a segment as a topology reads."""

    def __init__(self, adjacency: Adjacency, relations: list[str]) -> None:
        self.adjacency, self.relations = adjacency, relations


@pytest.fixture(scope="module")
def graph(cmekg_home: Path) -> Iterator[LocalGraph]:
    opened = LocalGraph(cmekg_home / "graphs" / "medical")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def entities(graph: LocalGraph) -> list[str]:
    return [graph.candidates(name, "zh", Deadline.after(60))[0].iri for name in ENTITIES]


@pytest.fixture(scope="module")
def found(graph: LocalGraph, entities: list[str]) -> ChainSet:
    query = ChainQuery(lambda relations: np.full(len(relations), 0.5), frozenset(entities))
    return graph.chains(entities, query, "zh", Deadline.after(120))


def test_the_numbers_are_those_of_matrix_products(
    graph: LocalGraph, entities: list[str], found: ChainSet
) -> None:
    (segment,) = graph.snapshot.segments.values()
    adjacency = segment.adjacency
    size = len(adjacency.keys)
    rows, edges = adjacency.gather("out", np.arange(size))
    counted = by_matrices(rows, edges.nodes, size, [adjacency.number(iri) or 0 for iri in entities])
    assert found.complete
    assert found.found == {kind: sum(numbers) for kind, numbers in counted.items()}
    assert sum(found.found.values()) > 800_000


def by_matrices(rows: Any, ends: Any, size: int, linked: list[int]) -> Numbers:
    """Walks of two and three hops by products, less those that meet a node twice."""
    sparse = pytest.importorskip("scipy.sparse")
    other = rows != ends
    ones = np.ones(int(other.sum()), dtype=np.int64)
    out = sparse.csr_matrix((ones, (rows[other], ends[other])), (size, size))
    into = out.T.tocsr()

    def among(matrix: Any) -> Any:
        """The rows and columns of the entities."""
        return matrix[:, linked].toarray()

    def three(one: Any, two: Any, last: Any) -> int:
        first, second = one[linked] @ two, two[linked] @ last
        walks = among(first @ last)
        direct, back, end = (among(matrix[linked]) for matrix in (one, two, last))
        walks -= direct * np.diag(among(second))[None, :]  # the first node in the middle is the end
        walks -= np.diag(among(first))[:, None] * end  # the second is the beginning
        walks += direct * back.T * end  # both, taken away twice
        return between(walks)

    def between(walks: Any) -> int:
        return int(walks.sum() - np.trace(walks))

    def two(one: Any, last: Any) -> int:
        return between(among(one[linked] @ last))

    return {
        "path": [between(among(out[linked])), two(out, out), three(out, out, out)],
        "co-ancestor": [0, two(out, into) // 2, three(out, out, into)],
        "co-occurrence": [0, two(into, out) // 2, three(into, out, out)],
    }


def test_what_is_kept_is_varied_and_whole(found: ChainSet, entities: list[str]) -> None:
    assert len(found.chains) == 200
    scores = [path.score for path in found.chains]
    assert scores == sorted(scores, reverse=True)
    groups = Counter()
    for path in found.chains:
        nodes = [node(path.hops[0], not path.hops[0].forward)]
        for hop in path.hops:
            assert node(hop, not hop.forward) == nodes[-1]
            nodes.append(node(hop, hop.forward))
        assert len(set(nodes)) == len(nodes) and {nodes[0], nodes[-1]} <= set(entities)
        assert all(hop.triple.sources and hop.triple.relation.label for hop in path.hops)
        groups[path.kind, nodes[0], nodes[-1]] += 1
    assert max(groups.values()) <= 12 and len({kind for kind, _, _ in groups}) == 3
    direct = [path for path in found.chains if len(path.hops) == 1]
    assert len(direct) == 15, "facts between the entities themselves are all kept"
    assert len({shown.triple.relation.label for path in direct for shown in path.hops}) > 5


def node(hop: Hop, at_object: bool) -> str:
    end = hop.triple.object if at_object else hop.triple.subject
    return end.key or ""


def test_kept_facts_are_those_of_the_entity(
    graph: LocalGraph, found: ChainSet, entities: list[str]
) -> None:
    known = set(graph.triples(entities[2], "zh", Deadline.after(60)).triples)
    touching = {
        hop.triple
        for path in found.chains
        for hop in path.hops
        if entities[2] in (hop.triple.subject.iri, hop.triple.object.iri)
    }
    assert touching and touching <= known
