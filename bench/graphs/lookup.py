"""One-hop look-ups beside peers, of entities drawn uniformly.

    python bench/graphs/lookup.py HOME
    python bench/graphs/lookup.py HOME --triples graph.nt --peers rdflib virtuoso

HOME is a graph folder. Of the peers, "sparql" and "patterns" read its own Oxigraph store, "rdflib"
and "virtuoso" load the N-Triples file. All read at most 1,000 facts each way, and how many entities
have more is shown (--hubs asks for those with most facts instead). What a peer finds for the others
is compared with what we find, names and types apart. "facts" is our full answer: labels, sources,
references, as the page shows them, up to its own limit of 5,000 facts.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from measure import Figures, memory, percentiles, report, run_part, table
from peers import MOST, PEERS, Fact, Neighbours
from texts import drawn, hubs

from kg.deadline import Deadline
from kg.local.generations import current_generation
from kg.local.graph import LocalGraph
from kg.local.snapshot import Snapshot
from kg.sources.vocabulary import is_evidence

_SHOWN = {
    "ours": "Graphcite, `Snapshot.edges`",
    "facts": "Graphcite, `LocalGraph.triples`",
    "patterns": "Oxigraph, `quads_for_pattern`",
    "sparql": "Oxigraph, SPARQL in process",
    "rdflib": "rdflib in memory",
    "virtuoso": "Virtuoso 7, SPARQL over HTTP",
}


def ours(folder: Path, triples: Path | None) -> Neighbours:
    """Relation, neighbour, source and direction from the memory-mapped arrays."""
    snapshot = Snapshot(current_generation(folder), None)
    return lambda iri: [(e.subject, e.relation, e.object) for e in snapshot.edges(iri, MOST)]


def facts(folder: Path, triples: Path | None) -> Neighbours:
    """Everything about an entity; the facts themselves are not compared."""
    graph = LocalGraph(folder)

    def found(iri: str) -> list[Fact]:
        graph.triples(iri, "en", Deadline.after(60))
        return []

    return found


ASKED: dict[str, Callable[[Path, Path | None], Neighbours]] = {"ours": ours, "facts": facts}
ASKED |= PEERS


def measure_one(who: str, folder: Path, triples: Path | None, asked: Sequence[str]) -> Figures:
    """One peer's times over all entities, after a tenth of them to warm up."""
    neighbours = ASKED[who](folder, triples)
    for iri in asked[: len(asked) // 10]:
        neighbours(iri)
    seconds, answers = [], []
    for iri in asked:
        began = time.perf_counter()
        found = neighbours(iri)
        seconds.append(time.perf_counter() - began)
        answers.append(found)
    return {**percentiles(seconds), "memory": memory()["all"], "answers": answers}


def is_cut(iri: str, answer: Sequence[Sequence[str]]) -> bool:
    """Whether one direction of an answer is as long as it may be."""
    out = sum(1 for fact in answer if fact[0] == iri)
    return max(out, len(answer) - out) >= MOST


def agreement(asked: Sequence[str], ours_found: Figures, theirs: Figures) -> str:
    """How many of the answers that were not cut are the same as ours."""
    same = compared = 0
    for iri, mine, other in zip(asked, ours_found["answers"], theirs["answers"], strict=True):
        if is_cut(iri, mine) or is_cut(iri, other):
            continue
        compared += 1
        found = {tuple(fact) for fact in other if is_evidence(fact[1])}
        same += found == {tuple(fact) for fact in mine}
    return f"{same:,} of {compared:,}"


def measured(given: argparse.Namespace, asked: Sequence[str]) -> dict[str, Figures]:
    """The figures of all who are asked, each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        entities = Path(folder) / "entities.json"
        entities.write_text(json.dumps(asked), encoding="utf-8")
        arguments: list[object] = [given.home, "--entities", entities]
        if given.triples:
            arguments += ["--triples", given.triples]
        everyone = ("ours", "facts", "patterns", "sparql", *given.peers)
        return {who: run_part(__file__, *arguments, "--part", who) for who in everyone}


def show(asked: Sequence[str], how: str, found: dict[str, Figures]) -> None:
    """The table."""
    mine = found["ours"]
    cut = sum(is_cut(iri, answer) for iri, answer in zip(asked, mine["answers"], strict=True))
    mean = sum(map(len, mine["answers"])) / len(asked)
    print(
        f"{len(asked):,} entities {how}, {mean:.1f} facts each on average, "
        f"{cut} cut at {MOST:,} each way\n"
    )
    rows = []
    for who, figures in found.items():
        times = [float(figures[name]) for name in ("p50", "p95", "p99")]
        ratios = [times[0] / mine["p50"], times[1] / mine["p95"]]
        same = "" if who == "facts" else agreement(asked, mine, figures)
        rows.append((_SHOWN[who], *times, *ratios, figures["memory"], same))
    head = "|p50 ms|p95 ms|p99 ms|p50 to ours|p95 to ours|process MB|same answers"
    print(table(head.split("|"), rows))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("--triples", type=Path, help="the same graph as N-Triples")
    parser.add_argument("--peers", nargs="*", default=[], choices=("rdflib", "virtuoso"))
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--hubs", action="store_true", help="ask for those with most facts")
    parser.add_argument("--part", choices=ASKED, help=argparse.SUPPRESS)
    parser.add_argument("--entities", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        asked = json.loads(given.entities.read_text(encoding="utf-8"))
        report(measure_one(given.part, given.home, given.triples, asked))
        return 0
    if given.peers and not given.triples:
        parser.error(f"{' and '.join(given.peers)} need --triples")
    asked = (hubs if given.hubs else drawn)(given.home, given.count)
    how = "with most facts" if given.hubs else "drawn uniformly"
    show(asked, how, measured(given, asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
