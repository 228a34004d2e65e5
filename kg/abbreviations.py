"""Abbreviations that a text itself defines: "long form (ABBR)" and "ABBR (long form)".

The long form is found as Schwartz and Hearst (2003) do: the shortest words before the bracket that
hold the abbreviation's letters in order, the first of them at the start of a word. A name of the
graph that ends there goes before that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kg.model import Mention
from kg.text import STOP_WORDS

__all__ = ["defined_abbreviations"]

_SHORT = r"[^\W_][\w+/.-]{0,9}"
_IN_BRACKETS = re.compile(rf"\s*[(（\[]\s*({_SHORT})\s*(?:[)）\];,；，]|$)")
_BRACKET = re.compile(rf"[(（\[]\s*({_SHORT})\s*(?:[)）\]]|[;,；，])")
_BEFORE_BRACKET = re.compile(rf"(?<![\w-])({_SHORT})\s*[(（]([^()（）]{{5,80}})[)）]")
_SENTENCE_END = re.compile(r"[.;:!?]\s|[()（）\[\]。；：]")


def defined_abbreviations(text: str, mentions: Sequence[Mention] = ()) -> Mapping[str, Mention]:
    """Abbreviation → where its long form stands in the text; the first definition holds.

    `mentions` are names of the graph in this text. A definition of the plural holds for one.
    """
    defined: dict[str, Mention] = {}
    for mention in sorted(mentions, key=lambda m: m.start - m.end):  # the longest one wins
        match = _IN_BRACKETS.match(text, mention.end)
        stands = text[mention.start : mention.end] == mention.text
        if match and stands and _abbreviates(match.group(1), mention.text):
            defined.setdefault(match.group(1), mention)
    for match in _BRACKET.finditer(text):
        long = _long_form(match.group(1), text, match.start())
        if long is not None:
            defined.setdefault(match.group(1), long)
    for match in _BEFORE_BRACKET.finditer(text):
        if _is_short(match.group(1)) and _abbreviates(match.group(1), match.group(2)):
            defined.setdefault(match.group(1), Mention(match.group(2), *match.span(2)))
    for short in list(defined):
        if short.endswith("s") and short[:-1].isupper():
            defined.setdefault(short[:-1], defined[short])
    return defined


def _is_short(word: str) -> bool:
    letters = [c for c in word if c.isalpha()]
    return len(word) > 1 and any(c.isupper() for c in letters) and word.lower() not in STOP_WORDS


def _long_form(short: str, text: str, bracket: int) -> Mention | None:
    """The words right before a bracket that hold the letters of the abbreviation in it."""
    if not _is_short(short):
        return None
    letters = [c.casefold() for c in short.removesuffix("s") if c.isalnum()]
    begin = max(0, bracket - 12 * (len(letters) + 5))
    for match in _SENTENCE_END.finditer(text, begin, bracket):
        begin = match.end()
    place = bracket
    for count, letter in enumerate(reversed(letters), 1):
        first = count == len(letters)
        place -= 1
        while place >= begin and not (
            text[place].casefold() == letter and (not first or _starts_word(text, place))
        ):
            place -= 1
        if place < begin:
            return None
    long = text[place:bracket].rstrip()
    words = re.findall(r"\w+", long)
    if len(words) > min(len(letters) + 5, len(letters) * 2) or len(long) <= len(short):
        return None
    return Mention(long, place, place + len(long))


def _starts_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()


def _abbreviates(short: str, long: str) -> bool:
    """Whether the letters of `short` occur in `long` in order, from the same first letter."""
    letters = [c for c in short.casefold() if c.isalpha()]
    rest = iter(long.casefold())
    return long[:1].casefold() == short[:1].casefold() and all(c in rest for c in letters)
