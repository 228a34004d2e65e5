"""All contradictions of a graph, found from the facts that deny something, which are few."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kg.conflicts import Conflict, conflicts_among, stance
from kg.deadline import Deadline
from kg.local.facts import facts_of
from kg.local.generations import current_generation
from kg.local.integrity import reading
from kg.local.relations import relation_of
from kg.local.snapshot import Snapshot
from kg.sources.statements import Progress

__all__ = ["graph_conflicts"]

_EVERY = 50
_PATIENCE = 3600.0  # seconds for one entity: nobody waits for an answer here


def graph_conflicts(
    folder: Path, language: str, progress: Progress | None = None
) -> tuple[Conflict, ...]:
    """Every pair of facts that contradict each other, in a fixed order.

    Raises NotFound where there is no graph, KgError where it is damaged.
    """
    generation = current_generation(folder)
    snapshot = Snapshot(generation, None)
    found: dict[tuple[str, ...], Conflict] = {}
    with reading(generation):
        subjects = sorted(set(_denying(snapshot, language)))
        for number, iri in enumerate(subjects):
            if progress is not None and number % _EVERY == 0:
                progress("comparing", number, len(subjects))
            triples = facts_of(snapshot, iri, language, Deadline.after(_PATIENCE)).triples
            for conflict in conflicts_among(triples):
                found.setdefault(_key(conflict), conflict)
    return tuple(found[key] for key in sorted(found))


def _denying(snapshot: Snapshot, language: str) -> Iterator[str]:
    """The entities of which something is denied, by the best known of their ids."""
    for segment in snapshot.segments.values():
        cards = snapshot.cards(segment.relations)
        denying = {
            number
            for number, iri in enumerate(segment.relations)
            if stance(relation_of(snapshot, iri, cards.get(iri), language)) in _DENIALS
        }
        names = segment.adjacency.names(segment.adjacency.subjects_of(denying))
        clusters = snapshot.clusters(name for name in names if not name.startswith("_:"))
        yield from (members[0] for members in clusters.values())


_DENIALS = frozenset({("use", False), ("finding", False)})


def _key(conflict: Conflict) -> tuple[str, ...]:
    sides = (conflict.affirms, conflict.denies)
    return tuple(
        part or ""
        for triple in sides
        for part in (triple.subject.key, triple.relation.iri, triple.object.key)
    )
