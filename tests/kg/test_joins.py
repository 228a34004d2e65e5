"""Which names stand for an entity of the question, and which only share words with it."""

from __future__ import annotations

import pytest

from kg.joins import joins
from kg.model import Candidate, Entity, LinkedEntity
from tests.fake_graph import entity, fact

DRUG = entity("ibuprofen", type="Medicine")


def linked(one: Entity, mention: str | None = None) -> LinkedEntity:
    iri = one.iri or ""
    candidates = (Candidate(iri, one.label, 1.0, "exact", one.type),)
    return LinkedEntity(mention or one.label, iri, one.label, 1.0, "exact", candidates=candidates)


@pytest.mark.parametrize(
    ("named", "end", "joined"),
    [
        (entity("cough", type="Symptom"), entity("cough", type="Symptom"), True),
        (entity("cough", type="Symptom"), entity("dry cough", type="Symptom"), True),
        (entity("pregnancy", type="Condition"), entity("late pregnancy", type="Condition"), True),
        (entity("妊娠", type="病况"), entity("妊娠晚期", type="病况"), True),
        (entity("stomach ulcer"), entity("stomach ulcer or bleeding", type="Symptom"), True),
        (entity("fever", type="Symptom"), entity("yellow fever", type="Disease"), False),
        (entity("感冒", type="疾病"), entity("流行性感冒", type="疾病"), False),
        (entity("肺炎", type="疾病"), entity("肺炎支原体", type="病因"), False),
        (entity("kidney", type="Body part"), entity("kidney stone", type="Body part"), False),
        (
            entity("diabetes", type="Disease"),
            entity("nephropathy, diabetes", type="Disease"),
            False,
        ),
    ],
)
def test_a_narrower_name_counts_only_when_it_is_a_kind(
    named: Entity, end: Entity, joined: bool
) -> None:
    assert joins((fact(DRUG, "has side effect", end),), [linked(DRUG), linked(named)]) is joined


def test_the_words_of_the_question_count_as_a_name() -> None:
    ulcer = entity("gastric ulcer", type="Disease")
    end = entity("stomach ulcer or bleeding", type="Symptom")
    named = [linked(DRUG), linked(ulcer, "stomach ulcers")]
    assert joins((fact(DRUG, "has side effect", end),), named)


def test_one_entity_joins_nothing() -> None:
    assert not joins((fact(DRUG, "treats", entity("cough")),), [linked(DRUG)])
