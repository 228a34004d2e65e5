"""SPARQL over the graph: reads, never writes or fetches, and ends when its time is up."""

from __future__ import annotations

import json
import time

import pytest

from kg.deadline import Deadline
from kg.errors import BadQuery, DeadlineExceeded
from tests.kg.conftest import MakeGraph


def test_select_ask_and_construct(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:a e:p "x"@en .', b="e:a e:q e:b .")
    rows = json.loads(graph.query("SELECT ?o { ?s ?p ?o } ORDER BY ?o", soon))
    assert [row["o"]["value"] for row in rows["results"]["bindings"]] == [
        "http://example.org/b",
        "x",
    ]
    assert json.loads(graph.query("ASK { ?s ?p 'x'@en }", soon))["boolean"] is True
    built = graph.query("CONSTRUCT { ?o ?p ?s } { ?s ?p ?o FILTER(isIRI(?o)) }", soon)
    expected = "<http://example.org/b> <http://example.org/q> <http://example.org/a> .\n"
    assert built.decode() == expected


@pytest.mark.parametrize(
    "query",
    ["", "SELECT", "SELECT * { ?s ?p }", "INSERT DATA { <a:a> <a:b> <a:c> }", "CLEAR ALL", "\x00"],
)
def test_what_cannot_be_read_is_one_line(make_graph: MakeGraph, soon: Deadline, query: str) -> None:
    graph = make_graph(a="e:a e:p e:b .")
    with pytest.raises(BadQuery) as caught:
        graph.query(query, soon)
    message = caught.value.user_message
    assert "\n" not in message and len(message) < 250 and "Traceback" not in message


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p 1SERVICE<http://127.0.0.1:9/>{ ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o } # \n#>\nOFFSET 0 LIMIT 1 VALUES ?x { } service",
        "PREFIX a: <http://a/> SELECT * { service\na:b { ?s ?p ?o } }",
        "SELECT * { FILTER(?a<2)SERVICE?g#c>\n{ ?s ?p ?o } }",
        'SELECT * { ?s ?p "x\\"" . SeRvIcE <http://127.0.0.1:9/> { ?s ?p ?o } }',
    ],
)
def test_other_servers_are_never_asked(make_graph: MakeGraph, soon: Deadline, query: str) -> None:
    graph = make_graph(a="e:a e:p e:b .")
    with pytest.raises(BadQuery, match="SERVICE is not allowed"):
        graph.query(query, soon)


def test_the_word_service_elsewhere_is_no_call(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:a e:service "service" .')
    query = (
        "PREFIX e: <http://example.org/> # service\n"
        "SELECT ?service { e:a e:service ?service FILTER(?service = 'service' || "
        "?service = <http://service/>) }"
    )
    assert b'"value":"service"' in graph.query(query, soon)


def test_a_query_without_end_is_ended(make_graph: MakeGraph) -> None:
    objects = ", ".join(f"e:o{i}" for i in range(300))
    graph = make_graph(a=f"e:a e:p {objects} .")
    started = time.monotonic()
    with pytest.raises(DeadlineExceeded, match="took too long"):
        graph.query(
            "SELECT (count(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", Deadline.after(0.5)
        )
    assert time.monotonic() - started < 5
