"""What stands beside an answer: what the graph does not say, what was cut.

Remarks are not claims: they are never cited and never checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from bot.answering.chains import asked_about, asks_relation, inherited
from bot.answering.facts import Choice, asks_of_two, joined, joined_by_chain
from bot.answering.people import advised_people, for_people, is_people
from bot.answering.remark_phrases import ASPECT_NAMES, KIND_NAMES, REMARKS
from bot.answering.wording import escape, join, speaker
from kg.aspects import asks_for_overview
from kg.model import Evidence, Hop, LinkedEntity, Retrieval, evidence_key
from kg.questions import is_yes_no
from kg.ranking.order import triple_text
from kg.text import fold

__all__ = ["abstention_remarks", "conflict_remarks", "remarks"]

_NEAREST = 5
_MOST = 10  # contradictions told one by one
# What two things share is all that is asked for here.
_IN_COMMON = re.compile(r"\b(?:in common|both|shared?)\b|共同|共有|都", re.IGNORECASE)


def remarks(retrieval: Retrieval, choice: Choice) -> tuple[str, ...]:
    """The remarks on an answer that tells this choice."""
    texts = REMARKS[retrieval.language]
    said = _silence(retrieval, choice)
    found, used = _counts(retrieval)
    if choice.triples and not choice.narrowed and found > used > 0:
        said.append(texts["shown"].format(shown=used, found=found))
    if not retrieval.complete:
        said.append(texts["incomplete"])
    told = {item.key for item in choice.triples}
    told |= {key for chain in choice.chains for key in (chain.key, *_fact_keys(chain))}
    return (*conflict_remarks(retrieval, told), *said)


def conflict_remarks(retrieval: Retrieval, told: Set[str]) -> tuple[str, ...]:
    """What contradicts the items of these keys, each side with its sources and its words."""
    by_key = {item.key: item.hops[0].triple for item in retrieval.evidence}
    texts = REMARKS[retrieval.language]
    # One for each disputed fact: its second opponent may not keep another fact's from being told.
    pairs = {one: other for one, other in retrieval.conflicts if not told.isdisjoint((one, other))}
    said = [
        texts["conflict"].format(
            one=speaker(by_key[one].sources, retrieval.language),
            said=escape(triple_text(by_key[one])),
            other=speaker(by_key[other].sources, retrieval.language),
            denied=escape(triple_text(by_key[other])),
        )
        for one, other in list(pairs.items())[:_MOST]
    ]
    if len(pairs) > _MOST:
        said.append(texts["more conflicts"].format(count=len(pairs) - _MOST))
    return tuple(said)


def _fact_keys(chain: Evidence) -> list[str]:
    """The keys that the facts of a chain have as evidence of their own."""
    return [evidence_key("triple", (Hop(hop.triple),)) for hop in chain.hops]


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
    labels = {fold(entity.label) for entity in retrieval.entities}
    others = dict.fromkeys(
        escape(candidate.label)
        for entity in retrieval.entities
        for candidate in entity.candidates
        if candidate.iri not in chosen and fold(candidate.label) not in labels
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
    apart = _apart(retrieval, choice)
    # Where only chains were looked for, what the graph says of each thing is not known.
    here = " here" if retrieval.evidence and not retrieval.triples_found else ""
    said = []
    for aspect in choice.silent:
        if aspect == "name":
            continue  # synonyms are no facts: the graph may well know other names
        if aspect == "population":
            said.append(_unsaid(retrieval))
        elif apart and asks_of_two(retrieval):
            continue  # that nothing joins the two says it
        elif aspect == "definition":
            said.append(texts["undescribed" + here].format(topic=topic))
        else:
            what = names.get(aspect, names["other"]).format(topic=topic)
            said.append(texts["silent" + here].format(what=what))
    kinds = _kinds(retrieval) if choice.unclear else []
    if kinds:
        names_of_kinds = join(kinds, retrieval.language)
        said.append(texts["unclear"].format(topic=topic, kinds=names_of_kinds))
    return said + apart


def _apart(retrieval: Retrieval, choice: Choice) -> list[str]:
    """That no fact joins what is asked about together; none where each is asked by itself."""
    question = retrieval.question
    bare = not retrieval.aspects and not asks_for_overview(question)
    together = asks_of_two(retrieval) or asks_relation(question) or bare
    if not together or "population" in choice.silent or joined(retrieval):
        return []
    texts, topics = REMARKS[retrieval.language], _topics(retrieval)
    if not joined_by_chain(retrieval, choice.chains):
        return [texts["apart"].format(topics=topics)]
    if is_yes_no(question):
        by_kind = {item.key for item in inherited(retrieval)}
        is_by_kind = any(item.key in by_kind for item in choice.chains)
        return [] if is_by_kind else [texts["indirect"].format(topics=topics)]
    return [] if _IN_COMMON.search(question) else [texts["by way"].format(topics=topics)]


def _unsaid(retrieval: Retrieval) -> str:
    """That nothing is known of the use of these medicines in these people."""
    language = retrieval.language
    medicines = for_people([e for e in retrieval.evidence if e.hops], retrieval).medicines
    people = [one.name(language) for one in advised_people(retrieval)]
    return REMARKS[language]["unsaid"].format(
        topic=_labels(medicines, language), people=join(people, language)
    )


def _kinds(retrieval: Retrieval) -> list[str]:
    """What the graph can be asked about these entities."""
    names = KIND_NAMES[retrieval.language]
    return [names[aspect] for aspect in names if aspect in retrieval.found_by_aspect]


def _topics(retrieval: Retrieval) -> str:
    """What was asked about; people ("in pregnancy") only where nothing else was."""
    people = advised_people(retrieval)
    asked = asked_about(retrieval) or retrieval.entities
    return _labels([e for e in asked if not is_people(e, people)] or asked, retrieval.language)


def _labels(entities: Sequence[LinkedEntity], language: str) -> str:
    return join(list(dict.fromkeys(escape(entity.label) for entity in entities)), language)
