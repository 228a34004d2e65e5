"""Advice that stands above an answer: emergencies, poisoning, self-harm; and the medical notice.

Word patterns decide before anything is looked up. They look for somebody who is in danger now: a
study question ("What are the signs of a heart attack?") or a denial ("no chest pain") gives no
advice. They miss what is put in other words: this is no triage.
"""

from __future__ import annotations

import re

from bot.danger import DANGERS
from bot.record import Safety

__all__ = ["MEDICAL_NOTICE", "assess", "medical_notice"]

MEDICAL_NOTICE = {
    "en": "Graphcite shows what a knowledge graph holds. It is not medical advice and not a "
    "medical device: for decisions about health, ask a doctor or pharmacist.",
    "zh": "Graphcite 只展示知识图谱中的内容，不是医疗建议，也不是医疗器械；"
    "涉及健康的决定请咨询医生或药师。",
}

_ADVICE = {
    "en": {
        "emergency": "This may be an emergency. Call your local emergency number now (for example "
        "112 in Europe, 911 in North America, 120 in China, 999 in the UK) and do not wait for an "
        "answer here.",
        "poisoning": "This may be a poisoning or an overdose. Call your local emergency number or "
        "a poison centre now (for example 112 in Europe, 911 or 1-800-222-1222 in the USA, 120 in "
        "China, 999 in the UK). Keep the package at hand, and do not make the person vomit unless "
        "you are told to.",
        "self-harm": "You are not alone, and talking to somebody now can help. If you might act on "
        "these thoughts, call your local emergency number (for example 112, 911, 120 or 999). "
        "Crisis lines listen at any hour: 988 in the USA and Canada, 116 123 in the UK and "
        "Ireland, 12356 in China; findahelpline.com lists others.",
    },
    "zh": {
        "emergency": "这可能是紧急情况。请立即拨打当地急救电话（例如中国 120，欧洲 112，北美 911，"
        "英国 999），不要等待这里的回答。",
        "poisoning": "这可能是中毒或用药过量。请立即拨打当地急救电话或中毒咨询电话（例如中国 120，"
        "欧洲 112，北美 911，英国 999）。请保留药品或物品的包装；没有专业人员指示时不要催吐。",
        "self-harm": "您不是一个人，现在就找人谈谈会有帮助。如果有可能伤害自己，"
        "请立即拨打当地急救电话（例如中国 120，欧洲 112，北美 911，英国 999）。"
        "心理援助热线随时可以倾听：中国 12356，"
        "美国和加拿大 988，英国和爱尔兰 116 123；findahelpline.com 列有其他地区的热线。",
    },
}

# What makes a sentence a question about the thing, unless it speaks of somebody.
_STUDY = re.compile(
    r"^\W*(?:what (?:is|are|were|does|do|causes?|happens)|which|define|definition|explain|describe"
    r"|tell me about|list|name|how (?:is|are|does|common|do (?:doctors|you (?:diagnose|treat)))"
    r"|why (?:is|are|does|do)|is there|are there|difference between|can (?:a|an|the)|does"
    r"|do (?:people|patients))\b"
    r"|^(?:什么是|何谓|请?(?:介绍|解释|说明|列出|简述))"
    r"|^.{1,14}(?:是什么|有哪些|是怎么回事|如何(?:诊断|预防|分类)"
    r"|的(?:定义|症状|病因|原因|机制|治疗|表现|特点|鉴别|区别|发病率|预防))"
)
_SOMEBODY = re.compile(
    r"\b(?:i|i'm|i've|me|my|mine|myself|we|our|he|she|his|her|him|someone|somebody)\b"
    r"|我|他|她|孩子|宝宝|爸|妈|爷爷|奶奶|老公|老婆|家人|朋友|救命"
)
_DENIED = re.compile(
    r"\b(?:no|not(?! sure| feeling)|without|never|denies|don'?t have|doesn'?t have|haven'?t|hasn'?t"
    r"|isn't|wasn't|free of)\b[^.,;!?]{0,25}$"
    r"|(?:没有|无|并无|未见|未出现|不伴|否认|不是)[^。；！？，,]{0,8}$"
)
_LONGEST = 4000


def assess(question: str, language: str) -> Safety:
    """The advice for this question; an empty Safety when it sounds like no emergency."""
    text = " ".join(question[:_LONGEST].lower().replace("’", "'").split())
    if _STUDY.search(text) and not _SOMEBODY.search(text):
        return Safety()
    for kind, patterns in DANGERS:
        if any(_meant(pattern, text) for pattern in patterns):
            return Safety(_ADVICE["zh" if language == "zh" else "en"][kind], kind)
    return Safety()


def medical_notice(language: str) -> str:
    """The notice that no answer goes without."""
    return MEDICAL_NOTICE["zh" if language == "zh" else "en"]


def _meant(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern occurs somewhere without being denied right before."""
    return any(not _DENIED.search(text[: match.start()]) for match in pattern.finditer(text))
