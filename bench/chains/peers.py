"""Who else can say which chains join some entities: networkx, igraph, SPARQL on our own store.

Each function makes ready what the peer needs and returns the question: entities → chains. Getting
ready is not part of its time. Only networkx and igraph see the graph without its store: they are
given every edge in memory. They know no change of direction, so for co-ancestors and co-occurrences
they walk a graph of two layers, from the first over one turning hop into the second; chains that
meet a thing in both layers are dropped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from pyoxigraph import NamedNode, QuerySolutions, Store

from kg.local.chain_search import Shape, shapes
from kg.local.generations import current_generation
from kg.local.snapshot import Snapshot
from kg.model import ChainKind

__all__ = ["HOPS", "PEERS", "Chain", "Find", "edges_of"]

HOPS = 3
Edge = tuple[str, str, str]
# The kind, then node, relation, node, …, a relation with ">" or "<" for its direction before it;
# igraph leaves the relations out.
Chain = tuple[str, ...]
Find = Callable[[Sequence[str]], list[Chain]]
# For each kind of two layers whether its first and its second arm go along the edges.
_ARMS: dict[ChainKind, tuple[bool, bool]] = {
    "co-ancestor": (True, False),
    "co-occurrence": (False, True),
}


def edges_of(folder: Path) -> list[Edge]:
    """Every fact between two things; the graph must be one source without joined ids."""
    snapshot = Snapshot(current_generation(folder), None)
    ((_, segment),) = snapshot.segments.items()
    assert not list(snapshot.groups())
    adjacency = segment.adjacency
    everyone = np.arange(len(adjacency.keys))
    names = adjacency.names(everyone)
    rows, edges = adjacency.gather("out", everyone)
    columns = (rows.tolist(), edges.relations.tolist(), edges.nodes.tolist())
    return [
        (names[near], segment.relations[relation], names[far])
        for near, relation, far in zip(*columns, strict=True)
        if near != far
    ]


def layered(edges: Sequence[Edge], kind: ChainKind) -> Iterator[tuple[Any, str, Any]]:
    """The edges of a kind's graph: of one layer for paths, else of two and between them."""
    if kind == "path":
        yield from edges
        return
    for layers in ((0, 0), (0, 1), (1, 1)):
        for subject, relation, value in edges:
            ends = (subject, value) if _ARMS[kind][layers[1]] else (value, subject)
            yield (ends[0], layers[0]), relation, (ends[1], layers[1])


def pairs(kind: ChainKind, entities: Sequence[str]) -> Iterator[tuple[Any, set[Any]]]:
    """Where to begin, and where to end: ordered pairs for paths, each pair once for the others."""
    for place, one in enumerate(entities):
        if kind == "path":
            yield one, set(entities) - {one}
        elif entities[place + 1 :]:
            yield (one, 0), {(other, 1) for other in entities[place + 1 :]}


def told(kind: ChainKind, nodes: Sequence[Any], relations: Sequence[str]) -> Chain | None:
    """A walk as a chain; None for one that meets a thing twice, or has no first arm."""
    forward = [True] * len(relations)
    if kind != "path":
        layers = [layer for _, layer in nodes[1:]]
        nodes = [node for node, _ in nodes]
        if layers[0] == 1 or len(set(nodes)) < len(nodes):
            return None
        forward = [_ARMS[kind][layer] for layer in layers]
    if not relations:
        return (kind, *nodes)
    steps = [(">" if way else "<") + name for way, name in zip(forward, relations, strict=False)]
    return (kind, nodes[0], *(part for step in zip(steps, nodes[1:], strict=True) for part in step))


def in_networkx(folder: Path, kinds: Sequence[ChainKind]) -> Find:
    """A MultiDiGraph: parallel relations are edges of their own."""
    import networkx

    edges = edges_of(folder)
    graphs = {}
    for kind in kinds:
        graphs[kind] = networkx.MultiDiGraph()
        graphs[kind].add_edges_from((near, far, name) for near, name, far in layered(edges, kind))

    def find(entities: Sequence[str]) -> list[Chain]:
        found = []
        for kind, graph in graphs.items():
            for begin, ends in pairs(kind, entities):
                for walk in networkx.all_simple_edge_paths(graph, begin, ends, cutoff=HOPS):
                    nodes = [begin, *(far for _, far, _ in walk)]
                    found.append(told(kind, nodes, [name for _, _, name in walk]))
        return [chain for chain in found if chain is not None]

    return find


def in_igraph(folder: Path, kinds: Sequence[ChainKind]) -> Find:
    """igraph in C; it gives the nodes of a walk, one walk per parallel edge."""
    try:
        import igraph
    except ImportError:
        sys.exit("igraph is not installed: pip install igraph, or leave it out of --peers.")
    edges = edges_of(folder)
    graphs = {}
    for kind in kinds:
        numbers: dict[Any, int] = {}
        rows = [
            (numbers.setdefault(near, len(numbers)), numbers.setdefault(far, len(numbers)))
            for near, _, far in layered(edges, kind)
        ]
        graphs[kind] = (igraph.Graph(len(numbers), rows, directed=True), numbers, list(numbers))

    def find(entities: Sequence[str]) -> list[Chain]:
        found = []
        for kind, (graph, numbers, names) in graphs.items():
            for begin, ends in pairs(kind, entities):
                known = [numbers[end] for end in ends if end in numbers]
                walks = graph.get_all_simple_paths(
                    numbers[begin], to=known, maxlen=HOPS, mode="out"
                )
                found += [told(kind, [names[node] for node in walk], []) for walk in walks]
        return [chain for chain in found if chain is not None]

    return find


def sparql(folder: Path, kinds: Sequence[ChainKind]) -> Find:
    """Our own store by SPARQL, in this process: one query per shape."""
    generation = current_generation(folder)
    store = Store.read_only(str(generation / "store"))
    ((graph, segment),) = Snapshot(generation, None).segments.items()
    others = _other_relations(store, graph, set(segment.relations))

    def find(entities: Sequence[str]) -> list[Chain]:
        found: list[Chain] = []
        for hops in range(1, HOPS + 1):
            for shape in shapes(tuple(kinds), hops):
                rows = store.query(_query(shape, graph, entities, others))
                assert isinstance(rows, QuerySolutions)
                names = [f"?{name}" for name in _columns(hops)]
                for row in rows:
                    found.append(_turned(shape, [row[name[1:]].value for name in names], entities))
        return found

    return find


def _other_relations(store: Store, graph: NamedNode, facts: set[str]) -> list[NamedNode]:
    """What else the source says between nodes: types and the like are no hops."""
    rows = store.query(f"SELECT DISTINCT ?p {{ GRAPH {graph} {{ ?s ?p ?o }} FILTER(isIRI(?o)) }}")
    assert isinstance(rows, QuerySolutions)
    return [row["p"] for row in rows if row["p"].value not in facts]


def _columns(hops: int) -> list[str]:
    return ["n0", *(name for place in range(hops) for name in (f"r{place}", f"n{place + 1}"))]


def _query(
    shape: Shape, graph: NamedNode, entities: Sequence[str], others: Sequence[NamedNode]
) -> str:
    hops = len(shape.hops)
    nodes = [f"?n{place}" for place in range(hops + 1)]
    patterns = " ".join(
        f"{near} ?r{place} {far} ." if way == "out" else f"{far} ?r{place} {near} ."
        for place, (way, (near, far)) in enumerate(zip(shape.hops, pairwise(nodes), strict=True))
    )
    rules = [f"{a} != {b}" for place, a in enumerate(nodes) for b in nodes[:place]]
    if others:
        listed = ", ".join(map(str, others))
        rules += [f"?r{place} NOT IN ({listed})" for place in range(hops)]
    if shape.twice:
        rules.append("?first < ?last")
    first, last = (
        f"VALUES ({node} {place}) {{ "
        + " ".join(f"({NamedNode(iri)} {number})" for number, iri in enumerate(entities))
        + " }"
        for node, place in ((nodes[0], "?first"), (nodes[-1], "?last"))
    )
    asked = " ".join(f"?{name}" for name in _columns(hops))
    where = f"{first} GRAPH {graph} {{ {patterns} }} {last} FILTER({' && '.join(rules)})"
    return f"SELECT {asked} WHERE {{ {where} }}"


def _turned(shape: Shape, row: list[str], entities: Sequence[str]) -> Chain:
    ways = [">" if way == "out" else "<" for way in shape.hops]
    nodes, relations = row[::2], row[1::2]
    if shape.turned and entities.index(row[0]) > entities.index(row[-1]):
        ways = [">" if way == "<" else "<" for way in ways[::-1]]
        nodes, relations = nodes[::-1], relations[::-1]
    steps = zip(ways, relations, nodes[1:], strict=True)
    return (shape.kind, nodes[0], *(part for way, r, n in steps for part in (way + r, n)))


PEERS: dict[str, Callable[[Path, Sequence[ChainKind]], Find]] = {
    "networkx": in_networkx,
    "igraph": in_igraph,
    "sparql": sparql,
}
