"""One generation, opened for reading: the store and the segments of the chosen sources.

Immutable: a reader keeps its snapshot to the end of its question while a newer generation is
opened beside it. Opening maps files and costs milliseconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from kg.errors import NotFound
from kg.local.cards import Card, choose, known_card, language_rank, merge
from kg.local.generations import Manifest, graph_name, read_manifest, version_of
from kg.local.integrity import check_sizes, reading
from kg.local.segment import Segment
from kg.local.table import text_keys
from kg.model import Entity, Source
from kg.sources.curies import curie_of, readable_end
from kg.sources.vocabulary import DESCRIPTION_PROPERTIES
from kg.text import clean_label

__all__ = ["Snapshot"]

_NO_CARD = Card()

# How well a text serves: by its language, then by the property that states it, then by its words.
Fitness = tuple[int, int, str]


class Description(NamedTuple):
    """A text about an entity: the graph that states it, by which property."""

    graph: NamedNode
    predicate: NamedNode
    text: Literal


class Snapshot:
    """Read access to one generation, restricted to some of its sources or not."""

    def __init__(self, generation: Path, only: Collection[str] | None) -> None:
        self.generation = generation
        manifest = read_manifest(generation)
        chosen = _chosen(manifest, only)
        self.restricted = len(chosen.sources) < len(manifest.sources)
        self.version = version_of(chosen.sources)
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
            self.store = Store.read_only(str(generation / "store"))
            self.segments = {
                graph_name(one.name): Segment(generation / "sources" / one.name)
                for one in chosen.sources
            }

    def sources_in(self, language: str) -> Mapping[NamedNode, Source]:
        """The sources by their graphs, titled in a language where they have such a title."""
        return self._titled.get(language, self.sources)

    def quads(
        self,
        subject: NamedNode | BlankNode | None,
        predicate: NamedNode | None,
        value: NamedNode | BlankNode | Literal | None,
    ) -> Iterator[Quad]:
        """Statements of the chosen sources, streamed."""
        if not self.restricted:
            yield from self.store.quads_for_pattern(subject, predicate, value, None)
            return
        for graph in self.graphs:
            yield from self.store.quads_for_pattern(subject, predicate, value, graph)

    def cards(self, keys: Iterable[str]) -> dict[str, Card]:
        """The cards of these nodes over all sources; a node without one is left out."""
        wanted = sorted(set(keys))
        found: dict[str, list[Card]] = {}
        for segment in self.segments.values():
            for key, card in segment.cards_of(wanted):
                found.setdefault(key, []).append(card)
        return {key: merge(cards) for key, cards in found.items()}

    def degrees(self, iris: list[str]) -> dict[str, int]:
        """How many facts each entity takes part in."""
        keys = text_keys(iris)
        total = np.zeros(len(iris), dtype=np.uint64)
        for segment in self.segments.values():
            total += segment.degrees.of(keys)
        return dict(zip(iris, total.tolist(), strict=True))

    def label(self, iri: str, card: Card | None, language: str) -> str:
        """The label in a language; without any, our own vocabulary's or the IRI's end."""
        for one in (card, known_card(iri)):
            label = choose(one.names, language) if one is not None else None
            if label:
                return label
        return readable_end(iri)

    def entities(self, iris: Iterable[str], language: str) -> dict[str, Entity]:
        """Entities for these IRIs, known or not, without descriptions."""
        wanted = list(dict.fromkeys(iris))
        cards = self.cards(wanted)
        types = {iri for card in cards.values() for iri in card.types}
        type_cards = self.cards(types)
        labels = {iri: self.label(iri, type_cards.get(iri), language) for iri in types}
        return {iri: self._entity(iri, cards.get(iri), labels, language) for iri in wanted}

    def _entity(
        self, iri: str, card: Card | None, type_labels: Mapping[str, str], language: str
    ) -> Entity:
        label = self.label(iri, card, language)
        card = card or _NO_CARD
        own = curie_of(iri)
        identifiers = dict.fromkeys(([own] if own else []) + card.identifiers)
        synonyms = dict.fromkeys(name[0] for name in card.names)
        synonyms.pop(label, None)
        return Entity(
            iri=iri,
            label=label,
            synonyms=tuple(synonyms),
            type=type_labels[card.types[0]] if card.types else None,
            identifiers=tuple(identifiers),
        )

    def description(self, iri: str, language: str) -> str | None:
        """The description in a language, else in the best other one."""
        texts = sorted(self._texts(NamedNode(iri), language), key=lambda text: text[0])
        return clean_label(texts[0][1].text.value) if texts else None

    def descriptions(self, node: NamedNode, language: str) -> list[Description]:
        """What describes a node best for a language, from each source."""
        best: dict[NamedNode, tuple[Fitness, Description]] = {}
        for fitness, found in self._texts(node, language):
            if found.graph not in best or fitness < best[found.graph][0]:
                best[found.graph] = (fitness, found)
        return [found for _, found in best.values()]

    def _texts(self, node: NamedNode, language: str) -> Iterator[tuple[Fitness, Description]]:
        for preference, predicate in enumerate(DESCRIPTION_PROPERTIES):
            for quad in self.quads(node, NamedNode(predicate), None):
                text, graph = quad.object, quad.graph_name
                if (
                    isinstance(text, Literal)
                    and isinstance(graph, NamedNode)
                    and text.value.strip()
                ):
                    fitness = (language_rank(text.language or "", language), preference, text.value)
                    yield fitness, Description(graph, quad.predicate, text)


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
