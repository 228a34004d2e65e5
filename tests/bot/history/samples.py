"""Answer records made by hand, for tests of history and page."""

from __future__ import annotations

from bot.record import AnswerRecord, Check, CitedEvidence, Safety, Sentence
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

STARTER = Source("starter", "Graphcite starter graph", "1.0", "CC0-1.0", "2026-11-30")
MIGRAINE = Entity(
    "https://graphcite.example/migraine",
    "Migraine",
    ("偏头痛",),
    "Disease",
    identifiers=("MESH:D008881", "DOID:6364"),
)
TREATED_BY = Relation("https://graphcite.example/treatedBy", "is treated by", "treatment")


def triple_evidence(
    label: str,
    *,
    rank: int = 1,
    qualifiers: tuple[tuple[str, str], ...] = (),
    references: tuple[str, ...] = ("PMID:12345678",),
) -> Evidence:
    """Migraine –is treated by→ `label`, as evidence."""
    thing = Entity(f"https://graphcite.example/{label}", label, (), "Medicine")
    triple = Triple(MIGRAINE, TREATED_BY, thing, (STARTER,), references, qualifiers)
    return evidence("triple", (Hop(triple),), f"Migraine is treated by {label}.", rank)


def path_evidence(rank: int = 1) -> Evidence:
    """A path of two hops, the second walked backwards."""
    sumatriptan = Entity("https://graphcite.example/s", "Sumatriptan", (), "Medicine")
    angina = Entity("https://graphcite.example/a", "Angina pectoris", (), "Disease")
    contra = Relation("https://graphcite.example/c", "is contraindicated with", "contraindication")
    hops = (
        Hop(Triple(MIGRAINE, TREATED_BY, sumatriptan, (STARTER,))),
        Hop(Triple(angina, contra, sumatriptan, (STARTER,), ("PMID:1",)), forward=False),
    )
    return evidence("path", hops, "Migraine … Sumatriptan … Angina pectoris", rank)


def evidence(kind: EvidenceKind, hops: tuple[Hop, ...], text: str, rank: int) -> Evidence:
    """An evidence item with its real key."""
    return Evidence(
        evidence_key(kind, hops), kind, hops, text, scores={"similarity": 0.7}, rank=rank
    )


def record(
    question: str = "What are the treatments for migraine?",
    *,
    conversation: str | None = "conversation",
    cited: tuple[Evidence, ...] | None = None,
    unused: tuple[Evidence, ...] = (),
    first_number: int = 1,
    answer: str | None = None,
    sentences: tuple[Sentence, ...] | None = None,
    safety: Safety | None = None,
    notices: tuple[str, ...] = (),
    remarks: tuple[str, ...] = (),
    cautions: tuple[str, ...] = (),
    problems: tuple[str, ...] = (),
    language: str = "en",
) -> AnswerRecord:
    """A finished answer whose cited items are numbered from `first_number`."""
    cited = (triple_evidence("Sumatriptan"),) if cited is None else cited
    numbered = tuple(
        CitedEvidence(item, number) for number, item in enumerate(cited, start=first_number)
    )
    items = numbered + tuple(CitedEvidence(item) for item in unused)
    numbers = tuple(item.number for item in numbered if item.number is not None)
    markers = "".join(f"[{number}]" for number in numbers)
    text = f"The graph lists these as treatments of migraine {markers}."
    checks = tuple(Check(number, "supported") for number in numbers)
    retrieval = Retrieval(
        question=question,
        language=language,
        aspects=("treatment",),
        strategy="kg-rank",
        parameters={"top": 20},
        why="one entity linked",
        mentions=(Mention("migraine", 28, 36),),
        entities=(
            LinkedEntity(
                "migraine",
                MIGRAINE.iri or "",
                "Migraine",
                1.0,
                "exact",
                candidates=(Candidate(MIGRAINE.iri or "", "Migraine", 1.0, "exact", "Disease"),),
            ),
        ),
        evidence=tuple(item.evidence for item in items),
        graph=GraphIdentity("medical", "abc123", (STARTER,)),
        triples_found=len(items),
        timings={"mentions": 1.25, "linking": 2.0, "retrieval": 3.0, "ranking": 4.0},
    )
    return AnswerRecord(
        conversation=conversation,
        question=question,
        standalone_question=question,
        mode="medical",
        retrieval=retrieval,
        answer=text if answer is None else answer,
        created="2026-11-30T12:00:00Z",
        sentences=(Sentence(text, numbers, "supported", checks),)
        if sentences is None
        else sentences,
        evidence=items,
        citation_recall=1.0,
        citation_precision=1.0,
        safety=safety or Safety(),
        notices=notices,
        remarks=remarks,
        cautions=cautions,
        problems=problems,
        timings={"answer": 1.0, "check": 0.5},
    )


def numbers_of(answer: AnswerRecord) -> dict[str, int]:
    """The numbers to store with a record."""
    return {item.evidence.key: item.number for item in answer.evidence if item.number is not None}
