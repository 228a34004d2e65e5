"""A chat model behind any OpenAI-compatible server, streamed.

Thoughts and unfit characters are taken out, a total deadline and a longest length hold over what is
read, options that a server refuses are left out from then on, and whatever goes wrong is a
ModelError with a line for the user. An answer that breaks off raises after its text was given.
Only the base URL's own server is asked: no redirect is followed and no OPENAI_* variable is used.
This does not know prompts or evidence.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from bot import model_errors
from bot.model_errors import Server
from bot.model_events import Change, Events, Reported, error_text, whole
from bot.model_text import Characters
from bot.settings import Settings
from bot.thoughts import Restart, Thoughts
from kg.errors import ModelError

__all__ = ["LanguageModel", "Limits", "Message", "Restart", "Use"]

Message = Mapping[str, str]

_CONNECT_SECONDS = 5.0
_CHARACTERS_PER_TOKEN, _LEAST_LONGEST = 16, 20_000
_LONGEST_BODY = 4_000_000  # bytes of an answer that comes whole
_THOUGHT_TOKENS = 2000
_OUR_HEADERS = frozenset(
    "accept accept-encoding authorization connection content-length content-type host "
    "transfer-encoding user-agent".split()
)
_SENTENCE_END = re.compile(r"[.!?。！？…)\]」”\"'`*]\s*$")


@dataclass(slots=True)
class Use:
    """What calls took: filled in while they run. `finish` is the last reason given for ending."""

    calls: int = 0
    tokens: int = 0
    finish: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What holds for one call; what is None is as the settings say."""

    seconds: float | None = None
    max_tokens: int | None = None
    temperature: float | None = None


_AS_SET = Limits()


class LanguageModel:
    """One model of one server. The connection is made when first used."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        key: str | None = None,
        seconds: float = 60,
        max_tokens: int = 800,
        temperature: float = 0.2,
        offline: bool = False,
    ) -> None:
        self.name = name
        self._server = Server(base_url, name, key, offline)
        self._seconds = seconds
        self._max_tokens = max_tokens
        self._options: dict[str, Any] = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stream_options": {"include_usage": True},
        }
        self._thinks_untagged = False
        self._room = 0
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> LanguageModel | None:
        """The model that the settings name; None when they name none."""
        if settings.model is None:
            return None
        return cls(
            settings.model,
            base_url=Server.of(settings).base_url,
            key=settings.model_key,
            seconds=settings.model_seconds,
            max_tokens=settings.model_max_tokens,
            temperature=settings.model_temperature,
            offline=settings.offline,
        )

    @property
    def address(self) -> str:
        """Host and port of the server, for messages and `doctor`."""
        return self._server.address

    @property
    def room(self) -> int:
        """Tokens that a call with a limit of its own gets on top, for thoughts.

        None until a call spent all that it had without a word of answer.
        """
        return self._room

    async def stream(
        self, messages: Sequence[Message], *, limits: Limits = _AS_SET, use: Use | None = None
    ) -> AsyncGenerator[str, None]:
        """The answer in pieces. A Restart piece: what came before was thoughts, forget it.

        Raises ModelError; when text was given before, the answer was cut off there.
        """
        use = use if use is not None else Use()
        seconds = limits.seconds or self._seconds
        until = asyncio.get_running_loop().time() + seconds
        thoughts = Thoughts(hold=self._thinks_untagged)
        characters = Characters()
        given = ""
        try:
            async with aclosing(self._chunks(messages, limits, until, use)) as chunks:
                async for chunk in chunks:
                    for piece in thoughts.feed(characters.feed(chunk)):
                        given = "" if isinstance(piece, Restart) else given + piece
                        yield piece
        except TimeoutError:
            raise model_errors.timed_out(self._server, seconds) from None
        finally:
            self._thinks_untagged = self._thinks_untagged or thoughts.closed_only
        for piece in thoughts.feed(characters.finish()) + thoughts.finish():
            given += piece
            yield piece
        as_set = limits.max_tokens is None
        if not given.strip():
            if use.finish == "length":
                self._room = _THOUGHT_TOKENS
            raise model_errors.no_answer(use.finish, as_set=as_set)
        ended = use.finish == "stop" or (use.finish is None and _SENTENCE_END.search(given))
        if not ended:
            raise model_errors.cut_off(use.finish, as_set=as_set)

    async def complete(
        self, messages: Sequence[Message], *, limits: Limits = _AS_SET, use: Use | None = None
    ) -> str:
        """The whole answer at once; raises ModelError also when it was cut off."""
        text = ""
        async with aclosing(self.stream(messages, limits=limits, use=use)) as pieces:
            async for piece in pieces:
                text = "" if isinstance(piece, Restart) else text + piece
        return text.strip()

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    async def _chunks(
        self, messages: Sequence[Message], limits: Limits, until: float, use: Use
    ) -> AsyncGenerator[str, None]:
        """The text deltas as they come, up to the longest length; every failure a ModelError."""
        import httpx2  # both are heavy: only when a model is asked
        import openai

        use.finish = None
        before, length = use.tokens, 0
        tokens = (limits.max_tokens or self._max_tokens) + self._room
        longest = max(_LEAST_LONGEST, _CHARACTERS_PER_TOKEN * tokens)
        stream = None
        try:
            stream = await self._open(messages, limits, until, use)
            async with aclosing(_changes(stream.response, until)) as changes:
                async for change in changes:
                    if change.tokens:  # some servers count up in every event
                        use.tokens = before + change.tokens
                    if change.finish and use.finish != "refusal":
                        use.finish = change.finish
                    length += len(change.text)
                    if length > longest:
                        use.finish = "length"
                        yield change.text[: longest - length]
                        return
                    if change.text:
                        yield change.text
        except (ModelError, TimeoutError):
            raise
        except openai.APIError as error:
            raise await self._told(error, until) from error
        except Reported as error:
            raise model_errors.described(self._server, error.code or 200, error.words) from error
        except httpx2.TimeoutException as error:
            raise model_errors.timed_out(self._server, self._seconds) from error
        except httpx2.HTTPError as error:
            raise model_errors.cut_off(None, as_set=limits.max_tokens is None) from error
        except Exception as error:  # whatever else a server or a setting can do to its reader
            explain = model_errors.garbled if stream is not None else model_errors.not_asked
            raise explain(self._server, f"{type(error).__name__}: {error}") from error
        finally:
            if stream is not None:
                await stream.close()

    async def _open(
        self, messages: Sequence[Message], limits: Limits, until: float, use: Use
    ) -> Any:
        """Begin the call, leaving out what the server does not accept."""
        import openai

        client = self._connected()
        while True:
            use.calls += 1
            try:
                async with asyncio.timeout_at(until):
                    return await client.chat.completions.create(
                        model=self.name,
                        messages=list(messages),
                        stream=True,
                        **self._options_within(limits),
                    )
            except openai.BadRequestError as error:
                if not self._leave_out(error_text(error.body or error.message)[1]):
                    raise

    def _options_within(self, limits: Limits) -> dict[str, Any]:
        """The options that the server accepts, with this call's own values."""
        own: dict[str, Any] = {"temperature": limits.temperature}
        if limits.max_tokens is not None:
            own["max_tokens"] = own["max_completion_tokens"] = limits.max_tokens + self._room
        return {
            option: value if own.get(option) is None else own[option]
            for option, value in self._options.items()
        }

    def _leave_out(self, complaint: str) -> bool:
        """Drop or rename the option that a server complains about; False when there is none."""
        for option in ("stream_options", "max_tokens", "temperature"):
            if option in complaint and option in self._options:
                value = self._options.pop(option)
                if option == "max_tokens" and "max_completion_tokens" in complaint:
                    self._options["max_completion_tokens"] = value
                return True
        return False

    async def _told(self, error: Any, until: float) -> ModelError:
        """An error of the openai package in our words."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            if "Connect" in type(error.__cause__).__name__:
                return model_errors.unreachable(self._server, str(error))
            return model_errors.timed_out(self._server, self._seconds)
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
        except (openai.OpenAIError, TimeoutError, AttributeError, TypeError, ValueError):
            return ()

    def _connected(self) -> Any:
        """The client of the running loop: connections do not outlive the loop they were made in."""
        import httpx2
        import openai

        if refusal := self._server.refusal:
            raise refusal
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._loop = loop
            self._client = openai.AsyncOpenAI(
                api_key=self._key,
                base_url=self._server.base_url,
                max_retries=1,
                timeout=httpx2.Timeout(self._seconds, connect=_CONNECT_SECONDS),
                http_client=openai.DefaultAsyncHttpxClient(
                    # A proxy from the environment must not stand between us and this machine.
                    trust_env=not self._server.is_local,
                    follow_redirects=False,
                    event_hooks={"request": [self._only_ours]},
                ),
            )
        return self._client

    @property
    def _key(self) -> str:
        return self._server.key or "none"

    async def _only_ours(self, request: Any) -> None:
        """Drop the headers that the openai package takes from the environment and the machine."""
        for name in [name for name in request.headers if name.lower() not in _OUR_HEADERS]:
            del request.headers[name]
        request.headers["authorization"] = f"Bearer {self._key}"


async def _changes(response: Any, until: float) -> AsyncGenerator[Change, None]:
    """What the response says, event by event, with every wait under the deadline."""
    kind = str(response.headers.get("content-type", ""))
    streamed = "json" not in kind and "html" not in kind
    events, body = Events(), bytearray()
    async with aclosing(response.aiter_bytes()) as chunks:
        while True:
            async with asyncio.timeout_at(until):
                chunk = await anext(chunks, None)
            if chunk is None:
                break
            if not streamed:
                body += chunk
                if len(body) > _LONGEST_BODY:
                    raise ValueError("an answer that is too long to be one")
                continue
            for change in events.feed(chunk):
                if change.last:
                    return
                yield change
                # Where chunks are always there already, no wait gives the deadline its chance.
                if asyncio.get_running_loop().time() >= until:
                    raise TimeoutError
    if not streamed:
        yield whole(bytes(body))
        return
    for change in events.finish():
        yield change
