"""How medicines are used in pregnancy, breast-feeding and childhood, and which were withdrawn."""

from __future__ import annotations

import re

import pytest

from bot.answering.people import for_people
from bot.cautions import cautions_for
from bot.runtime import Runtime
from kg.deadline import Deadline
from kg.model import Entity, Relation
from kg.sources.vocabulary import GC
from tests.bot.asking import ask
from tests.fake_graph import FakeGraph, entity
from tests.graphs import item, relation, retrieval, triple


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        (
            "Can I take ibuprofen when pregnant?",
            "On use in pregnancy, the Graphcite starter graph lists ibuprofen as "
            "not used in the last three months of pregnancy",
            "commonly used",
        ),
        ("Is ibuprofen safe in pregnancy?", "late pregnancy", "breast-feeding"),
        ("孕妇能吃布洛芬吗？", "关于布洛芬的孕期用药", "哺乳期"),
        ("Is paracetamol safe for children?", "On use in childhood", "pregnancy"),
        ("is paracetamol ok for kids", "lists paracetamol as commonly used", "breast"),
        ("is amoxicillin safe while breastfeeding", "amoxicillin as commonly used", "codeine"),
        ("哺乳期可以吃头孢吗？", "头孢菌素类的哺乳期用药", "可待因"),
        ("小孩能吃阿司匹林吗", "16岁以下不用", "消化性溃疡"),
        ("泰诺孕妇能吃吗", "通常避免使用", "“常用”"),
        ("Can children take codeine?", "not used under 12 years", "pregnancy"),
        ("Is isotretinoin safe in pregnancy?", "isotretinoin as not used", "usually"),
        ("孕妇可以喝酒吗？", "酒精的孕期用药", "高血压"),
        ("ibuprofen pregnancy", "late pregnancy", "tamoxifen"),
        ("Can I take ibuprofen with warfarin when pregnant?", "interacts with", "dengue"),
    ],
)
def test_the_use_in_the_people_asked_about(
    runtime: Runtime, question: str, holds: str, lacks: str
) -> None:
    record = ask(runtime, question)
    assert holds in record.answer and lacks not in record.answer
    assert not re.search(r"\bsafe\b|安全", record.answer)


def test_silence_is_neither_yes_nor_no(runtime: Runtime) -> None:
    record = ask(runtime, "Can I take erenumab when breastfeeding?")
    assert "codeine" not in record.answer
    assert record.remarks == (
        "The graph says nothing about the use of erenumab in breast-feeding; "
        "that means neither that it may be used nor that it may not.",
    )
    assert "既不表示可以用，也不表示不能用" in " ".join(ask(runtime, "老人能吃布洛芬吗？").remarks)


def test_what_treats_a_child_comes_with_how_it_is_used_in_children(runtime: Runtime) -> None:
    cautions = ask(runtime, "My child has a fever, what medicine can I give?").cautions
    start = "On use in childhood, the Graphcite starter graph lists"
    assert f"{start} aspirin as not used under 16 years." in cautions
    assert f"{start} ibuprofen and paracetamol as commonly used." in cautions
    assert not any("specific" in caution for caution in cautions)


def test_names_and_people_alone_are_told_what_is_known(runtime: Runtime) -> None:
    cautions = ask(runtime, "布洛芬 孩子").cautions
    assert "关于儿童用药，《Graphcite 入门图谱》列为“常用”的有布洛芬。" in cautions


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is ranitidine used for?", "lists ranitidine as withdrawn in some countries."),
        ("Side effects of Vioxx?", "lists rofecoxib as withdrawn worldwide."),
        ("雷尼替丁有什么副作用？", "列出：雷尼替丁在部分国家已撤市。"),
        ("What are the treatments for acid reflux?", "ranitidine as withdrawn in some countries."),
        ("What is sibutramine?", "lists sibutramine as withdrawn in some countries."),
    ],
)
def test_a_withdrawn_medicine_is_flagged(runtime: Runtime, question: str, said: str) -> None:
    assert ask(runtime, question).cautions[-1].endswith(said)


def test_what_was_not_withdrawn_is_not_flagged(runtime: Runtime) -> None:
    assert ask(runtime, "What are the side effects of omeprazole?").cautions == ()


DRUG = Entity("http://e/drug", "drug", type="Medicine")
OTHER = Entity("http://e/other", "other drug", type="Medicine")
PREGNANCY = entity("pregnancy", "妊娠")
USE = relation("use in pregnancy", aspect="population")
NURSING = relation("use in breast-feeding", aspect="population")
ADVICE = item(triple(DRUG, USE, entity("usually avoided")))
NURSED = item(triple(DRUG, NURSING, entity("commonly used")))
FORBIDDEN = item(triple(DRUG, "contraindicatedIn", entity("late pregnancy")))
ULCER = item(triple(DRUG, "contraindicatedIn", entity("ulcer")))
BESIDE = item(triple(OTHER, "contraindicatedIn", PREGNANCY))
ALL = [ADVICE, NURSED, FORBIDDEN, ULCER, BESIDE]


def test_facts_of_other_people_and_other_medicines_are_left_out() -> None:
    asked = retrieval("drug when pregnant?", ALL, DRUG, PREGNANCY, aspects=("population",))
    told = for_people(asked.evidence, asked)
    assert [e.key for e in told.facts] == [ADVICE.key, FORBIDDEN.key]
    assert told.missing == {NURSED.key, BESIDE.key}
    assert [e.label for e in told.medicines] == ["drug"]


def test_without_a_medicine_all_that_is_contraindicated_is_told() -> None:
    asked = retrieval("what not in pregnancy?", [BESIDE], PREGNANCY, aspects=("population",))
    assert [e.key for e in for_people(asked.evidence, asked).contraindications] == [BESIDE.key]


@pytest.mark.parametrize("question", ["drug?", "drug with bad kidneys?"])
def test_no_people_no_advice(question: str) -> None:
    asked = retrieval(question, ALL, DRUG, aspects=("population", "contraindication"))
    assert for_people(asked.evidence, asked).facts == ()


def test_another_aspect_leaves_people_to_the_cautions() -> None:
    asked = retrieval("side effects of drug in pregnancy", ALL, DRUG, aspects=("side-effect",))
    assert for_people(asked.evidence, asked).facts == ()


def test_a_product_for_children_is_no_contraindication_in_children() -> None:
    drug = Entity("http://e/x", "x", ("x for children", "baby x"))
    fact_ = item(triple(drug, "contraindicatedIn", entity("ulcer")))
    asked = retrieval("x for my baby?", [fact_], drug, aspects=("population",))
    assert for_people(asked.evidence, asked).facts == ()


STATUS = triple(
    DRUG, Relation(f"{GC}hasRegulatoryStatus", "has regulatory status"), entity("withdrawn")
)


def test_a_status_is_said_unless_the_answer_says_it() -> None:
    graph = FakeGraph(STATUS)
    effect = item(triple(DRUG, "sideEffect", entity("nausea")))
    said = cautions_for("drug", [effect], graph, "en", Deadline.after(9))
    assert said == ("The starter graph lists drug as withdrawn.",)
    assert cautions_for("drug", [effect, item(STATUS)], graph, "en", Deadline.after(9)) == ()
