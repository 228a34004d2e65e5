"""MRREL: facts between concepts, each once and one way round.

The file states every fact both ways. Rows that stand our way are read at once; of the others only
a sum over what they say is kept. Where both sums of a relation agree, as they do in a whole
release, both ways say the same. Where they differ, as in a cut file, a second reading adds what
only the other way states. Memory: a few numbers a relation; in the second reading some 16 bytes
for each row of the relations that differ.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pyoxigraph import NamedNode

from kg.sources.statements import Skipped, Statement
from kg.sources.umls.names import UmlsNames, concept_node
from kg.sources.umls.relation_names import RelationNames
from kg.sources.umls.rrf import RrfTable, concept_number, concept_of

__all__ = ["UmlsRelations"]

_MOST_FACTS = 50_000  # held in memory for one first concept


class _Row(NamedTuple):
    """A fact, and how its row states it."""

    first: str
    relation: NamedNode
    subject: str
    object: str
    turned: bool
    vocabulary: str


@dataclass(slots=True)
class _Sums:
    """Over the facts of a relation: from rows that stand our way, and from turned ones."""

    straight: int = 0
    turned: int = 0

    def differ(self) -> bool:
        """Whether a turned row may say what no other says."""
        return self.turned not in (0, self.straight)


@dataclass(slots=True)
class _Stated:
    """The facts of one relation as numbers, and the vocabularies of the turned ones."""

    straight: array[int] = field(default_factory=lambda: array("Q"))
    turned: array[int] = field(default_factory=lambda: array("Q"))
    vocabularies: array[int] = field(default_factory=lambda: array("I"))


class UmlsRelations:
    """Reads MRREL. What relates a concept to itself or to one without a name is left out."""

    def __init__(
        self, files: Sequence[Path], names: UmlsNames, relation_names: RelationNames
    ) -> None:
        self._files, self._names, self._relation_names = files, names, relation_names
        self._sums: dict[NamedNode, _Sums] = {}

    def statements(self, skipped: Skipped) -> Iterator[Statement]:
        """The facts with their vocabularies as references; then their relations' labels."""
        for _, rows in groupby(self._rows(skipped), key=attrgetter("first")):
            yield from self._facts_of_one(rows)
        if differing := {relation for relation, sums in self._sums.items() if sums.differ()}:
            yield from self._second_reading(differing)
        yield from self._relation_names.statements(node.value for node in self._sums)

    def _facts_of_one(self, rows: Iterator[_Row]) -> Iterator[Statement]:
        """The facts of one first concept; a fact from several vocabularies is one."""
        facts: dict[tuple[NamedNode, str, str], dict[str, None]] = {}
        for row in rows:
            sums = self._sums.get(row.relation)
            if sums is None:
                sums = self._sums[row.relation] = _Sums()
            number = hash((row.subject, row.object))
            if row.turned:
                sums.turned += number
                continue
            sums.straight += number
            facts.setdefault((row.relation, row.subject, row.object), {})[row.vocabulary] = None
            if len(facts) >= _MOST_FACTS:
                yield from _statements(facts)
                facts = {}
        yield from _statements(facts)

    def _rows(self, skipped: Skipped) -> Iterator[_Row]:
        names, table = self._names, RrfTable("MRREL", self._files, skipped)
        for row in table.rows():
            first, second, vocabulary = row[0], row[4], row[10]
            if not names.has(first) or not names.has(second):
                for concept in (first, second):
                    if concept_number(concept) is None:
                        table.skip_unknown_concept(concept)
                        break
                continue
            if first == second or names.is_left_out(row[14]) or not names.reads(vocabulary):
                continue
            try:
                meaning = self._relation_names.meaning(row[3], row[7])
            except KeyError:
                table.skip(f"unknown relationship {row[3]!r}, {row[7]!r}")
                continue
            if meaning is None:
                continue
            if meaning.turned or (meaning.symmetric and first < second):
                yield _Row(first, meaning.relation, first, second, True, vocabulary)
            else:
                yield _Row(first, meaning.relation, second, first, False, vocabulary)

    def _second_reading(self, relations: set[NamedNode]) -> Iterator[Statement]:
        """The facts of these relations that only turned rows state."""
        stated = {relation: _Stated() for relation in sorted(relations, key=attrgetter("value"))}
        vocabularies: dict[str, int] = {}
        for row in self._rows(Skipped()):
            facts = stated.get(row.relation)
            if facts is None:
                continue
            number = _packed(row.subject, row.object)
            if row.turned:
                facts.turned.append(number)
                facts.vocabularies.append(
                    vocabularies.setdefault(row.vocabulary, len(vocabularies))
                )
            else:
                facts.straight.append(number)
        known = list(vocabularies)
        for relation, facts in stated.items():
            yield from _only_turned(relation, facts, known)


def _statements(facts: dict[tuple[NamedNode, str, str], dict[str, None]]) -> Iterator[Statement]:
    for (relation, subject, value), vocabularies in facts.items():
        yield Statement(
            concept_node(subject), relation, concept_node(value), tuple(sorted(vocabularies))
        )


def _only_turned(relation: NamedNode, facts: _Stated, known: list[str]) -> Iterator[Statement]:
    turned = np.frombuffer(facts.turned, dtype=np.uint64)
    vocabularies = np.frombuffer(facts.vocabularies, dtype=np.uint32)
    new = np.flatnonzero(~np.isin(turned, np.frombuffer(facts.straight, dtype=np.uint64)))
    order = new[np.argsort(turned[new], kind="stable")]
    rows = zip(turned[order].tolist(), vocabularies[order].tolist(), strict=True)
    for number, group in groupby(rows, key=lambda row: row[0]):
        subject, value = concept_of(number >> 32), concept_of(number & 0xFFFFFFFF)
        vocabularies_of = dict.fromkeys(known[vocabulary] for _, vocabulary in group)
        yield from _statements({(relation, subject, value): vocabularies_of})


def _packed(subject: str, value: str) -> int:
    """Two concepts as one number of 64 bits."""
    return (concept_number(subject) or 0) << 32 | (concept_number(value) or 0)
