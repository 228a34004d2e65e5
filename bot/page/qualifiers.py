"""A fact's qualifiers and an item's scores in the language of the answer.

The graph states them in English. Numbers, and words that are not listed here, stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from bot.answering.phrases import BAND_NAMES, LINE_NAMES, POPULATIONS
from kg.model import Triple
from kg.qualifiers import band, figure, line
from kg.text import clean_label

__all__ = ["score_text", "qualifier_texts"]

_NAMES = {
    "line": "治疗顺序",
    "frequency": "频率",
    "population": "人群",
    "evidence": "证据类型",
    "onset": "起病",
    "sex": "性别",
    "modifier": "修饰",
}
_SCORES = {
    "en": {
        "expansion": "similarity with the draft",
        "mmr": "diversity (MMR)",
        "rerank": "re-ranker",
        "chain": "chain",
        "fragment": "best fragment",
        "score": "score",
    },
    "zh": {
        "lexical": "字面相似度",
        "similarity": "语义相似度",
        "expansion": "与草稿的相似度",
        "mmr": "多样性（MMR）",
        "rerank": "重排得分",
        "chain": "关系链初评",
        "fragment": "最佳片段",
        "score": "总分",
    },
}
_VALUES = {
    "frequency": {"obligate (100%)": "必见（100%）", "excluded (0%)": "未见（0%）"},
    "population": POPULATIONS["zh"],
    "sex": {"male": "男", "female": "女"},
    "evidence": {
        "published clinical study": "已发表的临床研究",
        "inferred from electronic annotation": "由电子注释推断",
        "traceable author statement": "可追溯的作者陈述",
        "individual clinical experience": "个人临床经验",
    },
    "onset": {
        "antenatal onset": "产前",
        "embryonal onset": "胚胎期",
        "fetal onset": "胎儿期",
        "congenital onset": "先天",
        "neonatal onset": "新生儿期",
        "infantile onset": "婴儿期",
        "childhood onset": "儿童期",
        "juvenile onset": "青少年期",
        "young adult onset": "青年期",
        "adult onset": "成年期",
        "middle age onset": "中年期",
        "late onset": "晚发",
    },
    "modifier": {
        "borderline": "临界",
        "mild": "轻度",
        "moderate": "中度",
        "severe": "重度",
        "profound": "极重度",
        "acute": "急性",
        "chronic": "慢性",
        "recurrent": "反复发作",
        "episodic": "发作性",
        "progressive": "进行性",
        "bilateral": "双侧",
        "unilateral": "单侧",
    },
}


def qualifier_texts(triple: Triple, language: str) -> list[str]:
    """The qualifiers of a fact, each as "name: value"."""
    pairs = [(clean_label(name), clean_label(value)) for name, value in triple.qualifiers]
    if language != "zh":
        return [f"{name}: {value}" for name, value in pairs]
    texts = []
    for name, value in pairs:
        # Values that several sources state are joined by semicolons.
        parts = dict.fromkeys(_chinese(triple, name, part) for part in value.split("; "))
        texts.append(f"{_NAMES.get(name, name)}：{'；'.join(parts)}")
    return texts


def score_text(name: str, score: float, language: str) -> str:
    """A score with its name."""
    return f"{_SCORES.get(language, _SCORES['en']).get(name, name)} {score:.2f}"


def _chinese(triple: Triple, name: str, value: str) -> str:
    known = _VALUES.get(name, {}).get(value.lower())
    if known:
        return known
    if name == "line":
        stated = line(replace(triple, qualifiers=((name, value),)))
        return LINE_NAMES["zh"].get(stated or "", value)
    stated = band(value) if name == "frequency" else None
    numbers = figure(value)
    if stated is None or numbers == value:
        return value
    return BAND_NAMES["zh"][stated] + (f"（{numbers}）" if numbers else "")
