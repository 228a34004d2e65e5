"""One source's index, memory-mapped: its facts between nodes, their values, names and texts.

A segment knows nothing of other sources; kg.local.snapshot merges them when reading. It is written
by kg.local.indexing while the source's statements stream by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xxhash import xxh3_128_intdigest

from kg.local.adjacency import Adjacency
from kg.local.cards import Card, card_of
from kg.local.rows import SEPARATOR, NameRow, name_rows, split
from kg.local.table import Keys, Table, open_array, text_key, text_keys
from kg.local.words import Words

__all__ = [
    "Annotation",
    "Segment",
    "Text",
    "Value",
    "fact_digest",
    "prefix_key",
]

PREFIX_BYTES = 8
_LOW = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Annotation:
    """References and qualifiers of one fact."""

    references: tuple[str, ...]
    qualifiers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, order=True)
class Value:
    """A literal as the source writes it; `datatype` empty for plain and language-tagged text."""

    text: str
    language: str = ""
    datatype: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A description of an entity; `preference` is the place of its property in the list."""

    preference: int
    language: str
    text: str


def fact_digest(subject: str, predicate: str, value: str | Value) -> int:
    """128 bits that stand for one statement; nodes by name, unnamed ones with their mark."""
    parts: tuple[str, ...] = (subject, predicate)
    parts += (value,) if isinstance(value, str) else (value.text, value.language, value.datatype)
    return xxh3_128_intdigest(SEPARATOR.join(parts).encode("utf-8", "surrogatepass"))


def prefix_key(folded: str) -> int:
    """The first bytes of a folded name as a number: names are ordered by their beginnings."""
    return int.from_bytes(folded.encode()[:PREFIX_BYTES].ljust(PREFIX_BYTES, b"\0"), "big")


class Segment:
    """A finished segment."""

    def __init__(self, folder: Path) -> None:
        self.adjacency = Adjacency(folder)
        self.cards = Table(folder, "cards")
        self.names = Table(folder, "names")
        self.acronyms = Table(folder, "acronyms")
        self.curies = Table(folder, "curies")
        self.claims = Table(folder, "claims")
        self.claim_digests = open_array(folder / "claims.digests.npy")
        self.words = Words(folder)
        self._texts = Table(folder, "texts")
        self._values = Table(folder, "values")
        self._annotations = Table(folder, "annotations")
        self._prefixes = open_array(folder / "prefixes.keys.npy")
        self._prefixed = open_array(folder / "prefixes.rows.npy")
        relations = json.loads((folder / "relations.json").read_text(encoding="utf-8"))
        self.relations: list[str] = [str(iri) for iri, _ in relations]
        self.relation_counts: dict[str, int] = {str(iri): int(n) for iri, n in relations if n}

    def cards_of(self, names: Sequence[str]) -> Iterator[tuple[str, Card]]:
        """The cards that this source has for these nodes."""
        for position, entries in self.cards.find_many(text_keys(names)):
            yield names[position], card_of(entries)

    def degrees(self, keys: Keys) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many facts touch the nodes of these keys, values counted too."""
        return self.adjacency.degrees(keys) + self._values.count_many(keys)

    def values(self, name: str) -> list[tuple[str, Value]]:
        """What is said of a node in literals: relation and value."""
        found = []
        for entry in self._values.find(text_key(name)):
            relation, language, datatype, text = split(entry, 3)
            found.append((self.relations[int(relation)], Value(text, language, datatype)))
        return found

    def texts(self, name: str) -> list[Text]:
        """The descriptions of a node."""
        rows = (split(entry, 2) for entry in self._texts.find(text_key(name)))
        return [Text(int(preference), language, text) for preference, language, text in rows]

    def annotations(self, digests: Sequence[int]) -> Iterator[tuple[int, Annotation]]:
        """What was noted on the facts of these digests, with each one's position."""
        keys = np.fromiter((digest & _LOW for digest in digests), dtype=np.uint64)
        for position, entries in self._annotations.find_many(keys):
            high = (digests[position] >> 64).to_bytes(8, "little")
            for entry in entries:
                if entry[:8] == high:
                    references, qualifiers = json.loads(entry[8:])
                    pairs = tuple((str(name), str(text)) for name, text in qualifiers)
                    yield position, Annotation(tuple(references), pairs)

    def names_from(self, folded: str, most: int) -> list[NameRow]:
        """Names whose folded form begins like this, some of them where there are too many."""
        encoded = folded.encode()
        low = prefix_key(folded)
        room = max(0, PREFIX_BYTES - len(encoded))
        high = low + (1 << 8 * room) - 1
        first = np.searchsorted(self._prefixes, np.uint64(low), side="left")
        last = np.searchsorted(self._prefixes, np.uint64(high), side="right")
        places = self._prefixed[first : min(last, first + most)].astype(np.int64)
        return list(name_rows(self.names.rows(places)))
