"""What a question reads of the graph once, and what it asks for again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kg.deadline import Deadline
from kg.model import TripleSet
from kg.reading import Reading
from tests.fake_graph import FakeGraph, entity, fact

COLD, FLU, DRUG = entity("Cold"), entity("Flu"), entity("Zanamivir")
TEXTS = (
    fact(COLD, "description", "A stuffed nose."),
    fact(FLU, "description", "A viral illness."),
    fact(DRUG, "description", "An inhaled medicine."),
)


class Asked(FakeGraph):
    """Keeps for which entities descriptions were asked."""

    def __init__(self, complete: bool = True) -> None:
        super().__init__(*TEXTS, fact(DRUG, "treats", FLU))
        self.described: list[list[str]] = []
        self._complete = complete

    def triples(self, iri: str, language: str, deadline: Deadline) -> TripleSet:
        return TripleSet(super().triples(iri, language, deadline).triples, self._complete)

    def descriptions(self, iris: Sequence[str], language: str, deadline: Deadline) -> TripleSet:
        self.described.append(list(iris))
        return super().descriptions(iris, language, deadline)


def told(found: TripleSet) -> list[str]:
    return [triple.subject.label for triple in found.triples]


def iris() -> list[str]:
    return [one.iri or "" for one in (COLD, FLU, COLD, DRUG)]


def test_descriptions_of_several_entities_are_one_question() -> None:
    graph = Asked()
    reading = Reading(graph, "en", Deadline.after(60))
    found = reading.descriptions(iris())
    assert told(found) == ["Cold", "Flu", "Zanamivir"] and found.complete
    assert graph.described == [[COLD.iri, FLU.iri, DRUG.iri]] and graph.asked == []


def test_facts_at_hand_are_not_asked_for_again() -> None:
    graph = Asked()
    reading = Reading(graph, "en", Deadline.after(60))
    reading.triples(FLU.iri or "")
    assert told(reading.descriptions(iris())) == ["Flu", "Cold", "Zanamivir"]
    assert graph.described == [[COLD.iri, DRUG.iri]]
    reading.deadline = Deadline.after(0)
    late = reading.descriptions(iris())
    assert told(late) == ["Flu"] and not late.complete
    assert reading.descriptions([FLU.iri or ""]).complete


@pytest.mark.parametrize("complete", [True, False])
def test_facts_that_were_cut_off_may_lack_a_description(complete: bool) -> None:
    graph = Asked(complete)
    reading = Reading(graph, "en", Deadline.after(60))
    reading.triples(FLU.iri or "")
    assert told(reading.descriptions([FLU.iri or ""])) == ["Flu"]
    assert bool(graph.described) is not complete
