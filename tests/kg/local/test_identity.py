"""Which ids of several sources are one thing, and which are kept apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.sources import import_source
from kg.sources.curies import iri_of_curie
from tests.kg.conftest import PREFIXES, MakeGraph

MORE = """
@prefix mesh: <http://id.nlm.nih.gov/mesh/> .
@prefix omim: <https://omim.org/entry/> .
@prefix drug: <https://go.drugbank.com/drugs/> .
"""
DOID, MONDO, OMIM = (iri_of_curie(curie) for curie in ("DOID:9352", "MONDO:0005148", "OMIM:125853"))
ONTOLOGY = """
obo:DOID_9352 rdfs:label "type 2 diabetes mellitus"@en ; rdfs:subClassOf obo:DOID_9351 .
obo:DOID_9351 rdfs:label "diabetes mellitus"@en .
"""
MAP = """
obo:MONDO_0005148 rdfs:label "type 2 diabetes mellitus" ;
    skos:exactMatch obo:DOID_9352 , omim:125853 .
"""
FINDINGS = """
omim:125853 rdfs:label "Diabetes mellitus, noninsulin-dependent" ; gc:hasPhenotype obo:HP_0000855 .
obo:HP_0000855 rdfs:label "Insulin resistance"@en .
"""
CHINESE = """
obo:DOID_9352 rdfs:label "2型糖尿病"@zh .
drug:DB00331 rdfs:label "metformin"@en , "二甲双胍"@zh ; gc:treats obo:DOID_9352 .
gc:treats rdfs:label "treats"@en ; gc:aspect "treatment" .
"""
DRUGS = """
drug:DB00331 rdfs:label "Metformin" ; gc:treats obo:MONDO_0005148 .
"""


def members(graph: LocalGraph, iri: str) -> set[str]:
    return set(graph.snapshot.clusters([iri])[iri])


def test_a_question_on_one_id_finds_the_facts_of_all(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        doid=MORE + ONTOLOGY, mondo=MORE + MAP, hpo=MORE + FINDINGS, starter=MORE + CHINESE
    )
    found = graph.candidates("type 2 diabetes mellitus", "en", soon)
    assert [candidate.iri for candidate in found] == [DOID], "three ids, one thing"
    assert members(graph, DOID) == {DOID, MONDO, OMIM}
    for asked in (DOID, MONDO, OMIM):
        triples = graph.triples(asked, "en", soon).triples
        told = {(t.subject.iri, t.relation.label, t.sources[0].name) for t in triples}
        assert told == {
            (DOID, "is a", "doid"),
            (OMIM, "has phenotype", "hpo"),
            ("https://go.drugbank.com/drugs/DB00331", "treats", "starter"),
        }
        assert {t.subject.key for t in triples} == {DOID, "https://go.drugbank.com/drugs/DB00331"}
    phenotype = next(t for t in graph.triples(OMIM, "en", soon).triples if t.subject.iri == OMIM)
    assert phenotype.subject.label == "Diabetes mellitus, noninsulin-dependent"
    assert phenotype.subject.identifiers[:3] == ("OMIM:125853", "DOID:9352", "MONDO:0005148")
    assert "type 2 diabetes mellitus" in phenotype.subject.synonyms


def test_a_chinese_question_reaches_english_facts_and_back(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(mondo=MORE + MAP, hpo=MORE + FINDINGS, starter=MORE + CHINESE)
    (candidate,) = graph.candidates("2型糖尿病", "zh", soon)
    assert candidate.label == "2型糖尿病"
    triples = graph.triples(candidate.iri, "zh", soon).triples
    phenotype = next(t for t in triples if t.subject.iri == OMIM)
    assert phenotype.subject.label == "2型糖尿病", "the id has no Chinese name of its own"
    assert phenotype.object.label == "Insulin resistance"
    (english,) = graph.candidates("noninsulin-dependent diabetes mellitus", "en", soon) or (None,)
    assert english is None or english.iri == candidate.iri


def test_the_same_fact_of_two_sources_is_one_with_both(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(mondo=MORE + MAP, starter=MORE + CHINESE, drugs=MORE + DRUGS)
    treats = [t for t in graph.triples(DOID, "en", soon).triples if t.relation.label == "treats"]
    assert len(treats) == 1
    assert [source.name for source in treats[0].sources] == ["drugs", "starter"]
    drug = "https://go.drugbank.com/drugs/DB00331"
    assert (treats[0].subject.iri, treats[0].object.iri) == (drug, MONDO), "as 'drugs' states it"
    assert treats[0].stated_of == (("starter", drug, DOID),)


def test_a_join_is_no_fact(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(mondo=MORE + MAP + "obo:MONDO_0005148 rdfs:subClassOf obo:DOID_9352 .")
    assert graph.triples(DOID, "en", soon).triples == ()


XREF = '{} oio:hasDbXref "{}" .\n'


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        # one-to-one both ways, straight or through an id that no source has
        (XREF.format("obo:DOID_1", "UBERON:0000001"), "", True),
        (XREF.format("obo:DOID_1", "UMLS_CUI:C1"),
         XREF.format("obo:UBERON_0000001", "UMLS:C1"), True),
        (XREF.format("obo:DOID_1", "SNOMEDCT_US_2023_03_01:7"),
         XREF.format("obo:UBERON_0000001", "SNOMEDCT_US:7"), True),
        # two from the same vocabulary point to it, or it points to two
        (XREF.format("obo:DOID_1", "UMLS:C1") + XREF.format("obo:DOID_2", "UMLS:C1"),
         XREF.format("obo:UBERON_0000001", "UMLS:C1"), False),
        (XREF.format("obo:DOID_1", "UMLS:C1") + XREF.format("obo:DOID_1", "UMLS:C2"),
         XREF.format("obo:UBERON_0000001", "UMLS:C1"), False),
        # a paper and a page are no ids
        (XREF.format("obo:DOID_1", "PMID:1"), XREF.format("obo:UBERON_0000001", "PMID:1"), False),
        (XREF.format("obo:DOID_1", "url:http://e/1"),
         XREF.format("obo:UBERON_0000001", "url:http://e/1"), False),
        # only "see also"
        ("obo:DOID_1 skos:closeMatch obo:UBERON_0000001 .", "", False),
        ("obo:DOID_1 skos:broadMatch obo:UBERON_0000001 .", "", False),
        ("obo:DOID_1 skos:exactMatch obo:UBERON_0000001 .", "", True),
        ("obo:DOID_1 owl:sameAs obo:UBERON_0000001 .", "", True),
    ],
)  # fmt: skip
def test_what_joins_two_ids(make_graph: MakeGraph, one: str, other: str, joined: bool) -> None:
    base = "".join(
        f'obo:{name} rdfs:label "{name}" . ' for name in ("DOID_1", "UBERON_0000001", "DOID_2")
    )
    graph = make_graph(a=base + one, b=other or 'e:x rdfs:label "x" .')
    other_id = iri_of_curie("UBERON:0000001")
    assert (other_id in members(graph, iri_of_curie("DOID:1"))) is joined


@pytest.mark.parametrize(
    ("finding", "joined"),
    [("seizures", True), ("Epileptic attack", True), ("fit", False)],
)
def test_a_finding_and_a_disease_need_a_common_name_too(
    make_graph: MakeGraph, finding: str, joined: bool
) -> None:
    graph = make_graph(
        a='obo:DOID_1 rdfs:label "seizure" ; skos:altLabel "epileptic attack" ;'
        ' oio:hasDbXref "UMLS:C1" . obo:MONDO_1 rdfs:label "x" ; skos:exactMatch obo:DOID_1 .',
        b=f'obo:HP_1 rdfs:label "{finding}" ; oio:hasDbXref "UMLS:C1" .',
    )
    found = members(graph, iri_of_curie("MONDO:1"))
    assert iri_of_curie("DOID:1") in found
    assert (iri_of_curie("HP:1") in found) is joined


def test_a_blind_join_would_put_two_live_ids_of_one_vocabulary_together(
    make_graph: MakeGraph,
) -> None:
    graph = make_graph(
        a="""
        obo:DOID_1 rdfs:label "one" ; skos:exactMatch obo:MONDO_1 .
        obo:DOID_2 rdfs:label "two" ; skos:exactMatch obo:HP_1 .
        obo:MONDO_1 rdfs:label "one" ; skos:exactMatch obo:HP_1 .
        obo:HP_1 rdfs:label "one" .
        """
    )
    one, two = iri_of_curie("DOID:1"), iri_of_curie("DOID:2")
    assert members(graph, one) & members(graph, two) == set()
    assert members(graph, one) == {one, iri_of_curie("MONDO:1")} or len(members(graph, one)) == 3


def test_of_several_exact_matches_the_one_of_the_same_name_joins(make_graph: MakeGraph) -> None:
    graph = make_graph(
        a="""
        obo:MONDO_1 rdfs:label "Lynch syndrome" ; skos:exactMatch obo:DOID_1 , obo:DOID_2 .
        obo:DOID_1 rdfs:label "lynch syndromes" . obo:DOID_2 rdfs:label "another" .
        obo:MONDO_2 rdfs:label "x" ; skos:exactMatch obo:DOID_3 , obo:DOID_4 .
        obo:DOID_3 rdfs:label "y" . obo:DOID_4 rdfs:label "z" .
        """
    )
    assert members(graph, iri_of_curie("MONDO:1")) == {
        iri_of_curie("MONDO:1"),
        iri_of_curie("DOID:1"),
    }
    assert members(graph, iri_of_curie("MONDO:2")) == {iri_of_curie("MONDO:2")}


def test_a_former_id_goes_with_the_one_that_took_its_place(
    make_graph: MakeGraph, soon: Deadline
) -> None:
    graph = make_graph(
        new='obo:DOID_1 rdfs:label "gout" ; oio:hasAlternativeId "DOID:7" .',
        old='obo:DOID_7 rdfs:label "gouty arthritis" . drug:x gc:treats obo:DOID_7 .'.replace(
            "drug:x", "e:x"
        ),
    )
    (treats,) = graph.triples(iri_of_curie("DOID:1"), "en", soon).triples
    assert treats.object.iri == iri_of_curie("DOID:7") and treats.object.label == "gouty arthritis"
    assert treats.object.key == iri_of_curie("DOID:1")


def test_a_deprecated_id_may_stand_beside_a_live_one(make_graph: MakeGraph) -> None:
    text = 'obo:DOID_1 rdfs:label "a" . obo:DOID_7 rdfs:label "a" ; owl:sameAs obo:DOID_1 {} .'
    graph = make_graph(a=text.format("; owl:deprecated true"))
    assert len(members(graph, iri_of_curie("DOID:1"))) == 2
    graph = make_graph(a=text.format(""))
    assert len(members(graph, iri_of_curie("DOID:1"))) == 1


def test_two_spellings_of_one_iri_are_one_thing(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(
        a='<https://omim.org/entry/154700> rdfs:label "Marfan" .',
        b="<https://www.omim.org/entry/154700> gc:hasPhenotype e:tall .",
    )
    (fact,) = graph.triples("https://omim.org/entry/154700", "en", soon).triples
    assert fact.subject.iri == "https://www.omim.org/entry/154700"
    assert fact.subject.label == "Marfan"


def test_dropping_a_source_undoes_its_joins(
    tmp_path: Path, graph_folder: Path, soon: Deadline
) -> None:
    from kg.local.loader import drop_source

    for name, text in (("doid", ONTOLOGY), ("mondo", MAP), ("hpo", FINDINGS)):
        path = tmp_path / f"{name}.ttl"
        path.write_text(PREFIXES + MORE + text, encoding="utf-8")
        import_source(graph_folder, "rdf", [path], name)
    assert len(LocalGraph(graph_folder).triples(DOID, "en", soon).triples) == 2
    drop_source(graph_folder, "mondo")
    graph = LocalGraph(graph_folder)
    assert len(graph.triples(DOID, "en", soon).triples) == 1
    assert members(graph, DOID) == {DOID}
