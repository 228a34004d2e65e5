"""Which evidence an answer is made of, and which facts are told in one breath.

Chooses by what was asked and groups by entity, aspect (or relation), direction, source, line of
treatment and frequency. Words are chosen in bot.answering.composer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.answering.people import ForPeople, advised_people, for_people
from bot.answering.phrases import RELIEF
from kg.aspects import words_beside_aspects
from kg.joins import joins
from kg.model import Entity, Evidence, LinkedEntity, Retrieval, Triple
from kg.populations import Population
from kg.qualifiers import BANDS, band_of, frequency, line, share
from kg.roles import SYMMETRIC, relation_words, topic_is_subject

__all__ = [
    "Choice",
    "Fact",
    "Group",
    "choose",
    "excluded",
    "group",
    "is_description",
    "joined",
]

# Facts of the second aspect are told with those of the first, after them.
_WITH = {"symptom": ("absence",), "definition": ("classification",)}
# What is said of the people that a question speaks of.
_ADVISING = frozenset({"population", "contraindication"})
_EASES = re.compile(r"(?:is )?(?:relieve|palliate|ease)|.*(?:缓解|减轻)")
_LINES = ("first", "second", "third", "add on")
# "What does X cause", "which diseases …": the question asks for the other end.
_ASKS_OTHER_END = re.compile(
    r"\b(?:cause|treat|prevent|relieve|lead to|used for|diagnose)\s*[?.!]*\s*$"
    r"|\b(?:which|what)\s+(?:diseases?|conditions?|illness(?:es)?|disorders?|syndromes?)\b"
    r"|(?:治疗|引起|导致|预防|缓解)(?:什么|哪些)|(?:哪些|什么)(?:疾病|病症|病|综合征)",
    re.IGNORECASE,
)
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


def excluded(question: str) -> str | None:
    """The word by which a question excludes something, which no answer takes into account."""
    found = _EXCLUDES.search(question)
    return found.group() if found else None


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
    """What an answer tells, in order, and the asked aspects on which the graph is silent.

    `unclear`: the question asks for something that no aspect stands for. `narrowed`: only what
    joins two entities is told.
    """

    descriptions: tuple[Evidence, ...]
    triples: tuple[Evidence, ...]
    chains: tuple[Evidence, ...]
    silent: tuple[str, ...]
    unclear: bool = False
    narrowed: bool = False


def choose(retrieval: Retrieval) -> Choice:
    """The evidence that answers the question, by the aspects it asks for."""
    ranked = retrieval.evidence
    linked = {entity.iri for entity in retrieval.entities}
    texts = tuple(e for e in ranked if is_description(e))
    described = tuple(e for e in texts if e.hops and e.hops[0].triple.subject.key in linked)
    singles = _without_twins(e for e in ranked if len(e.hops) == 1 and not is_description(e))
    chains = tuple(e for e in ranked if len(e.hops) > 1)
    people = for_people(singles, retrieval)
    singles = [e for e in singles if e.key not in people.missing]
    asked = retrieval.aspects
    asks_of_two = _asks_of_two(retrieval)
    between = () if excluded(retrieval.question) else _between(singles, retrieval)
    if "contraindication" in asked:  # "can I take X with Y" must not be answered by "X treats Y"
        between = tuple(e for e in between if not _aspects(e) & {"treatment", "prevention"})
    if (between and (not asked or asks_of_two)) or _advises(people, retrieval):
        # "Does X cause Y" is answered by what lies between them, whatever it is called.
        joining = tuple({e.key: e for e in (*people.facts, *between)}.values())
        unsaid = ("population",) if people.medicines and not people.facts else ()
        return Choice((), joining, chains, unsaid, narrowed=True)
    if asks_of_two and not set(asked) & {"contraindication", "interaction", "definition"}:
        return Choice((), (), chains, ())  # nothing joins them: no other fact is an answer
    if not asked and not is_overview(retrieval):
        return Choice(described, (), chains, (), unclear=True)
    if not asked:
        return Choice(described, tuple(singles), chains, ())
    if "definition" in asked and not described:
        # "What is X" is answered by whatever the graph knows about X.
        return Choice((), tuple(singles), chains, ("definition",))
    straight = [e for e in singles if not _backwards(e, retrieval)]
    wanted = {e.key: e for aspect in asked for e in _of_aspect(straight, aspect)}
    fitting = tuple(e for e in chains if _aspects(e) & set(asked))
    found = {a for e in (*wanted.values(), *fitting) for a in _aspects(e)}
    if "cause" in asked and "cause" not in found:  # what has X as a symptom may be its cause
        wanted |= {e.key: e for e in singles if _shown_in(e, linked)}
    if people.facts or not people.medicines:
        found.add("population")
    silent = tuple(a for a in asked if a != "definition" and not found & {a, *_WITH.get(a, ())})
    if "definition" not in asked and (wanted or fitting):
        described = ()
    told = tuple(e for e in between if e.key in wanted)
    if people.contraindications and not told:
        told = tuple(e for e in wanted.values() if e in people.facts or not _aspects(e) & _ADVISING)
    narrowed = 0 < len(told) < len(wanted) or bool(people.missing)
    return Choice(described, told or tuple(wanted.values()), fitting, silent, narrowed=narrowed)


def _advises(people: ForPeople, retrieval: Retrieval) -> bool:
    """Whether names alone are asked about, and something is said of their use: "X for babies"."""
    alone = not retrieval.aspects and is_overview(retrieval, advised_people(retrieval))
    return bool(people.advice) and alone


def _asks_of_two(retrieval: Retrieval) -> bool:
    """Whether the question asks what one thing does to another: "does X cause Y"."""
    two = len({entity.iri for entity in _asked_about(retrieval)}) > 1
    yes_no = _YES_NO.search(retrieval.question) is not None
    return two and (yes_no or "cause" in retrieval.aspects)


def is_overview(retrieval: Retrieval, people: Sequence[Population] = ()) -> bool:
    """Whether the question holds nothing but the names of its entities, and words for people."""
    names = {mention.text for mention in retrieval.mentions}
    names |= {name for entity in retrieval.entities for name in (entity.mention, entity.label)}
    text = retrieval.question
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    for one in people:
        text = one.question.sub(" ", text)
    return not words_beside_aspects(text)


def _shown_in(item: Evidence, linked: set[str]) -> bool:
    """Whether the item lists an entity of the question as a symptom of something."""
    triple = item.hops[0].triple
    value = triple.object if topic_is_subject(triple.relation) else triple.subject
    return triple.relation.aspect == "symptom" and value.key in linked


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
        Group(
            tuple(sorted(members, key=_how_often)),
            line(members[0].triple),
            band_of(members[0].triple),
        )
        for members in groups.values()
    ]
    return sorted(made, key=lambda g: _place(g, linked, aspects))


def _how_often(fact: Fact) -> tuple[float, int]:
    """Within a band the more frequent first, else by rank."""
    return (-(share(frequency(fact.triple)) or 0.0), fact.evidence.rank)


def _of_aspect(items: Sequence[Evidence], aspect: str) -> list[Evidence]:
    main = [e for e in items if e.hops[0].triple.relation.aspect == aspect]
    with_it = _WITH.get(aspect, ())
    return main + [e for e in items if e.hops[0].triple.relation.aspect in with_it]


def _between(items: Iterable[Evidence], retrieval: Retrieval) -> tuple[Evidence, ...]:
    """The facts that join two entities of the question."""
    asked = _asked_about(retrieval)
    return tuple(e for e in items if joins((hop.triple for hop in e.hops), asked))


def joined(retrieval: Retrieval) -> bool:
    """Whether some evidence joins two entities of the question, or it names only one."""
    one = len({entity.iri for entity in _asked_about(retrieval)}) < 2
    facts = [e for e in retrieval.evidence if e.hops]
    return one or bool(_between(facts, retrieval) or for_people(facts, retrieval).facts)


def _asked_about(retrieval: Retrieval) -> list[LinkedEntity]:
    return [entity for entity in retrieval.entities if entity.origin == "question"]


def _without_twins(items: Iterable[Evidence]) -> list[Evidence]:
    """Of facts that read the same from both ends and are stated from both, the first."""
    told: set[tuple[str, frozenset[str | None]]] = set()
    kept = []
    for item in items:
        triple = item.hops[0].triple
        pair = (triple.relation.aspect, frozenset({triple.subject.key, triple.object.key}))
        if pair[0] not in SYMMETRIC or pair not in told:
            kept.append(item)
        told.add(pair)
    return kept


def _backwards(item: Evidence, retrieval: Retrieval) -> bool:
    """Whether "symptoms of X" would be answered by the diseases that have X as a symptom."""
    triple = item.hops[0].triple
    if triple.relation.aspect != "symptom" or _ASKS_OTHER_END.search(retrieval.question):
        return False
    topic = triple.subject if topic_is_subject(triple.relation) else triple.object
    return topic.key not in {entity.iri for entity in retrieval.entities}


def _fact(item: Evidence, linked: Sequence[str]) -> Fact:
    triple = item.hops[0].triple
    subject, obj = triple.subject, triple.object
    topic, value = (subject, obj) if topic_is_subject(triple.relation) else (obj, subject)
    if triple.relation.aspect == "classification":  # "kinds of X" are what stands below it
        topic, value = value, topic
    named = [entity for entity in (subject, obj) if entity.key in linked]
    known = named[0] if len(named) == 1 else topic
    if triple.relation.aspect in SYMMETRIC and known is not topic:
        topic, value = value, topic
    eases = triple.relation.aspect == "treatment" and _EASES.match(relation_words(triple.relation))
    asked = RELIEF if eases else triple.relation.aspect
    return Fact(item, triple, topic, value, known is topic, asked)


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
    by_relation = relation.aspect in _BY_RELATION or fact.told.iri is None
    kind = relation.iri if by_relation else relation.aspect
    titles = tuple(source.title for source in triple.sources)
    place = (line(triple), band_of(triple))
    return (fact.known.key or fact.known.label, kind, fact.from_topic, titles, fact.asked, *place)


# Aspects whose relations differ too much to be told in one sentence.
_BY_RELATION = frozenset(
    "other epidemiology dose prognosis population composition precaution storage name".split()
)


def _place(g: Group, linked: Sequence[str], aspects: Sequence[str]) -> tuple[int, ...]:
    fact = g.first
    iri = fact.known.key or ""
    return (
        linked.index(iri) if iri in linked else len(linked),
        aspects.index(fact.triple.relation.aspect),
        0 if fact.from_topic else 1,
        _LINES.index(g.line) if g.line in _LINES else len(_LINES),
        BANDS.index(g.band) if g.band in BANDS else len(BANDS),
        fact.evidence.rank,
    )
