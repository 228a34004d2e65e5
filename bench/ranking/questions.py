"""How long a question takes from its text to its ranked evidence, without any language model.

    PYTHONPATH=.:bench/graphs python bench/ranking/questions.py GRAPH en [--encoder NAME]
        [--strategy kg-rank] [--set ranking=mmr] [--questions FILE]

GRAPH is the folder of one mode's graph. FILE has one question a line; without it, questions name
one entity that is drawn from the graph, or, for every second, two that are two facts apart. Cold:
no vector is cached; warm: all are, but for the question's own, which is asked in new words. The
first question, which waits for word lists and files, is shown apart.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from measure import percentiles, table
from texts import drawn

from kg.deadline import Deadline
from kg.local.graph import LocalGraph
from kg.protocols import Encoder
from kg.ranking.encoders import load_encoder
from kg.ranking.vector_cache import CachedEncoder
from kg.strategies.parameters import Parameters
from kg.strategies.request import Means, Request
from kg.strategies.retrieving import retrieve

FAR = 3600.0
SECONDS = 20.0  # the budget of a turn
ONE = {"en": "How is {} treated?", "zh": "{}怎么治疗？"}
TWO = {"en": "How is {} related to {}?", "zh": "{}和{}有什么关系？"}
AGAIN = {"en": "Please tell me: {}", "zh": "请问，{}"}
HEAD = ["strategy", "ranking", "questions", "evidence each", "first ms", "p50 ms", "p95 ms"]


def questions(graph: LocalGraph, folder: Path, language: str, count: int) -> list[str]:
    """Questions on the graph's own entities."""
    random = np.random.default_rng(3)
    found: list[str] = []
    for iri in drawn(folder, 20 * count):
        ends = [iri]
        while len(ends) < 3:
            triples = graph.triples(ends[-1], language, Deadline.after(FAR)).triples
            near = [e.iri for t in triples for e in (t.subject, t.object) if e.iri]
            near = [other for other in dict.fromkeys(near) if other not in ends]
            if not near:
                break
            ends.append(near[int(random.integers(len(near)))])
        if len(ends) == 3:
            known = graph.describe([ends[0], ends[2]], language, Deadline.after(FAR))
            if len(known) == 2:
                labels = [known[one].label for one in (ends[0], ends[2])]
                two = len(found) % 2
                found.append(
                    TWO[language].format(*labels) if two else ONE[language].format(*labels)
                )
        if len(found) == count:
            break
    return found


def measured(
    asked: Sequence[str], strategy: str, parameters: Parameters, means: Means, language: str
) -> list[object]:
    """Evidence per question, then first, p50 and p95 in milliseconds."""
    taken, kept = [], 0
    for text in asked:
        began = time.perf_counter()
        request = Request(text, language, Deadline.after(SECONDS), parameters)
        kept += len(retrieve(strategy, request, means).evidence)
        taken.append(time.perf_counter() - began)
    cuts = percentiles(taken[1:])
    return [len(asked), kept / len(asked), taken[0] * 1000, cuts["p50"], cuts["p95"]]


def rows_of(
    given: argparse.Namespace, encoder: Encoder | None, asked: Sequence[str]
) -> list[list[object]]:
    """A row per strategy, cold and warm where there is an encoder."""
    parameters = Parameters.read(dict(pair.split("=", 1) for pair in given.set))
    means = Means(LocalGraph(given.graph), encoder)
    again = [AGAIN[given.language].format(text) for text in asked]
    rows: list[list[object]] = []
    for strategy in given.strategy or ["kg-rank", "hykge"]:
        name = encoder.name if encoder else "shared words"
        runs = [(f"{name}, cold", asked), (f"{name}, warm", again)] if encoder else [(name, asked)]
        for what, part in runs:
            figures = measured(part, strategy, parameters, means, given.language)
            rows.append([strategy, what, *figures])
    return rows


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("language", choices=sorted(ONE))
    parser.add_argument("--encoder")
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--count", type=int, default=50)
    given = parser.parse_args()
    if given.questions:
        asked = given.questions.read_text(encoding="utf-8").splitlines()
    else:
        asked = questions(LocalGraph(given.graph), given.graph, given.language, given.count)
    if not given.encoder:
        print(table(HEAD, rows_of(given, None, asked)))
        return 0
    encoder = load_encoder(given.encoder, frozenset({given.language}))
    with tempfile.TemporaryDirectory() as folder:
        cached = CachedEncoder(encoder, Path(folder) / "vectors.sqlite")
        print(table(HEAD, rows_of(given, cached, asked)))
        cached.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
