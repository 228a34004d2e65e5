"""Matches of names → candidates: the ids of one thing are one candidate, under the best known."""

from __future__ import annotations

from collections.abc import Iterable

from kg.local.names import Match
from kg.local.snapshot import Snapshot
from kg.model import Candidate, HowLinked

__all__ = ["MOST_CANDIDATES", "merged"]

MOST_CANDIDATES = 20


def merged(snapshot: Snapshot, matches: Iterable[Match], language: str) -> tuple[Candidate, ...]:
    """The best match of each thing, best first; equal ones by how much the graph says of them."""
    found = list(matches)
    clusters = snapshot.clusters(iri for iri, _, _ in found)
    best: dict[str, tuple[float, HowLinked]] = {}
    for iri, score, how in found:
        concept = clusters[iri][0]
        if concept not in best or score > best[concept][0]:
            best[concept] = (score, how)
    members = {ids[0]: ids for ids in clusters.values()}
    degrees = snapshot.degrees(sorted({iri for ids in members.values() for iri in ids}))
    size = {concept: sum(degrees[iri] for iri in members[concept]) for concept in best}
    ordered = sorted(best, key=lambda iri: (-best[iri][0], -size[iri], iri))[:MOST_CANDIDATES]
    entities = snapshot.entities(ordered, language)
    return tuple(
        Candidate(iri, entities[iri].label, *best[iri], entities[iri].type) for iri in ordered
    )
