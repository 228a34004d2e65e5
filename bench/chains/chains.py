"""Chains between linked entities, ours beside networkx, igraph and SPARQL.

    PYTHONPATH=bench/graphs python bench/chains/chains.py GRAPH zh NAMES.txt
    PYTHONPATH=bench/graphs python bench/chains/chains.py GRAPH zh NAMES.txt --first 6 \\
        --kinds path --peers networkx igraph sparql

GRAPH is a graph folder, NAMES.txt has one name per line; names that the graph does not know may be
IRIs. Peers need a graph of one source. "best" is the whole call: found, counted, the best 200 as
objects with labels, sources and references. "all" is our search told to keep every chain, as a peer
has to, its edges given as IRIs. The chains that peers find are compared with ours, igraph's by
their nodes. Each part runs in a process of its own, up to twenty times or ten seconds; p50 is
shown, and the least CPU time of all threads.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from measure import Figures, memory, report, run_part, table
from numpy.typing import NDArray
from peers import HOPS, PEERS, Chain, Find

from kg.deadline import Deadline
from kg.local.chain_search import ChainSearch, shapes
from kg.local.generations import current_generation
from kg.local.graph import LocalGraph
from kg.local.snapshot import Snapshot
from kg.local.subgraph import subgraph_between
from kg.local.walking import Values
from kg.model import CHAIN_KINDS, ChainKind, Relation
from kg.protocols import ChainQuery

TIMES, SECONDS = 20, 10.0
SHOWN = {
    "best": "Graphcite, counted and the best 200",
    "all": "Graphcite, every chain",
    "networkx": "networkx",
    "igraph": "igraph, nodes only",
    "sparql": "Oxigraph, SPARQL in process",
}


def worth(relations: Sequence[Relation]) -> NDArray[np.float64]:
    """As of a question about treatment: by the aspect alone."""
    return np.array([0.8 if one.aspect == "treatment" else 0.2 for one in relations])


def linked(folder: Path, language: str, names: Sequence[str]) -> list[str]:
    """The best candidate of each name."""
    graph = LocalGraph(folder)
    found = [(name, graph.candidates(name, language, Deadline.after(60))) for name in names]
    return [candidates[0].iri if candidates else name for name, candidates in found]


def every_chain(folder: Path, kinds: Sequence[ChainKind]) -> Find:
    """Our search with no limit on what is kept, without scores."""
    topology = Snapshot(current_generation(folder), None).topology
    names: dict[int, str] = {}
    for own, adjacency in zip(topology.concepts, topology.adjacencies, strict=True):
        names.update(zip(own.tolist(), adjacency.names(np.arange(len(own))), strict=True))

    def find(entities: Sequence[str]) -> list[Chain]:
        numbers = topology.numbers(entities)
        soon = Deadline.after(3600)
        graph, _ = subgraph_between(topology, numbers, HOPS, soon)
        search = ChainSearch(graph, 1 << 40, 1 << 40, soon)
        values = Values(0.0, np.zeros(len(graph.subjects)), np.zeros(len(graph.nodes)))
        for hops in range(1, HOPS + 1):
            for shape in shapes(tuple(kinds), hops):
                search.search(shape, values)
        chosen = search.best.chosen()
        relations = [topology.relations[number] for number in graph.used.tolist()]
        nodes = [names[number] for number in graph.nodes.tolist()]
        edges = list(zip(graph.subjects.tolist(), graph.relations.tolist(), graph.objects.tolist(),
                         strict=True))  # fmt: skip
        found = []
        for group, row in zip(chosen.groups.tolist(), chosen.edges.tolist(), strict=True):
            kind, first, _ = search.pair(group)
            node = int(graph.linked[first])
            chain = [kind, nodes[node]]
            for edge in row:
                if edge >= 0:
                    near, relation, far = edges[edge]
                    way, node = (">", far) if near == node else ("<", near)
                    chain += [way + relations[relation], nodes[node]]
            found.append(tuple(chain))
        return found

    return find


def best_chains(folder: Path, language: str, kinds: Sequence[ChainKind]) -> Callable[..., Figures]:
    """The call that a strategy makes; how many there are by kind."""
    graph = LocalGraph(folder)

    def find(entities: Sequence[str]) -> Figures:
        query = ChainQuery(worth, frozenset(entities), HOPS, tuple(kinds))
        found = graph.chains(entities, query, language, Deadline.after(3600))
        return {"found": dict(found.found), "kept": len(found.chains), "done": found.complete}

    return find


def measured(given: argparse.Namespace, entities: Sequence[str]) -> Figures:
    """One part: times, numbers by kind, and digests of the chains."""
    folder, kinds = given.graph, given.kinds
    if given.part == "best":
        find: Callable[[Sequence[str]], object] = best_chains(folder, given.language, kinds)
    else:
        find = {"all": every_chain, **PEERS}[given.part](folder, kinds)
    seconds: list[float] = []
    processor: list[float] = []
    find(entities[:2])  # what is made at the first question is not part of one's time
    while len(seconds) < TIMES and sum(seconds) < SECONDS:
        began, used = time.perf_counter(), time.process_time()
        found = find(entities)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    figures: Figures = {
        "p50": statistics.median(seconds),
        "cpu": min(processor),
        "memory": memory()["peak"],
    }
    if isinstance(found, dict):
        return figures | found
    assert isinstance(found, list)
    by_nodes = {(chain[0], *chain[1 :: 1 if given.part == "igraph" else 2]) for chain in found}
    counts = dict(Counter(chain[0] for chain in set(found)))
    return figures | {
        "found": counts,
        "digest": digest(set(found)),
        "nodes": digest(by_nodes),
    }


def digest(chains: set[Chain]) -> str:
    """The same for the same chains."""
    text = "\n".join(sorted("\t".join(chain) for chain in chains))
    return hashlib.sha256(text.encode()).hexdigest()


def show(parts: dict[str, Figures]) -> None:
    """The table; a peer's CPU time to that of each of ours."""
    rows = []
    for name, figures in parts.items():
        ratios = [
            figures["cpu"] / parts[own]["cpu"] if own in parts else "" for own in ("best", "all")
        ]
        same = ""
        if name in PEERS:
            by = "nodes" if name == "igraph" else "digest"
            same = "yes" if figures[by] == parts["all"][by] else "NO"
        found = [figures["found"].get(kind, 0) for kind in CHAIN_KINDS]
        times = (figures["p50"] * 1000, figures["cpu"] * 1000, *ratios, figures["memory"])
        rows.append((SHOWN[name], *found, sum(found), *times, same))
    head = "in all|p50 ms|CPU ms|CPU to ours, best|CPU to ours, all|peak MB|same chains"
    print(table(["", *CHAIN_KINDS, *head.split("|")], rows))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("language")
    parser.add_argument("names", type=Path)
    parser.add_argument("--first", type=int, help="so many of the names")
    parser.add_argument("--kinds", nargs="+", default=list(CHAIN_KINDS), choices=CHAIN_KINDS)
    parser.add_argument("--peers", nargs="*", default=[], choices=tuple(PEERS))
    parser.add_argument("--part", help=argparse.SUPPRESS)
    given = parser.parse_args()
    names = given.names.read_text(encoding="utf-8").split("\n")
    entities = linked(given.graph, given.language, [name for name in names if name][: given.first])
    if given.part:
        report(measured(given, entities))
        return 0
    common = [given.graph, given.language, given.names, "--kinds", *given.kinds]
    common += ["--first", given.first] if given.first else []
    parts = ["best", *(["all", *given.peers] if given.peers else [])]
    found = {part: run_part(__file__, *common, "--part", part) for part in parts}
    print(f"{len(entities)} entities, at most {HOPS} hops\n")
    show(found)
    different = [
        name
        for name in given.peers
        for by in ["nodes" if name == "igraph" else "digest"]
        if found[name][by] != found["all"][by]
    ]
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
