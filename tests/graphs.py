"""Hand-made evidence for tests: entities, triples and retrievals in one line each."""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import (
    Candidate,
    Entity,
    Evidence,
    EvidenceKind,
    GraphIdentity,
    Hop,
    LinkedEntity,
    Mention,
    Relation,
    Retrieval,
    Source,
    Triple,
    evidence_key,
)

__all__ = [
    "HPO",
    "STARTER",
    "description",
    "entity",
    "item",
    "literal",
    "path",
    "relation",
    "retrieval",
    "triple",
]

STARTER = Source("starter", "starter graph", "1", "MIT")
HPO = Source("hpo", "Human Phenotype Ontology", "2025-05-06", "HPO licence")

_ENGLISH = {
    "treats": ("treats", "治疗", "treatment"),
    "hasTreatment": ("has treatment", "治疗方法", "treatment"),
    "hasSymptom": ("has symptom", "症状", "symptom"),
    "hasPhenotype": ("has phenotype", "表型包括", "symptom"),
    "lacksPhenotype": ("does not have phenotype", "未见表型", "absence"),
    "causes": ("causes", "导致", "cause"),
    "hasCause": ("has cause", "病因", "cause"),
    "department": ("department", "就诊科室", "department"),
    "contraindicatedIn": ("contraindicated in", "禁忌", "contraindication"),
    "sideEffect": ("side effect", "副作用", "side-effect"),
    "description": ("description", "描述", "definition"),
    "isA": ("is a", "属于", "classification"),
    "hasInheritance": ("has inheritance", "遗传方式", "inheritance"),
    "interactsWith": ("interacts with", "相互作用", "interaction"),
}


def entity(label: str, *synonyms: str, iri: str | None = None) -> Entity:
    name = iri or "http://example.org/" + label.replace(" ", "_")
    return Entity(name, label, synonyms)


def literal(value: str, datatype: str | None = None) -> Entity:
    return Entity(None, value, datatype=datatype)


def relation(name: str, language: str = "en", aspect: str | None = None) -> Relation:
    english, chinese, known = _ENGLISH.get(name, (name, name, "other"))
    label = chinese if language == "zh" else english
    return Relation(f"http://example.org/vocabulary#{name}", label, aspect or known)


def triple(
    subject: Entity,
    name: str | Relation,
    obj: Entity,
    *sources: Source,
    language: str = "en",
    **qualifiers: str,
) -> Triple:
    used = relation(name, language) if isinstance(name, str) else name
    return Triple(subject, used, obj, sources or (STARTER,), (), tuple(qualifiers.items()))


def item(*triples: Triple, kind: EvidenceKind = "triple", rank: int = 0) -> Evidence:
    hops = tuple(Hop(t) for t in triples)
    text = "; ".join(f"{t.subject.label} {t.relation.label} {t.object.label}" for t in triples)
    return Evidence(evidence_key(kind, hops), kind, hops, text, rank=rank)


def path(*triples: Triple) -> Evidence:
    return item(*triples, kind="path")


def description(subject: Entity, text: str, *sources: Source, language: str = "en") -> Evidence:
    return item(
        triple(subject, "description", literal(text), *sources, language=language),
        kind="description",
    )


def retrieval(
    question: str,
    evidence: list[Evidence],
    *linked: Entity,
    language: str = "en",
    aspects: tuple[str, ...] = (),
    found: Mapping[str, int] | None = None,
    complete: bool = True,
    candidates: tuple[Candidate, ...] = (),
) -> Retrieval:
    ranked = tuple(
        Evidence(e.key, e.kind, e.hops, e.text, e.origin, e.scores, rank)
        for rank, e in enumerate(evidence, start=1)
    )
    return Retrieval(
        question=question,
        language=language,
        aspects=aspects,
        strategy="kg-rank",
        parameters={},
        why=None,
        mentions=tuple(Mention(e.label, 0, len(e.label)) for e in linked),
        entities=tuple(
            LinkedEntity(e.label, e.iri or "", e.label, 1.0, "exact", candidates=candidates)
            for e in linked
        ),
        evidence=ranked,
        graph=GraphIdentity("medical", "1", (STARTER,)),
        triples_found=sum(found.values()) if found else len(ranked),
        found_by_aspect=found or {},
        complete=complete,
    )
