"""Why a citation does not support its sentence, in the answer's language: short plain phrases."""

from __future__ import annotations

__all__ = [
    "is_absent",
    "is_denied",
    "is_present",
    "no_evidence",
    "not_directly",
    "not_in_text",
    "not_named",
    "not_in_evidence",
    "number_missing",
    "other_relation",
    "turned_round",
    "word_missing",
]


def no_evidence(language: str) -> str:
    """The number belongs to no evidence."""
    return "没有这一编号的证据" if language == "zh" else "there is no evidence with this number"


def not_named(label: str, language: str) -> str:
    """One end of the evidence is not in the sentence."""
    if language == "zh":
        return f"句中没有提到证据所说的“{label}”"
    return f"the evidence is about {label}, which the sentence does not name"


def not_directly(one: str, other: str, language: str) -> str:
    """The sentence concludes from one hop of a path to the next."""
    if language == "zh":
        return f"证据没有直接这样说“{one}”和“{other}”，它们只是通过其他事物相联系"
    return f"the evidence does not say this of {one} and {other}, which it joins only indirectly"


def not_in_evidence(name: str, language: str) -> str:
    """The sentence claims something of a thing that is not in its evidence."""
    return f"证据中没有“{name}”" if language == "zh" else f"{name} is not in the evidence"


def not_in_text(language: str) -> str:
    """The description does not say this."""
    return "证据中的描述没有这样说" if language == "zh" else "the description does not say this"


def is_absent(language: str) -> str:
    """The evidence denies what the sentence states."""
    if language == "zh":
        return "证据说的是未发现，句子却说有"
    return "the evidence says this was not found"


def is_denied(language: str) -> str:
    """The evidence says that something is not used for this."""
    if language == "zh":
        return "证据说的是不用于此，句子却说用于"
    return "the evidence says that it is not indicated for this"


def is_present(language: str) -> str:
    """The sentence denies what the evidence states."""
    if language == "zh":
        return "证据说的是有，句子却否定了"
    return "the evidence states what the sentence denies"


def other_relation(label: str, language: str) -> str:
    """The sentence states another relation."""
    if language == "zh":
        return f"证据说的是另一种关系：{label}"
    return f"the evidence states another relation: {label}"


def turned_round(language: str) -> str:
    """Subject and object are the wrong way round."""
    return "句子把方向说反了" if language == "zh" else "the sentence turns the direction round"


def number_missing(number: str, language: str) -> str:
    """A number that the evidence does not hold."""
    if language == "zh":
        return f"证据中没有数字 {number}"
    return f"the number {number} is not in the evidence"


def word_missing(word: str, language: str) -> str:
    """A word that claims more than the evidence does."""
    if language == "zh":
        return f"证据中没有“{word}”这样的说法"
    return f"the evidence does not say “{word}”"
