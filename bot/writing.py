"""The answer of one turn: written by the chat model where there is one, else by the composer.

A model that fails before it wrote a word gives way to the composer, which is said. With the graph
off (*base*) there is nothing to compose from: the turn then fails as the model did.
"""

from __future__ import annotations

import asyncio
import time

from bot.answering.composer import compose
from bot.answering.phrases import WITHHELD
from bot.answering.prompted import BASE, OnRestart, OnText, stream_answer
from bot.answering.remarks import conflict_remarks
from bot.progress import Progress
from bot.runtime import Runtime
from kg.errors import ModelError

__all__ = ["write_answer"]

# Dangers in which nothing from the graph is told.
_WITHHOLDING = ("self-harm", "poisoning")
_COMPOSED = {
    "en": "The answer was composed without the model.",
    "zh": "回答由程序写成，未使用语言模型。",
}


async def write_answer(
    runtime: Runtime, progress: Progress, on_text: OnText, on_restart: OnRestart
) -> None:
    """Write the answer into `progress`, each piece shown as it comes.

    Raises ModelError where the graph is off and the model gives no answer.
    """
    began = time.perf_counter()

    async def show(text: str) -> None:
        progress.text += text
        await on_text(text)

    async def forget() -> None:
        progress.text = ""
        await on_restart()

    try:
        if progress.safety.kind in _WITHHOLDING:
            await show(WITHHELD[progress.language])
        elif not await _by_model(runtime, progress, show, forget):
            await _composed(progress, show)
    finally:
        progress.timings["answer"] = round((time.perf_counter() - began) * 1000, 2)


async def _by_model(runtime: Runtime, progress: Progress, show: OnText, forget: OnRestart) -> bool:
    """Let the model write; False where there is none, nothing to write from, or it fails."""
    retrieval, base = progress.retrieval, progress.retrieval.strategy == BASE
    model = runtime.models.language_model() if retrieval.evidence or base else None
    if model is None:
        return False
    progress.writer = model.name
    try:
        prompted = await stream_answer(
            retrieval, model, progress.numbers, show, forget, progress.answering
        )
    except ModelError as error:
        progress.writer = None
        if base:
            raise
        _say_composed(progress, error)
        return False
    progress.text = prompted.text
    progress.status = prompted.status
    progress.problems += prompted.problems
    progress.remarks = conflict_remarks(retrieval, {item.key for item in progress.cited})
    return True


def _say_composed(progress: Progress, error: ModelError) -> None:
    """Say what went wrong, unless a step before failed of the same, and what was done instead."""
    cause, instead = error.message(progress.language), _COMPOSED[progress.language]
    if not any(line.startswith(cause) for line in progress.retrieval.problems):
        instead = cause + ("" if progress.language == "zh" else " ") + instead
    progress.problems.append(instead)


async def _composed(progress: Progress, show: OnText) -> None:
    composed = compose(progress.retrieval, progress.numbers)
    progress.remarks = composed.remarks
    for piece in composed.answer.splitlines(keepends=True):
        await show(piece)
        await asyncio.sleep(0)  # lets Stop and the socket have their turn
