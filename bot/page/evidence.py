"""A record → what the Evidence view shows: plain values, its text never read as Markdown.

Only the record is used, so a conversation shows the same evidence after any restart or import.
Links are made here (bot.page.links); the browser makes none.
"""

from __future__ import annotations

from typing import Any

from bot.answering.phrases import is_abstention
from bot.answering.wording import plain
from bot.page.links import link_of
from bot.page.qualifiers import qualifier_texts, score_text
from bot.page.words import words_for
from bot.record import AnswerRecord, CitedEvidence
from kg.model import Entity, Hop, Source
from kg.text import clean_label

__all__ = ["evidence_props", "item_props"]

Props = dict[str, Any]

_LONGEST_FRAGMENT = 120
_LABELS = ("evidence", "none", "sources", "references", "identifiers", "back", "checks", "details")


def evidence_props(record: AnswerRecord) -> Props:
    """Everything that the view of one answer needs."""
    language = record.retrieval.language
    words = words_for(language)
    cited = sorted(
        (item for item in record.evidence if item.number is not None),
        key=lambda item: item.number or 0,
    )
    unused = [item for item in record.evidence if item.number is None]
    summary = [words["cited"].format(count=len(cited))]
    if unused:
        summary.append(words["unused_count"].format(count=len(unused)))
    return {
        "language": language,
        "words": {name: words[name] for name in _LABELS},
        "summary": " · ".join(summary),
        "unusedTitle": words["unused"].format(count=len(unused)),
        "graph": _graph(record),
        "notes": _notes(record),
        "checks": _checks(record),
        "cited": [item_props(item, language) for item in cited],
        "unused": [item_props(item, language) for item in unused],
    }


def item_props(item: CitedEvidence, language: str) -> Props:
    """One evidence item, hop by hop."""
    words = words_for(language)
    evidence = item.evidence
    marks = [] if evidence.kind == "triple" else [words[evidence.kind]]
    if evidence.origin == "hypothesis":
        marks.append(words["hypothesis"])
    if evidence.rank:
        marks.append(words["rank"].format(rank=evidence.rank))
    if evidence.fragment:
        fragment = clean_label(evidence.fragment)[:_LONGEST_FRAGMENT]
        marks.append(words["fragment"].format(text=fragment))
    return {
        "number": item.number,
        "text": clean_label(evidence.text),
        "marks": marks,
        "scores": [score_text(*score, language) for score in evidence.scores.items()],
        "hops": [_hop(hop, language) for hop in evidence.hops],
    }


def _hop(hop: Hop, language: str) -> Props:
    triple = hop.triple
    words = words_for(language)
    return {
        "subject": _entity(triple.subject),
        "relation": clean_label(triple.relation.label),
        "object": _entity(triple.object),
        "forward": hop.forward,
        "sources": [_source(source, words) for source in triple.sources],
        "references": [_reference(reference) for reference in triple.references],
        "qualifiers": qualifier_texts(triple, language),
    }


def _entity(entity: Entity) -> Props:
    return {
        "label": clean_label(entity.label),
        "type": entity.type and clean_label(entity.type),
        "literal": entity.iri is None,
        "identifiers": [_reference(identifier) for identifier in entity.identifiers[:8]],
    }


def _reference(reference: str) -> Props:
    return {"text": clean_label(reference), "href": link_of(reference)}


def _source(source: Source, words: dict[str, str]) -> Props:
    facts = [
        source.version and words["version"].format(version=source.version),
        source.date if source.date != source.version else None,
        source.licence and words["licence"].format(licence=source.licence),
    ]
    return {
        "title": clean_label(source.title),
        "facts": [clean_label(fact) for fact in facts if fact],
        "href": link_of(source.homepage) if source.homepage else None,
    }


def _graph(record: AnswerRecord) -> str:
    graph = record.retrieval.graph
    if not graph.version:
        return ""
    words = words_for(record.retrieval.language)
    return words["graph"].format(name=graph.name, version=graph.version[:12])


def _notes(record: AnswerRecord) -> list[Props]:
    """What is said beside the answer, most pressing first. Cautions stand in the message."""
    retrieval = record.retrieval
    is_message = record.status == "failed" and not record.answer
    problems = () if is_message else (*retrieval.problems, *record.problems)
    notes = [("warning", text) for text in problems]
    if record.evidence and not retrieval.complete:
        notes.append(("warning", words_for(retrieval.language)["incomplete"]))
    if record.answer and not is_abstention(record.answer):  # else they stand in the message
        notes += [("note", plain(text)) for text in record.remarks]
    notes += [("note", text) for text in record.notices]
    unique = dict.fromkeys((kind, clean_label(text)) for kind, text in notes)
    return [{"kind": kind, "text": text} for kind, text in unique]


def _checks(record: AnswerRecord) -> list[Props]:
    """The sentences that their citations do not back, with the reasons."""
    words = words_for(record.retrieval.language)
    return [
        {
            "text": clean_label(sentence.text),
            "verdict": sentence.verdict,
            "label": words[sentence.verdict],
            "reasons": [
                {"number": check.number, "reason": clean_label(check.reason)}
                for check in sentence.checks
                if check.reason
            ],
        }
        for sentence in record.sentences
        if sentence.verdict != "supported"
    ]
