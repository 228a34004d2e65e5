"""The values that a question's evidence is made of. All are frozen; none knows where it came from.

A *triple* is one fact of the graph with its sources; a *hop* is a triple walked in one direction;
a *path* is a chain of hops from one entity to another; an *evidence* item is what a citation points
at: one triple, one multi-hop path, or a description.
A *retrieval* is the whole trace of one question, and what the record stores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "CHAIN_KINDS",
    "Candidate",
    "ChainKind",
    "ChainSet",
    "Entity",
    "Evidence",
    "EvidenceKind",
    "GraphIdentity",
    "Hop",
    "LinkedEntity",
    "Mention",
    "Origin",
    "Path",
    "Relation",
    "Retrieval",
    "Source",
    "Triple",
    "TripleSet",
    "evidence_key",
]

ChainKind = Literal["path", "co-ancestor", "co-occurrence"]
CHAIN_KINDS: tuple[ChainKind, ...] = ("path", "co-ancestor", "co-occurrence")
EvidenceKind = Literal["triple", "path", "co-ancestor", "co-occurrence", "description"]
Origin = Literal["question", "hypothesis"]
HowLinked = Literal["exact", "folded", "abbreviation", "prefix", "fuzzy", "embedding", "carried"]


@dataclass(frozen=True, slots=True)
class Source:
    """One named graph: where a fact was read. `date` is ISO 8601, `licence` as its owner says."""

    name: str
    title: str
    version: str | None = None
    licence: str | None = None
    date: str | None = None
    homepage: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A node, or a literal (`iri` None, the value as label, with `datatype` or `language`).

    `iri` is the one that the source states; `concept` the IRI by which the same thing is known
    over all sources, None where that is `iri` itself. `synonyms` hold the names in every language,
    so that a sentence in either can be checked; `identifiers` are CURIEs such as HP:0001166, the
    entity's own first, cross-references after.
    """

    iri: str | None
    label: str
    synonyms: tuple[str, ...] = ()
    type: str | None = None
    language: str | None = None
    datatype: str | None = None
    identifiers: tuple[str, ...] = ()
    description: str | None = None
    concept: str | None = None

    @property
    def key(self) -> str | None:
        """The IRI that two ids of one thing have in common; None for a literal."""
        return self.concept or self.iri


@dataclass(frozen=True, slots=True)
class Relation:
    """A predicate with its label in the question's language and its aspect (kg.aspects)."""

    iri: str
    label: str
    aspect: str = "other"


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact as the graph states it. Qualifiers are (name, value) pairs, e.g. frequency.

    Sources that state it of other ids of the same things are in `stated_of`: source name, subject
    and object IRI.
    """

    subject: Entity
    relation: Relation
    object: Entity
    sources: tuple[Source, ...]
    references: tuple[str, ...] = ()
    qualifiers: tuple[tuple[str, str], ...] = ()
    stated_of: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Hop:
    """A triple and the direction in which it was walked; the triple itself is never turned."""

    triple: Triple
    forward: bool = True


@dataclass(frozen=True, slots=True)
class Path:
    """A chain between two entities (HyKGE, Eqs. 5-7), hop by hop from the first to the second.

    In a *path* all hops go forward; in a *co-ancestor* chain first forward, then backward; in a
    *co-occurrence* chain first backward, then forward. `score` is the graph's cheap one.
    """

    kind: ChainKind
    hops: tuple[Hop, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ChainSet:
    """The best chains, best first, and the exact number of all by kind.

    `complete` is False when the time or a limit cut the search off: the numbers are then too low.
    """

    chains: tuple[Path, ...]
    found: Mapping[ChainKind, int]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one citation points at. `scores` by stage; `rank` counts from 1.

    `fragment`: the part of question and hypothesis that a chain fits best (HyKGE, Eq. 8).
    """

    key: str
    kind: EvidenceKind
    hops: tuple[Hop, ...]
    text: str
    origin: Origin = "question"
    scores: Mapping[str, float] = field(default_factory=dict)
    rank: int = 0
    fragment: str | None = None

    @property
    def is_description(self) -> bool:
        """Whether this is a text about an entity rather than a relation between two."""
        if self.kind == "description":
            return True
        return bool(self.hops) and self.hops[0].triple.relation.aspect == "definition"


def evidence_key(kind: EvidenceKind, hops: tuple[Hop, ...]) -> str:
    """The identity of an evidence item: a digest of kind, hop terms with direction, and sources.

    The same fact keeps its key through a conversation and after a restart; a triple alone and
    the same triple inside a path are two items.
    """
    parts: list[str] = [kind]
    for hop in hops:
        triple = hop.triple
        obj = triple.object
        value = obj.iri or f'"{obj.label}"^^{obj.datatype or ""}@{obj.language or ""}'
        parts += [triple.subject.iri or "", triple.relation.iri, value]
        parts.append("forward" if hop.forward else "backward")
        parts += sorted(source.name for source in triple.sources)
    return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Mention:
    """A span that a name of the graph occurs in: text[start:end] == `text`.

    `origin` says which text: the question, or the hypothesis that a model wrote on it.
    """

    text: str
    start: int
    end: int
    origin: Origin = "question"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that carries a name, how the name matched, and how well (0 to 1)."""

    iri: str
    label: str
    score: float
    how: HowLinked
    type: str | None = None


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """The entity that a mention was taken for, with the others it might have meant.

    A `nested` one is named inside a longer name: it anchors chains, and nobody asked for it.
    """

    mention: str
    iri: str
    label: str
    score: float
    how: HowLinked
    origin: Origin = "question"
    candidates: tuple[Candidate, ...] = ()
    nested: bool = False


@dataclass(frozen=True, slots=True)
class GraphIdentity:
    """What a graph is: its name, the version (digest of its sources' versions) and its sources."""

    name: str
    version: str
    sources: tuple[Source, ...]
    endpoint: str | None = None


@dataclass(frozen=True, slots=True)
class TripleSet:
    """Triples that touch one entity; `complete` is False when a limit or the time cut it off."""

    triples: tuple[Triple, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The trace of one question: everything that led to its evidence. Timings in milliseconds.

    `conflicts` are pairs of evidence keys: an item, and one that denies it (kg.conflicts).
    `hypothesis` and `notes` are what a model wrote on the way, unverified, notes by their job;
    `calls` and `tokens` what that took, calls by their purpose.
    """

    question: str
    language: str
    aspects: tuple[str, ...]
    strategy: str
    parameters: Mapping[str, object]
    why: str | None
    mentions: tuple[Mention, ...]
    entities: tuple[LinkedEntity, ...]
    evidence: tuple[Evidence, ...]
    graph: GraphIdentity
    triples_found: int = 0
    found_by_aspect: Mapping[str, int] = field(default_factory=dict)
    hypothesis: str | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    chains_found: Mapping[ChainKind, int] = field(default_factory=dict)
    chains_kept: int = 0
    conflicts: tuple[tuple[str, str], ...] = ()
    queries: tuple[str, ...] = ()
    calls: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0
    timings: Mapping[str, float] = field(default_factory=dict)
    complete: bool = True
    problems: tuple[str, ...] = ()
