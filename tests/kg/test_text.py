"""Folding: spellings of one name meet, different names stay apart."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.text import (
    clean_label,
    fold,
    is_abbreviation,
    language_of,
    tokens,
    windows,
    without_names,
)


@pytest.mark.parametrize(
    "spellings",
    [
        ("Alzheimer's", "Alzheimer’s", "Alzheimerʼs", "Alzheimer´s", "Alzheimers", "alzheimer"),
        ("Sjögren’s", "Sjo\u0308gren's", "Sjogren"),
        ("α-synuclein", "alpha-synuclein", "ALPHA SYNUCLEIN"),
        ("IL‑6", "IL-6"),
        ("oedema", "edema"),
        ("anaemia", "anemia", "Anaemias"),
        ("tumour", "tumors"),
        ("Ⅱ型糖尿病", "2型糖尿病", "II型糖尿病"),
        ("格林-巴利综合征", "格林—巴利综合征"),
        ("维生素Ｃ咀嚼片", "维生素C咀嚼片"),
        ("頭髮脫落", "头发脱落"),
        ("乾燥綜合徵", "干燥综合征"),
        ("hae\u200bmatoma", "hematoma"),
        ("Erythrokeratoderma ''en cocardes''", "erythrokeratoderma en cocardes"),
    ],
)
def test_spellings_of_one_name_fold_alike(spellings: tuple[str, ...]) -> None:
    assert len({fold(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("AIDS", "aid"), ("hydroxyzine", "hydralazine"), ("1型糖尿病", "2型糖尿病"), ("gas", "ga")],
)
def test_different_names_fold_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_windows_keep_their_place_in_the_text() -> None:
    text = "What is Alzheimer’s disease? 偏头痛呢"
    found = {w.folded: text[w.start : w.end] for w in windows(tokens(text))}
    assert found["alzheimer disease"] == "Alzheimer’s disease"
    assert found["偏头痛"] == "偏头痛"


def test_windows_come_by_start_and_longest_first() -> None:
    assert [w.folded for w in windows(tokens("a b c"))] == ["a b c", "a b", "a", "b c", "b", "c"]


def test_long_runs_are_bounded() -> None:
    assert max(w.size for w in windows(tokens("word " * 50))) == 10
    assert max(w.size for w in windows(tokens("字" * 50))) == 20


@example("AA:Æ𠀀")
@given(st.text())
def test_folding_any_text_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(fold(fold(text)))
    assert all(text[t.start : t.end] == t.text for t in tokens(text))


@pytest.mark.parametrize("text", ["ŉ", "½ dose", "abŀcd", "ͺ", "ஔ", "ำ"])
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What is 偏头痛 in English terms?", "en"),
        ("偏头痛怎么治疗？", "zh"),
        ("COPD是什么", "zh"),
        ("", "en"),
    ],
)
def test_language_of_a_question(question: str, language: str) -> None:
    assert language_of(question) == language


def test_abbreviations_are_recognised_by_their_capitals() -> None:
    assert is_abbreviation("COPD") and is_abbreviation("T3")
    assert not is_abbreviation("Asthma") and not is_abbreviation("偏头痛")


def test_labels_lose_what_cannot_be_seen() -> None:
    assert clean_label(" a\u200bb\n\tc\x00d\u202e ") == "ab c d"
    assert clean_label("<b>dbo:x</b>") == "<b>dbo:x</b>"


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=30))
def test_plain_text_is_cut_as_any_other(text: str) -> None:
    # A character that separates makes the text one that is not plain.
    other = tokens(text + " \u2026")
    assert [(t.text, t.start, t.end, t.folded) for t in tokens(text)] == [
        (t.text, t.start, t.end, t.folded) for t in other
    ]
    assert fold(text) == fold(text + " \u2026") == " ".join(t.folded for t in tokens(text))
    assert clean_label(text) == clean_label(text + "\u200b")


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        ("Can heart failure harm the ear?", ["ear"], "Can heart failure harm the  ?"),
        ("Pain and chest pain", ["pain", "chest pain"], "  and  "),
        ("头部及眼后部疼痛怎么治", ["头部", "头部及眼后部疼痛"], " 怎么治"),
        ("COVID-19病毒", ["COVID-19"], " 病毒"),
        ("C++ and (x)", ["C++", "(x)", ""], "  and  "),
    ],
)
def test_a_text_without_names(text: str, names: list[str], left: str) -> None:
    assert without_names(text, names) == left
