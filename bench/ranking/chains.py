"""How long it takes to rank chains by their best fragment (HyKGE, Eq. 8).

    PYTHONPATH=.:bench/graphs python bench/ranking/chains.py GRAPH en [--encoder all-MiniLM-L6-v2]

Two hundred chains of two hops around the entities of GRAPH with most facts, against the fragments
(lc 10, oc 4) of a text of a hypothesis' length, made of the graph's names. Beside ours for shared
words: the same scores pair by pair.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path as Folder

import numpy as np
from measure import table
from texts import hubs, names_of, texts

from kg.deadline import Deadline
from kg.local.graph import LocalGraph
from kg.model import Hop, Path
from kg.ranking.encoders import load_encoder
from kg.ranking.fragments import fragments, rank_chains
from kg.ranking.lexical import lexical_matrix, lexical_similarity
from kg.ranking.order import Ranker, triple_text

CHAINS, FRAGMENTS = 200, 60
TIMES = 5


def chains_of(graph: LocalGraph, hub: str, language: str) -> list[Path]:
    """Chains of two hops through the hub: each fact joined with the one after it."""
    triples = graph.triples(hub, language, Deadline.after(3600)).triples
    pairs = zip(triples, triples[1:], strict=False)
    found = [
        Path("path", (Hop(one), Hop(other)), 1 / (place + 1))
        for place, (one, other) in enumerate(pairs)
    ]
    return found[:CHAINS]


def milliseconds(work: Callable[[], object]) -> float:
    """The best of a few."""
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken) * 1000


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("graph", type=Folder)
    parser.add_argument("language", choices=["en", "zh"])
    parser.add_argument("--encoder", action="append", default=[])
    given = parser.parse_args()
    chains = chains_of(LocalGraph(given.graph), hubs(given.graph, 1)[0], given.language)
    read = ["; ".join(triple_text(hop.triple) for hop in chain.hops) for chain in chains]
    written = " ".join(texts(names_of(given.graph, given.language, 200), given.language, 3))
    pieces = fragments(written, 10, 4)[:FRAGMENTS]
    ranker = Ranker(deadline=Deadline.after(3600))
    one_by_one = milliseconds(lambda: [lexical_similarity(piece, read) for piece in pieces])
    together = np.stack([lexical_similarity(piece, read) for piece in pieces])
    if not np.allclose(together, lexical_matrix(pieces, read)):
        sys.exit("the matrix differs from its rows")
    rows: list[list[object]] = [
        ["shared words, fragment by fragment", one_by_one],
        ["shared words", milliseconds(lambda: rank_chains(chains, read, pieces, ranker))],
    ]
    for name in given.encoder:
        encoder = load_encoder(name, frozenset({given.language}))
        with_it = Ranker(deadline=Deadline.after(3600), encoder=encoder)
        began = time.perf_counter()
        rank_chains(chains, read, pieces, with_it)
        rows.append([f"{encoder.name}, nothing cached", (time.perf_counter() - began) * 1000])
    print(f"{len(chains)} chains, {len(pieces)} fragments\n")
    print(table(["ranking", "ms"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
