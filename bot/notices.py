"""What must be said beside an answer: the medical notice and the assumptions it rests on."""

from __future__ import annotations

from bot.answering.facts import excluded
from bot.safety import medical_notice
from kg.model import LinkedEntity, Retrieval

__all__ = ["notices_for"]

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


def notices_for(mode: str, retrieval: Retrieval) -> tuple[str, ...]:
    """The notices of one answer, in the question's language, assumptions first."""
    language = retrieval.language
    notices = [
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


def _joined(entities: list[LinkedEntity], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(entity.label for entity in entities)
