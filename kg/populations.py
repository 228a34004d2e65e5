"""People that a question or a fact can be about: children, pregnancy, breast-feeding, old age, and
people with bad kidneys or a bad liver. Words in English and Chinese, not grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.model import Entity, Relation
from kg.roles import relation_words
from kg.text import simplified

__all__ = ["POPULATIONS", "Population", "is_people", "populations_in"]


@dataclass(frozen=True, slots=True)
class Population:
    """Words of a question that mean these people, words of a fact that do, and their name.

    `advised`: graphs say of a medicine how it is used in these people.
    """

    question: re.Pattern[str]
    fact: re.Pattern[str]
    english: str
    chinese: str
    advised: bool = True

    def name(self, language: str) -> str:
        """What these people are called in a sentence."""
        return self.chinese if language == "zh" else self.english

    def named_by(self, entity: Entity) -> bool:
        """Whether an entity of a fact stands for these people."""
        return any(self.fact.search(name) for name in (entity.label, *entity.synonyms))

    def meant_by(self, relation: Relation) -> bool:
        """Whether a relation is about these people: "use in pregnancy"."""
        texts = (relation.label, relation_words(relation))
        return any(self.fact.search(text) for text in texts)


def _population(
    question: str, fact: str, english: str, chinese: str, *, advised: bool = True
) -> Population:
    asked, stated = (re.compile(pattern, re.IGNORECASE) for pattern in (question, fact))
    return Population(asked, stated, english, chinese, advised)


_YEARS = r"[- ]?(?:years?|yrs?)[- ]old"
_UNDER_18 = (
    rf"\b(?:1[0-7]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve){_YEARS}"
    r"|(?<![0-9一二三四五六七八九十])(?:1[0-7]|[1-9]|[一二三四五六七八九]|十[一二三四五六七]?)岁"
)
_OVER_60 = rf"\b[6-9]\d{_YEARS}|[6-9]\d岁|[六七八九]十[一二三四五六七八九]?[多几]?岁"

POPULATIONS = (
    _population(
        r"\b(child(ren)?|childhood|kids?|bab(y|ies)|infants?|toddlers?|newborns?|teen(ager)?s?"
        r"|sons?|daughters?|months? old)\b|儿童|孩|婴|宝宝|幼儿|小儿|小朋友|新生儿|青少年|个月大"
        rf"|{_UNDER_18}",
        r"\b(child(ren)?|childhood|infants?|newborns?|bab(y|ies)|young)\b|儿童|婴|新生儿|小儿|幼儿"
        r"|岁以下",
        "children",
        "儿童",
    ),
    _population(
        r"\bpregnan\w+|\bexpecting\b|孕|妊娠", r"\bpregnan\w+|孕|妊娠", "pregnancy", "妊娠期"
    ),
    _population(
        r"\bbreast[- ]?feed\w*|\bnursing\b|\blactat\w+|哺乳|母乳|喂奶",
        r"\bbreast[- ]?feed\w*|\blactat\w+|哺乳",
        "breast-feeding",
        "哺乳期",
    ),
    _population(
        r"\belderly\b|\bolder (people|adults?|persons?|m[ae]n|wom[ae]n)\b|\bseniors?\b"
        rf"|\bgrand(ma|pa|mother|father)\b|老年|老人|爷爷|奶奶|外公|外婆|{_OVER_60}",
        r"\belderly\b|\bolder\b|老年",
        "older people",
        "老年人",
    ),
    _population(
        r"\bkidneys?\b|\brenal\b|肾",
        r"\bkidneys?\b|\brenal\b|肾",
        "kidney disease",
        "肾病",
        advised=False,
    ),
    _population(
        r"\bliver\b|\bhepat\w+|肝",
        r"\bliver\b|\bhepat\w+|肝",
        "liver disease",
        "肝病",
        advised=False,
    ),
)


def populations_in(question: str) -> tuple[Population, ...]:
    """The people that a question speaks of."""
    text = simplified(question)
    return tuple(people for people in POPULATIONS if people.question.search(text))


# Organs stand for people only by themselves: liver cancer is an illness.
_ORGANS = re.compile(
    r"(?:bad |poor |weak )?(?:kidneys?|renal|liver|hepatic)"
    r"(?: (?:disease|problems?|trouble|failure|impairment|insufficiency|function))?"
    r"|(?:肝|肾)脏?(?:病|功能.{0,4})?",
    re.IGNORECASE,
)


def is_people(name: str) -> bool:
    """Whether a name in a question only says for whom something is asked."""
    if _ORGANS.fullmatch(simplified(name).strip()):
        return True
    return any(people.advised for people in populations_in(name))
