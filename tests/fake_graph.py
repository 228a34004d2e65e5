"""A small graph in memory that answers the protocol's questions, for tests of what asks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kg.aspects import aspect_of_relation
from kg.deadline import Deadline
from kg.model import (
    CHAIN_KINDS,
    Candidate,
    ChainSet,
    Entity,
    GraphIdentity,
    Mention,
    Relation,
    Source,
    Triple,
    TripleSet,
)
from kg.protocols import ChainQuery
from kg.reading import is_description
from kg.text import fold, tokens, windows
from tests.naive_chains import naive_chains

__all__ = ["SOURCE", "FakeGraph", "entity", "fact"]

SOURCE = Source("test", "Test source", "1", "CC0", "2026-01-01")


def entity(name: str, *synonyms: str, type: str | None = None) -> Entity:
    """An entity whose IRI is made from its name."""
    return Entity(f"http://e/{fold(name).replace(' ', '-')}", name, synonyms, type)


def fact(
    subject: Entity,
    relation: str,
    obj: Entity | str,
    *,
    references: tuple[str, ...] = (),
    **qualifiers: str,
) -> Triple:
    """A triple of the test source; a string object is a literal."""
    value = Entity(None, obj) if isinstance(obj, str) else obj
    aspect = "definition" if relation == "description" else aspect_of_relation(relation)
    predicate = Relation(f"http://e/{fold(relation).replace(' ', '-')}", relation, aspect)
    return Triple(subject, predicate, value, (SOURCE,), references, tuple(qualifiers.items()))


class FakeGraph:
    """Triples in memory. `asked` keeps the entities whose triples were read, in order."""

    def __init__(self, *triples: Triple) -> None:
        self._triples = triples
        self.asked: list[str] = []
        self._names: dict[str, list[Entity]] = {}
        self._entities: dict[str, Entity] = {}
        for triple in triples:
            for node in (triple.subject, triple.object):
                if node.iri and node.iri not in self._entities:
                    self._entities[node.iri] = node
                    for name in (node.label, *node.synonyms):
                        self._names.setdefault(fold(name), []).append(node)

    def pinned(self) -> FakeGraph:
        return self

    def identity(self) -> GraphIdentity:
        return GraphIdentity("test", "v1", (SOURCE,))

    def mentions(self, text: str, deadline: Deadline) -> tuple[Mention, ...]:
        return tuple(
            Mention(text[w.start : w.end], w.start, w.end)
            for w in windows(tokens(text))
            if w.folded in self._names
        )

    def candidates(self, name: str, language: str, deadline: Deadline) -> tuple[Candidate, ...]:
        found = [
            Candidate(
                node.iri or "",
                node.label,
                1.0 if fold(node.label) == fold(name) else 0.95,
                "exact",
                node.type,
            )
            for node in self._names.get(fold(name), [])
        ]
        return tuple(sorted(found, key=lambda c: (-c.score, c.iri)))

    def describe(
        self, iris: Sequence[str], language: str, deadline: Deadline
    ) -> Mapping[str, Entity]:
        return {iri: self._entities[iri] for iri in iris if iri in self._entities}

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        self.asked.append(iri)
        deadline.check("reading facts")
        return TripleSet(tuple(t for t in self._triples if iri in (t.subject.iri, t.object.iri)))

    def descriptions(self, iris: Sequence[str], language: str, deadline: Deadline) -> TripleSet:
        if deadline.expired:
            return TripleSet((), complete=False)
        keys = dict.fromkeys(map(self._key, iris))
        texts = [t for t in self._triples if is_description(t)]
        own = [t for key in keys for t in texts if t.subject.key == key]
        return TripleSet(tuple(own))

    def chains(
        self, entities: Sequence[str], query: ChainQuery, language: str, deadline: Deadline
    ) -> ChainSet:
        """By plain enumeration; nothing once the time is up."""
        if deadline.expired:
            return ChainSet((), dict.fromkeys(CHAIN_KINDS, 0), complete=False)
        keys = list(dict.fromkeys(map(self._key, entities)))
        known = replace(
            query,
            named=frozenset(map(self._key, query.named)),
            nested=frozenset(map(self._key, query.nested)),
            apart=frozenset(frozenset(map(self._key, pair)) for pair in query.apart),
        )
        return naive_chains(self._triples, keys, known)

    def _key(self, iri: str) -> str:
        known = self._entities.get(iri)
        return (known.key if known else None) or iri
