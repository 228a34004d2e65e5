"""What a follow-up takes over from the last turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.follow_up import carried_from
from kg.model import LinkedEntity
from tests.bot.test_record import record

MIGRAINE = LinkedEntity("migraine", "http://e/migraine", "Migraine", 1.0, "exact")
LAST = replace(
    record(), retrieval=replace(record().retrieval, entities=(MIGRAINE,), aspects=("treatment",))
)


def test_the_first_question_takes_over_nothing() -> None:
    assert carried_from("What about it?", None).entities == ()


@pytest.mark.parametrize(
    ("question", "entities", "aspects", "refers_back"),
    [
        ("What about asthma?", True, True, False),
        ("And in children?", True, True, False),
        ("Does it cause nausea?", True, True, True),
        ("那哮喘呢？", True, True, False),
        ("它会引起恶心吗？", True, True, True),
        ("What are the symptoms?", True, False, False),
        ("其他药物有哪些", True, False, False),
        ("有什么副作用？", True, False, False),
        ("What are the symptoms of Zellweger disease?", False, False, False),
        ("红斑狼疮有什么症状？", False, False, False),
        ("What is the capital of France?", False, False, False),
        ("thanks", False, False, False),
    ],
)
def test_what_is_taken_over(
    question: str, entities: bool, aspects: bool, refers_back: bool
) -> None:
    carried = carried_from(question, LAST)
    assert carried.entities == ((MIGRAINE,) if entities else ())
    assert carried.aspects == (("treatment",) if aspects else ())
    assert carried.refers_back is refers_back
