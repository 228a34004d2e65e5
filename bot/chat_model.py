"""A LanguageModel for strategies: called from their thread, run on the event loop, blocking there.

A call waits in small steps, so that a question that is stopped ends its request to the server at
once and leaves the thread, whatever the loop does. Asking again for another form, parsing and
counting by purpose are kg.asking's.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError, Future, wait
from contextlib import aclosing

from bot.language_model import LanguageModel, Limits, Restart, Use
from kg.deadline import Deadline
from kg.errors import DeadlineExceeded, ModelError
from kg.protocols import Reply

__all__ = ["BlockingModel"]

_STEP = 0.1  # seconds between two looks at whether anybody still waits
_GRACE = 2.0  # seconds that the loop gets to say itself that the time is up


class BlockingModel:
    """A kg.protocols.ChatModel. `loop` runs in another thread than the one that calls.

    `use` grows by all that is asked, also by what fails and by what is asked again with other
    options or with room for thoughts.
    """

    def __init__(
        self, model: LanguageModel, loop: asyncio.AbstractEventLoop, use: Use | None = None
    ) -> None:
        self._model = model
        self._loop = loop
        self._use = use if use is not None else Use()
        self._over = False

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return self._model.name

    def complete(
        self, prompt: str, *, max_tokens: int, temperature: float, deadline: Deadline
    ) -> Reply:
        """The reply, thoughts taken out; `finish` is "length" where the limit cut it off.

        Raises ModelError when the model fails or the time is up, and DeadlineExceeded when the
        question was stopped or the loop is closing.
        """
        self._over = self._over or not self._loop.is_running()
        if self._over or deadline.stopped():
            raise _stopped()
        if deadline.expired:
            raise self._late()
        limits = Limits(max(_STEP, round(deadline.remaining, 1)), max_tokens, temperature)
        asked = self._reply(prompt, limits)
        try:
            future = asyncio.run_coroutine_threadsafe(asked, self._loop)
        except RuntimeError as error:  # the loop closed just now
            asked.close()
            self._over = True
            raise _stopped() from error
        return self._waited(future, deadline)

    def _waited(self, future: Future[Reply], deadline: Deadline) -> Reply:
        late = deadline.later(_GRACE)
        while not wait([future], _STEP).done:
            self._over = not self._loop.is_running()
            if self._over or late.expired:
                if not self._loop.is_closed():
                    future.cancel()
                raise _stopped() if self._over or late.stopped() else self._late()
        try:
            return future.result()
        except CancelledError as error:  # the loop cancels its tasks when it closes
            self._over = True
            raise _stopped() from error

    async def _reply(self, prompt: str, limits: Limits) -> Reply:
        use, room = self._use, self._model.room
        before = use.tokens
        try:
            text = await self._read(prompt, limits)
        except ModelError:
            if use.finish != "length" or self._model.room == room:
                raise
            text = await self._read(prompt, limits)  # now with room for its thoughts
        return Reply(text, use.tokens - before, use.finish)

    async def _read(self, prompt: str, limits: Limits) -> str:
        text, use = "", self._use
        stream = self._model.stream([{"role": "user", "content": prompt}], limits=limits, use=use)
        try:
            async with aclosing(stream) as pieces:
                async for piece in pieces:
                    text = "" if isinstance(piece, Restart) else text + piece
        except ModelError:
            if use.finish != "length" or not text.strip():
                raise
        return text.strip()

    def _late(self) -> ModelError:
        return ModelError(
            f"The language model at {self._model.address} did not answer in time.",
            chinese=f"{self._model.address} 上的语言模型没有及时回答。",
        )


def _stopped() -> DeadlineExceeded:
    return DeadlineExceeded("The question was stopped.", chinese="这个问题已被停止。")
