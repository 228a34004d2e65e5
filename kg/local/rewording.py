"""Names of the graph in other words (kg.local.variants): their rows, and where texts have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kg.local.other_words import SAME_NAMES
from kg.local.rows import NameRow, name_rows
from kg.local.table import text_keys
from kg.local.variants import is_adjective, variants
from kg.model import HowLinked
from kg.text import STOP_WORDS, Window, fold, is_abbreviation, is_cjk

if TYPE_CHECKING:
    from kg.local.segment import Segment

__all__ = ["Reworded", "reworded_rows", "unnamed_windows"]

LONGEST_REWORDED = 4  # words of a text that are tried in another wording
_NO_LINK = STOP_WORDS - frozenset({"of", "the", "to", "in", "and"})
_ONE_RUN = re.compile(r"[\w'\u2019]+(?:[ -][\w'\u2019]+)*")  # no punctuation between the words


class Reworded(NamedTuple):
    """A row whose name is another wording, how far that is trusted, and how it was found."""

    row: NameRow
    trust: float
    how: HowLinked


def reworded_rows(names: Sequence[str], segments: Iterable[Segment]) -> dict[int, list[Reworded]]:
    """By a name's place, the rows of its surest other wording that the graph has."""
    others = [(place, *one) for place, name in enumerate(names) for one in variants(name)]
    keys = text_keys(folded for _, folded, _, _ in others)
    found: dict[int, list[Reworded]] = {}
    for segment in segments:
        for position, entries in segment.names.find_many(keys):
            place, folded, trust, how = others[position]
            for row in name_rows(entries):
                short = is_abbreviation(row.name) and not is_abbreviation(names[place])
                if fold(row.name) == folded and not short:
                    found.setdefault(place, []).append(Reworded(row, trust, how))
    surest = {place: max(one.trust for one in rows) for place, rows in found.items()}
    return {
        place: [one for one in rows if one.trust == surest[place]] for place, rows in found.items()
    }


def unnamed_windows(
    text: str, found: Sequence[Window], named: Sequence[tuple[int, int]]
) -> Iterator[int]:
    """Positions of short runs of English words that neither lie in a name nor cross one."""
    for position, window in enumerate(found):
        words = window.folded.split()
        if len(words) > LONGEST_REWORDED or is_cjk(window.folded):
            continue
        if len(words) == 1 and not (words[0] in SAME_NAMES or is_adjective(words[0])):
            continue
        if {words[0], words[-1]} & STOP_WORDS or set(words[1:-1]) & _NO_LINK:
            continue
        apart = (
            window.end <= start
            or end <= window.start
            or window.start <= start
            and end <= window.end
            for start, end in named
        )
        if _ONE_RUN.fullmatch(text[window.start : window.end]) and all(apart):
            yield position
