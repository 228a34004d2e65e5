"""Aspects that the plain names of relations give: of CMeKG, UMLS and Hetionet."""

from __future__ import annotations

import pytest

from kg.aspects import aspect_of_relation, aspects_of_question

NAMES = {
    "treatment": "may_treat may_be_treated_by treats palliates 治疗 主治 适应症 药物治疗 化疗 "
    "regimen_has_accepted_use_for_disease",
    "prevention": "may_prevent may_be_prevented_by 预防",
    "contraindication": "has_contraindicated_drug contraindicated_with_disease 禁忌 禁忌证",
    "side-effect": "不良反应 副作用",
    "interaction": "药物相互作用 interacts",
    "symptom": "has_manifestation disease_has_finding sign_or_symptom_of presents 临床症状及体征",
    "absence": "disease_excludes_finding is_not_finding_of_disease",
    "cause": "cause_of has_causative_agent causative_agent_of due_to induces causes 病因",
    "risk-factor": "has_predisposing_factor 高危因素 诱发因素",
    "complication": "complicated_by 并发症",
    "diagnosis": "may_diagnose may_be_diagnosed_by 实验室检查 影像学检查 筛查",
    "department": "就诊科室 所属科室",
    "anatomy": "has_finding_site finding_site_of has_procedure_site part_of has_location localizes "
    "disease_has_primary_anatomic_site 常见发病部位",
    "inheritance": "gene_associated_with_disease disease_has_associated_gene 遗传因素",
    "epidemiology": "has_occurrence 多发群体",
    "transmission": "传播途径 传染性",
    "dose": "has_dose_form 用法用量 规格",
    "prognosis": "has_clinical_course 预后状况",
    "classification": "isa member_of includes 分类 上位关系",
    "composition": "has_ingredient has_active_ingredient has_precise_ingredient consists_of 成份 "
    "组成",
    "precaution": "注意事项",
    "storage": "贮藏 贮藏方式",
    "name": "has_tradename tradename_of 商品名 通用名",
    "other": "mapped_to has_mechanism_of_action associated_with binds covaries resembles 性味 出处",
}


@pytest.mark.parametrize(
    ("name", "aspect"),
    [(name, aspect) for aspect, names in NAMES.items() for name in names.split()],
)
def test_the_name_of_a_relation_tells_its_aspect(name: str, aspect: str) -> None:
    assert aspect_of_relation(name.replace("_", " ")) == aspect


@pytest.mark.parametrize(
    ("question", "aspect"),
    [
        ("What are the ingredients of Tylenol?", "composition"),
        ("阿莫西林胶囊的成份是什么？", "composition"),
        ("服用阿司匹林有什么注意事项？", "precaution"),
        ("How should insulin be stored?", "storage"),
        ("胰岛素怎么保存？", "storage"),
        ("What is the brand name of sildenafil?", "name"),
        ("泰嘉的通用名是什么？", "name"),
        ("What is glycogen storage disease?", "definition"),
        ("糖原贮积病是什么？", "definition"),
    ],
)
def test_what_medicines_are_asked_for_besides_treatment(question: str, aspect: str) -> None:
    assert aspects_of_question(question) == (aspect,)
