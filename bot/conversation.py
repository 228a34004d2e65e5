"""One turn: follow-up → question → retrieve → answer → check → record.

Knows nothing of Chainlit or the terminal: text and stages go out through a listener. Whatever
happens, what was asked is stored first, and what was shown is stored as it was shown.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.cautions import cautions_for
from bot.chat_model import BlockingModel
from bot.citations.numbers import Numbers
from bot.finding import Hearing, find_evidence
from bot.history.turns import one_turn
from bot.progress import Progress, Turn, nothing_yet, record_of
from bot.record import AnswerRecord
from bot.runtime import Runtime
from bot.safety import assess
from bot.writing import write_answer
from kg.deadline import Deadline
from kg.errors import BadInput, DeadlineExceeded, KgError, Unavailable
from kg.model import Retrieval
from kg.strategies.parameters import Parameters, unused
from kg.text import clean_label, language_of

__all__ = ["LONGEST_QUESTION", "Listener", "Turn", "take_turn"]

LONGEST_QUESTION = 4000


class Listener:
    """Who follows a turn: override what should be shown. This one shows nothing."""

    async def on_advice(self, advice: str) -> None:
        """Emergency advice, before anything else is tried."""

    async def on_stage(self, stage: str) -> None:
        """The name of a stage that begins: mentions, linking, retrieval, ranking, answer, check."""

    async def on_text(self, piece: str) -> None:
        """A piece of the answer, its markers as `[1]`."""

    async def on_restart(self) -> None:
        """What was given as text so far was no part of the answer: take it back."""


_NOBODY = Listener()
_UNEXPECTED = KgError(
    "Something went wrong while answering; the log says what.",
    chinese="回答时出现意外错误，详情见日志。",
)


async def take_turn(runtime: Runtime, turn: Turn, listener: Listener = _NOBODY) -> AnswerRecord:
    """Answer one question and store the record.

    Raises KgError for what the user must be told; the question is stored even then. A cancelled
    turn stores what was shown, as stopped.
    """
    turn = replace(turn, question=turn.question.encode("utf-8", "replace").decode())
    question = _readable(turn)
    language = turn.language or language_of(question)
    safety = assess(question, language)
    if safety.advice:
        await listener.on_advice(safety.advice)
    progress = Progress(turn, language, safety, nothing_yet(turn, language), Numbers())
    async with one_turn(runtime.settings.home, turn.conversation):
        return await _take(runtime, progress, listener)


async def _take(runtime: Runtime, progress: Progress, listener: Listener) -> AnswerRecord:
    turn = progress.turn
    stored_turn = await _start(runtime, progress)
    try:
        parameters = _parameters(turn)
        await _retrieve(runtime, progress, parameters, listener)
        await listener.on_stage("answer")
        await write_answer(runtime, progress, listener.on_text, listener.on_restart)
        await _caution(runtime, progress)
        await listener.on_stage("check")
    except asyncio.CancelledError:
        progress.status = "stopped"
        await asyncio.shield(_finish(runtime, progress, stored_turn))
        raise
    except Exception as error:
        progress.status = "failed"
        told = runtime.closed or (error if isinstance(error, KgError) else _UNEXPECTED)
        progress.problems.append(told.message(progress.language))
        await _finish(runtime, progress, stored_turn)
        if runtime.closed and told is not error:  # whatever the closed parts say of it
            raise runtime.closed from error
        raise
    return await _finish(runtime, progress, stored_turn)


def _readable(turn: Turn) -> str:
    question = clean_label(turn.question)
    if not question:
        raise BadInput(
            "The question is empty: type one and send it again.",
            chinese="问题是空的：请输入问题后再发送。",
        )
    return question


def _parameters(turn: Turn) -> Parameters:
    if len(turn.question) > LONGEST_QUESTION:
        raise BadInput(
            f"The question has {len(turn.question):,} characters; at most {LONGEST_QUESTION:,} "
            "can be read: shorten it and send it again.",
            chinese=f"问题有 {len(turn.question)} 个字符，最多 {LONGEST_QUESTION} 个："
            "请缩短后再发送。",
        )
    return Parameters.read(turn.parameters)


async def _start(runtime: Runtime, progress: Progress) -> str | None:
    """Store the question. A history that is locked for long does not keep it from an answer."""
    turn = progress.turn
    if turn.conversation is None:
        return None
    history = runtime.history
    try:
        stored = await history.call(
            history.start_turn, turn.conversation, turn.question, turn.message_id, user=turn.user
        )
        progress.numbers = Numbers(await history.call(history.numbers, turn.conversation))
    except Unavailable as error:
        progress.problems.append(error.message(progress.language))
        return None
    return stored


async def _last_answer(runtime: Runtime, turn: Turn) -> AnswerRecord | None:
    if turn.conversation is None:
        return None
    return await runtime.history.call(runtime.history.last_answer, turn.conversation)


async def _retrieve(
    runtime: Runtime, progress: Progress, parameters: Parameters, listener: Listener
) -> None:
    turn = progress.turn
    last = await _last_answer(runtime, turn)
    loop = asyncio.get_running_loop()
    stopped = False

    def announce(stage: str) -> None:
        if stopped:
            raise DeadlineExceeded("The question was stopped.", chinese="问题已停止。")
        asyncio.run_coroutine_threadsafe(listener.on_stage(stage), loop)

    def run() -> Retrieval:
        model = runtime.models.language_model()
        chat = BlockingModel(model, loop, progress.asked) if model else None
        hearing = Hearing(announce, lambda: stopped or runtime.closed is not None)
        return find_evidence(runtime, progress, parameters, last, chat, hearing)

    try:
        progress.retrieval = await asyncio.to_thread(run)
    finally:
        stopped = True
    progress.found = True
    if line := unused(turn.parameters, progress.retrieval):
        progress.problems.append(line)


async def _caution(runtime: Runtime, progress: Progress) -> None:
    """Read who should not take what the answer names; a graph that fails is said."""
    question, cited, graph = progress.turn.question, progress.cited, progress.graph
    if graph is None:  # nothing was read
        return

    def run() -> tuple[str, ...]:
        deadline = Deadline.after(runtime.settings.turn_seconds)
        entities = progress.retrieval.entities
        return cautions_for(question, cited, graph, progress.language, deadline, entities)

    try:
        progress.cautions = await asyncio.to_thread(run)
    except KgError as error:  # the answer stands without them
        progress.problems.append(error.message(progress.language))


async def _finish(runtime: Runtime, progress: Progress, stored_turn: str | None) -> AnswerRecord:
    """Check the answer, make the record, store it."""
    record = await asyncio.to_thread(record_of, progress)
    turn = progress.turn
    if stored_turn is None:
        return record
    try:
        history = runtime.history
        await history.call(
            history.store_answer,
            stored_turn,
            record,
            progress.numbers.known,
            message_id=turn.answer_id,
            run_id=turn.run_id,
        )
    except Unavailable as error:
        problems = dict.fromkeys((*record.problems, error.message(progress.language)))
        return replace(record, problems=tuple(problems))
    return record
