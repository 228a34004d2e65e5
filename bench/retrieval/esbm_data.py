"""ESBM's DBpedia part: descriptions as triples of our graph, beside the summaries people chose.

All descriptions are imported as one RDF source, and `LocalGraph.triples` gives the facts. What our
graph keeps on cards instead (types, names, pictures, all but the best description) or leaves out
is built here from the file, labelled as the graph labels everything. Either way a triple keeps the
statement that it stands for, so that it can be compared with the gold.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from archives import unpack
from measures import SHARED_DATA
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg.aspects import aspect_of_relation
from kg.deadline import Deadline
from kg.local.cards import choose, known_card
from kg.local.graph import LocalGraph
from kg.model import Entity, Relation, Source, Triple
from kg.sources.curies import readable_end
from kg.sources.importing import import_source
from kg.sources.vocabulary import LABEL_PROPERTIES, RDFS_LABEL
from kg.text import clean_label

__all__ = ["ARCHIVE", "SIZES", "Description", "fold_of", "read_descriptions"]

ARCHIVE = SHARED_DATA / "dbpedia" / "esbm" / "dbpedia.tar.gz"
SIZES = (5, 10)  # of the summaries
PEOPLE = 6
_SOURCE = (Source("esbm", "ESBM"),)

Statement = tuple[str, str, str]  # N-Triples terms


@dataclass(frozen=True, slots=True)
class Description:
    """One entity: its statements in the file's order, as triples too, and the gold by size."""

    number: int
    iri: str
    statements: tuple[str, ...]
    triples: tuple[Triple, ...]
    given: tuple[bool, ...]  # whether LocalGraph.triples gives it
    gold: dict[int, list[set[str]]]


def read_descriptions(scratch: Path, most: int | None = None) -> list[Description]:
    """The entities by number, the first `most`, through a graph made in this empty folder."""
    unpack(ARCHIVE, scratch / "esbm")
    data = scratch / "esbm" / "dbpedia_data"
    numbers = sorted(int(folder.name) for folder in data.iterdir())[:most]
    files = [data / str(number) / f"{number}_desc.nt" for number in numbers]
    import_source(scratch / "home", "rdf", files, "esbm")
    graph = LocalGraph(scratch / "home")
    found = [_description(graph, number, data / str(number)) for number in numbers]
    graph.close()
    return found


def fold_of(scratch: Path, name: str) -> set[int]:
    """The numbers of the entities in one of the official parts, S0 to S4."""
    lines = (scratch / "esbm" / "dbpedia_split" / f"{name}.txt").read_text(encoding="utf-8")
    return {int(line.split()[0]) for line in lines.splitlines() if line.strip()}


def _statements(path: Path) -> list[Statement]:
    return [
        (str(quad.subject), str(quad.predicate), str(quad.object))
        for quad in parse(path=str(path), format=RdfFormat.N_TRIPLES)
    ]


def _description(graph: LocalGraph, number: int, folder: Path) -> Description:
    quads = list(
        parse(path=str(folder / f"{number}_desc.nt"), format=RdfFormat.N_TRIPLES),
    )
    iri = _described(folder, number)
    facts = {_terms(t): t for t in graph.triples(iri, "en", Deadline.after(60)).triples}
    built = _Builder(iri, [(q.subject, q.predicate, q.object) for q in quads])
    statements, triples, given = [], [], []
    for quad in quads:
        triple = built.triple(quad.subject, quad.predicate, quad.object)
        known = facts.get(_terms(triple))
        statements.append(f"{quad.subject} {quad.predicate} {quad.object}")
        triples.append(known or triple)
        given.append(known is not None)
    gold = {
        size: [
            {" ".join(s) for s in _statements(folder / f"{number}_gold_top{size}_{person}.nt")}
            for person in range(PEOPLE)
        ]
        for size in SIZES
    }
    return Description(number, iri, tuple(statements), tuple(triples), tuple(given), gold)


def _described(folder: Path, number: int) -> str:
    """The entity: the one that all statements of its file share."""
    statements = _statements(folder / f"{number}_desc.nt")
    shared = set.intersection(*({one[0], one[2]} for one in statements))
    (iri,) = shared
    return iri.strip("<>")


def _terms(triple: Triple) -> tuple[str, ...]:
    """What makes a triple the same statement, whoever built it."""
    value = triple.object
    stated = value.iri or f'"{value.label}"@{value.language or ""}^^{value.datatype or ""}'
    return triple.subject.iri or "", triple.relation.iri, stated


class _Builder:
    """Triples of the model made straight from a description."""

    def __init__(self, iri: str, quads: list[tuple[NamedNode, NamedNode, object]]) -> None:
        names = {
            value.value: predicate.value == RDFS_LABEL
            for subject, predicate, value in quads
            if subject.value == iri
            and predicate.value in LABEL_PROPERTIES
            and isinstance(value, Literal)
        }
        label = next((name for name, best in names.items() if best), readable_end(iri))
        self._own = Entity(iri, label, tuple(sorted(set(names) - {label})))

    def triple(self, subject: NamedNode, predicate: NamedNode, value: object) -> Triple:
        return Triple(self._end(subject), _relation(predicate.value), self._end(value), _SOURCE)

    def _end(self, term: object) -> Entity:
        if isinstance(term, Literal):
            plain = term.language or term.datatype.value.endswith("#string")
            datatype = None if plain else term.datatype.value
            text = clean_label(term.value)
            return Entity(None, text, language=term.language, datatype=datatype)
        assert isinstance(term, NamedNode)
        return self._own if term.value == self._own.iri else Entity(term.value, _label(term.value))


def _label(iri: str) -> str:
    card = known_card(iri)
    return (choose(card.names, "en") if card else None) or readable_end(iri)


def _relation(iri: str) -> Relation:
    card, label = known_card(iri), _label(iri)
    return Relation(iri, label, (card and card.aspect) or aspect_of_relation(label))
