"""Takes a reasoning model's thoughts out of its streamed text.

Thoughts stand between <think> and </think> (or thinking, thought, reasoning) at the very beginning,
or in a channel of their own (`<|channel|>analysis<|message|>…<|end|>`). An opening tag further on
is text about the tag. Some servers send only the closing tag: then all text before it was thought,
and a `Restart` tells so; a closing tag after a quote or after an opening tag is text as well.
"""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Restart", "Thoughts"]

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPENING = re.compile(rf"<({'|'.join(_NAMES)})>", re.IGNORECASE)
_TAG = re.compile(rf"<(/?)(?:{'|'.join(_NAMES)})>", re.IGNORECASE)
_TAGS = tuple(f"<{slash}{name}>" for slash in ("/", "") for name in _NAMES)
_QUOTES = frozenset("`'\"“‘「")

# A message of a channel: its head names the channel, the reader gets `final` alone.
_HEAD = re.compile(
    r"(?:<\|start\|>[^<]{0,60})?<\|channel\|>\s*(\w+)[^<]{0,100}"
    r"(?:<\|constrain\|>[^<]{0,60})?<\|message\|>"
)
_HEAD_STARTS = ("<|start|>", "<|channel|>")
_LONGEST_HEAD = 300
_MESSAGE_END = re.compile(r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)")
_ENDS = ("<|end|>", "<|return|>", "<|call|>", *_HEAD_STARTS)


class Restart(str):
    """Stands in the stream where everything before turns out to be thoughts. It is empty."""

    __slots__ = ()


class Thoughts:
    """Feed text; what comes back holds no thoughts. `hold` keeps all back until a closing tag."""

    def __init__(self, *, hold: bool = False) -> None:
        self.closed_only = False  # a closing tag came without an opening one
        self._hold = hold
        self._buffer = ""
        self._place: Literal["beginning", "thoughts", "answer"] = "beginning"
        self._closing = _MESSAGE_END  # what ends the thoughts we are in
        self._channels = False
        self._tag_seen = False  # from then on a closing tag is text
        self._before = ""  # the character shown last: a quote before a tag makes it text
        self._shown = False

    def feed(self, text: str) -> list[str]:
        """The pieces to show now; a Restart takes back what was shown before it."""
        self._buffer += text
        return self._read(final=False)

    def finish(self) -> list[str]:
        """The rest; text behind an opening tag that never closed is thought."""
        self._hold = False
        return self._read(final=True)

    def _read(self, final: bool) -> list[str]:
        pieces: list[str] = []
        steps = {"beginning": self._begin, "thoughts": self._skip, "answer": self._answer}
        while steps[self._place](pieces, final):
            pass
        return pieces

    # Each step tells whether it got to another place, so that there is more to read now.

    def _begin(self, pieces: list[str], final: bool) -> bool:
        self._buffer = self._buffer.lstrip()
        if head := _HEAD.match(self._buffer):
            self._channels = self._tag_seen = True
            self._take(head.end())
            self._closing = _MESSAGE_END
            self._place = "answer" if head[1] == "final" else "thoughts"
            return True
        if opening := _OPENING.match(self._buffer):
            name = "think(?:ing)?" if opening[1].lower().startswith("think") else opening[1]
            self._closing = re.compile(f"</{name}>", re.IGNORECASE)
            self._tag_seen = True
            self._take(opening.end())
            self._place = "thoughts"
            return True
        if mark := next((mark for mark in _HEAD_STARTS if self._buffer.startswith(mark)), ""):
            if not final and len(self._buffer) < _LONGEST_HEAD:
                return False
            self._take(len(self._buffer) if final else len(mark))  # a head cut off, or none
        elif not final and _begins(self._buffer, (*_TAGS, *_HEAD_STARTS)):
            return False
        self._place = "answer"
        return True

    def _skip(self, pieces: list[str], final: bool) -> bool:
        closing = self._closing.search(self._buffer)
        if closing is None:
            self._take(max(0, len(self._buffer) - max(map(len, (*_TAGS, *_ENDS)))))
            return False
        self._take(closing.end())
        self._place = "beginning"
        return True

    def _answer(self, pieces: list[str], final: bool) -> bool:
        if self._channels and (end := _MESSAGE_END.search(self._buffer)):
            self._show(self._take(end.start()), pieces)
            self._take(end.end() - end.start())
            self._place = "beginning"
            return True
        if closing := self._closing_tag():
            self._take(closing.end())
            self.closed_only = self._tag_seen = True
            if self._shown:
                pieces[:] = [Restart()]
            self._hold = self._shown = False
            self._place = "beginning"
            return True
        if not self._hold:
            kept = 0 if final else _half(self._buffer, _ENDS if self._channels else _TAGS)
            self._show(self._take(len(self._buffer) - kept), pieces)
        return False

    def _closing_tag(self) -> re.Match[str] | None:
        """The tag that makes all before it thoughts, in what is not shown yet."""
        for tag in () if self._tag_seen else _TAG.finditer(self._buffer):
            if (self._before + self._buffer[: tag.start()])[-1:] in _QUOTES:
                continue
            if tag[1]:
                return tag
            if not self._hold:
                self._tag_seen = True
                return None
        return None

    def _take(self, length: int) -> str:
        taken, self._buffer = self._buffer[:length], self._buffer[length:]
        return taken

    def _show(self, text: str, pieces: list[str]) -> None:
        if text:
            pieces.append(text)
            self._before = text[-1]
            self._shown = self._shown or bool(text.strip())


def _half(text: str, marks: tuple[str, ...]) -> int:
    """How many characters at the end may be the beginning of a mark."""
    start = text.rfind("<")
    return len(text) - start if start >= 0 and _begins(text[start:], marks) else 0


def _begins(text: str, marks: tuple[str, ...]) -> bool:
    return any(mark.startswith(text.lower()) for mark in marks)
