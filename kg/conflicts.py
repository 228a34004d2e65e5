"""Facts that contradict each other: one source says "treats", another "not", or "contraindicated".

Two facts are in conflict when they join the same two things and one affirms what the other
denies. What denies what is told by our own relations (kg.sources.vocabulary.DENIES) and, for those
of other graphs, by their aspects. Which of the two is right is not for the graph to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from kg.model import Relation, Triple
from kg.sources.vocabulary import DENIES

__all__ = ["Conflict", "conflicts_among", "stance"]

# What a fact is for or against: the use of a medicine, or a finding of a disease.
_AFFIRMS = {"treatment": "use", "prevention": "use", "symptom": "finding"}
_DENIES = {"contraindication": "use", "non-indication": "use", "absence": "finding"}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A fact and one that denies it."""

    affirms: Triple
    denies: Triple


def conflicts_among(triples: Iterable[Triple]) -> tuple[Conflict, ...]:
    """The pairs of these facts that contradict each other, in their order."""
    for_: defaultdict[object, list[Triple]] = defaultdict(list)
    against: defaultdict[object, list[Triple]] = defaultdict(list)
    for triple in triples:
        matter, affirms = stance(triple.relation)
        if matter and triple.subject.key and triple.object.key:
            ends = frozenset({triple.subject.key, triple.object.key})
            (for_ if affirms else against)[matter, ends].append(triple)
    return tuple(
        Conflict(affirming, denying)
        for about, affirmed in for_.items()
        for affirming in affirmed
        for denying in against.get(about, ())
    )


def stance(relation: Relation) -> tuple[str | None, bool]:
    """What a relation is about, and whether it affirms it; nothing for most relations."""
    if relation.iri in DENIES:
        return DENIES[relation.iri], False
    if relation.aspect in _AFFIRMS:
        return _AFFIRMS[relation.aspect], True
    return _DENIES.get(relation.aspect), False
