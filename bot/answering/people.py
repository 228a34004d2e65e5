"""What an answer says of the people that a question speaks of: "in pregnancy", "for my baby".

Two kinds of facts do: advice on the use of a medicine in these people (aspect `population`), and
contraindications that are these people. They are told together; what is said of other people, or
of medicines that the question does not name, is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kg.model import Entity, Evidence, LinkedEntity, Retrieval, Triple
from kg.populations import Population, populations_in
from kg.roles import topic_is_subject

__all__ = ["ForPeople", "advised_people", "for_people", "is_people"]

_HELPS = frozenset({"treatment", "prevention"})
_CONTRAINDICATED, _ADVICE = "contraindication", "population"
_OF_MEDICINES = _HELPS | {_CONTRAINDICATED, _ADVICE, "side-effect", "interaction"}


@dataclass(frozen=True, slots=True)
class ForPeople:
    """The facts about the people of a question, and the keys of those that miss it.

    `medicines`: which of its entities are medicines, by what the facts say of them.
    """

    advice: tuple[Evidence, ...] = ()
    contraindications: tuple[Evidence, ...] = ()
    missing: frozenset[str] = frozenset()
    medicines: tuple[LinkedEntity, ...] = ()

    @property
    def facts(self) -> tuple[Evidence, ...]:
        """Advice first, then contraindications."""
        return (*self.advice, *self.contraindications)


def advised_people(retrieval: Retrieval) -> tuple[Population, ...]:
    """The people of a question, where graphs say of a medicine how it is used in them."""
    return tuple(people for people in populations_in(retrieval.question) if people.advised)


def is_people(entity: LinkedEntity, people: Iterable[Population]) -> bool:
    """Whether an entity is nothing but such people: "pregnancy", 孕妇; not gestational diabetes."""
    rests = (one.question.sub("", entity.mention).strip() for one in people)
    return any(len(rest) <= 1 for rest in rests)


def for_people(items: Sequence[Evidence], retrieval: Retrieval) -> ForPeople:
    """The facts about the people of a question; none where it asks for something else of them."""
    people = advised_people(retrieval)
    if not people or (retrieval.aspects and _ADVICE not in retrieval.aspects):
        return ForPeople()
    known = {_medicine(t).iri for t in _triples(items) if t.relation.aspect in _OF_MEDICINES}
    named = [e for e in _beside(people, retrieval.entities) if e.iri in known]
    medicines = {entity.iri for entity in named}
    advice, contraindications, missing = [], [], set()
    for item, triple in zip(items, _triples(items), strict=True):
        advises = triple.relation.aspect == _ADVICE
        if not advises and triple.relation.aspect != _CONTRAINDICATED:
            continue
        if advises and any(one.meant_by(triple.relation) for one in people):
            advice.append(item)
        elif advises or (medicines and _medicine(triple).iri not in medicines):
            missing.add(item.key)
        elif any(one.named_by(_value(triple)) for one in people):
            contraindications.append(item)
    return ForPeople(tuple(advice), tuple(contraindications), frozenset(missing), tuple(named))


def _beside(people: Sequence[Population], entities: Iterable[LinkedEntity]) -> list[LinkedEntity]:
    """The entities that do not stand for these people."""
    return [e for e in entities if not any(one.fact.search(e.label) for one in people)]


def _triples(items: Iterable[Evidence]) -> list[Triple]:
    return [item.hops[0].triple for item in items]


def _value(triple: Triple) -> Entity:
    return triple.object if topic_is_subject(triple.relation) else triple.subject


def _medicine(triple: Triple) -> Entity:
    """The end of a fact that is the medicine, if one is: its topic, but what treats a disease."""
    value = _value(triple)
    if triple.relation.aspect in _HELPS:
        return value
    return triple.subject if value is triple.object else triple.object
