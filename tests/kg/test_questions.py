"""The form of a question, and which part of it asks."""

from __future__ import annotations

import pytest

from kg.questions import asking_part, asks_of_each, excluded, is_yes_no, names_alone


@pytest.mark.parametrize(
    ("question", "yes_no"),
    [
        ("Does aspirin cause asthma?", True),
        ("What does aspirin cause?", False),
        ("I take warfarin. Can I take ibuprofen?", True),
        ("Is it bad? I take warfarin. What helps against pain?", False),
        ("Can I take ibuprofen? I take warfarin.", True),
        ("布洛芬会引起哮喘吗？", True),
        ("布洛芬的副作用有哪些？", False),
    ],
)
def test_a_yes_or_no_is_asked_for_by_the_sentence_that_asks(question: str, yes_no: bool) -> None:
    assert is_yes_no(question) is yes_no


@pytest.mark.parametrize(
    ("question", "asking"),
    [
        ("I have asthma. What helps?", "What helps?"),
        ("What helps? I have asthma.", "What helps?"),
        ("Why? I have asthma. What helps? Thanks.", "What helps?"),
        ("我有哮喘。怎么办？", "怎么办？"),
        ("怎么办？我有哮喘。", "怎么办？"),
        ("What helps", "What helps"),
        ("What helps?!  ", "What helps?!"),
        ("?!", "?!"),
        ("One. Two. Three", "Three"),
        ("Take 2.5 mg of it?", "Take 2.5 mg of it?"),
    ],
)
def test_the_sentence_that_asks(question: str, asking: str) -> None:
    assert asking_part(question).strip() == asking


def test_names_alone() -> None:
    assert names_alone("Tell me about asthma and COPD", ["asthma", "COPD"])
    assert not names_alone("asthma at night", ["asthma"])
    assert not names_alone("hearing", ["ear"])


@pytest.mark.parametrize(
    ("question", "each"),
    [
        ("symptoms of A and B", True),
        ("symptoms of A and of B", True),
        ("symptoms of both A and B", False),
        ("difference between A and B", True),
        ("How do the symptoms of A and B differ?", True),
        ("A or, B", False),
    ],
)
def test_what_is_asked_of_each(question: str, each: bool) -> None:
    spans = [(question.index(name), question.index(name) + 1) for name in "AB"]
    assert asks_of_each(question, spans) is each


def test_what_is_excluded() -> None:
    assert excluded("treatments without surgery") == "without"
    assert excluded("Is gout not treated with allopurinol?") is None
    assert excluded("What is not treated with allopurinol?") == "not"
    assert excluded("哪些药不会引起头痛") == "不会" and excluded("会不会引起头痛") is None
