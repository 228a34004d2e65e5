"""OBO 1.4 text as stanzas of tags: escapes, quoted text, reference lists, modifiers, comments.

Written by hand because parsers that refuse a whole ontology for one odd line are of no use here:
a line that cannot be read is reported with file, line and term, counted, and passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kg.sources.files import text_lines
from kg.text import clean_label

__all__ = ["Quoted", "Stanza", "Tag", "identifier", "plain", "quoted", "stanzas"]

_STANZA = re.compile(r"\[(\w+)\]\s*")
_TAG = re.compile(r"([A-Za-z][\w-]*):\s*(.*)")
# {source="A:1", lang=en} at the end of a value
_MODIFIERS = re.compile(r"\s*\{\s*[\w:.-]+\s*=[^{}]*\}\s*$")
_COMMENT = re.compile(r"(?<!\\)\s!\s.*$|\s!$")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(.*)')
_REFERENCES = re.compile(r"\[([^\]{}]*)\]")
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


def stanzas(path: Path) -> Iterator[Stanza]:
    """The header and the stanzas of a file, in order."""
    stanza = Stanza("", 1)
    for number, line in text_lines(path):
        line = line.strip()
        if not line or line.startswith("!"):
            continue
        if match := _STANZA.fullmatch(line):
            yield stanza
            stanza = Stanza(match.group(1), number)
        elif match := _TAG.fullmatch(line):
            stanza.tags.append(Tag(match.group(1), match.group(2), number))
        else:
            stanza.unreadable.append(Tag("", line, number))
    yield stanza


def _unescaped(text: str) -> str:
    text = _ESCAPE.sub(lambda m: _ESCAPED.get(m.group(1), m.group(1)), text)
    return clean_label(text.replace("\\", ""))


def plain(value: str) -> str:
    """Free text such as a name: without modifiers and escapes; a bare brace stays."""
    return _unescaped(_MODIFIERS.sub("", value))


def identifier(value: str) -> str | None:
    """The one identifier of a value, without modifiers and comment; None when it holds more."""
    value = _MODIFIERS.sub("", _COMMENT.sub("", value)).strip()
    return value if value and not re.search(r"[\s\"{}]", value) else None


def quoted(value: str) -> Quoted | None:
    """A definition or synonym; None when its quotes do not close."""
    match = _QUOTED.match(value)
    if match is None:
        return None
    rest = _MODIFIERS.sub("", match.group(2))
    references = _REFERENCES.search(rest)
    words = rest[: references.start()] if references else rest.split("[")[0]
    sound = references is not None and not rest[references.end() :].strip()
    return Quoted(_unescaped(match.group(1)), tuple(words.split()), sound)
