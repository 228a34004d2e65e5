"""Whether the evidence for a question holds its answer: recall at 10 on QALD's training questions.

    python bench/retrieval/qald.py kg-rank kg-rank:ranking=mmr kg-rank@lexical hykge graph-rag auto
    python bench/retrieval/qald.py auto --show ranked-low

A strategy may be followed by settings (":ranking=mmr,k=2") and by "@lexical", which ranks by shared
words instead of MiniLM. Recall at 10: of a question's gold answers, how many are an end of a hop in
its first ten evidence items; of more than ten answers, ten suffice; what the question itself names
is no answer to it. Hit: any. Both are averaged over the questions. `--home` keeps the graph, which
takes half a minute to make, and the vectors.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measures import recall, shown, table
from qald_data import Asked, answer_key, build_graph, read_questions

from kg.deadline import Deadline
from kg.local.graph import LocalGraph
from kg.model import Entity, Evidence, Retrieval
from kg.protocols import Encoder
from kg.ranking.encoders import DEFAULT_ENCODER, load_encoder
from kg.ranking.vector_cache import CachedEncoder
from kg.strategies.parameters import Parameters
from kg.strategies.request import Means, Request
from kg.strategies.retrieving import retrieve

FIRST = 10
SECONDS = 60.0
# Where the way to the answers ended, in the order in which it is looked at.
STAGES = {
    "found": "an answer among the first ten",
    "ranked-low": "an answer touches a linked entity, but ranks lower",
    "nothing-linked": "nothing linked",
    "linked-other": "linked, but nothing that the gold query names",
    "not-at-hand": "the right entity linked, no answer touches it",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question as one strategy served it."""

    asked: Asked
    retrieval: Retrieval
    recall: float
    stage: str
    seconds: float


class Bench:
    """The graph, the encoder, and what touches which entity."""

    def __init__(self, folder: Path) -> None:
        self.graph = LocalGraph(folder, name="dbpedia")
        loaded = load_encoder(DEFAULT_ENCODER, frozenset({"en"}), offline=True)
        self.encoder: Encoder = CachedEncoder(loaded, folder.parent / "vectors.sqlite")
        self._around: dict[str, frozenset[str]] = {}

    def run(self, strategy: str, questions: Sequence[Asked]) -> list[Outcome]:
        """Every question by one strategy."""
        name, _, way = strategy.partition("@")
        name, _, settings = name.partition(":")
        given = dict(pair.split("=", 1) for pair in settings.split(",") if pair)
        parameters = Parameters.read(given)
        means = Means(self.graph, None if way == "lexical" else self.encoder)
        outcomes = []
        for asked in questions:
            began = time.perf_counter()
            request = Request(asked.text, "en", Deadline.after(SECONDS), parameters)
            found = retrieve(name, request, means)
            taken = time.perf_counter() - began
            linked = {entity.iri for entity in found.entities}
            gold = asked.answers - linked or asked.answers
            share = recall(ends_of(found.evidence[:FIRST]) - linked, gold, FIRST)
            outcomes.append(Outcome(asked, found, share, self.stage(asked, found, share), taken))
        return outcomes

    def stage(self, asked: Asked, found: Retrieval, share: float) -> str:
        """Where the way to the answers ended."""
        linked = {entity.iri for entity in found.entities}
        if share:
            return "found"
        if any(asked.answers & self.around(iri) for iri in linked):
            return "ranked-low"
        if not linked:
            return "nothing-linked"
        return "linked-other" if asked.names and not asked.names & linked else "not-at-hand"

    def around(self, iri: str) -> frozenset[str]:
        """The ends of an entity's facts."""
        if iri not in self._around:
            triples = self.graph.triples(iri, "en", Deadline.after(SECONDS)).triples
            ends = {key_of(end) for t in triples for end in (t.subject, t.object)}
            self._around[iri] = frozenset(ends - {iri})
        return self._around[iri]


def key_of(end: Entity) -> str:
    """An end of a fact as the gold writes it."""
    return answer_key(end.iri or end.label, end.iri is not None)


def ends_of(evidence: Sequence[Evidence]) -> set[str]:
    """All ends of all hops."""
    return {
        key_of(end)
        for item in evidence
        for hop in item.hops
        for end in (hop.triple.subject, hop.triple.object)
    }


def show(results: dict[str, list[Outcome]], bench: Bench, total: int) -> None:
    """The tables."""
    questions = [one.asked for one in next(iter(results.values()))]
    print(f"{len(questions)} of {total} questions (the rest: counts, yes or no, no answer held)\n")
    rows = []
    for strategy, outcomes in results.items():
        hits = [float(one.stage == "found") for one in outcomes]
        seconds = sorted(one.seconds for one in outcomes)
        cut = sum(not one.retrieval.complete for one in outcomes)
        middle = f"{seconds[len(seconds) // 2] * 1000:.0f}"
        rows.append([strategy, shown([o.recall for o in outcomes]), shown(hits), middle, cut])
    reach = [
        recall(frozenset().union(*map(bench.around, sorted(one.names))), one.answers, FIRST)
        for one in questions
    ]
    hit = [float(one > 0) for one in reach]
    rows.append(["all that touches what the gold query names", shown(reach), shown(hit), "", ""])
    print(table(["", "recall at 10", "hit at 10", "p50 ms", "cut off"], rows))
    print()
    counts = {name: Counter(one.stage for one in found) for name, found in results.items()}
    stages = [[text, *(c[stage] for c in counts.values())] for stage, text in STAGES.items()]
    print(table(["", *counts], stages))


def show_questions(outcomes: Sequence[Outcome], stage: str) -> None:
    """The questions that ended there, with what was linked and what came first."""
    print(f"\n## {STAGES[stage]}")
    for one in outcomes:
        if one.stage != stage:
            continue
        linked = "; ".join(f"{e.mention} → {e.iri.split('/')[-1]}" for e in one.retrieval.entities)
        print(f"\n{one.asked.text}\n  linked: {linked or 'nothing'}")
        print(f"  named:  {'; '.join(sorted(n.split('/')[-1] for n in one.asked.names))}")
        print(f"  gold:   {'; '.join(sorted(a.split('/')[-1] for a in one.asked.answers)[:4])}")
        for item in one.retrieval.evidence[:3]:
            print(f"  {item.rank}. {item.text[:110]}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("strategies", nargs="+", help="NAME[:SETTING=VALUE,…][@lexical]")
    parser.add_argument("--home", type=Path, help="keep the graph in this folder, or use it again")
    parser.add_argument("--questions", type=int, help="only so many, spread evenly")
    parser.add_argument("--show", nargs="*", choices=STAGES, default=())
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = (given.home or Path(name)) / "graph"
        build_graph(folder, Path(name) / "unpacked")
        questions, total = read_questions()
        step = max(1, len(questions) // given.questions) if given.questions else 1
        bench = Bench(folder)
        results = {name: bench.run(name, questions[::step]) for name in given.strategies}
        show(results, bench, total)
        for stage in given.show:
            show_questions(results[given.strategies[0]], stage)
        bench.graph.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
