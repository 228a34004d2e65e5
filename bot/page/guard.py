"""The gate before everything: whose requests are answered at all, and with which headers.

Without it, a page elsewhere could point its own name at 127.0.0.1 and read conversations (DNS
rebinding), or open our socket from the user's browser. Pure ASGI: it sees sockets too. It does
not know users; ownership is checked behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard"]

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

# Routes of Chainlit that nobody here needs: descriptions of the interface, uploads, other
# programs (MCP), sharing, and writing elements from the browser.
_CLOSED = (
    "/docs",
    "/redoc",
    "/openapi.json",
    "/mcp",
    "/copilot",
    "/project/element",
    "/project/share",
    "/project/thread/share",
    "/auth/jwt",
)
_CLOSED_METHODS = {("POST", "/project/file")}

_HEADERS = {
    # Custom elements are compiled in the browser, hence unsafe-eval. Fonts and style sheets of
    # other hosts, which Chainlit's page asks for, are refused: nothing leaves the machine.
    "content-security-policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
}


class Guard:
    """ASGI middleware; see the module's docstring."""

    def __init__(self, app: ASGIApp, port: int, allowed_hosts: Iterable[str] = ()) -> None:
        """Answer to loopback names with `port`, and to `allowed_hosts` with any."""
        self._app = app
        self._authorities = {f"{name}:{port}" for name in _LOOPBACK}
        if port == 80:
            self._authorities |= set(_LOOPBACK)
        self._hosts = {host.lower() for host in allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not self._is_ours(scope):
            await _refuse(scope, send, 403, "This address or page may not use Graphcite.")
        elif _is_closed(scope):
            await _refuse(scope, send, 404, "Not offered.")
        else:
            await self._app(scope, receive, _with_headers(send))

    def _is_ours(self, scope: Scope) -> bool:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        if len(hosts) != 1 or not self._is_allowed(hosts[0]):
            return False
        return all(self._is_allowed_origin(origin) for origin in origins)

    def _is_allowed(self, authority: str) -> bool:
        authority = authority.lower()
        return authority in self._authorities or authority.partition(":")[0] in self._hosts

    def _is_allowed_origin(self, origin: str) -> bool:
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and self._is_allowed(parts.netloc)


def _is_closed(scope: Scope) -> bool:
    path = str(scope["path"]).rstrip("/")
    if (scope.get("method"), path) in _CLOSED_METHODS:
        return True
    return any(path == closed or path.startswith(closed + "/") for closed in _CLOSED)


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        # Closing before accepting is answered with 403 by the server.
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    body = f"{reason}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            _add_headers(message)
        await send(message)

    return send_with_headers


def _add_headers(message: MutableMapping[str, Any]) -> None:
    kept = [
        (name, value)
        for name, value in message.get("headers", ())
        if name.decode("latin-1").lower() not in _HEADERS
        and not name.lower().startswith(b"access-control-")
    ]
    added = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
    message["headers"] = [*kept, *added]
