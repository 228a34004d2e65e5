"""Profiles of entities (kg.profiles) from the integer arrays: no fact is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from kg.deadline import Deadline
from kg.local.relations import relation_of
from kg.local.snapshot import Snapshot
from kg.model import Relation
from kg.profiles import Profile

__all__ = ["profiles_of"]

# relation IRI and whether the entity is the subject
_Use = tuple[str, bool]


def profiles_of(snapshot: Snapshot, iris: Sequence[str], deadline: Deadline) -> dict[str, Profile]:
    """The profile of each entity over all its ids; empty where the time ran out."""
    clusters = snapshot.clusters(iris)
    counts: dict[str, Counter[_Use]] = {}
    joined: dict[str, set[str]] = {}
    for iri in iris:
        counts[iri], joined[iri] = Counter(), set()
        if deadline.expired:
            continue
        others = {one: other for other in iris if other != iri for one in clusters[other]}
        for member in clusters[iri]:
            counts[iri] += _uses(snapshot, member)
            joined[iri] |= {others[end] for end in _neighbours(snapshot, member, others)}
    known = _relations(snapshot, {relation for one in counts.values() for relation, _ in one})
    return {
        iri: Profile(
            tuple((known[name], subject, n) for (name, subject), n in sorted(counts[iri].items())),
            frozenset(joined[iri]),
        )
        for iri in iris
    }


def _uses(snapshot: Snapshot, iri: str) -> Counter[_Use]:
    """In how many facts of each relation and direction an id takes part."""
    found: Counter[_Use] = Counter()
    for segment in snapshot.segments.values():
        node = segment.adjacency.number(iri)
        if node is not None:
            for is_subject in (True, False):
                edges = segment.adjacency.out(node) if is_subject else segment.adjacency.into(node)
                numbers, counts = np.unique(edges.relations, return_counts=True)
                for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
                    found[segment.relations[number], is_subject] += count
        for relation, _ in segment.values(iri):
            found[relation, True] += 1
    return found


def _neighbours(snapshot: Snapshot, iri: str, others: Collection[str]) -> list[str]:
    """Which of these ids have a fact with this one."""
    found = []
    for segment in snapshot.segments.values():
        node = segment.adjacency.number(iri)
        if node is None:
            continue
        ends = np.concatenate(
            (segment.adjacency.out(node).nodes, segment.adjacency.into(node).nodes)
        )
        for other in others:
            number = segment.adjacency.number(other)
            if number is not None and bool(np.any(ends == number)):
                found.append(other)
    return found


def _relations(snapshot: Snapshot, iris: set[str]) -> dict[str, Relation]:
    cards = snapshot.cards(iris)
    return {iri: relation_of(snapshot, iri, cards.get(iri), "en") for iri in iris}
