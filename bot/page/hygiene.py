"""Text that is safe to show as Markdown on the page; the only place that knows Chainlit's traps.

Chainlit reads `:name` as a directive and removes it, shows U+200B as a blinking cursor, strikes
out text between single tildes and loads images from wherever a text says. `safe_markdown` is for
texts that are Markdown (answers); `as_text` for data that must be seen letter by letter.
"""

from __future__ import annotations

import re

from bot.page.links import is_known

__all__ = ["StreamedText", "as_text", "safe_markdown"]

# Zero-width characters and soft hyphens are noise; bidirectional overrides can reverse a dose.
_INVISIBLE = re.compile(
    "[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

_CODE = re.compile(
    r"(?:^[ ]{0,3}```[^`\n]*\n.*?(?:^[ ]{0,3}```[ ]*$|\Z)"  # a fenced block
    r"|(?<![`\\])(?P<ticks>`+)(?!`)[^`\n|]+(?P=ticks)(?!`))",  # code within a line
    re.M | re.S,
)
_LINK = re.compile(r"!?\[(?P<text>[^\]\n]*)\]\((?P<address>[^()\s]*(?:\([^()\s]*\))?)[^()\n]*\)")
_ANGLES = re.compile(r"<((?:https?|ftp)://[^<>\s]*)>", re.I)
_BARE = re.compile(r"(?<![\w/])(?:https?://|ftp://|www\.)[!-;=?-_a-~]*[#$%&+\-/0-9=@A-Za-z]", re.I)
_DEFINITION = re.compile(r"\]:")
_COLON = re.compile(r"(?<!\\):(?=[A-Za-z])")
_TILDE = re.compile(r"(?<!\\)~")
_PICTURE = re.compile(r"(?<!\\)!(?=\[)")
_STAR = re.compile(r"(?<=\w)\*(?=\w)")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!:$&])")
_INDENT = re.compile(r"^[ \t]+", re.M)
_LINE_START = re.compile(r"^([-+=]|\d+(?=[.)]))", re.M)
_CITATION = re.compile(r"\[\d+\]")
_BEFORE_CITATION = re.compile(r" +(?=\[\d+\])")
_OPEN_END = re.compile(
    r"(?: *!?\[[^\]\n]*(?:\](?:\([^()\s]*)?)?|(?:https?:|ftp:|www\.)[!-~]*|[:!\\*~<\]]+| +)\Z", re.I
)
LONGEST_HELD = 300


def safe_markdown(text: str) -> str:
    """Markdown with nothing in it that Chainlit would swallow, load or link to unknown hosts."""
    text = _CONTROL.sub("", _INVISIBLE.sub("", text))
    pieces: list[str] = []
    end = 0
    for code in _CODE.finditer(text):
        # What looks like code to us may not be code to the page: with a link in it, be careful.
        if "](" in code.group() or "![" in code.group():
            continue
        pieces += [_prose(text[end : code.start()]), code.group()]
        end = code.end()
    return "".join([*pieces, _prose(text[end:])])


def as_text(text: str) -> str:
    """Text as Markdown that shows exactly its letters."""
    text = _CONTROL.sub("", _INVISIBLE.sub("", text))
    escaped = _SPECIAL.sub(r"\\\1", _INDENT.sub("", text))
    return _LINE_START.sub(_line_start, escaped)


class StreamedText:
    """A text that arrives in pieces; what is shown of it is safe at every moment."""

    def __init__(self, shown: str = "") -> None:
        """`shown` stands before the text as it is, already safe."""
        self._before = shown
        self._raw = ""
        self.shown = shown

    def add(self, piece: str) -> tuple[str, bool]:
        """What to send for one more piece, and whether it replaces all that was sent."""
        self._raw += piece
        return self._send(_without_open_end(self._raw))

    def finish(self) -> tuple[str, bool]:
        """What to send when no more pieces come."""
        return self._send(self._raw)

    def _send(self, raw: str) -> tuple[str, bool]:
        text = self._before + safe_markdown(raw)
        added = text.removeprefix(self.shown)
        replaces = len(added) == len(text) and bool(self.shown)
        self.shown = text
        return added, replaces and added != ""


def _prose(text: str) -> str:
    while (without := _LINK.sub(_link, text)) != text:  # an image may stand inside a link
        text = without
    text = _ANGLES.sub(r"\1", text)
    pieces: list[str] = []
    end = 0
    for address in _BARE.finditer(text):
        pieces += [_marks(text[end : address.start()]), _bare(address.group())]
        end = address.end()
    return "".join([*pieces, _marks(text[end:])])


def _link(match: re.Match[str]) -> str:
    text, address = match["text"], match["address"]
    if text.isdigit():
        return f"[{text}]"  # a citation stays one
    if match.group().startswith("!") or not is_known(address):
        return text
    return f"{text} ({address})" if text else address


def _bare(address: str) -> str:
    # GitHub-flavoured Markdown makes a link of every bare address; code it leaves alone.
    return f"<{address}>" if is_known(address) else f"`{address}`"


def _marks(text: str) -> str:
    text = _DEFINITION.sub(r"]\\:", text)
    text = _COLON.sub(r"\\:", text)
    text = _TILDE.sub(r"\\~", text)
    text = _PICTURE.sub(r"\\!", text)
    text = _BEFORE_CITATION.sub("\u00a0", text)  # a citation never begins a line
    return _STAR.sub(r"\\*", text)


def _without_open_end(raw: str) -> str:
    """Hold back an end whose meaning the next piece decides: a colon, a link, a space …"""
    held = _OPEN_END.search(raw)
    if (
        held is None
        or len(held.group()) > LONGEST_HELD
        or _CITATION.fullmatch(held.group().strip())
    ):
        return raw
    return raw[: held.start()]


def _line_start(match: re.Match[str]) -> str:
    # A digit cannot be escaped; a list number is broken by escaping what follows it.
    mark = match.group()
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"
