"""Which facts tell most about an entity when no question says what is asked: "tell me about X".

No parameter is fitted; how the rules were shaped and measured is told in bench/retrieval. Only the
facts themselves are read, no statistics of the graph:

- a fact is worth more the more its relation says what the thing is (its aspect), the fewer values
  that relation has, and the more its value tells a reader: codes, links, pictures and the name
  once more tell least;
- of one relation's values those come first that hold most often or, where nobody says how often,
  those whose words recur in what else is said of the thing (its theme);
- facts are taken one by one: the values of a relation take turns with those of the others, and
  what has been said already counts for less.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kg.model import Entity, Triple
from kg.qualifiers import frequency, line, share
from kg.ranking.values import is_bookkeeping, is_code, is_number, is_top_class, words_of
from kg.roles import SYMMETRIC, topic_is_subject
from kg.sources.vocabulary import DCTERMS, LABEL_PROPERTIES, RDF_TYPE

__all__ = ["salience"]

SUBJECT_HEADING = DCTERMS + "subject"
# What a reader wants to know first: what it is, then what defines it, then the rest.
WORTH = {"definition": 1.0, "classification": 1.0}
WORTH |= dict.fromkeys(("symptom", "treatment", "cause", "contraindication", "red-flag"), 0.9)
_ORDER = tuple(WORTH)  # among facts that are worth the same
OTHER = 0.8
HEADING = 0.7  # what a library files it under, against what it is
TOP_CLASS = BORROWED = 0.5  # a type that all things have; a type of another vocabulary
INVERSE = 0.7  # a fact about another thing that mentions this one
NUMBER = 0.8  # a bare number, of which the unit is not said
CODE = 0.3
LEAST = 0.05
OVERLAP = 0.75  # how much of its worth a fact loses when all its words have been said
WITHIN = 0.5  # how much the last of a relation's values is worth less than its best
# How often a fact holds, or at which place a treatment is tried; where that is not said of one
# value while it is of others, that value stands between.
LINES = {"first": 0.9, "second": 0.5}
UNSAID = 0.3


@dataclass(frozen=True, slots=True)
class _Fact:
    """A triple seen from the entity: what is said of it, and which facts it takes turns with."""

    triple: Triple
    value: Entity
    forward: bool
    kind: str  # "definition", "name", "classification", "fact"
    words: frozenset[str]

    @property
    def group(self) -> tuple[str, bool]:
        """Facts of one group answer the same question about the entity."""
        relation = self.triple.relation
        name = relation.iri if self.kind == "fact" else self.kind
        return name, self.forward or relation.aspect in SYMMETRIC

    @property
    def topic(self) -> str:
        """Facts of one topic may say the same: "A treats B" and "B has treatment A".

        Where the relation names people ("use in pregnancy", "use in childhood") they never do.
        """
        if self.kind != "fact":
            return self.kind
        relation = self.triple.relation
        return relation.iri if relation.aspect == "population" else relation.aspect


def salience(entity: str, triples: Sequence[Triple]) -> NDArray[np.float64]:
    """How well each fact serves who asks about `entity` alone: shape (len(triples),), 0 to 1.

    Highest first is the order in which facts should be shown: each score takes into account those
    above it. The best fact scores 1, no two the same, and the order of the triples has no
    part in it.
    """
    facts, own = _facts(entity, triples)
    told = _Told()
    groups: dict[tuple[str, bool], _Turns] = {}
    worth = _worths(facts, own)
    for place, i in enumerate(sorted(range(len(facts)), key=lambda i: _key(facts[i]))):
        turns = groups.setdefault(facts[i].group, _Turns(told, facts))
        turns.waiting.append((-worth[i], place, i))
    for turns in groups.values():
        turns.begin(worth)
    scores = np.zeros(len(facts))
    highest, last = 0.0, 2.0
    for _ in facts:
        turns = min((one for one in groups.values() if one.waiting), key=_Turns.next)
        gain, index = -turns.next()[0], turns.take()
        highest = highest or gain
        last = scores[index] = min(gain / highest, np.nextafter(last, 0))
    return scores


class _Told:
    """The words that have been said so far, by topic."""

    def __init__(self) -> None:
        self._words: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, fact: _Fact) -> None:
        self._words[fact.topic] |= fact.words

    def left(self, fact: _Fact) -> float:
        """The share of its worth that what has been said leaves a fact.

        Facts make a category that bundles them superfluous; a category never replaces the facts.
        """
        heard = fact.words & self._words[fact.topic]
        if fact.kind == "classification":
            heard |= fact.words & self._words["other"]
        known = len(heard) / len(fact.words) if fact.words else 0.0
        return 1 - OVERLAP * known


class _Turns:
    """The facts of one group that wait to be taken: `waiting` holds (-worth left, place, index).

    Values of one group take turns like parties do for seats (D'Hondt). What a fact is worth only
    falls while others are taken: what is still best after a second look is the best.
    """

    def __init__(self, told: _Told, facts: Sequence[_Fact]) -> None:
        self.waiting: list[tuple[float, int, int]] = []
        self._told, self._facts = told, facts
        self._worth: Sequence[float] = ()
        self._taken = 0

    def begin(self, worth: Sequence[float]) -> None:
        """Order what waits; `worth` is that of every fact before anything is said."""
        self._worth = worth
        heapq.heapify(self.waiting)

    def next(self) -> tuple[float, int]:
        """Minus the worth of its best fact at this turn, and the place of that."""
        while True:
            value, place, index = self.waiting[0]
            left = self._told.left(self._facts[index])
            now = -self._worth[index] * left
            if now == value:
                return -self._worth[index] * (left / (1 + self._taken)), place
            heapq.heapreplace(self.waiting, (now, place, index))

    def take(self) -> int:
        """Take its best fact; the index of that."""
        index = heapq.heappop(self.waiting)[2]
        self._taken += 1
        self._told.add(self._facts[index])
        return index


def _facts(entity: str, triples: Sequence[Triple]) -> tuple[list[_Fact], frozenset[str]]:
    """The triples seen from the entity, and the words of its names."""
    ends = [end for triple in triples for end in (triple.subject, triple.object)]
    own = {entity, *(end.key for end in ends if entity in (end.iri, end.concept))}
    names = {name for end in ends if end.key in own for name in (end.label, *end.synonyms)}
    facts = []
    for triple in triples:
        forward = triple.subject.key in own
        value = triple.object if forward else triple.subject
        facts.append(_Fact(triple, value, forward, _kind(triple), words_of(value.label)))
    return facts, frozenset(word for name in names for word in words_of(name))


def _kind(triple: Triple) -> str:
    iri, aspect = triple.relation.iri, triple.relation.aspect
    if iri in LABEL_PROPERTIES or aspect == "name":
        return "name"
    if iri in (RDF_TYPE, SUBJECT_HEADING) or aspect == "classification":
        return "classification"
    return "definition" if aspect == "definition" else "fact"


def _worths(facts: Sequence[_Fact], own: frozenset[str]) -> list[float]:
    """What each fact is worth before anything is said: shape (len(facts),)."""
    sizes = Counter(fact.group for fact in facts)
    home = _home_vocabulary(facts)
    within = _within_group(facts)
    return [
        _of_relation(fact, sizes[fact.group])
        * (_of_class(fact, home) if fact.kind == "classification" else _of_value(fact, own))
        * (1 - WITHIN + WITHIN * within[i])
        for i, fact in enumerate(facts)
    ]


def _of_relation(fact: _Fact, size: int) -> float:
    """By the aspect; where that says nothing, one value identifies more than many do."""
    triple = fact.triple
    if fact.kind == "fact" and is_bookkeeping(triple):
        return LEAST
    aspect = fact.kind if fact.kind != "fact" else triple.relation.aspect
    worth = WORTH.get(aspect, OTHER)
    if aspect == "other":
        worth /= math.sqrt(1 + math.log2(size))
    return worth if fact.forward or not topic_is_subject(triple.relation) else worth * INVERSE


def _of_class(fact: _Fact, home: str) -> float:
    """How much a type or category says of what the thing is."""
    if fact.triple.relation.iri == SUBJECT_HEADING:
        return HEADING
    worth = CODE if is_code(fact.value.label) else 1.0
    if fact.triple.relation.iri == RDF_TYPE:
        worth *= 1.0 if _vocabulary(fact.value.iri or "") == home else BORROWED
        worth *= TOP_CLASS if is_top_class(fact.value.label) else 1.0
    return worth


def _of_value(fact: _Fact, own: frozenset[str]) -> float:
    """How much a value tells a reader."""
    label, said = fact.value.label, fact.words - own
    if fact.kind == "name":
        return 1.0 if label == fact.triple.subject.label else 0.5
    if fact.value.iri is None:
        if fact.words and not said:
            return LEAST
        return NUMBER if is_number(label) else 1.0
    if fact.words > own and all(word.isdigit() for word in said):
        return LEAST  # a part of the thing that has no name of its own: "Ann Lee 2"
    return CODE if is_code(label) else 1.0


def _within_group(facts: Sequence[_Fact]) -> list[float]:
    """From 0 to 1 per fact: its place among the values of its group, the best being 1."""
    often = [_often(fact.triple) for fact in facts]
    known = {fact.group for fact, stated in zip(facts, often, strict=True) if stated is not None}
    theme = _themes([fact.words for fact in facts])
    best: defaultdict[tuple[str, bool], float] = defaultdict(float)
    fitness = []
    for fact, stated, one in zip(facts, often, theme, strict=True):
        if fact.group in known:
            one = UNSAID if stated is None else stated
        fitness.append(one)
        best[fact.group] = max(best[fact.group], one)
    return [
        one / best[fact.group] if best[fact.group] else 1.0
        for fact, one in zip(facts, fitness, strict=True)
    ]


def _often(triple: Triple) -> float | None:
    stated = share(frequency(triple))
    return LINES.get(line(triple) or "") if stated is None else stated


def _themes(values: Sequence[frozenset[str]]) -> list[float]:
    """How much of the theme the words of each value touch; equal values count once.

    A word that n values hold touches 1 - 1/n of it; more words gain by the square root.
    """
    holders = Counter(word for value in set(values) for word in value)
    return [
        sum(1 - 1 / holders[word] for word in sorted(value)) / math.sqrt(len(value) or 1)
        for value in values
    ]


def _home_vocabulary(facts: Sequence[_Fact]) -> str:
    """The vocabulary that most facts are told in: its types are the graph's own."""
    spaces = Counter(_vocabulary(f.triple.relation.iri) for f in facts if f.kind == "fact")
    return min(spaces, key=lambda space: (-spaces[space], space), default="")


def _vocabulary(iri: str) -> str:
    return re.sub(r"[^/#]*$", "", iri)


def _key(fact: _Fact) -> tuple[int, str, str, str, str, str]:
    """The order of facts that are worth the same: by aspect, then by what they state."""
    subject, relation, value = fact.triple.subject, fact.triple.relation, fact.triple.object
    aspect = relation.aspect if fact.kind == "fact" else fact.kind
    place = _ORDER.index(aspect) if aspect in WORTH else len(_ORDER)
    stated = value.iri or f'"{value.label}'
    typed = value.datatype or value.language or ""
    return place, relation.iri, stated, typed, subject.iri or "", subject.label
