"""Takes a reasoning model's thoughts out of its streamed text.

Thoughts stand between <think> and </think>. Some servers send only the closing tag: then all text
before it was thought, and a `Restart` tells so. A tag in code or quotes is text about the tag.
"""

from __future__ import annotations

import re

__all__ = ["Restart", "Thoughts"]

_TAG = re.compile(r"(?<![`'\"“‘「])<(/?)think(?:ing)?>", re.IGNORECASE)
_CLOSING_TAG = re.compile(r"<(/)think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "</think>", "<thinking>", "</thinking>")
_QUOTES = "`'\"“‘「"


class Restart(str):
    """Stands in the stream where everything before turns out to be thoughts. It is empty."""

    __slots__ = ()


class Thoughts:
    """Feed text; what comes back holds no thoughts. `hold` keeps all back until a closing tag."""

    def __init__(self, *, hold: bool = False) -> None:
        self.closed_only = False  # a closing tag came without an opening one
        self._hold = hold
        self._buffer = ""
        self._before = ""  # the character shown last: a quote before a tag makes it text
        self._inside = False
        self._opened = False
        self._shown = False

    def feed(self, text: str) -> list[str]:
        """The pieces to show now; a Restart takes back what was shown before it."""
        self._buffer += text
        pieces: list[str] = []
        while match := self._next_tag():
            start, end = (place - len(self._before) for place in match.span())
            before, self._buffer = self._buffer[:start], self._buffer[end:]
            self._tag(before, bool(match[1]), pieces)
            self._before = ""
        if not self._inside and not self._hold:
            kept = _half_tag(self._buffer)
            ready, self._buffer = (
                self._buffer[: len(self._buffer) - kept],
                _tail(self._buffer, kept),
            )
            self._show(ready, pieces)
        return pieces

    def finish(self) -> list[str]:
        """The rest; text behind an opening tag that never closed is thought."""
        pieces: list[str] = []
        if not self._inside:
            self._show(self._buffer, pieces)
        self._buffer = ""
        return pieces

    def _next_tag(self) -> re.Match[str] | None:
        pattern = _CLOSING_TAG if self._inside else _TAG
        return pattern.search(self._before + self._buffer)

    def _tag(self, before: str, closing: bool, pieces: list[str]) -> None:
        if not closing:
            if not self._inside:
                self._show(before, pieces)
            self._inside = self._opened = True
            return
        if not self._opened:
            self.closed_only = True
            if self._shown or pieces:
                pieces[:] = [Restart()]
            self._shown = False
        self._inside = self._hold = False

    def _show(self, text: str, pieces: list[str]) -> None:
        if text:
            pieces.append(text)
            self._before = text[-1] if text[-1] in _QUOTES else ""
            self._shown = self._shown or bool(text.strip())


def _half_tag(text: str) -> int:
    """How many characters at the end may be the beginning of a tag."""
    start = text.rfind("<")
    if start < 0:
        return 0
    tail = text[start:].lower()
    return len(tail) if any(tag.startswith(tail) for tag in _TAGS) else 0


def _tail(text: str, length: int) -> str:
    return text[len(text) - length :]
