"""Descriptions as evidence, without the other facts of what they describe."""

from __future__ import annotations

from kg.deadline import Deadline
from kg.strategies.describing import described
from kg.strategies.request import Means, Request
from kg.strategies.run import Run
from tests.fake_graph import FakeGraph, entity, fact

FLU, FEVER = entity("Flu"), entity("Fever")
GRAPH = FakeGraph(
    fact(FLU, "description", "A viral illness."),
    fact(FLU, "description", "An infection of the airways."),
    fact(FLU, "has symptom", FEVER),
    fact(FEVER, "description", "A high temperature."),
)


def run_until(deadline: Deadline) -> Run:
    return Run(Request("Does flu cause fever?", "en", deadline), Means(GRAPH))


def test_each_text_is_one_item_and_no_fact_is_read() -> None:
    run = run_until(Deadline.after(60))
    found = described(run, [FEVER.iri or "", FLU.iri or "", FEVER.iri or ""])
    assert [(item.kind, item.text) for item in found] == [
        ("description", "Fever: A high temperature."),
        ("description", "Flu: A viral illness."),
        ("description", "Flu: An infection of the airways."),
    ]
    assert run.complete and GRAPH.asked == []


def test_what_time_cuts_off_is_marked() -> None:
    run = run_until(Deadline.after(0))
    assert described(run, [FLU.iri or ""]) == [] and not run.complete
