"""A chat model behind any OpenAI-compatible server, streamed.

Thoughts are taken out, a total deadline holds over every read, options that a server refuses are
left out from then on, and whatever goes wrong is a ModelError with a line for the user. An answer
that breaks off raises after its text was given. This does not know prompts or evidence.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from bot import model_errors
from bot.model_errors import Server, error_text
from bot.settings import Settings
from bot.thoughts import Restart, Thoughts
from kg.errors import ModelError

__all__ = ["LanguageModel", "Message", "Restart", "Use"]

Message = Mapping[str, str]

_OPENAI = "https://api.openai.com/v1"
_CONNECT_SECONDS = 5.0
_SENTENCE_END = re.compile(r"[.!?。！？…)\]」”\"'`*]\s*$")


@dataclass(slots=True)
class Use:
    """What calls took: filled in while they run. `finish` is the last reason given for ending."""

    calls: int = 0
    tokens: int = 0
    finish: str | None = None


class LanguageModel:
    """One model of one server. The connection is made when first used."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        seconds: float = 60,
        max_tokens: int = 800,
        temperature: float = 0.2,
    ) -> None:
        self.name = name
        self._base_url = base_url or _OPENAI
        self._server = Server(self._base_url, name, key)
        self._seconds = seconds
        self._options: dict[str, Any] = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stream_options": {"include_usage": True},
        }
        self._thinks_untagged = False
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> LanguageModel | None:
        """The model that the settings name; None when they name none."""
        if settings.model is None:
            return None
        return cls(
            settings.model,
            base_url=settings.model_base_url,
            key=settings.model_key,
            seconds=settings.model_seconds,
            max_tokens=settings.model_max_tokens,
            temperature=settings.model_temperature,
        )

    @property
    def address(self) -> str:
        """Host and port of the server, for messages and `doctor`."""
        return self._server.address

    async def stream(
        self, messages: Sequence[Message], *, seconds: float | None = None, use: Use | None = None
    ) -> AsyncGenerator[str, None]:
        """The answer in pieces. A Restart piece: what came before was thoughts, forget it.

        Raises ModelError; when text was given before, the answer was cut off there.
        """
        use = use if use is not None else Use()
        limit = seconds or self._seconds
        until = asyncio.get_running_loop().time() + limit
        thoughts = Thoughts(hold=self._thinks_untagged)
        halves = _Halves()
        given = ""
        try:
            async with aclosing(self._chunks(messages, until, use)) as chunks:
                async for chunk in chunks:
                    for piece in thoughts.feed(halves.feed(chunk)):
                        given = "" if isinstance(piece, Restart) else given + piece
                        yield piece
        except TimeoutError:
            raise model_errors.timed_out(self._server, limit) from None
        finally:
            self._thinks_untagged = self._thinks_untagged or thoughts.closed_only
        for piece in thoughts.feed(halves.finish()) + thoughts.finish():
            given += piece
            yield piece
        if not given.strip():
            raise model_errors.no_answer(self._server, use.finish)
        ended = use.finish == "stop" or (use.finish is None and _SENTENCE_END.search(given))
        if not ended:
            raise model_errors.cut_off(self._server, use.finish)

    async def complete(
        self, messages: Sequence[Message], *, seconds: float | None = None, use: Use | None = None
    ) -> str:
        """The whole answer at once; raises ModelError also when it was cut off."""
        text = ""
        async with aclosing(self.stream(messages, seconds=seconds, use=use)) as pieces:
            async for piece in pieces:
                text = "" if isinstance(piece, Restart) else text + piece
        return text.strip()

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    async def _chunks(
        self, messages: Sequence[Message], until: float, use: Use
    ) -> AsyncGenerator[str, None]:
        """The text deltas as they come, with every wait under the deadline."""
        import httpx2  # both are heavy: only when a model is asked
        import openai

        use.finish = None
        before = use.tokens
        stream = None
        try:
            stream = await self._open(messages, until, use)
            if not _is_event_stream(stream):
                async with asyncio.timeout_at(until):
                    body = await stream.response.aread()
                yield self._whole(body, use)
                return
            events = stream.__aiter__()
            while True:
                async with asyncio.timeout_at(until):
                    event = await anext(events, None)
                if event is None:
                    return
                if usage := getattr(event, "usage", None):  # some servers count up in every event
                    use.tokens = before + int(getattr(usage, "total_tokens", 0) or 0)
                if text := _text_of(event, use):
                    yield text
        except openai.APIError as error:
            began = stream is not None
            raise await self._told(error, until, began) from error
        except httpx2.HTTPError as error:
            raise model_errors.cut_off(self._server, None) from error
        finally:
            if stream is not None:
                await stream.close()

    async def _open(self, messages: Sequence[Message], until: float, use: Use) -> Any:
        """Begin the call, leaving out what the server does not accept."""
        import openai

        client = self._connected()
        while True:
            use.calls += 1
            try:
                async with asyncio.timeout_at(until):
                    return await client.chat.completions.create(
                        model=self.name, messages=list(messages), stream=True, **self._options
                    )
            except openai.BadRequestError as error:
                if not self._leave_out(error_text(error.body or error.message)[1]):
                    raise

    def _leave_out(self, complaint: str) -> bool:
        """Drop or rename the option that a server complains about; False when there is none."""
        for option in ("stream_options", "max_tokens", "temperature"):
            if option in complaint and option in self._options:
                value = self._options.pop(option)
                if option == "max_tokens" and "max_completion_tokens" in complaint:
                    self._options["max_completion_tokens"] = value
                return True
        return False

    def _whole(self, body: bytes, use: Use) -> str:
        """The text of an answer that came whole although a stream was asked for."""
        try:
            document = json.loads(body)
        except ValueError:
            document = body.decode("utf-8", "replace")
        if not isinstance(document, dict) or not document.get("choices"):
            code, words = error_text(document)
            raise model_errors.described(self._server, code or 200, words)
        choice = document["choices"][0]
        message = choice.get("message") or {}
        use.finish = "refusal" if message.get("refusal") else choice.get("finish_reason")
        use.tokens += int((document.get("usage") or {}).get("total_tokens") or 0)
        return str(message.get("content") or "")

    async def _told(self, error: Any, until: float, began: bool) -> ModelError:
        """An error of the openai package in our words; `began`: the server was answering."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            if "Connect" in type(error.__cause__).__name__:
                return model_errors.unreachable(self._server, str(error))
            return model_errors.timed_out(self._server, self._seconds)
        if isinstance(error, openai.APIConnectionError) and began:
            return model_errors.cut_off(self._server, None)
        if isinstance(error, openai.APIConnectionError):
            return model_errors.unreachable(self._server, str(error.__cause__ or error))
        status = getattr(error, "status_code", None)
        code, words = error_text(error.body or error.message)
        models = await self._models(until) if status in (400, 404) else ()
        return model_errors.described(self._server, status or code, words, models)

    async def _models(self, until: float) -> tuple[str, ...]:
        """The models that the server says it has; empty when it does not say."""
        import openai

        now = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(min(until, now + _CONNECT_SECONDS)):
                page = await self._connected().with_options(max_retries=0).models.list()
            return tuple(sorted(str(model.id) for model in page.data or ()))
        except (openai.OpenAIError, TimeoutError, AttributeError, ValueError):
            return ()

    def _connected(self) -> Any:
        """The client of the running loop: connections do not outlive the loop they were made in."""
        import httpx2
        import openai

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            local = (urlsplit(self._base_url).hostname or "") in ("127.0.0.1", "localhost", "::1")
            self._loop = loop
            self._client = openai.AsyncOpenAI(
                api_key=self._server.key or "none",
                base_url=self._base_url,
                max_retries=1,
                timeout=httpx2.Timeout(self._seconds, connect=_CONNECT_SECONDS),
                # A proxy from the environment must not stand between us and this machine.
                http_client=openai.DefaultAsyncHttpxClient(trust_env=not local),
            )
        return self._client


def _is_event_stream(stream: Any) -> bool:
    kind = str(stream.response.headers.get("content-type", ""))
    return "json" not in kind and "html" not in kind


def _text_of(event: Any, use: Use) -> str:
    """What an event adds to the answer. First and last events often hold no choice."""
    if not getattr(event, "choices", None):
        return ""
    choice = event.choices[0]
    if choice.finish_reason and use.finish != "refusal":
        use.finish = choice.finish_reason
    delta = choice.delta
    if delta is None:
        return ""
    if getattr(delta, "refusal", None):
        use.finish = "refusal"
    return delta.content or ""


class _Halves:
    """Joins characters outside the basic plane that a server sent as two halves."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return _joined(text)

    def finish(self) -> str:
        rest, self._half = self._half, ""
        return _joined(rest)


def _joined(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
