"""Which chains answer what was asked, and which only lead away from it; pinned, and supported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.answering.phrases import ABSTENTION
from kg.model import Evidence, Retrieval
from tests.bot.test_checker_chains import chain
from tests.bot.test_composer import composed
from tests.graphs import HPO, entity, item, path, relation, retrieval, triple

MARFAN, ANEURYSM = entity("Marfan syndrome"), entity("aneurysm")
ASTHMA, COPD, WHEEZE = entity("asthma"), entity("COPD"), entity("wheeze")
IBUPROFEN, ULCER = entity("ibuprofen"), entity("gastric ulcer")
PEPTIC = entity("peptic ulcer")
PAIN, WARFARIN = entity("pain"), entity("warfarin")
HEAD, MIGRAINE = entity("head"), entity("migraine")
SUBCLASS = replace(relation("isA"), iri="http://e/subClassOf", label="is a")
FORBIDDEN = relation("is contraindicated in", aspect="contraindication")
INHERITED = chain(
    "co-ancestor",
    (triple(IBUPROFEN, FORBIDDEN, PEPTIC), True),
    (triple(ULCER, SUBCLASS, PEPTIC, HPO), False),
)


def told(question: str, evidence: list[Evidence], *linked: object, **given: object) -> str:
    return composed(retrieval(question, evidence, *linked, **given))[0]  # type: ignore[arg-type]


def test_causes_are_not_answered_by_what_something_causes() -> None:
    evidence = [
        item(triple(ANEURYSM, "hasCause", MARFAN)),
        chain(
            "co-occurrence",
            (triple(ANEURYSM, "hasCause", MARFAN), False),
            (triple(ANEURYSM, "hasCause", entity("age")), True),
        ),
    ]
    asked = retrieval("What causes Marfan syndrome?", evidence, MARFAN, aspects=("cause",))
    assert composed(asked) == (
        ABSTENTION["en"],
        (
            "The graph says nothing about causes of Marfan syndrome; "
            "that does not mean there is none.",
        ),
    )
    for question in ("What does Marfan syndrome cause?", "What is caused by Marfan syndrome?"):
        assert told(question, evidence, MARFAN, aspects=("cause",)).startswith(
            "The starter graph lists Marfan syndrome as a cause of aneurysm [1]."
        )


def test_shared_symptoms_are_not_what_has_both_as_a_symptom() -> None:
    both = chain(
        "co-occurrence",
        (triple(entity("measles"), "hasSymptom", ASTHMA), False),
        (triple(entity("measles"), "hasSymptom", COPD), True),
    )
    asked = retrieval(
        "Which symptoms do asthma and COPD share?", [both], ASTHMA, COPD, aspects=("symptom",)
    )
    assert composed(replace(asked, triples_found=0)) == (
        ABSTENTION["en"],
        (
            "No fact at hand tells signs and symptoms of asthma and COPD; "
            "that does not mean that the graph has none.",
            "No fact at hand joins asthma and COPD; that does not mean that nothing does.",
        ),
    )
    assert told("Which diseases have both asthma and COPD as symptoms?", [both], ASTHMA, COPD)


def test_what_leads_from_one_to_the_other_answers_how_but_not_what_they_share() -> None:
    leading = path(
        triple(ASTHMA, "hasSymptom", WHEEZE),
        triple(WHEEZE, relation("leaves", aspect="complication"), COPD),
    )
    asked = retrieval(
        "How does asthma lead to COPD?", [leading], ASTHMA, COPD, aspects=("complication",)
    )
    assert composed(asked) == (
        "According to the starter graph, asthma has symptom wheeze, and wheeze leaves COPD [1].",
        (),
    )
    shared = path(triple(ASTHMA, "hasSymptom", WHEEZE), triple(WHEEZE, "hasSymptom", COPD))
    question = "Which symptoms do asthma and COPD share?"
    assert told(question, [shared], ASTHMA, COPD, aspects=("symptom",)) == ABSTENTION["en"]


def test_from_one_thing_the_way_goes_by_its_parts_or_is_asked_for() -> None:
    tablet = entity("tablet")
    by_part = chain(
        "co-occurrence",
        (triple(tablet, relation("contains", aspect="composition"), IBUPROFEN), False),
        (triple(tablet, "sideEffect", entity("rash")), True),
    )
    elsewhere = path(
        triple(IBUPROFEN, "interactsWith", WARFARIN), triple(WARFARIN, "sideEffect", entity("rash"))
    )
    question, asked = "Side effects of ibuprofen?", ("side-effect",)
    assert told(question, [elsewhere], IBUPROFEN, aspects=asked) == ABSTENTION["en"]
    assert told(question, [by_part], IBUPROFEN, aspects=asked) == (
        "According to the starter graph, tablet contains ibuprofen, and the side effect of tablet "
        "is rash [1]."
    )
    own = item(triple(IBUPROFEN, "sideEffect", entity("nausea")))
    assert told(question, [by_part, own], IBUPROFEN, aspects=asked) == (
        "As a side effect of ibuprofen, the starter graph lists nausea [1]."
    )
    question = "What are the side effects of the medicine that interacts with ibuprofen?"
    asked = ("side-effect", "interaction")
    assert "rash [1]." in told(question, [elsewhere], IBUPROFEN, aspects=asked)


@pytest.mark.parametrize("direct", [True, False])
def test_what_is_contraindicated_in_a_disease_is_so_in_its_kinds(direct: bool) -> None:
    fact = item(triple(IBUPROFEN, "sideEffect", ULCER))
    asked = retrieval(
        "Can I take ibuprofen with a gastric ulcer?",
        [*([fact] if direct else []), INHERITED],
        IBUPROFEN,
        ULCER,
        aspects=("contraindication",),
    )
    text, remarks = composed(asked)
    assert text.splitlines()[-1] == (
        "According to the starter graph, ibuprofen is contraindicated in peptic ulcer, and "
        "according to the Human Phenotype Ontology, gastric ulcer is a peptic ulcer "
        f"[{1 + direct}]."
    )
    assert remarks == ()


def test_what_is_forbidden_in_a_kind_is_not_so_in_the_whole() -> None:
    upward = chain(
        "path",
        (triple(IBUPROFEN, FORBIDDEN, ULCER), True),
        (triple(ULCER, SUBCLASS, PEPTIC), True),
    )
    asked = retrieval("Is ibuprofen bad for peptic ulcer?", [upward], IBUPROFEN, PEPTIC)
    assert composed(asked)[0] == ABSTENTION["en"]


def test_a_long_chain_answers_only_how_things_hang_together_or_what_is_asked_of_one() -> None:
    around = path(
        triple(ASTHMA, "hasSymptom", WHEEZE),
        triple(WHEEZE, relation("hasSign"), entity("sign")),
        triple(entity("sign"), relation("hasKind"), COPD),
    )
    assert told("How are asthma and COPD connected?", [around], ASTHMA, COPD) != ABSTENTION["en"]
    assert told("asthma and COPD", [around], ASTHMA, COPD) != ABSTENTION["en"]
    asked = retrieval("What happens with asthma beside COPD?", [around], ASTHMA, COPD)
    assert composed(asked)[0] == ABSTENTION["en"]
    of_one = replace(asked, aspects=("symptom",))
    assert composed(of_one)[0] != ABSTENTION["en"]
    assert composed(replace(asked, aspects=("treatment",)))[0] == ABSTENTION["en"]


def test_chains_that_differ_in_one_of_two_middles_are_told_together() -> None:
    def of(medicine: str) -> Evidence:
        return chain(
            "co-occurrence",
            (triple(entity("紧张型头痛"), relation("累及", "zh"), HEAD), False),
            (triple(entity(medicine), relation("用于治疗", "zh"), entity("紧张型头痛")), False),
            (triple(entity(medicine), relation("用于治疗", "zh"), MIGRAINE), True),
        )

    evidence = [of("萘普生"), of("阿司匹林")]
    asked = retrieval("head和migraine有什么联系？", evidence, HEAD, MIGRAINE, language="zh")
    assert composed(asked)[0] == (
        "根据《starter graph》，紧张型头痛累及head，以下各项用于治疗紧张型头痛和migraine："
        "萘普生[1]和阿司匹林[2]。"
    )


def test_what_two_statements_have_in_common_is_said_once() -> None:
    related = relation("相关疾病", "zh", aspect="other")
    symptom = relation("相关症状", "zh", aspect="other")
    one, other, kidney = entity("高血压"), entity("糖尿病"), entity("肾病")
    test, blood = entity("尿常规"), entity("血糖")
    evidence = [
        chain(
            "co-ancestor",
            (triple(one, related, kidney), True),
            (triple(other, related, kidney), False),
        ),
        *(
            chain(
                "co-occurrence", (triple(t, related, one), False), (triple(t, related, other), True)
            )
            for t in (test, blood)
        ),
        chain(
            "co-occurrence",
            (triple(test, symptom, one), False),
            (triple(test, related, other), True),
        ),
    ]
    asked = retrieval("高血压和糖尿病有什么联系？", evidence, one, other, language="zh")
    assert composed(asked)[0].split("\n\n") == [
        "根据《starter graph》，高血压和糖尿病的“相关疾病”为肾病[1]。",
        "根据《starter graph》，以下各项的“相关疾病”为高血压和糖尿病：尿常规[2]和血糖[3]。",
        "根据《starter graph》，尿常规的“相关症状”为高血压，“相关疾病”为糖尿病[4]。",
    ]


def test_more_than_a_sentence_holds_goes_on_in_another() -> None:
    evidence = [
        chain(
            "co-ancestor",
            (triple(ASTHMA, "hasSymptom", entity(f"sign {letter}")), True),
            (triple(COPD, "hasSymptom", entity(f"sign {letter}")), False),
        )
        for letter in "abcdefgh"
    ]
    asked = retrieval("What do asthma and COPD have in common?", evidence, ASTHMA, COPD)
    text, remarks = composed(asked)
    assert text.split("\n\n")[1] == (
        "Among the signs and symptoms of both asthma and COPD, the starter graph also lists "
        "sign h [8]."
    )
    assert remarks == ()  # what they share is what was asked for


def test_what_is_asked_of_each_is_not_told_to_be_apart() -> None:
    evidence = [item(triple(one, "hasSymptom", WHEEZE)) for one in (ASTHMA, COPD)]
    asked = retrieval("Symptoms of asthma and COPD", evidence, ASTHMA, COPD, aspects=("symptom",))
    assert composed(asked)[1] == ()


def test_subjects_of_one_fact_are_listed() -> None:
    contains = relation("成份", "zh", aspect="composition")
    evidence = [item(triple(entity(f"药{n}"), contains, IBUPROFEN)) for n in "甲乙"]
    asked = retrieval("ibuprofen", evidence, IBUPROFEN, language="zh")
    assert composed(asked)[0] == (
        "根据《starter graph》，以下各项的“成份”为ibuprofen：药甲[1]和药乙[2]。"
    )
    has = relation("contains", aspect="composition")
    evidence = [item(triple(entity(f"tablet {n}"), has, IBUPROFEN)) for n in "ab"]
    assert told("ibuprofen", evidence, IBUPROFEN) == (
        "According to the starter graph, each of these contains ibuprofen: tablet a [1] and "
        "tablet b [2]."
    )


def test_what_holds_for_the_people_of_the_question_comes_first() -> None:
    pressure = entity("hypertension")
    evidence = [
        item(triple(entity("ramipril"), "treats", pressure, line="first")),
        item(triple(entity("labetalol"), "treats", pressure, line="first", population="pregnancy")),
    ]
    asked: Retrieval = retrieval(
        "What treats hypertension in pregnancy?", evidence, pressure, aspects=("treatment",)
    )
    assert composed(asked)[0] == (
        "As a first-line treatment for hypertension, the starter graph lists labetalol "
        "(in pregnancy) [1]. As a first-line treatment for hypertension, it lists ramipril [2]."
    )


def test_a_name_that_begins_with_a_vowel_takes_an() -> None:
    evidence = [
        path(triple(ULCER, SUBCLASS, entity("ulcer")), triple(entity("ulcer"), "treats", PAIN))
    ]
    assert told("gastric ulcer and pain", evidence, ULCER, PAIN) == (
        "According to the starter graph, gastric ulcer is an ulcer, and ulcer treats pain [1]."
    )
