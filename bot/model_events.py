"""Reads what a chat server sends: server-sent events or one whole JSON document.

Every shape is checked here, so that whatever a server sends is text, a reported error (`Reported`)
or a ValueError, and nothing else. A count of tokens that cannot be read counts nothing: an answer
is not given up for it. This does not know connections, deadlines or thoughts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Change", "Events", "Reported", "error_text", "whole"]

_LINE_END = re.compile(rb"\r\n|\n|\r")
_LONGEST_EVENT = 4_000_000  # bytes: a server that never ends its line must not fill the memory
_DONE = "[DONE]"


class Reported(Exception):
    """The server reported an error where an answer should be."""

    def __init__(self, body: Any) -> None:
        self.code, self.words = error_text(body)
        super().__init__(self.words)


@dataclass(frozen=True, slots=True)
class Change:
    """What one event says: text to add, why the answer ends, tokens used so far."""

    text: str = ""
    finish: str | None = None
    tokens: int | None = None
    last: bool = False


class Events:
    """Feed the bytes of an event stream as they come; what comes back is what they change."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Change]:
        """The changes of the events that this chunk completes."""
        self._rest += chunk
        if b"\n" in chunk or b"\r" in chunk:
            # A carriage return at the very end may be half of a line end: it waits.
            ready = bytes(self._rest)
            *lines, last = _LINE_END.split(ready.removesuffix(b"\r"))
            self._rest = bytearray(last + (b"\r" if ready.endswith(b"\r") else b""))
            yield from self._read(lines)
        if len(self._rest) + self._size > _LONGEST_EVENT:
            raise ValueError("an event without an end")

    def finish(self) -> Iterator[Change]:
        """The event that the end of the stream completes."""
        yield from self._read([bytes(self._rest), b""])
        self._rest.clear()

    def _read(self, lines: list[bytes]) -> Iterator[Change]:
        for line in lines:
            field, _, value = line.rstrip(b"\r").partition(b":")
            value = value.removeprefix(b" ")
            if field == b"data":
                self._data.append(value.decode("utf-8"))
                self._size += len(value)
            elif field == b"event":
                self._name = value.decode("utf-8", "replace")
            elif not line and (self._data or self._name):
                name, data = self._name, "\n".join(self._data)
                self._name, self._data, self._size = "", [], 0
                yield _change(name, data)


def whole(body: bytes) -> Change:
    """The answer in a document that came whole although a stream was asked for."""
    text = body.decode("utf-8", "replace")
    try:
        document = json.loads(text)
    except ValueError:
        raise Reported(text) from None
    if not isinstance(document, dict) or not document.get("choices"):
        raise Reported(document)
    return _chosen(document, "message")


def error_text(body: Any) -> tuple[int | None, str]:
    """The code and the words in an error body, whatever its shape."""
    if not isinstance(body, dict):
        return None, str(body or "")
    inner = body.get("error", body)
    if not isinstance(inner, dict):
        return None, str(inner)
    code = inner.get("code") or inner.get("status")
    words = [str(inner[k]) for k in ("message", "type", "code", "detail") if inner.get(k)]
    number = re.fullmatch(r"[1-5][0-9]{2}", str(code))
    return int(number.group()) if number else None, " ".join(words) or str(inner)


def _change(name: str, data: str) -> Change:
    if data.startswith(_DONE):
        return Change(last=True)
    if name == "error":
        raise Reported(_loaded(data))
    if not data.strip():
        return Change()
    document = json.loads(data)
    if not isinstance(document, dict):
        raise ValueError(f"an event that is no object: {data[:200]}")
    if document.get("error"):
        raise Reported(document)
    return _chosen(document, "delta")


def _loaded(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data


def _chosen(document: Mapping[str, Any], field: str) -> Change:
    """The change in the first choice. First and last events often hold no choice."""
    tokens = _tokens(document.get("usage"))
    choices = document.get("choices") or []
    if not isinstance(choices, list):
        raise ValueError("choices that are no list")
    if not choices:
        return Change(tokens=tokens)
    message = _object(choices[0]).get(field)
    said = {} if message is None else _object(message)
    content = said.get("content")
    if not isinstance(content, str | None):
        raise ValueError("content that is no text")
    finish = choices[0].get("finish_reason")
    if said.get("refusal"):
        finish = "refusal"
    return Change(content or "", str(finish) if finish else None, tokens)


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a choice that is no object")
    return value


def _tokens(usage: Any) -> int | None:
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    readable = isinstance(total, int) and not isinstance(total, bool) and total > 0
    return total if readable else None
