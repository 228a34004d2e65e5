"""Accuracy at 1 and recall at 5 of linking gold mentions, step by step.

    python bench/linking/measure.py HOME [--part dev] [--errors 40]

HOME holds the graph of README.md. The gold mention is given, its abstract is the context; a linked
entity is right when one of the ids of its concept is the gold MeSH id.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.linking.corpus import Gold, gold_mentions
from kg.deadline import Deadline
from kg.linking import LinkOptions, link
from kg.local import LocalGraph
from kg.local.vectors import StoredVectors, open_vectors
from kg.model import Candidate, Mention
from kg.protocols import KnowledgeGraph, NameVectors
from kg.ranking.encoders import load_encoder
from kg.ranking.thresholds import delta_of
from kg.reading import Reading
from kg.sources.curies import curie_of

AT = 5
BATCH = 128  # names that are compared with all vectors at once


@dataclass(frozen=True, slots=True)
class Step:
    """A way of linking: which matches count, with the abstract as context or without."""

    name: str
    hows: frozenset[str]
    context: bool = True
    meaning: bool = False
    wordings: bool = True


EXACT, FOLDED = frozenset({"exact"}), frozenset({"exact", "folded"})
INITIALS = FOLDED | {"abbreviation"}
FUZZY = INITIALS | {"fuzzy"}
STEPS = (
    Step("exact", EXACT, context=False, wordings=False),
    Step("+ folded", FOLDED, context=False, wordings=False),
    Step("+ other wordings", FOLDED, context=False),
    Step("+ abbreviations", INITIALS),
    Step("+ fuzzy", FUZZY),
    Step("+ embedding", FUZZY, meaning=True),
)


class Filtered(Reading):
    """A reading that knows only some kinds of matches."""

    def __init__(self, graph: KnowledgeGraph, hows: frozenset[str]) -> None:
        super().__init__(graph, "en", Deadline.after(86_400))
        self._hows = hows

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        return tuple(c for c in super().candidates(name) if c.how in self._hows)


class Remembered:
    """Stored vectors that look a name up once, many together where they are known beforehand."""

    def __init__(self, vectors: StoredVectors, names: Sequence[str]) -> None:
        self.delta = vectors.delta
        self._vectors = vectors
        self._known: dict[str, tuple[Candidate, ...]] = {}
        wanted = sorted(set(names))
        for first in range(0, len(wanted), BATCH):
            self._look_up(wanted[first : first + BATCH])

    def nearest(
        self, names: Sequence[str], language: str, most: int, deadline: Deadline
    ) -> list[tuple[Candidate, ...]]:
        self._look_up([name for name in names if name not in self._known])
        return [self._known[name] for name in names]

    def _look_up(self, names: Sequence[str]) -> None:
        found = self._vectors.nearest(names, "en", AT, Deadline.after(86_400))
        self._known |= dict(zip(names, found, strict=True))


class Linker:
    """One step over one graph: what each gold mention is taken for."""

    def __init__(self, graph: LocalGraph, step: Step, vectors: NameVectors | None) -> None:
        self._graph, self._step = graph, step
        self._reading = Filtered(graph, step.hows)
        self._options = LinkOptions(vectors=vectors if step.meaning else None)
        self._known: dict[tuple[str, str], tuple[str, tuple[str, ...]] | None] = {}
        self._ids: dict[str, frozenset[str]] = {}

    def link(self, gold: Gold) -> tuple[str, tuple[str, ...]] | None:
        """How it was linked, and the entities, the chosen one first; None when to none."""
        key = (gold.text if self._step.context else "", gold.mention.text)
        if key not in self._known:
            self._known[key] = self._linked(*key, gold.mention)
        return self._known[key]

    def _linked(self, text: str, _: str, mention: Mention) -> tuple[str, tuple[str, ...]] | None:
        found = link(text, [mention], (), self._reading, self._options)
        if not found:
            return None
        (entity,) = found
        others = (c.iri for c in entity.candidates if c.iri != entity.iri)
        return entity.how, (entity.iri, *others)

    def ids(self, iri: str) -> frozenset[str]:
        """The CURIEs of all ids of a concept."""
        if iri not in self._ids:
            members = self._graph.ids([iri])[iri]
            self._ids[iri] = frozenset(curie for one in members if (curie := curie_of(one)))
        return self._ids[iri]


def no_wordings() -> AbstractContextManager[object]:
    """Names count as they are spelled alone, as before kg.local.variants."""
    return patch("kg.local.names.reworded_rows", return_value={})


def judged(linker: Linker, golds: Sequence[Gold]) -> Iterator[tuple[Gold, str | None, int | None]]:
    """Per mention how it was linked, and at which place (from 0) the right entity stands."""
    for gold in golds:
        found = linker.link(gold)
        if found is None:
            yield gold, None, None
            continue
        how, iris = found
        places = (i for i, iri in enumerate(iris[:AT]) if linker.ids(iri) & gold.ids)
        yield gold, how, next(places, None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("--part", default="dev", choices=("train", "dev"))
    parser.add_argument("--errors", type=int, default=0, help="list so many frequent errors")
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    options = parser.parse_args()
    folder = options.home / "graphs" / "medical"
    graph = LocalGraph(folder)
    every = gold_mentions(options.part)
    golds = [gold for gold in every if gold.ids]
    vectors = None
    if options.encoder != "none":
        encoder = load_encoder(options.encoder, frozenset({"en"}), offline=True)
        vectors = open_vectors(folder, encoder, delta_of(encoder.name))
    print(f"{options.part}: {len(every)} mentions, {len(golds)} with an id")
    describe(graph, golds)
    print(f"{'':20}{'disease @1':>12}{'@5':>8}{'chemical @1':>14}{'@5':>8}{'wrong links':>14}")
    unlinked: list[str] = []
    for step in STEPS:
        if step.meaning and vectors is None:
            continue
        remembered = Remembered(vectors, unlinked) if step.meaning and vectors else None
        with no_wordings() if not step.wordings else nullcontext():
            results = list(judged(Linker(graph, step, remembered), golds))
        report(step, results, options.errors)
        unlinked = [gold.mention.text for gold, how, _ in results if how is None]
    graph.close()


def describe(graph: LocalGraph, golds: Sequence[Gold]) -> None:
    """How many gold ids the graph has a name for: the ceiling."""
    wanted = sorted({one for gold in golds for one in gold.ids})
    iris = {one: f"http://id.nlm.nih.gov/mesh/{one.removeprefix('MESH:')}" for one in wanted}
    known = graph.describe(list(iris.values()), "en", Deadline.after(600))
    for kind in ("Disease", "Chemical"):
        of_kind = [gold for gold in golds if gold.kind == kind]
        there = sum(any(iris[one] in known for one in gold.ids) for gold in of_kind)
        composite = sum(len(gold.ids) > 1 for gold in of_kind)
        print(
            f"{kind}: {len(of_kind)} mentions, {composite} composite, the graph knows the id of "
            f"{there} ({there / len(of_kind):.3f})"
        )


def report(step: Step, results: Sequence[tuple[Gold, str | None, int | None]], most: int) -> None:
    """One line of the table, and what went wrong most often."""
    cells = []
    for kind in ("Disease", "Chemical"):
        places = [place for gold, _, place in results if gold.kind == kind]
        cells.append(sum(place == 0 for place in places) / len(places))
        cells.append(sum(place is not None for place in places) / len(places))
    linked = [place for _, how, place in results if how is not None]
    wrong = sum(place != 0 for place in linked) / max(1, len(linked))
    print(
        f"{step.name:20}{cells[0]:12.3f}{cells[1]:8.3f}{cells[2]:14.3f}{cells[3]:8.3f}{wrong:14.3f}"
    )
    by_how: defaultdict[str, list[bool]] = defaultdict(list)
    for _, how, place in results:
        by_how[how or "none"].append(place == 0)
    if most:
        print({how: (len(of), round(sum(of) / len(of), 3)) for how, of in sorted(by_how.items())})
        missed = Counter(
            (how, gold.kind, gold.mention.text, "|".join(sorted(gold.ids)))
            for gold, how, place in results
            if place != 0
        )
        for (how, kind, text, ids), count in missed.most_common(most):
            print(f"    {count:4} {how or '-':12} {kind:9} {text!r} {ids}")


if __name__ == "__main__":
    main()
