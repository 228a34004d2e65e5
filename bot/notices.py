"""What must be said beside an answer: the medical notice, assumptions, and what is unverified."""

from __future__ import annotations

from bot.answering.prompted import BASE
from bot.safety import medical_notice
from kg.model import LinkedEntity, Retrieval
from kg.questions import excluded

__all__ = ["drafts_note", "notices_for"]

_FUZZY = {
    "en": "“{mention}” was taken to mean {label}.",
    "zh": "“{mention}”按“{label}”理解。",
}
_NOT_EXCLUDED = {
    "en": "The question excludes something (“{word}”); the answer does not take that into account.",
    "zh": "问题中有排除性的说法（“{word}”），答案没有考虑这一点。",
}
_CARRIED = {
    "en": "Understood as a question about {labels}, from the conversation so far.",
    "zh": "根据前面的对话，理解为关于{labels}的问题。",
}
_UNCHECKED = {
    "en": "Written by a language model from its own knowledge: nothing in it was checked against "
    "the graph.",
    "zh": "由语言模型凭自身知识写成：其中内容都没有与图谱核对。",
}
# What a model wrote on the way, as Retrieval.notes calls it.
_DRAFTS = {
    "en": {
        "hypothesis": "hypothesis",
        "notes": "reading notes",
        "steps": "reasoning steps",
        "expansion": "draft answer",
        "query expansion": "added terms",
    },
    "zh": {
        "hypothesis": "假设答案",
        "notes": "阅读笔记",
        "steps": "推理步骤",
        "expansion": "草稿答案",
        "query expansion": "扩展词",
    },
}
_DRAFT = {
    "en": "{draft}: {count:,} characters, unverified",
    "zh": "{draft}：{count} 个字符，未经核实",
}
_BROUGHT = {"en": "{count} names from it", "zh": "从中得到 {count} 个名称"}
_BROUGHT_ONE = {"en": "1 name from it", "zh": "从中得到 1 个名称"}


def notices_for(mode: str, retrieval: Retrieval, *, written: bool = True) -> tuple[str, ...]:
    """The notices of one answer, in the question's language, assumptions first.

    `written` tells whether a model's text stands as the answer, where the graph is off.
    """
    language = retrieval.language
    notices = [_UNCHECKED[language]] if retrieval.strategy == BASE and written else []
    notices += [
        _FUZZY[language].format(mention=entity.mention, label=entity.label)
        for entity in retrieval.entities
        if entity.how in ("fuzzy", "embedding")
    ]
    carried = [entity for entity in retrieval.entities if entity.how == "carried"]
    if carried:
        notices.append(_CARRIED[language].format(labels=_joined(carried, language)))
    word = excluded(retrieval.question)
    if word and retrieval.evidence and "contraindication" not in retrieval.aspects:
        notices.append(_NOT_EXCLUDED[language].format(word=word))
    if mode == "medical":
        notices.append(medical_notice(language))
    return tuple(notices)


def drafts_note(retrieval: Retrieval) -> str:
    """One line on what a model wrote before the answer, none of it verified; "" without any."""
    language = retrieval.language
    names = _DRAFTS[language]
    texts = {"hypothesis": retrieval.hypothesis or "", **retrieval.notes}
    said = []
    for job, text in texts.items():
        if not text.strip():
            continue
        line = _DRAFT[language].format(draft=names.get(job, job), count=len(text.strip()))
        if job == "hypothesis":
            brought = sum(entity.origin == "hypothesis" for entity in retrieval.entities)
            count = (_BROUGHT_ONE if brought == 1 else _BROUGHT)[language].format(count=brought)
            line += ("；" if language == "zh" else "; ") + count
        said.append(line)
    return " · ".join(said)


def _joined(entities: list[LinkedEntity], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(entity.label for entity in entities)
