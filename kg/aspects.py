"""What a relation or a question is about: a closed list of aspects, and how each gets one.

A relation has its aspect from its source's description, else from the words of its label.
A question can have several. Aspects weigh in every cheap score; they never filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.aspect_words import ASPECT_WORDS
from kg.populations import populations_in
from kg.text import STOP_WORDS, fold, is_cjk, tokens

__all__ = [
    "ASPECTS",
    "aspect_of_relation",
    "asks_for_overview",
    "aspects_of_question",
    "names_an_aspect",
    "words_beside_aspects",
]

ASPECTS: tuple[str, ...] = (*ASPECT_WORDS, "other")

# "What are the symptoms of X" asks for symptoms; only a bare "what is X" asks for a definition.
_WEAK = frozenset({"definition"})
_WHAT_TO_TAKE = re.compile(
    r"\bwhat (?:can|could|should|do|to)\b.*\b(?:take|use|give|do)\b", re.IGNORECASE
)
_MAY_TAKE = re.compile(
    r"\b(?:can|may|could|should|is it (?:ok|okay|fine|all right)(?: to| for)?)\b.*"
    r"\b(?:take|taken|used?|have|give|given|drink|eat)\b|\bis \w+ (?:ok|okay|all right)\b"
    r"|(?:可以|能够?|可)\S{0,8}?(?:吃|用|服用|喝)\S*吗",
    re.IGNORECASE,
)
# "What's gout", "tell me what gout is".
_WHATS = re.compile(r"^\s*what['\u2019]?s\b|\bwhat\b.{2,80}\b(?:is|are|means?)\W*$", re.IGNORECASE)

# "What is the relation of", "是什么病": something else than what a thing is.
_NO_DEFINITION = re.compile(
    r"\bwhat(?:['\u2019]?s| is| are) (?:the |an? )?(?:\w+ )?"
    r"(?:relation|link|connection|difference|association|similarit|common)"
    r"|(?:关系|联系|关联|区别|差别|差异|不同|不同点|共同点|共同之处|相同点|原因)是什么|是什么(?:病|药|原因)|什么是.{0,8}(?:关系|区别|共同点)",
    re.IGNORECASE,
)


def _phrases(words: str) -> tuple[str, ...]:
    folded = (word.strip() for word in words.replace("\n", " ").split(","))
    return tuple(_normal(word) for word in folded if word)


def _normal(text: str) -> str:
    """Words in their folded form; Chinese is left as one run."""
    if is_cjk(text):
        return fold(text)
    return " ".join(token.folded for token in tokens(re.sub(r"([a-z])([A-Z])", r"\1 \2", text)))


_RELATION = {aspect: _phrases(words[0]) for aspect, words in ASPECT_WORDS.items()}
_QUESTION = {aspect: _phrases(words[1]) for aspect, words in ASPECT_WORDS.items()}


def _contains(text: str, phrase: str) -> bool:
    if is_cjk(phrase):
        return phrase in text
    return f" {phrase} " in f" {text} "


def aspect_of_relation(label: str) -> str:
    """The aspect that the words of a relation's label name, else 'other'.

    What a label denies is never taken for what it names: "is not treated with" is no treatment.
    """
    text = _normal(label)
    for aspect, phrases in _RELATION.items():
        if any(_contains(text, phrase) for phrase in phrases):
            words = re.sub(r"([a-z])([A-Z])", r"\1 \2", label).replace("_", " ")
            denies = aspect not in _DENYING and _NEGATION.search(words) is not None
            return _DENIED.get(aspect, "other") if denies else aspect
    return "other"


# Aspects that deny something themselves, and what the denial of another is.
_DENYING = frozenset({"contraindication", "non-indication", "absence", "regulation", "precaution"})
_DENIED = {"treatment": "non-indication", "prevention": "non-indication", "symptom": "absence"}
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|lacks?|lacking|fails?|failed|failure|without|cannot|can't|doesn't"
    r"|isn't|ineffective|ineffectual|unsuccessful|unsuitable|inappropriate|avoid\w*)\b"
    r"|不(?!良|适|同|全|足|孕|育)|无(?!力|菌|创|痛)|没有|未(?!成年)|禁止|失败",
    re.IGNORECASE,
)


# Words for medicines ask for treatment, unless the question says what else about them: "which
# drugs cause cough" asks for a side effect, "which medicines to avoid" for contraindications.
_MEDICINES = _phrases(
    "medicine, medicines, medication, medications, drug, drugs, pill, pills, tablet, tablets,"
    "吃什么药, 用什么药, 什么药, 哪些药, 用药, 药物, 药品"
)
_HARM = _phrases(
    "avoid, avoided, worse, worsen, worsens, should not, shouldnt, must not, cannot take,"
    "cant take,"
    "not safe, not take, not be used, not use, not be taken, dangerous for, harmful, bad for,"
    "避免, 加重, 恶化, 不宜, 不应, 不可以, 不能, 忌, 有害"
)
# These ask for whatever is known: for no aspect, and for nothing beside the names.
_OVERVIEW = _phrases(
    "tell me about, tell me more about, tell me something about, talk about, describe, overview of,"
    "overview, information on, information about, facts about, what do you know about, introduce,"
    "summary of, difference between, differences between, difference, differences, differ, compare,"
    "compared, 区别, 差别, 差异, 不同, 比较, 介绍一下, 介绍下, 介绍, 概述, 简述, 讲讲, 说说,"
    "讲一下, 说一下, 了解, 关于"
)
_GOODS = frozenset({"treatment", "prevention"})
# The words of the first also hold a word of the second: "side affects", "how much can I take".
_RATHER = (("side-effect", "anatomy"), ("dose", "contraindication"))


def aspects_of_question(question: str) -> tuple[str, ...]:
    """The aspects that a question asks for, in the list's order; empty when it names none.

    A question about harm never asks for treatment, whatever words for medicines it holds.
    """
    says = _Words(question)
    found = [aspect for aspect, phrases in _QUESTION.items() if says.any_of(phrases)]
    medicines = says.any_of(_MEDICINES)
    if says.any_of(_HARM):
        found = ["contraindication", *(a for a in found if a not in {"contraindication", *_GOODS})]
    elif medicines and "cause" in found and "treatment" not in found:
        found = ["side-effect", *(a for a in found if a not in ("cause", "side-effect"))]
    elif medicines and not set(found) - _WEAK:
        found = ["treatment"]
    for wins, loses in _RATHER:
        if wins in found and loses in found:
            found.remove(loses)
    if not found and _WHAT_TO_TAKE.search(question):
        found = ["treatment"]
    if not found and _MAY_TAKE.search(question):
        found = ["contraindication"]
    if not found and _WHATS.search(question):
        found = ["definition"]
    if found == ["definition"] and _NO_DEFINITION.search(question):
        found = []
    if "contraindication" in found and "population" not in found and _names_advised(question):
        found = ["population", *found]
    return tuple([aspect for aspect in found if aspect not in _WEAK] or found)


def asks_for_overview(question: str) -> bool:
    """Whether it asks for whatever is known: "tell me about …"."""
    return _Words(question).any_of(_OVERVIEW)


def _names_advised(question: str) -> bool:
    """Whether it speaks of people for whom graphs say how a medicine is used."""
    return any(people.advised for people in populations_in(question))


class _Words:
    """A question's words, folded: English by whole words, Chinese as one run."""

    def __init__(self, question: str) -> None:
        self._english = " ".join(token.folded for token in tokens(question))
        self._chinese = fold(question) if is_cjk(question) else ""

    def any_of(self, phrases: Iterable[str]) -> bool:
        """Whether one of the phrases occurs."""
        return any(_contains(self._chinese if is_cjk(p) else self._english, p) for p in phrases)


def names_an_aspect(text: str) -> bool:
    """Whether these words only say what is asked for ("symptoms", "治疗"), as no entity does."""
    folded = _normal(text)
    return folded in _MEDICINES or any(folded in phrases for phrases in _QUESTION.values())


def words_beside_aspects(text: str) -> list[str]:
    """The words of a text that are neither grammar nor say what is asked for.

    Chinese is given as the characters that are left. "And its symptoms?" leaves nothing.
    """
    folded = [token.folded for token in tokens(text)]
    english = " ".join(word for word in folded if not is_cjk(word))
    chinese = "".join(word for word in folded if is_cjk(word))
    phrases = sorted(
        (
            phrase
            for group in (*_QUESTION.values(), _MEDICINES, _HARM, _OVERVIEW)
            for phrase in group
        ),
        key=len,
        reverse=True,
    )
    for phrase in phrases:
        if is_cjk(phrase):
            chinese = chinese.replace(phrase, "")
        else:
            english = re.sub(rf"(?<!\S){re.escape(phrase)}(?!\S)", " ", english)
    left = [word for word in english.split() if word not in _GRAMMAR and len(word) > 1]
    return left + [character for character in chinese if character not in _CHINESE_GRAMMAR]


_GRAMMAR = STOP_WORDS | {fold(word) for word in STOP_WORDS} | set("ok okay whats".split())
_CHINESE_GRAMMAR = frozenset(
    "的了吗呢吧啊呀么有什哪些怎如何是会不应该可以请问多少为和与或在也还都就要能对于这那个它其最"
    "我你他她们得到用吃给让把被从以及等之一种样类其它主要常见情况时候物方法"
)
