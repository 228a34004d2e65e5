"""One fact in words: which end is its topic, and its sentence by the label of its relation.

For facts that have no phrase of their own (bot.answering.phrases), and for the hops of a chain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.answering import phrases
from bot.answering.wording import escape
from kg.model import Entity, Triple
from kg.qualifiers import qualifier
from kg.roles import SYMMETRIC, relation_words, topic_is_subject
from kg.text import is_cjk

__all__ = [
    "Clause",
    "Roles",
    "clause",
    "is_clause",
    "is_verbal",
    "object_text",
    "people_note",
    "roles_of",
    "statement",
    "verb",
]

_OBJECT = "\ue005"  # where the object stands in a predicate
_EASES = re.compile(r"(?:is )?(?:relieve|palliate|ease)|.*(?:缓解|减轻)")
_VERBAL_FIRST = frozenset("has have is are was may can does do affect cause treat".split())
_VERBAL_LAST = frozenset("by in of with to for from on at as".split())
_CHINESE_VERB = re.compile(
    r"(?:有|用于|可|会|能|禁用|不(?!良)|未|是|属于|累及|影响|导致|引起|诱发|造成|位于|来自|包括|包含|含有).*"
)
_CHINESE_NOUN_AND_VERB = re.compile(r".{2,}(?:包括|为)")  # 病因包括


@dataclass(frozen=True, slots=True)
class Roles:
    """Who a fact is about, what is said of it, and the noun for that (an aspect or RELIEF)."""

    topic: Entity
    value: Entity
    asked: str

    @property
    def symmetric(self) -> bool:
        """Whether the fact reads the same from both ends."""
        return self.asked in SYMMETRIC


def roles_of(triple: Triple) -> Roles:
    """The roles of a fact's ends; "kinds of X" are what stands below it."""
    aspect = triple.relation.aspect
    turned = topic_is_subject(triple.relation) is (aspect == "classification")
    ends = (triple.subject, triple.object)
    topic, value = reversed(ends) if turned else ends
    eases = aspect == "treatment" and _EASES.match(relation_words(triple.relation))
    return Roles(topic, value, phrases.RELIEF if eases else aspect)


@dataclass(frozen=True, slots=True)
class Clause:
    """A fact as a sentence without a stop, in its parts.

    `subject` None: it does not come first, and `predicate` is all but the object.
    """

    subject: str | None
    connects: str
    predicate: str
    object: str

    @property
    def told(self) -> str:
        """What is said of the subject."""
        return self.predicate.replace(_OBJECT, self.object)

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"{self.subject or ''}{self.connects}{self.told}"


def clause(
    triple: Triple, language: str, *, subject: str | None = None, value: str | None = None
) -> Clause:
    """The fact by its relation's label; its ends may be told otherwise."""
    label = escape(triple.relation.label)
    subject = escape(triple.subject.label) if subject is None else subject
    value = object_text(triple) if value is None else value
    connects, predicate = _form(triple, language)
    if label.endswith(" a") and value[:1].lower() in "aeiou":
        label += "n"  # "is an airway disease"
    if connects is None:
        whole = predicate.format(label=label, subject=subject, object=_OBJECT)
        return Clause(None, "", whole, value)
    return Clause(subject, connects, predicate.format(label=label, object=_OBJECT), value)


def _form(triple: Triple, language: str) -> tuple[str | None, str]:
    """What stands behind the subject, and the predicate; (None, …) where it does not come first."""
    label = triple.relation.label.strip()
    if language == "zh":
        if _CHINESE_VERB.fullmatch(label):
            return "", phrases.VERB[language]
        noun = _CHINESE_NOUN_AND_VERB.fullmatch(label)
        return "的", phrases.VERB[language] if noun else phrases.CHINESE_NAMED
    return (" ", phrases.VERB[language]) if is_verbal(triple) else (None, phrases.NOMINAL)


def statement(
    triple: Triple, language: str, *, subject: str | None = None, value: str | None = None
) -> str:
    """The fact by its relation's label, without a stop; its ends may be told otherwise."""
    return clause(triple, language, subject=subject, value=value).text


def is_clause(triple: Triple, language: str) -> bool:
    """Whether the fact is told with its subject first: in Chinese always."""
    return language == "zh" or is_verbal(triple)


def object_text(triple: Triple) -> str:
    """The object's label; a literal of several words in quotation marks."""
    text = escape(triple.object.label)
    return f"“{text}”" if triple.object.iri is None and len(text.split()) > 1 else text


def people_note(triple: Triple, language: str) -> str | None:
    """For whom alone a fact holds."""
    people = qualifier(triple, "population")
    if not people:
        return None
    return phrases.POPULATIONS[language].get(people.strip().lower()) or escape(people)


def verb(word: str, titles: int) -> str:
    """The verb of so many sources: "lists", "list"."""
    return word if titles > 1 else f"{word}s"


def is_verbal(triple: Triple) -> bool:
    """Whether "subject label object" is an English clause: "treats", "is seen by"."""
    if is_cjk(triple.relation.label):
        return False
    words = relation_words(triple.relation).split()
    label = triple.relation.label.lower().split()
    if not words or not label:
        return False
    third_person = label[0].endswith("s") and not label[0].endswith(("ss", "us", "is"))
    begins = not _VERBAL_FIRST.isdisjoint((words[0], label[0]))
    return begins or label[-1] in _VERBAL_LAST or third_person
