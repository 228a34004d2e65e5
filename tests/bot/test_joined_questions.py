"""Questions over all medical sets in one graph: each needs a source that others do not replace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.record import AnswerRecord
from bot.runtime import Runtime
from tests.bot.asking import ask, opened


@pytest.fixture(scope="module")
def runtime(joined_home: Path) -> Iterator[Runtime]:
    with opened(joined_home) as parts:
        yield parts


def cited_sources(record: AnswerRecord) -> set[str]:
    return {
        source.name
        for item in record.evidence
        if item.number is not None
        for hop in item.evidence.hops
        for source in hop.triple.sources
    }


@pytest.mark.parametrize(
    ("question", "holds", "source"),
    [
        ("What are the first-line treatments for migraine?", "sumatriptan", "starter"),
        ("What are the signs of Marfan syndrome?", "Aortic root aneurysm", "hpo"),
        ("What is absent in Coffin-Siris syndrome 2?", "Cleft palate", "hpo"),
        ("马凡综合征有哪些表型？", "主动脉", "hpo"),
        ("What are the treatments for Alzheimer's disease?", "galantamine", "pharmacotherapydb"),
        ("Does biperiden treat Alzheimer's disease?", "not indicated", "pharmacotherapydb"),
        ("What are the side effects of topiramate?", "Dizziness (0–34.1%)", "sider"),
        ("Is cisapride withdrawn?", "withdrawn in at least one country", "drugbank"),
        ("What is acitretin?", "psoriasis", "drugbank"),
        ("What are the symptoms of Q fever?", "fever", "disease-ontology"),
        ("What is Q fever?", "bacterial infectious disease", "disease-ontology-definitions"),
        ("What causes yellow fever?", "Orthoflavivirus", "disease-ontology"),
        ("What kinds of hepatitis are there?", "viral hepatitis", "disease-ontology"),
        ("What kinds of beta-lactams are there?", "Penicillins", "mesh"),
    ],
)  # fmt: skip
def test_each_source_answers_what_it_alone_knows(
    runtime: Runtime, question: str, holds: str, source: str
) -> None:
    record = ask(runtime, question)
    assert holds.lower() in record.answer.lower(), record.answer
    assert source in cited_sources(record)


def test_what_two_sources_dispute_is_told_with_both(runtime: Runtime) -> None:
    record = ask(runtime, "Is estradiol a treatment for breast cancer?")
    assert "breast cancer as a contraindication" in record.answer or (
        "contraindication to estradiol" in record.answer
    )
    (remark, *_) = [one for one in record.remarks if one.startswith("The graph contradicts")]
    assert "PharmacotherapyDB" in remark and "Graphcite starter graph" in remark
    assert "medroxyprogesterone" not in remark.lower()
    assert record.retrieval.conflicts


def test_facts_of_all_ids_are_shown_with_the_id_that_each_source_states(runtime: Runtime) -> None:
    record = ask(runtime, "What are the phenotypes of cystic fibrosis?")
    subjects = {
        (hop.triple.sources[0].name, hop.triple.subject.iri)
        for item in record.evidence
        for hop in item.evidence.hops
        if hop.triple.relation.label == "has phenotype"
    }
    assert ("hpo", "https://omim.org/entry/219700") in subjects or (
        ("hpo", "http://www.orpha.net/ORDO/Orphanet_586") in subjects
    )
    (entity,) = record.retrieval.entities
    assert entity.iri == "http://purl.obolibrary.org/obo/DOID_1485"


def test_only_some_sources_can_be_asked(joined_home: Path) -> None:
    from kg.deadline import Deadline
    from kg.local import LocalGraph

    graph = LocalGraph(joined_home / "graphs" / "medical", sources=["hpo", "mondo"])
    triples = graph.triples(
        "http://purl.obolibrary.org/obo/DOID_9352", "en", Deadline.after(60)
    ).triples
    assert {s.name for t in triples for s in t.sources} == {"hpo"}
    graph.close()
