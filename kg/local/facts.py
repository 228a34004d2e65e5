"""The facts that touch one entity, in both directions, merged over the sources.

All ids of the entity count. The same fact of several sources is one, told as the first of them
states it. An entity's description counts as a fact about it: the best one of each source for the
language.

An unnamed node as object is shown by its name, or by what it says in words ("value 5; unit mg");
one that says nothing readable, and a fact whose subject is unnamed, are left out and counted in
the log. Unnamed nodes are never shown by their label in the file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pyoxigraph import NamedNode

from kg.deadline import Deadline
from kg.local.cards import choose
from kg.local.relations import relation_of
from kg.local.segment import Annotation, Value, fact_digest
from kg.local.snapshot import Snapshot
from kg.model import Entity, Relation, Triple, TripleSet
from kg.sources.curies import readable_end
from kg.sources.vocabulary import RDF
from kg.text import clean_label

__all__ = ["LIMIT", "facts_of"]

LIMIT = 5_000  # facts shown of one entity
_EVERY = 256  # statements between two looks at the clock
_PARTS = 6  # statements of an unnamed node that are put into words

_log = logging.getLogger(__name__)

Object = str | Value  # a node's name, or a literal


class _Statement(NamedTuple):
    """What one source states, word for word."""

    graph: NamedNode
    subject: str
    relation: str
    object: Object


# What makes statements the same fact: the things that they are about, and the relation.
_Fact = tuple[str, str, Object]


def facts_of(snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> TripleSet:
    """All facts with the entity as subject or object; cut off at LIMIT or at the deadline."""
    reader = _Reader(snapshot, iri, language, deadline)
    complete = reader.collect()
    if reader.left_out:
        _log.info("%d statements on unnamed nodes left out for %s", reader.left_out, iri)
    return TripleSet(reader.triples(), complete)


class _Reader:
    def __init__(self, snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> None:
        self._snapshot = snapshot
        self._ids = snapshot.clusters([iri])[iri]
        self._language, self._deadline = language, deadline
        self._statements: list[_Statement] = []
        self.left_out = 0

    def collect(self) -> bool:
        """Read the statements; whether all were read."""
        for number, statement in enumerate(self._stated()):
            if number % _EVERY == 0 and self._deadline.expired:
                return False
            if len(self._statements) >= LIMIT:
                return False
            if self._is_readable(statement):
                self._statements.append(statement)
            else:
                self.left_out += 1
        for graph, iri, predicate, text in self._snapshot.descriptions(self._ids, self._language):
            self._statements.append(_Statement(graph, iri, predicate, text))
        return True

    def _stated(self) -> Iterator[_Statement]:
        own = set(self._ids)
        for iri in self._ids:
            for edge in self._snapshot.edges(iri):
                if not {edge.subject, edge.object} <= own or edge.subject == edge.object == iri:
                    yield _Statement(*edge)
            for graph, relation, value in self._snapshot.values(iri):
                yield _Statement(graph, iri, relation, value)

    def _is_readable(self, statement: _Statement) -> bool:
        if statement.subject.startswith("_:"):
            return False
        value = statement.object
        unnamed = isinstance(value, str) and value.startswith("_:")
        return not unnamed or self._in_words(str(value)) is not None

    def _in_words(self, blank: str) -> str | None:
        """An unnamed node's name, or its readable statements; None when there are none."""
        card = self._snapshot.cards([blank]).get(blank)
        name = choose(card.names, self._language) if card else None
        if name:
            return name
        said = [(relation, value.text) for _, relation, value in self._snapshot.values(blank)]
        said += [
            (edge.relation, self._label(edge.object))
            for edge in self._snapshot.edges(blank)
            if edge.subject == blank and not edge.object.startswith("_:")
        ]
        parts = {f"{self._label(relation)} {clean_label(text)}" for relation, text in said}
        return "; ".join(sorted(parts)[:_PARTS]) or None

    def _label(self, iri: str) -> str:
        card = self._snapshot.cards([iri]).get(iri)
        return self._snapshot.label(iri, card, self._language)

    def triples(self) -> tuple[Triple, ...]:
        """The collected facts as triples, in a fixed order."""
        notes = self._annotations()
        iris = {
            end
            for one in self._statements
            for end in (one.subject, one.object)
            if isinstance(end, str) and not end.startswith("_:")
        }
        entities = self._snapshot.entities(sorted(iris), self._language)
        relations = self._relations({one.relation for one in self._statements})
        facts: dict[_Fact, list[int]] = {}
        for place in sorted(range(len(self._statements)), key=lambda i: self._order(i, entities)):
            facts.setdefault(self._fact(place, entities), []).append(place)
        return tuple(
            self._triple(places, entities, relations, _merged(notes[i] for i in places))
            for places in facts.values()
        )

    def _order(self, place: int, entities: Mapping[str, Entity]) -> tuple[object, ...]:
        """Facts by what they are about, the statements of one fact by source."""
        subject, relation, value = self._fact(place, entities)
        one = self._statements[place]
        end = (0, value) if isinstance(value, str) else (1, value)
        return (
            subject,
            relation,
            end,
            one.graph.value,
            one.subject,
            str(one.object),
        )

    def _fact(self, place: int, entities: Mapping[str, Entity]) -> _Fact:
        one = self._statements[place]
        value = one.object
        if isinstance(value, str) and value in entities:
            value = entities[value].key or value
        return (entities[one.subject].key or one.subject, one.relation, value)

    def _triple(
        self,
        places: list[int],
        entities: Mapping[str, Entity],
        relations: Mapping[str, Relation],
        note: Annotation,
    ) -> Triple:
        stated = [self._statements[place] for place in places]
        first = stated[0]
        known = self._snapshot.sources_in(self._language)
        others = {
            (known[one.graph].name, one.subject, one.object)
            for one in stated[1:]
            if isinstance(one.object, str) and one[1:] != first[1:]
        }
        sources = {known[one.graph].name: known[one.graph] for one in stated}
        return Triple(
            subject=entities[first.subject],
            relation=relations[first.relation],
            object=self._object(first.object, entities),
            sources=tuple(sources[name] for name in sorted(sources)),
            references=note.references,
            qualifiers=note.qualifiers,
            stated_of=tuple(sorted(others)),
        )

    def _object(self, value: Object, entities: Mapping[str, Entity]) -> Entity:
        if isinstance(value, Value):
            return Entity(
                iri=None,
                label=clean_label(value.text),
                language=value.language or None,
                datatype=value.datatype or None,
            )
        if value in entities:
            return entities[value]
        return Entity(iri=None, label=self._in_words(value) or readable_end(RDF))

    def _relations(self, iris: set[str]) -> dict[str, Relation]:
        cards = self._snapshot.cards(iris)
        return {
            iri: relation_of(self._snapshot, iri, cards.get(iri), self._language) for iri in iris
        }

    def _annotations(self) -> list[list[Annotation]]:
        """References and qualifiers of each statement, whichever source notes them."""
        digests = [fact_digest(one.subject, one.relation, one.object) for one in self._statements]
        found: list[list[Annotation]] = [[] for _ in digests]
        for segment in self._snapshot.segments.values():
            for position, note in segment.annotations(digests):
                found[position].append(note)
        return found


def _merged(groups: Iterable[list[Annotation]]) -> Annotation:
    notes = [note for group in groups for note in group]
    if len(notes) == 1:
        return notes[0]
    references = dict.fromkeys(one for note in notes for one in note.references)
    qualifiers: dict[str, dict[str, None]] = {}
    for note in notes:
        for name, value in note.qualifiers:
            qualifiers.setdefault(name, {})[value] = None
    joined = tuple((name, "; ".join(values)) for name, values in qualifiers.items())
    return Annotation(tuple(references), joined)
