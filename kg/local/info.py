"""What a graph folder holds, for listings: sources as the manifest has them, relations counted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg.local.generations import SourceRecord, current_generation, read_manifest
from kg.local.integrity import reading
from kg.local.relations import relation_of
from kg.local.snapshot import Snapshot
from kg.model import Relation

__all__ = ["GraphInfo", "RelationInfo", "graph_info"]


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """One relation: its facts over the chosen sources, their share of all, and its aspect.

    The aspect is 'other' when none fits.
    """

    iri: str
    label: str
    aspect: str
    facts: int
    share: float


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """Folder, version and date of the generation in use, its sources and their relations."""

    folder: str
    generation: str
    created: str
    version: str
    sources: tuple[SourceRecord, ...]
    relations: tuple[RelationInfo, ...]
    joined: int

    @property
    def without_aspect(self) -> tuple[RelationInfo, ...]:
        """Relations that no aspect fits."""
        return tuple(one for one in self.relations if one.aspect == "other")

    @property
    def share_without_aspect(self) -> float:
        """The share of the facts, from 0 to 1, whose relation no aspect fits."""
        facts = sum(one.facts for one in self.relations)
        return round(sum(one.facts for one in self.without_aspect) / max(1, facts), 5)


def graph_info(folder: Path, name: str | None = None, language: str = "en") -> GraphInfo:
    """The whole graph, or one of its sources; NotFound names those that there are."""
    generation = current_generation(folder)
    manifest = read_manifest(generation)
    snapshot = Snapshot(generation, None if name is None else [name])
    with reading(generation):
        relations = _relations(snapshot, language)
        joined = sum(1 for _ in snapshot.groups())
    total = sum(count for _, count in relations)
    return GraphInfo(
        folder=str(folder),
        generation=generation.name,
        created=manifest.created,
        version=snapshot.version,
        sources=tuple(one for one in manifest.sources if name in (None, one.name)),
        relations=tuple(
            RelationInfo(
                relation.iri, relation.label, relation.aspect, count, round(count / total, 5)
            )
            for relation, count in sorted(relations, key=lambda pair: (-pair[1], pair[0].iri))
        ),
        joined=joined,
    )


def _relations(snapshot: Snapshot, language: str) -> list[tuple[Relation, int]]:
    counts: dict[str, int] = {}
    for segment in snapshot.segments.values():
        for iri, count in segment.relation_counts.items():
            counts[iri] = counts.get(iri, 0) + count
    cards = snapshot.cards(counts)
    return [(relation_of(snapshot, iri, cards.get(iri), language), counts[iri]) for iri in counts]
