"""Where a sentence names the entities of its evidence, by label or synonym, in either language.

A name inside a longer name of another entity does not count ("headache" in "cluster headache"),
as far as the evidence at hand knows the longer one. In Chinese the dictionary knows more: 头痛 at
the end of 偏头痛 is another thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.citations.claims import OBJECT, SUBJECT
from kg.model import Entity, Evidence
from kg.text import STOP_WORDS, clean_label, fold, is_cjk, tokens, windows, word_cutter

__all__ = ["BOUNDARY", "SIGNS", "Named", "Names", "Naming", "Signed"]

_OTHER = "\ue003"
# Stands for a marker: a name does not reach across it ("nausea [1] and vomiting [2]").
BOUNDARY = "\ue004"
# First and last of the signs that stand for names one by one (a private area of Unicode).
SIGNS = (0xE100, 0xF8FF)
_NO_SIGNS = {code: " " for code in range(SIGNS[0], SIGNS[1] + 1)}
_SOURCE = "source "
_LONGEST = 24
_INSIDE_NUMBER = re.compile(r"\d[.,]\d")


class Names:
    """The names of all entities, literals and sources in the evidence, folded."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self._owners: dict[str, set[str]] = {}
        for item in evidence:
            for hop in item.hops:
                self._add(hop.triple.subject)
                self._add(hop.triple.object)
                for source in hop.triple.sources:
                    self._owners.setdefault(fold(source.title), set()).add(
                        f"{_SOURCE}{source.name}"
                    )

    def _add(self, entity: Entity) -> None:
        for name in (entity.label, *entity.synonyms):
            if folded := fold(clean_label(name)):
                self._owners.setdefault(folded, set()).add(_identity(entity))

    def find(self, text: str) -> Naming:
        """Where this text names which of the entities."""
        found = [
            _Occurrence(window.start, window.end, frozenset(self._owners[window.folded]))
            for window in windows(tokens(text), _LONGEST, _LONGEST)
            if window.folded in self._owners
            and BOUNDARY not in text[window.start : window.end]
            and not (_cuts_number(text, window.start) or _cuts_number(text, window.end))
        ]
        if is_cjk(text):
            words = _word_starts(text)
            found = [o for o in found if words.get(o.end, o.start) >= o.start]
        return Naming(text, tuple(_outermost(found)))


@dataclass(frozen=True, slots=True)
class _Occurrence:
    start: int
    end: int
    owners: frozenset[str]

    def inside(self, other: _Occurrence) -> bool:
        covered = other.start <= self.start and self.end <= other.end
        longer = other.end - other.start > self.end - self.start
        return covered and longer and not self.owners & other.owners


def _outermost(found: Iterable[_Occurrence]) -> Iterator[_Occurrence]:
    """Those not inside another's longer name; they come by start and then longest first."""
    before: list[_Occurrence] = []
    for occurrence in found:
        before = [other for other in before if other.end > occurrence.start]
        if not any(occurrence.inside(other) for other in before):
            yield occurrence
        before.append(occurrence)


class Named(NamedTuple):
    """A name as it is written, and which of the given entities it may mean, by position.

    `shared`: it may as well mean something else.
    """

    text: str
    meant: frozenset[int]
    shared: bool


@dataclass(frozen=True, slots=True)
class Signed:
    """A text in which the sign SIGNS[0] + n stands for the n-th name in it."""

    text: str
    names: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """A text and the places where it names entities."""

    text: str
    occurrences: tuple[_Occurrence, ...]

    def followed_by(self, other: Naming) -> Naming:
        """Both texts as one: what one of them names, with a space between."""
        behind = len(self.text) + 1
        moved = tuple(
            _Occurrence(o.start + behind, o.end + behind, o.owners) for o in other.occurrences
        )
        return Naming(f"{self.text} {other.text}", self.occurrences + moved)

    def names(self, entity: Entity) -> bool:
        """Whether the text names this entity; a literal, when its value occurs."""
        if any(_identity(entity) in o.owners for o in self.occurrences):
            return True
        folded = fold(clean_label(entity.label))
        if folded and len(tokens(entity.label)) <= _LONGEST:
            return False
        if not folded:
            return entity.label.strip() in self.text
        if is_cjk(folded):
            return folded in fold(self.text)
        return f" {folded} " in f" {_words(self.text)} "

    def masked(self, subject: Entity, obj: Entity) -> str:
        """The text with the two ends replaced by SUBJECT and OBJECT, other entities by one sign."""
        parts, position = [], 0
        ordered = sorted(self.occurrences, key=lambda o: (o.start, -o.end))
        for occurrence in ordered:
            if occurrence.start < position:
                continue
            parts.append(self.text[position : occurrence.start])
            parts.append(_sign(occurrence, subject, obj))
            position = occurrence.end
        return "".join([*parts, self.text[position:]]).replace(BOUNDARY, "")

    def signed(self, entities: Sequence[Entity]) -> Signed:
        """The text with a sign of its own for each place that names something; see `Signed`."""
        positions: dict[str, set[int]] = {}
        for position, entity in enumerate(entities):
            positions.setdefault(_identity(entity), set()).add(position)
        parts: list[str] = []
        named: list[Named] = []
        position = 0
        for occurrence in sorted(self.occurrences, key=lambda o: (o.start, -o.end)):
            name = self.text[occurrence.start : occurrence.end]
            source = all(owner.startswith(_SOURCE) for owner in occurrence.owners)
            if occurrence.start < position or source or _is_plain_word(name):
                continue
            parts.append(self.text[position : occurrence.start].translate(_NO_SIGNS))
            parts.append(chr(SIGNS[0] + min(len(named), SIGNS[1] - SIGNS[0])))
            of = [positions.get(owner, set()) for owner in occurrence.owners]
            named.append(Named(name, frozenset().union(*of), not all(of)))
            position = occurrence.end
        parts.append(self.text[position:].translate(_NO_SIGNS))
        return Signed("".join(parts).replace(BOUNDARY, ""), tuple(named))


def _is_plain_word(name: str) -> bool:
    """Whether what looks like a name is more likely a word: "As" is not AS, nor "a" group A."""
    return name.lower() in STOP_WORDS and (len(name) == 1 or not name.isupper())


def _sign(occurrence: _Occurrence, subject: Entity, obj: Entity) -> str:
    if _identity(subject) in occurrence.owners:
        return SUBJECT
    return OBJECT if _identity(obj) in occurrence.owners else _OTHER


def _cuts_number(text: str, place: int) -> bool:
    """Whether a border here would cut a number at its point or comma: "3.5", "1,25"."""
    return any(_INSIDE_NUMBER.fullmatch(text, start, start + 3) for start in (place - 2, place - 1))


def _identity(entity: Entity) -> str:
    return entity.key or f"literal {entity.label}"


def _words(text: str) -> str:
    return " ".join(token.folded for token in tokens(text))


def _word_starts(text: str) -> dict[int, int]:
    """Where the dictionary's word that ends at a place begins."""
    starts, position = {}, 0
    for word in word_cutter().cut(text, HMM=False):
        starts[position + len(word)] = position
        position += len(word)
    return starts
