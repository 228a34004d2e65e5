"""OBO with the odd lines that stopped other readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.deadline import Deadline
from kg.errors import BadInput
from kg.local import LocalGraph
from kg.local.generations import list_sources
from kg.sources import ImportReport, import_source

OBO = "http://purl.obolibrary.org/obo/"
ODD = r"""format-version: 1.2
data-version: t/releases/2025-02-03
default-namespace: test
ontology: t
property_value: http://purl.org/dc/terms/title "A test ontology" xsd:string
property_value: terms:license https://example.org/licence

[Term]
id: T:1
name: N(4)-{beta-D}-Asn residue
synonym: "the \"big\" one\\" EXACT []
synonym: "giant" EXACT [Q:1 {lang=en}]
synonym: "large" BROAD plural_form [Q:1, Q:2 "note"] {source="x"}
def: "a \{b\} c" [X:Y Z]
creation_date: 202z-01-01
xref: UMLS:C0000001 "name" {source="A"}
alt_id: T:9

[Term]
id: T:2 ! a comment
name: child {lang="en"}
is_a: T:1 {source="A:1"} ! parent
relationship: part_of T:1 {source="B"} ! parent
intersection_of: T:1
comment: a remark

[Term]
id: T:3
name: gone
is_obsolete: true

[Term]
id: T:4
name: still here

[Typedef]
id: part_of
name: part of
"""


def load(tmp_path: Path, folder: Path, text: str | bytes) -> ImportReport:
    path = tmp_path / "odd.obo"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return import_source(folder, None, [path])


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_odd_lines_stop_nothing(tmp_path: Path, graph_folder: Path, mark: str) -> None:
    report = load(tmp_path, graph_folder, (mark + ODD).replace("\n", "\r\n"))
    assert report.skipped == 2
    first, second = report.skipped_samples
    assert first.startswith("odd.obo, line 12, T:1: ") and "giant" in first
    assert second.startswith("odd.obo, line 15, T:1: ") and "202z" in second
    soon = Deadline.after(9)
    graph = LocalGraph(graph_folder)
    found = graph.describe([f"{OBO}T_{number}" for number in range(1, 5)], "en", soon)
    assert [entity.label for entity in found.values()] == [
        "N(4)-{beta-D}-Asn residue",
        "child",
        "still here",
    ]
    one = found[f"{OBO}T_1"]
    assert one.synonyms == ("giant", 'the "big" one', "large")
    assert one.description == "a {b} c"
    assert one.identifiers == ("T:1", "T:9", "UMLS:C0000001")
    assert found[f"{OBO}T_2"].description == "a remark"
    scores = {n: graph.candidates(n, "en", soon)[0].score for n in ("giant", "large", "child")}
    assert scores == {"giant": 0.95, "large": 0.9, "child": 1.0}
    facts = [
        (t.relation.label, t.relation.aspect, t.object.label)
        for t in graph.triples(f"{OBO}T_2", "en", soon).triples
    ]
    assert facts == [
        ("description", "definition", "a remark"),
        ("is a", "classification", one.label),
        ("part of", "anatomy", one.label),
    ]
    (source,) = list_sources(graph_folder)
    assert (source.title, source.version) == ("A test ontology", "2025-02-03")
    assert (source.licence, source.date) == ("https://example.org/licence", "2025-02-03")


def test_lines_that_cannot_be_read_are_counted(tmp_path: Path, graph_folder: Path) -> None:
    text = (
        "format-version: 1.2\n[Term]\nid: T:1\nname: one\nrubbish without colon\n"
        'def: "never closed [X:1]\nis_a: two words\nrelationship: part_of\n'
        "[Term]\nname: nameless\n[Term]\nid: T:2\nname: two\n"
    )
    report = load(tmp_path, graph_folder, text)
    assert report.skipped == 5
    assert [sample.split(":")[0] for sample in report.skipped_samples] == [
        "odd.obo, line 5, T",
        "odd.obo, line 6, T",
        "odd.obo, line 7, T",
        "odd.obo, line 8, T",
        "odd.obo, line 9",
    ]
    assert report.entities == 2


def test_what_is_no_ontology_is_refused(tmp_path: Path, graph_folder: Path) -> None:
    with pytest.raises(BadInput, match=r"holds no \[Term\]"):
        load(tmp_path, graph_folder, "format-version: 1.2\n")
    with pytest.raises(BadInput) as caught:
        load(tmp_path, graph_folder, b"format-version: 1.2\n[Term]\nid: T:1\nname: \xff\n")
    assert caught.value.user_message == (
        "odd.obo, line 4 is not UTF-8 text: save the file as UTF-8."
    )
    with pytest.raises(BadInput, match="is UTF-16"):
        load(tmp_path, graph_folder, ODD.encode("utf-16"))
