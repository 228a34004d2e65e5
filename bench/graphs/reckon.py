"""Reckons what UMLS would cost, from graphs of its proportions that are imported here.

    python bench/graphs/reckon.py --parts 100 40 10

UMLS is taken as 3.8 million concepts, 17 million names and 78 million relations. Each part n is a
generated graph with an n-th of each. What is printed for UMLS lies on the straight line through
the two largest graphs: what does not grow (a process, an empty store) counts once. Sorting and
caches that get too small cost more at full size, so the true seconds are rather above than below.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from generate import Size, write_graph
from measure import Figures, memory, report, run_part, table, timed

from kg.local.generations import current_generation
from kg.local.graph import LocalGraph
from kg.sources.importing import import_source

CONCEPTS, NAMES, RELATIONS = 3_800_000, 17_000_000, 78_000_000
# Which files of a segment hold what, by the beginnings of their names.
_FILES = {
    "edges": ("out.", "in."),
    "nodes": ("nodes.", "curies."),
    "names": ("names.", "prefixes.", "acronyms.", "similar.", "words-"),
    "cards": ("cards.",),
}
_PER = {"edges": "facts", "nodes": "entities", "names": "names", "cards": "names"}


def size_of_part(part: int) -> Size:
    """An n-th of UMLS."""
    return Size(CONCEPTS // part, NAMES // part, RELATIONS // part)


def silent(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""


def disk(generation: Path) -> dict[str, float]:
    """MB of the store, of each kind of index, and of what is left of the index."""
    found = dict.fromkeys(("store", *_FILES, "other"), 0.0)
    for path in generation.rglob("*"):
        if path.is_file():
            kinds = [kind for kind, starts in _FILES.items() if path.name.startswith(starts)]
            kind = "store" if "store" in path.parts else (kinds or ["other"])[0]
            found[kind] += path.stat().st_size / 1e6
    return found


def imported(triples: Path, folder: Path) -> Figures:
    """One part imported in this process."""
    figures: Figures = {}
    with timed(figures):
        done = import_source(folder, "rdf", [triples], progress=silent)
    return figures | {"peak": memory()["peak"], "triples": done.triples}


def opened(folder: Path) -> Figures:
    """Milliseconds to open, and MB that the process owns then."""
    before = memory()["own"]
    began = time.perf_counter()
    graph = LocalGraph(folder)
    figures = {"open": (time.perf_counter() - began) * 1000, "own": memory()["own"] - before}
    graph.close()
    return figures


def measured(part: int, scratch: Path) -> Figures:
    """Generate, import, open; nothing is left behind."""
    triples, folder, size = scratch / f"part{part}.nt", scratch / f"part{part}", size_of_part(part)
    shutil.rmtree(folder, ignore_errors=True)
    write_graph(triples, size)
    figures = run_part(__file__, "--part", "import", "--triples", triples, "--home", folder)
    figures |= run_part(__file__, "--part", "open", "--home", folder)
    figures |= disk(current_generation(folder))
    shutil.rmtree(folder)
    triples.unlink()
    return figures


def extended(small: tuple[int, float], large: tuple[int, float]) -> float:
    """The whole's figure on the line through the figures of two parts."""
    (few, low), (many, high) = small, large
    return high + (high - low) * (1 - 1 / many) / (1 / many - 1 / few)


def show(parts: Sequence[int], found: Mapping[int, Figures]) -> None:
    """Measured and reckoned figures, then the arithmetic of the disk."""
    names = {
        "triples": "triples", "seconds": "import, s", "cpu": "import, CPU s",
        "peak": "import, peak MB", "open": "open, ms", "own": "own memory when open, MB",
        "store": "store, MB", "edges": "index: edges, MB", "nodes": "index: nodes, MB",
        "names": "index: names, MB", "cards": "index: cards, MB", "other": "index: rest, MB",
    }  # fmt: skip
    *_, smaller, largest = sorted(parts, reverse=True)
    rows = [
        (
            shown,
            *(found[part][name] for part in parts),
            extended((smaller, found[smaller][name]), (largest, found[largest][name])),
        )
        for name, shown in names.items()
    ]
    head = ["", *(f"1/{part}" for part in parts), "UMLS, reckoned"]
    print(table(head, rows))
    one, size = found[largest], size_of_part(largest)
    print(
        f"\nOf the 1/{largest}: {one['store'] * 1e6 / one['triples']:.0f} bytes of store a triple"
    )
    for kind, per in _PER.items():
        count = getattr(size, per)
        whole = {"facts": RELATIONS, "entities": CONCEPTS, "names": NAMES}[per]
        each = one[kind] * 1e6 / count
        print(
            f"index, {kind}: {one[kind]:,.0f} MB / {count:,} {per} = {each:.1f} bytes each; "
            f"× {whole:,} = {each * whole / 1e9:.2f} GB"
        )


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--parts", type=int, nargs="+", default=[100, 40, 10])
    parser.add_argument(
        "--scratch", type=Path, default=Path(tempfile.gettempdir()) / "graphcite-bench-reckon"
    )
    parser.add_argument("--part", choices=("import", "open"), help=argparse.SUPPRESS)
    parser.add_argument("--triples", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        report(
            imported(given.triples, given.home) if given.part == "import" else opened(given.home)
        )
        return 0
    given.scratch.mkdir(parents=True, exist_ok=True)
    found = {part: measured(part, given.scratch) for part in given.parts}
    show(given.parts, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
