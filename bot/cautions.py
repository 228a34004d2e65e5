"""What must be said of the medicines that an answer names, beside what was asked.

For every question: what of it they are contraindicated in or interact with, and that a medicine was
withdrawn. For questions that speak of children, pregnancy, breast-feeding, older people, kidneys or
the liver: what is contraindicated there, and how its use there is described. Read from the graph
apart from the ranked evidence, so that no ranking can hide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.answering.wording import capitalised, escape, join, speaker
from bot.caution_facts import Asked, Fact
from bot.caution_phrases import CUT_OFF, INCLUDES, NOTHING_SPECIFIC, SAYINGS
from kg.deadline import Deadline
from kg.errors import DeadlineExceeded
from kg.model import Entity, Evidence, LinkedEntity, Triple
from kg.populations import Population, populations_in
from kg.protocols import KnowledgeGraph
from kg.roles import SYMMETRIC, topic_is_subject
from kg.sources.vocabulary import GC, TYPES

__all__ = ["cautions_for"]

_STATUS = GC + "hasRegulatoryStatus"
_MEDICINE = frozenset({TYPES[GC + "Medicine"].english, TYPES[GC + "Medicine"].chinese})
_HELPS = frozenset({"treatment", "prevention"})
# Aspects whose topic is a medicine, whatever its source calls it.
_OF_MEDICINES = frozenset({"side-effect", "contraindication", "interaction"})
# What must be told where it is about something that the question names.
_OF_QUESTION = frozenset({"contraindication", "interaction"})
# What is found, in the order in which it is told.
_KINDS = ("contraindication", "interaction", "population", "status")


Facts = dict[object, Fact]


def cautions_for(
    question: str,
    cited: Sequence[Evidence],
    graph: KnowledgeGraph,
    language: str,
    deadline: Deadline,
    entities: Sequence[LinkedEntity] = (),
) -> tuple[str, ...]:
    """The cautions on an answer that cites these items; `entities` are those of its retrieval.

    First what is contraindicated, interacts and is advised for the people of the question, then
    for whom nothing specific was cited, then what was withdrawn. Each medicine's facts are read
    once; when the time runs out, what was found until then is told, and that there may be more.
    """
    people = populations_in(question)
    named = [entity for entity in entities if entity.origin == "question" and not entity.nested]
    asked = Asked(named, graph, language, deadline)
    treatments, medicines = _treatments(cited), _medicines(cited)
    concerned = {*treatments, *_shared(medicines, cited)} if people else set()
    told = {_key(hop.triple) for item in cited for hop in item.hops}
    found: dict[str, Facts] = {kind: {} for kind in _KINDS}
    complete = True
    for iri, medicine in (treatments | medicines).items():
        try:
            facts = graph.triples(iri, language, deadline)
            complete = complete and facts.complete
            for triple in facts.triples:
                kind, fact = _told_of(medicine, triple, asked, people if iri in concerned else ())
                if kind and _key(triple) not in told:  # else the answer itself says so
                    _keep(found[kind], fact)
        except DeadlineExceeded:
            complete = False
            break
    _drop_milder(found, people)
    said = [line for kind in _KINDS[:3] for line in _said(kind, found[kind].values(), language)]
    said += _unspecific(people, cited, found["population"], language, treats=bool(treatments))
    said += _said("status", found["status"].values(), language)
    return (*said, *(() if complete else (CUT_OFF[language],)))


def _keep(found: Facts, fact: Fact) -> None:
    """Keep a fact; stated by another source or from its other end, it is the same one."""
    key = _key(fact.triple)
    if before := found.get(key):
        sources = tuple(dict.fromkeys((*before.triple.sources, *fact.triple.sources)))
        fact = replace(before, triple=replace(before.triple, sources=sources))
    found[key] = fact


def _drop_milder(found: Mapping[str, Facts], people: Sequence[Population]) -> None:
    """Leave out advice on people in all of whom the same medicine is told to be contraindicated."""
    forbidden = [
        (fact.medicine.key, one)
        for fact in found["contraindication"].values()
        for one in people
        if one.fact.fullmatch(fact.other.label.strip())
    ]
    advice = found["population"]
    for key, fact in list(advice.items()):
        relation = fact.triple.relation
        if any(iri == fact.medicine.key and one.meant_by(relation) for iri, one in forbidden):
            del advice[key]


def _told_of(
    medicine: Entity, triple: Triple, asked: Asked, people: Sequence[Population]
) -> tuple[str | None, Fact]:
    """What a fact says that must be told of this medicine; None when nothing."""
    fact = Fact(medicine, triple)
    other, aspect = fact.other, triple.relation.aspect
    if triple.relation.iri == _STATUS:
        return ("status" if other is triple.object else None), fact
    if aspect == "contraindication" and any(one.named_by(other) for one in people):
        return aspect, fact
    if aspect in _OF_QUESTION:
        if asked.names(fact):
            return aspect, fact
        kind = asked.kind_of(fact)
        return (aspect if kind else None), replace(fact, includes=kind)
    if aspect == "population" and other is triple.object:
        return (aspect if any(one.meant_by(triple.relation) for one in people) else None), fact
    return None, fact


def _said(kind: str, facts: Iterable[Fact], language: str) -> Iterator[str]:
    """One sentence for all medicines of which the same source says the same."""
    grouped: dict[tuple[str, ...], list[str]] = {}
    for fact in facts:
        triple, saying = fact.triple, kind
        relation = escape(triple.relation.label) if kind == "population" else ""
        lists = "list" if len(triple.sources) > 1 else "lists"
        told = escape(fact.other.label)
        if kind in _OF_QUESTION and fact.other.iri is None:  # the source's own sentence
            told, saying = f"“{told}”", f"{kind} text"
        if fact.includes:
            told = INCLUDES[language].format(told=told, kind=escape(fact.includes))
        key = (saying, speaker(triple.sources, language), lists, relation, told)
        grouped.setdefault(key, []).append(escape(fact.medicine.label))
    for (saying, source, lists, relation, told), medicines in grouped.items():
        names = list(dict.fromkeys(medicines))
        yield capitalised(
            SAYINGS[saying][language].format(
                source=source,
                lists=lists,
                relation=relation,
                told=told,
                medicines=join(names, language),
                interactions="interactions" if len(names) > 1 else "an interaction",
            )
        )


def _unspecific(
    people: Sequence[Population],
    cited: Sequence[Evidence],
    advised: Facts,
    language: str,
    *,
    treats: bool,
) -> Iterator[str]:
    """For which people of the question the answer cites nothing that is said of them.

    An answer that `treats` should know kidneys and liver too; elsewhere they are mere organs.
    """
    relations = [fact.triple.relation for fact in advised.values()]
    unspecific = [
        one.name(language)
        for one in people
        if cited and (treats or one.advised)
        if not _is_specific(one, cited) and not any(map(one.meant_by, relations))
    ]
    if unspecific:
        yield NOTHING_SPECIFIC[language].format(people=join(unspecific, language))


def _treatments(cited: Iterable[Evidence]) -> dict[str, Entity]:
    """What the answer names as treating or preventing something."""
    found: dict[str, Entity] = {}
    for triple in (hop.triple for item in cited for hop in item.hops):
        if triple.relation.aspect in _HELPS:
            value = triple.object if topic_is_subject(triple.relation) else triple.subject
            if value.key:
                found.setdefault(value.key, value)
    return found


def _medicines(cited: Iterable[Evidence]) -> dict[str, Entity]:
    """The medicines that the answer is about or that it lists."""
    found: dict[str, Entity] = {}
    for triple in (hop.triple for item in cited for hop in item.hops):
        aspect = triple.relation.aspect
        topic = triple.subject if topic_is_subject(triple.relation) else triple.object
        for end in (triple.subject, triple.object):
            of_medicine = aspect in _OF_MEDICINES and (aspect in SYMMETRIC or end is topic)
            if end.key and (end.type in _MEDICINE or of_medicine):
                found.setdefault(end.key, end)
    return found


def _shared(medicines: Iterable[str], cited: Sequence[Evidence]) -> set[str]:
    """Of these medicines the one that the whole answer is about."""
    ends = [{end.key for h in e.hops for end in (h.triple.subject, h.triple.object)} for e in cited]
    return {iri for iri in medicines if all(iri in one for one in ends)}


def _is_specific(people: Population, cited: Iterable[Evidence]) -> bool:
    """Whether something cited is said of these people: a fact, or what it names (小儿感冒颗粒)."""
    for triple in (hop.triple for item in cited for hop in item.hops):
        if any(name == "population" and people.fact.search(v) for name, v in triple.qualifiers):
            return True
        if any(people.fact.search(end.label) for end in (triple.subject, triple.object)):
            return True
        value = triple.object if topic_is_subject(triple.relation) else triple.subject
        if triple.relation.aspect == "contraindication" and people.named_by(value):
            return True
        if triple.relation.aspect == "population" and people.meant_by(triple.relation):
            return True
    return False


def _key(triple: Triple) -> object:
    """By what two facts say the same; what reads the same from both ends has no direction."""
    relation = triple.relation
    kind = relation.iri if relation.aspect in ("population", "other") else relation.aspect
    ends = [end.key or f"literal {end.label}" for end in (triple.subject, triple.object)]
    return kind, (frozenset(ends) if relation.aspect in SYMMETRIC else tuple(ends))
