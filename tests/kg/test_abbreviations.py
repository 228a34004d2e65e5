"""Abbreviations that a text defines, with and without names of the graph."""

from __future__ import annotations

import pytest

from kg.abbreviations import defined_abbreviations
from kg.model import Mention


def defined(text: str) -> dict[str, str]:
    found = defined_abbreviations(text)
    assert all(text[m.start : m.end] == m.text for m in found.values())
    return {short: mention.text for short, mention in found.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Parkinson's disease (PD) is common", {"PD": "Parkinson's disease"}),
        ("with acute kidney failure (AKF).", {"AKF": "acute kidney failure"}),
        ("valproic acid (VPA), then", {"VPA": "valproic acid"}),
        ("the doxorubicin (DOX) group", {"DOX": "doxorubicin"}),
        ("serotonin blockers (SBs)", {"SBs": "serotonin blockers", "SB": "serotonin blockers"}),
        ("PD (Parkinson disease) and", {"PD": "Parkinson disease"}),
        ("heart failure [HF]", {"HF": "heart failure"}),
        ("heart failure (HF; severe)", {"HF": "heart failure"}),
        ("It stopped. Then (MG) and (was) and (n = 8) and (5) came", {}),
        ("patients (PTSD)", {}),
        ("()(A) (AB", {}),
    ],
)  # fmt: skip
def test_what_a_text_defines(text: str, expected: dict[str, str]) -> None:
    assert defined(text) == expected


def test_a_name_of_the_graph_goes_first_and_the_first_definition_holds() -> None:
    text = "spinal and bulbar muscular atrophy (SBMA), spinal muscular (SBMA)"
    whole = Mention("spinal and bulbar muscular atrophy", 0, 34)
    part = Mention("bulbar muscular atrophy", 11, 34)
    assert defined_abbreviations(text, [part, whole])["SBMA"] == whole
    elsewhere = Mention("spinal", 40, 46)  # of another text
    assert defined_abbreviations(text, [elsewhere])["SBMA"].text == whole.text


def test_brackets_that_define_nothing() -> None:
    assert defined_abbreviations("migraine (AURA)", [Mention("migraine", 0, 8)]) == {}
