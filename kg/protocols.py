"""What a strategy may ask for. Implementations live in kg.local and kg.ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kg.deadline import Deadline
from kg.model import Candidate, Entity, GraphIdentity, Mention, TripleSet

__all__ = ["Encoder", "KnowledgeGraph"]


class KnowledgeGraph(Protocol):
    """The questions that every graph answers, a local store as well as a SPARQL endpoint."""

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
