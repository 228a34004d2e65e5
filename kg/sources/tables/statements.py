"""Rows as statements: the facts and entities of one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pyoxigraph import Literal, NamedNode

from kg.sources.curies import canonical
from kg.sources.statements import Statement
from kg.sources.tables.nodes import Nodes
from kg.sources.tables.specs import EntitySpec, FactSpec, Texts
from kg.sources.tables.templates import Template
from kg.sources.tables.values import Place, Row, Scope, Step, bindings
from kg.sources.vocabulary import DCTERMS, OBO_IN_OWL, RDF_TYPE, RDFS_LABEL, SKOS
from kg.text import clean_label, visible

__all__ = ["EntityWriter", "FactWriter"]

_TYPE = NamedNode(RDF_TYPE)
_LABEL = NamedNode(RDFS_LABEL)
_SYNONYM = NamedNode(SKOS + "altLabel")
_LOOSE = NamedNode(OBO_IN_OWL + "hasRelatedSynonym")
_DESCRIPTION = NamedNode(DCTERMS + "description")
_XREF = NamedNode(OBO_IN_OWL + "hasDbXref")
_SAME = NamedNode(SKOS + "exactMatch")
_REMEMBERED = 1 << 16  # what was said of an entity is repeated only after so many others

_Read = Callable[[Row], list[str]]
_ReadTexts = Sequence[tuple[str | None, _Read]]


def _read_texts(texts: Texts, scope: Scope, filled: Sequence[Step]) -> _ReadTexts:
    return [(language, scope.reading(template, filled)) for language, template in texts]


class FactWriter:
    """Makes the statements of one [[table.fact]]."""

    def __init__(self, spec: FactSpec, scope: Scope, nodes: Nodes, place: Place) -> None:
        ends = [spec.subject, spec.relation, *([spec.object] if spec.object else [])]
        self._steps = scope.steps(ends)
        self._subject, self._relation = scope.getter(spec.subject), scope.getter(spec.relation)
        self._object = scope.getter(spec.object) if spec.object else None
        self._texts = _read_texts(spec.texts, scope, self._steps)
        self._references = self._readings(spec.references, scope)
        names = [name for name, _ in spec.qualifiers]
        readings = self._readings([template for _, template in spec.qualifiers], scope)
        self._qualifiers = list(zip(names, readings, strict=True))
        self._aspects = self._readings([spec.aspect] if spec.aspect else [], scope)
        self._nodes, self._place, self._name = nodes, place, spec.place

    def _readings(self, templates: Sequence[Template], scope: Scope) -> list[_Read]:
        return [scope.reading(template, self._steps) for template in templates]

    def statements(self, row: Row) -> Iterator[Statement]:
        """The facts of a row; one without subject, relation or object is none."""
        for _ in bindings(self._steps, row):
            subject, relation = self._subject(row), self._relation(row)
            objects = self._objects(row) if subject and relation else []
            if objects:
                yield from self._stated(subject, relation, objects, row)

    def _objects(self, row: Row) -> list[str | Literal]:
        if self._object is not None:
            return [text] if (text := self._object(row)) else []
        return [
            Literal(clean, language=language) if language else Literal(clean)
            for language, read in self._texts
            for text in read(row)
            if (clean := visible(text).strip())
        ]

    def _stated(
        self, subject: str, relation: str, objects: Sequence[str | Literal], row: Row
    ) -> Iterator[Statement]:
        predicate = self._nodes.relation(relation)
        if predicate is None:
            self._place.report(f"{self._name} relation", f"unknown relation {relation!r}")
            return
        start = self._entity(subject)
        references = tuple(dict.fromkeys(one for read in self._references for one in read(row)))
        qualifiers = tuple(
            (name, "; ".join(dict.fromkeys(texts)))
            for name, read in self._qualifiers
            if (texts := read(row))
        )
        self._add_aspects(predicate, row)
        for one in objects:
            end = self._entity(one) if isinstance(one, str) else one
            if start is not None and end is not None:
                yield from self._nodes.introduced()
                yield Statement(start, predicate, end, references, qualifiers)

    def _entity(self, text: str) -> NamedNode | None:
        node = self._nodes.entity(text)
        if node is None:
            self._place.report(f"{self._name} {text}", f"{text!r} is no identifier")
        return node

    def _add_aspects(self, relation: NamedNode, row: Row) -> None:
        for read in self._aspects:
            for aspect in read(row):
                if not self._nodes.add_aspect(relation, aspect):
                    self._place.report(f"{self._name} aspect", f"unknown aspect {aspect!r}")


class EntityWriter:
    """Makes the statements of one [[table.entity]], or of an [[entity]]."""

    def __init__(self, spec: EntitySpec, scope: Scope, nodes: Nodes, place: Place) -> None:
        self._steps = scope.steps([spec.id])
        self._id = scope.getter(spec.id)
        self._labels = _read_texts(spec.labels, scope, self._steps)
        self._names = [
            (_SYNONYM, _read_texts(spec.synonyms, scope, self._steps)),
            (_LOOSE, _read_texts(spec.loose_synonyms, scope, self._steps)),
        ]
        self._descriptions = _read_texts(spec.descriptions, scope, self._steps)
        self._types, self._identifiers, self._same_as = (
            [scope.reading(template, self._steps) for template in templates]
            for templates in (spec.types, spec.identifiers, spec.same_as)
        )
        self._nodes, self._place, self._name = nodes, place, spec.place
        self._said: dict[tuple[object, ...], None] = {}

    def statements(self, row: Row) -> Iterator[Statement]:
        """What a row says of its entities."""
        for _ in bindings(self._steps, row):
            text = self._id(row)
            if not text:
                continue
            node = self._nodes.entity(text)
            if node is None:
                self._place.report(f"{self._name} id", f"{text!r} is no identifier")
                continue
            said = [*self._named(row), *self._linked(row)]
            key = (text, *said)
            if key in self._said:
                continue
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            self._said[key] = None
            if said and said[0][0] == _LABEL:
                self._nodes.has_label(node)
            yield from self._nodes.introduced()
            for predicate, value in said:
                yield Statement(node, predicate, value)

    def _named(self, row: Row) -> Iterator[tuple[NamedNode, Literal]]:
        """Labels, then synonyms that are not among them, then descriptions."""
        known: set[str] = set()
        for predicate, texts in [(_LABEL, self._labels), *self._names]:
            for language, read in texts:
                for text in read(row):
                    name = clean_label(text)
                    if name and (name not in known or predicate == _LABEL):
                        known.add(name)
                        yield predicate, _literal(name, language)
        for language, read in self._descriptions:
            for text in read(row):
                if described := visible(text).strip():
                    yield _DESCRIPTION, _literal(described, language)

    def _linked(self, row: Row) -> Iterator[tuple[NamedNode, NamedNode | Literal]]:
        """Types and identifiers."""
        for read in self._types:
            for text in read(row):
                kind = self._nodes.type(text)
                if kind is None:
                    self._place.report(f"{self._name} type", f"unknown type {text!r}")
                else:
                    yield _TYPE, kind
        for read in self._identifiers:
            for text in read(row):
                yield _XREF, Literal(canonical(text))
        for read in self._same_as:
            for text in read(row):
                other = self._nodes.entity(text)
                if other is None:
                    self._place.report(f"{self._name} same_as", f"{text!r} is no identifier")
                else:
                    yield _SAME, other


def _literal(text: str, language: str | None) -> Literal:
    return Literal(text, language=language) if language else Literal(text)
