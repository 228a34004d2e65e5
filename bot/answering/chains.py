"""Which chains an answer tells: a handful that fits what was asked, best first.

A chain is one item of evidence: two things that a third joins. The others stay in the evidence
view. Which are told in one sentence is in bot.answering.chain_shapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bot.answering.chain_shapes import are_siblings, entities_along, grouped
from bot.answering.groups import asks_other_end
from bot.answering.statements import roles_of
from bot.citations.claims import is_negated
from kg.joins import joins
from kg.model import Evidence, Hop, LinkedEntity, Retrieval, Triple
from kg.questions import names_alone
from kg.roles import topic_is_subject

__all__ = [
    "asked_about",
    "asks_relation",
    "fitting",
    "inherited",
    "is_backwards",
    "is_chain",
    "is_joining",
    "is_overview",
    "leads",
]

MOST_SENTENCES = 5
LONGEST_TOLD = 2  # hops, where the question does not ask for the way itself
_DENYING = frozenset({"absence", "non-indication"})
# "Are they related": here what the two share is an answer.
_RELATED = re.compile(
    r"\b(?:related?|relation\w*|connect\w*|link\w*|associat\w*|in common|share[ds]?)\b"
    r"|联系|关系|关联|有关|相关|共同|共有",
    re.IGNORECASE,
)
_SHARED = re.compile(r"\b(?:in common|common to|share[ds]?|both)\b|共同|共有|都", re.IGNORECASE)
# "Symptoms of X" never means what has X as a symptom, unless the question says so.
_ONE_WAY = frozenset({"symptom", "cause", "complication", "risk-factor"})
# Asked of two things, what leads from the one to the other.
_LEADING = frozenset({"cause", "complication", "risk-factor"})
# What holds of the whole holds of its kinds, and of a mixture what holds of its parts.
_OF_KINDS = frozenset({"contraindication", "interaction"})
_NEAR = frozenset({"classification", "composition"})
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
    aspects = set(retrieval.aspects)
    joined, others = [], []
    for item in _tellable(retrieval.evidence):
        fits = not aspects or _fits(item, retrieval)
        if not _is_short(item, retrieval):
            continue
        if is_joining(item, asked):
            joined += [item] if fits or joining else []
        elif fits and not joining and _is_beside(item, retrieval):
            others.append(item)
    if joined and not aspects:
        others = []

    def place(item: Evidence) -> tuple[bool, bool, int]:
        return not _fits(item, retrieval), item.origin == "hypothesis", item.rank

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


def _fits(item: Evidence, retrieval: Retrieval) -> bool:
    """Whether a hop of a chain is of an asked aspect, and no such hop the wrong way round.

    "How does A lead to B": a chain that leads from one to the other goes the right way.
    """
    hops = [h.triple for h in item.hops if h.triple.relation.aspect in retrieval.aspects]
    asks_way = any(aspect in _LEADING for aspect in retrieval.aspects)
    if asks_way and leads(item) and is_joining(item, asked_about(retrieval)):
        return bool(hops)
    return bool(hops) and not any(is_backwards(triple, retrieval) for triple in hops)


def is_backwards(triple: Triple, retrieval: Retrieval) -> bool:
    """Whether "symptoms of X" would be answered by what has X as a symptom."""
    relation = triple.relation
    if relation.aspect not in _ONE_WAY or asks_other_end(retrieval.question):
        return False
    linked = {entity.iri for entity in retrieval.entities}
    topic, value = triple.subject, triple.object
    if not topic_is_subject(relation):
        topic, value = value, topic
    return value.key in linked and topic.key not in linked


def _is_short(item: Evidence, retrieval: Retrieval) -> bool:
    """Whether a chain says enough: a long one tells how things hang together, or lead on.

    Where something is asked of them, a long one tells it of one of them.
    """
    if retrieval.aspects and _SHARED.search(retrieval.question):
        # What a third thing shares with one of two is not what the two share.
        wanted = {
            *retrieval.aspects,
            *(("prevention",) if "treatment" in retrieval.aspects else ()),
        }
        told = all(hop.triple.relation.aspect in wanted for hop in item.hops)
        return told and len(item.hops) <= LONGEST_TOLD
    if len(item.hops) <= LONGEST_TOLD or leads(item):
        return True
    if not retrieval.aspects:
        return asks_relation(retrieval.question) or is_overview(retrieval)
    asked = {entity.iri for entity in asked_about(retrieval)}
    hops = (h.triple for h in item.hops if h.triple.relation.aspect in retrieval.aspects)
    return any(not asked.isdisjoint((t.subject.key, t.object.key)) for t in hops)


def _is_beside(item: Evidence, retrieval: Retrieval) -> bool:
    """Whether a chain from one of the question's entities to something else answers it.

    From the only entity: "Marfan causes A, and A has cause B" tells no cause of Marfan. Where the
    question names nothing but the entity and what it asks for, the way must go by its parts or
    its kinds, or be asked for hop by hop.
    """
    asked = {entity.iri for entity in asked_about(retrieval)}
    ends = _ends(item)
    if not asked & ends:
        return False
    if len(asked) > 1:
        return not any(entity.nested and entity.iri in ends for entity in retrieval.entities)
    if are_siblings(item):
        return False
    if item.origin == "hypothesis" or not retrieval.aspects or not is_overview(retrieval):
        return True
    aspects = {hop.triple.relation.aspect for hop in item.hops}
    return bool(aspects & _NEAR) or len(aspects & set(retrieval.aspects)) > 1


def inherited(retrieval: Retrieval) -> tuple[Evidence, ...]:
    """What is contraindicated or interacts with a kind of thing to which an asked entity belongs.

    "Ibuprofen is contraindicated in peptic ulcer, and gastric ulcer is a peptic ulcer."
    """
    asked = asked_about(retrieval)
    items = (i for i in _tellable(retrieval.evidence) if len(i.hops) == LONGEST_TOLD)
    return tuple(item for item in items if is_joining(item, asked) and _is_inherited(item))


def _is_inherited(item: Evidence) -> bool:
    first, middle, last = entities_along(item)
    for hop, other, end in zip(item.hops, reversed(item.hops), (first, last), strict=True):
        roles = roles_of(hop.triple)
        is_kind = roles.asked == "classification" and roles.topic.key == middle.key
        if is_kind and roles.value.key == end.key:
            return other.triple.relation.aspect in _OF_KINDS
    return False


def asks_relation(question: str) -> bool:
    """Whether a question asks how things hang together, or what they have in common."""
    return _RELATED.search(question) is not None


def is_overview(retrieval: Retrieval, question: str | None = None) -> bool:
    """Whether the question holds nothing but the names of its entities, and what it asks for.

    `question`: what to look at in its place.
    """
    names = {mention.text for mention in retrieval.mentions}
    names |= {name for entity in retrieval.entities for name in (entity.mention, entity.label)}
    return names_alone(retrieval.question if question is None else question, names)


def _tellable(evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    """The chains that may be told."""
    return (item for item in evidence if is_chain(item) and _is_tellable(item))


def _is_tellable(item: Evidence) -> bool:
    relations = (hop.triple.relation for hop in item.hops)
    return all(r.aspect not in _DENYING or is_negated(r.label) for r in relations)
