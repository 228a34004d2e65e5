"""Which evidence an answer is made of, and which facts are told in one breath.

Chooses by what was asked and groups by entity, aspect (or relation), direction, source, line of
treatment and frequency. Words are chosen in bot.answering.composer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kg.model import Entity, Evidence, Retrieval, Triple
from kg.qualifiers import BANDS, band, frequency, line
from kg.roles import SYMMETRIC, topic_is_subject
from kg.text import fold

__all__ = ["Choice", "Fact", "Group", "choose", "group", "joined"]

# Facts of the second aspect are told with those of the first, after them.
_WITH = {"symptom": ("absence",), "definition": ("classification",)}
_LINES = ("first", "second", "third", "add on")
# "What does X cause", "which diseases …": the question asks for the other end.
_ASKS_OTHER_END = re.compile(
    r"\b(?:cause|treat|prevent|relieve|lead to|used for|diagnose)\s*[?.!]*\s*$"
    r"|\b(?:which|what)\s+(?:diseases?|conditions?|illness(?:es)?|disorders?|syndromes?)\b"
    r"|(?:治疗|引起|导致|预防|缓解)(?:什么|哪些)|(?:哪些|什么)(?:疾病|病症|病|综合征)",
    re.IGNORECASE,
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

    @property
    def first(self) -> Fact:
        """The fact that stands for the group."""
        return self.facts[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """What an answer tells, in order, and the asked aspects on which the graph is silent."""

    descriptions: tuple[Evidence, ...]
    triples: tuple[Evidence, ...]
    chains: tuple[Evidence, ...]
    silent: tuple[str, ...]


def choose(retrieval: Retrieval) -> Choice:
    """The evidence that answers the question, by the aspects it asks for."""
    ranked = retrieval.evidence
    linked = {entity.iri for entity in retrieval.entities}
    texts = tuple(e for e in ranked if is_description(e))
    described = tuple(e for e in texts if e.hops and e.hops[0].triple.subject.iri in linked)
    singles = [e for e in ranked if len(e.hops) == 1 and not is_description(e)]
    chains = tuple(e for e in ranked if len(e.hops) > 1)
    asked = retrieval.aspects
    if not asked:
        return Choice(described, tuple(_joining(singles, retrieval)), chains, ())
    if "definition" in asked and not described:
        # "What is X" is answered by whatever the graph knows about X.
        return Choice((), tuple(singles), chains, ("definition",))
    wanted = {e.key: e for aspect in asked for e in _of_aspect(singles, aspect)}
    fitting = tuple(e for e in chains if _aspects(e) & set(asked))
    found = {a for e in (*wanted.values(), *fitting) for a in _aspects(e)}
    if "cause" in asked and "cause" not in found:  # what has X as a symptom may be its cause
        wanted |= {e.key: e for e in singles if _shown_in(e, linked)}
    silent = tuple(a for a in asked if a != "definition" and not found & {a, *_WITH.get(a, ())})
    if "definition" not in asked and (wanted or fitting):
        described = ()
    return Choice(described, tuple(_joining(list(wanted.values()), retrieval)), fitting, silent)


def _shown_in(item: Evidence, linked: set[str]) -> bool:
    """Whether the item lists an entity of the question as a symptom of something."""
    triple = item.hops[0].triple
    value = triple.object if topic_is_subject(triple.relation) else triple.subject
    return triple.relation.aspect == "symptom" and value.iri in linked


def _aspects(item: Evidence) -> set[str]:
    return {hop.triple.relation.aspect for hop in item.hops}


def is_description(item: Evidence) -> bool:
    """Whether this item is a text about an entity rather than a relation between two."""
    if item.kind == "description":
        return True
    return bool(item.hops) and item.hops[0].triple.relation.aspect == "definition"


def group(evidence: Iterable[Evidence], retrieval: Retrieval) -> list[Group]:
    """The triples in groups, each group in rank order, the groups in the order they are told."""
    linked = [entity.iri for entity in retrieval.entities]
    facts = [_fact(item, linked) for item in evidence]
    facts = _asked_end(facts, retrieval)
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        groups.setdefault(_group_key(fact), []).append(fact)
    aspects = list(dict.fromkeys(fact.triple.relation.aspect for fact in facts))
    made = [
        Group(tuple(members), line(members[0].triple), band(frequency(members[0].triple)))
        for members in groups.values()
    ]
    return sorted(made, key=lambda g: _place(g, linked, aspects))


def _of_aspect(items: Sequence[Evidence], aspect: str) -> list[Evidence]:
    main = [e for e in items if e.hops[0].triple.relation.aspect == aspect]
    with_it = _WITH.get(aspect, ())
    return main + [e for e in items if e.hops[0].triple.relation.aspect in with_it]


def _joining(items: list[Evidence], retrieval: Retrieval) -> list[Evidence]:
    """Of a question that names several entities, the facts that join two, when there are any."""
    linked = _asked_about(retrieval)
    return [e for e in items if _joins(e, linked)] or items


def joined(retrieval: Retrieval) -> bool:
    """Whether some evidence joins two entities of the question, or it names only one."""
    linked = _asked_about(retrieval)
    return len(set(linked.values())) < 2 or any(
        _joins(e, linked) for e in retrieval.evidence if e.hops
    )


def _asked_about(retrieval: Retrieval) -> dict[str, str]:
    """The question's entities by IRI and by name: two sources may hold the same thing apart."""
    asked = [entity for entity in retrieval.entities if entity.origin == "question"]
    by_name = {fold(entity.label): entity.iri for entity in asked}
    return {**by_name, **{entity.iri: entity.iri for entity in asked}}


def _joins(item: Evidence, linked: Mapping[str, str]) -> bool:
    ends = [
        linked.get(end.iri or "") or linked.get(fold(end.label))
        for triple in (item.hops[0].triple, item.hops[-1].triple)
        for end in (triple.subject, triple.object)
    ]
    return len(set(ends) - {None}) > 1


def _fact(item: Evidence, linked: Sequence[str]) -> Fact:
    triple = item.hops[0].triple
    subject, obj = triple.subject, triple.object
    topic, value = (subject, obj) if topic_is_subject(triple.relation) else (obj, subject)
    if triple.relation.aspect == "classification":  # "kinds of X" are what stands below it
        topic, value = value, topic
    named = [entity for entity in (subject, obj) if entity.iri in linked]
    known = named[0] if len(named) == 1 else topic
    if triple.relation.aspect in SYMMETRIC and known is not topic:
        topic, value = value, topic
    return Fact(item, triple, topic, value, known is topic, triple.relation.aspect)


def _asked_end(facts: list[Fact], retrieval: Retrieval) -> list[Fact]:
    """With an aspect asked, the facts told from the end that the question means."""
    if not retrieval.aspects:
        return facts
    wanted = _ASKS_OTHER_END.search(retrieval.question) is None
    fitting = [fact for fact in facts if fact.from_topic is wanted]
    return fitting or facts


def _group_key(fact: Fact) -> tuple[object, ...]:
    triple = fact.triple
    relation = triple.relation
    kind = relation.iri if relation.aspect in _BY_RELATION else relation.aspect
    titles = tuple(source.title for source in triple.sources)
    place = (line(triple), band(frequency(triple)))
    return (fact.known.iri or fact.known.label, kind, fact.from_topic, titles, *place)


# Aspects whose relations differ too much to be told in one sentence.
_BY_RELATION = frozenset({"other", "epidemiology", "dose", "prognosis"})


def _place(g: Group, linked: Sequence[str], aspects: Sequence[str]) -> tuple[int, ...]:
    fact = g.first
    iri = fact.known.iri or ""
    return (
        linked.index(iri) if iri in linked else len(linked),
        aspects.index(fact.triple.relation.aspect),
        0 if fact.from_topic else 1,
        _LINES.index(g.line) if g.line in _LINES else len(_LINES),
        BANDS.index(g.band) if g.band in BANDS else len(BANDS),
        fact.evidence.rank,
    )
