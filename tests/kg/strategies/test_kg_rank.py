"""KG-Rank on hand-made graphs: what it reads, keeps, carries, and does when time runs out."""

from __future__ import annotations

import pytest

from kg.deadline import Deadline
from kg.errors import BadInput
from kg.model import LinkedEntity
from kg.strategies.kg_rank import retrieve
from kg.strategies.request import Carried, Parameters, Request
from tests.fake_graph import FakeGraph, entity, fact

MIGRAINE, ASTHMA = entity("Migraine"), entity("Asthma")
GRAPH = FakeGraph(
    fact(entity("Sumatriptan"), "treats", MIGRAINE, references=("PMID:1",)),
    fact(MIGRAINE, "has symptom", entity("Nausea")),
    fact(MIGRAINE, "description", "A headache disorder."),
    fact(entity("Salbutamol"), "treats", ASTHMA),
    fact(ASTHMA, "description", "A disease of the airways."),
)
LAST = LinkedEntity("migraine", MIGRAINE.iri or "", "Migraine", 1.0, "exact")


def request(question: str, **changes: object) -> Request:
    return Request(question, "en", Deadline.after(10), **changes)  # type: ignore[arg-type]


def test_evidence_is_ranked_and_descriptions_stand_apart() -> None:
    found = retrieve(request("How is migraine treated?"), GRAPH, None)
    assert [item.text for item in found.evidence] == [
        "Sumatriptan treats Migraine",
        "Migraine has symptom Nausea",
        "Migraine: A headache disorder.",
    ]
    assert [item.kind for item in found.evidence] == ["triple", "triple", "description"]
    assert [item.rank for item in found.evidence] == [1, 2, 3]
    assert found.aspects == ("treatment",)
    assert found.triples_found == 3
    assert found.complete and found.parameters["encoder"] == "lexical"
    assert list(found.timings) == ["mentions", "linking", "retrieval", "ranking"]


def test_same_question_same_evidence() -> None:
    one, two = (retrieve(request("migraine and asthma"), GRAPH, None) for _ in range(2))
    assert one.evidence == two.evidence
    assert len({item.key for item in one.evidence}) == len(one.evidence) == 5


def test_top_bounds_the_facts_per_entity_and_overall() -> None:
    found = retrieve(request("migraine and asthma", parameters=Parameters(top=1)), GRAPH, None)
    assert [item.kind for item in found.evidence] == ["triple", "description", "description"]


def test_nothing_recognised_gives_no_evidence() -> None:
    found = retrieve(request("How are you?"), GRAPH, None)
    assert found.entities == () and found.evidence == () and found.complete


def test_a_follow_up_that_names_nothing_keeps_the_entities() -> None:
    carried = Carried((LAST,), ("treatment",))
    found = retrieve(request("And the symptoms?", carried=carried), GRAPH, None)
    assert [(e.label, e.how) for e in found.entities] == [("Migraine", "carried")]
    assert found.question == "And the symptoms? (Migraine)"
    assert found.aspects == ("symptom",)
    assert found.evidence[0].text == "Migraine has symptom Nausea"


def test_a_follow_up_that_asks_for_nothing_keeps_what_was_asked() -> None:
    carried = Carried((LAST,), ("treatment",))
    found = retrieve(request("What about asthma?", carried=carried), GRAPH, None)
    assert [e.label for e in found.entities] == ["Asthma"]
    assert found.evidence[0].text == "Salbutamol treats Asthma"
    assert found.question == "What about asthma?"


def test_a_pronoun_keeps_the_entities_beside_its_own() -> None:
    carried = Carried((LAST,), (), refers_back=True)
    found = retrieve(request("Does it cause nausea?", carried=carried), GRAPH, None)
    assert [e.label for e in found.entities] == ["Migraine", "Nausea"]


@pytest.mark.parametrize("stage", ["linking", "ranking"])
def test_time_that_runs_out_gives_what_was_found(stage: str) -> None:
    now: list[str] = []

    class Clock:
        """A deadline that ends when a stage begins."""

        remaining = 1.0

        @property
        def expired(self) -> bool:
            return now[-1] == stage

        def check(self, step: str) -> None:
            if self.expired:
                Deadline.after(-1).check(step)

    late = Request("migraine treatment", "en", Clock(), on_stage=now.append)  # type: ignore[arg-type]
    found = retrieve(late, GRAPH, None)
    assert not found.complete
    assert len(found.problems) == 1 and "ran out" in found.problems[0]
    assert found.mentions and not found.evidence


def test_parameters_are_read_strictly() -> None:
    assert Parameters.read({"top": "5", "ranking": "similarity"}) == Parameters(top=5)
    for bad in ({"top": "0"}, {"top": "-1"}, {"k": "x"}, {"ranking": "best"}, {"lc": "3"}):
        with pytest.raises(BadInput):
            Parameters.read(bad)
