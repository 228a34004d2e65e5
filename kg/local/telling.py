"""Statements of the sources as triples that can be shown: labelled, with sources and references.

Statements of one fact, by several sources or of several ids of the same things, are one triple,
told as the first of them states it.

An unnamed node as object is shown by its name, or by what it says in words ("value 5; unit mg").
Unnamed nodes are never shown by their label in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pyoxigraph import NamedNode

from kg.local.cards import choose
from kg.local.relations import relations_of
from kg.local.segment import Annotation, Value, fact_digest
from kg.local.snapshot import Snapshot
from kg.model import Entity, Triple
from kg.sources.curies import readable_end
from kg.sources.vocabulary import RDF
from kg.text import clean_label

__all__ = ["Fact", "Object", "Statement", "Telling", "in_words"]

_PARTS = 6  # statements of an unnamed node that are put into words

Object = str | Value  # a node's name, or a literal


class Statement(NamedTuple):
    """What one source states, word for word."""

    graph: NamedNode
    subject: str
    relation: str
    object: Object


# What makes statements the same fact: the things that they are about, and the relation.
Fact = tuple[str, str, Object]


class Telling:
    """Some statements, with all that is needed to tell them in a language; read at once."""

    def __init__(self, snapshot: Snapshot, statements: Sequence[Statement], language: str) -> None:
        self._snapshot, self._statements, self._language = snapshot, statements, language
        iris = {
            end
            for one in statements
            for end in (one.subject, one.object)
            if isinstance(end, str) and not end.startswith("_:")
        }
        self._entities = snapshot.entities(sorted(iris), language)
        self._relations = relations_of(snapshot, {one.relation for one in statements}, language)
        self._notes = self._annotations()

    def fact(self, place: int) -> Fact:
        """What the statement at this place says, whoever says it and of which ids."""
        one = self._statements[place]
        value = one.object
        if isinstance(value, str) and value in self._entities:
            value = self._entities[value].key or value
        return (self._entities[one.subject].key or one.subject, one.relation, value)

    def triple(self, places: Sequence[int]) -> Triple:
        """The statements at these places, which state one fact, told as the first of them."""
        stated = [self._statements[place] for place in places]
        first = stated[0]
        note = _merged(self._notes[place] for place in places)
        known = self._snapshot.sources_in(self._language)
        others = {
            (known[one.graph].name, one.subject, one.object)
            for one in stated[1:]
            if isinstance(one.object, str) and one[1:] != first[1:]
        }
        sources = {known[one.graph].name: known[one.graph] for one in stated}
        return Triple(
            subject=self._entities[first.subject],
            relation=self._relations[first.relation],
            object=self._object(first.object),
            sources=tuple(sources[name] for name in sorted(sources)),
            references=note.references,
            qualifiers=note.qualifiers,
            stated_of=tuple(sorted(others)),
        )

    def _object(self, value: Object) -> Entity:
        if isinstance(value, Value):
            return Entity(
                iri=None,
                label=clean_label(value.text),
                language=value.language or None,
                datatype=value.datatype or None,
            )
        if value in self._entities:
            return self._entities[value]
        words = in_words(self._snapshot, value, self._language)
        return Entity(iri=None, label=words or readable_end(RDF))

    def _annotations(self) -> list[list[Annotation]]:
        """References and qualifiers of each statement, whichever source notes them."""
        digests = [fact_digest(one.subject, one.relation, one.object) for one in self._statements]
        found: list[list[Annotation]] = [[] for _ in digests]
        for segment in self._snapshot.segments.values():
            for position, note in segment.annotations(digests):
                found[position].append(note)
        return found


def in_words(snapshot: Snapshot, blank: str, language: str) -> str | None:
    """An unnamed node's name, or its readable statements; None when there are none."""

    def label(iri: str) -> str:
        return snapshot.label(iri, snapshot.cards([iri]).get(iri), language)

    card = snapshot.cards([blank]).get(blank)
    name = choose(card.names, language) if card else None
    if name:
        return name
    said = [(relation, value.text) for _, relation, value in snapshot.values(blank)]
    said += [
        (edge.relation, label(edge.object))
        for edge in snapshot.edges(blank)
        if edge.subject == blank and not edge.object.startswith("_:")
    ]
    parts = {f"{label(relation)} {clean_label(text)}" for relation, text in said}
    return "; ".join(sorted(parts)[:_PARTS]) or None


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
