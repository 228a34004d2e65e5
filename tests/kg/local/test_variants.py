"""Other wordings of a name lead to it, in questions and when it is looked up; guesses are told."""

from __future__ import annotations

import pytest

from kg.deadline import Deadline
from kg.local import LocalGraph
from kg.local.variants import variants
from tests.kg.conftest import MakeGraph

E = "http://example.org/"
GRAPH = """
e:t2 rdfs:label "Diabetes Mellitus, Type 2" . e:oc rdfs:label "Contraceptives, Oral" .
e:lung rdfs:label "Lung carcinoma" . e:neck rdfs:label "Cancer of the neck" .
e:kf rdfs:label "Kidney failure" . e:ovary rdfs:label "Neoplasm of ovary" .
e:para rdfs:label "Acetaminophen" . e:epi rdfs:label "Epinephrine" .
e:b12 rdfs:label "Vitamin B 12" . e:gall rdfs:label "Gallstones" . e:fk rdfs:label "FK-506" .
e:htn rdfs:label "Hypertension" . e:epilepsy rdfs:label "Epilepsy" .
e:dm rdfs:label "Diabetes" . e:psychosis rdfs:label "Psychosis" . e:anaemia rdfs:label "Anaemia" .
e:hypnosis rdfs:label "Hypnosis" . e:diuresis rdfs:label "Diuresis" .
e:valproic rdfs:label "Valproic acid" . e:fu rdfs:label "Fluorouracil" .
e:sodium rdfs:label "Sodium" . e:no rdfs:label "Nitric oxide" .
e:nsclc rdfs:label "Non-small cell lung carcinoma" . e:block rdfs:label "Heart block" .
e:dyskinesia rdfs:label "Dyskinesia" . e:stage rdfs:label "Sarcoma stage IV" .
e:mi rdfs:label "Myocardial infarction" . e:raloxifene rdfs:label "Raloxifene" .
"""


def found(graph: LocalGraph, name: str, deadline: Deadline) -> list[tuple[str, str]]:
    return [(c.iri.removeprefix(E), c.how) for c in graph.candidates(name, "en", deadline)]


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("type 2 diabetes mellitus", "t2"),
        ("type II diabetes mellitus", "t2"),
        ("Diabetes mellitus type II", "t2"),
        ("oral contraceptive", "oc"),
        ("carcinoma of the lung", "lung"),
        ("pulmonary carcinoma", "lung"),
        ("neck cancer", "neck"),
        ("renal failure", "kf"),
        ("failure of the kidney", "kf"),
        ("renal insufficiency", "kf"),
        ("ovarian cancer", "ovary"),
        ("paracetamol", "para"),
        ("adrenaline", "epi"),
        ("vitamin B12", "b12"),
        ("gall stones", "gall"),
        ("FK506", "fk"),
        ("hypertensive", "htn"),
        ("epileptic", "epilepsy"),
        ("diabetic", "dm"),
        ("psychotic", "psychosis"),
        ("anaemic", "anaemia"),
        ("valproate", "valproic"),
        ("Na", "sodium"),
        ("NO", "no"),
        ("nonsmall cell lung carcinoma", "nsclc"),
        ("stage 4 sarcoma", "stage"),
    ],
)
def test_another_wording_of_a_name(
    make_graph: MakeGraph, soon: Deadline, name: str, entity: str
) -> None:
    graph = make_graph(a=GRAPH)
    assert found(graph, name, soon) == [(entity, "folded")]
    assert graph.candidates(name, "en", soon)[0].score <= 0.9


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("5-fluorouracil", "fu"),
        ("raloxifene hydrochloride", "raloxifene"),
        ("levodopa-induced dyskinesia", "dyskinesia"),
    ],
)
def test_a_part_left_out_is_a_guess(
    make_graph: MakeGraph, soon: Deadline, name: str, entity: str
) -> None:
    graph = make_graph(a=GRAPH)
    assert found(graph, name, soon) == [(entity, "fuzzy")]


@pytest.mark.parametrize(
    "name",
    ["hypnotic", "diuretic", "na", "no", "renal", "type 2", "lung", "acid valproic salt", "heart"],
)
def test_what_is_no_other_wording(make_graph: MakeGraph, soon: Deadline, name: str) -> None:
    graph = make_graph(a=GRAPH)
    assert found(graph, name, soon) == []


def test_the_words_as_they_stand_go_first(make_graph: MakeGraph, soon: Deadline) -> None:
    graph = make_graph(a=GRAPH + 'e:own rdfs:label "renal failure" .')
    assert found(graph, "Renal failure", soon) == [("own", "exact")]
    assert found(graph, "kidney failure", soon) == [("kf", "exact")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What are the side effects of paracetamol?", ["paracetamol"]),
        ("Who gets carcinoma of the lung?", ["carcinoma of the lung"]),
        ("treatment of type II diabetes mellitus", ["type II diabetes mellitus"]),
        (
            "Are oral contraceptives safe in renal failure?",
            ["oral contraceptives", "renal failure"],
        ),
        ("I take pills for my heart. Block it?", []),
        ("Which failure? Kidney stones.", []),
        ("Do people say no to stones of gall?", []),
        ("raloxifene hydrochloride", ["raloxifene"]),
        ("medicines for hypertensive people", ["hypertensive"]),
        ("Are diuretics and hypnotics safe?", []),
    ],
)
def test_other_wordings_in_a_question(
    make_graph: MakeGraph, soon: Deadline, text: str, names: list[str]
) -> None:
    graph = make_graph(a=GRAPH)
    mentions = graph.mentions(text, soon)
    assert [m.text for m in mentions if m.text not in ("diabetes", "diabetes mellitus")] == names


def test_variants_are_few_and_never_the_name_itself() -> None:
    for name in (
        "carcinoma of the lung",
        "acute renal failure of the left kidney",
        "a b c d e f g",
    ):
        found_ = [folded for folded, _, _ in variants(name)]
        assert len(found_) == len(set(found_)) < 300
        assert "carcinoma of the lung" not in found_
    assert variants("偏头痛") == [] and variants("") == [] and variants("COLD") == []
