"""Hetionet from two small files that are written here as its repository ships them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode

from kg.aspects import ASPECTS
from kg.deadline import Deadline
from kg.errors import BadInput
from kg.local import LocalGraph
from kg.sources import import_source
from kg.sources.hetionet import HetionetImporter, is_hetionet
from kg.sources.statements import Statement

GC = "urn:graphcite:vocabulary:"
OWN = "urn:graphcite:hetionet:"
OBO = "http://purl.obolibrary.org/obo/"
DRUG = "https://go.drugbank.com/drugs/"
GENE = "https://www.ncbi.nlm.nih.gov/gene/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
ASPECT = GC + "aspect"

# id, name → IRI and type.
NODES = {
    ("Disease::DOID:6364", "migraine"): (OBO + "DOID_6364", "Disease"),
    ("Disease::DOID:12236", "primary biliary cirrhosis"): (OBO + "DOID_12236", "Disease"),
    ("Compound::DB00669", "Sumatriptan"): (DRUG + "DB00669", "Medicine"),
    ("Compound::DB00571", "Propranolol"): (DRUG + "DB00571", "Medicine"),
    ("Gene::3351", "HTR1B"): (GENE + "3351", "Gene"),
    ("Gene::9021", "SOCS3"): (GENE + "9021", "Gene"),
    ("Side Effect::C0027497", "Nausea"): (
        "https://uts.nlm.nih.gov/uts/umls/concept/C0027497", "Symptom",
    ),
    ("Symptom::D006261", "Headache"): ("http://id.nlm.nih.gov/mesh/D006261", "Symptom"),
    ("Anatomy::UBERON:0000955", "brain"): (OBO + "UBERON_0000955", "BodyPart"),
    ("Biological Process::GO:0071357", "cellular response to type I interferon"): (
        OBO + "GO_0071357", "BiologicalProcess",
    ),
    ("Cellular Component::GO:0005886", "plasma membrane"): (
        OBO + "GO_0005886", "CellularComponent",
    ),
    ("Molecular Function::GO:0004993", "serotonin receptor activity"): (
        OBO + "GO_0004993", "MolecularFunction",
    ),
    ("Pathway::WP734_r71375", "Serotonin Receptor"): (OWN + "pathway:WP734_r71375", "Pathway"),
    ("Pathway::PC7_7000", "Signaling"): (OWN + "pathway:PC7_7000", "Pathway"),
    ("Pharmacologic Class::N0000175765", "Serotonin-1b Receptor Agonist"): (
        "http://purl.bioontology.org/ontology/NDFRT/N0000175765", "MedicineClass",
    ),
}  # fmt: skip
IRI = {identifier: iri for (identifier, _), (iri, _) in NODES.items()}
MIGRAINE, CIRRHOSIS, SUMATRIPTAN, PROPRANOLOL, HTR1B, SOCS3, NAUSEA, HEADACHE, BRAIN = [*IRI][:9]
PROCESS, COMPONENT, FUNCTION, PATHWAY, _, CLASS = [*IRI][9:]
# All 24 metaedges of v1.0 with the relation that they become.
EDGES = {
    (SUMATRIPTAN, "CtD", MIGRAINE): GC + "treats",
    (PROPRANOLOL, "CpD", MIGRAINE): GC + "relieves",
    (SUMATRIPTAN, "CcSE", NAUSEA): GC + "hasSideEffect",
    (SUMATRIPTAN, "CrC", PROPRANOLOL): OWN + "CrC",
    (SUMATRIPTAN, "CbG", HTR1B): OWN + "CbG",
    (SUMATRIPTAN, "CuG", SOCS3): OWN + "CuG",
    (PROPRANOLOL, "CdG", SOCS3): OWN + "CdG",
    (MIGRAINE, "DaG", HTR1B): GC + "isAssociatedWithGene",
    (MIGRAINE, "DuG", SOCS3): OWN + "DuG",
    (CIRRHOSIS, "DdG", SOCS3): OWN + "DdG",
    (MIGRAINE, "DlA", BRAIN): GC + "affects",
    (MIGRAINE, "DpS", HEADACHE): GC + "hasSymptom",
    (MIGRAINE, "DrD", CIRRHOSIS): OWN + "DrD",
    (BRAIN, "AeG", HTR1B): OWN + "AeG",
    (BRAIN, "AuG", SOCS3): OWN + "AuG",
    (BRAIN, "AdG", SOCS3): OWN + "AdG",
    (HTR1B, "GiG", SOCS3): OWN + "GiG",
    (HTR1B, "Gr>G", SOCS3): OWN + "Gr%3EG",
    (HTR1B, "GcG", SOCS3): OWN + "GcG",
    (SOCS3, "GpBP", PROCESS): OWN + "GpBP",
    (HTR1B, "GpCC", COMPONENT): OWN + "GpCC",
    (HTR1B, "GpMF", FUNCTION): OWN + "GpMF",
    (HTR1B, "GpPW", PATHWAY): OWN + "GpPW",
    (CLASS, "PCiC", SUMATRIPTAN): OWN + "PCiC",
}
NODE_ROWS = ["id\tname\tkind", *(f"{i}\t{n}\t{i.partition('::')[0]}" for i, n in NODES)]
EDGE_ROWS = ["source\tmetaedge\ttarget", *("\t".join(edge) for edge in EDGES)]


def write(folder: Path, nodes: list[str] = NODE_ROWS, edges: list[str] = EDGE_ROWS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hetionet-v1.0-nodes.tsv").write_text("\n".join(nodes) + "\n", "utf-8")
    packed = gzip.compress(("\n".join(edges) + "\n").encode())
    (folder / "hetionet-v1.0-edges.sif.gz").write_bytes(packed)
    return folder


def read(*paths: Path) -> tuple[HetionetImporter, list[Statement]]:
    importer = HetionetImporter(paths)
    return importer, list(importer.statements(lambda *_: None))


def refusal(*paths: Path) -> str:
    with pytest.raises(BadInput) as caught:
        read(*paths)
    assert "\n" not in caught.value.user_message
    return caught.value.user_message


def test_nodes_are_those_of_their_vocabularies(tmp_path: Path) -> None:
    importer, found = read(write(tmp_path))
    said = {(s.subject.value, s.predicate.value, s.object.value) for s in found}
    for (_, name), (iri, kind) in NODES.items():
        assert (iri, TYPE, GC + kind) in said
        assert (iri, LABEL, name) in said
    assert sum(s.predicate.value == TYPE for s in found) == len(NODES)
    assert importer.skipped.count == importer.repaired.count == 0
    symbols = [s.object for s in found if s.subject.value == GENE + "9021"]
    assert Literal("SOCS3") in symbols  # of no language
    assert Literal("migraine", language="en") in [s.object for s in found]


def test_every_metaedge_has_its_relation_and_direction(tmp_path: Path) -> None:
    _, found = read(write(tmp_path))
    ends = set(IRI.values())
    facts = [
        (s.subject.value, s.predicate.value, s.object.value)
        for s in found
        if isinstance(s.object, NamedNode) and s.subject.value in ends and s.object.value in ends
    ]
    expected = [(IRI[one], relation, IRI[other]) for (one, _, other), relation in EDGES.items()]
    assert len(EDGES) == 24
    assert sorted(facts) == sorted(expected)


def test_relations_have_labels_in_both_languages_and_an_aspect(tmp_path: Path) -> None:
    _, found = read(write(tmp_path))
    for relation in EDGES.values():
        words = [s for s in found if s.subject.value == relation]
        tags = sorted(s.object.language for s in words if s.predicate.value == LABEL)  # type: ignore[union-attr]
        aspects = [s.object.value for s in words if s.predicate.value == ASPECT]
        assert tags == ["en", "zh"]
        assert len(aspects) == 1 and aspects[0] in ASPECTS
        # A gene that interacts with another is no interaction of medicines.
        assert aspects != ["interaction"]


def test_facts_say_where_they_come_from_and_what_was_inferred(tmp_path: Path) -> None:
    _, found = read(write(tmp_path))
    noted = {s.predicate.value: s for s in found if s.references or s.qualifiers}
    assert {iri: s.references for iri, s in noted.items() if s.references} == {
        GC + "treats": ("PharmacotherapyDB",),
        GC + "relieves": ("PharmacotherapyDB",),
        GC + "hasSideEffect": ("SIDER 4.1",),
        OWN + "PCiC": ("DrugCentral",),
    }
    inferred = {iri for iri, s in noted.items() if s.qualifiers}
    assert inferred == {GC + "affects", GC + "hasSymptom", OWN + "DrD"}


def test_the_source_describes_itself(tmp_path: Path) -> None:
    details = read(write(tmp_path))[0].details
    assert (details.title, details.version, details.date) == ("Hetionet", "v1.0", "2017")
    assert details.homepage == "https://het.io"
    assert details.licence and "CC0 1.0" in details.licence and "non-commercial" in details.licence


def test_folders_files_and_unpacked_edges_read_the_same(tmp_path: Path) -> None:
    folder = write(tmp_path / "clone" / "hetnet" / "tsv")
    nodes, edges = folder / "hetionet-v1.0-nodes.tsv", folder / "hetionet-v1.0-edges.sif.gz"
    expected = read(folder)[1]
    assert read(tmp_path / "clone")[1] == expected
    assert read(edges, nodes)[1] == expected
    assert HetionetImporter([folder]).inputs == [edges, nodes]
    plain = edges.with_suffix("")
    plain.write_bytes(b"\xef\xbb\xbf" + gzip.decompress(edges.read_bytes()).replace(b"\n", b"\r\n"))
    edges.unlink()
    assert read(folder)[1] == expected
    assert is_hetionet(tmp_path / "clone") and is_hetionet(folder) and is_hetionet(nodes)
    assert not is_hetionet(tmp_path) and not is_hetionet(tmp_path / "hetionet-v1.0-nodes.tsv")


def test_odd_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    nodes = [
        "Tissue::UBERON:0000955\tbrain\tTissue",
        "Disease::DB00669\tno disease\tDisease",
        "Gene::3351\ttwo kinds\tDisease",
        "Gene::7\t \tGene",
        "Gene::3351\tagain\tGene",
        "Gene::8",
    ]
    edges = [
        f"{SUMATRIPTAN}\tCxD\t{MIGRAINE}",
        f"{SUMATRIPTAN}\tCtD\tDisease::DOID:1",
        f"{MIGRAINE}\tCtD\t{SUMATRIPTAN}",
        f"{SUMATRIPTAN}\tCtD",
    ]
    expected = read(write(tmp_path / "a"))[1]
    importer, found = read(write(tmp_path / "b", NODE_ROWS + nodes, EDGE_ROWS + edges))
    assert found == expected
    assert importer.skipped.count == len(nodes) + len(edges)
    first = len(NODE_ROWS) + 1
    assert importer.skipped.samples[0] == (
        f"hetionet-v1.0-nodes.tsv, line {first}: unknown kind of node 'Tissue'"
    )


def test_a_missing_or_unfit_file_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "h")
    nodes, edges = folder / "hetionet-v1.0-nodes.tsv", folder / "hetionet-v1.0-edges.sif.gz"
    assert "There is no hetionet-v1.0-edges.sif.gz in" in refusal(nodes)
    assert "There is no hetionet-v1.0-nodes.tsv in" in refusal(edges)
    # What a clone without Git LFS has in the place of the edges.
    edges.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert "git lfs pull" in refusal(folder)
    write(folder)
    edges.write_bytes(edges.read_bytes()[:-20])
    assert "not a complete gzip file" in refusal(folder)
    nodes.write_text("\n".join(NODE_ROWS), "utf-16")
    assert "UTF-16" in refusal(folder)
    nodes.write_text("id\tname\tkind\n")
    assert "no node" in refusal(folder)


def test_an_imported_hetionet_tells_its_facts(tmp_path: Path) -> None:
    report = import_source(tmp_path / "graph", None, [write(tmp_path / "files")])
    assert (report.name, report.skipped) == ("hetionet", 0)
    graph = LocalGraph(tmp_path / "graph")
    try:
        triples = graph.triples(IRI[MIGRAINE], "zh", Deadline.after(30)).triples
        told = {(t.subject.label, t.relation.label, t.object.label) for t in triples}
        assert {("Sumatriptan", "用于治疗", "migraine"), ("migraine", "上调", "SOCS3")} <= told
    finally:
        graph.close()
