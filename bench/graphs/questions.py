"""How long the graph's own questions take: mentions in a text, entities of a name, beginnings.

    python bench/graphs/questions.py HOME

English texts have 300 words, Chinese ones 500 characters (about 300 words), made of the graph's
names and of words between them. The first text is timed apart: with it come the word lists, for
Chinese jieba's dictionary and OpenCC's tables too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from measure import Figures, memory, percentiles, report, run_part, table
from texts import misspelled, names_of, texts

from kg.deadline import Deadline
from kg.local.graph import LocalGraph

LANGUAGES = ("en", "zh")
TEXTS, NAMES = 50, 500
BEGINNINGS = (3, 6)  # characters

Question = tuple[str, Callable[[str], object], Sequence[str]]


def within() -> Deadline:
    """Far off: nothing is cut."""
    return Deadline.after(60)


def questions(graph: LocalGraph, folder: Path, language: str) -> list[Question]:
    """What is asked, by whom it is answered, and with which texts; mentions come first."""
    names = names_of(folder, language, NAMES)
    if not names:
        return []

    def candidates(name: str) -> object:
        return graph.candidates(name, language, within())

    wrong = [other for name in names if (other := misspelled(name))]
    asked: list[Question] = [
        (
            "mentions",
            lambda text: graph.mentions(text, within()),
            list(texts(names, language, TEXTS)),
        ),
        ("candidates, exact", candidates, names),
        ("candidates, misspelled", candidates, wrong),
    ]
    for length in BEGINNINGS:
        beginnings = sorted({name[:length] for name in names})
        asked.append(
            (
                f"search, {length} typed",
                lambda text: graph.search(text, language, within()),
                beginnings,
            )
        )
    return [question for question in asked if question[2]]


def measured(folder: Path, language: str) -> Figures:
    """Times of all questions in one language, in this process."""
    graph = LocalGraph(folder)
    rows = []
    for what, ask, asked in questions(graph, folder, language):
        seconds, found = [], 0
        for text in asked:
            began = time.perf_counter()
            answer = ask(text)
            seconds.append(time.perf_counter() - began)
            found += len(answer)  # type: ignore[arg-type]
        first, rest = seconds[0], percentiles(seconds[1:])
        rows.append([what, len(asked), found / len(asked), first * 1000, *rest.values()])
    return {"rows": rows, "memory": memory()}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("--part", choices=LANGUAGES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        report(measured(given.home, given.part))
        return 0
    rows: list[list[object]] = []
    for language in LANGUAGES:
        figures = run_part(__file__, given.home, "--part", language)
        rows += [[language, *row] for row in figures["rows"]]
    print(table("|question|asked|found each|first ms|p50 ms|p95 ms|p99 ms".split("|"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
