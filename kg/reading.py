"""The graph as one question reads it: in one language, within one deadline, each entity once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kg.deadline import Deadline
from kg.model import Candidate, ChainSet, Mention, Triple, TripleSet
from kg.profiles import Profile, Profiling, profile_of_triples
from kg.protocols import ChainQuery, KnowledgeGraph, NameVectors

__all__ = ["Reading", "is_description"]


def is_description(triple: Triple) -> bool:
    """Whether a fact is a text that says what its subject is."""
    return triple.relation.aspect == "definition" and triple.object.iri is None


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

    def descriptions(self, iris: Iterable[str]) -> TripleSet:
        """The texts that say what these are: of facts at hand first, then those of the graph."""
        distinct = dict.fromkeys(iris)
        read = [i for i in distinct if i in self._triples and self._triples[i].complete]
        at_hand = tuple(
            triple
            for iri in read
            for triple in self._triples[iri].triples
            if is_description(triple) and triple.subject.key == iri
        )
        unread = [iri for iri in distinct if iri not in read]
        if not unread or self.deadline.expired:
            return TripleSet(at_hand, not unread)
        found = self._graph.descriptions(unread, self._language, self.deadline)
        return TripleSet((*at_hand, *found.triples), found.complete)

    def chains(self, entities: Sequence[str], query: ChainQuery) -> ChainSet:
        """The chains that join these entities, or those that begin at a single one."""
        return self._graph.chains(entities, query, self._language, self.deadline)

    def profiles(self, iris: Sequence[str]) -> Mapping[str, Profile]:
        """What the graph says of these entities in outline, and which of them it joins."""
        if isinstance(self._graph, Profiling):
            return self._graph.profiles(iris, self.deadline)
        return {iri: profile_of_triples(iri, self.triples(iri).triples, iris) for iri in iris}
