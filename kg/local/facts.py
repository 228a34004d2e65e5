"""The facts that touch one entity, in both directions, merged over the sources.

An entity's description counts as a fact about it: the best one of each source for the language.

A class restriction (subClassOf a node with onProperty and someValuesFrom) is read as the fact that
it means. Another unnamed node as object is shown by its name, or by what it says in words
("value 5; unit mg"); one that says nothing readable, and a fact whose subject is unnamed, are left
out and counted in the log. Unnamed nodes are never shown by their label in the file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from kg.deadline import Deadline
from kg.local.cards import choose, node_key
from kg.local.relations import relation_of
from kg.local.segment import Annotation
from kg.local.snapshot import Snapshot
from kg.model import Entity, Relation, Source, Triple, TripleSet
from kg.sources.curies import readable_end
from kg.sources.vocabulary import SUBCLASS_OF, is_evidence
from kg.text import clean_label

__all__ = ["LIMIT", "facts_of"]

LIMIT = 5_000  # facts shown of one entity
_EVERY = 256  # statements between two looks at the clock
_PARTS = 6  # statements of an unnamed node that are put into words
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_OWL = "http://www.w3.org/2002/07/owl#"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_ON_PROPERTY = NamedNode(_OWL + "onProperty")
_SOME_VALUES = NamedNode(_OWL + "someValuesFrom")
_SUBCLASS = NamedNode(SUBCLASS_OF)

_log = logging.getLogger(__name__)

Object = NamedNode | BlankNode | Literal
Fact = tuple[NamedNode, NamedNode, Object]


def facts_of(snapshot: Snapshot, iri: str, language: str, deadline: Deadline) -> TripleSet:
    """All facts with the entity as subject or object; cut off at LIMIT or at the deadline."""
    try:
        node = NamedNode(iri)
    except ValueError:  # not an IRI that any graph can hold
        return TripleSet(())
    reader = _Reader(snapshot, node, language, deadline)
    complete = reader.collect()
    if reader.left_out:
        _log.info("%d statements on unnamed nodes left out for %s", reader.left_out, iri)
    return TripleSet(reader.triples(), complete)


class _Reader:
    def __init__(
        self, snapshot: Snapshot, node: NamedNode, language: str, deadline: Deadline
    ) -> None:
        self._snapshot, self._node = snapshot, node
        self._language, self._deadline = language, deadline
        self._facts: dict[Fact, set[NamedNode]] = {}
        self.left_out = 0

    def collect(self) -> bool:
        """Read the statements; whether all were read."""
        for number, quad in enumerate(self._statements()):
            if number % _EVERY == 0 and self._deadline.expired:
                return False
            for fact in self._facts_in(quad):
                if fact not in self._facts and len(self._facts) >= LIMIT:
                    return False
                if isinstance(quad.graph_name, NamedNode):
                    self._facts.setdefault(fact, set()).add(quad.graph_name)
        for graph, predicate, text in self._snapshot.descriptions(self._node, self._language):
            self._facts.setdefault((self._node, predicate, text), set()).add(graph)
        return True

    def _statements(self) -> Iterator[Quad]:
        yield from self._snapshot.quads(self._node, None, None)
        yield from self._snapshot.quads(None, None, self._node)

    def _facts_in(self, quad: Quad) -> Iterator[Fact]:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        if isinstance(subject, BlankNode):
            if predicate == _SOME_VALUES:
                yield from self._restricted(subject)
            elif is_evidence(predicate.value):
                self.left_out += 1
        elif not isinstance(subject, NamedNode) or not is_evidence(predicate.value):
            return
        elif isinstance(value, BlankNode):
            meant = self._restriction(value) if predicate == _SUBCLASS else None
            if meant is not None:
                yield subject, *meant
            elif self._in_words(value):
                yield subject, predicate, value
            else:
                self.left_out += 1
        elif isinstance(value, NamedNode | Literal):
            yield subject, predicate, value

    def _restriction(self, blank: BlankNode) -> tuple[NamedNode, NamedNode] | None:
        """The property and the filler of a someValuesFrom restriction between named things."""
        relation = self._one(blank, _ON_PROPERTY)
        filler = self._one(blank, _SOME_VALUES)
        return (relation, filler) if relation is not None and filler is not None else None

    def _one(self, subject: BlankNode, predicate: NamedNode) -> NamedNode | None:
        for quad in self._snapshot.quads(subject, predicate, None):
            if isinstance(quad.object, NamedNode):
                return quad.object
        return None

    def _restricted(self, blank: BlankNode) -> Iterator[Fact]:
        """The facts that a restriction on this entity states about named classes."""
        relation = self._one(blank, _ON_PROPERTY)
        for parent in self._snapshot.quads(None, _SUBCLASS, blank):
            if relation is not None and isinstance(parent.subject, NamedNode):
                yield parent.subject, relation, self._node

    def _in_words(self, blank: BlankNode) -> str | None:
        """An unnamed node's name, or its readable statements; None when there are none."""
        key = node_key(blank)
        card = self._snapshot.cards([key]).get(key)
        name = choose(card.names, self._language) if card else None
        if name:
            return name
        parts = []
        for quad in self._snapshot.quads(blank, None, None):
            predicate, value = quad.predicate.value, quad.object
            is_value = predicate == _RDF + "value"
            if isinstance(value, NamedNode | Literal) and (is_value or is_evidence(predicate)):
                text = self._label(value) if isinstance(value, NamedNode) else value.value
                parts.append(f"{self._label(quad.predicate)} {clean_label(text)}")
        return "; ".join(sorted(set(parts))[:_PARTS]) or None

    def _label(self, node: NamedNode) -> str:
        card = self._snapshot.cards([node.value]).get(node.value)
        return self._snapshot.label(node.value, card, self._language)

    def triples(self) -> tuple[Triple, ...]:
        """The collected facts as triples, in a fixed order."""
        facts = sorted(self._facts, key=_order)
        notes = self._annotations(facts)
        iris = {n.value for s, _, o in facts for n in (s, o) if isinstance(n, NamedNode)}
        entities = self._snapshot.entities(sorted(iris), self._language)
        relations = self._relations({p.value for _, p, _ in facts})
        return tuple(
            Triple(
                subject=entities[subject.value],
                relation=relations[predicate.value],
                object=self._object(value, entities),
                sources=self._sources(self._facts[subject, predicate, value]),
                references=note.references,
                qualifiers=note.qualifiers,
            )
            for (subject, predicate, value), note in zip(facts, notes, strict=True)
        )

    def _object(self, value: Object, entities: Mapping[str, Entity]) -> Entity:
        if isinstance(value, NamedNode):
            return entities[value.value]
        if isinstance(value, BlankNode):
            return Entity(iri=None, label=self._in_words(value) or readable_end(_RDF))
        datatype = value.datatype.value
        return Entity(
            iri=None,
            label=clean_label(value.value),
            language=value.language,
            datatype=None if value.language or datatype == _STRING else datatype,
        )

    def _sources(self, graphs: set[NamedNode]) -> tuple[Source, ...]:
        known = self._snapshot.sources_in(self._language)
        found = [known[graph] for graph in graphs if graph in known]
        return tuple(sorted(found, key=lambda source: source.name))

    def _relations(self, iris: set[str]) -> dict[str, Relation]:
        cards = self._snapshot.cards(iris)
        return {
            iri: relation_of(self._snapshot, iri, cards.get(iri), self._language) for iri in iris
        }

    def _annotations(self, facts: list[Fact]) -> list[Annotation]:
        """References and qualifiers of each fact, those of several sources together."""
        terms = [(str(s), str(p), str(o)) for s, p, o in facts]
        found: dict[int, list[Annotation]] = {}
        for segment in self._snapshot.segments.values():
            for position, note in segment.annotations(terms):
                found.setdefault(position, []).append(note)
        return [_merged(found.get(position, [])) for position in range(len(facts))]


def _merged(notes: list[Annotation]) -> Annotation:
    if len(notes) == 1:
        return notes[0]
    references = dict.fromkeys(one for note in notes for one in note.references)
    qualifiers: dict[str, dict[str, None]] = {}
    for note in notes:
        for name, value in note.qualifiers:
            qualifiers.setdefault(name, {})[value] = None
    pairs = tuple((name, "; ".join(values)) for name, values in qualifiers.items())
    return Annotation(tuple(references), pairs)


def _order(fact: Fact) -> tuple[str, str, str]:
    subject, predicate, value = fact
    return subject.value, predicate.value, str(value)
