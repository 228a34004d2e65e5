"""The local store as a knowledge graph (kg.protocols.KnowledgeGraph): reading only.

A LocalGraph holds one snapshot and moves to a newer generation when told to look. A question pins
it and works on the generation that it began with, whose files are let go by its last question.
Safe to use from several threads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path

from kg.deadline import Deadline
from kg.errors import KgError
from kg.local.candidates import merged
from kg.local.chains import chains_of
from kg.local.facts import descriptions_of, facts_of
from kg.local.fuzzy import fuzzy_matches, fuzzy_spans
from kg.local.generations import current_generation
from kg.local.integrity import reading
from kg.local.names import (
    acronym_matches,
    exact_matches,
    matching_windows,
    prefix_matches,
    without_cut_words,
)
from kg.local.profiles import profiles_of
from kg.local.query import run_query
from kg.local.snapshot import Snapshot
from kg.model import Candidate, ChainSet, Entity, GraphIdentity, Mention, TripleSet
from kg.profiles import Profile
from kg.protocols import ChainQuery

__all__ = ["LocalGraph"]

FEW_MATCHES = 10  # names of a beginning that may leave what was meant to a misspelling


class LocalGraph:
    """The sources of one graph folder, or some of them, as one graph."""

    def __init__(
        self, folder: Path, *, name: str = "medical", sources: Collection[str] | None = None
    ) -> None:
        self.folder, self._name = folder, name
        self.sources = None if sources is None else frozenset(sources)
        self._open: Snapshot | None = _newest(folder, self.sources)

    @property
    def snapshot(self) -> Snapshot:
        """What is read now. Raises ValueError once the graph is closed."""
        if self._open is None:
            raise ValueError("the graph is closed")
        return self._open

    def close(self) -> None:
        """Let go of the files; memory maps end when the last question has ended."""
        self._open = None

    def pinned(self) -> LocalGraph:
        """The graph as it is now: neither moves with this one, nor is closed with it."""
        return copy(self)

    def reload_if_changed(self) -> bool:
        """Move to the generation in use when an import has made a new one; whether it did."""
        if self.snapshot.is_current:
            return False
        self._open = _newest(self.folder, self.sources)
        return True

    def identity(self) -> GraphIdentity:
        """Name, version and sources."""
        snapshot = self.snapshot
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
        """Entities of this name, best first: exact and folded, else initials, else misspellings."""
        with self._reading() as snapshot:
            segments = list(snapshot.segments.values())
            for found in (
                exact_matches(name, segments),
                acronym_matches(name, segments),
                fuzzy_matches(name, segments, deadline),
            ):
                candidates = merged(snapshot, found, language)
                if candidates:
                    return candidates
            return ()

    def search(self, beginning: str, language: str, deadline: Deadline) -> tuple[Candidate, ...]:
        """Entities for what somebody has typed so far: names of that beginning, then as spelled."""
        with self._reading() as snapshot:
            segments = list(snapshot.segments.values())
            matches = [*exact_matches(beginning, segments), *prefix_matches(beginning, segments)]
            if len(matches) < FEW_MATCHES:
                matches += [
                    *acronym_matches(beginning, segments),
                    *fuzzy_matches(beginning, segments, deadline),
                ]
            return merged(snapshot, matches, language)

    def describe(
        self, iris: Sequence[str], language: str, deadline: Deadline
    ) -> Mapping[str, Entity]:
        """Entities with their descriptions; IRIs that the graph does not hold are left out."""
        with self._reading() as snapshot:
            known = [iri for iri in dict.fromkeys(iris) if _is_known(snapshot, iri)]
            entities, clusters = snapshot.entities(known, language), snapshot.clusters(known)
            return {
                iri: entity
                if deadline.expired
                else replace(entity, description=snapshot.description(clusters[iri], language))
                for iri, entity in entities.items()
            }

    def ids(self, iris: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Under which ids the sources know these entities, the best known first."""
        with self._reading() as snapshot:
            return snapshot.clusters(iris)

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        """The facts that touch an entity, both ways, in a fixed order."""
        with self._reading() as snapshot:
            return facts_of(snapshot, iri, language, deadline)

    def descriptions(self, iris: Sequence[str], language: str, deadline: Deadline) -> TripleSet:
        """The texts that say what entities are, the best of each source and those in its facts."""
        with self._reading() as snapshot:
            return descriptions_of(snapshot, iris, language, deadline)

    def chains(
        self, entities: Sequence[str], query: ChainQuery, language: str, deadline: Deadline
    ) -> ChainSet:
        """The chains that join entities pair by pair; from one alone, paths of two hops."""
        with self._reading() as snapshot:
            return chains_of(snapshot, entities, query, language, deadline)

    def profiles(self, iris: Sequence[str], deadline: Deadline) -> Mapping[str, Profile]:
        """What the sources say of these entities in outline (kg.profiles.Profiling)."""
        with self._reading() as snapshot:
            return profiles_of(snapshot, iris, deadline)

    def query(self, sparql: str, deadline: Deadline) -> bytes:
        """Run read-only SPARQL over the sources: results JSON, or N-Triples for CONSTRUCT."""
        snapshot = self.snapshot
        return run_query(snapshot.generation / "store", snapshot.graphs, sparql, deadline)

    @contextmanager
    def _reading(self) -> Iterator[Snapshot]:
        """The snapshot that a question works on; what goes wrong with its files is told."""
        snapshot = self.snapshot
        with reading(snapshot.generation):
            yield snapshot


def _newest(folder: Path, sources: Collection[str] | None) -> Snapshot:
    """The generation in use, opened; imports may delete it while it is being opened."""
    while True:
        generation = current_generation(folder)
        try:
            return Snapshot(generation, sources)
        except KgError:
            if current_generation(folder) == generation:
                raise


def _is_known(snapshot: Snapshot, iri: str) -> bool:
    return iri in snapshot.cards([iri]) or snapshot.degrees([iri])[iri] > 0
