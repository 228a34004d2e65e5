"""The texts that say what entities are, read without their other facts."""

from __future__ import annotations

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph, facts
from kg.local.snapshot import Snapshot
from kg.model import Triple
from kg.reading import is_description
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
ONE = """
e:ill rdfs:label "ill"@en ; dcterms:description "Being ill."@en, "生病。"@zh ;
  oio:hasDbXref "MESH:D1" ; e:definition "Not being well." ; e:prevalence "0.12" ;
  e:definition [ e:text "A state of being unwell." ] ; e:note [ rdf:value "a note" ] .
obo:DOID_1 rdfs:label "ill"@en ; oio:hasDbXref "MESH:D1" .
e:drug rdfs:label "drug"@en ; e:treats e:ill ; e:definition e:ill .
e:definition rdfs:label "definition"@en .
e:bare e:treats e:ill .
"""
TWO = """
<http://id.nlm.nih.gov/mesh/D1> rdfs:label "ill"@en ; dcterms:description "Sick."@en .
e:ill dcterms:description "Being ill."@en ; e:definition "Not being well." .
"""


def by_triples(graph: LocalGraph, iri: str, language: str) -> tuple[Triple, ...]:
    """The slow way: out of all facts."""
    found = graph.triples(iri, language, Deadline.after(60)).triples
    (own,) = (ids[0] for ids in graph.ids([iri]).values())
    return tuple(t for t in found if is_description(t) and t.subject.key == own)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_they_are_those_of_all_facts(make_graph: MakeGraph, soon: Deadline, language: str) -> None:
    graph = make_graph(one=ONE, two=TWO)
    mesh = "http://id.nlm.nih.gov/mesh/D1"
    for iri in (E + "ill", mesh, "http://purl.obolibrary.org/obo/DOID_1", E + "drug", E + "no"):
        found = graph.descriptions([iri], language, soon)
        assert found.triples == by_triples(graph, iri, language) and found.complete
    own = graph.descriptions([E + "ill"], language, soon).triples
    texts = {triple.object.label: [s.name for s in triple.sources] for triple in own}
    assert texts["Not being well."] == ["one", "two"]
    assert any("A state of being unwell." in text for text in texts)
    assert ("生病。" in texts) is (language == "zh")
    assert not any("note" in text or text == "0.12" for text in texts)


def test_of_several_entities_in_their_order_each_once(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(
        a='e:b dcterms:description "B." . e:a dcterms:description "A." . e:c e:treats e:a .'
    )
    asked = [E + name for name in ("b", "c", "a", "b", "unknown")]
    found = graph.descriptions(asked, "en", soon).triples
    assert [triple.object.label for triple in found] == ["B.", "A."]
    assert graph.descriptions([], "en", soon).triples == ()


def test_a_hub_has_them_beyond_its_limit_and_no_other_fact_is_read(
    make_graph: MakeGraph, soon: Deadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = " ".join(f"e:x{i} e:treats e:hub ." for i in range(20))
    graph = make_graph(a=many + ' e:hub dcterms:description "A hub."@en .')
    monkeypatch.setattr(facts, "LIMIT", 5)
    cut = graph.triples(E + "hub", "en", soon)
    assert not cut.complete and list(map(is_description, cut.triples)).count(True) == 1

    def read(*given: object) -> None:
        pytest.fail("the facts of a hub were read")

    monkeypatch.setattr(facts, "grouped", read)
    monkeypatch.setattr(Snapshot, "edges", read)
    (text,) = graph.descriptions([E + "hub"], "en", soon).triples
    assert text.object.label == "A hub."


def test_a_late_question_gets_what_there_was_time_for(make_graph: MakeGraph) -> None:
    graph = make_graph(a=" ".join(f'e:e{i} dcterms:description "E {i}." .' for i in range(4)))
    iris = [f"{E}e{i}" for i in range(4)]
    looks = iter(range(9))
    late = Deadline.after(60, lambda: next(looks) >= 2)
    found = graph.descriptions(iris, "en", late)
    assert [triple.object.label for triple in found.triples] == ["E 0.", "E 1."]
    assert not found.complete
