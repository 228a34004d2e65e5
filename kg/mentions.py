"""Text → mentions: the graph's names in a question, as they are shown and linked.

The graph finds every name, nested ones too; this chooses which spans to link and knows the
abbreviations that the text itself defines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kg.aspects import names_an_aspect
from kg.model import Mention
from kg.text import fold

__all__ = ["defined_abbreviations", "longest"]

# Words for whole classes of things, which a question seldom asks about as such.
_GENERIC = frozenset(
    fold(word)
    for word in "disease diseases disorder disorders illness condition conditions syndrome patient "
    "patients people person men women man woman body care role parent parents 疾病 病 患者 病人 "
    "综合征 人体".split()
)
_IN_BRACKETS = re.compile(r"\s*[(（]\s*([A-Za-z][\w-]{1,9})\s*[)）]")


def longest(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Spans that do not overlap, longer before shorter, in order of the text.

    Words that only say what is asked for ("symptoms of") are no mention, even where the graph has
    an entity of that name; nor are words for whole classes beside others ("which diseases …").
    """
    chosen: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start - m.end, m.start)):
        free = all(mention.end <= m.start or m.end <= mention.start for m in chosen)
        if free and not names_an_aspect(mention.text):
            chosen.append(mention)
    telling = [mention for mention in chosen if fold(mention.text) not in _GENERIC]
    return tuple(sorted(telling or chosen, key=lambda m: m.start))


def defined_abbreviations(text: str, mentions: Sequence[Mention]) -> Mapping[str, Mention]:
    """Abbreviation → the mention that it stands for, from "long form (ABBR)" in the text."""
    defined: dict[str, Mention] = {}
    for mention in sorted(mentions, key=lambda m: m.end - m.start):  # the longest one wins
        match = _IN_BRACKETS.match(text, mention.end)
        if match and _abbreviates(match.group(1), mention.text):
            defined[match.group(1)] = mention
    return defined


def _abbreviates(short: str, long: str) -> bool:
    """Whether the letters of `short` occur in `long` in order, from the same first letter."""
    letters = [c for c in short.casefold() if c.isalpha()]
    rest = iter(long.casefold())
    return long[:1].casefold() == short[:1].casefold() and all(c in rest for c in letters)
