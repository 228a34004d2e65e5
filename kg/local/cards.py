"""Cards: what an entity is called, by source, kept as one small JSON text per entity.

A card answers "label, synonyms, type, identifiers" for thousands of neighbours without asking the
store. The label is chosen by language; labels are plain text and markup in them means nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.sources.curies import curie_of
from kg.sources.vocabulary import (
    ASPECT,
    IDENTIFIER_PROPERTIES,
    LABEL_PROPERTIES,
    RDF_TYPE,
    RELATIONS,
    SYNONYM_PROPERTIES,
    TYPES,
    UNSHOWN_TYPES,
)
from kg.text import clean_label

__all__ = ["Card", "Name", "Said", "card_of", "choose", "known_card", "merge", "node_key"]

LABEL = 0
_RANK = {iri: rank for rank, iri in enumerate(LABEL_PROPERTIES)}
_NAMING = frozenset(
    {*LABEL_PROPERTIES, *SYNONYM_PROPERTIES, *IDENTIFIER_PROPERTIES, RDF_TYPE, ASPECT}
)
# Longer values are texts, not names; and an identifier of that length helps nobody.
LONGEST_NAME, LONGEST_IDENTIFIER = 500, 200

# (value, language, kind: 0 label, 1 exact synonym, 2 other synonym; rank of the label property)
Name = tuple[str, str, int, int]
Node = NamedNode | BlankNode | Literal | Triple
# A predicate and a value that belong to one subject.
Said = tuple[str, Node]


@dataclass(slots=True)
class Card:
    """Names in every language, type IRIs, identifiers, and for a relation its aspect."""

    names: list[Name] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    identifiers: list[str] = field(default_factory=list)
    aspect: str | None = None

    def to_bytes(self, key: str) -> bytes:
        """As stored, with the key that it belongs to."""
        parts = [key, self.names, self.types, self.identifiers, self.aspect]
        return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes, key: str) -> Card | None:
        """The stored card, or None when it belongs to another key of the same digest."""
        stored, names, types, identifiers, aspect = json.loads(data)
        return cls(names, types, identifiers, aspect) if stored == key else None


def node_key(node: NamedNode | BlankNode) -> str:
    """What a node is stored under: the IRI itself, or the blank node's label with its mark."""
    return node.value if isinstance(node, NamedNode) else f"_:{node.value}"


def card_of(said: Iterable[Said]) -> Card | None:
    """The card of what is said of one subject, or None when nothing of it names anything."""
    card = Card()
    for predicate, value in said:
        if predicate in _NAMING:
            _add(card, predicate, value)
    if not (card.names or card.types or card.identifiers or card.aspect):
        return None
    card.names = sorted(set(card.names), key=lambda n: (n[2], n[3], n[1], n[0]))
    card.types = sorted(set(card.types))
    card.identifiers = sorted(set(card.identifiers))
    return card


def _add(card: Card, predicate: str, value: Node) -> None:
    if predicate == RDF_TYPE:
        if isinstance(value, NamedNode) and value.value not in UNSHOWN_TYPES:
            card.types.append(value.value)
    elif predicate in IDENTIFIER_PROPERTIES:
        text = value.value if isinstance(value, NamedNode | Literal) else ""
        text = clean_label(curie_of(text) or text)
        if 0 < len(text) <= LONGEST_IDENTIFIER:
            card.identifiers.append(text)
    elif isinstance(value, Literal):
        text = clean_label(value.value)
        if predicate == ASPECT:
            card.aspect = text
        elif 0 < len(text) <= LONGEST_NAME:
            kind = SYNONYM_PROPERTIES.get(predicate, LABEL)
            card.names.append((text, value.language or "", kind, _RANK.get(predicate, 0)))


def known_card(iri: str) -> Card | None:
    """The card that our own vocabulary gives a relation or type that no source labels."""
    term = RELATIONS.get(iri) or TYPES.get(iri)
    if term is None:
        return None
    names: list[Name] = [(term.english, "en", LABEL, 0), (term.chinese, "zh", LABEL, 0)]
    return Card(names, aspect=term.aspect)


def merge(cards: Sequence[Card]) -> Card:
    """One card of several sources: the first source's statements come first."""
    if len(cards) == 1:
        return cards[0]
    whole = Card()
    for card in cards:
        whole.names += [name for name in card.names if name not in whole.names]
        whole.types += [iri for iri in card.types if iri not in whole.types]
        whole.identifiers += [one for one in card.identifiers if one not in whole.identifiers]
        whole.aspect = whole.aspect or card.aspect
    return whole


def choose(names: Sequence[Name], language: str) -> str | None:
    """The label for a language: asked, untagged, English, `mul`, then any; None without labels."""
    labels = [name for name in names if name[2] == LABEL]
    if not labels:
        return None
    if len(labels) == 1:
        return labels[0][0]
    return min(labels, key=lambda n: (language_rank(n[1], language), n[3], n[1]))[0]


def language_rank(tag: str, asked: str) -> int:
    """How well a language tag serves the asked language; 0 is best."""
    tag = tag.lower()
    if tag == asked:
        return 0
    primary, _, rest = tag.partition("-")
    if primary == asked:
        traditional = any(part in ("hant", "tw", "hk", "mo") for part in rest.split("-"))
        return 2 if traditional else 1
    if not tag:
        return 3
    if primary == "en":
        return 4 if tag == "en" else 5
    return 6 if tag == "mul" else 7
