"""OBO 1.4 text as stanzas of tags: escapes, quoted text, reference lists, modifiers, comments.

Written by hand because parsers that refuse a whole ontology for one odd line are of no use here:
a line that cannot be read is reported with file, line and term, counted, and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kg.errors import BadInput
from kg.sources.lines import LineFile
from kg.sources.statements import Skipped
from kg.text import clean_label

__all__ = ["Quoted", "Stanza", "Tag", "identifier", "plain", "quoted", "stanzas"]

_STANZA = re.compile(r"\[(\w+)\]\s*")
_TAG = re.compile(r"([A-Za-z][\w-]*):\s*(.*)")
LONGEST = 1 << 20  # characters of a line
MOST_TAGS = 200_000  # of one stanza
# {source="A:1", lang=en} at the end of a value
_MODIFIERS = re.compile(r"\{\s*[\w:.-]+\s*=[^{}]*\}")
_COMMENT = re.compile(r"(?<!\\)\s!\s.*$|\s!$")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(.*)')
_REFERENCES = re.compile(r"\[([^\[\]{}]*)\]")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": " ", "W": " ", "t": " "}


@dataclass(frozen=True, slots=True)
class Tag:
    """One line of a stanza."""

    name: str
    value: str
    line: int


@dataclass(slots=True)
class Stanza:
    """A header (kind ''), [Term], [Typedef] or other stanza with its readable lines."""

    kind: str
    line: int
    tags: list[Tag] = field(default_factory=list)
    unreadable: list[Tag] = field(default_factory=list)

    def first(self, name: str) -> str | None:
        """The plain value of the first tag of that name."""
        return next((plain(tag.value) for tag in self.tags if tag.name == name), None)

    def all(self, name: str) -> Iterator[Tag]:
        """The tags of that name."""
        return (tag for tag in self.tags if tag.name == name)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A value of the form "text" WORD … [references]; `sound` False when the list is odd."""

    text: str
    words: tuple[str, ...]
    sound: bool


def stanzas(path: Path, skipped: Skipped) -> Iterator[Stanza]:
    """The header and the stanzas of a file, in order; BadInput for one without end."""
    stanza = Stanza("", 1)
    for number, line in LineFile([path], skipped).lines():
        line = line.strip()
        if not line or line.startswith("!"):
            continue
        if len(line) > LONGEST:
            stanza.unreadable.append(Tag("", f"longer than 1 MB: {line[:40]}", number))
        elif match := _STANZA.fullmatch(line):
            yield stanza
            stanza = Stanza(match.group(1), number)
        elif match := _TAG.fullmatch(line):
            stanza.tags.append(Tag(match.group(1), match.group(2), number))
        else:
            stanza.unreadable.append(Tag("", line, number))
        if len(stanza.tags) + len(stanza.unreadable) > MOST_TAGS:
            raise BadInput(
                f"{path.name}, line {stanza.line}: what begins here has more than {MOST_TAGS:,} "
                "lines: it is no OBO ontology."
            )
    yield stanza


def _unescaped(text: str) -> str:
    text = _ESCAPE.sub(lambda m: _ESCAPED.get(m.group(1), m.group(1)), text)
    return clean_label(text.replace("\\", ""))


def _unmodified(value: str) -> str:
    """Without the modifiers at its end."""
    text = value.rstrip()
    start = text.rfind("{") if text.endswith("}") else -1
    return text[:start].rstrip() if start >= 0 and _MODIFIERS.fullmatch(text, start) else text


def plain(value: str) -> str:
    """Free text such as a name: without modifiers and escapes; a bare brace stays."""
    return _unescaped(_unmodified(value))


def identifier(value: str) -> str | None:
    """The one identifier of a value, without modifiers and comment; None when it holds more."""
    value = _unmodified(_COMMENT.sub("", value)).strip()
    return value if value and not re.search(r"[\s\"{}]", value) else None


def quoted(value: str) -> Quoted | None:
    """A definition or synonym; None when its quotes do not close."""
    match = _QUOTED.match(value)
    if match is None:
        return None
    rest = _unmodified(match.group(2))
    references = _REFERENCES.search(rest)
    words = rest[: references.start()] if references else rest.split("[")[0]
    sound = references is not None and not rest[references.end() :].strip()
    return Quoted(_unescaped(match.group(1)), tuple(words.split()), sound)
