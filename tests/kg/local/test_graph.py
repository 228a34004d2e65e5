"""What the graph says of an entity: names by language, facts both ways, merged sources, limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.errors import NotFound
from kg.local import LocalGraph, facts
from kg.model import Triple
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
MIGRAINE = """
e:migraine a e:Condition ; rdfs:label "migraine"@en, "偏头痛"@zh, "偏頭痛"@zh-Hant ;
  skos:altLabel "hemicrania"@en ; oio:hasDbXref "MESH:D008881" ;
  dcterms:description "A headache."@en, "一种头痛。"@zh .
e:Condition rdfs:label "condition"@en, "病症"@zh .
e:sumatriptan rdfs:label "sumatriptan"@en ; e:treats e:migraine {|
  dcterms:references <https://pubmed.ncbi.nlm.nih.gov/123>, "PMID:9" ; gc:dose "50 mg" |} .
e:treats rdfs:label "treats"@en, "治疗"@zh ; gc:aspect "treatment" .
e:migraine e:prevalence "0.12"^^xsd:decimal ; e:note "often"@en .
"""


def lines(triples: tuple[Triple, ...]) -> list[str]:
    return [f"{t.subject.label} | {t.relation.label} | {t.object.label}" for t in triples]


def test_describe_in_both_languages(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=MIGRAINE)
    english = graph.describe([E + "migraine", E + "unknown"], "en", soon)
    assert list(english) == [E + "migraine"]
    entity = english[E + "migraine"]
    assert (entity.label, entity.type) == ("migraine", "condition")
    assert entity.synonyms == ("偏头痛", "偏頭痛", "hemicrania")
    assert (entity.identifiers, entity.description) == (("MESH:D008881",), "A headache.")
    chinese = graph.describe([E + "migraine"], "zh", soon)[E + "migraine"]
    assert (chinese.label, chinese.type) == ("偏头痛", "病症")
    assert chinese.description == "一种头痛。"
    assert set(chinese.synonyms) == {"migraine", "偏頭痛", "hemicrania"}


def test_facts_both_ways_with_references(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=MIGRAINE)
    found = graph.triples(E + "migraine", "zh", soon)
    assert found.complete
    assert lines(found.triples) == [
        "偏头痛 | note | often",
        "偏头痛 | prevalence | 0.12",
        "偏头痛 | 描述 | 一种头痛。",
        "sumatriptan | 治疗 | 偏头痛",
    ]
    note, prevalence, description, treats = found.triples
    assert description.relation.aspect == "definition"
    assert (description.object.iri, description.object.language) == (None, "zh")
    assert (note.object.iri, note.object.language) == (None, "en")
    assert prevalence.object.datatype == "http://www.w3.org/2001/XMLSchema#decimal"
    assert treats.relation.aspect == "treatment"
    assert treats.references == ("PMID:123", "PMID:9")
    assert treats.qualifiers == (("dose", "50 mg"),)
    assert treats.object.synonyms and treats.object.type == "病症"
    assert [source.name for source in treats.sources] == ["a"]


def test_the_same_fact_of_two_sources_is_one(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        one='e:a e:treats e:b {| dcterms:references "PMID:1" ; gc:frequency "1/2" |} .',
        two='e:a e:treats e:b {| dcterms:references "PMID:1", "PMID:2" ; gc:frequency "3/9" |} .'
        "\ne:b e:treats e:a .",
    )
    found = graph.triples(E + "a", "en", soon).triples
    assert len(found) == 2
    assert [source.name for source in found[0].sources] == ["one", "two"]
    assert found[0].references == ("PMID:1", "PMID:2")
    assert found[0].qualifiers == (("frequency", "1/2; 3/9"),)
    assert [source.name for source in found[1].sources] == ["two"]


def test_chosen_sources_are_all_there_is(make_graph: MakeGraph, graph_folder: Path) -> None:
    make_graph(one='e:a rdfs:label "ay" ; e:p e:b .', two='e:a rdfs:label "bee" ; e:q e:c .')
    soon = Deadline.after(20)
    graph = LocalGraph(graph_folder, sources=["two"])
    assert lines(graph.triples(E + "a", "en", soon).triples) == ["bee | q | c"]
    assert not graph.candidates("ay", "en", soon) and graph.candidates("bee", "en", soon)
    assert b'"1"' in graph.query("SELECT (count(*) AS ?n) { ?s <http://example.org/q> ?o }", soon)
    assert b'"0"' in graph.query("SELECT (count(*) AS ?n) { ?s <http://example.org/p> ?o }", soon)
    assert b'"2"' in graph.query("SELECT (count(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", soon)
    assert graph.identity().version != LocalGraph(graph_folder).identity().version
    with pytest.raises(NotFound, match="no source 'three'. It has: one, two."):
        LocalGraph(graph_folder, sources=["three"])


@pytest.mark.parametrize(
    ("names", "language", "label"),
    [
        ('"哮喘"@zh-Hans, "氣喘"@zh-Hant-TW, "asthma"@EN-gb', "zh", "哮喘"),
        ('"氣喘"@zh-Hant-TW, "asthma"@en', "zh", "氣喘"),
        ('"哮喘"@zh-CN, "氣喘"@zh-TW', "zh", "哮喘"),
        ('"哮喘"@zh-Hans, "asthma"@EN-gb, "Asthme"@fr', "en", "asthma"),
        ('"asthma", "Asthme"@fr, "asthma (en)"@en', "zh", "asthma"),
        ('"Asthme"@fr, "A"@mul', "en", "A"),
        ('"Asthme"@fr, "Asma"@es', "en", "Asma"),
    ],
)
def test_labels_by_language(
    make_graph: MakeGraph, soon: Deadline, names: str, language: str, label: str
) -> None:
    graph = make_graph(a=f"e:x rdfs:label {names} .")
    assert graph.describe([E + "x"], language, soon)[E + "x"].label == label


def test_labels_are_clean_and_markup_stays_text(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a=r'e:x rdfs:label "a\u200Bsth\u00ADma" . e:y rdfs:label "<b>x</b> prefix:name" . '
        r'e:z rdfs:label "two\nlines\u0007" . e:x e:sees e:y, e:z, e:birthPlace_of .'
    )
    found = graph.triples(E + "x", "en", soon).triples
    assert [t.object.label for t in found] == [
        "birth place of",
        "<b>x</b> prefix:name",
        "two lines",
    ]
    assert found[0].subject.label == "asthma"
    assert graph.candidates("asthma", "en", soon)[0].how == "exact"
    assert graph.mentions("Is asthma treated?", soon)[0].text == "asthma"


def test_iris_without_labels_are_readable(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a="obo:DOID_6364 e:hasSymptom <http://dbpedia.org/resource/Heart_failure>, "
        "<https://omim.org/entry/154700>, <urn:thing> ."
    )
    found = graph.triples("http://purl.obolibrary.org/obo/DOID_6364", "en", soon).triples
    assert {t.subject.label for t in found} == {"DOID:6364"}
    assert {t.subject.identifiers for t in found} == {("DOID:6364",)}
    assert [t.object.label for t in found] == ["Heart failure", "OMIM:154700", "thing"]
    assert found[0].relation.label == "has symptom" and found[0].relation.aspect == "symptom"


def test_restrictions_and_unnamed_nodes(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a="""
        e:migraine rdfs:subClassOf e:headache, [ a owl:Restriction ;
            owl:onProperty e:hasSite ; owl:someValuesFrom e:head ] .
        e:migraine owl:equivalentClass [ owl:intersectionOf ( e:headache e:head ) ] .
        e:drug e:dose [ e:value 5 ; e:unit e:milligram ] ; e:maker [ rdfs:label "Acme" ] ;
            e:odd [ rdfs:comment "nothing to read" ], [ ] , ( e:migraine ) .
        """
    )
    migraine = graph.triples(E + "migraine", "en", soon).triples
    assert lines(migraine) == ["migraine | has site | head", "migraine | is a | headache"]
    assert lines(graph.triples(E + "head", "en", soon).triples)[0].endswith("| head")
    drug = graph.triples(E + "drug", "en", soon).triples
    assert lines(drug) == ["drug | dose | unit milligram; value 5", "drug | maker | Acme"]
    assert all(t.object.iri is None for t in drug)


def test_long_neighbourhoods_are_cut_and_said(
    make_graph: MakeGraph, soon: Deadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = make_graph(a="e:x e:p " + ", ".join(f"e:o{i}" for i in range(30)) + ".")
    assert graph.triples(E + "x", "en", soon).complete
    monkeypatch.setattr(facts, "LIMIT", 10)
    found = graph.triples(E + "x", "en", soon)
    assert len(found.triples) == 10 and not found.complete
    assert found == graph.triples(E + "x", "en", soon)
    late = graph.triples(E + "x", "en", Deadline.after(0))
    assert late.triples == () and not late.complete


def test_entities_without_facts_and_unknown_ones(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a='e:lonely rdfs:label "lonely" . e:told rdfs:label "told" ; rdfs:comment "No more." .'
    )
    assert graph.triples(E + "lonely", "en", soon).triples == ()
    assert lines(graph.triples(E + "told", "en", soon).triples) == ["told | description | No more."]
    assert graph.describe([E + "told"], "en", soon)[E + "told"].description == "No more."
    for iri in (E + "unknown", "not an iri", "", "a b>"):
        assert graph.triples(iri, "en", soon).triples == ()
        assert graph.describe([iri], "en", soon) == {}


def test_aspects_come_from_any_source_or_the_label(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a="e:x e:frob e:y ; e:contraindicatedIn e:z .", b='e:frob gc:aspect "prevention" .'
    )
    found = {
        t.relation.label: t.relation.aspect for t in graph.triples(E + "x", "en", soon).triples
    }
    assert set(found.values()) == {"prevention", "contraindication"}


def test_years_stay_as_written(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:caesar e:death "-0044"^^xsd:gYear ; e:born "1982"^^xsd:gYear .')
    found = graph.triples(E + "caesar", "en", soon).triples
    assert [t.object.label for t in found] == ["1982", "-0044"]


def test_a_note_on_a_number_is_found_again(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:x e:p 007 {| dcterms:source "PMID:7" |} .')
    assert graph.triples(E + "x", "en", soon).triples[0].references == ("PMID:7",)


def test_closed_is_closed(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a='e:x rdfs:label "x y" .')
    graph.close()
    graph.close()
    with pytest.raises(ValueError, match="closed"):
        graph.identity()
