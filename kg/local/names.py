"""Names of the graph in a text, and the entities that carry a name.

A window of the text (kg.text.windows) that folds to a name is a mention, nested ones too, unless
`fits` says that the words only look like the name:

- stop words alone, a single Latin letter, a number, a single Chinese character are no mention;
- a name written as an abbreviation (WAS, CAT, T3) is met by the same letters in lower case only
  when they are three or more, or hold a digit, and make no common English word;
- a Chinese window of two characters that cuts a word of jieba's in two is dropped, unless it lies
  inside a longer name that matched: 头痛 in 偏头痛 stays, 血压 across two words goes.

Nothing is corrected here: misspelled names are the business of kg.local.fuzzy, other wordings of
a name that of kg.local.variants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from kg.local.common_words import COMMON_WORDS
from kg.local.rewording import reworded_rows, unnamed_windows
from kg.local.rows import NameRow, name_rows
from kg.local.table import text_keys
from kg.model import HowLinked
from kg.text import (
    STOP_WORDS,
    Window,
    fold,
    is_abbreviation,
    is_cjk,
    tokens,
    windows,
    word_cutter,
)

if TYPE_CHECKING:
    from kg.local.segment import Segment

__all__ = [
    "Match",
    "acronym_matches",
    "exact_matches",
    "fits",
    "initials",
    "matching_windows",
    "prefix_matches",
    "rows_of",
    "without_cut_words",
]

Match = tuple[str, float, HowLinked]  # IRI, score, how

LONGEST_WINDOW = 14
MOST_PREFIXED = 5_000  # names of one beginning that are looked at
PREFIX_SCORE = 0.6
ACRONYM_SCORE = 0.7
_SENTENCE_END = re.compile(r"[.!?;]\s")


def matching_windows(
    text: str, segments: Iterable[Segment]
) -> list[tuple[Window, tuple[NameRow, ...]]]:
    """Windows of the text that are names, with the names' rows, by start and then longest.

    Where no name stands, one in other words counts too (kg.local.variants).
    """
    segments = list(segments)
    found = list(windows(tokens(text), longest=LONGEST_WINDOW))
    keys = text_keys(window.folded for window in found)
    rows: dict[int, list[NameRow]] = {}
    shouted = _is_shouted(text)
    for segment in segments:
        for position, entries in segment.names.find_many(keys):
            window = found[position]
            span = text[window.start : window.end]
            ends = _SENTENCE_END.search(span) is not None
            for row in name_rows(entries):
                if ends and row.name.replace(" ", "").isalnum():
                    continue  # "… my heart. Block …" is no heart block
                if fold(row.name) == window.folded and fits(span, window.folded, row.name, shouted):
                    rows.setdefault(position, []).append(row)
    named = [(found[position].start, found[position].end) for position in rows]
    open_ones = list(unnamed_windows(text, found, named))
    spans = [text[found[position].start : found[position].end] for position in open_ones]
    for place, matched in reworded_rows(spans, segments).items():
        if matched[0].how == "folded":
            rows[open_ones[place]] = [one.row for one in matched]
    return [(found[position], tuple(rows[position])) for position in sorted(rows)]


def fits(span: str, folded: str, name: str, shouted: bool = False) -> bool:
    """Whether these words of a text, which fold to the name, may be taken for it."""
    if len(folded) < 2 or folded.isdigit():
        return False
    words = folded.split()
    blank = not is_cjk(folded) and all(
        word in STOP_WORDS or word.isdigit() or len(word) == 1 for word in words
    )
    if not is_abbreviation(name):
        return not blank or any(len(word) > 1 and word not in STOP_WORDS for word in words)
    if span == name and not (shouted and span.lower() in COMMON_WORDS):
        return True
    letters = [c for c in span if c.isalnum()]
    if blank or len(words) == 1 and (folded in COMMON_WORDS or span.lower() in COMMON_WORDS):
        return False
    return len(letters) > 2 or any(c.isdigit() for c in letters)


def _is_shouted(text: str) -> bool:
    """Whether the text has no lower-case letter, so that capitals say nothing."""
    latin = [token.text for token in tokens(text) if not is_cjk(token.text)]
    return len(latin) > 2 and not any(c.islower() for word in latin for c in word)


_PREFIXES = frozenset("类非伪假拟副")  # they make another thing of what follows


def without_cut_words(text: str, found: list[Window]) -> list[Window]:
    """Drop Chinese windows that cut a word, unless a longer window holds them.

    Those of two characters that jieba's words cut, and what a prefix makes another thing of:
    风湿关节炎 in 类风湿关节炎.
    """
    doubtful = {w for w in found if w.size == 2 and len(w.folded) == 2 and is_cjk(w.folded)}
    edges = _word_edges(text) if doubtful else frozenset()
    others = [
        (w.start, w.end)
        for w in found
        if w.start and is_cjk(w.folded) and text[w.start - 1] in _PREFIXES
    ]
    cut = {
        (w.start, w.end)
        for w in found
        if (w in doubtful and not (w.start in edges and w.end in edges))
        or any(start <= w.start and w.end <= end for start, end in others)
    }
    whole = [(w.start, w.end) for w in found if (w.start, w.end) not in cut]
    cut = {
        (start, end)
        for start, end in cut
        if not any(first <= start and end <= last for first, last in whole)
    }
    return [window for window in found if (window.start, window.end) not in cut]


def _word_edges(text: str) -> frozenset[int]:
    edges, position = {0}, 0
    for word in word_cutter().cut(text, HMM=False):
        position += len(word)
        edges.add(position)
    return frozenset(edges)


def rows_of(folded: str, segments: Iterable[Segment]) -> Iterator[NameRow]:
    """The rows of every name that folds to this."""
    keys = text_keys([folded])
    for segment in segments:
        for _, entries in segment.names.find_many(keys):
            yield from (row for row in name_rows(entries) if fold(row.name) == folded)


def exact_matches(name: str, segments: Iterable[Segment]) -> list[Match]:
    """Entities of this name: IRI, score and how. The same spelling is 'exact', else 'folded'.

    Where there is none, those of the same name in other words (kg.local.variants).
    """
    segments = list(segments)
    folded = fold(name)
    found: list[Match] = []
    for row in rows_of(folded, segments):
        if fits(name, folded, row.name):
            score = 1.0 - 0.05 * row.kind
            same = row.name.casefold() == name.strip().casefold()
            # "ALL" is not how anyone writes the word "All".
            cased = is_abbreviation(row.name) == is_abbreviation(name)
            exact = same and (cased or row.name == name)
            score = round(score if exact else score - 0.05, 4)
            found.append((row.iri, score, "exact" if exact else "folded"))
    return found or _reworded(name, segments)


def _reworded(name: str, segments: Iterable[Segment]) -> list[Match]:
    """Entities that carry the name in other words."""
    return [
        (one.row.iri, round(one.trust - 0.05 * one.row.kind, 4), one.how)
        for one in reworded_rows([name], segments).get(0, ())
    ]


SHORTEST_ACRONYM, LONGEST_ACRONYM = 3, 6


def initials(name: str) -> str | None:
    """The first letters of a Latin name of several words, small words apart: "sle" for lupus.

    None for names that nobody abbreviates so: too few or too many words, digits, Chinese.
    """
    if len(name.split()) < SHORTEST_ACRONYM or is_cjk(name):
        return None
    words = [w.text for w in tokens(name) if w.text.lower() not in STOP_WORDS]
    if not SHORTEST_ACRONYM <= len(words) <= LONGEST_ACRONYM:
        return None
    letters = "".join(word[0] for word in words).lower()
    return letters if letters.isalpha() and letters.isascii() else None


def acronym_matches(name: str, segments: Iterable[Segment]) -> Iterator[Match]:
    """Entities whose name these capitals are the initials of: IRI, score, 'abbreviation'."""
    letters = name.strip()
    if not (letters.isupper() and letters.isalpha()) or len(letters) < SHORTEST_ACRONYM:
        return
    keys = text_keys([letters.lower()])
    for segment in segments:
        for _, entries in segment.acronyms.find_many(keys):
            for row in name_rows(entries):
                if initials(row.name) == letters.lower():
                    yield row.iri, round(ACRONYM_SCORE - 0.05 * row.kind, 4), "abbreviation"


def prefix_matches(beginning: str, segments: Iterable[Segment]) -> Iterator[Match]:
    """Entities with a name that begins like this, shorter names better: IRI, score, 'prefix'."""
    folded = fold(beginning)
    if not folded:
        return
    for segment in segments:
        for row in segment.names_from(folded, MOST_PREFIXED):
            name = fold(row.name)
            if name.startswith(folded):
                share = len(folded) / len(name)
                yield row.iri, round(PREFIX_SCORE + 0.3 * share - 0.05 * row.kind, 4), "prefix"
