"""Cards: what an entity is called, by source, kept as short entries under the entity's key.

A card answers "label, synonyms, type, identifiers" for thousands of neighbours without asking the
store. The label is chosen by language; labels are plain text and markup in them means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pyoxigraph import BlankNode, NamedNode

from kg.local.rows import SEPARATOR, row, split
from kg.sources.curies import curie_of
from kg.sources.vocabulary import RELATIONS, TYPES, UNSHOWN_TYPES
from kg.text import clean_label

__all__ = [
    "IDENTIFIER",
    "LABEL",
    "RELATION_ASPECT",
    "TYPE",
    "Card",
    "Name",
    "card_entry",
    "card_of",
    "choose",
    "known_card",
    "language_rank",
    "merge",
    "name_entry",
    "node_name",
]

LABEL = 0
NAME, TYPE, IDENTIFIER, RELATION_ASPECT = "N", "T", "I", "A"
LONGEST_IDENTIFIER = 200  # a longer one helps nobody

# (value, language, kind: 0 label, 1 exact synonym, 2 other synonym; rank of the label property)
Name = tuple[str, str, int, int]


@dataclass(slots=True)
class Card:
    """Names in every language, type IRIs, identifiers, and for a relation its aspect."""

    names: list[Name] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    identifiers: list[str] = field(default_factory=list)
    aspect: str | None = None


def node_name(node: NamedNode | BlankNode) -> str:
    """What a node is stored under: the IRI itself, or the blank node's label with its mark."""
    return node.value if isinstance(node, NamedNode) else f"_:{node.value}"


def name_entry(text: str, language: str, kind: int, rank: int) -> bytes:
    """One name as a card keeps it; its text is a clean label."""
    return row(NAME, language, str(kind), str(rank), text)


def card_entry(kind: str, text: str) -> bytes | None:
    """A type, an identifier or an aspect as a card keeps it; None for what is not shown."""
    if kind == TYPE:
        if text in UNSHOWN_TYPES:
            return None
    else:
        text = clean_label(curie_of(text) or text if kind == IDENTIFIER else text)
        if not 0 < len(text) <= LONGEST_IDENTIFIER:
            return None
    return row(kind, text)


def card_of(entries: Iterable[bytes]) -> Card:
    """The card that these entries make."""
    card = Card()
    for entry in entries:
        kind, rest = split(entry, 1)
        if kind == NAME:
            language, synonym, rank, text = rest.split(SEPARATOR, 3)
            card.names.append((text, language, int(synonym), int(rank)))
        elif kind == TYPE:
            card.types.append(rest)
        elif kind == IDENTIFIER:
            card.identifiers.append(rest)
        else:
            card.aspect = min(rest, card.aspect or rest)
    if len(card.names) > 1:
        card.names.sort(key=lambda n: (n[2], n[3], n[1], n[0]))
    card.types.sort()
    card.identifiers.sort()
    return card


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
