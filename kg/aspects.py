"""What a relation or a question is about: a closed list of aspects, and how each gets one.

A relation has its aspect from its source's description, else from the words of its label.
A question can have several. Aspects weigh in every cheap score; they never filter.
"""

from __future__ import annotations

import re

from kg.text import fold, is_cjk, tokens

__all__ = [
    "ASPECTS",
    "aspect_of_relation",
    "aspects_of_question",
    "names_an_aspect",
]

# aspect → (words in a relation's label, words in a question); a phrase matches whole words.
_WORDS: dict[str, tuple[str, str]] = {
    "contraindication": (
        "contraindicated, contraindication, 禁忌, 禁用, 忌用",
        "contraindicated, contraindication, contraindications, should not take, avoid taking,"
        "who should not, safe, unsafe, safely, can i take, can you take, can children take,"
        "can pregnant women take, allowed to take, 禁忌, 禁用, 忌用, 不能吃, 不能用, 慎用, 能吃吗,"
        "能用吗, 可以吃, 可以用, 安全吗, 能不能吃, 能不能用",
    ),
    "interaction": (
        "interacts, interaction, 相互作用",
        "interact, interacts, interaction, interactions, take together, combine with,"
        "相互作用, 一起吃, 同服, 合用",
    ),
    "side-effect": (
        "side effect, adverse effect, adverse reaction, adverse event, 副作用, 不良反应",
        "side effect, side effects, adverse, adverse effect, adverse effects, adverse reaction,"
        "adverse reactions, 副作用, 不良反应",
    ),
    "absence": (
        "does not have, absent, excluded, not present, 未见, 无此",
        "absent, not found in, not seen in, excluded, 未见",
    ),
    "red-flag": (
        "red flag, warning sign, alarm, 危险信号, 警示",
        "red flag, red flags, warning sign, warning signs, danger sign, danger signs,"
        "when to see a doctor, when should i see, dangerous, 危险信号, 警示, 何时就医,"
        "什么时候就医",
    ),
    "prevention": (
        "prevents, prevention, prevented, prophylaxis, 预防",
        "prevent, prevents, prevented, prevention, prophylaxis, prophylactic, avoid getting, 预防",
    ),
    "treatment": (
        "treats, treat, treated, treatment, therapy, therapeutic, indication, indicated, relieves,"
        "palliates, medication, drug used, 治疗, 药物, 用药, 缓解, 适应症, 疗法, 手术",
        "treat, treats, treated, treating, treatment, treatments, therapy, therapies, cure, cures,"
        "medicine, medicines, medication, medications, drug, drugs, remedy, remedies, relieve,"
        "relief, manage, managed, management, what helps, pill, pills, take for,"
        "治疗, 怎么治, 如何治, 怎样治, 治法, 吃什么药, 用什么药, 什么药, 用药, 药物, 药品, 疗法,"
        "缓解, 怎么办",
    ),
    "symptom": (
        "symptom, sign, phenotype, finding, manifestation, presents, clinical feature, 症状, 体征,"
        "表现, 表型",
        "symptom, symptoms, sign, signs, phenotype, phenotypes, feature, features, manifestation,"
        "manifestations, finding, findings, present, presents, presentation, feel, feels,"
        "look like, 症状, 体征, 表现, 表型, 征兆, 特征, 什么感觉",
    ),
    "risk-factor": (
        "risk factor, risk, predisposes, 危险因素, 高危, 易感, 诱因",
        "risk, risks, risk factor, risk factors, predispose, predisposes, likely to get, trigger,"
        "triggers, who gets, 危险因素, 高危, 易感, 易患, 诱因, 诱发",
    ),
    "complication": (
        "complication, leads to, 并发症, 并发",
        "complication, complications, lead to, leads to, consequence, consequences, 并发症, 后果",
    ),
    "cause": (
        "cause, causes, caused, etiology, aetiology, material basis, pathogen, due to, 病因, 原因,"
        "引起, 导致, 病原",
        "cause, causes, caused, causing, etiology, aetiology, reason, reasons, why, due to,"
        "病因, 原因, 为什么, 为何, 引起, 导致, 怎么得的, 怎么引起",
    ),
    "diagnosis": (
        "diagnosis, diagnosed, diagnoses, test, examination, screening, 诊断, 检查, 化验, 筛查",
        "diagnose, diagnosed, diagnosis, test, tests, testing, screening, examination, scan,"
        "诊断, 检查, 化验, 筛查, 确诊, 怎么查",
    ),
    "department": (
        "department, seen by, specialty, 科室, 就诊",
        "department, specialist, which doctor, what doctor, what kind of doctor, see a doctor for,"
        "科室, 挂什么科, 挂哪个科, 挂号, 什么科, 哪个科, 看哪科",
    ),
    "anatomy": (
        "location, located, affects, anatomy, body part, part of, 部位, 累及, 解剖",
        "where in the body, body part, organ, organs, located, affect, affects, part of the body,"
        "部位, 器官, 累及, 哪里",
    ),
    "inheritance": (
        "inheritance, inherited, gene, genetic, 遗传, 基因",
        "inherited, inherit, inheritance, genetic, gene, genes, hereditary, runs in families,"
        "遗传, 基因",
    ),
    "epidemiology": (
        "prevalence, incidence, onset, epidemiology, 发病率, 患病率, 发病, 流行",
        "how common, prevalence, incidence, onset, how often, epidemiology, at what age,"
        "多常见, 发病率, 患病率, 几岁, 流行病学",
    ),
    "dose": (
        "dose, dosage, 剂量, 用量, 用法",
        "dose, doses, dosage, how much should, how many tablets, 剂量, 用量, 用法, 吃多少",
    ),
    "prognosis": (
        "prognosis, outcome, survival, 预后, 转归",
        "prognosis, outlook, survival, life expectancy, outcome, 预后, 能活多久, 治愈率",
    ),
    "classification": (
        "is a, subclass, sub class of, type of, kind of, broader, narrower, category, 属于, 分类,"
        "类型",
        "type of, types of, kinds of, kind of, classified, classification, subtypes, forms of,"
        "哪些类型, 分类, 类型, 分型, 属于",
    ),
    "definition": (
        "definition, description, 定义, 描述",
        "what is, what are, whats, define, definition, meaning, tell me about, describe, explain,"
        "是什么, 什么是, 定义, 介绍, 何谓, 是啥",
    ),
}

ASPECTS: tuple[str, ...] = (*_WORDS, "other")

# "What are the symptoms of X" asks for symptoms; only a bare "what is X" asks for a definition.
_WEAK = frozenset({"definition"})


def _phrases(words: str) -> tuple[str, ...]:
    folded = (word.strip() for word in words.replace("\n", " ").split(","))
    return tuple(_normal(word) for word in folded if word)


def _normal(text: str) -> str:
    """Words in their folded form; Chinese is left as one run."""
    if is_cjk(text):
        return fold(text)
    return " ".join(token.folded for token in tokens(re.sub(r"([a-z])([A-Z])", r"\1 \2", text)))


_RELATION = {aspect: _phrases(words[0]) for aspect, words in _WORDS.items()}
_QUESTION = {aspect: _phrases(words[1]) for aspect, words in _WORDS.items()}


def _contains(text: str, phrase: str) -> bool:
    if is_cjk(phrase):
        return phrase in text
    return f" {phrase} " in f" {text} "


def aspect_of_relation(label: str) -> str:
    """The aspect that the words of a relation's label name, else 'other'."""
    text = _normal(label)
    for aspect, phrases in _RELATION.items():
        if any(_contains(text, phrase) for phrase in phrases):
            return aspect
    return "other"


def aspects_of_question(question: str) -> tuple[str, ...]:
    """The aspects that a question asks for, in the list's order; empty when it names none."""
    text = " ".join(token.folded for token in tokens(question))
    chinese = fold(question) if is_cjk(question) else ""
    found = [
        aspect
        for aspect, phrases in _QUESTION.items()
        if any(_contains(chinese if is_cjk(p) else text, p) for p in phrases)
    ]
    strong = [aspect for aspect in found if aspect not in _WEAK]
    return tuple(strong or found)


def names_an_aspect(text: str) -> bool:
    """Whether these words only say what is asked for ("symptoms", "治疗"), as no entity does."""
    folded = _normal(text)
    return any(folded in phrases for phrases in _QUESTION.values())
