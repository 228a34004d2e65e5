"""The form of a question: yes or no, how or why, together or one by one, except for something.

What a question is about is for kg.aspects and kg.linking; this looks at its words alone, in
English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kg.aspects import words_beside_aspects
from kg.text import without_names

__all__ = ["asks_how_or_why", "asks_of_each", "excluded", "is_yes_no", "names_alone", "asking_part"]

_YES_NO = re.compile(
    r"^\s*(?:does|do|did|is|are|can|could|will|would|has|have|may)\b"
    r"|吗\s*[?？]?\s*$|会不会|能不能|是不是|是否|有没有",
    re.IGNORECASE,
)
_EXCLUDES = re.compile(
    r"\b(not|without|except|excluding|other than|apart from|aside from|besides)\b"
    r"|除了|之外|以外|不含|不包括|(?<!会)不会",
    re.IGNORECASE,
)
_HOW_WHY = re.compile(
    r"^\s*(?:how (?!many|much|often|long|old|common)|why\b|explain\b)|\bmechanism\b"
    r"|为什么|为何|怎么|怎样|如何|机制|原理",
    re.IGNORECASE,
)
_DIFFERS = re.compile(r"\bdiffer\w*\b|\bcompare[ds]?\b|区别|差别|差异|不同|比较", re.IGNORECASE)
_SENTENCE = re.compile(r".+?(?:[.!?;]+(?:\s+|$)|[。！？；]+|$)", re.DOTALL)
_CLOSING = " \n.!?;。！？；"
# "symptoms of A and B": what stands between two names that are asked about one by one.
_AND = re.compile(
    r"\s*(?:(?:,\s*)?(?:and|or)|,|和|与|及|以及|、|或)\s*(?:(?:of|for|in|in the|of the|the)\s+)?",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\bboth\b|\bcommon\b|\bbetween\b|\blink|\bconnect|\brelat|\btogether\b|\bshare"
    r"|都|同时|共同|之间|关系|关联|联系|一起",
    re.IGNORECASE,
)


def is_yes_no(question: str) -> bool:
    """Whether a yes or a no is asked for, by the sentence that asks."""
    return _YES_NO.search(asking_part(question)) is not None


def excluded(question: str) -> str | None:
    """The word by which a question excludes something, which no answer takes into account.

    "Is gout not treated with this?" excludes nothing: the fact answers it.
    """
    found = _EXCLUDES.search(question)
    if found is None or (found.group().lower() == "not" and is_yes_no(question)):
        return None
    return found.group()


def asks_how_or_why(question: str) -> bool:
    """Whether it asks for a way or a reason, not for a number ("how many")."""
    return _HOW_WHY.search(question) is not None


def asking_part(question: str) -> str:
    """The sentence that asks: the last with a question mark, else the last; the whole of one."""
    found: list[str] = _SENTENCE.findall(question)
    parts = [part for part in found if part.strip(_CLOSING)]
    asking = [part for part in parts if part.rstrip().endswith(("?", "？"))]
    return (asking or parts or [question])[-1]


def asks_of_each(question: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the names at these places only stand side by side: "symptoms of A and B".

    What is asked of them together ("both", "in common") is not asked of each; what differs is, as
    only the facts of each tell that.
    """
    if is_yes_no(question) or (_TOGETHER.search(question) and not _DIFFERS.search(question)):
        return False
    places = sorted(spans)
    gaps = [question[end:start] for (_, end), (start, _) in zip(places, places[1:], strict=False)]
    return all(_AND.fullmatch(gap) for gap in gaps)


def names_alone(question: str, names: Iterable[str]) -> bool:
    """Whether a question holds nothing but these names, and words for what is asked for."""
    return not words_beside_aspects(without_names(question, names))
