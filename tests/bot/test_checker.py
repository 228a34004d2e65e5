"""What the checker says of sentences that are right, wrong, stronger, turned round or uncited."""

from __future__ import annotations

import pytest

from bot.answering.phrases import ABSTENTION
from bot.citations.checker import check, recall_and_precision
from kg.model import Evidence
from tests.graphs import description, entity, item, literal, path, triple

MIGRAINE = entity("migraine", "偏头痛")
SUMATRIPTAN = entity("sumatriptan", "舒马曲坦")
IBUPROFEN = entity("ibuprofen", "布洛芬")
HEADACHE = entity("headache", "头痛")
MARFAN = entity("Marfan syndrome", "马凡综合征")
NAUSEA = entity("nausea", "恶心")

EVIDENCE: dict[int, Evidence] = {
    1: item(triple(SUMATRIPTAN, "treats", MIGRAINE)),
    2: item(triple(IBUPROFEN, "treats", HEADACHE)),
    3: item(triple(MARFAN, "lacksPhenotype", entity("Seizure", "癫痫发作"))),
    4: item(triple(MARFAN, "hasPhenotype", entity("Arachnodactyly"), frequency="16/21")),
    5: description(MIGRAINE, "A headache disorder with recurring attacks on one side of the head."),
    6: item(triple(SUMATRIPTAN, "contraindicatedIn", entity("coronary artery disease"))),
    7: path(triple(SUMATRIPTAN, "treats", MIGRAINE), triple(MIGRAINE, "hasSymptom", NAUSEA)),
    8: description(MIGRAINE, "反复发作的头痛，常为一侧。", language="zh"),
    9: item(triple(MIGRAINE, "hasTreatment", IBUPROFEN, line="first")),
    10: item(triple(MARFAN, "onset age", literal("12 years"))),
    11: item(triple(IBUPROFEN, "interactsWith", entity("warfarin"))),
    12: item(triple(MIGRAINE, "hasSymptom", NAUSEA)),
    13: item(triple(entity("non-small cell lung cancer"), "hasSymptom", entity("cough"))),
}


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("Sumatriptan treats migraine [1].", "supported", None),
        ("Migraine is treated with sumatriptan [1].", "supported", None),
        ("Migraines may be relieved by Sumatriptan [1].", "supported", None),
        ("舒马曲坦可用于治疗偏头痛[1]。", "supported", None),
        ("偏头痛可以用舒马曲坦治疗[1]。", "supported", None),
        ("布洛芬治疗头痛[2]。", "supported", None),
        ("Sumatriptan treats cluster headache [1].", "unsupported", "migraine"),
        ("Ibuprofen treats migraine [2].", "unsupported", "headache"),
        ("布洛芬治疗偏头痛[2]。", "unsupported", "headache"),
        ("Sumatriptan 50 mg treats migraine [1].", "partly", "50"),
        ("Sumatriptan cures migraine [1].", "partly", "cures"),
        ("Sumatriptan always treats migraine [1].", "partly", "always"),
        ("Sumatriptan is the first choice for migraine [1].", "partly", "first choice"),
        ("Ibuprofen is a first-line treatment for migraine [9].", "supported", None),
        ("布洛芬是偏头痛的一线治疗[9]。", "supported", None),
        ("舒马曲坦是偏头痛的首选药物[1]。", "partly", "首选"),
        ("Migraine treats sumatriptan [1].", "unsupported", "direction"),
        ("Migraine can treat ibuprofen [9].", "unsupported", "direction"),
        ("偏头痛可治疗舒马曲坦[1]。", "unsupported", "方向"),
        ("Nausea causes migraine [12].", "unsupported", "direction"),
        ("Migraine causes nausea [12].", "supported", None),
        ("Sumatriptan does not treat migraine [1].", "unsupported", "denies"),
        ("舒马曲坦不能治疗偏头痛[1]。", "unsupported", "否定"),
        ("Sumatriptan causes migraine [1].", "unsupported", "another relation"),
        ("舒马曲坦导致偏头痛[1]。", "unsupported", "另一种关系"),
        ("Sumatriptan treats coronary artery disease [6].", "unsupported", "another relation"),
        ("Sumatriptan should not be used in coronary artery disease [6].", "supported", None),
        ("Marfan syndrome has seizures [3].", "unsupported", "not found"),
        ("Seizures were not found in Marfan syndrome [3].", "supported", None),
        ("马凡综合征中未见癫痫发作[3]。", "supported", None),
        ("Marfan syndrome has arachnodactyly [4] but not seizures [3].", "supported", None),
        ("Marfan syndrome has arachnodactyly in 16 of 21 [4].", "supported", None),
        ("Marfan syndrome has arachnodactyly in 17 of 21 [4].", "partly", "17"),
        ("Migraine is a headache disorder with recurring attacks [5].", "supported", None),
        ("Recurring attacks on one side of the head [5].", "supported", None),
        ("Migraine is a rare infection of the ears [5].", "unsupported", "description"),
        ("Migraine is not a headache disorder [5].", "unsupported", "denies"),
        ("偏头痛是反复发作的头痛[8]。", "supported", None),
        ("偏头痛是耳部的感染性疾病[8]。", "unsupported", "描述"),
        ("Sumatriptan helps with nausea in migraine [7].", "supported", None),
        ("Sumatriptan treats migraine [7].", "unsupported", "nausea"),
        ("In Marfan syndrome the onset age is 12 years [10].", "supported", None),
        ("In Marfan syndrome the onset age is 13 years [10].", "unsupported", "12 years"),
        ("Warfarin interacts with ibuprofen [11].", "supported", None),
        ("Non-small cell lung cancer has cough as a symptom [13].", "supported", None),
        ("Sumatriptan treats migraine [99].", "unsupported", "no evidence"),
        ("Drink water.", "uncited", None),
    ],
)
def test_verdicts(answer: str, verdict: str, reason: str | None) -> None:
    (sentence,) = check(answer, EVIDENCE)
    assert sentence.verdict == verdict, sentence
    if reason:
        assert any(reason in (c.reason or "") for c in sentence.checks), sentence


def test_list_items_inherit_the_words_of_their_lead_in() -> None:
    answer = "Treatments for migraine are:\n- sumatriptan [1]\n- ibuprofen [2]\n"
    assert [s.verdict for s in check(answer, EVIDENCE)] == ["supported", "unsupported"]
    answer = "以下药物能治愈偏头痛：\n- 舒马曲坦[1]\n"
    assert [s.verdict for s in check(answer, EVIDENCE)] == ["partly"]


def test_a_pronoun_stands_for_what_was_named_before() -> None:
    answer = "Migraine is a headache disorder [5]. It can be treated with sumatriptan [1]."
    assert [s.verdict for s in check(answer, EVIDENCE)] == ["supported", "supported"]
    answer = "Migraine is a headache disorder [5]. Sleep treats with sumatriptan [1]."
    assert [s.verdict for s in check(answer, EVIDENCE)] == ["supported", "unsupported"]


def test_one_wrong_citation_makes_a_sentence_partly_supported() -> None:
    (sentence,) = check("Sumatriptan treats migraine [1][2].", EVIDENCE)
    assert sentence.verdict == "partly"
    assert [c.verdict for c in sentence.checks] == ["supported", "unsupported"]


def test_a_name_inside_a_longer_known_name_does_not_count() -> None:
    evidence = {
        **EVIDENCE,
        20: item(triple(entity("oxygen"), "treats", entity("cluster headache"))),
    }
    (sentence,) = check("Ibuprofen treats cluster headache [2].", evidence)
    assert sentence.verdict == "unsupported"


@pytest.mark.parametrize("value", ["3", "5 mg", "5", "25-D", "1"])
def test_a_literal_does_not_cut_a_number(value: str) -> None:
    evidence = {
        1: item(triple(SUMATRIPTAN, "treats", MIGRAINE, dose="3.5 mg", product="1,25-D")),
        2: item(triple(MIGRAINE, "onset age", literal(value))),
    }
    (sentence,) = check("Sumatriptan 3.5 mg (1,25-D) treats migraine [1].", evidence)
    assert sentence.verdict == "supported", sentence
    (sentence,) = check("The onset age of migraine is 3.5 mg or 1,25-D [2].", evidence)
    assert sentence.verdict == "unsupported", sentence


def test_a_name_does_not_reach_across_a_marker() -> None:
    evidence = {
        1: item(triple(MIGRAINE, "hasSymptom", NAUSEA)),
        2: item(triple(MIGRAINE, "hasSymptom", entity("vomiting"))),
        3: item(triple(MIGRAINE, "hasSymptom", entity("nausea and vomiting"))),
    }
    (sentence,) = check("Migraine has nausea [1] and vomiting [2].", evidence)
    assert sentence.verdict == "supported"
    (sentence,) = check("Migraine has nausea and vomiting [3].", evidence)
    assert sentence.verdict == "supported"


def test_code_is_never_a_claim() -> None:
    assert check("```\nSumatriptan cures migraine [1].\n```", EVIDENCE) == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_abstention_is_no_claim(language: str) -> None:
    assert check(ABSTENTION[language], EVIDENCE) == ()


def test_a_half_sentence_is_not_judged() -> None:
    answer = "Sumatriptan treats migraine [1]. Ibuprofen treats migr"
    assert len(check(answer, EVIDENCE)) == 2
    assert [s.verdict for s in check(answer, EVIDENCE, cut_off=True)] == ["supported"]
    assert len(check("Sumatriptan treats migraine. [1]", EVIDENCE, cut_off=True)) == 1
    assert len(check("Sumatriptan treats migraine.** [1][2] …", EVIDENCE, cut_off=True)) == 1
    assert check("Sumatriptan treats migraine [1] [2]", EVIDENCE, cut_off=True) == ()


def test_recall_and_precision() -> None:
    answer = "Sumatriptan treats migraine [1]. Ibuprofen cures headache [2][1]. Drink water."
    recall, precision = recall_and_precision(check(answer, EVIDENCE))
    assert recall == pytest.approx(1 / 3)
    assert precision == pytest.approx(2 / 3)
    assert recall_and_precision(()) == (None, None)
    assert recall_and_precision(check("Drink water.", EVIDENCE)) == (0.0, None)
