"""One turn: follow-up → question → retrieve → answer → check → record.

Knows nothing of Chainlit or the terminal: text and stages go out through a listener. Whatever
happens, what was asked is stored first, and what was shown is stored as it was shown.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from bot.answering.composer import compose
from bot.answering.phrases import WITHHELD
from bot.answering.prompted import stream_answer
from bot.answering.remarks import conflict_remarks
from bot.cautions import cautions_for
from bot.chat_model import BlockingModel
from bot.citations.numbers import Numbers
from bot.citations.sentences import find_markers
from bot.finding import Hearing, find_evidence
from bot.history.turns import one_turn
from bot.progress import Progress, Turn, nothing_yet, record_of
from bot.record import AnswerRecord, ModelUse
from bot.runtime import Runtime
from bot.safety import assess
from kg.deadline import Deadline
from kg.errors import BadInput, DeadlineExceeded, KgError, ModelError, Unavailable
from kg.model import Evidence, Retrieval
from kg.strategies.parameters import Parameters
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
# Dangers in which nothing from the graph is told.
_WITHHOLDING = ("self-harm", "poisoning")
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
        await _answer(runtime, progress, listener)
        await _caution(runtime, progress)
        await listener.on_stage("check")
    except asyncio.CancelledError:
        progress.status = "stopped"
        await asyncio.shield(_finish(runtime, progress, stored_turn))
        raise
    except Exception as error:
        progress.status = "failed"
        told = error if isinstance(error, KgError) else _UNEXPECTED
        progress.problems.append(told.message(progress.language))
        await _finish(runtime, progress, stored_turn)
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
        chat = BlockingModel(model, loop) if model else None
        hearing = Hearing(announce, lambda: stopped)
        return find_evidence(runtime, progress, parameters, last, chat, hearing)

    try:
        progress.retrieval = await asyncio.to_thread(run)
    finally:
        stopped = True


async def _answer(runtime: Runtime, progress: Progress, listener: Listener) -> None:
    began = time.perf_counter()

    async def show(text: str) -> None:
        progress.text += text
        await listener.on_text(text)

    async def forget() -> None:
        progress.text = ""
        await listener.on_restart()

    if progress.safety.kind in _WITHHOLDING:
        await show(WITHHELD[progress.language])
        return
    try:
        model = runtime.models.language_model() if progress.retrieval.evidence else None
        if model is not None:
            try:
                prompted = await stream_answer(
                    progress.retrieval, model, progress.numbers, show, forget
                )
            except ModelError as error:
                progress.problems.append(error.message(progress.language))
            else:
                progress.text = prompted.text
                progress.status = prompted.status
                progress.problems += prompted.problems
                progress.model = ModelUse(model.name, prompted.calls, prompted.tokens)
                cited = {item.key for item in _cited(progress)}
                progress.remarks = conflict_remarks(progress.retrieval, cited)
                return
        composed = compose(progress.retrieval, progress.numbers)
        progress.remarks = composed.remarks
        for piece in composed.answer.splitlines(keepends=True):
            await show(piece)
            await asyncio.sleep(0)  # lets Stop and the socket have their turn
    finally:
        progress.timings["answer"] = round((time.perf_counter() - began) * 1000, 2)


def _cited(progress: Progress) -> list[Evidence]:
    """The evidence that the text so far cites."""
    known = progress.numbers.known
    numbers = {number for _, _, number in find_markers(progress.text)}
    return [item for item in progress.retrieval.evidence if known.get(item.key) in numbers]


async def _caution(runtime: Runtime, progress: Progress) -> None:
    """Read who should not take what the answer names; a graph that fails is said."""
    turn, cited = progress.turn, _cited(progress)

    def run() -> tuple[str, ...]:
        graph = runtime.graph(turn.mode, turn.sources)
        deadline = Deadline.after(runtime.settings.turn_seconds)
        entities = progress.retrieval.entities
        return cautions_for(turn.question, cited, graph, progress.language, deadline, entities)

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
    history = runtime.history
    try:
        await history.call(
            history.store_answer,
            stored_turn,
            record,
            progress.numbers.known,
            message_id=turn.answer_id,
            run_id=turn.run_id,
        )
    except Unavailable as error:
        return replace(record, problems=(*record.problems, error.message(progress.language)))
    return record
