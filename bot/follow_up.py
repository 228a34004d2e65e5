"""How a question hangs together with the last turn, without a model.

A follow-up that names nothing ("and its symptoms?") keeps the last turn's entities; one that says
"it" keeps them beside its own; one that asks for nothing in particular ("what about asthma?") keeps
what was asked. A question that names something which the graph does not know keeps nothing.
"""

from __future__ import annotations

import re

from bot.record import AnswerRecord
from kg.aspects import aspects_of_question, words_beside_aspects
from kg.strategies.request import Carried

__all__ = ["carried_from"]

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
