"""The local store as a knowledge graph (kg.protocols.KnowledgeGraph): reading only.

A LocalGraph holds one snapshot and moves to a newer generation when told to look. Safe to use
from several threads: each question works on the snapshot that it began with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from kg.deadline import Deadline
from kg.local.facts import facts_of
from kg.local.fuzzy import fuzzy_matches, fuzzy_spans
from kg.local.generations import current_generation
from kg.local.integrity import reading
from kg.local.names import exact_matches, matching_windows, without_cut_words
from kg.local.query import run_query
from kg.local.snapshot import Snapshot
from kg.model import Candidate, Entity, GraphIdentity, Mention, TripleSet

__all__ = ["LocalGraph"]

MOST_CANDIDATES = 20
_HOW: dict[str, Literal["exact", "folded", "fuzzy"]] = {
    "exact": "exact",
    "folded": "folded",
    "fuzzy": "fuzzy",
}


class LocalGraph:
    """The sources of one graph folder, or some of them, as one graph."""

    def __init__(
        self, folder: Path, *, name: str = "medical", sources: Collection[str] | None = None
    ) -> None:
        self._folder, self._name, self._only = folder, name, sources
        self._open: Snapshot | None = Snapshot(current_generation(folder), sources)

    @property
    def _snapshot(self) -> Snapshot:
        if self._open is None:
            raise ValueError("the graph is closed")
        return self._open

    def close(self) -> None:
        """Let go of the files; memory maps end when the last question has ended."""
        self._open = None

    def reload_if_changed(self) -> bool:
        """Move to the generation in use when an import has made a new one; whether it did."""
        current = current_generation(self._folder)
        if current == self._snapshot.generation:
            return False
        self._open = Snapshot(current, self._only)
        return True

    def identity(self) -> GraphIdentity:
        """Name, version and sources."""
        snapshot = self._snapshot
        return GraphIdentity(self._name, snapshot.version, tuple(snapshot.sources.values()))

    def mentions(self, text: str, deadline: Deadline) -> tuple[Mention, ...]:
        """The graph's names in a text, misspelled ones only where no right one stands."""
        with self._reading() as snapshot:
            segments = list(snapshot.segments.values())
            found = matching_windows(text, segments)
            kept = without_cut_words(text, [window for window, _ in found])
            spans = {(window.start, window.end) for window in kept}
            spans |= set(fuzzy_spans(text, kept, segments, deadline))
        ordered = sorted(spans, key=lambda span: (span[0], -span[1]))
        return tuple(Mention(text[start:end], start, end) for start, end in ordered)

    def candidates(self, name: str, language: str, deadline: Deadline) -> tuple[Candidate, ...]:
        """Entities of this name, best first; misspellings only when nothing else has it."""
        with self._reading() as snapshot:
            return tuple(_candidates(snapshot, name, language, deadline))

    def describe(
        self, iris: Sequence[str], language: str, deadline: Deadline
    ) -> Mapping[str, Entity]:
        """Entities with their descriptions; IRIs that the graph does not hold are left out."""
        with self._reading() as snapshot:
            cards = snapshot.cards(iris)
            degrees = snapshot.degrees(list(dict.fromkeys(iris)))
            known = [iri for iri in degrees if iri in cards or degrees[iri]]
            entities = snapshot.entities(known, language)
            return {
                iri: entity
                if deadline.expired
                else replace(entity, description=snapshot.description(iri, language))
                for iri, entity in entities.items()
            }

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        """The facts that touch an entity, both ways, in a fixed order."""
        with self._reading() as snapshot:
            return facts_of(snapshot, iri, language, deadline)

    def query(self, sparql: str, deadline: Deadline) -> bytes:
        """Run read-only SPARQL over the sources: results JSON, or N-Triples for CONSTRUCT."""
        snapshot = self._snapshot
        return run_query(snapshot.generation / "store", snapshot.graphs, sparql, deadline)

    @contextmanager
    def _reading(self) -> Iterator[Snapshot]:
        """The snapshot that a question works on; what goes wrong with its files is told."""
        snapshot = self._snapshot
        with reading(snapshot.generation):
            yield snapshot


def _candidates(
    snapshot: Snapshot, name: str, language: str, deadline: Deadline
) -> Iterator[Candidate]:
    segments = list(snapshot.segments.values())
    matches = list(exact_matches(name, segments))
    if not matches:
        matches = list(fuzzy_matches(name, segments, deadline))
    best: dict[str, tuple[float, str]] = {}
    for iri, score, how in matches:
        if score > best.get(iri, (0.0, ""))[0]:
            best[iri] = (score, how)
    degrees = snapshot.degrees(list(best))
    ordered = sorted(best, key=lambda iri: (-best[iri][0], -degrees[iri], iri))[:MOST_CANDIDATES]
    entities = snapshot.entities(ordered, language)
    for iri in ordered:
        score, how = best[iri]
        yield Candidate(iri, entities[iri].label, score, _HOW[how], entities[iri].type)
