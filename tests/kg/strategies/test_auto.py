"""`auto`: its rule, case by case, with the reason that it gives."""

from __future__ import annotations

import pytest

from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.strategies.asked import asked
from tests.scripted_model import ScriptedModel

ASTHMA, MIGRAINE = entity("Asthma", "哮喘"), entity("Migraine", "偏头痛")
PROPRANOLOL, WHEEZE = entity("Propranolol", "普萘洛尔"), entity("Wheeze", "喘鸣")
GRAPH = FakeGraph(
    fact(PROPRANOLOL, "treats", MIGRAINE),
    fact(PROPRANOLOL, "contraindicated in", ASTHMA),
    fact(ASTHMA, "has symptom", WHEEZE),
    fact(entity("Children", "儿童"), "may have", ASTHMA),
)


@pytest.mark.parametrize(
    ("question", "language", "strategy", "why"),
    [
        ("What is asthma?", "en", "kg-rank", "one entity linked"),
        ("How is asthma treated?", "en", "kg-rank", "one entity linked"),
        ("How are you?", "en", "kg-rank", "no entity linked"),
        ("Is propranolol safe in asthma?", "en", "hykge", "2 entities are asked about together"),
        ("Asthma and migraine", "en", "hykge", "2 entities are asked about together"),
        ("What do asthma and migraine have in common?", "en", "hykge", "2 entities"),
        ("Symptoms of asthma and migraine", "en", "kg-rank", "asked about by itself"),
        ("Tell me about asthma and migraine", "en", "kg-rank", "asked about by itself"),
        ("I have asthma. What helps against migraine?", "en", "kg-rank", "others are told beside"),
        ("What helps against migraine? I have asthma.", "en", "kg-rank", "told beside"),
        ("我有哮喘。偏头痛怎么治疗？", "zh", "kg-rank", "其余为背景"),
        ("I have asthma. Is propranolol safe with asthma?", "en", "hykge", "2 entities"),
        ("I have asthma. Can I take propranolol?", "en", "hykge", "2 entities"),
        ("What are the symptoms of asthma and of migraine?", "en", "kg-rank", "by itself"),
        ("How do the symptoms of asthma and migraine differ?", "en", "kg-rank", "by itself"),
        ("哮喘和偏头痛的症状有什么不同？", "zh", "kg-rank", "分别询问"),
        ("Which medicines treat both asthma and migraine?", "en", "hykge", "2 entities"),
        ("How is asthma in children treated?", "en", "kg-rank", "certain people"),
        ("Is propranolol safe with asthma in pregnancy?", "en", "kg-rank", "certain people"),
        ("Symptoms of asthma other than wheeze", "en", "kg-rank", "excludes something"),
        ("Do asthma and migraine wake you up?", "en", "hykge", "2 entities"),
        ("普萘洛尔会引起哮喘吗？", "zh", "hykge", "2 个实体"),
        ("哮喘和偏头痛有哪些症状？", "zh", "kg-rank", "分别询问 2 个实体"),
        ("介绍一下哮喘和偏头痛", "zh", "kg-rank", "分别询问 2 个实体"),
        ("哮喘怎么治疗？", "zh", "kg-rank", "只识别出一个实体"),
        ("哮喘和偏头痛有什么关系？", "zh", "hykge", "2 个实体"),
    ],
)
def test_without_a_model_the_entities_decide(
    question: str, language: str, strategy: str, why: str
) -> None:
    found = asked("auto", question, GRAPH, language=language)
    assert (found.strategy, why in (found.why or "")) == (strategy, True), found.why


@pytest.mark.parametrize(
    ("question", "language", "strategy"),
    [
        ("How is asthma treated?", "en", "hykge"),
        ("Why does asthma cause wheezing at night?", "en", "hykge"),
        ("How many people have asthma?", "en", "kg-rank"),
        ("What are the symptoms of asthma?", "en", "kg-rank"),
        ("为什么会得哮喘？", "zh", "hykge"),
        ("哮喘有哪些症状？", "zh", "kg-rank"),
    ],
)
def test_with_a_model_how_and_why_questions_get_a_hypothesis(
    question: str, language: str, strategy: str
) -> None:
    model = ScriptedModel(jobs={"hypothesis": "Wheeze. 喘鸣。"})
    found = asked("auto", question, GRAPH, language=language, model=model)
    assert found.strategy == strategy
    assert found.calls == ({"hypothesis": 1} if strategy == "hykge" else {})


def test_that_there_was_no_hypothesis_is_told_with_the_choice() -> None:
    question = "What do asthma and migraine have in common?"
    assert "without a hypothesis" in (asked("auto", question, GRAPH).why or "")
    model = ScriptedModel(jobs={"hypothesis": "Wheeze."})
    assert "without" not in (asked("auto", question, GRAPH, model=model).why or "")
