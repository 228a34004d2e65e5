"""The peers of the look-up benchmark: who else can say which neighbours an entity has.

Each function makes ready what the peer needs and returns the question: IRI → the facts between
nodes that touch it, at most MOST each way. Getting ready is not part of a look-up's time.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

import rdflib
from pyoxigraph import NamedNode, Quad, QuerySolutions, Store, Triple
from virtuoso import serve

from kg.local.generations import current_generation

__all__ = ["MOST", "PEERS", "Fact", "Neighbours"]

MOST = 1_000  # facts each way
Fact = tuple[str, str, str]  # subject, relation, object
Neighbours = Callable[[str], list[Fact]]
# By the term types' own serializer; names and other literals are no neighbours.
_OUT = "SELECT ?p ?o WHERE {{ GRAPH ?g {{ {0} ?p ?o }} FILTER(isIRI(?o)) }} LIMIT {1}"
_INTO = "SELECT ?p ?s WHERE {{ GRAPH ?g {{ ?s ?p {0} }} }} LIMIT {1}"


def patterns(folder: Path, triples: Path | None) -> Neighbours:
    """Our own store without SPARQL."""
    store = Store.read_only(str(current_generation(folder) / "store"))

    def of(quad: Quad) -> Fact:
        subject, value = quad.subject, quad.object
        assert not isinstance(subject, Triple) and not isinstance(value, Triple)
        return (subject.value, quad.predicate.value, value.value)

    def found(iri: str) -> list[Fact]:
        node = NamedNode(iri)
        out = (q for q in store.quads_for_pattern(node, None, None) if _is_node(q))
        into = store.quads_for_pattern(None, None, node)
        return [of(q) for q in (*islice(out, MOST), *islice(into, MOST))]

    return found


def _is_node(quad: Quad) -> bool:
    return isinstance(quad.object, NamedNode)


def sparql(folder: Path, triples: Path | None) -> Neighbours:
    """Our own store by SPARQL, in this process."""
    store = Store.read_only(str(current_generation(folder) / "store"))

    def found(iri: str) -> list[Fact]:
        node = NamedNode(iri)
        out, into = (store.query(text.format(node, MOST)) for text in (_OUT, _INTO))
        assert isinstance(out, QuerySolutions) and isinstance(into, QuerySolutions)
        facts = [(iri, row["p"].value, row["o"].value) for row in out]
        return facts + [(row["s"].value, row["p"].value, iri) for row in into]

    return found


def in_rdflib(folder: Path, triples: Path | None) -> Neighbours:
    """rdflib's graph in memory, read from the N-Triples file."""
    graph = rdflib.Graph()
    graph.parse(triples, format="nt")

    def found(iri: str) -> list[Fact]:
        node = rdflib.URIRef(iri)
        out = (t for t in graph.triples((node, None, None)) if isinstance(t[2], rdflib.URIRef))
        into = graph.triples((None, None, node))
        return [(str(s), str(p), str(o)) for s, p, o in (*islice(out, MOST), *islice(into, MOST))]

    return found


def in_virtuoso(folder: Path, triples: Path | None) -> Neighbours:
    """A Virtuoso server of our own over HTTP, one connection kept open."""
    assert triples is not None
    connection = HTTPConnection("127.0.0.1", serve(triples))

    def ask(query: str) -> list[dict[str, dict[str, str]]]:
        form = {"query": query, "format": "application/sparql-results+json"}
        connection.request("GET", "/sparql?" + urlencode(form))
        rows: list[dict[str, dict[str, str]]] = json.load(connection.getresponse())["results"][
            "bindings"
        ]
        return rows

    def found(iri: str) -> list[Fact]:
        node = NamedNode(iri)
        out, into = (ask(text.format(node, MOST)) for text in (_OUT, _INTO))
        facts = [(iri, row["p"]["value"], row["o"]["value"]) for row in out]
        return facts + [(row["s"]["value"], row["p"]["value"], iri) for row in into]

    return found


PEERS: dict[str, Callable[[Path, Path | None], Neighbours]] = {
    "patterns": patterns,
    "sparql": sparql,
    "rdflib": in_rdflib,
    "virtuoso": in_virtuoso,
}
