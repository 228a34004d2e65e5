"""A record as the JSON document that is stored and that `graphcite ask --json` prints, and back.

The names in it are fixed (DESIGN.md §7): fields may be added, none is renamed. What older
documents do not have is read as empty.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from bot.record import AnswerRecord, Check, CitedEvidence, ModelUse, Safety, Sentence
from kg.model import (
    CHAIN_KINDS,
    Candidate,
    Entity,
    Evidence,
    GraphIdentity,
    Hop,
    LinkedEntity,
    Mention,
    Relation,
    Retrieval,
    Source,
    Triple,
)

__all__ = ["Document", "from_document", "to_document"]

Document = dict[str, Any]


def to_document(record: AnswerRecord) -> Document:
    """The JSON document of DESIGN.md §7 (`ask --json`); see `from_document` for the way back."""
    r = record.retrieval
    return {
        "conversation": record.conversation,
        "created": record.created,
        "question": record.question,
        "standalone_question": record.standalone_question,
        "mode": record.mode,
        "language": r.language,
        "aspects": list(r.aspects),
        "safety": {"advice": record.safety.advice, "kind": record.safety.kind},
        "strategy": {"name": r.strategy, "parameters": dict(r.parameters), "why": r.why},
        "answer": record.answer,
        "status": record.status,
        "notices": list(record.notices),
        "remarks": list(record.remarks),
        "cautions": list(record.cautions),
        "sentences": [_sentence_document(s) for s in record.sentences],
        "citation_recall": record.citation_recall,
        "citation_precision": record.citation_precision,
        "evidence": [_evidence_document(item) for item in record.evidence],
        "mentions": [asdict(mention) for mention in r.mentions],
        "entities": [_linked_document(entity) for entity in r.entities],
        "hypothesis": r.hypothesis,
        "notes": dict(r.notes),
        "chains": {
            "found": {**dict.fromkeys(CHAIN_KINDS, 0), **r.chains_found},
            "kept": r.chains_kept,
        },
        "conflicts": [list(pair) for pair in r.conflicts],
        "triples_found": r.triples_found,
        "found_by_aspect": dict(r.found_by_aspect),
        "queries": list(r.queries),
        "graph": {
            "name": r.graph.name,
            "version": r.graph.version,
            "endpoint": r.graph.endpoint,
            "sources": [_source_document(source) for source in r.graph.sources],
        },
        "complete": r.complete,
        "problems": [*r.problems, *record.problems],
        "timings": {**r.timings, **record.timings},
        "model": {
            "name": record.model.name,
            "calls": dict(record.model.calls),
            "tokens": record.model.tokens,
        },
    }


def from_document(document: Document) -> AnswerRecord:
    """The record whose document this is. Raises KeyError or TypeError when it is not one."""
    d = document
    evidence = tuple(_evidence_from(item) for item in d["evidence"])
    return AnswerRecord(
        conversation=d["conversation"],
        question=d["question"],
        standalone_question=d["standalone_question"],
        mode=d["mode"],
        retrieval=replace(_retrieval_from(d), evidence=tuple(item.evidence for item in evidence)),
        answer=d["answer"],
        created=d["created"],
        sentences=tuple(_sentence_from(s) for s in d["sentences"]),
        evidence=evidence,
        citation_recall=d["citation_recall"],
        citation_precision=d["citation_precision"],
        safety=Safety(**d["safety"]),
        notices=tuple(d["notices"]),
        remarks=tuple(d["remarks"]),
        cautions=tuple(d["cautions"]),
        status=d["status"],
        model=ModelUse(**d["model"]),
    )


def _retrieval_from(d: Document) -> Retrieval:
    graph = d["graph"]
    sources = tuple(Source(**source) for source in graph["sources"])
    return Retrieval(
        question=d["standalone_question"],
        language=d["language"],
        aspects=tuple(d["aspects"]),
        strategy=d["strategy"]["name"],
        parameters=d["strategy"]["parameters"],
        why=d["strategy"]["why"],
        mentions=tuple(Mention(**m) for m in d["mentions"]),
        entities=tuple(_linked_from(entity) for entity in d["entities"]),
        evidence=(),
        graph=GraphIdentity(graph["name"], graph["version"], sources, graph["endpoint"]),
        triples_found=d["triples_found"],
        found_by_aspect=d["found_by_aspect"],
        hypothesis=d["hypothesis"],
        notes=d.get("notes", {}),
        chains_found=d["chains"]["found"],
        chains_kept=d["chains"]["kept"],
        conflicts=tuple((one, other) for one, other in d.get("conflicts", ())),
        queries=tuple(d["queries"]),
        timings=d["timings"],
        complete=d["complete"],
        problems=tuple(d["problems"]),
    )


def _sentence_document(sentence: Sentence) -> Document:
    checks = [
        {"number": c.number, "verdict": c.verdict, "reason": c.reason} for c in sentence.checks
    ]
    return {
        "text": sentence.text,
        "citations": list(sentence.citations),
        "verdict": sentence.verdict,
        "checks": checks,
    }


def _sentence_from(d: Document) -> Sentence:
    checks = tuple(Check(**check) for check in d["checks"])
    return Sentence(d["text"], tuple(d["citations"]), d["verdict"], checks)


def _evidence_document(item: CitedEvidence) -> Document:
    evidence = item.evidence
    return {
        "number": item.number,
        "key": evidence.key,
        "cited": item.number is not None,
        "kind": evidence.kind,
        "origin": evidence.origin,
        "text": evidence.text,
        "hops": [_hop_document(hop) for hop in evidence.hops],
        "scores": {name: round(score, 4) for name, score in evidence.scores.items()},
        "rank": evidence.rank,
        **({"fragment": evidence.fragment} if evidence.fragment else {}),
    }


def _evidence_from(d: Document) -> CitedEvidence:
    hops = tuple(_hop_from(hop) for hop in d["hops"])
    evidence = Evidence(
        d["key"],
        d["kind"],
        hops,
        d["text"],
        d["origin"],
        d["scores"],
        d["rank"],
        d.get("fragment"),
    )
    return CitedEvidence(evidence, d["number"])


def _hop_document(hop: Hop) -> Document:
    triple = hop.triple
    relation = triple.relation
    return {
        "subject": _entity_document(triple.subject),
        "relation": {"iri": relation.iri, "label": relation.label, "aspect": relation.aspect},
        "object": _entity_document(triple.object),
        "forward": hop.forward,
        "sources": [
            {**_source_document(source), **_stated_of(triple, source)} for source in triple.sources
        ],
        "references": list(triple.references),
        "qualifiers": dict(triple.qualifiers),
    }


def _stated_of(triple: Triple, source: Source) -> Document:
    """Other ids of the same things that this source states the fact of."""
    ends = [(s, o) for name, s, o in triple.stated_of if name == source.name]
    return {"stated_of": [{"subject": s, "object": o} for s, o in ends]} if ends else {}


def _hop_from(d: Document) -> Hop:
    sources = [
        Source(**{name: part for name, part in source.items() if name != "stated_of"})
        for source in d["sources"]
    ]
    triple = Triple(
        _entity_from(d["subject"]),
        Relation(**d["relation"]),
        _entity_from(d["object"]),
        tuple(sources),
        tuple(d["references"]),
        tuple(d["qualifiers"].items()),
        tuple(
            (source["name"], ends["subject"], ends["object"])
            for source in d["sources"]
            for ends in source.get("stated_of", ())
        ),
    )
    return Hop(triple, d["forward"])


def _entity_document(entity: Entity) -> Document:
    document: Document = {
        "iri": entity.iri,
        "label": entity.label,
        "synonyms": list(entity.synonyms),
        "type": entity.type,
        "identifiers": list(entity.identifiers),
        "description": entity.description,
    }
    if entity.concept:
        document["concept"] = entity.concept
    if entity.language:
        document["language"] = entity.language
    if entity.datatype:
        document["datatype"] = entity.datatype
    return document


def _entity_from(d: Document) -> Entity:
    return Entity(
        d["iri"],
        d["label"],
        tuple(d["synonyms"]),
        d["type"],
        d.get("language"),
        d.get("datatype"),
        tuple(d["identifiers"]),
        d["description"],
        d.get("concept"),
    )


def _source_document(source: Source) -> Document:
    return {
        "name": source.name,
        "title": source.title,
        "version": source.version,
        "licence": source.licence,
        "date": source.date,
        "homepage": source.homepage,
    }


def _linked_document(entity: LinkedEntity) -> Document:
    return {
        "mention": entity.mention,
        "iri": entity.iri,
        "label": entity.label,
        "score": round(entity.score, 4),
        "how": entity.how,
        "origin": entity.origin,
        **({"nested": True} if entity.nested else {}),
        "candidates": [
            {
                "iri": c.iri,
                "label": c.label,
                "score": round(c.score, 4),
                "how": c.how,
                "type": c.type,
            }
            for c in entity.candidates
        ],
    }


def _linked_from(d: Document) -> LinkedEntity:
    candidates = tuple(Candidate(**candidate) for candidate in d["candidates"])
    return LinkedEntity(**{**d, "candidates": candidates})
