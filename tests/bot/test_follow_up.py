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
    ("question", "aspects", "refers_back"),
    [
        ("What about asthma?", True, False),
        ("And in children?", True, False),
        ("Does it cause nausea?", True, True),
        ("那哮喘呢？", True, False),
        ("它会引起恶心吗？", True, True),
        ("其他药物有哪些", False, False),
        ("What are the symptoms of asthma?", False, False),
        ("Is sunlight bad?", False, False),
    ],
)
def test_what_is_taken_over(question: str, aspects: bool, refers_back: bool) -> None:
    carried = carried_from(question, LAST)
    assert carried.entities == (MIGRAINE,)
    assert carried.aspects == (("treatment",) if aspects else ())
    assert carried.refers_back is refers_back
