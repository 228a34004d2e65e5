"""How long ranking one entity's triples takes: by shared words, by an encoder cold and warm.

    PYTHONPATH=.:bench/graphs python bench/ranking/triples.py GRAPH en [--encoder all-MiniLM-L6-v2]

GRAPH is the folder of one mode's graph. `--count` entities with at least `--least` facts are drawn,
or with `--hubs` those with most facts are taken, and each is asked about with its facts read
beforehand. Cold: none of its vectors is cached; warm: all are, but for the question's own, which
is new each time. Each encoder gets a cache of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from measure import percentiles, table
from texts import drawn, hubs

from kg.aspects import aspects_of_question
from kg.deadline import Deadline
from kg.local.graph import LocalGraph
from kg.model import Triple
from kg.protocols import Encoder
from kg.ranking.encoders import load_encoder
from kg.ranking.order import Question, Ranker, rank_triples
from kg.ranking.vector_cache import CachedEncoder

ASKED = {
    "en": ("How is {} treated?", "What are the symptoms of {}?", "What can {} lead to?"),
    "zh": ("{}怎么治疗？", "{}有什么症状？", "{}会引起什么？"),
}
AGAIN = {"en": "Please tell me: {}", "zh": "请问，{}"}  # the same question in new words
HEAD = ["entities", "facts each", "ranking", "first ms", "p50 ms", "p95 ms"]


@dataclass(frozen=True, slots=True)
class Case:
    """A question about an entity, and the entity's facts."""

    question: Question
    triples: tuple[Triple, ...]


def cases(folder: Path, language: str, iris: Sequence[str], least: int) -> Iterator[Case]:
    """Questions about those of the entities that have enough facts."""
    graph, far = LocalGraph(folder), Deadline.after(3600)
    for number, iri in enumerate(iris):
        triples = graph.triples(iri, language, far).triples
        if len(triples) >= least:
            name = graph.describe([iri], language, far)[iri].label
            text = ASKED[language][number % len(ASKED[language])].format(name)
            yield Case(Question(text, aspects_of_question(text), iri), triples)


def seconds(asked: Sequence[Case], ranker: Ranker) -> list[float]:
    """What ranking takes, case by case."""
    taken = []
    for case in asked:
        began = time.perf_counter()
        rank_triples(case.question, case.triples, ranker)
        taken.append(time.perf_counter() - began)
    return taken


def measured(asked: Sequence[Case], encoder: Encoder | None, language: str) -> list[list[object]]:
    """A row per way of ranking."""
    ranker = Ranker(deadline=Deadline.after(3600), encoder=encoder)
    name = encoder.name if encoder else "shared words"
    again = [
        replace(
            case,
            question=replace(case.question, text=AGAIN[language].format(case.question.text)),
        )
        for case in asked
    ]
    runs = [(f"{name}, cold" if encoder else name, asked, ranker)]
    if encoder:
        runs.append((f"{name}, warm", again, ranker))
    runs.append((f"{name}, mmr", asked, replace(ranker, mode="mmr")))
    rows: list[list[object]] = []
    facts = sum(len(case.triples) for case in asked) / len(asked)
    for what, part, how in runs:
        taken = seconds(part, how)
        cuts = percentiles(taken)
        rows.append([len(part), facts, what, taken[0] * 1000, cuts["p50"], cuts["p95"]])
    return rows


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("language", choices=sorted(ASKED))
    parser.add_argument("--encoder", action="append", default=[])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--least", type=int, default=20)
    parser.add_argument("--hubs", action="store_true")
    given = parser.parse_args()
    iris = hubs(given.graph, given.count) if given.hubs else drawn(given.graph, 20 * given.count)
    asked = list(cases(given.graph, given.language, iris, given.least))[: given.count]
    rows = measured(asked, None, given.language)
    for name in given.encoder:
        began = time.perf_counter()
        encoder = load_encoder(name, frozenset({given.language}))
        print(f"{name} loaded in {time.perf_counter() - began:.2f} s", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            cached = CachedEncoder(encoder, Path(folder) / "vectors.sqlite")
            rows += measured(asked, cached, given.language)
            cached.close()
    print(table(HEAD, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
