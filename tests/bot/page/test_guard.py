"""The gate, as an ASGI application of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from bot.page.guard import Guard


async def inner(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/plain"), (b"access-control-allow-origin", b"*")]
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"secret"})
    else:
        await send({"type": "websocket.accept"})


def sent(
    kind: str = "http",
    path: str = "/",
    host: str | None = "127.0.0.1:8000",
    origin: str | None = None,
    method: str = "GET",
    allowed: tuple[str, ...] = (),
) -> list[Message]:
    messages: list[Message] = []
    headers = [(b"host", host.encode())] if host is not None else []
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    scope = {"type": kind, "path": path, "method": method, "headers": headers}

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        messages.append(message)

    asyncio.run(Guard(inner, 8000, allowed)(scope, receive, send))
    return messages


def status(**request: Any) -> int:
    return int(sent(**request)[0]["status"])


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8000", None),
        ("localhost:8000", "http://localhost:8000"),
        ("LocalHost:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_our_own_page_is_served(host: str, origin: str | None) -> None:
    assert status(host=host, origin=origin) == 200
    assert sent("websocket", host=host, origin=origin)[0]["type"] == "websocket.accept"


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("evil.test", None),
        ("evil.test:8000", None),
        ("127.0.0.1", None),
        ("127.0.0.1:8001", None),
        ("127.0.0.1.evil.test:8000", None),
        ("", None),
        (None, None),
        ("127.0.0.1:8000", "http://evil.test"),
        ("127.0.0.1:8000", "http://127.0.0.1:9999"),
        ("127.0.0.1:8000", "http://127.0.0.1"),
        ("127.0.0.1:8000", "null"),
        ("127.0.0.1:8000", ""),
        ("127.0.0.1:8000", "file://127.0.0.1:8000"),
        ("127.0.0.1:8000", "http://user@127.0.0.1:8000"),
    ],
)
def test_all_others_are_refused(host: str | None, origin: str | None) -> None:
    start, body = sent(host=host, origin=origin)
    assert start["status"] == 403
    assert body["body"] == b"This address or page may not use Graphcite.\n"
    assert sent("websocket", host=host, origin=origin) == [
        {
            "type": "websocket.close",
            "code": 1008,
            "reason": "This address or page may not use Graphcite.",
        }
    ]


def test_further_names_can_be_allowed() -> None:
    request: dict[str, Any] = {"host": "chat.example", "origin": "https://chat.example"}
    assert status(**request) == 403
    assert status(**request, allowed=("chat.example",)) == 200


def test_two_host_headers_are_refused() -> None:
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    headers = [(b"host", b"127.0.0.1:8000"), (b"host", b"evil.test")]
    scope = {"type": "http", "path": "/", "method": "GET", "headers": headers}
    asyncio.run(Guard(inner, 8000)(scope, lambda: None, send))  # type: ignore[arg-type, return-value]
    assert messages[0]["status"] == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/docs"),
        ("GET", "/docs/oauth2-redirect"),
        ("GET", "/redoc"),
        ("GET", "/openapi.json"),
        ("POST", "/mcp"),
        ("POST", "/project/file"),
        ("PUT", "/project/element"),
        ("DELETE", "/project/element/"),
        ("PUT", "/project/thread/share"),
        ("GET", "/project/share/abc"),
        ("POST", "/auth/jwt"),
        ("GET", "/copilot/index.js"),
    ],
)
def test_what_nobody_needs_is_closed(method: str, path: str) -> None:
    assert status(method=method, path=path) == 404


def test_answers_carry_the_headers() -> None:
    headers = dict(sent()[0]["headers"])
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"
    assert b"access-control-allow-origin" not in headers
    assert headers[b"content-type"] == b"text/plain"


def test_the_start_of_the_server_passes() -> None:
    passed: list[str] = []

    async def note(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["type"])

    asyncio.run(Guard(note, 8000)({"type": "lifespan"}, None, None))  # type: ignore[arg-type]
    assert passed == ["lifespan"]
