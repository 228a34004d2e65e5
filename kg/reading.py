"""The graph as one question reads it: in one language, within one deadline, each entity once."""

from __future__ import annotations

from kg.deadline import Deadline
from kg.model import Candidate, Mention, TripleSet
from kg.protocols import KnowledgeGraph

__all__ = ["Reading"]


class Reading:
    """Linking and retrieval look at the same entities: this remembers what the graph answered."""

    def __init__(self, graph: KnowledgeGraph, language: str, deadline: Deadline) -> None:
        self._graph = graph
        self._language = language
        self._deadline = deadline
        self._triples: dict[str, TripleSet] = {}

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The names of the graph that occur in a text, nested ones too."""
        return self._graph.mentions(text, self._deadline)

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """The entities that carry a name, best first."""
        self._deadline.check("linking the names in it")
        return self._graph.candidates(name, self._language, self._deadline)

    def triples(self, iri: str) -> TripleSet:
        """The triples that touch an entity, in both directions."""
        if iri not in self._triples:
            self._triples[iri] = self._graph.triples(iri, self._language, self._deadline)
        return self._triples[iri]
