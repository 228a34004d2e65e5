"""Which facts are told in one breath: of one entity, aspect, direction, source, line, frequency."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.answering.statements import roles_of
from kg.model import Entity, Evidence, Retrieval, Triple
from kg.populations import Population, populations_in
from kg.qualifiers import BANDS, band_of, frequency, line, qualifier, share

__all__ = ["Fact", "Group", "asks_other_end", "group"]

_LINES = ("first", "second", "third", "add on")
# "What does X cause", "which diseases …": the question asks for the other end.
_OTHER_END = re.compile(
    r"\b(?:cause|treat|prevent|relieve|lead to|used for|diagnose)\s*[?.!]*\s*$"
    r"|\b(?:caused|triggered|induced|prevented|treated|relieved) (?:by|with)\b"
    r"|\b(?:which|what)\s+(?:diseases?|conditions?|illness(?:es)?|disorders?|syndromes?)\b"
    r"|(?:治疗|引起|导致|预防|缓解)(?:什么|哪些|的(?:疾病|病))|(?:哪些|什么)(?:疾病|病症|病|综合征)",
    re.IGNORECASE,
)
# Aspects whose relations differ too much to be told in one sentence.
_BY_RELATION = frozenset(
    "other epidemiology dose prognosis population composition precaution storage name".split()
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One triple as it is told: who is the topic, what is its value, and what was asked about."""

    evidence: Evidence
    triple: Triple
    topic: Entity
    value: Entity
    from_topic: bool
    asked: str

    @property
    def known(self) -> Entity:
        """The end that the question named."""
        return self.topic if self.from_topic else self.value

    @property
    def told(self) -> Entity:
        """The other end: the item that the sentence lists."""
        return self.value if self.from_topic else self.topic


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that share everything but their items."""

    facts: tuple[Fact, ...]
    line: str | None
    band: str | None
    for_people: bool = False  # who the question speaks of, and nobody else

    @property
    def first(self) -> Fact:
        """The fact that stands for the group."""
        return self.facts[0]


def asks_other_end(question: str) -> bool:
    """Whether "symptoms of X" means what has X as a symptom: "which diseases …"."""
    return _OTHER_END.search(question) is not None


def group(evidence: Iterable[Evidence], retrieval: Retrieval) -> list[Group]:
    """The triples in groups, each group in rank order, the groups in the order they are told."""
    linked = [entity.iri for entity in retrieval.entities]
    facts = [_fact(item, linked) for item in evidence]
    facts = _asked_end(facts, retrieval)
    people = populations_in(retrieval.question)
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        key = (_is_for(people, fact.triple), *_group_key(fact))
        groups.setdefault(key, []).append(fact)
    aspects = list(dict.fromkeys(fact.triple.relation.aspect for fact in facts))
    made = [
        Group(
            tuple(sorted(members, key=_how_often)),
            line(members[0].triple),
            band_of(members[0].triple),
            _is_for(people, members[0].triple),
        )
        for members in groups.values()
    ]
    return sorted(made, key=lambda g: _place(g, linked, aspects))


def _is_for(people: Iterable[Population], triple: Triple) -> bool:
    """Whether a fact holds for these people alone: "in pregnancy"."""
    said = qualifier(triple, "population") or ""
    return any(one.fact.search(said) for one in people)


def _how_often(fact: Fact) -> tuple[float, int]:
    """Within a band the more frequent first, else by rank."""
    return (-(share(frequency(fact.triple)) or 0.0), fact.evidence.rank)


def _fact(item: Evidence, linked: Sequence[str]) -> Fact:
    triple = item.hops[0].triple
    roles = roles_of(triple)
    topic, value = roles.topic, roles.value
    named = [entity for entity in (triple.subject, triple.object) if entity.key in linked]
    known = named[0] if len(named) == 1 else topic
    if roles.symmetric and known is not topic:
        topic, value = value, topic
    return Fact(item, triple, topic, value, known is topic, roles.asked)


def _asked_end(facts: list[Fact], retrieval: Retrieval) -> list[Fact]:
    """With an aspect asked, the facts told from the end that the question means."""
    if not retrieval.aspects:
        return facts
    wanted = not asks_other_end(retrieval.question)
    fitting = [fact for fact in facts if fact.from_topic is wanted]
    return fitting or facts


def _group_key(fact: Fact) -> tuple[object, ...]:
    triple = fact.triple
    relation = triple.relation
    by_relation = relation.aspect in _BY_RELATION or fact.told.iri is None
    kind = relation.iri if by_relation else relation.aspect
    titles = tuple(source.title for source in triple.sources)
    place = (line(triple), band_of(triple))
    return (fact.known.key or fact.known.label, kind, fact.from_topic, titles, fact.asked, *place)


def _place(g: Group, linked: Sequence[str], aspects: Sequence[str]) -> tuple[int, ...]:
    fact = g.first
    iri = fact.known.key or ""
    return (
        linked.index(iri) if iri in linked else len(linked),
        aspects.index(fact.triple.relation.aspect),
        0 if fact.from_topic else 1,
        0 if g.for_people else 1,
        _LINES.index(g.line) if g.line in _LINES else len(_LINES),
        BANDS.index(g.band) if g.band in BANDS else len(BANDS),
        fact.evidence.rank,
    )
