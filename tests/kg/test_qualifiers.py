"""Frequencies as shares and bands, lines of treatment."""

from __future__ import annotations

import pytest

from kg.qualifiers import band, figure, line, share
from tests.fake_graph import entity, fact


@pytest.mark.parametrize(
    ("value", "expected", "name"),
    [
        ("16/21", 16 / 21, "frequent"),
        ("16/21; 30/53", 46 / 74, "frequent"),
        ("1/1", None, None),
        ("0/9", None, None),
        ("9/5", None, None),
        ("45%", 0.45, "frequent"),
        ("5%-15%", 0.10, "occasional"),
        ("Very frequent (80–99%)", 0.9, "very frequent"),
        ("Obligate (100%)", 0.9, "very frequent"),
        ("very rare", 0.03, "rare"),
        ("common", 0.55, "frequent"),
        ("at times", None, None),
        (None, None, None),
    ],
)
def test_share_and_band(value: str | None, expected: float | None, name: str | None) -> None:
    assert share(value) == pytest.approx(expected)
    assert band(value) == name


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("16/21", "16/21"),
        ("Very frequent (80–99%)", "80–99%"),
        ("common", None),
        ("at times", "at times"),
    ],
)
def test_figure_is_what_the_band_does_not_say(value: str, shown: str | None) -> None:
    assert figure(value) == shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [("First-line", "first"), ("add-on", "add on"), ("一线", "first"), ("rescue", "rescue")],
)
def test_line_of_treatment(value: str, expected: str) -> None:
    assert line(fact(entity("A"), "treats", entity("B"), line=value)) == expected
    assert line(fact(entity("A"), "treats", entity("B"))) is None
