"""What a source says about itself: the node typed as dataset or ontology in its own files."""

from __future__ import annotations

from pyoxigraph import BlankNode, Literal, NamedNode

from kg.sources.statements import SourceDetails
from kg.sources.vocabulary import (
    DC,
    DCAT,
    DCTERMS,
    FOAF,
    OWL,
    PAV,
    RDF_TYPE,
    RDFS,
    SCHEMAS,
    SKOS,
    VOID,
)
from kg.text import clean_label

__all__ = ["WATCHED", "DetailsReader"]

_TYPES = frozenset({VOID + "Dataset", OWL + "Ontology", DCAT + "Dataset"})
_TYPES |= {schema + "Dataset" for schema in SCHEMAS}
_LONGEST_RUN = 500
Node = NamedNode | BlankNode
# Field → the properties that fill it, the surest first.
_FIELDS: dict[str, tuple[str, ...]] = {
    "title": (
        DCTERMS + "title",
        DC + "title",
        *(schema + "name" for schema in SCHEMAS),
        RDFS + "label",
        SKOS + "prefLabel",
    ),
    "version": (
        OWL + "versionInfo",
        PAV + "version",
        DCAT + "version",
        *(schema + "version" for schema in SCHEMAS),
        DCTERMS + "hasVersion",
        OWL + "versionIRI",
    ),
    "licence": (
        DCTERMS + "license",
        *(schema + "license" for schema in SCHEMAS),
        "http://creativecommons.org/ns#license",
        DC + "rights",
        DCTERMS + "rights",
    ),
    "date": (
        DCTERMS + "modified",
        DCTERMS + "issued",
        DCTERMS + "date",
        *(schema + "dateModified" for schema in SCHEMAS),
        DC + "date",
        DCTERMS + "created",
    ),
    "homepage": (
        FOAF + "homepage",
        DCAT + "landingPage",
        *(schema + "url" for schema in SCHEMAS),
    ),
}
_PLACE = {
    property_: (field, rank)
    for field, properties in _FIELDS.items()
    for rank, property_ in enumerate(properties)
}


# Properties that say what a node is or what a source is called, how old, under which licence.
WATCHED = frozenset({*_PLACE, RDF_TYPE})


class DetailsReader:
    """Watches a file's statements; the statements of one node are taken to stand together."""

    def __init__(self, details: SourceDetails) -> None:
        self._details = details
        self._best: dict[str, tuple[int, int]] = {}
        self._run: list[tuple[Node, str, Node | Literal]] = []
        self._is_dataset = False

    def see(self, subject: Node, predicate: NamedNode, value: Node | Literal) -> None:
        """Look at the next statement of a watched property."""
        relation = predicate.value
        if self._run and self._run[0][0] != subject:
            self.finish()
        if len(self._run) < _LONGEST_RUN:
            self._run.append((subject, relation, value))
        if relation == RDF_TYPE and isinstance(value, NamedNode):
            self._is_dataset = self._is_dataset or value.value in _TYPES

    def finish(self) -> None:
        """Use what was seen of the last node."""
        if self._is_dataset:
            for _, relation, value in self._run:
                self._use(relation, value)
            subject = self._run[0][0]
            if isinstance(subject, NamedNode) and subject.value.startswith("http"):
                self._details.homepage = self._details.homepage or subject.value
        self._run, self._is_dataset = [], False

    def _use(self, relation: str, value: Node | Literal) -> None:
        place = _PLACE.get(relation)
        if place is None or isinstance(value, BlankNode):
            return
        field, rank = place
        language = value.language if isinstance(value, Literal) else None
        if field == "title" and language:
            self._details.titles.setdefault(language.split("-")[0], clean_label(value.value))
        worth = (0 if language in (None, "en") else 1, rank)
        known = getattr(self._details, field) is not None
        if known and (field not in self._best or self._best[field] <= worth):
            return  # an earlier file's word, or a better one of this file, stands
        self._best[field] = worth
        setattr(self._details, field, clean_label(value.value))
