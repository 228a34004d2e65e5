"""Who should not take what an answer names: contraindications for the people a question is about.

Only for questions that speak of children, pregnancy, breast-feeding, older people, kidneys or the
liver, and only for medicines that the answer cites as a treatment. Read from the graph apart from
the ranked evidence, so that no ranking can hide them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.answering.wording import escape, join, speaker
from kg.deadline import Deadline
from kg.model import Entity, Evidence, Triple
from kg.protocols import KnowledgeGraph
from kg.roles import topic_is_subject

__all__ = ["cautions_for"]


@dataclass(frozen=True, slots=True)
class _Population:
    """Words of a question that mean these people, words of a fact that do, and their name."""

    question: re.Pattern[str]
    fact: re.Pattern[str]
    names: tuple[str, str]


def _population(question: str, fact: str, english: str, chinese: str) -> _Population:
    return _Population(re.compile(question, re.I), re.compile(fact, re.I), (english, chinese))


_POPULATIONS = (
    _population(
        r"\b(child(ren)?|kids?|bab(y|ies)|infants?|toddlers?|newborns?|teen(ager)?s?|sons?"
        r"|daughters?|year[- ]olds?|months? old)\b|儿童|孩|婴|宝宝|幼儿|小儿|新生儿|青少年"
        r"|[0-9一二三四五六七八九十]岁",
        r"\b(child(ren)?|infants?|newborns?|bab(y|ies)|young)\b|儿童|婴|新生儿|小儿|岁以下",
        "children",
        "儿童",
    ),
    _population(
        r"\bpregnan\w+|\bexpecting\b|孕|妊娠", r"\bpregnan\w+|孕|妊娠", "pregnancy", "妊娠期"
    ),
    _population(
        r"\bbreast[- ]?feed\w*|\bnursing\b|\blactat\w+|哺乳|母乳|喂奶",
        r"\bbreast[- ]?feed\w*|\blactat\w+|哺乳",
        "breast-feeding",
        "哺乳期",
    ),
    _population(
        r"\belderly\b|\bolder (people|adults?|persons?|m[ae]n|wom[ae]n)\b|\bseniors?\b"
        r"|\bgrand(ma|pa|mother|father)\b|老年|老人|爷爷|奶奶|外公|外婆",
        r"\belderly\b|\bolder\b|老年",
        "older people",
        "老年人",
    ),
    _population(
        r"\bkidneys?\b|\brenal\b|肾", r"\bkidneys?\b|\brenal\b|肾", "kidney disease", "肾病"
    ),
    _population(r"\bliver\b|\bhepat\w+|肝", r"\bliver\b|\bhepat\w+|肝", "liver disease", "肝病"),
)
_CONTRAINDICATED = {
    "en": "{source} {lists} {medicines} as contraindicated in {condition}.",
    "zh": "{source}列出：{condition}禁用{medicines}。",
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
    """The cautions on an answer that cites these items; () where the question names no such people.

    First what the graph lists as contraindicated, then for whom nothing specific was cited.
    """
    people = [group for group in _POPULATIONS if group.question.search(question)]
    medicines = _treatments(cited)
    told = {_ends(hop.triple) for item in cited for hop in item.hops}
    if not people or not medicines:
        return ()
    found: dict[tuple[str, str, str], list[str]] = {}
    for medicine in medicines:
        for triple in graph.triples(medicine.iri or "", language, deadline).triples:
            condition = _condition(triple, medicine)
            if _ends(triple) in told:
                continue  # the answer itself says so
            if condition and any(_is_about(group, condition) for group in people):
                verb = "list" if len(triple.sources) > 1 else "lists"
                key = (speaker(triple.sources, language), verb, escape(condition.label))
                found.setdefault(key, []).append(escape(medicine.label))
    said = [
        _CONTRAINDICATED[language].format(
            source=source[:1].upper() + source[1:],
            lists=verb,
            condition=condition,
            medicines=join(names, language),
        )
        for (source, verb, condition), names in found.items()
    ]
    unspecific = [group for group in people if not _is_specific(group, cited)]
    names = [group.names[1 if language == "zh" else 0] for group in unspecific]
    if names:
        said.append(_NOTHING_SPECIFIC[language].format(people=join(names, language)))
    return tuple(said)


def _treatments(cited: Iterable[Evidence]) -> list[Entity]:
    """What the answer names as treating or preventing something, each once."""
    found: dict[str, Entity] = {}
    for item in cited:
        for hop in item.hops:
            triple = hop.triple
            if triple.relation.aspect in ("treatment", "prevention"):
                value = triple.object if topic_is_subject(triple.relation) else triple.subject
                if value.key:
                    found.setdefault(value.key, value)
    return list(found.values())


def _condition(triple: Triple, medicine: Entity) -> Entity | None:
    """In whom the medicine is contraindicated, by this fact."""
    if triple.relation.aspect != "contraindication":
        return None
    return triple.object if triple.subject.key == medicine.key else triple.subject


def _is_about(group: _Population, condition: Entity) -> bool:
    return any(group.fact.search(name) for name in (condition.label, *condition.synonyms))


def _is_specific(group: _Population, cited: Iterable[Evidence]) -> bool:
    for triple in (hop.triple for item in cited for hop in item.hops):
        if any(n == "population" and group.fact.search(v) for n, v in triple.qualifiers):
            return True
        ends = (triple.subject, triple.object)
        if triple.relation.aspect == "contraindication" and any(_is_about(group, e) for e in ends):
            return True
    return False


def _ends(triple: Triple) -> tuple[str | None, str, str | None]:
    return triple.subject.key, triple.relation.aspect, triple.object.key
