"""Which names stand for an entity of the question, and which only share words with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.joins import Joining, joins
from kg.model import Candidate, Entity, LinkedEntity
from kg.ranking.bonus import JOIN_WEIGHT, Question, bonus
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


def test_the_outer_ends_of_a_chain_count() -> None:
    fever, cough, flu = (entity(n, type="Symptom") for n in ("fever", "cough", "flu"))
    chain = (fact(flu, "has symptom", fever), fact(flu, "has symptom", entity("dry cough")))
    assert joins(chain, [linked(fever), linked(flu)])
    middle = (*chain[:1], fact(flu, "has symptom", cough), fact(DRUG, "treats", flu))
    assert not joins(middle, [linked(cough), linked(entity("headache"))])


def test_a_question_looks_at_its_names_once_for_all_facts() -> None:
    cold, cough = entity("cold", type="Disease"), entity("cough", type="Symptom")
    hub = [fact(cold, "has symptom", entity(f"symptom {n}")) for n in range(3)]
    hub += [fact(cold, "has symptom", entity("dry cough", "coughing", type="Symptom"))]
    joining = Joining([linked(cold), linked(cough)])
    assert [joining((one,)) for one in hub] == [False, False, False, True]
    question = Question("Is cough a symptom of a cold?", ("symptom",), cold.iri or "", ())
    named = replace(question, entities=(linked(cold), linked(cough)))
    gained = [bonus(named, one) - bonus(question, one) for one in hub]
    assert gained == [0, 0, 0, pytest.approx(JOIN_WEIGHT)]


def test_a_name_of_two_entities_stands_for_both() -> None:
    one, other = entity("cold", type="Disease"), entity("low temperature", type="Condition")
    end = entity("cold or flu", type="Symptom")
    assert joins((fact(DRUG, "treats", end),), [linked(one), linked(other, "cold"), linked(DRUG)])
    assert not joins((fact(end, "treats", end),), [linked(one), linked(other, "cold")])
