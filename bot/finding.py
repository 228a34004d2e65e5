"""The evidence for one turn: what it may use is loaded, a follow-up made whole, a strategy run.

Blocks, in a thread of its own; the chat model is called on the event loop from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.follow_up import carried_from, rewritten
from bot.models import Loading
from bot.progress import Progress
from bot.record import AnswerRecord, ModelUse
from bot.runtime import Runtime
from kg.asking import Asking
from kg.deadline import Deadline
from kg.errors import BadInput
from kg.model import Retrieval
from kg.protocols import ChatModel
from kg.strategies.parameters import Parameters
from kg.strategies.request import Carried, Means, Request
from kg.strategies.retrieving import retrieve
from kg.text import clean_label

__all__ = ["Hearing", "find_evidence"]


@dataclass(frozen=True, slots=True)
class Hearing:
    """Who is told of each stage, and whether anybody still waits."""

    on_stage: Callable[[str], None]
    stopped: Callable[[], bool]


def find_evidence(
    runtime: Runtime,
    progress: Progress,
    parameters: Parameters,
    last: AnswerRecord | None,
    model: ChatModel | None,
    hearing: Hearing,
) -> Retrieval:
    """The retrieval for a turn whose conversation's last answer is `last`. Raises KgError."""
    if last is not None and last.mode != progress.turn.mode:
        last = None  # nothing of a medical turn goes into an open-domain request, unless typed
    means = _means(runtime, progress, parameters, model)
    question, carried = _follow_up(progress, last, means, hearing.stopped)
    request = Request(
        question,
        progress.language,
        Deadline.after(runtime.settings.turn_seconds, hearing.stopped),
        parameters,
        carried,
        hearing.on_stage,
    )
    return retrieve(progress.turn.strategy or runtime.settings.strategy, request, means)


def _means(
    runtime: Runtime, progress: Progress, parameters: Parameters, model: ChatModel | None
) -> Means:
    """What the strategy may use; blocks while models load."""
    turn, models, settings = progress.turn, runtime.models, runtime.settings
    progress.graph = graph = runtime.graph(turn.mode, turn.sources)
    loading, language = Loading(), progress.language
    encoder = models.encoder(language, loading)
    vectors = models.vectors(graph, encoder, language, loading)
    if vectors is None and parameters.linking == "embedding":
        raise BadInput(
            "Linking by embedding alone needs stored vectors of the graph's names: run "
            "'graphcite kg vectors' with an encoder for this language.",
            chinese="仅用向量链接需要已存储的名称向量：请用支持该语言的编码器运行 "
            "graphcite kg vectors。",
        )
    reranker = models.reranker(parameters.reranker, language, loading)
    progress.timings |= loading.timings
    progress.problems += loading.problems
    return Means(
        graph,
        encoder=encoder,
        reranker=reranker,
        model=model,
        vectors=vectors,
        model_seconds=settings.model_seconds,
        reranker_seconds=settings.reranker_seconds,
    )


def _follow_up(
    progress: Progress, last: AnswerRecord | None, means: Means, stopped: Callable[[], bool]
) -> tuple[str, Carried]:
    """The question in full where a model can write it, else with what the last turn carries."""
    question = clean_label(progress.turn.question)
    if last is not None and means.model is not None:
        asking = Asking(means.model, progress.language, means.model_seconds, stopped)
        whole = rewritten(question, last, asking)
        progress.rewriting = ModelUse(None, asking.calls, asking.tokens)
        if whole:
            return whole, Carried()
    return question, carried_from(question, last)
