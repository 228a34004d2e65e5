"""Small real graphs for the rooms of kg, from Turtle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.sources import import_source

PREFIXES = """
@prefix e: <http://example.org/> .
@prefix gc: <urn:graphcite:vocabulary:> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
"""
MakeGraph = Callable[..., LocalGraph]


@pytest.fixture
def soon() -> Deadline:
    """A deadline that no test reaches."""
    return Deadline.after(60)


@pytest.fixture
def graph_folder(tmp_path: Path) -> Path:
    return tmp_path / "graphs" / "medical"


@pytest.fixture
def make_graph(tmp_path: Path, graph_folder: Path) -> Iterator[MakeGraph]:
    """Import Turtle texts, one source per keyword, and open the graph."""
    opened: list[LocalGraph] = []

    def make(**sources: str) -> LocalGraph:
        for name, turtle in sources.items():
            path = tmp_path / f"{name}.ttl"
            path.write_text(PREFIXES + turtle, encoding="utf-8")
            import_source(graph_folder, "rdf", [path], name)
        graph = LocalGraph(graph_folder)
        opened.append(graph)
        return graph

    yield make
    for graph in opened:
        graph.close()
