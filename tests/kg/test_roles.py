"""Which end of a fact a question is about."""

from __future__ import annotations

import pytest

from kg.aspects import aspect_of_relation
from kg.model import Relation
from kg.roles import topic_is_subject


@pytest.mark.parametrize(
    ("label", "subject"),
    [
        ("treats", False),
        ("has treatment", True),
        ("is treated by", True),
        ("prevents", False),
        ("causes", False),
        ("is caused by", True),
        ("has symptom", True),
        ("symptom of", False),
        ("has side effect", True),
        ("part of", True),
        ("用于治疗", False),
        ("药物治疗", True),
        ("临床症状", True),
        ("birthPlace", True),
    ],
)
def test_topic_is_subject(label: str, subject: bool) -> None:
    relation = Relation("http://e/1", label, aspect_of_relation(label))
    assert topic_is_subject(relation) is subject


def test_the_iri_decides_whatever_the_language_of_the_label() -> None:
    for label in ("treats", "治疗", "用来对付"):
        relation = Relation("urn:graphcite:vocabulary:treats", label, "treatment")
        assert topic_is_subject(relation) is False
