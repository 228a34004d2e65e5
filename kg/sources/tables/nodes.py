"""What the texts of a mapping's templates stand for: entities, relations and types.

A CURIE or an IRI is an identifier. Other words name a thing of this mapping only: two mappings
with the same words do not mean the same thing, as nothing says so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode

from kg.aspects import ASPECTS
from kg.sources.curies import iri_of_curie
from kg.sources.statements import Statement
from kg.sources.tables.specs import OwnTerm, TableMapping, local_base
from kg.sources.vocabulary import (
    ASPECT,
    GC,
    OWL,
    RDFS_LABEL,
    RELATIONS,
    SKOS,
    SUBCLASS_OF,
    TYPES,
    vocabulary_statements,
)
from kg.text import clean_label

__all__ = ["Nodes"]

_LABEL = NamedNode(RDFS_LABEL)
_CURIE = re.compile(r"([A-Za-z][\w.-]*):(\S+)")
_URN = re.compile(r"urn:[A-Za-z0-9-]+:\S+")
_WORDS = "local:"
_MATCHES = ("exact", "close", "narrow", "broad", "related")
_KNOWN_RELATIONS = {
    "rdfs:subClassOf": SUBCLASS_OF,
    "owl:sameAs": OWL + "sameAs",
    **{f"skos:{kind}Match": f"{SKOS}{kind}Match" for kind in _MATCHES},
    **{f"skos:{name}": SKOS + name for name in ("broader", "narrower", "related")},
    **{"gc:" + iri.removeprefix(GC): iri for iri in RELATIONS if iri.startswith(GC)},
}
_KNOWN_TYPES = {"gc:" + iri.removeprefix(GC): iri for iri in TYPES}


class Nodes:
    """Texts → nodes. What is met for the first time waits to be stated: see `introduced`."""

    def __init__(self, mapping: TableMapping) -> None:
        self._mapping = mapping
        self._base = local_base(mapping.name)
        self._waiting: list[Statement] = []
        self._met: set[str] = set()
        self._labelled: set[NamedNode] = set()
        self.entity = lru_cache(maxsize=1 << 16)(self._entity)
        self.relation = lru_cache(maxsize=1 << 12)(self._relation)
        self.type = lru_cache(maxsize=1 << 12)(self._type)

    def introduced(self) -> list[Statement]:
        """Labels and aspects of what was met since the last call."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def _entity(self, text: str) -> NamedNode | None:
        """The node of an identifier or of words; None where the text cannot be one."""
        iri = self._identifier(text)
        try:
            if iri is not None:
                return NamedNode(iri)
        except ValueError:
            return None
        words = clean_label(text.removeprefix(_WORDS))
        if not words:
            return None
        node = NamedNode(self._base + quote(words, safe=""))
        if node not in self._labelled:
            self._waiting.append(Statement(node, _LABEL, Literal(words)))
        return node

    def has_label(self, node: NamedNode) -> None:
        """The mapping labels this thing itself: its words are then no label."""
        if node.value.startswith(self._base) and node not in self._labelled:
            self._labelled.add(node)
            self._waiting = [one for one in self._waiting if one.subject != node]

    def _relation(self, text: str) -> NamedNode | None:
        """The node of a relation; None where it looks like an identifier and is not known."""
        known = _KNOWN_RELATIONS.get(text)
        if known is not None:
            self._introduce_known(known)
            return NamedNode(known)
        if text in self._mapping.relations:
            return self._own(self._mapping.relations[text])
        match = None if text.startswith(_WORDS) or "://" in text else _CURIE.fullmatch(text)
        if match is None or match.group(1) in self._mapping.prefixes:
            return self._entity(text)
        return None

    def _type(self, text: str) -> NamedNode | None:
        """The node of a type; None where it is not known."""
        if text in _KNOWN_TYPES:
            self._introduce_known(_KNOWN_TYPES[text])
            return NamedNode(_KNOWN_TYPES[text])
        if text in self._mapping.types:
            return self._own(self._mapping.types[text])
        return None if text.startswith("gc:") else self._entity(text)

    def add_aspect(self, relation: NamedNode, aspect: str) -> bool:
        """State the aspect of a relation, once; False where there is no such aspect."""
        if aspect not in ASPECTS:
            return False
        if relation.value not in self._met:
            self._met.add(relation.value)
            self._waiting.append(Statement(relation, NamedNode(ASPECT), Literal(aspect)))
        return True

    def knows_relation(self, text: str) -> bool:
        """Whether a relation that a mapping writes out is one of ours, its own, or an IRI."""
        return (
            text in _KNOWN_RELATIONS
            or text in self._mapping.relations
            or "://" in text
            or text.partition(":")[0] in self._mapping.prefixes
        )

    def knows_type(self, text: str) -> bool:
        """The same of a type, which may be any identifier."""
        if text in _KNOWN_TYPES or text in self._mapping.types:
            return True
        return not text.startswith("gc:") and self._identifier(text) is not None

    def _identifier(self, text: str) -> str | None:
        """The IRI of a CURIE, an IRI or a URN; None for words."""
        if text.startswith(_WORDS):
            return None
        if text.startswith(("http://", "https://")) or _URN.fullmatch(text):
            return text
        match = _CURIE.fullmatch(text)
        if match is None:
            return None
        prefix, local = match.groups()
        if prefix in self._mapping.prefixes:
            return self._mapping.prefixes[prefix] + quote(local, safe="")
        return iri_of_curie(text)

    def _introduce_known(self, iri: str) -> None:
        if iri in RELATIONS or iri in TYPES:
            self._met.add(iri)
            self._waiting += vocabulary_statements([iri])

    def _own(self, term: OwnTerm) -> NamedNode:
        node = NamedNode(term.iri)
        self._met.add(term.iri)
        for language, label in term.labels.items():
            self._waiting.append(Statement(node, _LABEL, Literal(label, language=language)))
        if term.aspect is not None:
            self._waiting.append(Statement(node, NamedNode(ASPECT), Literal(term.aspect)))
        return node

    def known(self, kind: str) -> str:
        """Words that say what a relation or a type may be."""
        names: list[str] = []
        if kind != "type":
            names += [*self._mapping.relations, *_KNOWN_RELATIONS]
        if kind != "relation":
            names += [*self._mapping.types, *_KNOWN_TYPES]
        section = "type" if kind == "type" else "relation"
        return f"declare [{section}.NAME] with a label, or use one of {', '.join(names)}"
