"""An answer on its way to the page: progress, streamed text, final form; to every tab that looks.

A tab that is reloaded, or left and opened again, while an answer is being written follows it from
where it is (`follow`). Everything is sent as the dictionaries of bot.page.thread.
"""

from __future__ import annotations

import asyncio

import chainlit as cl
from chainlit.chat_context import chat_context
from chainlit.emitter import BaseChainlitEmitter
from chainlit.types import ThreadDict
from chainlit.utils import utc_now

from bot.conversation import Listener
from bot.page.hygiene import StreamedText
from bot.page.texts import advice_text, message_text, stage_name, step_name, step_text
from bot.page.thread import answer_elements, run_of, step_of
from bot.record import AnswerRecord

__all__ = ["LiveAnswer", "follow"]

_running: list[LiveAnswer] = []


class LiveAnswer(Listener):
    """The answer to one message. Use as a context manager around the work."""

    def __init__(self, question: cl.Message, language: str) -> None:
        self.question = question
        self.thread = cl.context.session.thread_id
        self.message = cl.Message(content="", created_at=utc_now())
        self.run_id = self.message.parent_id or self.message.id
        self._language = language
        self._emitters: list[BaseChainlitEmitter] = [cl.context.emitter]
        self._task = asyncio.current_task()
        self._text = StreamedText()
        self._advice = ""
        self._stage = ""
        self._ended = False

    def __enter__(self) -> LiveAnswer:
        _running.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _running.remove(self)

    @property
    def shown(self) -> str:
        """The text that is shown so far."""
        return self._text.shown.strip()

    @property
    def has_step(self) -> bool:
        """Whether a step says what is being done."""
        return bool(self._stage)

    async def on_stage(self, stage: str) -> None:
        """Say what is being done. Stages come from another thread and may come late."""
        if not self._ended:
            self._stage = stage
            await self._send_step(stage_name(stage, self._language), running=True)

    async def on_advice(self, advice: str) -> None:
        """Show emergency advice at once, above what will follow."""
        await self.on_stage("mentions")  # the step stands above the message, after a reload too
        self._advice = advice_text(advice) + "\n\n"
        self._text = StreamedText(self._advice)
        await self._stream(self._text.shown, replaces=False)

    async def on_text(self, piece: str) -> None:
        """Show a piece of the answer."""
        added, replaces = self._text.add(piece)
        await self._stream(added, replaces=replaces)

    async def on_restart(self) -> None:
        """Take the text back, down to the advice."""
        self._text = StreamedText(self._advice)
        await self._stream(self._text.shown or "…", replaces=True)

    async def show(self, record: AnswerRecord) -> None:
        """Show a finished answer as it will be shown ever after."""
        await self.end_step(step_name(record), step_text(record))
        await self.end(message_text(record), is_error=record.status == "failed")
        for element in answer_elements(record, self.thread, self.message.id):
            for emitter in self._emitters:
                await emitter.send_element(element)

    async def end_step(self, name: str, text: str) -> None:
        """Give the step its final form."""
        self._ended = True
        await self._send_step(name, text=text, running=False)

    async def end(self, text: str, *, is_error: bool) -> None:
        """Give the message its final text."""
        self._ended = True
        self.message.content = text
        self.message.is_error = is_error
        self.message.streaming = False
        chat_context.add(self.message)  # what an edit of an earlier question takes away
        for emitter in self._emitters:
            await emitter.send_step(self.message.to_dict())
        if chat_context.get()[0].id == self.question.id:
            await self._renew_names()
        for emitter in self._emitters[1:]:  # Chainlit tells the first by itself
            await emitter.task_end()

    async def join(self, thread: ThreadDict) -> None:
        """Let the tab of this context follow, and put what is shown so far into `thread`."""
        await cl.context.emitter.task_start()
        # From here to the sending of `thread` nothing is awaited: no token falls between the two.
        self._emitters.append(cl.context.emitter)
        cl.context.session.current_task = self._task  # for Stop
        steps = thread["steps"]
        runs = {step["id"] for step in steps if step.get("parentId") == self.question.id}
        kept = [s for s in steps if s["id"] not in runs and s.get("parentId") not in runs]
        created = self.message.created_at or utc_now()
        kept.append(run_of(self.thread, self.run_id, self.question.id, created, running=True))
        if self._stage:
            name = stage_name(self._stage, self._language)
            kept.append(step_of(self.thread, self.run_id, created, name=name, running=True))
        if self.message.content:
            kept.append(self.message.to_dict())
        thread["steps"] = kept

    async def _renew_names(self) -> None:
        """Let the sidebar read the names again: an edit of the first question changes one.

        The page does so whenever it is told of another first question.
        """
        first = {"interaction": self.question.content, "thread_id": self.thread}
        for emitter in self._emitters:
            await emitter.emit("first_interaction", first)

    async def _stream(self, text: str, *, replaces: bool) -> None:
        if not text:
            return
        message = self.message
        message.content = text if replaces else message.content + text
        begins = not message.streaming
        message.streaming = True
        for emitter in self._emitters:
            if begins:
                await emitter.stream_start(message.to_dict())
            else:
                await emitter.send_token(message.id, text, is_sequence=replaces)

    async def _send_step(self, name: str, *, text: str = "", running: bool) -> None:
        created = self.message.created_at or utc_now()
        step = step_of(self.thread, self.run_id, created, name=name, text=text, running=running)
        for emitter in self._emitters:
            await emitter.send_step(step)


async def follow(thread: ThreadDict) -> None:
    """Let a tab that opens this conversation follow the answer that is being written in it."""
    for live in _running:
        if live.thread == thread["id"]:
            await live.join(thread)
