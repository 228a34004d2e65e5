"""How a question hangs together with the last turn.

With a model, a follow-up is rewritten into a full question. Without one, or where what it wrote may
ask something else, the question takes over what the last turn was about: a follow-up that names
nothing ("and its symptoms?") keeps the last turn's entities; one that says "it" keeps them beside
its own; one that asks for nothing in particular ("what about asthma?") keeps what was asked. A
question that names something which the graph does not know keeps nothing.
"""

from __future__ import annotations

import re

from bot.record import AnswerRecord
from kg.asking import Asking
from kg.aspects import aspects_of_question, words_beside_aspects
from kg.errors import ModelError
from kg.quoting import NOTHING, harmless, quoted_question
from kg.strategies.request import Carried
from kg.text import fold, language_of

__all__ = ["carried_from", "rewritten"]

_MOST_TOPICS = 5
_TOKENS = 150
_LONGEST_REWRITTEN = 300
_STEM = 4  # letters that child and children, pregnant and pregnancy have in common
_QUOTED = re.compile(r"[\"“「『](.*)[\"”」』]")

_PRONOUN = re.compile(
    r"\b(it|its|they|them|their|theirs|this|these|those|that one|the same)\b"
    r"|它|它们|他们|她们|这种|这个|这些|那种|那个|那些|该病|此病|其(?!他|它|中|实|余)",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"^\s*(and|but|or|so|what about|how about|what of|also|then|why|how long|how often"
    r"|which one|which of)\b"
    r"|^\s*(那|那么|哪[种个一]|第.[种个]|还有|以及|另外|为什么|为何)|呢\s*[?？]?\s*$",
    re.IGNORECASE,
)


def carried_from(question: str, last: AnswerRecord | None) -> Carried:
    """What `question` may take over from the last answer of its conversation."""
    if last is None:
        return Carried()
    refers_back = _PRONOUN.search(question) is not None
    continues = refers_back or _CONTINUES.search(question) is not None
    names_nothing = bool(aspects_of_question(question)) and not words_beside_aspects(question)
    return Carried(
        entities=last.retrieval.entities if continues or names_nothing else (),
        aspects=last.retrieval.aspects if continues else (),
        refers_back=refers_back,
    )


def rewritten(question: str, last: AnswerRecord, asking: Asking) -> str | None:
    """The follow-up as a question that stands by itself; None where it should stay as it is.

    None also when there is no model, when it fails, or when what it wrote is not one line in the
    same language that asks and keeps every word that the follow-up names something with. Blocks.
    Raises DeadlineExceeded when the question was stopped.
    """
    carried = carried_from(question, last)
    if not asking.available or not (carried.entities or carried.aspects):
        return None
    topics = dict.fromkeys(harmless(entity.label) for entity in last.retrieval.entities)
    try:
        text = asking.write(
            "rewriting",
            max_tokens=_TOKENS,
            temperature=0.0,
            question=quoted_question(question),
            last_question=quoted_question(last.standalone_question),
            topics=", ".join(list(topics)[:_MOST_TOPICS]) or NOTHING[asking.language],
        )
    except ModelError:
        return None  # what the last turn was about is carried instead
    if quoted := _QUOTED.fullmatch(text):
        text = quoted[1].strip()
    return text if _asks_the_same(text, question) else None


def _asks_the_same(text: str, question: str) -> bool:
    one_line = len(text.splitlines()) == 1 and len(text) <= _LONGEST_REWRITTEN
    asks = text.endswith(("?", "？")) or not question.rstrip().endswith(("?", "？"))
    changed = fold(text) != fold(question)
    if not (one_line and asks and changed) or language_of(text) != language_of(question):
        return False
    words = words_beside_aspects(text)
    return all(any(_same_stem(word, other) for other in words) for word in _named(question))


def _named(question: str) -> list[str]:
    """The words that name something, without those that only point at the last turn."""
    return words_beside_aspects(_PRONOUN.sub(" ", question))


def _same_stem(word: str, other: str) -> bool:
    if word == other:
        return True
    return len(word) >= _STEM and word.isalpha() and word[:_STEM] == other[:_STEM]
