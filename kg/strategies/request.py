"""What a strategy is asked to do, and what it may use to do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kg.deadline import Deadline
from kg.model import LinkedEntity
from kg.protocols import ChatModel, Encoder, KnowledgeGraph, NameVectors, Reranker
from kg.strategies.parameters import Parameters

__all__ = ["Carried", "Means", "Request"]


@dataclass(frozen=True, slots=True)
class Carried:
    """What the last turn was about. Entities stand in where a follow-up names none of its own.

    With `refers_back` ("does it cause …?") they stand beside those that it names; `aspects`
    stand in where it asks for none ("what about asthma?").
    """

    entities: tuple[LinkedEntity, ...] = ()
    aspects: tuple[str, ...] = ()
    refers_back: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One question for a strategy, with what the last turn was about.

    `deadline` is for graph and ranking: what a chat model takes does not count. `on_stage` hears
    the name of each stage as it begins, from the strategy's own thread.
    """

    question: str
    language: str
    deadline: Deadline
    parameters: Parameters = field(default_factory=Parameters)
    carried: Carried = field(default_factory=Carried)
    on_stage: Callable[[str], None] = lambda stage: None


@dataclass(frozen=True, slots=True)
class Means:
    """What a strategy may use. Without an encoder, shared words rank; without a model, see each.

    `vectors` are the stored vectors of the graph's names. `model_seconds` is the longest time for
    one model call, `reranker_seconds` that for re-ranking one question.
    """

    graph: KnowledgeGraph
    encoder: Encoder | None = None
    reranker: Reranker | None = None
    model: ChatModel | None = None
    vectors: NameVectors | None = None
    model_seconds: float = 60.0
    reranker_seconds: float = 5.0
