"""Time to open a graph, and what the process holds then and after questions.

    python bench/graphs/memory.py HOME

Each row is a process of its own that opens the graph and does one more thing than the row above
alone does. "own" memory belongs to the process; "mapped" pages are the graph's files, which the
system takes back when it needs room. With --cold the files are read from disk first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from measure import Figures, evict, memory, report, run_part, table, timed
from texts import drawn, misspelled, names_of, texts

from kg.deadline import Deadline
from kg.local.generations import current_generation
from kg.local.graph import LocalGraph
from kg.local.snapshot import Snapshot

COUNT, MOST = 1_000, 1_000
# Gives back what has to stay open while memory is looked at.
Work = Callable[[LocalGraph, Path], object]


def nothing(graph: LocalGraph, folder: Path) -> object:
    """Opened only."""
    return None


def look_up(graph: LocalGraph, folder: Path) -> object:
    """One-hop neighbours."""
    snapshot = Snapshot(current_generation(folder), None)
    for iri in drawn(folder, COUNT):
        for _ in snapshot.edges(iri, MOST):
            pass
    return snapshot


def describe(graph: LocalGraph, folder: Path) -> object:
    """Facts with names."""
    for iri in drawn(folder, COUNT):
        graph.triples(iri, "en", Deadline.after(60))
    return None


def mentions(language: str) -> Work:
    """Names in texts, misspelled ones too, which need the word lists."""

    def work(graph: LocalGraph, folder: Path) -> object:
        names = names_of(folder, language, 200)
        for text in texts(names, language, 20) if names else ():
            graph.mentions(text, Deadline.after(60))
        for name in names[:20]:
            graph.mentions(misspelled(name) or name, Deadline.after(60))
        return None

    return work


WORK: dict[str, tuple[str, Work]] = {
    "opened": ("opened", nothing),
    "edges": (f"{COUNT:,} look-ups of neighbours", look_up),
    "facts": (f"{COUNT:,} look-ups of facts with names", describe),
    "english": ("mentions in 20 English texts, 20 misspelled names", mentions("en")),
    "chinese": ("mentions in 20 Chinese texts, 20 misspelled names", mentions("zh")),
}


def measured(part: str, folder: Path) -> Figures:
    """Open, work, look."""
    figures: Figures = {"before": memory()["all"]}
    with timed(figures):
        graph = LocalGraph(folder)
    with timed(figures, "work_"):
        kept = WORK[part][1](graph, folder)
    figures |= memory()
    del kept
    return figures


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("--cold", action="store_true", help="drop the files from the page cache")
    parser.add_argument("--part", choices=WORK, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        report(measured(given.part, given.home))
        return 0
    rows = []
    for part, (shown, _) in WORK.items():
        if given.cold:
            evict(current_generation(given.home))
        one = run_part(__file__, given.home, "--part", part)
        sizes = [one[name] for name in ("before", "all", "own", "files", "peak")]
        rows.append((shown, one["seconds"] * 1000, *sizes))
    head = "|open ms|imported MB|resident MB|own MB|mapped MB|peak MB"
    print(table(head.split("|"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
