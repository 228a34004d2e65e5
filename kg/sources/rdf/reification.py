"""References and qualifiers that RDF carries as statements about statements.

Read are RDF 1.2 (`{| dcterms:references "PMID:1" |}`, a node that rdf:reifies a triple), the older
rdf:Statement and the axiom annotations of OWL. Nothing of them is stored as triples, and a triple
that is only talked about is not thereby stated. Statements about such statements are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.sources.curies import readable_end, reference_of
from kg.sources.statements import Statement
from kg.sources.vocabulary import OWL, RDF, RDF_TYPE, REFERENCE_PROPERTIES
from kg.text import clean_label

__all__ = ["Reifications"]

_PARTS = {RDF + "subject": 0, RDF + "predicate": 1, RDF + "object": 2}
_PARTS |= {OWL + f"annotated{part}": i for i, part in enumerate(("Source", "Property", "Target"))}
_REIFIES = RDF + "reifies"

_LINE_MARKERS = (b"reifies>", b"syntax-ns#subject>", b"annotatedSource>")
_MARKERS = (
    b"reifies", b"{|", b"<<", b"rdf:subject", b"#subject", b"rdf:Statement", b"#Statement",
    b"rdf:ID", b"rdf:annotation", b"@annotation", b"annotatedSource",
)  # fmt: skip

Node = NamedNode | BlankNode
Value = NamedNode | BlankNode | Literal


class Reifications:
    """First learns which nodes of a file stand for statements, then takes what is said of them."""

    @staticmethod
    def markers(file_format: str) -> tuple[bytes, ...]:
        """Of these one occurs in every file of the format that has any."""
        return _LINE_MARKERS if file_format in ("nt", "nq") else _MARKERS

    def __init__(self) -> None:
        self._triples: dict[Node, list[Triple]] = {}
        self._parts: dict[Node, dict[int, Value]] = {}
        self._references: dict[Node, dict[str, None]] = {}
        self._qualifiers: dict[Node, dict[tuple[str, str], None]] = {}

    def learn(self, subject: Node | Triple, predicate: NamedNode, value: Value | Triple) -> None:
        """First reading: remember what stands for which triple."""
        if isinstance(subject, Triple):
            return
        relation = predicate.value
        if relation == _REIFIES and isinstance(value, Triple):
            self._triples.setdefault(subject, []).append(value)
        elif relation in _PARTS and not isinstance(value, Triple):
            parts = self._parts.setdefault(subject, {})
            parts[_PARTS[relation]] = value
            if len(parts) == 3:
                start, link, end = parts[0], parts[1], parts[2]
                if not isinstance(start, Literal) and isinstance(link, NamedNode):
                    self._triples[subject] = [Triple(start, link, end)]

    def take(self, subject: Node | Triple, relation: NamedNode, value: Value | Triple) -> bool:
        """Second reading: whether it belongs to a reified statement, which keeps it."""
        if isinstance(subject, Triple) or subject not in self._triples:
            return False
        predicate = relation.value
        if predicate in (_REIFIES, RDF_TYPE) or predicate in _PARTS or isinstance(value, Triple):
            return True
        if isinstance(value, NamedNode):
            text = value.value
        else:
            text = clean_label(value.value) if isinstance(value, Literal) else ""
        if not text:
            return True
        if predicate in REFERENCE_PROPERTIES:
            self._references.setdefault(subject, {})[reference_of(text)] = None
        else:
            name = re.split(r"[#/:]", predicate)[-1]
            shown = readable_end(text) if isinstance(value, NamedNode) else text
            self._qualifiers.setdefault(subject, {})[name, shown] = None
        return True

    def statements(self) -> Iterator[Statement]:
        """What was said of each triple, as statements that are not asserted by it."""
        for node, triples in self._triples.items():
            references = tuple(self._references.get(node, ()))
            qualifiers = tuple(self._qualifiers.get(node, ()))
            if not references and not qualifiers:
                continue
            for triple in triples:
                if not isinstance(triple.subject, Triple) and not isinstance(triple.object, Triple):
                    yield Statement(
                        triple.subject,
                        triple.predicate,
                        triple.object,
                        references,
                        qualifiers,
                        asserted=False,
                    )
