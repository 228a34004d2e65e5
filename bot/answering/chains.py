"""Which chains an answer tells: a handful that fits what was asked, best first.

A chain is one item of evidence: two things that a third joins. The others stay in the evidence
view. Which are told in one sentence is in bot.answering.chain_shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from bot.answering.chain_shapes import entities_along, grouped
from bot.citations.claims import is_negated
from kg.joins import joins
from kg.model import Evidence, Hop, LinkedEntity, Retrieval, Triple
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = [
    "asked_about",
    "fitting",
    "is_chain",
    "is_joining",
    "leads",
]

MOST_SENTENCES = 5
_DENYING = frozenset({"absence", "non-indication"})
# What follows from what: these aspects say of their topic what comes of it, the others whence.
_COMES_OF = frozenset({"complication", "symptom"})
_COMES_FROM = frozenset({"cause", "risk-factor"})


def is_chain(item: Evidence) -> bool:
    """Whether an item has several hops."""
    return len(item.hops) > 1


def asked_about(retrieval: Retrieval) -> list[LinkedEntity]:
    """The entities that the question asks about: no guesses, and no name inside a longer one."""
    return [e for e in retrieval.entities if e.origin == "question" and not e.nested]


def is_joining(item: Evidence, asked: Sequence[LinkedEntity]) -> bool:
    """Whether the ends of a chain stand for two entities of the question."""
    along, hop = entities_along(item), item.hops[0].triple
    return joins((Triple(along[0], hop.relation, along[-1], hop.sources),), asked)


def fitting(retrieval: Retrieval, *, joining: bool = False) -> tuple[Evidence, ...]:
    """The chains that an answer tells, in order: what joins the entities of the question first.

    Where the question asks for aspects, a hop must have one; where it asks for none, or with
    `joining`, what joins its entities is told. Never told are chains between two guesses, and hops
    that deny something in a relation whose name does not.
    """
    asked = asked_about(retrieval)
    named = {entity.iri for entity in asked}
    aspects = set(retrieval.aspects)
    joined, others = [], []
    for item in _without_twins(retrieval.evidence):
        fits = not aspects or _fits(item, aspects)
        if is_joining(item, asked):
            joined += [item] if fits or joining else []
        elif fits and not joining and named & _ends(item):
            others.append(item)
    if joined and not aspects:
        others = []

    def place(item: Evidence) -> tuple[bool, bool, int]:
        return not _fits(item, aspects), item.origin == "hypothesis", item.rank

    ordered = [*sorted(_shortest(joined), key=place), *sorted(others, key=place)]
    told = {
        item.key
        for group in grouped(ordered, retrieval.language)[:MOST_SENTENCES]
        for item in group.chains
    }
    return tuple(item for item in ordered if item.key in told)


def _shortest(chains: Sequence[Evidence]) -> list[Evidence]:
    """Without detours: chains between two things that a shorter one joins as well."""
    fewest: dict[frozenset[str | None], int] = {}
    for item in chains:
        ends = _ends(item)
        fewest[ends] = min(len(item.hops), fewest.get(ends, len(item.hops)))
    return [item for item in chains if len(item.hops) == fewest[_ends(item)]]


def leads(item: Evidence) -> bool:
    """Whether each hop of a chain leads on to the next as causes do, all the way to one end.

    "Diabetes is a risk factor of cataract, cataract has the complication blindness" does; what two
    things merely share leads from none of them to the other.
    """
    ways = {_way(hop) for hop in item.hops}
    return len(ways) == 1 and None not in ways


def _way(hop: Hop) -> bool | None:
    """Whether the walk over this hop goes from a cause to what comes of it; None for neither."""
    relation = hop.triple.relation
    if relation.aspect not in _COMES_OF | _COMES_FROM:
        return None
    from_topic = topic_is_subject(relation) == hop.forward
    return from_topic == (relation.aspect in _COMES_OF)


def _ends(item: Evidence) -> frozenset[str | None]:
    along = entities_along(item)
    return frozenset({along[0].key, along[-1].key})


def _fits(item: Evidence, aspects: Set[str]) -> bool:
    """Whether a hop of a chain is of an asked aspect."""
    return any(hop.triple.relation.aspect in aspects for hop in item.hops)


def _without_twins(evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    """The chains that may be told; of those that say the same, the first.

    What reads the same from both ends may be stated from both, and a chain found from both.
    """
    told: set[frozenset[object]] = set()
    for item in filter(is_chain, evidence):
        facts = frozenset(_fact_key(hop.triple) for hop in item.hops)
        if facts not in told and _is_tellable(item):
            told.add(facts)
            yield item


def _fact_key(triple: Triple) -> object:
    ends = (triple.subject.key or triple.subject.label, triple.object.key or triple.object.label)
    aspect = triple.relation.aspect
    return (aspect, frozenset(ends)) if aspect in SYMMETRIC else (triple.relation.iri, ends)


def _is_tellable(item: Evidence) -> bool:
    relations = (hop.triple.relation for hop in item.hops)
    return all(r.aspect not in _DENYING or is_negated(r.label) for r in relations)
