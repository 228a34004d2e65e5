"""A scripted OpenAI-compatible server on loopback, for tests: it plays what it is told, once each.

    with FakeModel(chat("Sumatriptan ", "treats migraine [E1].")) as server:
        model = LanguageModel("fake", base_url=server.base_url)

`server.requests` holds the JSON bodies received. A `Hang` in a script waits until the test sets its
event or the server closes; an `Endless` part is sent again until the reader hangs up. A request
without a script is answered with status 500.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

__all__ = [
    "Drop",
    "Endless",
    "FakeModel",
    "Hang",
    "Script",
    "chat",
    "delta",
    "event",
    "events",
    "failure",
    "usage",
]

_LONGEST_WAIT = 30.0


@dataclass
class Hang:
    """A place in a script where the server waits for the test."""

    event: threading.Event = field(default_factory=threading.Event)
    reached: threading.Event = field(default_factory=threading.Event)


class Drop:
    """The server closes the connection without ending the answer."""


@dataclass
class Endless:
    """Bytes that the server sends again and again, as fast as they are read."""

    part: bytes


@dataclass
class Script:
    """One answer: status, headers and what is written, piece by piece."""

    parts: Sequence[bytes | Hang | Drop | Endless]
    status: int = 200
    content_type: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)


def event(document: object) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(document).encode() + b"\n\n"


def delta(text: str | None, finish: str | None = None, **fields: object) -> bytes:
    """An event that adds text to the answer."""
    change: dict[str, object] = {"content": text, **fields}
    choice = {"index": 0, "delta": change, "finish_reason": finish}
    return event({"id": "1", "object": "chat.completion.chunk", "choices": [choice]})


def usage(tokens: int) -> bytes:
    """The event with the count of tokens; it has no choices."""
    counts = {"prompt_tokens": 0, "completion_tokens": tokens, "total_tokens": tokens}
    return event({"id": "1", "object": "chat.completion.chunk", "choices": [], "usage": counts})


def events(*parts: bytes | Hang | Drop | Endless, done: bool = True) -> Script:
    """A stream of these parts."""
    return Script([*parts, *([b"data: [DONE]\n\n"] if done else [])])


def chat(*texts: str, finish: str | None = "stop", tokens: int = 7) -> Script:
    """An ordinary streamed answer."""
    return events(*(delta(text) for text in texts), delta(None, finish), usage(tokens))


def failure(status: int, body: object, content_type: str = "application/json") -> Script:
    """An error answer, at once."""
    data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return Script([data], status, content_type, {"x-should-retry": "false"})


class FakeModel:
    """The server; a context manager that starts and stops it."""

    def __init__(self, *scripts: Script, models: Iterable[str] = ("fake",)) -> None:
        self.scripts = list(scripts)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._models = tuple(models)
        self._closing = threading.Event()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                data = {
                    "object": "list",
                    "data": [{"id": m, "object": "model"} for m in fake._models],
                }
                found = self.path == "/v1/models"
                fake._play(self, failure(200 if found else 404, data if found else "nothing here"))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                fake.requests.append(json.loads(body))
                fake.headers.append({k.lower(): v for k, v in self.headers.items()})
                missing = failure(500, {"error": {"message": "no script left"}})
                fake._play(self, fake.scripts.pop(0) if fake.scripts else missing)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def base_url(self) -> str:
        return f"http://{self.address}/v1"

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def _play(self, handler: BaseHTTPRequestHandler, script: Script) -> None:
        handler.send_response(script.status)
        handler.send_header("content-type", script.content_type)
        handler.send_header("connection", "close")
        if any(isinstance(part, Drop) for part in script.parts):
            handler.send_header("content-length", "1000000")  # promised and not kept
        for name, value in script.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.close_connection = True
        try:
            for part in script.parts:
                if isinstance(part, Hang):
                    part.reached.set()
                    self._wait(part.event)
                while isinstance(part, Endless) and not self._closing.is_set():
                    handler.wfile.write(part.part)
                if isinstance(part, bytes):
                    handler.wfile.write(part)
                    handler.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            return  # the client hung up: what some tests are about

    def _wait(self, event: threading.Event) -> None:
        waited = 0.0
        while not event.wait(0.02) and not self._closing.is_set() and waited < _LONGEST_WAIT:
            waited += 0.02

    def __enter__(self) -> FakeModel:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
