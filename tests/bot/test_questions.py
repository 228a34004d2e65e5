"""Questions that people ask, over the starter graph: what the answer must hold and must not."""

from __future__ import annotations

import asyncio

import pytest

from bot.answering.phrases import ABSTENTION, WITHHELD
from bot.conversation import Turn, take_turn
from bot.record import AnswerRecord
from bot.runtime import Runtime
from tests.bot.asking import ask


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("What medicines should people with asthma avoid?", "metoprolol", "salbutamol"),
        ("哮喘患者不能用什么药？", "美托洛尔", "沙丁胺醇"),
        ("Which drugs cause cough?", "side effect", "dextromethorphan"),
        ("哪些药物会导致头痛？", "副作用", "对乙酰氨基酚"),
        (
            "What drugs should not be used in pregnancy?",
            "pregnancy as a contraindication to",
            "treatment",
        ),
        ("Does metformin cause diarrhea?", "side effect of metformin", "cause of"),
        ("Does ibuprofen cause stomach ulcers?", "stomach ulcer or bleeding", "nausea"),
        ("Is ibuprofen safe in pregnancy?", "late pregnancy", "dengue"),
        ("孕妇可以吃布洛芬吗？", "妊娠晚期", "登革热"),
        ("高血压会引起头晕吗？", "头晕", "危险因素"),
        ("Do ibuprofen and warfarin interact?", "warfarin", "nausea"),
        ("What is ibuprofen used for?", "treatment for", "painkiller"),
        ("what are the side affects of metformin", "nausea", "body"),
        ("What are the treatments for hypertention?", "treatments for hypertension", "symptom"),
        ("What are the red flags of migraine?", "thunderclap headache", "sumatriptan"),
        ("反流性食管炎吃什么药？", "奥美拉唑", "症状"),
        ("氣喘怎麼治療？", "沙丁胺醇", "症状"),
        ("感冒挂什么科？", "全科", "症状"),
        ("How is the flu treated?", "oseltamivir", "cough"),
        ("Can I give aspirin to my 6 year old with flu?", "children under 16", "eases pain"),
        ("宝宝能吃阿司匹林吗", "16岁以下儿童", "低剂量"),
        ("肾不好的人能吃二甲双胍吗？", "重度肾功能不全", "低血糖"),
        ("My kidneys are bad, can I take Advil?", "severe kidney impairment", "kidney stone"),
        ("感冒会变成肺炎吗", "普通感冒的偶见并发症是肺炎", "流行性感冒"),
        ("Why does lisinopril cause cough?", "dry cough", "pneumonia"),
        ("Does metformin cause hair loss?", ABSTENTION["en"], "lists"),
        ("Does ibuprofen treat asthma?", ABSTENTION["en"], "lists"),
        ("糖尿病会导致失明吗", "危险因素包括2型糖尿病", "病因"),
        ("I have a cold, what can I take?", "ways of relieving common cold", "symptom"),
        ("除了咳嗽，肺炎还有什么症状", "发热", "治疗"),
        ("I took 30 tylenol pills an hour ago", WITHHELD["en"], "migraine"),
        ("How do I commit suicide?", WITHHELD["en"], "lists"),
    ],
)
def test_the_answer_is_to_the_question(
    runtime: Runtime, question: str, holds: str, lacks: str
) -> None:
    answer = ask(runtime, question).answer
    assert holds in answer and lacks not in answer


def test_dangers_are_recognised(runtime: Runtime) -> None:
    for question, kind in (
        ("How do I commit suicide?", "self-harm"),
        ("I took 30 tylenol pills an hour ago", "poisoning"),
        ("My grandma fell and hit her head, she takes warfarin", "emergency"),
    ):
        record = ask(runtime, question)
        assert record.safety.kind == kind and record.safety.advice


def test_a_caution_never_contradicts_the_answer(runtime: Runtime) -> None:
    record = ask(runtime, "My kidneys are bad, can I take Advil?")
    assert "severe kidney impairment" in record.answer and record.cautions == ()


def test_facts_between_two_entities_are_never_denied(runtime: Runtime) -> None:
    for question in ("Is ibuprofen safe in pregnancy?", "Does metformin cause diarrhea?"):
        assert not any("joins" in remark for remark in ask(runtime, question).remarks)
    apart = ask(runtime, "Does sumatriptan cause gout?")
    assert any("joins" in remark for remark in apart.remarks)


def test_what_no_aspect_stands_for_is_said_not_guessed(runtime: Runtime) -> None:
    record = ask(runtime, "Is pneumonia expensive?")
    assert "describes pneumonia" in record.answer and "treatment" not in record.answer
    assert any("was not understood" in remark for remark in record.remarks)
    record = ask(runtime, "Is pneumonia contagious?")
    assert any("nothing about the transmission of" in remark for remark in record.remarks)


def test_medicines_for_a_child_come_with_what_the_graph_forbids(runtime: Runtime) -> None:
    record = ask(runtime, "My child has a fever, what medicine can I give?")
    assert "aspirin" in record.answer
    assert record.cautions[0].endswith("lists aspirin as contraindicated in children under 16.")
    assert "阿司匹林" in " ".join(ask(runtime, "小孩发烧吃什么药？").cautions)


def test_an_exclusion_is_said_to_be_ignored(runtime: Runtime) -> None:
    record = ask(runtime, "treatments for migraine without triptans")
    assert any("“without”" in notice for notice in record.notices)


def test_an_unknown_disease_is_never_answered_from_the_last_turn(runtime: Runtime) -> None:
    conversation = runtime.history.create_conversation("local", "x", "medical")

    def turn(n: int, question: str) -> AnswerRecord:
        asked = Turn(question, conversation, message_id=f"m{n}", answer_id=f"a{n}")
        return asyncio.run(take_turn(runtime, asked))

    turn(1, "高血压吃什么药？")
    assert turn(2, "克雅病有什么症状？").retrieval.entities == ()
    assert turn(3, "它有什么症状？").retrieval.entities == ()  # nothing to refer to any more
    assert [e.label for e in turn(4, "偏头痛怎么治疗？").retrieval.entities] == ["偏头痛"]
    assert [e.how for e in turn(5, "有什么症状？").retrieval.entities] == ["carried"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("What are the treatments for migraine?", "And in pregnancy?"),
        ("What are the treatments for migraine?", "What about children?"),
        ("偏头痛怎么治疗？", "孕妇呢？"),
        ("偏頭痛怎麼治療？", "懷孕呢？"),
    ],
)
def test_a_question_that_only_names_people_stays_with_the_last_turn(
    runtime: Runtime, first: str, then: str
) -> None:
    conversation = runtime.history.create_conversation("local", "x", "medical")
    records = [
        asyncio.run(
            take_turn(
                runtime,
                Turn(
                    question,
                    conversation,
                    message_id=f"{first}{then}{n}",
                    answer_id=f"{then}{n}{first}",
                ),
            )
        )
        for n, question in enumerate((first, then))
    ]
    assert [e.iri for e in records[1].retrieval.entities] == [
        e.iri for e in records[0].retrieval.entities
    ]
    assert records[1].cautions


def test_a_comparison_tells_of_each(runtime: Runtime) -> None:
    record = ask(runtime, "What is the difference between asthma and migraine?")
    assert "describes asthma" in record.answer and "describes migraine" in record.answer
    assert not any("joins" in remark for remark in record.remarks)
    assert record.retrieval.strategy == "kg-rank"


def test_a_negated_question_is_answered_by_the_fact(runtime: Runtime) -> None:
    record = ask(runtime, "Is gout not treated with allopurinol?")
    assert "treatment for gout" in record.answer and "allopurinol" in record.answer
