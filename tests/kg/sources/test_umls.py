"""UMLS in RRF: names, types, definitions, relations and identifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import Literal

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.sources import import_source
from kg.sources.umls import relations as umls_relations
from tests.kg.sources.umls_folder import (
    AGONISTS,
    ASPECT,
    AURA,
    BEST,
    BOTH_WAYS,
    CHINESE,
    CUI,
    DEFINITION,
    DESCRIPTION,
    DIARY,
    FACTS,
    GC,
    GENE,
    HEAD,
    HEADACHE,
    IS_A,
    LABEL,
    LOCAL,
    MIGRAINE,
    NAMES,
    OLD,
    PRIMARY,
    PROPRANOLOL,
    RELATED,
    RETIRED,
    SUMATRIPTAN,
    TABLET,
    TYPE,
    UMLS,
    VOCABULARY,
    XREF,
    conso,
    facts,
    importer_of,
    names,
    read,
    rel,
    values,
    write,
)


@pytest.fixture
def meta(tmp_path: Path) -> Path:
    return write(tmp_path / "META")


def test_names_have_their_kind_and_language(meta: Path) -> None:
    found = read(meta)
    assert names(found, MIGRAINE) == {
        ("label", "Migraine Disorders", "en"),  # once, though NCI has it in capitals
        ("exact", "Migraine", "en"),
        ("exact", "Migraine (disorder)", "en"),
        ("exact", "Sick headache", "en"),
        ("loose", "Disorder, Migraine", "en"),
        ("loose", "MIG", "en"),
        ("label", "偏头痛", "zh"),
        ("exact", "偏头痛病", "zh"),
        ("label", "Trastornos Migrañosos", "es"),
    }
    assert names(found, GENE) == {("label", "KCNK18 gene", "en"), ("loose", "TRIK", "en")}
    assert names(found, LOCAL) == {("label", "Local concept", "en")}
    assert not names(found, OLD) and not names(found, VOCABULARY)


def test_quotation_marks_are_plain_characters(meta: Path) -> None:
    assert names(read(meta), SUMATRIPTAN) == {
        ("label", "sumatriptan", "en"),
        ("exact", '"Imigran" and others', "en"),
        ("exact", 'tablet of 5" width', "en"),
    }


def test_languages_are_chosen_by_code_or_tag(meta: Path) -> None:
    for asked in (("CHI",), ("zh",), ("zh-CN",)):
        found = read(meta, languages=asked)
        assert {n[1] for n in names(found, MIGRAINE)} == {"偏头痛", "偏头痛病"}
        assert names(found, CHINESE) == {("label", "只有中文名", "zh")}
        assert not names(found, SUMATRIPTAN)
        # Only both ends with a name in the language make a fact.
        assert facts(found) == [((MIGRAINE, RELATED, HEADACHE), ("MSH",))]
    assert {n[2] for n in names(read(meta, languages=("en", "CHI")), MIGRAINE)} == {"en", "zh"}


def test_vocabularies_choose_names_definitions_and_facts(meta: Path) -> None:
    found = read(meta, vocabularies=("MSH",), languages=("ENG",))
    assert names(found, MIGRAINE) == {
        ("label", "Migraine Disorders", "en"),
        ("loose", "Disorder, Migraine", "en"),
    }
    assert facts(found) == [
        ((MIGRAINE, IS_A, PRIMARY), ("MSH",)),
        ((MIGRAINE, RELATED, HEADACHE), ("MSH",)),
    ]
    assert values(found, MIGRAINE, DESCRIPTION) == []
    assert values(found, MIGRAINE, XREF) == ["MESH:D008881"]


def test_suppressed_names_and_facts_only_when_asked_for(meta: Path) -> None:
    left_out = {"Hemicrania, old form", "Megrim", "MIGR"}
    assert not left_out & {n[1] for n in names(read(meta), MIGRAINE)}
    found = read(meta, suppressed=True)
    assert {n for n in names(found, MIGRAINE) if n[1] in left_out} == {
        ("loose", name, "en") for name in left_out
    }
    assert ("label", "Migraine Disorders", "en") in names(found, MIGRAINE)
    assert names(found, OLD) == {("label", "Withdrawn idea", "en")}
    assert ((OLD, GC + "mayTreat", HEADACHE), ("MED-RT",)) in facts(found)
    assert ((PROPRANOLOL, GC + "mayTreat", HEADACHE), ("MED-RT",)) in facts(found)
    assert values(found, MIGRAINE, DESCRIPTION)[1] == "Definition of MSH, taken back."


def test_every_fact_once_in_its_own_direction(meta: Path) -> None:
    assert facts(read(meta)) == sorted(FACTS.items())


def test_a_file_with_one_way_only_gives_the_same_facts(tmp_path: Path) -> None:
    for way in (BOTH_WAYS[::2], BOTH_WAYS[1::2]):
        assert facts(read(write(tmp_path / "META", MRREL=sorted(way)))) == sorted(FACTS.items())


def test_what_one_way_states_alone_is_added(tmp_path: Path) -> None:
    rows = [*BOTH_WAYS, rel(PROPRANOLOL, "RO", HEADACHE, "may_be_treated_by", "NCI"),
            rel(PROPRANOLOL, "RO", HEADACHE, "may_be_treated_by", "MED-RT")]  # fmt: skip
    more = {(PROPRANOLOL, GC + "mayTreat", HEADACHE): ("MED-RT", "NCI")}
    found = facts(read(write(tmp_path / "META", MRREL=sorted(rows))))
    assert found == sorted((FACTS | more).items())


def test_a_first_concept_with_many_facts_is_read_in_pieces(
    meta: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(umls_relations, "_MOST_FACTS", 1)
    assert {fact for fact, _ in facts(read(meta))} == set(FACTS)


def test_relations_have_words_and_aspects(meta: Path) -> None:
    found = read(meta)

    def said(relation: str) -> set[tuple[str, str | None]]:
        return {
            (s.object.value, s.object.language)
            for s in found
            if s.subject.value == relation and isinstance(s.object, Literal)
        }

    assert said(GC + "mayTreat") == {("may treat", "en"), ("可用于治疗", "zh"), ("treatment", None)}
    assert said(UMLS + "has_finding_site") == {
        ("has finding site", "en"), ("病变部位为", "zh"), ("anatomy", None),
    }  # fmt: skip
    assert said(UMLS + "Records_Value") == {("Records Value", "en")}
    assert said(IS_A) >= {("is a", "en"), ("classification", None)}
    used = {s.predicate.value for s in found}
    labelled = {s.subject.value for s in found if s.predicate.value == LABEL}
    assert {iri for iri in used if iri.startswith((GC, UMLS))} - {ASPECT} <= labelled
    # Relations of rows that are left out are not described.
    assert not {iri for iri in labelled if iri.startswith(UMLS)} - used


def test_without_mrdoc_an_inverse_follows_from_its_form(tmp_path: Path) -> None:
    rows = [
        rel(HEADACHE, "RO", DIARY, "has_special_use"),
        rel(DIARY, "RO", HEADACHE, "special_use_of"),
        rel(HEADACHE, "RO", AURA, "precedes_it"),
    ]
    found = facts(read(write(tmp_path / "META", MRREL=rows, MRDOC=[])))
    assert [fact for fact, _ in found] == [
        (AURA, UMLS + "precedes_it", HEADACHE),
        (DIARY, UMLS + "has_special_use", HEADACHE),
    ]


def test_types_are_ours_where_we_have_one(meta: Path) -> None:
    found = read(meta)
    assert values(found, MIGRAINE, TYPE) == [GC + "Disease"]
    assert values(found, SUMATRIPTAN, TYPE) == [GC + "Medicine"]
    assert values(found, HEADACHE, TYPE) == [GC + "Symptom"]
    assert values(found, HEAD, TYPE) == [GC + "BodyPart"]
    assert values(found, GENE, TYPE) == [GC + "Gene"]
    assert values(found, TABLET, TYPE) == [GC + "Medicine"]
    assert values(found, OLD, TYPE) == []
    product = GC + "semantic-type-T170"
    assert values(found, DIARY, TYPE) == [product]
    assert {s.object.value for s in found if s.subject.value == product} == {
        "Intellectual Product", "智力产物",
    }  # fmt: skip


def test_the_preferred_definition_is_the_description(meta: Path) -> None:
    found = read(meta)
    assert values(found, MIGRAINE, DESCRIPTION) == ["Definición en español.", "Definition of NCI."]
    assert values(found, MIGRAINE, DEFINITION) == ["Definition of CSP.", "Definition of HPO."]
    assert values(found, SUMATRIPTAN, DESCRIPTION) == ["Definition of MSH."]
    best = [s for s in found if s.object == Literal("Definition of NCI.", language="en")]
    assert [s.references for s in best] == [("NCI",)]
    assert values(found, OLD, DESCRIPTION) == []


def test_codes_of_headings_are_cross_references(meta: Path) -> None:
    found = read(meta)
    assert values(found, MIGRAINE, XREF) == ["HP:0002076", "MESH:D008881", "SNOMEDCT:37796009"]
    assert values(found, SUMATRIPTAN, XREF) == ["DrugBank:DB00669", "RXNORM:37418"]
    assert values(found, GENE, XREF) == ["HGNC:19439", "NCBIGene:338567"]
    assert values(found, AGONISTS, XREF) == ["NDFRT:N0000175765"]
    assert values(found, HEAD, XREF) == ["FMA:7154"]
    assert values(found, MIGRAINE, RETIRED) == ["UMLS:C9000901"]


def test_entry_terms_do_not_carry_the_code_of_their_heading(tmp_path: Path) -> None:
    narrower = conso("C9000020", "Pain of the forehead", "MSH/ET/D006261", BEST)
    found = read(write(tmp_path / "META", MRCONSO=[*NAMES, narrower]))
    assert values(found, "C9000020", XREF) == []
    assert values(found, HEADACHE, XREF) == ["MESH:D006261"]


def test_ranks_choose_among_the_vocabularies_that_are_read(tmp_path: Path) -> None:
    asked = ("SNOMEDCT_US", "HPO")
    assert ("label", "Migraine", "en") in names(
        read(write(tmp_path / "a"), vocabularies=asked), MIGRAINE
    )
    ranks = ["0300|SNOMEDCT_US|FN|N|", "0200|SNOMEDCT_US|PT|N|", "0100|HPO|PT|N|"]
    folder = write(tmp_path / "b", MRRANK=ranks)
    assert ("label", "Migraine (disorder)", "en") in names(
        read(folder, vocabularies=asked), MIGRAINE
    )


def test_the_source_describes_itself(meta: Path) -> None:
    importer = importer_of(meta.parent)
    importer.details.licence = "our own"
    list(importer.statements(lambda *_: None))
    details = importer.details
    assert details.title == "UMLS Metathesaurus"
    assert (details.version, details.date) == ("2025AB", "2025-11-03")
    assert details.licence == "our own"
    assert details.homepage == "https://www.nlm.nih.gov/research/umls/"
    assert importer.skipped.count == 0


def test_the_version_may_stand_in_release_dat_or_the_name_of_the_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "2024AA" / "META", MRDOC=[])
    for given in (tmp_path, tmp_path / "2024AA", folder, folder / "MRCONSO.RRF"):
        importer = importer_of(given)
        list(importer.statements(lambda *_: None))
        assert importer.details.version == "2024AA"
    (folder / "release.dat").write_text(
        "# Release Metadata\numls.release.name=2024AB\numls.release.date=20241104\n"
    )
    importer = importer_of(tmp_path)
    list(importer.statements(lambda *_: None))
    assert (importer.details.version, importer.details.date) == ("2024AB", "2024-11-04")
    assert folder / "release.dat" in importer.inputs


def test_an_imported_release_is_described_and_joined(tmp_path: Path) -> None:
    folder, graph_folder = write(tmp_path / "2025AB" / "META").parent, tmp_path / "graph"
    report = import_source(graph_folder, None, [folder])  # the kind is guessed
    assert (report.name, report.skipped, report.unchanged) == ("umls", 0, False)
    assert import_source(graph_folder, "umls", [folder]).unchanged
    graph = LocalGraph(graph_folder)
    try:
        within = Deadline.after(30)
        migraine = graph.describe([CUI + MIGRAINE], "en", within)[CUI + MIGRAINE]
        assert (migraine.label, migraine.type) == ("Migraine Disorders", "Disease")
        assert migraine.description == "Definition of NCI."
        chinese = graph.describe([CUI + MIGRAINE], "zh", within)[CUI + MIGRAINE]
        assert (chinese.label, chinese.type) == ("偏头痛", "疾病")
        told = {
            (t.subject.label, t.relation.label, t.object.label, t.references)
            for t in graph.triples(CUI + MIGRAINE, "zh", within).triples
        }
        assert ("sumatriptan", "可用于治疗", "偏头痛", ("MED-RT",)) in told
        text = "An intellectual product on hemicrania, old form, or 偏头痛"
        assert {mention.text for mention in graph.mentions(text, within)} == {"偏头痛", "头痛"}
    finally:
        graph.close()
