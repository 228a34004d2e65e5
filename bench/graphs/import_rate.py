"""Import rate beside a raw bulk load of the same triples.

    python bench/graphs/import_rate.py rdf graph.nt
    python bench/graphs/import_rate.py cmekg path/to/cmekg.pkl
    python bench/graphs/import_rate.py hpo

Parts, each in a process of its own, the parts taking turns so that a busy minute hits all:

- raw: pyoxigraph's Store.bulk_load of the triples as an N-Triples file into one named graph, the
  form in which we keep a source; "default graph" is the same with half of the store's indexes;
- load: our importer's statements into the store, nothing indexed;
- import: all that `graphcite kg import` does. What it takes longer than load is the index.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from measure import Figures, memory, report, run_part, table, timed
from pyoxigraph import Quad, RdfFormat, Store, Triple, serialize

from kg.local.generations import graph_name
from kg.sources.cmekg.importer import CmekgImporter
from kg.sources.hpo.importer import HpoImporter
from kg.sources.importing import import_source
from kg.sources.obo.importer import OboImporter
from kg.sources.rdf.importer import RdfImporter

GRAPH = graph_name("bench")
IMPORTERS = {"rdf": RdfImporter, "obo": OboImporter, "hpo": HpoImporter, "cmekg": CmekgImporter}
PARTS = ("raw", "default", "load", "import")
_SHOWN = {
    "raw": "raw bulk load",
    "default": "raw, default graph",
    "load": "our load, no index",
    "import": "our whole import",
}


def silent(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""


def write_triples(kind: str, paths: Sequence[Path], target: Path) -> Figures:
    """The source's triples as N-Triples."""
    triples = (
        Triple(one.subject, one.predicate, one.object)
        for one in IMPORTERS[kind](paths).statements(silent)
        if one.asserted
    )
    with target.open("wb") as file:
        serialize(triples, file, format=RdfFormat.N_TRIPLES)
    return {"bytes": target.stat().st_size}


def raw(triples: Path, folder: Path, named: bool) -> Figures:
    """Oxigraph alone."""
    figures: Figures = {}
    store = Store(str(folder))
    with timed(figures):
        to_graph = GRAPH if named else None
        store.bulk_load(path=str(triples), format=RdfFormat.N_TRIPLES, to_graph=to_graph)
        store.flush()
    return figures | {"triples": len(store)}


def load(kind: str, paths: Sequence[Path], folder: Path) -> Figures:
    """Our statements into a store, as kg.local.loader does it, without a segment."""
    figures: Figures = {}
    store = Store(str(folder))
    with timed(figures):
        store.bulk_extend(
            Quad(subject, predicate, value, GRAPH)
            for subject, predicate, value, _, _, asserted in IMPORTERS[kind](paths).statements(
                silent
            )
            if asserted
        )
        store.flush()
    return figures | {"triples": len(store)}


def whole(kind: str, paths: Sequence[Path], folder: Path) -> Figures:
    """Our whole import, with the seconds from start to each stage."""
    figures: Figures = {}
    began = time.perf_counter()

    def progress(stage: str, done: int, total: int | None) -> None:
        if stage in ("indexing", "joining"):
            figures[stage] = time.perf_counter() - began

    with timed(figures):
        done = import_source(folder, kind, paths, name="bench", progress=progress)
    return figures | {"triples": done.triples, "names": done.names, "entities": done.entities}


def run(part: str, kind: str, paths: Sequence[Path], folder: Path) -> Figures:
    """One part, in this process."""
    shutil.rmtree(folder, ignore_errors=True)
    if part == "write":
        return write_triples(kind, paths, folder.with_suffix(".nt"))
    if part in ("raw", "default"):
        figures = raw(folder.with_suffix(".nt"), folder, part == "raw")
    else:
        figures = (load if part == "load" else whole)(kind, paths, folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return figures | {"size": size / 1e6, "peak": memory()["peak"]}


def measured(given: argparse.Namespace) -> dict[str, list[Figures]]:
    """The figures of all parts and repeats."""
    arguments = (given.kind, *given.paths, "--scratch", given.scratch)
    run_part(__file__, *arguments, "--part", "write")
    found: dict[str, list[Figures]] = {part: [] for part in PARTS}
    for _ in range(given.repeat):
        for part in PARTS:
            found[part].append(run_part(__file__, *arguments, "--part", part))
            print(f"{part}: {found[part][-1]}", file=sys.stderr, flush=True)
    counts = {one["triples"] for figures in found.values() for one in figures}
    if len(counts) != 1:
        sys.exit(f"the parts do not hold the same triples: {sorted(counts)}")
    return found


def best(figures: Sequence[Figures], name: str) -> float:
    """The smallest of a figure."""
    return min(float(one[name]) for one in figures)


def median(figures: Sequence[Figures], name: str) -> float:
    """The middle of a figure."""
    return float(sorted(one[name] for one in figures)[len(figures) // 2])


def show(found: dict[str, list[Figures]]) -> None:
    """The tables."""
    base, triples = found["raw"], found["raw"][0]["triples"]
    rows = []
    for part, figures in found.items():
        seconds, cpu = best(figures, "seconds"), best(figures, "cpu")
        rows.append(
            (
                _SHOWN[part],
                seconds,
                median(figures, "seconds"),
                triples / seconds,
                seconds / best(base, "seconds"),
                cpu,
                cpu / best(base, "cpu"),
                best(figures, "peak"),
                best(figures, "size"),
            )
        )
    head = "|s, best|s, median|triples/s|ratio to raw|CPU s|CPU ratio|peak MB|disk MB"
    print(f"{triples:,} triples, {found['import'][0]['names']:,} names\n")
    print(table(head.split("|"), rows))
    show_index(found)


def show_index(found: dict[str, list[Figures]]) -> None:
    """What the index adds: in the stream, when it is finished, and with joining and noting."""
    fastest = min(found["import"], key=lambda one: float(one["seconds"]))
    stages = (fastest["indexing"], fastest["joining"], fastest["seconds"])
    load_seconds = best(found["load"], "seconds")
    added = fastest["seconds"] - load_seconds
    cpu = best(found["import"], "cpu") - best(found["load"], "cpu")
    print(
        f"\nThe index adds {added:.1f} s, {added / best(found['raw'], 'seconds'):.2f} of raw "
        f"(CPU {cpu:.1f} s, {cpu / best(found['raw'], 'cpu'):.2f} of raw): in the stream "
        f"{stages[0] - load_seconds:.1f} s, at its finish {stages[1] - stages[0]:.1f} s, "
        f"joining and noting files {stages[2] - stages[1]:.1f} s."
    )


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("kind", choices=IMPORTERS)
    parser.add_argument("paths", type=Path, nargs="*")
    parser.add_argument(
        "--scratch", type=Path, default=Path(tempfile.gettempdir()) / "graphcite-bench-import"
    )
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--keep", action="store_true", help="leave SCRATCH, a graph, and SCRATCH.nt"
    )
    parser.add_argument("--part", choices=("write", *PARTS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.scratch.parent.mkdir(parents=True, exist_ok=True)
    if given.part:
        report(run(given.part, given.kind, given.paths, given.scratch))
        return 0
    show(measured(given))
    if not given.keep:
        shutil.rmtree(given.scratch)
        given.scratch.with_suffix(".nt").unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
