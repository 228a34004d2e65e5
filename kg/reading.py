"""The graph as one question reads it: in one language, within one deadline, each entity once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.deadline import Deadline
from kg.model import Candidate, ChainSet, Mention, TripleSet
from kg.profiles import Profile, Profiling, profile_of_triples
from kg.protocols import ChainQuery, KnowledgeGraph, NameVectors

__all__ = ["Reading"]


class Reading:
    """Linking and retrieval look at the same entities: this remembers what the graph answered.

    `deadline` may be moved between stages: what a chat model takes does not count.
    """

    def __init__(self, graph: KnowledgeGraph, language: str, deadline: Deadline) -> None:
        self._graph = graph
        self._language = language
        self.deadline = deadline
        self._triples: dict[str, TripleSet] = {}
        self._candidates: dict[str, tuple[Candidate, ...]] = {}

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The names of the graph that occur in a text, nested ones too."""
        return self._graph.mentions(text, self.deadline)

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """The entities that carry a name, best first."""
        if name not in self._candidates:
            self.deadline.check("linking the names in it")
            self._candidates[name] = self._graph.candidates(name, self._language, self.deadline)
        return self._candidates[name]

    def nearest(
        self, names: Sequence[str], vectors: NameVectors, most: int
    ) -> list[tuple[Candidate, ...]]:
        """Per name the entities whose names are nearest in meaning, best first."""
        return vectors.nearest(names, self._language, most, self.deadline) if names else []

    def triples(self, iri: str) -> TripleSet:
        """The triples that touch an entity, in both directions."""
        if iri not in self._triples:
            self._triples[iri] = self._graph.triples(iri, self._language, self.deadline)
        return self._triples[iri]

    def chains(self, entities: Sequence[str], query: ChainQuery) -> ChainSet:
        """The chains that join these entities, or those that begin at a single one."""
        return self._graph.chains(entities, query, self._language, self.deadline)

    def profiles(self, iris: Sequence[str]) -> Mapping[str, Profile]:
        """What the graph says of these entities in outline, and which of them it joins."""
        if isinstance(self._graph, Profiling):
            return self._graph.profiles(iris, self.deadline)
        return {iri: profile_of_triples(iri, self.triples(iri).triples, iris) for iri in iris}
