"""What must be said of the medicines that an answer names, beside what was asked.

For questions that speak of children, pregnancy, breast-feeding, older people, kidneys or the liver:
what is contraindicated there, and how its use there is described. For every question: that a
medicine was withdrawn. Read from the graph apart from the ranked evidence, so that no ranking can
hide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.answering.wording import escape, join, speaker
from kg.deadline import Deadline
from kg.model import Entity, Evidence, Triple
from kg.populations import Population, populations_in
from kg.protocols import KnowledgeGraph
from kg.roles import topic_is_subject
from kg.sources.vocabulary import GC, TYPES

__all__ = ["cautions_for"]

_STATUS = GC + "hasRegulatoryStatus"
_MEDICINE = frozenset({TYPES[GC + "Medicine"].english, TYPES[GC + "Medicine"].chinese})
_HELPS = frozenset({"treatment", "prevention"})
# By what is said: a contraindication, advice on use, a status. {told} is the other end of the fact.
_SAYINGS = {
    "contraindication": {
        "en": "{source} {lists} {medicines} as contraindicated in {told}.",
        "zh": "{source}列出：{told}禁用{medicines}。",
    },
    "text": {
        "en": "{source} {lists} under the contraindications to {medicines}: {told}.",
        "zh": "{source}在{medicines}的禁忌中写道：{told}。",
    },
    "population": {
        "en": "On {relation}, {source} {lists} {medicines} as {told}.",
        "zh": "关于{relation}，{source}列为“{told}”的有{medicines}。",
    },
    "status": {
        "en": "{source} {lists} {medicines} as {told}.",
        "zh": "{source}列出：{medicines}{told}。",
    },
}
_NOTHING_SPECIFIC = {
    "en": "No fact cited here is specific to {people}.",
    "zh": "此处引用的事实都不是专门针对{people}的。",
}


def cautions_for(
    question: str,
    cited: Sequence[Evidence],
    graph: KnowledgeGraph,
    language: str,
    deadline: Deadline,
) -> tuple[str, ...]:
    """The cautions on an answer that cites these items.

    First what is contraindicated and advised for the people of the question, then for whom nothing
    specific was cited, then what was withdrawn.
    """
    people = populations_in(question)
    treatments, medicines = _treatments(cited), _medicines(cited)
    concerned = {*treatments, *_shared(medicines, cited)} if people else set()
    told = {_key(hop.triple) for item in cited for hop in item.hops}
    found: dict[str, list[tuple[Entity, Triple]]] = {kind: [] for kind in _SAYINGS}
    for iri, medicine in ((treatments if people else {}) | medicines).items():
        for triple in graph.triples(iri, language, deadline).triples:
            kind = _kind(triple, medicine, people if iri in concerned else ())
            if kind and _key(triple) not in told:  # else the answer itself says so
                found[kind].append((medicine, triple))
    said = [
        line
        for kind in ("contraindication", "population")
        for line in _said(kind, found[kind], language)
    ]
    advised = [triple for _, triple in found["population"]]
    unspecific = [
        one.name(language)
        for one in (people if treatments else ())
        if not _is_specific(one, cited) and not any(one.meant_by(t.relation) for t in advised)
    ]
    if unspecific:
        said.append(_NOTHING_SPECIFIC[language].format(people=join(unspecific, language)))
    return (*said, *_said("status", found["status"], language))


def _kind(triple: Triple, medicine: Entity, people: Sequence[Population]) -> str | None:
    """What a fact says that must be told of this medicine; None when nothing."""
    other = triple.object if triple.subject.key == medicine.key else triple.subject
    if triple.relation.iri == _STATUS:
        return "status" if other is triple.object else None
    if triple.relation.aspect == "contraindication":
        return "contraindication" if any(one.named_by(other) for one in people) else None
    if triple.relation.aspect == "population" and other is triple.object:
        return "population" if any(one.meant_by(triple.relation) for one in people) else None
    return None


def _said(kind: str, facts: Iterable[tuple[Entity, Triple]], language: str) -> Iterator[str]:
    """One sentence for all medicines of which the same source says the same."""
    grouped: dict[tuple[str, ...], list[str]] = {}
    for medicine, triple in facts:
        other = triple.object if triple.subject.key == medicine.key else triple.subject
        relation = escape(triple.relation.label) if kind == "population" else ""
        lists = "list" if len(triple.sources) > 1 else "lists"
        told, saying = escape(other.label), kind
        if kind == "contraindication" and other.iri is None:  # the source's own sentence
            told, saying = f"“{told}”", "text"
        key = (saying, speaker(triple.sources, language), lists, relation, told)
        grouped.setdefault(key, []).append(escape(medicine.label))
    for (saying, source, lists, relation, told), medicines in grouped.items():
        text = _SAYINGS[saying][language].format(
            source=source,
            lists=lists,
            relation=relation,
            told=told,
            medicines=join(list(dict.fromkeys(medicines)), language),
        )
        yield text[:1].upper() + text[1:]


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
    triples = (hop.triple for item in cited for hop in item.hops)
    ends = (end for triple in triples for end in (triple.subject, triple.object))
    return {end.key: end for end in ends if end.key and end.type in _MEDICINE}


def _shared(medicines: Iterable[str], cited: Sequence[Evidence]) -> set[str]:
    """Of these medicines the one that the whole answer is about."""
    ends = [{end.key for h in e.hops for end in (h.triple.subject, h.triple.object)} for e in cited]
    return {iri for iri in medicines if all(iri in one for one in ends)}


def _is_specific(people: Population, cited: Iterable[Evidence]) -> bool:
    for triple in (hop.triple for item in cited for hop in item.hops):
        if any(name == "population" and people.fact.search(v) for name, v in triple.qualifiers):
            return True
        value = triple.object if topic_is_subject(triple.relation) else triple.subject
        if triple.relation.aspect == "contraindication" and people.named_by(value):
            return True
        if triple.relation.aspect == "population" and people.meant_by(triple.relation):
            return True
    return False


def _key(triple: Triple) -> tuple[str | None, str, str | None]:
    relation = triple.relation
    kind = relation.iri if relation.aspect in ("population", "other") else relation.aspect
    return triple.subject.key, kind, triple.object.key
