"""How values of facts are told apart by their looks."""

from __future__ import annotations

import pytest

from kg.model import Entity, Relation
from kg.ranking.values import is_bookkeeping, is_code, is_number, is_top_class, words_of
from tests.graphs import entity, literal, triple


@pytest.mark.parametrize("text", ["1", "-3.5", "98,431.2", "2.4e+11"])
def test_numbers(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "1974-07-04", "2 dead", "about 20", "三"])
def test_no_numbers(text: str) -> None:
    assert not is_number(text)


@pytest.mark.parametrize("text", ["Q42", "wikidata:Q42", "2153141", "G43", "C_12"])
def test_codes(text: str) -> None:
    assert is_code(text)


@pytest.mark.parametrize("text", ["vitamin B12", "type 2", "Area 51", "1974-07-04", "维生素C"])
def test_no_codes(text: str) -> None:
    assert not is_code(text)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("icdCode", "ICD code"),
        ("thumbnail", "thumbnail"),
        ("P1", "疾病编码"),
        ("P2", "图片"),
    ],
)
def test_relations_for_machines(name: str, label: str) -> None:
    relation = Relation(f"urn:x:{name}", label)
    assert is_bookkeeping(triple(entity("asthma"), relation, literal("J45")))


@pytest.mark.parametrize("file", ["urn:x:a.jpg", "http://x/b.PNG?width=300", "urn:x:c.svg"])
def test_files_are_for_machines(file: str) -> None:
    value = Entity(file, "a file")
    assert is_bookkeeping(triple(entity("asthma"), Relation("urn:x:shows", "shows"), value))


@pytest.mark.parametrize("name", ["department", "hasSymptom", "treats", "isA"])
def test_facts_are_for_people(name: str) -> None:
    assert not is_bookkeeping(triple(entity("asthma"), name, entity("pneumology")))


def test_the_top_of_a_vocabulary_in_both_languages() -> None:
    assert is_top_class("Thing")
    assert is_top_class("creative work")
    assert is_top_class("人物")
    assert not is_top_class("Golf player")


def test_words_are_folded_without_grammar_and_digits_stand_apart() -> None:
    assert words_of("The Golfers of Georgia") == {"golfer", "georgia"}
    assert words_of("Player110439851") == {"player", "110439851"}
    assert words_of("糖尿病") == {"糖尿", "尿病"}
    assert words_of("1型糖尿病 in 肺") == {"1", "型糖", "糖尿", "尿病", "肺"}
    assert words_of("of the") == frozenset()
