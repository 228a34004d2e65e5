"""What must be said beside an answer: the medical notice and the assumptions it rests on."""

from __future__ import annotations

from bot.safety import medical_notice
from kg.model import LinkedEntity, Retrieval

__all__ = ["notices_for"]

_FUZZY = {
    "en": "“{mention}” was taken to mean {label}.",
    "zh": "“{mention}”按“{label}”理解。",
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
    if mode == "medical":
        notices.append(medical_notice(language))
    return tuple(notices)


def _joined(entities: list[LinkedEntity], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(entity.label for entity in entities)
