"""Contraindications for the people that a question is about."""

from __future__ import annotations

import pytest

from bot.cautions import cautions_for
from kg.deadline import Deadline
from tests.fake_graph import FakeGraph, entity, fact
from tests.kg.strategies.asked import asked

FEVER = entity("fever", "发热")
ASPIRIN = entity("aspirin", "阿司匹林")
IBUPROFEN = entity("ibuprofen")
GRAPH = FakeGraph(
    fact(ASPIRIN, "treats", FEVER),
    fact(IBUPROFEN, "treats", FEVER),
    fact(entity("paracetamol"), "treats", FEVER, population="children"),
    fact(ASPIRIN, "is contraindicated in", entity("children under 16", "16岁以下儿童")),
    fact(ASPIRIN, "is contraindicated in", entity("late pregnancy")),
    fact(IBUPROFEN, "is contraindicated in", entity("late pregnancy")),
    fact(IBUPROFEN, "is contraindicated in", entity("severe kidney impairment")),
)


def cautions(question: str, *, only: str = "") -> tuple[str, ...]:
    retrieval = asked("kg-rank", "treat fever", GRAPH)
    cited = [item for item in retrieval.evidence if only in item.text]
    return cautions_for(question, cited, GRAPH, "en", Deadline.after(9))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "My daughter has a fever, what can I give?",
            ("The Test source lists aspirin as contraindicated in children under 16.",),
        ),
        (
            "What can pregnant women take for fever?",
            (
                "The Test source lists aspirin and ibuprofen as contraindicated in late pregnancy.",
                "No fact cited here is specific to pregnancy.",
            ),
        ),
        (
            "fever with bad kidneys",
            (
                "The Test source lists ibuprofen as contraindicated in severe kidney impairment.",
                "No fact cited here is specific to kidney disease.",
            ),
        ),
        ("How is fever treated?", ()),
    ],
)
def test_who_should_not_take_what_is_cited(question: str, said: tuple[str, ...]) -> None:
    assert cautions(question) == said


def test_only_what_the_answer_cites_is_cautioned() -> None:
    said = cautions("fever in children", only="ibuprofen")
    assert said == ("No fact cited here is specific to children.",)


def test_an_answer_that_names_no_treatment_has_no_caution() -> None:
    assert cautions("fever in children", only="nothing") == ()
