"""Asking a real graph, for tests of whole answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.conversation import Turn, take_turn
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.settings import load_settings
from kg.sources import import_source

__all__ = ["ask", "opened", "starter_runtime"]


@contextmanager
def opened(home: Path) -> Iterator[Runtime]:
    """A runtime over the graph of a home, without a model or an encoder."""
    runtime = Runtime(load_settings({"GRAPHCITE_HOME": str(home), "GRAPHCITE_ENCODER": "none"}))
    try:
        yield runtime
    finally:
        runtime.close()


@contextmanager
def starter_runtime(home: Path) -> Iterator[Runtime]:
    """A runtime over the starter graph alone."""
    import_source(home / "graphs" / "medical", "starter")
    with opened(home) as runtime:
        yield runtime


def ask(runtime: Runtime, question: str) -> AnswerRecord:
    """The record of one turn; every sentence that it states must be supported."""
    record = asyncio.run(take_turn(runtime, Turn(question)))
    assert {sentence.verdict for sentence in record.sentences} <= {"supported"}, record.sentences
    return record
