"""Contraindications for the people that a question is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.cautions import cautions_for
from kg.deadline import Deadline
from kg.model import Triple
from kg.ranking.order import fact_evidence
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


JAUNDICE = entity("新生儿黄疸")
HIGH = entity("hypertension")
KIDNEY = entity("chronic kidney disease")


def said_of(question: str, *facts: Triple, language: str = "en") -> tuple[str, ...]:
    """The cautions on an answer that cites all treatments and symptoms among these facts."""
    cited = [fact_evidence(one) for one in facts if one.relation.aspect in ("treatment", "symptom")]
    return cautions_for(question, cited, FakeGraph(*facts), language, Deadline.after(9))


def test_what_names_the_people_is_specific_to_them() -> None:
    light = fact(entity("光疗"), "治疗", JAUNDICE)
    assert said_of("新生儿黄疸怎么治疗？", light, language="zh") == ()
    granules = fact(entity("小儿感冒颗粒"), "治疗", FEVER)
    assert said_of("孩子发热吃什么药？", granules, language="zh") == ()
    statin = fact(entity("atorvastatin"), "treats", KIDNEY)
    assert said_of("How is chronic kidney disease treated?", statin) == ()


def test_whatever_is_cited_may_be_unspecific() -> None:
    symptom = fact(FEVER, "has symptom", entity("chills"))
    nothing = ("No fact cited here is specific to children.",)
    assert said_of("And the symptoms in children?", symptom) == nothing
    assert said_of("Does fever harm the liver?", symptom) == ()  # an organ, not people


def test_advice_is_left_out_where_all_such_people_are_warned() -> None:
    ramipril, labetalol = entity("ramipril"), entity("labetalol")
    use = [
        fact(one, "use in pregnancy", entity(how))
        for one, how in ((ramipril, "not used"), (ASPIRIN, "usually avoided"))
    ]
    facts = [
        *(fact(one, "treats", HIGH) for one in (ramipril, ASPIRIN, labetalol)),
        fact(ramipril, "is contraindicated in", entity("pregnancy")),
        fact(ASPIRIN, "is contraindicated in", entity("late pregnancy")),
        *(replace(one, relation=replace(one.relation, aspect="population")) for one in use),
    ]
    assert said_of("hypertension in pregnancy", *facts) == (
        "The Test source lists ramipril as contraindicated in pregnancy.",
        "The Test source lists aspirin as contraindicated in late pregnancy.",
        "On use in pregnancy, the Test source lists aspirin as usually avoided.",
    )
