"""Which people a question speaks of, and which facts are about them."""

from __future__ import annotations

import pytest

from kg.model import Entity, Relation
from kg.populations import POPULATIONS, is_people, populations_in

CHILDREN, PREGNANCY, NURSING, OLDER, KIDNEYS, LIVER = POPULATIONS


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Is it safe for my baby?", ["children"]),
        ("my 6 year old has a fever", ["children"]),
        ("a six-year-old with asthma", ["children"]),
        ("a 60-year-old with asthma", ["older people"]),
        ("I am 45 years old", []),
        ("pregnant and breastfeeding", ["pregnancy", "breast-feeding"]),
        ("my kidneys and my liver are bad", ["kidney disease", "liver disease"]),
        ("孕妇能吃吗", ["pregnancy"]),
        ("三岁的孩子", ["children"]),
        ("12岁可以吃吗", ["children"]),
        ("六十岁可以吃吗", ["older people"]),
        ("我今年65岁", ["older people"]),
        ("我32岁", []),
        ("哺乳期", ["breast-feeding"]),
        ("What is asthma?", []),
    ],
)
def test_people_of_a_question(question: str, people: list[str]) -> None:
    assert [one.english for one in populations_in(question)] == people


def test_what_is_about_them() -> None:
    assert PREGNANCY.meant_by(Relation("urn:x:useInPregnancy", "孕期用药"))
    assert NURSING.meant_by(Relation("urn:x:useInBreastFeeding", "use in breast-feeding"))
    assert CHILDREN.meant_by(Relation("urn:x:useInChildhood", "use in childhood"))
    assert not CHILDREN.meant_by(Relation("urn:x:useInPregnancy", "孕期用药"))
    assert CHILDREN.named_by(Entity("urn:x:1", "16岁以下儿童"))
    assert OLDER.named_by(Entity("urn:x:2", "frailty", ("older people",)))
    assert not KIDNEYS.named_by(Entity("urn:x:3", "liver disease"))
    assert LIVER.name("zh") == "肝病"


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("children", True),
        ("孕妇", True),
        ("bad kidneys", True),
        ("liver", True),
        ("肝功能不全", True),
        ("肾病", True),
        ("liver cancer", False),
        ("肝癌", False),
        ("乙型肝炎", False),
        ("kidney stone", False),
    ],
)
def test_an_illness_of_an_organ_is_no_people(name: str, people: bool) -> None:
    assert is_people(name) is people
