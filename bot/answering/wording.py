"""Small pieces of written language: labels that cannot become markup, lists, names of sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.model import Source
from kg.text import clean_label

__all__ = ["capitalised", "escape", "join", "plain", "speaker", "with_article"]

_ACTIVE = re.compile(r"[\\`*_\[\]<>&|~$!{}]")
_ESCAPABLE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINE_START = re.compile(r"^(?:[#+=>-]|\d+(?=[.)]))")
# A full stop inside a label must not end the sentence that the label stands in.
_STOP_INSIDE = re.compile(r"[.?](?=\s+[^\sa-z])|\?(?![a-z])|:(?=//)|(?<=\w)@(?=\w)")


def escape(label: str) -> str:
    """The label on one line, so that Markdown shows it letter by letter."""
    text = _ACTIVE.sub(lambda m: f"\\{m.group()}", clean_label(label))
    text = _STOP_INSIDE.sub(lambda m: f"\\{m.group()}", text)
    start = _LINE_START.match(text)
    if not start:
        return text
    mark = start.group()
    if mark.isdigit():
        return f"{mark}\\{text[len(mark) :].removeprefix(chr(92))}"
    return f"\\{text}"


def plain(text: str) -> str:
    """The text without the backslashes that `escape` put in."""
    return _ESCAPABLE.sub(r"\1", text)


def join(items: Sequence[str], language: str) -> str:
    """A list as it stands in a sentence: "A, B and C", "A、B和C"."""
    if len(items) == 1:
        return items[0]
    if language == "zh":
        return f"{'、'.join(items[:-1])}和{items[-1]}"
    return f"{', '.join(items[:-1])} and {items[-1]}"


def speaker(sources: Sequence[Source], language: str) -> str:
    """The sources by their titles, as the one who says something."""
    titles = list(dict.fromkeys(escape(source.title or source.name) for source in sources))
    if language == "zh":
        return join([f"《{title}》" for title in titles], language)
    named = [_article_for_title(title) for title in titles]
    return join(named, language)


def _article_for_title(title: str) -> str:
    words = title.split()
    if len(words) < 2 or words[0].lower() in ("the", "a", "an"):
        return title[:1].lower() + title[1:] if words[:1] == ["The"] else title
    return f"the {title}"


def with_article(noun: str) -> str:
    """The noun phrase with "a" or "an"; "another" before "other"."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def capitalised(text: str) -> str:
    """The text with its first letter as a capital."""
    return text[:1].upper() + text[1:]
