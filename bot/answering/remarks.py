"""What stands beside an answer: what the graph does not say, what was cut.

Remarks are not claims: they are never cited and never checked.
"""

from __future__ import annotations

from bot.answering.facts import Choice, joined
from bot.answering.phrases import ASPECT_NAMES, KIND_NAMES, REMARKS
from bot.answering.wording import escape, join
from kg.model import Retrieval

__all__ = ["abstention_remarks", "remarks"]

_NEAREST = 5


def remarks(retrieval: Retrieval, choice: Choice) -> tuple[str, ...]:
    """The remarks on an answer that tells this choice."""
    texts = REMARKS[retrieval.language]
    said = _silence(retrieval, choice)
    found, used = _counts(retrieval)
    if choice.triples and not choice.narrowed and found > used > 0:
        said.append(texts["shown"].format(shown=used, found=found))
    if not retrieval.complete:
        said.append(texts["incomplete"])
    return tuple(said)


def _counts(retrieval: Retrieval) -> tuple[int, int]:
    """How many facts of the asked kind (any, where none was asked) were found, and were ranked."""
    counts = {a: n for a, n in retrieval.found_by_aspect.items() if a != "definition"}
    asked = [aspect for aspect in retrieval.aspects if aspect in counts] or list(counts)
    used = [
        item
        for item in retrieval.evidence
        if len(item.hops) == 1 and item.hops[0].triple.relation.aspect in asked
    ]
    return sum(counts[aspect] for aspect in asked), len(used)


def abstention_remarks(retrieval: Retrieval, choice: Choice) -> tuple[str, ...]:
    """Why there is no answer, and which entities come nearest."""
    texts = REMARKS[retrieval.language]
    said: list[str] = []
    if not retrieval.entities:
        said.append(texts["no entity"])
    elif retrieval.evidence:
        said += _silence(retrieval, choice)
    else:
        said.append(texts["no facts"].format(topic=_topics(retrieval)))
    chosen = {entity.iri for entity in retrieval.entities}
    labels = {entity.label for entity in retrieval.entities}
    others = dict.fromkeys(
        escape(candidate.label)
        for entity in retrieval.entities
        for candidate in entity.candidates
        if candidate.iri not in chosen and candidate.label not in labels
    )
    if others:
        names = join(list(others)[:_NEAREST], retrieval.language)
        said.append(texts["nearest"].format(names=names))
    if not retrieval.complete:
        said.append(texts["incomplete"])
    return tuple(said)


def _silence(retrieval: Retrieval, choice: Choice) -> list[str]:
    texts, names = REMARKS[retrieval.language], ASPECT_NAMES[retrieval.language]
    topic = _topics(retrieval)
    said = []
    for aspect in choice.silent:
        if aspect == "definition":
            said.append(texts["undescribed"].format(topic=topic))
        else:
            what = names.get(aspect, names["other"]).format(topic=topic)
            said.append(texts["silent"].format(what=what))
    kinds = _kinds(retrieval) if choice.unclear else []
    if kinds:
        names_of_kinds = join(kinds, retrieval.language)
        said.append(texts["unclear"].format(topic=topic, kinds=names_of_kinds))
    if not joined(retrieval):
        said.append(texts["apart"].format(topics=topic))
    return said


def _kinds(retrieval: Retrieval) -> list[str]:
    """What the graph can be asked about these entities."""
    names = KIND_NAMES[retrieval.language]
    return [names[aspect] for aspect in names if aspect in retrieval.found_by_aspect]


def _topics(retrieval: Retrieval) -> str:
    asked = [entity for entity in retrieval.entities if entity.origin == "question"]
    labels = dict.fromkeys(escape(entity.label) for entity in asked or retrieval.entities)
    return join(list(labels), retrieval.language)
