"""Which aspect a relation has and which a question asks for."""

from __future__ import annotations

import pytest

from kg.aspects import (
    ASPECTS,
    asks_for_overview,
    aspect_of_relation,
    aspects_of_question,
    names_an_aspect,
    words_beside_aspects,
)


@pytest.mark.parametrize(
    ("question", "aspects"),
    [
        ("What are the treatments for migraine?", ("treatment",)),
        ("偏头痛怎么治疗？", ("treatment",)),
        ("What are the signs of Marfan syndrome?", ("symptom",)),
        ("What is asthma?", ("definition",)),
        ("哮喘是什么？", ("definition",)),
        ("Who should not take aspirin?", ("contraindication",)),
        ("Is ibuprofen safe in pregnancy?", ("population", "contraindication")),
        ("What medicines should people with asthma avoid?", ("contraindication",)),
        ("Which medicines make asthma worse?", ("contraindication",)),
        ("哮喘患者不能用什么药？", ("contraindication",)),
        ("What drugs should not be used in pregnancy?", ("population", "contraindication")),
        ("Which drugs cause cough?", ("side-effect",)),
        ("哪些药物会导致头痛？", ("side-effect",)),
        ("What drugs are there for gout?", ("treatment",)),
        ("What is ibuprofen used for?", ("treatment",)),
        ("感冒吃什么药？", ("treatment",)),
        ("what are the side affects of metformin", ("side-effect",)),
        ("How much paracetamol can I take per day?", ("dose",)),
        ("What about asthma?", ()),
        ("What's gout?", ("definition",)),
        ("孕妇可以吃布洛芬吗？", ("population", "contraindication")),
        ("感冒挂什么科？", ("department",)),
        ("What are the side effects of ibuprofen?", ("side-effect",)),
        ("What causes gout and how can I prevent it?", ("prevention", "cause")),
        ("Is Marfan syndrome inherited?", ("inheritance",)),
        ("Marfan syndrome", ()),
        ("Is diabetes contagious?", ("transmission",)),
        ("肺结核会传染吗？", ("transmission",)),
        ("Tell me about gout", ()),
        ("Describe the symptoms of gout", ("symptom",)),
        ("Tell me what gout is", ("definition",)),
        ("What is the relation between gout and diabetes?", ()),
        ("What's the main difference between gout and arthritis?", ()),
        ("痛风和糖尿病的关系是什么？", ()),
        ("头痛和恶心可能是什么病？", ()),
        ("什么是痛风？", ("definition",)),
        ("介绍一下痛风的治疗", ("treatment",)),
        ("Is amoxicillin safe while breastfeeding?", ("population", "contraindication")),
        ("Is paracetamol safe for children?", ("population", "contraindication")),
        ("My kidneys are bad, can I take ibuprofen?", ("contraindication",)),
        ("My child has a fever, what medicine can I give?", ("treatment",)),
        ("What are the symptoms of measles in children?", ("symptom",)),
        ("And in children?", ()),
    ],
)
def test_aspects_of_a_question(question: str, aspects: tuple[str, ...]) -> None:
    assert aspects_of_question(question) == aspects


@pytest.mark.parametrize(
    ("label", "aspect"),
    [
        ("treats", "treatment"),
        ("has phenotype", "symptom"),
        ("does not have phenotype", "absence"),
        ("has side effect", "side-effect"),
        ("use in pregnancy", "population"),
        ("contraindicated in pregnancy", "contraindication"),
        ("儿童用药", "population"),
        ("isCausedBy", "cause"),
        ("药物治疗", "treatment"),
        ("临床症状", "symptom"),
        ("subClassOf", "classification"),
        ("birthPlace", "other"),
        ("传播途径", "transmission"),
    ],
)
def test_aspect_of_a_relation(label: str, aspect: str) -> None:
    assert aspect_of_relation(label) == aspect
    assert aspect in ASPECTS


def test_words_that_only_ask_are_no_names() -> None:
    assert names_an_aspect("Symptoms") and names_an_aspect("治疗")
    assert not names_an_aspect("migraine")


def test_a_question_for_all_that_is_known() -> None:
    assert asks_for_overview("Please tell me more about gout") and asks_for_overview("介绍痛风")
    assert not asks_for_overview("What is gout?") and not asks_for_overview("痛风")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("And its symptoms?", []),
        ("还有什么治疗方法？", []),
        ("thanks", []),
        ("Tell me about ", []),
        ("Can you give me an overview of ?", []),
        ("请介绍一下", []),
        ("Tell me about the history of ", ["history"]),
        ("What are the symptoms of Zellweger disease?", ["zellweger", "disease"]),
        ("红斑狼疮有什么症状？", ["红", "斑", "狼", "疮"]),
    ],
)
def test_words_that_name_something(text: str, left: list[str]) -> None:
    assert words_beside_aspects(text) == left


@pytest.mark.parametrize(
    ("label", "aspect"),
    [
        ("should not be treated with", "non-indication"),
        ("never treats", "non-indication"),
        ("fails to treat", "non-indication"),
        ("ineffective treatment", "non-indication"),
        ("isNotTreatedBy", "non-indication"),
        ("不能治疗", "non-indication"),
        ("无效治疗药物", "non-indication"),
        ("禁止使用的治疗", "non-indication"),
        ("lacks symptom", "absence"),
        ("no_known_symptom", "absence"),
        ("没有症状", "absence"),
        ("does not cause", "other"),
        ("is not caused by", "other"),
        ("不会引起", "other"),
        ("not a risk factor for", "other"),
        ("has no side effect", "other"),
        # words that only look like a denial
        ("不良反应", "side-effect"),
        ("may be diagnosed by", "diagnosis"),
        ("is contraindicated in", "contraindication"),
    ],
)
def test_what_a_relation_denies_is_not_what_it_names(label: str, aspect: str) -> None:
    assert aspect_of_relation(label) == aspect
