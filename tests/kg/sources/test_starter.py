"""The starter graph: complete entries in both languages, nothing undescribed or contradicted."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.aspects import ASPECTS
from kg.sources.starter_graph import StarterImporter
from kg.sources.vocabulary import RELATIONS, TYPES, UNNAMED_TYPES
from tests.needs import need

ROOT = Path(__file__).parents[3]
STARTER = ROOT / "kg" / "sources" / "starter"
SHARED_DATA = ROOT.parent / "shared" / "data"

GC = "urn:graphcite:vocabulary:"
DISEASE, MEDICINE = GC + "Disease", GC + "Medicine"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SYNONYM = "http://www.w3.org/2004/02/skos/core#altLabel"
DESCRIPTION = "http://purl.org/dc/terms/description"
REFERENCES = "http://purl.org/dc/terms/references"
QUALIFIERS = {
    GC + "line": {"first line", "second line", "add-on"},
    GC + "frequency": {"very common", "common", "uncommon"},
    GC + "population": {"children", "pregnancy", "adults", "older people", "severe illness"},
}
STARTER_IRI = "urn:graphcite:starter:"
SOURCES = "DOID|PharmacotherapyDB|SIDER|PMID|OMIM|ORPHA|MESH"

Fact = tuple[str, str, str]
Texts = dict[str, list[tuple[str, str]]]  # IRI → (language, text)


def _texts() -> Texts:
    return defaultdict(list)


@dataclass(slots=True)
class Graph:
    types: dict[str, str] = field(default_factory=dict)
    labels: Texts = field(default_factory=_texts)
    synonyms: Texts = field(default_factory=_texts)
    descriptions: Texts = field(default_factory=_texts)
    facts: Counter[Fact] = field(default_factory=Counter)
    notes: list[tuple[str, str]] = field(default_factory=list)  # on facts: predicate, value

    def objects(self, subject: str, relation: str) -> list[str]:
        return [o for s, p, o in self.facts if s == subject and p == GC + relation]

    def subjects(self, relation: str, value: str) -> list[str]:
        return [s for s, p, o in self.facts if o == value and p == GC + relation]

    def of_type(self, kind: str) -> list[str]:
        return sorted(iri for iri, its in self.types.items() if its == kind)

    def named(self, text: str) -> str:
        (iri,) = {i for i, its in self.labels.items() for _, label in its if label == text}
        return iri


@pytest.fixture(scope="module")
def graph() -> Graph:
    read = Graph()
    for path in sorted(STARTER.glob("*.ttl")):
        for quad in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE):
            _add(read, quad)
    return read


def _add(graph: Graph, quad: ox.Quad) -> None:
    predicate, value = quad.predicate.value, quad.object
    if isinstance(quad.subject, ox.BlankNode):
        if isinstance(value, ox.Literal):
            graph.notes.append((predicate, value.value))
        return
    assert isinstance(quad.subject, ox.NamedNode)
    subject = quad.subject.value
    if isinstance(value, ox.Literal):
        texts = {LABEL: graph.labels, SYNONYM: graph.synonyms, DESCRIPTION: graph.descriptions}
        if predicate in texts:
            texts[predicate][subject].append((value.language or "", value.value))
    elif isinstance(value, ox.NamedNode):
        if predicate == TYPE:
            graph.types[subject] = value.value
        else:
            graph.facts[subject, predicate, value.value] += 1


def test_there_are_enough_entries(graph: Graph) -> None:
    assert len(graph.of_type(DISEASE)) >= 150
    assert len(graph.of_type(MEDICINE)) >= 250
    assert len(graph.facts) >= 6_000


def test_every_entity_has_one_label_in_each_language(graph: Graph) -> None:
    for iri in graph.types:
        if iri != "urn:graphcite:starter":
            assert sorted(language for language, _ in graph.labels[iri]) == ["en", "zh"], iri


def test_everything_in_a_fact_is_described(graph: Graph) -> None:
    used = {iri for subject, _, value in graph.facts for iri in (subject, value)}
    assert sorted(iri for iri in used if iri not in graph.types) == []


def test_everything_described_is_in_a_fact(graph: Graph) -> None:
    used = {iri for fact in graph.facts for iri in fact}
    entities = [iri for iri, kind in graph.types.items() if kind.startswith(GC)]
    assert sorted(iri for iri in entities if iri not in used) == []


def test_every_disease_is_complete(graph: Graph) -> None:
    problems = [
        f"{iri}: {problem}" for iri in graph.of_type(DISEASE) for problem in _gaps(graph, iri)
    ]
    assert problems == []


def _gaps(graph: Graph, iri: str) -> list[str]:
    therapies = [s for relation in ("treats", "relieves") for s in graph.subjects(relation, iri)]
    causes = graph.objects(iri, "hasCause") + graph.objects(iri, "hasRiskFactor")
    conditions = {
        "synonyms in both languages": _languages(graph.synonyms[iri]) == {"en", "zh"},
        "one description in each language": len(graph.descriptions[iri]) == 2
        and _languages(graph.descriptions[iri]) == {"en", "zh"},
        "five symptoms": len(graph.objects(iri, "hasSymptom")) >= 5,
        "a treatment": len(therapies) >= 1,
        "three causes or risk factors": len(causes) >= 3,
        "a department": len(graph.objects(iri, "isSeenBy")) >= 1,
        "a test": len(graph.objects(iri, "isDiagnosedBy")) >= 1,
    }
    return [f"lacks {name}" for name, holds in conditions.items() if not holds]


def test_every_medicine_is_complete(graph: Graph) -> None:
    for iri in graph.of_type(MEDICINE):
        assert _languages(graph.synonyms[iri]) == {"en", "zh"}, iri
        assert len(graph.descriptions[iri]) == 2, iri
        assert _languages(graph.descriptions[iri]) == {"en", "zh"}, iri
        assert graph.objects(iri, "hasSideEffect"), iri


def _languages(texts: list[tuple[str, str]]) -> set[str]:
    return {language for language, _ in texts}


def test_every_relation_and_type_is_of_our_vocabulary(graph: Graph) -> None:
    relations = {predicate for _, predicate, _ in graph.facts}
    assert relations <= set(RELATIONS)
    assert {kind for kind in graph.types.values() if kind.startswith(GC)} <= set(TYPES)
    assert {RELATIONS[relation].aspect for relation in relations} <= set(ASPECTS)


def test_the_importer_names_the_relations_and_types_that_are_used(graph: Graph) -> None:
    named: dict[str, set[str]] = defaultdict(set)
    for statement in StarterImporter().statements(lambda stage, done, total: None):
        if isinstance(statement.object, ox.Literal) and statement.predicate.value == LABEL:
            assert isinstance(statement.subject, ox.NamedNode)
            named[statement.subject.value].add(statement.object.language or "")
    relations = {predicate for _, predicate, _ in graph.facts}
    kinds = {kind for kind in graph.types.values() if kind.startswith(GC)}
    assert all(named[iri] == {"en", "zh"} for iri in relations | kinds)
    assert set(TYPES) - kinds and not any(named.get(iri) for iri in set(TYPES) - kinds)


def test_no_name_stands_for_two_entries_of_one_type(graph: Graph) -> None:
    owners: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for texts in (graph.labels, graph.synonyms):
        for iri, named in texts.items():
            for language, text in named:
                owners[graph.types.get(iri, ""), language, text.casefold()].add(iri)
    shared = {(language, text) for (_, language, text), iris in owners.items() if len(iris) > 1}
    assert shared == set()


_AVOIDED = {"usually-avoided", "not-used", "not-used-unless-nothing-else-works"}
# (relation, contraindication) → what must then be said of the use, one of these at least
_ADVICE = {
    ("useInPregnancy", "pregnancy"): set(),
    ("useInPregnancy", "early-pregnancy"): {
        "usually-avoided-in-the-first-three-months-of-pregnancy",
    },
    ("useInPregnancy", "late-pregnancy"): {
        "not-used-in-the-last-three-months-of-pregnancy",
        "not-used-in-the-last-weeks-of-pregnancy",
        "usually-avoided-for-pain-and-fever",
    },
    ("useInBreastFeeding", "breastfeeding"): set(),
    ("useInChildhood", "young-children"): {"not-used-in-young-children"},
    ("useInChildhood", "children-under-8"): {"not-used-under-8-years"},
    ("useInChildhood", "children-under-12"): {"not-used-under-12-years"},
    ("useInChildhood", "children-under-16"): {"not-used-under-16-years"},
}


def test_advice_on_use_agrees_with_contraindications(graph: Graph) -> None:
    for iri in graph.of_type(MEDICINE) + graph.of_type(GC + "MedicineClass"):
        forbidden = graph.objects(iri, "isContraindicatedIn")
        for (relation, condition), advice in _ADVICE.items():
            if STARTER_IRI + condition in forbidden:
                told = {its.removeprefix(STARTER_IRI) for its in graph.objects(iri, relation)}
                assert told & (advice | _AVOIDED) and "commonly-used" not in told, (iri, condition)
        if STARTER_IRI + "not-used" in graph.objects(iri, "useInPregnancy"):
            assert STARTER_IRI + "pregnancy" in forbidden, iri


def test_advice_and_status_are_no_names_to_ask_by(graph: Graph) -> None:
    """ "Commonly used" in a question must not be taken for an entity."""
    assert {GC + "UseAdvice", GC + "RegulatoryStatus"} <= UNNAMED_TYPES
    advice = {o for s, p, o in graph.facts if p.startswith(GC + "useIn")}
    assert {graph.types[iri] for iri in advice} == {GC + "UseAdvice"}


def test_chinese_words_for_groups_are_on_the_group(graph: Graph) -> None:
    for word, label in (("头孢", "cephalosporins"), ("青霉素", "penicillins"), ("他汀", "statins")):
        owners = {i for i, its in graph.synonyms.items() if ("zh", word) in its}
        assert owners == {graph.named(label)}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("acetaminophen", "paracetamol"),
        ("Panadol", "paracetamol"),
        ("百服宁", "paracetamol"),
        ("芬必得", "ibuprofen"),
        ("达克宁", "miconazole"),
        ("开瑞坦", "loratadine"),
        ("albuterol", "salbutamol"),
        ("Ventolin", "salbutamol"),
        ("epinephrine", "adrenaline"),
        ("Lipitor", "atorvastatin"),
        ("Glucophage", "metformin"),
        ("泰诺", "combination cold medicine"),
        ("heart attack", "myocardial infarction"),
        ("high blood pressure", "hypertension"),
        ("sugar diabetes", "type 2 diabetes"),
        ("heart burn", "heartburn"),
        ("the runs", "diarrhoea"),
        ("拉肚子", "diarrhoea"),
        ("中风", "stroke"),
    ],
)
def test_the_names_that_people_use(graph: Graph, name: str, label: str) -> None:
    owners = {i for i, its in graph.synonyms.items() if name in {text for _, text in its}}
    assert owners == {graph.named(label)}


def test_names_hold_no_markup(graph: Graph) -> None:
    for texts in (graph.labels, graph.synonyms):
        for iri, named in texts.items():
            for language, text in named:
                assert language in ("en", "zh"), iri
                assert text == text.strip() and not re.search(r"[<>\[\]{}`|\\\n]|\*\*|__", text), (
                    iri
                )
                assert language == "en" or not re.search(r"[,;:]\s", text), text


def test_chinese_names_are_chinese_and_english_ones_are_not(graph: Graph) -> None:
    for iri, named in graph.labels.items():
        for language, text in named:
            assert bool(re.search(r"[一-鿿]", text)) == (language == "zh"), (iri, text)


def test_facts_are_stated_once_with_known_qualifiers(graph: Graph) -> None:
    assert [fact for fact, times in graph.facts.items() if times > 1] == []
    for predicate, value in graph.notes:
        if predicate == REFERENCES:
            assert re.fullmatch(rf"(?:{SOURCES}):[\w:.-]+", value), value
        else:
            assert value in QUALIFIERS[predicate]


def test_files_stay_readable() -> None:
    for path in STARTER.glob("*.ttl"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 800, path.name


def test_migraine(graph: Graph) -> None:
    migraine = graph.named("偏头痛")
    assert ("zh", "偏头疼") in graph.synonyms[migraine]
    treated_by = set(graph.subjects("treats", migraine))
    for medicine in ("sumatriptan", "ibuprofen", "naproxen", "paracetamol"):
        assert graph.named(medicine) in treated_by
    for medicine in ("propranolol", "topiramate", "amitriptyline"):
        assert graph.named(medicine) in graph.subjects("prevents", migraine)
        assert graph.named(medicine) not in treated_by
    assert graph.named("nausea") in graph.objects(graph.named("metoclopramide"), "relieves")
    assert graph.named("pain behind the eyes") in graph.objects(migraine, "hasSymptom")


def test_acid_reflux_and_gastric_ulcer(graph: Graph) -> None:
    reflux, ulcer = graph.named("gastroesophageal reflux disease"), graph.named("gastric ulcer")
    assert ("en", "acid reflux") in graph.synonyms[reflux]
    for antacid in ("calcium carbonate", "aluminium hydroxide"):
        assert graph.named(antacid) in graph.subjects("treats", reflux)
    sucralfate = graph.named("sucralfate")
    assert sucralfate in graph.subjects("treats", ulcer)
    for effect in ("constipation", "upper abdominal pain"):
        assert graph.named(effect) in graph.objects(sucralfate, "hasSideEffect")
    excess = graph.named("胃酸过多")
    for antacid in ("calcium carbonate", "aluminium hydroxide"):
        assert graph.named(antacid) in graph.subjects("relieves", excess)


@pytest.mark.integration
def test_identifiers_and_references_are_in_the_public_data() -> None:
    need((SHARED_DATA / "medical").is_dir(), f"the public data is not in {SHARED_DATA}")
    command = [sys.executable, "bench/starter/check.py", "--data", str(SHARED_DATA)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    pattern = r"knows both sides of (\d+) and confirms (\d+) .* calls (\d+) no indication"
    found = re.search(pattern, result.stdout)
    assert found is not None
    both, confirmed, denied = map(int, found.groups())
    assert both > 600 and confirmed / both >= 0.9 and denied == 0
