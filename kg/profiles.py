"""What a graph says of an entity in outline: cheap to read where its facts are many.

Choosing between homonyms needs no more. A graph that can tell it at once has `profiles`; of any
other the facts themselves are read (kg.reading).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from kg.deadline import Deadline
from kg.model import Relation, Triple
from kg.roles import SYMMETRIC, topic_is_subject

__all__ = ["Profile", "Profiling", "profile_of_triples"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The relations of one entity: each with whether it is the subject, and how many facts.

    `joined` are those of the other entities asked for that it has a fact with.
    """

    relations: tuple[tuple[Relation, bool, int], ...] = ()
    joined: frozenset[str] = frozenset()

    def straight(self, aspects: Sequence[str]) -> bool:
        """Whether facts about the entity itself have one of these aspects."""
        return any(
            relation.aspect in aspects and _is_topic(relation, is_subject)
            for relation, is_subject, _ in self.relations
        )

    def touches(self, aspects: Sequence[str]) -> bool:
        """Whether any of its facts has one of these aspects, whichever end the entity is."""
        return any(relation.aspect in aspects for relation, _, _ in self.relations)

    @property
    def about(self) -> int:
        """How many facts are about the entity, rather than naming it at their other end."""
        return sum(
            count for relation, subject, count in self.relations if _is_topic(relation, subject)
        )


def _is_topic(relation: Relation, is_subject: bool) -> bool:
    """As kg.ranking.order.answers: whether a fact of this relation is about that end of it."""
    return relation.aspect in SYMMETRIC or topic_is_subject(relation) == is_subject


@runtime_checkable
class Profiling(Protocol):
    """A graph that can tell profiles without reading facts."""

    def profiles(self, iris: Sequence[str], deadline: Deadline) -> Mapping[str, Profile]:
        """The profile of each entity; one that the graph does not hold has an empty one."""
        ...


def profile_of_triples(iri: str, triples: Sequence[Triple], others: Sequence[str]) -> Profile:
    """The profile that an entity's facts make."""
    counts: Counter[tuple[Relation, bool]] = Counter()
    ends: set[str | None] = set()
    for triple in triples:
        counts[triple.relation, triple.subject.key == iri] += 1
        ends |= {triple.subject.key, triple.object.key}
    return Profile(
        tuple((relation, subject, n) for (relation, subject), n in counts.items()),
        frozenset(other for other in others if other != iri and other in ends),
    )
