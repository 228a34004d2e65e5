"""How long the nearest names take over many vectors, and what choosing between homonyms reads.

    python bench/linking/speed.py                       # a million random vectors
    python bench/linking/speed.py --home HOME           # profiles beside facts, of great hubs

Memory is the process's own (resident set), with the pages of the mapped file that it holds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.generations import current_generation
from kg.local.profiles import profiles_of
from kg.local.snapshot import Snapshot
from kg.local.vector_files import VectorFile
from kg.local.vectors import best_rows
from kg.profiles import profile_of_triples

DIMENSIONS, BLOCK = 384, 10_000
HUBS = 6
LONG = Deadline.after(86_400)


def megabytes() -> float:
    """The resident memory of this process, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def median(work: Callable[[], object], times: int = 5) -> float:
    """Milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def over_vectors(count: int) -> None:
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.f16"
        with path.open("wb") as file:
            for _ in range(0, count, BLOCK):
                block = random.standard_normal((BLOCK, DIMENSIONS), dtype=np.float32)
                block /= np.linalg.norm(block, axis=1, keepdims=True)
                file.write(block.astype(np.float16).tobytes())
        empty = np.empty(0, dtype=np.uint64)
        vectors = VectorFile(path, count, DIMENSIONS, empty, empty)
        before = megabytes()
        print(f"{count:,} vectors, {path.stat().st_size / 1e6:,.0f} MB on disk")
        for names in (1, 8, 60):
            queries = np.asarray(vectors.chunk(0, names), dtype=np.float32)
            taken = median(lambda q=queries: best_rows([vectors], q, 80, LONG), 3)
            print(f"{names:3} names: {taken:8,.0f} ms, {megabytes() - before:6.0f} MB more memory")


def over_hubs(home: Path) -> None:
    folder = home / "graphs" / "medical"
    snapshot = Snapshot(current_generation(folder), None)
    graph = LocalGraph(folder)
    nodes = [
        (int(count), segment.adjacency.name(int(place)))
        for segment in snapshot.segments.values()
        for counts in [segment.adjacency.counts("in") + segment.adjacency.counts("out")]
        for place in np.argsort(-counts)[: 4 * HUBS]
        for count in [counts[place]]
    ]
    hubs = [name for _, name in sorted(nodes, reverse=True) if "://" in name][:HUBS]
    facts = median(
        lambda: [
            profile_of_triples(iri, graph.triples(iri, "en", LONG).triples, hubs) for iri in hubs
        ]
    )
    outline = median(lambda: profiles_of(snapshot, hubs, LONG))
    print(
        f"{HUBS} hubs: facts {facts:.1f} ms, profiles {outline:.2f} ms, {facts / outline:.0f} times"
    )
    graph.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--vectors", type=int, default=1_000_000)
    options = parser.parse_args()
    if options.home is not None:
        over_hubs(options.home)
    else:
        over_vectors(options.vectors)


if __name__ == "__main__":
    main()
