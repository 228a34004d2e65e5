"""What a strategy may ask for.

Implementations live in kg.local (graph, name vectors), kg.ranking (encoders, re-rankers) and
bot.chat_model; a SPARQL endpoint answers the graph's questions as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.model import (
    CHAIN_KINDS,
    Candidate,
    ChainKind,
    ChainSet,
    Entity,
    GraphIdentity,
    Mention,
    Relation,
    TripleSet,
)

__all__ = [
    "ChainQuery",
    "ChatModel",
    "Encoder",
    "KnowledgeGraph",
    "NameVectors",
    "Reply",
    "Reranker",
]


@dataclass(frozen=True, slots=True)
class ChainQuery:
    """Which chains to find, and what makes one good before anything is read of it.

    At most `hops` each (HyKGE: k = 3); the `keep` best in all, at most `per_pair` of each pair of
    entities and kind. `worth` gives a number from 0 to 1 per relation: how well it serves the
    question; `named` are IRIs of entities that the text names, which make good middle nodes.
    `apart` are pairs of entities that no chain is sought between: a name and one inside it.
    `nested` entities are named inside longer names alone: chains that end at one are worth less.
    """

    worth: Callable[[Sequence[Relation]], NDArray[np.float64]]
    named: frozenset[str] = frozenset()
    hops: int = 3
    kinds: tuple[ChainKind, ...] = CHAIN_KINDS
    keep: int = 200
    per_pair: int = 12
    apart: frozenset[frozenset[str]] = frozenset()
    nested: frozenset[str] = frozenset()


class KnowledgeGraph(Protocol):
    """The questions that every graph answers, a local store as well as a SPARQL endpoint."""

    def pinned(self) -> KnowledgeGraph:
        """The graph as it is now: what is imported meanwhile changes nothing of what this says.

        One question reads one of these. A graph that never changes, or cannot tell, is its own.
        """
        ...

    def identity(self) -> GraphIdentity:
        """What are you: name, version and sources."""
        ...

    def mentions(self, text: str, deadline: Deadline) -> tuple[Mention, ...]:
        """Which names occur in this text, nested ones too, by start, longest first."""
        ...

    def candidates(self, name: str, language: str, deadline: Deadline) -> tuple[Candidate, ...]:
        """Which entities carry this name, best first."""
        ...

    def describe(
        self, iris: Sequence[str], language: str, deadline: Deadline
    ) -> Mapping[str, Entity]:
        """Describe these: names, type, identifiers, description. Unknown IRIs are left out."""
        ...

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        """Which facts touch this entity, in both directions; the same fact of two sources once."""
        ...

    def descriptions(self, iris: Sequence[str], language: str, deadline: Deadline) -> TripleSet:
        """Which texts say what these are (kg.reading.is_description), one entity after the other.

        As `triples` has them, but for all at once and without reading any other fact.
        """
        ...

    def chains(
        self, entities: Sequence[str], query: ChainQuery, language: str, deadline: Deadline
    ) -> ChainSet:
        """Which chains join these entities, pair by pair.

        Given one entity alone: which paths of two hops begin at it, whatever their directions.
        """
        ...


class NameVectors(Protocol):
    """The stored vectors of a graph's names (HyKGE, Algorithm 1, lines 1-3)."""

    def nearest(
        self, names: Sequence[str], language: str, most: int, deadline: Deadline
    ) -> list[tuple[Candidate, ...]]:
        """Per name the entities whose names have the greatest inner product with it (Eq. 1)."""
        ...

    @property
    def delta(self) -> float:
        """The threshold δ that was calibrated for this encoder."""
        ...


class Encoder(Protocol):
    """Text to vectors. `name` identifies model and weights: vectors are cached under it."""

    @property
    def name(self) -> str:
        """The identity of the model and its weights."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of unit length per text: shape (len(texts), dimensions)."""
        ...


class Reranker(Protocol):
    """A cross-encoder: reads both texts together."""

    @property
    def name(self) -> str:
        """The model, as the trace shows it."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes that this model may rank."""
        ...

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: Deadline) -> NDArray[np.float32]:
        """From 0 to 1 per (query, text), in order; fewer than asked when the time ran out.

        Raises ModelError when it does not answer.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat model wrote; `finish` "length" when its limit cut it off."""

    text: str
    tokens: int = 0
    finish: str | None = None


class ChatModel(Protocol):
    """A language model that answers one prompt at a time, blocking."""

    @property
    def name(self) -> str:
        """The model's name at its server."""
        ...

    def complete(
        self, prompt: str, *, max_tokens: int, temperature: float, deadline: Deadline
    ) -> Reply:
        """The reply, thoughts taken out.

        Raises ModelError when the model does not answer, DeadlineExceeded when it was stopped.
        """
        ...
