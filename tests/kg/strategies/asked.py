"""Runs a strategy on a graph in memory, with a scripted model or without one."""

from __future__ import annotations

from typing import Any

from kg.deadline import Deadline
from kg.model import Retrieval
from kg.protocols import ChatModel, Encoder, KnowledgeGraph, NameVectors, Reranker
from kg.strategies.parameters import Parameters
from kg.strategies.request import Means, Request
from kg.strategies.retrieving import retrieve

__all__ = ["asked", "texts"]


def asked(
    strategy: str,
    question: str,
    graph: KnowledgeGraph,
    *,
    model: ChatModel | None = None,
    encoder: Encoder | None = None,
    reranker: Reranker | None = None,
    vectors: NameVectors | None = None,
    language: str = "en",
    deadline: Deadline | None = None,
    settings: dict[str, str] | None = None,
    **request: Any,
) -> Retrieval:
    """The retrieval of one question; `settings` as on the command line."""
    parameters = Parameters.read(settings or {})
    until = deadline or Deadline.after(30)
    what = Request(question, language, until, parameters, **request)
    means = Means(graph, encoder=encoder, reranker=reranker, model=model, vectors=vectors)
    return retrieve(strategy, what, means)


def texts(retrieval: Retrieval) -> list[str]:
    """The texts of the evidence, best first."""
    return [item.text for item in retrieval.evidence]
