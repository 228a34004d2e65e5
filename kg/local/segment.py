"""One source's index: cards, names, words, degrees and annotations, written once per import.

Everything but the annotations is made from the source's named graph, so a segment can be rebuilt
from the store. A segment knows nothing of other sources; kg.local.graph merges them when reading.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from kg.local.cards import Card, Said, card_of, node_key
from kg.local.table import Counts, Table, TableWriter, text_key, text_keys, write_counts
from kg.local.words import Words, WordsWriter
from kg.sources.statements import Progress
from kg.sources.vocabulary import (
    DESCRIPTION_PROPERTIES,
    GC,
    RDF_TYPE,
    RELATIONS,
    UNNAMED_TYPES,
    is_evidence,
)
from kg.text import fold

__all__ = ["Annotation", "NameRow", "Segment", "SegmentCounts", "SegmentWriter", "name_rows"]

_SEPARATOR = "\x1f"
_EVERY = 20_000

Object = NamedNode | BlankNode | Literal
# Subject, predicate and object as str() writes pyoxigraph's terms.
FactTerms = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class NameRow:
    """One name of one entity. `kind`: 0 label, 1 exact synonym, 2 other synonym."""

    iri: str
    name: str
    language: str
    kind: int


@dataclass(frozen=True, slots=True)
class Annotation:
    """References and qualifiers of one fact."""

    references: tuple[str, ...]
    qualifiers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SegmentCounts:
    """What the manifest says about a source."""

    triples: int
    entities: int
    names: int


def _fact_digest(subject: str, predicate: str, value: str) -> bytes:
    text = f"{subject} {predicate} {value}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class SegmentWriter:
    """Writes a segment: annotations while statements stream by, the rest from the store."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._annotations = TableWriter(folder, "annotations")
        self._tables: list[TableWriter | WordsWriter] = [self._annotations]

    def annotate(
        self, subject: NamedNode | BlankNode, predicate: NamedNode, value: Object, note: Annotation
    ) -> None:
        """Keep the references and qualifiers of a fact."""
        digest = _fact_digest(str(subject), str(predicate), str(_as_stored(value)))
        body = json.dumps([note.references, note.qualifiers], ensure_ascii=False).encode()
        self._annotations.add(int.from_bytes(digest[:8], "little"), digest[8:] + body)

    def index(
        self, store: Store, graph: NamedNode, predicates: frozenset[str], progress: Progress
    ) -> SegmentCounts:
        """Read the source's graph once, subject by subject, and write every table."""
        cards, names = TableWriter(self._folder, "cards"), TableWriter(self._folder, "names")
        words, degrees = WordsWriter(self._folder), array("Q")
        self._tables += [cards, names, words]
        relations: Counter[str] = Counter()
        triples = entities = 0
        # Oxigraph yields a graph's quads grouped by subject (tests/kg/local/test_segment.py).
        quads = store.quads_for_pattern(None, None, None, graph)
        for subject, group in groupby(quads, key=lambda quad: quad.subject):
            said = [(quad.predicate.value, quad.object) for quad in group]
            if (triples % _EVERY) + len(said) >= _EVERY:
                progress("indexing", triples, None)
            triples += len(said)
            if not isinstance(subject, NamedNode | BlankNode):
                continue
            key = node_key(subject)
            _count(key, said, degrees, relations)
            card = card_of(said)
            if card is not None:
                cards.add(text_key(key), card.to_bytes(key))
            if isinstance(subject, NamedNode) and _is_nameable(key, said, predicates):
                entities += 1
                _write_names(key, card, names, words)
                _write_known_words(said, words)
        counts = SegmentCounts(triples, entities, len(names))
        write_counts(self._folder, "degrees", degrees)
        for table in self._tables:
            table.finish()
        (self._folder / "relations.json").write_text(json.dumps(relations), encoding="utf-8")
        return counts

    def close(self) -> None:
        """Give every file back, finished or not."""
        for table in self._tables:
            table.close()


def _as_stored(value: Object) -> Object:
    """A literal in the form that the store gives back: "007"^^xsd:integer becomes 7."""
    if not isinstance(value, Literal) or value.language or value.datatype.value.endswith("#string"):
        return value
    store, node = Store(), NamedNode("urn:x")
    store.add(Quad(node, node, value))
    stored = next(iter(store)).object
    return stored if isinstance(stored, Literal) else value


def _count(key: str, said: list[Said], degrees: array[int], relations: Counter[str]) -> None:
    """One for each end of each fact, and one for its relation."""
    own = text_key(key)
    for predicate, value in said:
        if is_evidence(predicate):
            relations[predicate] += 1
            degrees.append(own)
            if isinstance(value, NamedNode):
                degrees.append(text_key(value.value))


def _is_nameable(iri: str, said: list[Said], predicates: frozenset[str]) -> bool:
    """Whether a question may be about it: relations, our types and datasets are not linked."""
    if iri in predicates or iri in RELATIONS or iri.startswith(GC):
        return False
    return not any(
        predicate == RDF_TYPE and isinstance(value, NamedNode) and value.value in UNNAMED_TYPES
        for predicate, value in said
    )


def _write_names(iri: str, card: Card | None, names: TableWriter, words: WordsWriter) -> None:
    for name, language, kind, _ in card.names if card else ():
        folded = fold(name)
        if folded:
            row = _SEPARATOR.join((iri, name, language, str(kind)))
            names.add(text_key(folded), row.encode("utf-8", "surrogatepass"))
            words.add_name(folded)


def _write_known_words(said: list[Said], words: WordsWriter) -> None:
    for predicate, value in said:
        if predicate in DESCRIPTION_PROPERTIES and isinstance(value, Literal):
            words.add_text(value.value)


class Segment:
    """A finished segment, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.cards = Table(folder, "cards")
        self.names = Table(folder, "names")
        self.degrees = Counts(folder, "degrees")
        self.words = Words(folder)
        self._annotations = Table(folder, "annotations")

    def cards_of(self, keys: list[str]) -> Iterator[tuple[str, Card]]:
        """The cards that this source has for these node keys."""
        for position, entries in self.cards.find_many(text_keys(keys)):
            for entry in entries:
                card = Card.from_bytes(entry, keys[position])
                if card is not None:
                    yield keys[position], card

    def annotations(self, facts: Sequence[FactTerms]) -> Iterator[tuple[int, Annotation]]:
        """What was noted on these facts, with each fact's position; terms as the store writes."""
        if not facts:
            return
        digests = [_fact_digest(*fact) for fact in facts]
        keys = np.frombuffer(b"".join(digest[:8] for digest in digests), dtype="<u8")
        for position, entries in self._annotations.find_many(keys):
            for entry in entries:
                if entry[:8] == digests[position][8:]:
                    references, qualifiers = json.loads(entry[8:])
                    pairs = tuple((str(name), str(text)) for name, text in qualifiers)
                    yield position, Annotation(tuple(references), pairs)

    def relations(self) -> dict[str, int]:
        """How many facts each relation has."""
        counts: dict[str, int] = json.loads(
            (self._folder / "relations.json").read_text(encoding="utf-8")
        )
        return counts


def name_rows(entries: Iterable[bytes]) -> Iterator[NameRow]:
    """The rows of a name's entries."""
    for entry in entries:
        iri, name, language, kind = entry.decode("utf-8", "surrogatepass").split(_SEPARATOR)
        yield NameRow(iri, name, language, int(kind))
