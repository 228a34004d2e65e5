"""A record's document and back."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.documents import from_document, to_document
from bot.record import (
    AnswerRecord,
    Check,
    CitedEvidence,
    ModelUse,
    Safety,
    Sentence,
)
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.strategies.asked import asked

MIGRAINE = entity("Migraine", "偏头痛", type="Disease")


def record() -> AnswerRecord:
    graph = FakeGraph(
        fact(entity("Sumatriptan"), "treats", MIGRAINE, references=("PMID:1",), line="first line"),
        fact(MIGRAINE, "description", "A headache disorder."),
    )
    retrieval = asked("kg-rank", "Treat migraine?", graph)
    one, two = retrieval.evidence
    return AnswerRecord(
        conversation="c",
        question="Treat migraine?",
        standalone_question="Treat migraine?",
        mode="medical",
        retrieval=retrieval,
        answer="Sumatriptan treats migraine [1].",
        created="2026-01-01T00:00:00+00:00",
        sentences=(
            Sentence("Sumatriptan treats migraine.", (1,), "partly", (Check(1, "partly", "why"),)),
        ),
        evidence=(CitedEvidence(one, 1), CitedEvidence(two)),
        citation_recall=0.0,
        citation_precision=1.0,
        safety=Safety("Call.", "emergency"),
        notices=("n",),
        remarks=("r",),
        cautions=("c",),
        problems=("p",),
        timings={"answer": 1.5},
        model=ModelUse("m", {"answer": 1}, 7),
    )


def test_a_document_keeps_everything() -> None:
    document = json.loads(json.dumps(to_document(record()), ensure_ascii=False))
    assert to_document(from_document(document)) == document


def test_the_document_has_the_contract_s_fields() -> None:
    document = to_document(record())
    assert document["strategy"]["name"] == "kg-rank"
    assert document["safety"] == {"advice": "Call.", "kind": "emergency"}
    cited, unused = document["evidence"]
    assert (cited["number"], cited["cited"]) == (1, True)
    assert (unused["number"], unused["cited"]) == (None, False)
    hop = cited["hops"][0]
    assert hop["subject"]["label"] == "Sumatriptan" and hop["forward"] is True
    assert hop["relation"]["aspect"] == "treatment"
    assert hop["references"] == ["PMID:1"] and hop["qualifiers"] == {"line": "first line"}
    assert hop["sources"][0]["licence"] == "CC0"
    assert hop["object"]["synonyms"] == ["偏头痛"]
    assert document["graph"]["version"] == "v1" and document["graph"]["endpoint"] is None
    assert document["chains"] == {
        "found": {"path": 0, "co-ancestor": 0, "co-occurrence": 0},
        "kept": 0,
    }
    assert document["model"] == {"name": "m", "calls": {"answer": 1}, "tokens": 7}
    assert {"mentions", "linking", "retrieval", "ranking", "answer"} <= set(document["timings"])


def test_problems_of_retrieval_and_answer_are_told_together() -> None:
    one = record()
    one = replace(one, retrieval=replace(one.retrieval, problems=("q",)))
    assert to_document(one)["problems"] == ["q", "p"]
