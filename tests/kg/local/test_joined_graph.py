"""All medical sets in one graph: which ids are one thing, which facts contradict each other."""

from __future__ import annotations

import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.claims import vocabulary_of
from kg.local.disagreements import graph_conflicts
from kg.local.info import graph_info
from kg.local.rows import split
from kg.sources.curies import canonical, iri_of_curie
from tests.conftest import MEDICAL


@pytest.fixture(scope="module")
def graph(joined_home: Path) -> Iterator[LocalGraph]:
    opened = LocalGraph(joined_home / "graphs" / "medical")
    yield opened
    opened.close()


def ids(graph: LocalGraph, curie: str) -> set[str]:
    iri = iri_of_curie(curie)
    return {canonical(one) for one in graph.ids([iri])[iri]}


def claims(graph: LocalGraph) -> Iterator[list[str]]:
    for segment in graph.snapshot.segments.values():
        for entry in segment.claims.slice(0, len(segment.claims)):
            yield split(entry, 2)


def exact_matches(name: str) -> Iterator[tuple[str, str]]:
    path = MEDICAL / "mondo" / f"mondo_exactmatch_{name}.sssom.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        for row in csv.DictReader(lines, delimiter="\t"):
            yield row["subject_id"], canonical(row["object_id"])


def test_no_cluster_holds_two_live_ids_of_one_vocabulary(graph: LocalGraph) -> None:
    groups = list(graph.snapshot.groups())
    assert len(groups) > 20_000
    dead = {
        target
        for kind, subject, target in claims(graph)
        if kind in ("former", "dead") and vocabulary_of(subject) == vocabulary_of(target)
    }
    twins = 0
    for members in groups:
        everything = {canonical(iri) for iri in members}
        live = Counter(vocabulary_of(one) for one in everything - dead)
        assert max(live.values(), default=0) <= 1, members
        twins += len(everything & dead)
    assert twins > 0, "ids that were merged into others, or given up, go with them"


def test_a_blind_join_of_the_same_claims_breaks_that_rule(graph: LocalGraph) -> None:
    parent: dict[str, str] = {}

    def root(one: str) -> str:
        while parent.setdefault(one, one) != one:
            one = parent[one]
        return one

    for _, subject, target in claims(graph):
        parent[root(target)] = root(subject)
    vocabularies: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in list(parent):
        vocabularies[root(one)][vocabulary_of(one)] += 1
    assert sum(max(counts.values()) > 1 for counts in vocabularies.values()) > 1_000


@pytest.mark.parametrize("name", ["doid", "omim", "orphanet", "mesh"])
def test_exact_matches_that_are_one_to_one_are_joined(graph: LocalGraph, name: str) -> None:
    pairs = list(exact_matches(name))
    mondo, others = (Counter(pair[end] for pair in pairs) for end in (0, 1))
    single = [(a, b) for a, b in pairs if mondo[a] == others[b] == 1]
    known = [
        (a, b) for a, b in single if graph.snapshot.degrees([iri_of_curie(b)])[iri_of_curie(b)]
    ]
    iris = graph.ids([iri_of_curie(a) for a, _ in known])
    joined = sum(iri_of_curie(b) in iris[iri_of_curie(a)] for a, b in known)
    assert len(known) > 500
    # The rest would put two live ids of one vocabulary together through a third.
    assert joined / len(known) > 0.99


def test_type_2_diabetes_is_one_thing_of_six_ids(graph: LocalGraph) -> None:
    assert ids(graph, "DOID:9352") == {
        "DOID:9352", "MONDO:0005148", "OMIM:125853", "MESH:D003924", "UMLS:C0011860", "HP:0005978",
    }  # fmt: skip
    soon = Deadline.after(60)
    (found, *_) = graph.candidates("type 2 diabetes", "en", soon)
    assert canonical(found.iri) == "DOID:9352"
    (chinese, *_) = graph.candidates("2型糖尿病", "zh", soon)
    assert chinese.iri == found.iri
    triples = graph.triples(found.iri, "en", soon).triples
    stated = {
        (source.name, canonical(end.iri))
        for triple in triples
        for source in triple.sources
        for end in (triple.subject, triple.object)
        if end.key == found.iri and end.iri
    }
    assert stated >= {
        ("starter", "DOID:9352"),
        ("pharmacotherapydb", "DOID:9352"),
        ("hpo", "OMIM:125853"),
        ("disease-ontology", "DOID:9352"),
    }
    both = [t for t in triples if {"starter", "pharmacotherapydb"} <= {s.name for s in t.sources}]
    assert len(both) > 5, "the same fact of two sources is one, with both"


def test_counts_agree_with_the_tables(graph: LocalGraph, joined_home: Path) -> None:
    folder = joined_home / "graphs" / "medical"
    with (MEDICAL / "pharmacotherapydb" / "indications.tsv").open(encoding="utf-8") as file:
        rows = Counter(row["category"] for row in csv.DictReader(file, delimiter="\t"))
    counted = {one.label: one.facts for one in graph_info(folder, "pharmacotherapydb").relations}
    assert counted == {
        "treats": rows["DM"],
        "relieves": rows["SYM"],
        "is not indicated for": rows["NOT"],
    }
    info = graph_info(folder)
    assert info.joined == len(list(graph.snapshot.groups()))
    assert (
        sum(one.facts for one in info.without_aspect) / sum(one.facts for one in info.relations)
        < 0.05
    ), "nearly every fact can be asked for by its kind"
    sider = {one.label: one.facts for one in graph_info(folder, "sider").relations}
    assert sider["has side effect"] == 136_983


def test_what_is_no_indication_is_never_a_treatment(graph: LocalGraph) -> None:
    with (MEDICAL / "pharmacotherapydb" / "indications.tsv").open(encoding="utf-8") as file:
        denied = [row for row in csv.DictReader(file, delimiter="\t") if row["category"] == "NOT"]
    assert len(denied) == 243
    for row in denied[::12]:
        disease = iri_of_curie(row["doid_id"])
        drug = iri_of_curie(f"DrugBank:{row['drugbank_id']}")
        facts = [
            triple
            for triple in graph.triples(drug, "en", Deadline.after(60)).triples
            if drug in (triple.subject.iri, triple.subject.key)
            and disease in (triple.object.iri, triple.object.key)
            and "pharmacotherapydb" in {source.name for source in triple.sources}
        ]
        assert [fact.relation.label for fact in facts] == ["is not indicated for"], row


def test_sources_that_disagree_are_found(joined_home: Path) -> None:
    found = graph_conflicts(joined_home / "graphs" / "medical", "en")
    told = {
        (c.affirms.subject.label, c.affirms.relation.label, c.affirms.object.label)
        for c in found
        if {s.name for s in c.affirms.sources} != {s.name for s in c.denies.sources}
    }
    assert ("estradiol", "relieves", "breast cancer") in told
    absent = [c for c in found if c.denies.relation.label == "does not have phenotype"]
    assert len(absent) > 20
    for conflict in found:
        assert {conflict.affirms.subject.key, conflict.affirms.object.key} == {
            conflict.denies.subject.key,
            conflict.denies.object.key,
        }
