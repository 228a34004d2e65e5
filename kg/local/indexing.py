"""Writes a source's segment while its statements stream by: nothing is read back from the store.

Names are taken from everything that a question may be about: not from relations, our own types,
datasets and unnamed nodes. A class restriction (subClassOf a node with onProperty and
someValuesFrom) becomes the fact that it means.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pyoxigraph import BlankNode, Literal, NamedNode

from kg.errors import KgError
from kg.local.adjacency import AdjacencyWriter, Numbers
from kg.local.cards import IDENTIFIER, RELATION_ASPECT, TYPE, card_entry, name_entry, node_name
from kg.local.claims import DEAD, ClaimsWriter, kind_of_claim
from kg.local.names import initials
from kg.local.rows import NameRow, name_row, row
from kg.local.segment import Annotation, Value, fact_digest, prefix_key
from kg.local.table import TableWriter, open_array, save_array, text_key
from kg.local.words import WordsWriter
from kg.sources.curies import curie_of
from kg.sources.vocabulary import (
    ASPECT,
    DESCRIPTION_PROPERTIES,
    GC,
    IDENTIFIER_PROPERTIES,
    LABEL_PROPERTIES,
    OWL,
    RDF_TYPE,
    RELATIONS,
    SUBCLASS_OF,
    SYNONYM_PROPERTIES,
    UNNAMED_TYPES,
    is_evidence,
)
from kg.text import clean_label, fold

__all__ = ["SegmentCounts", "SegmentWriter", "value_of"]

LABEL = 0
OBSOLETE = "obsolete "  # how OBO ontologies label what they have given up
LONGEST_NAME = 500  # longer ones are texts
MOST_RELATIONS = 1 << 16
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_PARTS = {OWL + "onProperty": 0, OWL + "someValuesFrom": 1}
_LOW = (1 << 64) - 1

Node = NamedNode | BlankNode
Object = NamedNode | BlankNode | Literal
# What is done with a statement: the node's name and number, and the object.
Handler = Callable[[str, int, Object], None]


@dataclass(frozen=True, slots=True)
class SegmentCounts:
    """What a segment holds; `notes` are references and qualifiers of facts."""

    entities: int
    names: int
    notes: int


def value_of(literal: Literal) -> Value:
    """A literal in the form in which facts are kept and told apart."""
    datatype = literal.datatype.value
    plain = datatype in (_STRING, _LANGUAGE_STRING)
    return Value(literal.value, literal.language or "", "" if plain else datatype)


class SegmentWriter:
    """Takes statements one by one, then writes every table of the segment."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._cards, self._names = TableWriter(folder, "cards"), TableWriter(folder, "names")
        self._texts, self._values = TableWriter(folder, "texts"), TableWriter(folder, "values")
        self._annotations = TableWriter(folder, "annotations")
        self._acronyms, self._curies = (
            TableWriter(folder, name) for name in ("acronyms", "curies")
        )
        self._words, self._claims = WordsWriter(folder), ClaimsWriter(folder)
        self._relations: dict[str, int] = {}
        self._handlers: dict[str, Handler] = {}
        self._nodes = AdjacencyWriter(folder, self._met)
        self._number = self._nodes.node
        self._last: tuple[str, int] = ("", 0)
        # By provisional node number: whether it is the subject of a statement.
        self._subjects = bytearray()
        self._unnamed: set[int] = set()
        self._name_nodes, self._prefixes = array("I"), array("Q")
        self._acronym_nodes, self._value_relations = array("I"), array("H")
        self._restrictions: dict[int, list[int | None]] = {}

    def add(self, subject: Node, predicate: NamedNode, value: Object) -> None:
        """Index one statement of the source."""
        name = subject.value if subject.__class__ is NamedNode else node_name(subject)
        if name == self._last[0]:  # most files say all of one thing before the next
            node = self._last[1]
        else:
            node = self._number(name)
            self._subjects[node] = 1
            self._last = (name, node)
        iri = predicate.value
        handler = self._handlers.get(iri)
        if handler is None:
            handler = self._handlers[iri] = self._handler_of(iri)
        handler(name, node, value)

    def annotate(
        self, subject: Node, predicate: NamedNode, value: Object, note: Annotation
    ) -> None:
        """Keep the references and qualifiers of a fact."""
        stated = value_of(value) if isinstance(value, Literal) else node_name(value)
        digest = fact_digest(node_name(subject), predicate.value, stated)
        body = json.dumps([note.references, note.qualifiers], ensure_ascii=False)
        high = (digest >> 64).to_bytes(8, "little")
        self._annotations.add(digest & _LOW, high + body.encode("utf-8", "surrogatepass"))

    def _met(self, name: str) -> None:
        """A node's first time: it may have a short identifier, or be one of our own terms."""
        if name.startswith(GC):
            self._unnamed.add(len(self._subjects))
        self._subjects.append(0)
        curie = curie_of(name)
        if curie is not None:
            self._curies.add(text_key(curie), name.encode())

    def _handler_of(self, predicate: str) -> Handler:
        """What statements of this predicate are for; facts get a number for their relation."""
        if predicate in LABEL_PROPERTIES:
            return self._naming(LABEL, LABEL_PROPERTIES.index(predicate))
        if predicate in SYNONYM_PROPERTIES:
            return self._naming(SYNONYM_PROPERTIES[predicate], 0)
        if predicate in DESCRIPTION_PROPERTIES:
            return self._describing(DESCRIPTION_PROPERTIES.index(predicate))
        if predicate == RDF_TYPE:
            return self._add_type
        if predicate == ASPECT:
            return self._add_aspect
        if predicate in _PARTS:
            return self._restricting(_PARTS[predicate])
        claim = kind_of_claim(predicate)
        if claim is not None or predicate in IDENTIFIER_PROPERTIES:
            return self._identifying(predicate, claim)
        return self._stating(predicate) if is_evidence(predicate) else _ignore

    def _stating(self, predicate: str) -> Handler:
        relation = self._relation(predicate)
        edge, number = self._nodes.edge, self._number

        def add(name: str, node: int, value: Object) -> None:
            if value.__class__ is NamedNode:
                edge(node, relation, number(value.value))
            elif isinstance(value, Literal):
                self._add_value(name, relation, value)
            else:
                edge(node, relation, number(node_name(value)))

        return add

    def _relation(self, iri: str) -> int:
        number = self._relations.setdefault(iri, len(self._relations))
        if number >= MOST_RELATIONS:
            raise KgError(
                f"One source may have {MOST_RELATIONS:,} relations and this has more, the last "
                f"{iri[:200]}: look whether values stand where predicates belong."
            )
        return number

    def _add_value(self, name: str, relation: int, literal: Literal) -> None:
        value = value_of(literal)
        entry = row(str(relation), value.language, value.datatype, value.text)
        self._values.add(text_key(name), entry)
        self._value_relations.append(relation)

    def _naming(self, kind: int, rank: int) -> Handler:
        def add(name: str, node: int, value: Object) -> None:
            if not isinstance(value, Literal):
                return
            text = clean_label(value.value)
            if not 0 < len(text) <= LONGEST_NAME:
                return
            if text.startswith(OBSOLETE):
                self._claims.add(name, DEAD, "true")
            language = value.language or ""
            self._cards.add(text_key(name), name_entry(text, language, kind, rank))
            if not name.startswith(("_:", GC)):
                self._add_name(name, node, (text, language, kind))

        return add

    def _add_name(self, iri: str, node: int, name: tuple[str, str, int]) -> None:
        text, language, kind = name
        folded = fold(text)
        if not folded:
            return
        entry = name_row(NameRow(iri, text, language, kind))
        self._names.add(text_key(folded), entry)
        self._name_nodes.append(node)
        self._prefixes.append(prefix_key(folded))
        self._words.add_name(folded)
        short = initials(text)
        if short:
            self._acronyms.add(text_key(short), entry)
            self._acronym_nodes.append(node)

    def _describing(self, preference: int) -> Handler:
        def add(name: str, node: int, value: Object) -> None:
            if isinstance(value, Literal) and value.value.strip():
                entry = row(str(preference), value.language or "", value.value)
                self._texts.add(text_key(name), entry)
                self._words.add_text(value.value)

        return add

    def _add_type(self, name: str, node: int, value: Object) -> None:
        if isinstance(value, NamedNode):
            if value.value in UNNAMED_TYPES:
                self._unnamed.add(node)
            self._add_card(name, TYPE, value.value)

    def _add_aspect(self, name: str, node: int, value: Object) -> None:
        if isinstance(value, Literal):
            self._add_card(name, RELATION_ASPECT, value.value)

    def _add_card(self, name: str, kind: str, text: str) -> None:
        entry = card_entry(kind, text)
        if entry is not None:
            self._cards.add(text_key(name), entry)

    def _identifying(self, predicate: str, claim: str | None) -> Handler:
        shown = predicate in IDENTIFIER_PROPERTIES

        def add(name: str, node: int, value: Object) -> None:
            if isinstance(value, BlankNode):
                return
            if shown:
                self._add_card(name, IDENTIFIER, value.value)
            if claim is not None:
                self._claims.add(name, claim, value.value)

        return add

    def _restricting(self, place: int) -> Handler:
        def add(name: str, node: int, value: Object) -> None:
            if name.startswith("_:") and isinstance(value, NamedNode):
                found = self._relation(value.value) if place == 0 else self._number(value.value)
                self._restrictions.setdefault(node, [None, None])[place] = found

        return add

    def finish(self) -> SegmentCounts:
        """Write everything; what the segment holds."""
        nameable = self._nameable()
        order = self._nodes.finish(*self._meant())
        names = self._names.finish(nameable[np.frombuffer(self._name_nodes, dtype=np.uint32)])
        self._write_prefixes(names)
        self._acronyms.finish(nameable[np.frombuffer(self._acronym_nodes, dtype=np.uint32)])
        values = self._values.finish()
        self._write_relations(np.frombuffer(self._value_relations, dtype=np.uint16)[values])
        notes = self._annotations.finish()
        for table in (self._cards, self._texts, self._curies):
            table.finish()
        self._words.finish()
        self._claims.finish()
        subjects = np.frombuffer(bytes(self._subjects), dtype=np.uint8).astype(bool)
        return SegmentCounts(
            entities=int(np.count_nonzero(nameable & subjects[: len(order)])),
            names=len(names),
            notes=len(notes),
        )

    def _nameable(self) -> NDArray[np.bool_]:
        """By provisional number: whether a question may be about the node."""
        able = np.ones(len(self._nodes), dtype=bool)
        for iri in (*self._handlers, *RELATIONS):
            number = self._nodes.known(iri)
            if number is not None:
                able[number] = False
        for numbers in (self._unnamed, self._nodes.unnamed):
            able[np.fromiter(numbers, dtype=np.int64)] = False
        return able

    def _meant(self) -> tuple[Numbers, NDArray[np.uint16], Numbers]:
        """The edges, with those to class restrictions replaced by what the restrictions mean."""
        subjects, relations, objects = self._nodes.edges()
        whole = {n: parts for n, parts in self._restrictions.items() if None not in parts}
        subclass = self._relations.get(SUBCLASS_OF)
        if not whole or subclass is None:
            return subjects, relations, objects
        known = np.fromiter(whole, dtype=np.uint32)
        known.sort()
        parts = np.array([whole[int(n)] for n in known], dtype=np.uint32)
        place = np.minimum(np.searchsorted(known, objects), len(known) - 1)
        found = (known[place] == objects) & (relations == subclass)
        relations = np.where(found, parts[place, 0], relations).astype(np.uint16)
        return subjects, relations, np.where(found, parts[place, 1], objects).astype(np.uint32)

    def _write_prefixes(self, names: NDArray[np.int64]) -> None:
        keys = np.frombuffer(self._prefixes, dtype=np.uint64)[names]
        order = np.argsort(keys, kind="stable")
        save_array(self._folder / "prefixes.keys.npy", keys[order])
        save_array(self._folder / "prefixes.rows.npy", order.astype(np.uint32))

    def _write_relations(self, of_values: NDArray[np.uint16]) -> None:
        """Relations by number with how many facts each has."""
        of_edges = open_array(self._folder / "out.relations.npy")
        size = len(self._relations)
        counts = np.bincount(of_edges, minlength=size) + np.bincount(of_values, minlength=size)
        rows = list(zip(self._relations, counts.tolist(), strict=False))
        (self._folder / "relations.json").write_text(json.dumps(rows), encoding="utf-8")

    def close(self) -> None:
        """Give every file back, finished or not."""
        for one in (
            self._nodes,
            self._cards,
            self._names,
            self._texts,
            self._values,
            self._annotations,
            self._acronyms,
            self._curies,
            self._words,
            self._claims,
        ):
            one.close()


def _ignore(name: str, node: int, value: Object) -> None:
    """Bookkeeping: kept in the store only."""
