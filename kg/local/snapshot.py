"""One generation, opened for reading: the segments of the chosen sources, and what joins them.

Immutable: a reader keeps its snapshot to the end of its question while a newer generation is
opened beside it. Opening maps files and costs milliseconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pyoxigraph import NamedNode

from kg.errors import NotFound
from kg.local.cards import LABEL, Card, choose, known_card, language_rank, merge
from kg.local.generations import (
    IDENTITY,
    Manifest,
    current_generation,
    graph_name,
    read_manifest,
    version_of,
    written,
)
from kg.local.identity import Clusters, ClustersOfSome
from kg.local.integrity import check_sizes, reading
from kg.local.segment import Segment, Value
from kg.local.table import text_keys
from kg.local.topology import Topology
from kg.model import Entity, Relation, Source
from kg.sources.curies import curie_of, readable_end
from kg.sources.vocabulary import DESCRIPTION_PROPERTIES
from kg.text import clean_label

__all__ = ["Edge", "Snapshot"]

# How well a text serves: by its language, then by the property that states it, then by its words.
Fitness = tuple[int, int, str]


class Description(NamedTuple):
    """A text about an entity: the graph that states it, of which id, by which property."""

    graph: NamedNode
    subject: str
    predicate: str
    text: Value


class Edge(NamedTuple):
    """A fact between two nodes as a source states it; unnamed nodes begin with "_:"."""

    graph: NamedNode
    subject: str
    relation: str
    object: str


class Snapshot:
    """Read access to one generation, restricted to some of its sources or not."""

    def __init__(self, generation: Path, only: Collection[str] | None) -> None:
        self.generation = generation
        self._written = written(generation)
        manifest = read_manifest(generation)
        chosen = _chosen(manifest, only)
        self.version = version_of(chosen.sources)
        # What readers worked out of this snapshot and may need again, by language and IRI.
        self.known_relations: dict[str, dict[str, Relation]] = {}
        self.graphs = [graph_name(one.name) for one in chosen.sources]
        self.sources: Mapping[NamedNode, Source] = {
            graph_name(one.name): Source(
                one.name, one.title, one.version, one.licence, one.date, one.homepage
            )
            for one in chosen.sources
        }
        languages = {language for one in chosen.sources for language in one.titles}
        self._titled = {
            language: {
                graph_name(one.name): replace(
                    self.sources[graph_name(one.name)], title=one.titles.get(language, one.title)
                )
                for one in chosen.sources
            }
            for language in languages
        }
        check_sizes(generation, chosen)
        with reading(generation):
            self.segments = {
                graph_name(one.name): Segment(generation / "sources" / one.name)
                for one in chosen.sources
            }
            whole = len(chosen.sources) == len(manifest.sources)
            self._clusters: Clusters | ClustersOfSome = (
                Clusters(generation / IDENTITY)
                if whole
                else ClustersOfSome(list(self.segments.values()))
            )

    @property
    def is_current(self) -> bool:
        """Whether this is the generation in use, not made anew meanwhile; cheap.

        Raises KgError where there is no graph any more.
        """
        current = current_generation(self.generation.parent)
        return current == self.generation and written(current) == self._written

    def sources_in(self, language: str) -> Mapping[NamedNode, Source]:
        """The sources by their graphs, titled in a language where they have such a title."""
        return self._titled.get(language, self.sources)

    def clusters(self, iris: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Per IRI the ids that stand for the same thing, the best known first."""
        return self._clusters.of(list(dict.fromkeys(iris)))

    def groups(self) -> Iterator[tuple[str, ...]]:
        """All ids that stand for one thing, over every source of the graph."""
        return self._clusters.groups()

    @cached_property
    def topology(self) -> Topology:
        """The nodes of all sources under one numbering; made when first asked for."""
        return Topology.of(list(self.segments.values()), self.groups())

    def edges(self, iri: str, most: int | None = None) -> Iterator[Edge]:
        """The facts between nodes that touch this one, as each source states them.

        `most` of each source and direction.
        """
        for graph, segment in self.segments.items():
            adjacency, relations = segment.adjacency, segment.relations
            node = adjacency.number(iri)
            if node is None:
                continue
            out, into = adjacency.out(node, most), adjacency.into(node, most)
            ends = zip(out.relations.tolist(), adjacency.names(out.nodes), strict=True)
            for relation, other in ends:
                yield Edge(graph, iri, relations[relation], other)
            ends = zip(into.relations.tolist(), adjacency.names(into.nodes), strict=True)
            for relation, other in ends:
                yield Edge(graph, other, relations[relation], iri)

    def edges_to_unnamed(self, iri: str) -> Iterator[Edge]:
        """The facts of this node about unnamed ones: no name of another node is read."""
        for graph, segment in self.segments.items():
            node = segment.adjacency.number(iri)
            if node is None:
                continue
            edges = segment.adjacency.out(node)
            places = np.flatnonzero(segment.adjacency.unnamed(edges.nodes))
            names = segment.adjacency.names(edges.nodes[places])
            for relation, other in zip(edges.relations[places].tolist(), names, strict=True):
                yield Edge(graph, iri, segment.relations[relation], other)

    def values(self, iri: str) -> Iterator[tuple[NamedNode, str, Value]]:
        """What the sources say of a node in literals: graph, relation, value."""
        for graph, segment in self.segments.items():
            for relation, value in segment.values(iri):
                yield graph, relation, value

    def cards(self, names: Iterable[str]) -> dict[str, Card]:
        """The cards of these nodes over all sources; a node without one is left out."""
        wanted = sorted(set(names))
        found: dict[str, list[Card]] = {}
        for segment in self.segments.values():
            for name, card in segment.cards_of(wanted):
                found.setdefault(name, []).append(card)
        return {name: merge(cards) for name, cards in found.items()}

    def degrees(self, iris: list[str]) -> dict[str, int]:
        """How many facts each entity takes part in under this id."""
        keys = text_keys(iris)
        total = np.zeros(len(iris), dtype=np.int64)
        for segment in self.segments.values():
            total += segment.degrees(keys)
        return dict(zip(iris, total.tolist(), strict=True))

    def label(self, iri: str, card: Card | None, language: str) -> str:
        """The label in a language; without any, our own vocabulary's or the IRI's end."""
        for one in (card, known_card(iri)):
            label = choose(one.names, language) if one is not None else None
            if label:
                return label
        return readable_end(iri)

    def entities(self, iris: Iterable[str], language: str) -> dict[str, Entity]:
        """Entities for these IRIs, known or not, without descriptions.

        Each keeps its IRI; names, types and identifiers come from all ids of the same thing.
        """
        wanted = list(dict.fromkeys(iris))
        clusters = self.clusters(wanted)
        cards = self.cards(member for members in clusters.values() for member in members)
        types = {iri for card in cards.values() for iri in card.types}
        type_cards = self.cards(types)
        labels = {iri: self.label(iri, type_cards.get(iri), language) for iri in types}
        return {iri: self._entity(clusters[iri], iri, cards, (labels, language)) for iri in wanted}

    def _entity(
        self,
        members: tuple[str, ...],
        iri: str,
        cards: Mapping[str, Card],
        wording: tuple[Mapping[str, str], str],
    ) -> Entity:
        type_labels, language = wording
        ordered = [iri, *(one for one in members if one != iri)]
        found = [cards[one] for one in ordered if one in cards]
        label = self._best_label(iri, found, language)
        types = [one for card in found for one in card.types]
        curies = [curie for one in ordered if (curie := curie_of(one))]
        synonyms = dict.fromkeys(name[0] for card in found for name in card.names)
        synonyms.pop(label, None)
        return Entity(
            iri=iri,
            label=label,
            synonyms=tuple(synonyms),
            type=type_labels[types[0]] if types else None,
            identifiers=tuple(
                dict.fromkeys((*curies, *(one for card in found for one in card.identifiers)))
            ),
            concept=members[0] if members[0] != iri else None,
        )

    def _best_label(self, iri: str, cards: Sequence[Card], language: str) -> str:
        """Its own label, unless another id of the same thing has one that suits the language.

        A label without a language is taken for English.
        """
        labels = [
            (language_rank(name[1] or "en", language), place, label)
            for place, card in enumerate(cards)
            if (label := choose(card.names, language)) is not None
            for name in card.names
            if name[0] == label and name[2] == LABEL
        ]
        return min(labels)[2] if labels else self.label(iri, None, language)

    def description(self, iris: Sequence[str], language: str) -> str | None:
        """The description of these ids in a language, else in the best other one."""
        best = min((fit for iri in iris for fit, _ in self._texts(iri, language)), default=None)
        return clean_label(best[2]) if best else None

    def descriptions(self, iris: Sequence[str], language: str) -> list[Description]:
        """What describes the thing of these ids best for a language, from each source."""
        best: dict[str, tuple[Fitness, Description]] = {}
        for iri in iris:
            for fitness, found in self._texts(iri, language):
                name = found.graph.value
                if name not in best or fitness < best[name][0]:
                    best[name] = (fitness, found)
        return [found for _, found in best.values()]

    def _texts(self, iri: str, language: str) -> Iterator[tuple[Fitness, Description]]:
        for graph, segment in self.segments.items():
            for text in segment.texts(iri):
                rank = language_rank(text.language, language)
                predicate = DESCRIPTION_PROPERTIES[text.preference]
                value = Value(text.text, text.language)
                yield (rank, text.preference, text.text), Description(graph, iri, predicate, value)


def _chosen(manifest: Manifest, only: Collection[str] | None) -> Manifest:
    if only is None:
        return manifest
    names = [source.name for source in manifest.sources]
    unknown = sorted(set(only) - set(names))
    if unknown:
        available = ", ".join(names) or "none"
        raise NotFound(f"The graph has no source {unknown[0]!r}. It has: {available}.")
    sources = tuple(source for source in manifest.sources if source.name in only)
    return replace(manifest, version=version_of(sources), sources=sources)
