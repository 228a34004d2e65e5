"""Whole composed answers in Chinese, pinned."""

from __future__ import annotations

from bot.answering.phrases import ABSTENTION
from kg.model import Candidate, Evidence
from tests.bot.test_composer import composed
from tests.graphs import HPO, description, entity, item, path, retrieval, triple

MIGRAINE = entity("偏头痛", "migraine")
SUMATRIPTAN = entity("舒马曲坦", "sumatriptan")


def fact(subject: str, name: str, obj: str, **qualifiers: str) -> Evidence:
    ends = {"偏头痛": MIGRAINE, "舒马曲坦": SUMATRIPTAN}
    first, second = (ends.get(label) or entity(label) for label in (subject, obj))
    return item(triple(first, name, second, language="zh", **qualifiers))


TREATMENTS = [
    fact("舒马曲坦", "treats", "偏头痛", population="adults"),
    fact("布洛芬", "treats", "偏头痛", line="first"),
    fact("萘普生", "treats", "偏头痛", line="一线"),
]
DESCRIPTION = description(MIGRAINE, "反复发作的头痛。常为一侧。", language="zh")
DEPARTMENT = fact("偏头痛", "department", "神经内科")


def test_treatments() -> None:
    evidence = [*TREATMENTS, DEPARTMENT, DESCRIPTION]
    asked = retrieval(
        "偏头痛怎么治疗？",
        evidence,
        MIGRAINE,
        language="zh",
        aspects=("treatment",),
        found={"treatment": 30},
    )
    assert composed(asked) == (
        "《starter graph》列出的偏头痛的一线治疗方法有布洛芬[1]和萘普生[2]。"
        "该来源列出的偏头痛的其他治疗方法是舒马曲坦（成人）[3]。",
        ("图谱中有 30 条此类事实，使用了排名最前的 3 条。",),
    )


def test_what_a_medicine_treats() -> None:
    asked = retrieval(
        "舒马曲坦治疗什么？", TREATMENTS[:1], SUMATRIPTAN, language="zh", aspects=("treatment",)
    )
    assert (
        composed(asked)[0] == "根据《starter graph》，以舒马曲坦为治疗方法的有偏头痛（成人）[1]。"
    )


def test_definition_and_department() -> None:
    evidence = [DEPARTMENT, DESCRIPTION]
    described = "《starter graph》对偏头痛的描述是：反复发作的头痛[1]。常为一侧[1]。"
    asked = retrieval("什么是偏头痛？", evidence, MIGRAINE, language="zh", aspects=("definition",))
    assert composed(asked)[0] == described
    asked = retrieval("偏头痛", evidence, MIGRAINE, language="zh")
    assert composed(asked)[0] == (
        f"{described}\n\n《starter graph》列出的偏头痛的就诊科室是神经内科[2]。"
    )
    asked = retrieval("挂什么科？", evidence, MIGRAINE, language="zh", aspects=("department",))
    assert composed(asked)[0] == "《starter graph》列出的偏头痛的就诊科室是神经内科[1]。"


def test_signs_with_frequencies_and_what_was_not_found() -> None:
    marfan = entity("马凡综合征")

    def sign(label: str, name: str = "hasPhenotype", **qualifiers: str) -> Evidence:
        return item(triple(marfan, name, entity(label), HPO, language="zh", **qualifiers))

    evidence = [
        sign("蜘蛛指", frequency="16/21"),
        sign("晶状体异位", frequency="90%"),
        sign("近视"),
        sign("癫痫发作", "lacksPhenotype"),
    ]
    asked = retrieval(
        "马凡综合征有什么体征？", evidence, marfan, language="zh", aspects=("symptom",)
    )
    assert composed(asked)[0] == (
        "《Human Phenotype Ontology》列出的马凡综合征的极常见症状或体征是晶状体异位（90%）[1]。"
        "该来源列出的马凡综合征的常见症状或体征是蜘蛛指（16/21）[2]。"
        "该来源列出的马凡综合征的其他症状或体征是近视[3]。\n\n"
        "根据《Human Phenotype Ontology》，在马凡综合征中查找过但未发现的是癫痫发作[4]。"
    )


def test_relations_by_label_and_paths() -> None:
    evidence = [fact("偏头痛", "hasInheritance", "多基因遗传")]
    assert composed(retrieval("偏头痛", evidence, MIGRAINE, language="zh"))[0] == (
        "《starter graph》列出的偏头痛的遗传方式是多基因遗传[1]。"
    )
    nausea = entity("恶心")
    joined = path(
        triple(SUMATRIPTAN, "treats", MIGRAINE, language="zh"),
        triple(MIGRAINE, "hasSymptom", nausea, language="zh"),
    )
    assert composed(retrieval("？", [joined], SUMATRIPTAN, nausea, language="zh"))[0] == (
        "根据《starter graph》，舒马曲坦的“治疗”为偏头痛，偏头痛的“症状”为恶心[1]。"
    )


def test_silence_and_abstention() -> None:
    near = (Candidate("http://e/1", "先兆偏头痛", 0.8, "folded"),)
    asked = retrieval(
        "偏头痛的副作用？",
        TREATMENTS,
        MIGRAINE,
        language="zh",
        aspects=("side-effect",),
        candidates=near,
    )
    assert composed(asked) == (
        ABSTENTION["zh"],
        ("图谱没有提到偏头痛的副作用；这并不表示没有。", "图谱中最接近的实体：先兆偏头痛。"),
    )
    assert composed(retrieval("天气", [], language="zh")) == (
        ABSTENTION["zh"],
        ("没有在问题中识别出图谱里的实体。",),
    )
