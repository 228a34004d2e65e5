"""Which chains an answer tells, and which of them are told in one sentence.

A chain is one item of evidence: two things that a third joins. Told are those that fit what was
asked, a handful; the others stay in the evidence view. Words are chosen in
bot.answering.chain_writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from bot.answering import phrases
from bot.answering.statements import is_clause, roles_of
from bot.citations.claims import is_negated
from kg.joins import joins
from kg.model import Entity, Evidence, Hop, LinkedEntity, Retrieval, Triple
from kg.qualifiers import qualifier
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = ["ChainGroup", "entities_along", "fitting", "grouped", "is_chain", "is_joining", "leads"]

MOST_SENTENCES = 5
MOST_ITEMS = 7  # in one sentence
# Told by their relations' labels: their facts are too different for one noun.
_NO_NOUN = frozenset({"regulation", "population"})
_DENYING = frozenset({"absence", "non-indication"})

Shape = Literal["shared", "middle", "last"]


@dataclass(frozen=True, slots=True)
class ChainGroup:
    """Chains that are told in one sentence.

    *shared*: what stands between the same two ends in the same role to both ("both have …").
    *middle*: chains that differ in their middle alone. *last*: in their last entity alone; a
    chain of its own is one of these.
    """

    shape: Shape
    chains: tuple[Evidence, ...]


def is_chain(item: Evidence) -> bool:
    """Whether an item has several hops."""
    return len(item.hops) > 1


def entities_along(item: Evidence) -> tuple[Entity, ...]:
    """The entities of a chain from its first to its last, as it was walked."""
    first = item.hops[0]
    along = [first.triple.subject if first.forward else first.triple.object]
    along += [hop.triple.object if hop.forward else hop.triple.subject for hop in item.hops]
    return tuple(along)


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
    asked = [entity for entity in retrieval.entities if entity.origin == "question"]
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
    told = {item.key for group in islice(grouped(ordered), MOST_SENTENCES) for item in group.chains}
    return tuple(item for item in ordered if item.key in told)


def _shortest(chains: Sequence[Evidence]) -> list[Evidence]:
    """Without detours: chains between two things that a shorter one joins as well."""
    fewest: dict[frozenset[str | None], int] = {}
    for item in chains:
        ends = _ends(item)
        fewest[ends] = min(len(item.hops), fewest.get(ends, len(item.hops)))
    return [item for item in chains if len(item.hops) == fewest[_ends(item)]]


# What follows from what: these aspects say of their topic what comes of it, the others whence.
_COMES_OF = frozenset({"complication", "symptom"})
_COMES_FROM = frozenset({"cause", "risk-factor"})


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


def grouped(chains: Iterable[Evidence]) -> list[ChainGroup]:
    """Chains by sentence, in the order of each sentence's first."""
    items = list(chains)
    made: dict[tuple[Shape, object], list[Evidence]] = {}
    for item in items:
        made.setdefault(_shape(item, items), []).append(item)
    groups = [
        ChainGroup(shape, tuple(members[start : start + MOST_ITEMS]))
        for (shape, _), members in made.items()
        for start in range(0, len(members), MOST_ITEMS)
    ]
    # "Each of these … : one thing" would be odd.
    return [
        ChainGroup("last", g.chains) if g.shape == "middle" and len(g.chains) == 1 else g
        for g in groups
    ]


def _shape(item: Evidence, items: Sequence[Evidence]) -> tuple[Shape, object]:
    """The sentence that this chain belongs to."""
    if shared := _shared(item):
        return "shared", shared
    middle = _middle(item)
    others = (other for other in items if other is not item and not _shared(other))
    if middle and any(_middle(other) == middle for other in others):
        return "middle", middle
    return "last", _last(item) or item.key


def _shared(item: Evidence) -> object:
    """What two-hop chains have in common whose middle has the same role to both ends."""
    if len(item.hops) != 2 or any(qualifier(h.triple, "population") for h in item.hops):
        return None
    one, other = (roles_of(hop.triple) for hop in item.hops)
    titles = [_titles(hop.triple) for hop in item.hops]
    if one.asked != other.asked or titles[0] != titles[1] or one.asked in _NO_NOUN:
        return None
    if phrases.telling(one.asked, "en") is None or phrases.telling(one.asked, "zh") is None:
        return None
    first, middle, last = entities_along(item)
    as_topic = [roles.topic.key == middle.key for roles in (one, other)]
    if None in (first.key, middle.key, last.key) or first.key == last.key:
        return None
    if as_topic[0] is not as_topic[1] and not one.symmetric:
        return None
    return one.asked, first.key, last.key, one.symmetric or as_topic[0], titles[0]


def _middle(item: Evidence) -> object:
    """What two-hop chains have in common that differ in their middle alone."""
    if len(item.hops) != 2 or not all(is_clause(hop.triple) for hop in item.hops):
        return None
    first, middle, last = entities_along(item)
    if None in (first.key, middle.key, last.key):
        return None
    return first.key, last.key, _relations(item), _people(item)


def _last(item: Evidence) -> object:
    """What chains have in common that differ in their last entity alone."""
    if not item.hops[-1].forward:
        return None
    before = tuple(entity.key for entity in entities_along(item)[:-1])
    return before, _relations(item), _people(item)


def _relations(item: Evidence) -> object:
    return tuple((hop.triple.relation, hop.forward, _titles(hop.triple)) for hop in item.hops)


def _people(item: Evidence) -> object:
    return tuple(qualifier(hop.triple, "population") for hop in item.hops)


def _titles(triple: Triple) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source.title or source.name for source in triple.sources))
